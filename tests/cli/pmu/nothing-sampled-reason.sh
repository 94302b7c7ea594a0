# Without a monitor, samples, events or debug information memspy pmu says which is missing, and prints no table of zeros.
"$MEMSPY" pmu --db "$("$DBS/make" matmul)"
"$MEMSPY" pmu --db matmul.db --json | tail -n 3
"$MEMSPY" pmu --db matmul.db --csv | tr -d '\r'
db=$("$DBS/make" pmu)
show_monitor() { "$MEMSPY" pmu --db "$db" --monitor "$1" | sed -n '/^MONITOR/,$p'; }
show_monitor 2
"$MEMSPY" pmu --db "$db" --monitor 2 --csv | wc -l
sqlite3 "$db" "update pmu set events = 7 where pmu = 1"
show_monitor 2
sqlite3 "$db" "update pmu set events = 0 where pmu = 1"
show_monitor 2
sqlite3 "$db" "update pmu set interrupts = 0, cycles = clean_cycles where pmu = 2; delete from pmu_sample"
show_monitor 3
db=$(rm pmu.db; "$DBS/make" pmu)
sqlite3 "$db" "update line set file = null, source_line = 0; update code set file = null, source_line = 0"
show_monitor 4
# Once more: on the same machine; what was imported is replayed.
again() { "$MEMSPY" pmu --db "$db" | tail -n 1; }
db=matmul.db
sqlite3 $db "update run set machine_origin = 'preset sample: made up'"
again
sqlite3 $db "update run set machine_origin = 'preset sample: made up; with --l1 8K,2,32 --ll 1M,8,64'"
again
sqlite3 $db "update run set machine_origin = 'options --l1 8K,2,32', machine = 'options'"
again
sqlite3 $db "update run set frontend = 'native'"
again
sqlite3 $db "update run set frontend = 'lackey'"
again
