# What monitors sampled beside what happened; what they cost and how right they were.
db=$("$DBS/make" pmu)
"$MEMSPY" pmu --db "$db"
"$MEMSPY" pmu --db "$db" --width 64 --monitor 1
