# Without the C library's debug information, names and keys of data structures are the same as with it. (Its folder is hidden
# for the test.)
. "$SRC/tests/cli/run/lib.bash"
mkdir nothing
names() {
	"$MEMSPY" run -q --db "$1.db" --l1 4K,2,64 -- "$PROGRAMS/heap" >/dev/null 2>"$1.err" || fail "$1: $(cat "$1.err")"
	"$MEMSPY" run -q --db "$1.db" --l1 4K,2,64 --processors 2 -- "$PROGRAMS/threads" >/dev/null 2>"$1.err" ||
		fail "$1: $(cat "$1.err")"
	sqlite3 "$1.db" "select full_name from data where full_name like '%main (%'
		and full_name not like '%ld-linux%' order by 1;
		select name from thread order by 1" >"$1.txt"
}
names with
export -f names fail
# shellcheck disable=SC2016 # for the inner shell
unshare -m bash -c 'mount --bind nothing /usr/lib/debug && names without'
[ -s with.txt ] || fail "no names at all"
cmp with.txt without.txt || fail "$(diff with.txt without.txt)"
finish
