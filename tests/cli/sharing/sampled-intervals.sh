# Misses of a sampled run have intervals in text and CSV, as in JSON; cycles have none, and the report says so.
db=$("$DBS/make" windows)
"$MEMSPY" sharing --db "$db" | sed -n '/^SHARING/,$p'
"$MEMSPY" sharing --db "$db" --width 60 | sed -n '/^BY DATA/,/^$/p'
"$MEMSPY" sharing --db "$db" --csv
