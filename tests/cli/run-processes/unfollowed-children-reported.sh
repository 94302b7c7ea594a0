# memspy reports children that are not followed and take much processor time, and names the option that follows them; it does
# not report short or followed ones.
. "$SRC/tests/cli/run/lib.bash"
cat >busy.py <<'END'
import sys, time
while time.process_time() < float(sys.argv[1]):
    pass
END
# left NAME SECONDS OPTION...: a child takes so much processor time
left() {
	name=$1 seconds=$2
	shift 2
	"$MEMSPY" run -q --db runs.db --l1 4K,4,64 "$@" -- sh -c "python3 busy.py $seconds; true" >/dev/null 2>"$name.err" || fail "$name: exit status $?"
}
says='^memspy: processes that sh started took [0-9.]* m\?s of processor time, and were not followed: memspy run --follow-forks has them, too$'
left native 0.8 --frontend native
left sampled 0.8 --frontend native --sample 1/10
left valgrind 0.8 --frontend valgrind
for name in native sampled valgrind; do
	grep -q "$says" $name.err || fail "$name: says $(cat $name.err)"
done
left short 0 --frontend native
left followed 0.8 --frontend native --follow-forks
for name in short followed; do
	grep -q 'were not followed' $name.err && fail "$name: says $(cat $name.err)"
done
finish
