# For scripts that profile a program and check its report.
#
#   profile NAME [OPTIONS --] PROGRAM [ARGS]   memspy run; the report goes to NAME.json, what the
#                                  program and memspy printed to NAME.out and NAME.err
#   expect NAME <<'END'            each line is an expression that must hold (expect.py says of what)
#   program_of PID                 the program that the memspy of this number runs; git may be another child of it
#   fail TEXT                      the test will end with status 1
#   finish                         the last line of a script
#
# One level of 32 KiB, direct-mapped, 64-byte lines, unless OPTIONS name another machine.
failures=0

program_of() {
	local child
	for child in $(pgrep -P "$1"); do
		case $(cat "/proc/$child/comm" 2>/dev/null) in
		'' | git | memspy) ;; # gone, or git, or about to become it
		*) echo "$child" ;;
		esac
	done | head -n 1
}

fail() {
	echo "$*"
	failures=$((failures + 1))
}

profile() {
	local name=$1 options=()
	shift
	case " $* " in
	*" -- "*)
		while [ "$1" != -- ]; do
			options+=("$1")
			shift
		done
		shift
		;;
	esac
	case " ${options[*]} " in
	*" --machine "* | *" --l1 "*) ;;
	*) options+=(--machine memspy-1992-matmul --l1 '32K,1,64') ;;
	esac
	"$MEMSPY" run -q --db "$name.db" "${options[@]}" --json -o "$name.json" -- "$@" \
		>"$name.out" 2>"$name.err"
	status=$?
}

# For programs that end with status 0 and say nothing.
profile_quiet() {
	profile "$@"
	[ "$status" = 0 ] || fail "$1: exit status $status"
	[ ! -s "$1.err" ] || fail "$1: on standard error: $(cat "$1.err")"
}

expect() {
	python3 "$SRC/tests/cli/run/expect.py" "$1.json" || failures=$((failures + 1))
}

# build NAME FLAGS: a program of tests/programs, compiled in another way, as ./NAME
build() {
	local source=$1
	shift
	gcc -std=gnu17 -I"$SRC/include" -o "$source" "$SRC/tests/programs/$source.c" "$@" || fail "gcc $source.c $*"
}

finish() {
	[ "$failures" = 0 ] || echo "$failures failed"
	exit $((failures > 0))
}
