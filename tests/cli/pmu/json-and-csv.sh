# JSON and CSV of all monitors, of one monitor, and with a limit.
db=$("$DBS/make" pmu)
"$MEMSPY" pmu --db "$db" --json
"$MEMSPY" pmu --db "$db" --csv --monitor 1
"$MEMSPY" pmu --db "$db" --csv --top 1 | wc -l
