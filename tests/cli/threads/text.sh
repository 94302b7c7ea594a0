# Time by processor, thread and function; serial parts stand out.
db=$("$DBS/make" parallel)
"$MEMSPY" threads --db "$db"
"$MEMSPY" threads --db "$db" --top 2 --width 160 | sed -n '/^PROCESSORS/,/^Norm.:/p'
"$MEMSPY" threads --db "$db" --by code --sort parallelism --width 60 | sed -n '/^TIME/,$p'
"$MEMSPY" threads --db "$db" --sort wait_cycles | sed -n '/^THREADS/,/^$/p'
"$MEMSPY" threads --db "$db" --processor 0 | sed -n '/^THREADS/,/^Norm.:/p'
# A processor that no thread used; a run that kept no weights of threads.
sqlite3 "$db" 'update thread set weighted = 0; update run set processors = 6, nodes = 3'
"$MEMSPY" threads --db "$db" | sed -n '/^TIME/,/^FUNC/p'
# One processor, and no threads noted.
"$MEMSPY" threads --db "$("$DBS/make" matmul)" | sed -n '/^TIME/,$p'
