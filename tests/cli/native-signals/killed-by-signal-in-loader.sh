# A signal kills the program while the dynamic loader runs, before the front-end has started: memspy ends by the same signal.
. "$SRC/tests/cli/run/lib.bash"
cat >loads.c <<'END'
#include <unistd.h>
static int three(void)
{
	return 3;
}
static int (*choose(void))(void)
{
	sleep(30);
	return three;
}
int chosen(void) __attribute__((ifunc("choose")));
int main(void)
{
	return chosen();
}
END
gcc -O1 -o loads loads.c -Wl,-z,now || fail gcc

# until_loads PID: the program of this memspy is in sleep(), for a minute at most
until_loads() {
	local i program
	for ((i = 0; i < 1200; i++)); do
		program=$(program_of "$1")
		[ -z "$program" ] || [ "$(cat "/proc/$program/comm")" != loads ] || ! grep -q nanosleep "/proc/$program/wchan" || return 0
		sleep 0.05
	done
	fail "the program does not begin"
}

# killed NAME SIGNAL MODE...
killed() {
	local name=$1 signal=$2 got
	shift 2
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$MEMSPY" "$@" -q --db runs.db -- ./loads >"$name.out" 2>"$name.err" &
	pid=$!
	until_loads $pid
	kill "-$signal" $pid
	wait $pid 2>/dev/null
	got=$?
	[ $got = $((128 + $(kill -l "$signal"))) ] || fail "$name: exit status $got; says $(cat "$name.err")"
	grep -q 'loads was interrupted; what it did until then is kept' "$name.err" || fail "$name: says $(cat "$name.err")"
}
killed whole TERM run --frontend native 2>/dev/null
killed sampled INT run --sample 1/10 2>/dev/null
killed sample TERM sample 2>/dev/null
finish
