# In a folder without write permission, memspy reports the permission, not a missing file.
. "$SRC/tests/cli/run/lib.bash"
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }
# The way to it is open to all: the folder of the test itself may not be.
err=$PWD/err
locked=$(mktemp -d) && chmod 555 "$locked" && cd "$locked" || fail "cannot prepare"
trap 'rmdir "$locked"' EXIT
for db in memspy.db "$PWD/other.db"; do
	as "$MEMSPY" run -q --db "$db" true 2>"$err"
	[ $? = 125 ] || fail "$db: exit status, expected 125"
	grep -q "^memspy: $db: could not open the database: .*: Permission denied$" "$err" || fail "$db: says: $(cat "$err")"
done
as "$MEMSPY" run -q --db no/such.db true 2>"$err"
grep -q '^memspy: no/such.db: could not open the database: .*: No such file or directory$' "$err" || fail "no folder: says: $(cat "$err")"
finish
