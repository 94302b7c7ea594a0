# The database is on a disk that is full, nearly full, or mounted read-only.
. "$SRC/tests/cli/run/lib.bash"
"$MEMSPY" run -q --machine dash --db before.db "$PROGRAMS/ends" _exit
cat >inner.sh <<'END'
# try NAME: prints the status, what the database holds, memspy's own words
try() {
	"$MEMSPY" run --machine dash --db disk/db "$PROGRAMS/ends" _exit >out 2>err
	local got=$?
	grep -q '^TOTAL APPLICATION STATISTICS' err || echo "$1: no report"
	"$MEMSPY" runs --db disk/db >runs 2>&1 || echo "$1: runs: $(cat runs)"
	rm -f copy*
	for file in disk/db*; do [ ! -e "$file" ] || cp "$file" "copy${file#disk/db}"; done
	echo "$1: status $got, $(sqlite3 copy 'pragma integrity_check; select count(*) from run' 2>&1 |
		sort | sed 's/^.*no such table: run.*/empty/' | tr '\n' ' ')"
	grep '^memspy:' err
}
mkdir disk
# No room at all; none beyond what is kept already; too little; enough.
bytes=$(stat -c %s before.db)
mount -t tmpfs -o size=64k tmpfs disk
head -c 65536 /dev/zero >disk/full
try 'nothing free'
umount disk
for extra in 0 40 4000; do
	mount -t tmpfs -o size=$((bytes / 1024 + extra))k tmpfs disk
	cp before.db disk/db
	try "$extra"
	umount disk
done
cp before.db disk/db
mount --bind disk disk
mount -o remount,bind,ro disk
try 'read-only'
"$MEMSPY" report --db disk/db >report || echo 'read-only: cannot be reported'
grep -q '^TOTAL APPLICATION STATISTICS' report || echo 'read-only: no report of it'
END
unshare -m bash inner.sh
