db=$("$DBS/make" pmu)
"$MEMSPY" pmu --db "$db" --json
"$MEMSPY" pmu --db "$db" --csv --monitor 1
"$MEMSPY" pmu --db "$db" --csv --top 1 | wc -l
