# tests/programs/thread-columns.c: two threads walk columns, and gather. The default simulates several processors from the
# first thread on; both findings follow from the strides and classes of dependence of each thread.
machine="--machine intel-emerald-rapids"
run() { "$MEMSPY" run -q --db r.db $machine "$@" "$PROGRAMS/thread-columns" >/dev/null; }
findings() { "$MEMSPY" advise --db r.db --csv "$@" | tr -d '\r' | cut -d, -f1-3 | tail -n +2 | sort; }
run --processors 2
findings
"$MEMSPY" show --db r.db --data 'double.matrix' --code add_columns | grep -o 'Access: .*'
"$MEMSPY" show --db r.db --data 'double.values' --code add_values | grep -o 'Access: [a-z]*'
"$MEMSPY" advise --db r.db | grep -c 'the gain is an estimate'
