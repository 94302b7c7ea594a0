# What cannot be joined is refused with the reason; different arguments get a warning.
db=$("$DBS/make" joined)
hardware=$("$DBS/make" hardware)
try() {
	"$MEMSPY" join "$@" 2>&1
	echo "status $?"
}
try --db "$db" before before
try --db "$db" timer timer
try --db "$db" joined timer
try --db "$db" before
try --db "$db" before timer --tag @3
try --db "$db" before none | head -n 1
sqlite3 "$db" "update run set build_id = 'other' where tag = 'timer'"
try --db "$db" before timer
sqlite3 "$db" "update run set build_id = 'b01d' where tag = 'timer'; update argument set text = '300' where run = 3 and position = 1"
try --db "$db" -q before timer
"$MEMSPY" runs import --db "$db" "$hardware" 2>&1 | tail -n 1
try --db "$db" before pebs
sqlite3 "$db" "delete from hardware_sample where run = 3; delete from hardware_compute where run = 3; delete from hardware_loss where run = 3;
	update hardware set samples = 0 where run = 3"
try --db "$db" before @3
