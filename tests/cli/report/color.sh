# Colours are used on a terminal unless NO_COLOR is set, with --color always elsewhere, and never in JSON.
db=$("$DBS/make" matmul)
"$MEMSPY" report --db "$db" --color always | grep -c "$(printf '\033')"
"$MEMSPY" report --db "$db" | grep -c "$(printf '\033')"
"$MEMSPY" report --db "$db" --color always --json | grep -c "$(printf '\033')"
# On a terminal, in its width, unless NO_COLOR is set.
script -qec "stty cols 50; '$MEMSPY' report --db '$db'" /dev/null </dev/null >terminal
grep -c "$(printf '\033')" terminal
script -qec "stty cols 50; NO_COLOR=1 '$MEMSPY' report --db '$db'" /dev/null </dev/null >plain
grep -c "$(printf '\033')" plain
tr -d '\r' <plain | grep -v '^Next' | LC_ALL=C.UTF-8 wc -L
