# The samples of monitors next to the true counts, with their overhead and error.
db=$("$DBS/make" pmu)
"$MEMSPY" pmu --db "$db"
"$MEMSPY" pmu --db "$db" --width 64 --monitor 1
