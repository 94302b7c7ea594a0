# False sharing first, then each line: data structures, addresses, code and cost.
db=$("$DBS/make" parallel)
"$MEMSPY" sharing --db "$db"
"$MEMSPY" sharing --db "$db" --width 160 --data Queue.q | sed -n '/^CACHE LINES/,$p'
"$MEMSPY" sharing --db "$db" --top 1 --latency peer=600 | sed -n '/^SHARING/,$p'
# Bytes of two data in one line, one of them not known any more; and what could not be kept apart.
sqlite3 "$db" "update cell set data = 1 where cell = 3; update sharing set object_offset = null, field = null where cell = 3;
	update sharing set writer_object_offset = null, writer_field = null where writer = 3;
	update sharing set field = null where cell = 2; update sharing set writer_field = null where writer = 2;
	update sharing set address = null, offset = 0, writer_offset = 0 where sharing > 15"
"$MEMSPY" sharing --db "$db" | sed -n '/^BY DATA/,$p'
