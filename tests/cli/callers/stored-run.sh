# Callers and paths of a stored run: text, JSON, CSV; a run without paths; names that do not exist.
db=$("$DBS/make" paths)
"$MEMSPY" callers --db "$db" memcpy
"$MEMSPY" callers --db "$db" BlkMultiply --threshold 0
"$MEMSPY" callers --db "$db" Matrix.Z --threshold 0
"$MEMSPY" callers --db "$db"
"$MEMSPY" report --db "$db" --by path | sed -n '/BY PATH/,/^$/p'
"$MEMSPY" callers --db "$db" --csv Matrix.Z | tr -d '\r'
"$MEMSPY" callers --db "$db" --csv | tr -d '\r'
"$MEMSPY" report --db "$db" --by path --csv | tr -d '\r' | head -n 2
"$MEMSPY" callers --db "$db" --json memcpy | jq -c '[.name, .is_data, .stall_cycles, .self_stall_cycles, [.callers[] | [.depth, .code, .line, .stall_cycles, .misses]]]'
"$MEMSPY" callers --db "$db" --json | jq -c '.paths[0] | [.code, .stall_cycles, .misses, [.calls[] | [.code, .line]]]'
"$MEMSPY" callers --db "$db" nonesuch || echo "status $?"
db=$("$DBS/make" matmul)
"$MEMSPY" callers --db "$db" main || echo "status $?"
"$MEMSPY" report --by path --db "$db" | tail -n 1
db=$("$DBS/make" hardware)
"$MEMSPY" callers --db "$db" main || echo "status $?"
# Inclusive figures, and functions of the C library at their callers.
db=paths.db
"$MEMSPY" code --db "$db" --sort inclusive_stall_cycles
"$MEMSPY" report --db "$db" --json --by line | jq -c '(.code[] | [.name, .stall_cycles, .inclusive_stall_cycles]), (.lines[] | [.name, .stall_cycles, .inclusive_stall_cycles])'
"$MEMSPY" lines --db "$db" --json | jq -c '.files[].lines[] | [.line, .stall_cycles, .inclusive_stall_cycles]'
"$MEMSPY" lines --db "$db" --width 120 2>/dev/null | grep 'Incl\.\|  44  '
"$MEMSPY" matrix --db "$db" --threshold 0
"$MEMSPY" matrix --db "$db" --threshold 0 --no-fold-system
# --fold-system takes precedence, also over the environment.
"$MEMSPY" matrix --db "$db" --threshold 0 >folded
MEMSPY_NO_FOLD_SYSTEM=1 "$MEMSPY" matrix --db "$db" --threshold 0 | cmp -s - folded && echo "not unfolded by the environment"
MEMSPY_NO_FOLD_SYSTEM=1 "$MEMSPY" matrix --db "$db" --threshold 0 --fold-system | cmp - folded && echo "folded again"
