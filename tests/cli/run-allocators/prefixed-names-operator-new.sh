# Allocators inside the program are found by the usual names with a prefix, and so is its own operator new.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet prefixed "$PROGRAMS/prefixed"
expect prefixed <<'END'
bin('touch', 'char.first').writes == 1000
data('char.first').objects == 1
bin('touch', 'short int.second').writes == 200
data('short int.second').bytes == 200
bin('touch', 'Thing.third').writes == 300
data('Thing.third').objects == 1
data('Thing.third').allocated_by[0]['function'] == 'main'
bin('touch', 'char.fourth').writes == 1500
# What was touched before anything was allocated is the array's.
bin('touch', 'pool').writes == 65536
END
finish
