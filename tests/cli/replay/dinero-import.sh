# Dinero traces are imported. With two sets of two ways and lines of 32 bytes, the addresses 0, 40 and 80 are in one set: 0
# first, 40 first, 0 hit, 80 first (evicts 40), 40 replaced (evicts 0), 0 replaced (evicts 80).
. "$SRC/tests/cli/run/lib.bash"
cat >trace.din <<'END'
2 400
0 0 a comment
2 404
0 40
0 2
2 408
1 80
0 40
2 400
0 0
END
"$MEMSPY" replay -q --db runs.db --l1 128,2,32 --json -o din.json trace.din || fail "exit status $?"
expect din <<'END'
report['run']['frontend'] == 'din'
total.instructions == 4
total.reads == 5
total.writes == 1
total.misses == 5
total.first == 3
total.replaced == 2
code('0x400').refs == 2
code('0x400').misses == 2
code('0x404').misses == 1
code('0x408').misses == 2
data('0x0+1M').refs == 6
END
# Data alone, without instructions.
printf '0 1000\n1 2000\n' | "$MEMSPY" replay -q -f din --db runs.db --l1 128,2,32 --json -o data.json - ||
	fail "standard input: exit status $?"
expect data <<'END'
total.instructions == 0
code('<no instruction>').refs == 2
total.misses == 2
END
finish
