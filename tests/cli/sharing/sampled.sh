# Of a sampled run misses have intervals in text and CSV, as they have in JSON; cycles have none, and that is said.
db=$("$DBS/make" windows)
"$MEMSPY" sharing --db "$db" | sed -n '/^SHARING/,$p'
"$MEMSPY" sharing --db "$db" --width 60 | sed -n '/^BY DATA/,/^$/p'
"$MEMSPY" sharing --db "$db" --csv
