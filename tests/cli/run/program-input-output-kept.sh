# The program's input, output, exit status and environment are the same as without memspy.
. "$SRC/tests/cli/run/lib.bash"
printf 'one\ntwo without an end' >input
"$PROGRAMS/talk" <input >want.out 2>want.err
"$MEMSPY" run -q "$PROGRAMS/talk" <input >got.out 2>got.err
[ $? = 3 ] || fail "exit status $?, expected 3"
cmp want.out got.out || fail "standard output"
cmp want.err got.err || fail "standard error"

# A program that is not given everything does not get everything.
"$MEMSPY" run -q "$PROGRAMS/talk" <&- >got.out 2>got.err
[ $? = 3 ] || fail "without an input: exit status $?, expected 3"
[ ! -s got.out ] || fail "without an input: some output"

# Nor does memspy open anything in the place of closed descriptors, or fail if its messages have no reader.
for closed in '<&-' '>&-' '2>&-' '<&- 2>&-' '>&- 2>&-'; do
	printf 'for fd in 0 1 2; do [ -e /proc/$$/fd/$fd ] && echo $fd >&9; done; exit 5' >open.sh
	rm -f closed.db
	eval "sh open.sh 9>want $closed"
	eval "\"\$MEMSPY\" run -o report.txt --db closed.db -- sh open.sh 9>got $closed"
	[ $? = 5 ] || fail "$closed: exit status $?, expected 5"
	cmp want got || fail "$closed: open are $(tr '\n' ' ' <got)"
done
"$MEMSPY" run --db closed.db -- sh -c 'exit 5' 2>&-
[ $? = 5 ] || fail "with its report nowhere: exit status $?, expected 5"
[ "$("$MEMSPY" runs --db closed.db --csv | wc -l)" = 3 ] || fail "its runs are not kept"

look() {
	env -i PATH="$PATH:/nowhere" A=1 LANG=C EMPTY= "$@" </dev/null 2>seen.err
}
look "$PROGRAMS/environment" 'two words' '' -x --quiet >want
look "$MEMSPY" run -q "$PROGRAMS/environment" 'two words' '' -x --quiet >got
diff want got || fail "it sees something else"
look "$MEMSPY" run -q --json -o file.json -- "$PROGRAMS/environment" 'two words' '' -x --quiet >got
diff want got || fail "it sees something else with --json -o FILE"

# The name as typed, however it was found.
PATH="$PROGRAMS:$PATH"
look environment >want
look "$MEMSPY" run -q environment >got
diff want got || fail "it sees something else when found in PATH"

# More than the usual three files.
look "$PROGRAMS/environment" 5<input 9>nine >want
look "$MEMSPY" run -q "$PROGRAMS/environment" 5<input 9>nine >got
diff want got || fail "it sees other files"

# Signals that were ignored stay so.
(trap '' HUP USR1; look "$PROGRAMS/environment") >want
(trap '' HUP USR1; look "$MEMSPY" run -q "$PROGRAMS/environment") >got
diff want got || fail "it sees other signals"
finish
