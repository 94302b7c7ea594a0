# Every reference of four threads is counted, in whatever order they run.
. "$SRC/tests/cli/run/lib.bash"
for workers in 1 3; do
	profile_quiet threads$workers --workers $workers -- "$PROGRAMS/threads"
	expect threads$workers <<'END'
bin('fill', 'own').writes == 4 * 20000
bin('sum', 'own').reads == 4 * 20000
bin('fill', 'own').first == 4 * 20000 // 8
bin('fill', 'long int.mine').writes == 4 * 20000
bin('sum', 'long int.mine').reads == 4 * 20000
data('long int.mine').objects == 4
data('long int.mine').bytes == 4 * 160000
data('<stack>').objects == 5
END
done
finish
