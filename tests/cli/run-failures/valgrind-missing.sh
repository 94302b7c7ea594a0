# Without Valgrind, memspy says what to install. (Its folders are hidden for the test.)
. "$SRC/tests/cli/run/lib.bash"
mkdir nothing
# shellcheck disable=SC2016 # for the inner shell
unshare -m bash -c '
	for folder in /usr/{lib,lib64,libexec,local/libexec}/valgrind; do
		[ ! -d "$folder" ] || mount --bind nothing "$folder"
	done
	"$MEMSPY" run --frontend valgrind --db none.db true >out 2>err
	echo $? >status'
[ "$(cat status)" = 125 ] || fail "exit status $(cat status), expected 125"
[ ! -s out ] || fail "on standard output: $(cat out)"
grep -q '^memspy: .*Valgrind is not installed.*apt-get install valgrind' err || fail "it says: $(cat err)"
finish
