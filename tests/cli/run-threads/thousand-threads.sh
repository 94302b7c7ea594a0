# A thousand threads at a time are traced; more than the limit are reported.
. "$SRC/tests/cli/run/lib.bash"
profile thousand "$PROGRAMS/crowd" 1000
[ "$status" = 0 ] || fail "thousand: exit status $status: $(head -n 3 thousand.err)"
expect thousand <<'END'
bin('work', 'own').writes == 1000 * 8
data('own').objects == 1000
data('<stack>').objects == 1000
END

# Valgrind has room for as many threads as --threads allows.
profile room --frontend valgrind --threads 20 -- "$PROGRAMS/crowd" 20
[ "$status" = 0 ] || fail "room: exit status $status: $(head -n 3 room.err)"
profile many --frontend valgrind --threads 20 -- "$PROGRAMS/crowd" 21
[ "$status" = 125 ] || fail "many: exit status $status"
[ "$(cat many.err)" = "memspy: the run ends early: the program has more threads at a time than there is room for (20); --threads N makes room for N" ] ||
	fail "many: says $(head -n 5 many.err)"
expect many <<'END'
report['run']['end'] == 'lost'
END
finish
