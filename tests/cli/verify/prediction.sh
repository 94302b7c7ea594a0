# The prediction is that of the latest run of the command before the change; both are stored with this run.
db=$("$DBS/make" core)
sqlite3 "$db" "update run set program = 'sh work.sh' where id = 1"
echo 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done' >work.sh
"$MEMSPY" verify --db "$db" --rounds 2 --csv "sh work.sh" "sh work.sh" | cut -d, -f 1-3,9-
"$MEMSPY" verify --db "$db" --rounds 1 --run @2 --json "sh work.sh" "sh work.sh" | grep '"kind"\|"run"'
"$MEMSPY" verify --db "$db" --rounds 1 --finding 5 --json "sh work.sh" "sh work.sh" 2>&1
"$MEMSPY" verify --db "$db" --rounds 1 --run none --json "sh work.sh" "sh work.sh" | grep '"prediction"'
sqlite3 "$db" 'select run, verification, before, rounds, kind, data, round(predicted, 2), before_seconds > 0 from verification order by 1, 2'
"$MEMSPY" runs delete --db "$db" @1 >deleted.txt && sqlite3 "$db" 'select count(*) from verification where run = 1'
