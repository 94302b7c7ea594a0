# --data and --monitor select rows, also of data structures that never miss or were never sampled.
db=$("$DBS/make" pmu)
sqlite3 "$db" "insert into data (run, data, name, full_name, type, reason, kind, objects, bytes, peak_bytes, largest) select run, 4, 'quiet', 'quiet', null, null, 'static', 1, 8, 8, 8 from data where data = 0"
tables() { "$MEMSPY" pmu --db "$db" "$@" | sed -n '/^BY DATA/,$p; /asked for/p'; }
tables --monitor 1 --data V
tables --monitor 4 --data V
tables --monitor 1 --data quiet
tables --monitor 1 --top 1
tables --monitor 1 --top 1 --data '<stack>'
"$MEMSPY" pmu --db "$db" --monitor 1 --data R --data V --csv | cut -d, -f5-7,10 | tr -d '\r'
