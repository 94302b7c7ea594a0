# Under Valgrind, allocators that are left by longjmp or an exception, and handlers that jump out, lose and invent no allocation
# afterwards.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet jumps --frontend valgrind -- "$PROGRAMS/jumps"
expect jumps <<'END'
bin('touch', 'char.jumped').writes == 600
data('char.jumped').objects == 1
bin('touch', 'char.thrown').writes == 700
bin('touch', 'Thing.thing').writes == 300
data('Thing.thing').objects == 1
bin('touch', 'char.handled').writes == 800
data('char.handled').objects == 2
bin('touch', 'char.afterwards').writes == 800
names('unknown') == []
END
finish
