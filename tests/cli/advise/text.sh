# Findings of a run with known figures, as text.
db=$("$DBS/make" core)
"$MEMSPY" advise --db "$db" --width 100
