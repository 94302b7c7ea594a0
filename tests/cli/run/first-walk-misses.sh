# A first walk over n doubles misses n/8 times with lines of 64 bytes, and all misses are first uses.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet walk "$PROGRAMS/walk"
expect walk <<'END'
bin('walk', 'double.aligned').writes == 8000
bin('walk', 'double.aligned').reads == 0
bin('walk', 'double.aligned').misses == 1000
bin('walk', 'double.aligned').first == 1000
data('double.aligned').bytes == 64000
data('double.aligned').objects == 1
data('double.aligned').kind == 'heap'
data('double.aligned').type == 'double'
bin('walk', 'double.plain').writes == 8000
999 <= bin('walk', 'double.plain').misses <= 1002
bin('walk', 'double.plain').first >= bin('walk', 'double.plain').misses - 1
data('double.plain').refs == 8000
data('double.plain').stall_cycles == 50 * data('double.plain').misses
code('walk').file.endswith('tests/programs/walk.c')
code('walk').line == 8
END
finish
