# The page colors members by the threads that use them and by the groups that are used together, as memspy fields has
# them, and shows where in a large array references and misses are.
cat >three.ini <<'END'
[machine]
text = a machine of three
processors = 3
[level L1]
size = 32K
ways = 8
line = 64
[level LL]
size = 1M
ways = 16
line = 64
latency = 50
processors = all
[memory]
latency = 200
END
"$MEMSPY" run -q --observed-lines all --db r.db --machine ./three.ini "$PROGRAMS/member-threads" >/dev/null
"$MEMSPY" html --db r.db -o page.html
"$MEMSPY" fields records --db r.db --json -o fields.json
sqlite3 -json r.db "select r.* from address_range r join data d on d.run = r.run and d.data = r.data
	where d.name like 'record.%' order by r.range" >ranges.json
node "$SRC/tests/browser/member-colors.js" "file://$PWD/page.html" fields.json ranges.json record.records
