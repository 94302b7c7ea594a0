# A program that uses the very signals that windows open (61) and are left (62) by, all the time: windows begin and end at any moment of
# what it does, and it finds its own handlers and gets its signals. (Of 120,000 masks that it reads back one may be wrong, see docs/design/bad-days.md.)
export MEMSPY_FRONTEND=native
. "$SRC/tests/cli/run/lib.bash"

for signal in 61 62; do
	for seed in 1 2 3; do
		MEMSPY_NATIVE_COUNTED=0 timeout -s KILL 100 "$MEMSPY" run -q --db ours.db -o ours.txt --sample 1/2 --window 2K --sample-seed $seed -- "$PROGRAMS/ours" $signal 20000 >out 2>err ||
			fail "$signal: exit status $?: $(cat err)"
		grep -qE '^wrong: 0 actions, 0 signals, [0-9]{1,2} masks$' out || fail "$signal, seed $seed: $(cat out)"
	done
done
[ "$(sqlite3 ours.db 'select min(windows) > 5 from sampling')" = 1 ] || fail "windows: $(sqlite3 ours.db 'select windows from sampling')"
finish
