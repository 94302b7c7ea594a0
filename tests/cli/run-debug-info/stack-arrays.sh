# Arrays on the stack are named while their function runs, and not longer.
. "$SRC/tests/cli/run/lib.bash"
check() {
	profile_quiet "$@"
	expect "$1" <<'END'
data('main.outer').writes == 2000 + 100
data('main.outer').kind == 'stack'
bin('put', 'main.outer').writes == 2000 + 100
data('once.single').writes == 1000 + 900
data('recurse.level').writes == 4 * 500 + 4
data('leave.left').writes == 800
data('run.local').writes == 600
bin('small', 'small.bytes').writes == 51 * 64
END
}
check native --frontend native -- "$PROGRAMS/stack-arrays"
gcc -O1 -pthread "$SRC/tests/programs/stack-arrays.c" -o plain || fail gcc
profile_quiet plain --frontend native -- ./plain
expect plain <<'END'
[d['name'] for d in report['data'] if d['name'].endswith('.outer')] == []
END
finish
