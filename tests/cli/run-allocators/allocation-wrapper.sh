# Three matrices that one function allocates are three data structures, named after the variables that receive them.
. "$SRC/tests/cli/run/lib.bash"
# Where the stack lies decides what it collides with: of eight ways it finds one.
check() {
	local name=$1
	shift
	profile_quiet "$name" --l1 32K,8,64 -- "$@"
	expect "$name" <<'END'
names('heap') == ['Matrix.X', 'Matrix.Y', 'Matrix.Z']
bin('fill', 'Matrix.X').writes == 900
bin('fill', 'Matrix.Y').writes == 1800
bin('fill', 'Matrix.Z').writes == 2700
data('Matrix.Y').objects == 1
data('Matrix.Y').bytes == 7200
111 <= bin('fill', 'Matrix.Z').misses <= 114
# The call path: from the program's start to the allocator, and nothing outside.
'main (newmatrix.c:' in data('Matrix.X').full_name
data('Matrix.X').allocated_by[-1]['function'] == '_start'
all(not f['function'].startswith(('?', '0x')) for f in data('Matrix.X').allocated_by)
END
}
check O1 "$PROGRAMS/newmatrix"
for flags in '-O0 -g' '-O2 -g' '-O2 -g -gdwarf-4' '-O1 -g -no-pie' '-O2 -g -flto'; do
	# shellcheck disable=SC2086 # several flags
	build newmatrix $flags
	check "${flags// /}" ./newmatrix
done
finish
