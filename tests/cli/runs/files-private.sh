# New databases, logs, traces, pages and exports are readable by their owner only, whatever the umask is. In a directory with a
# set-group-ID bit the group may read them, too, with a default ACL those that it names; an existing file keeps its mode.
mode() { stat -c "$1: %a" "$2"; }
# make_all FOLDER: one of each kind of file there
make_all() {
	"$MEMSPY" run -q --db "$1/a.db" --trace "$1/a.trace" "$PROGRAMS/walk" >/dev/null &&
		"$MEMSPY" html --db "$1/a.db" -o "$1/a.html" &&
		"$MEMSPY" export csv --db "$1/a.db" -o "$1/a.csv" &&
		"$MEMSPY" report --db "$1/a.db" -o "$1/a.txt" &&
		"$MEMSPY" runs export --db "$1/a.db" @1 "$1/b.db" >/dev/null
}
modes() {
	for file in a.db a.trace a.html a.csv a.txt b.db; do
		mode "$1/$file" "$1/$file"
	done
}
umask 022
mkdir plain group
chmod 755 plain
make_all plain && modes plain
chmod 2755 group
make_all group && modes group

# SQLite makes the log while a database is open.
sqlite3 plain/a.db 'pragma journal_mode = wal; create table extra(i); select 1;' '.shell stat -c "%n: %a" plain/a.db-wal plain/a.db-shm' | grep :

chmod 644 plain/a.*
rm plain/b.db
make_all plain && modes plain

mkdir acl
if setfacl -d -m o::r acl 2>/dev/null; then
	make_all acl
	[ "$(mode db acl/a.db)" = 'db: 644' ] || mode 'with a default ACL' acl/a.db
fi
