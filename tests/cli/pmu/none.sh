# No monitor, no sample, nothing to sample, no debug information: each says what it is, and no table of zeros.
"$MEMSPY" pmu --db "$("$DBS/make" matmul)"
"$MEMSPY" pmu --db matmul.db --json | tail -n 3
"$MEMSPY" pmu --db matmul.db --csv | tr -d '\r'
db=$("$DBS/make" pmu)
told() { "$MEMSPY" pmu --db "$db" --monitor "$1" | sed -n '/^MONITOR/,$p'; }
told 2
"$MEMSPY" pmu --db "$db" --monitor 2 --csv | wc -l
sqlite3 "$db" "update pmu set events = 7 where pmu = 1"
told 2
sqlite3 "$db" "update pmu set events = 0 where pmu = 1"
told 2
sqlite3 "$db" "update pmu set interrupts = 0, cycles = clean_cycles where pmu = 2; delete from pmu_sample"
told 3
db=$(rm pmu.db; "$DBS/make" pmu)
sqlite3 "$db" "update line set file = null, source_line = 0; update code set file = null, source_line = 0"
told 4
