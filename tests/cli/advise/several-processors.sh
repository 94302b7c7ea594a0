# False sharing, true sharing and remote memory: which members, and what to do.
db=$("$DBS/make" parallel)
"$MEMSPY" advise --db "$db" --width 100 | sed -n '/^FINDINGS/,$p'
