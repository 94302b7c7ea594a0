# For the tests of other allocators, preloaded: heap objects get the same names, objects and bytes as with
# the C library's. C++'s operators are functions of their own in all of them.
#
#   needs_allocator NAME LIBRARY PACKAGE   for a script's .needs: whether it can be tested; ends the script
#   allocator LIBRARY                      all of the test, with both front-ends

# Where the library is; nothing: nowhere.
library_path() {
	ldconfig -p | sed -n "s|.* => \(.*/$1[0-9.]*\)\$|\1|p" | head -n 1
}

needs_allocator() {
	! ldd "$BUILD/memspy" | grep -q 'lib[at]san' || { echo "a sanitizer suffers no other allocator beside it"; exit 1; }
	[ -n "$(library_path "$2")" ] || { echo "$1 is not installed ($2, of Debian's $3)"; exit 1; }
	exit 0
}

check_allocator() {
	local library=$1 frontend=$2
	local heap=heap-$frontend cpp=cpp-$frontend
	export LD_PRELOAD=$library
	profile_quiet "$heap" --frontend "$frontend" -- "$PROGRAMS/heap"
	profile_quiet "$cpp" --frontend "$frontend" -- "$PROGRAMS/cpp"
	unset LD_PRELOAD
	expect "$heap" <<'END'
bin('touch', 'char.plain').writes == 1000
data('char.plain').bytes == 1000
bin('touch', 'short int.wrapped').writes == 2000
data('short int.wrapped').allocated_by[0]['function'] == 'xmalloc'
data('int.cleared').bytes == 3000
bin('touch', 'float.lines').writes == 5120
bin('touch', 'double.old_style').writes == 6000
data('page').bytes == 8192
bin('touch', 'char.large').writes == 1000000
bin('touch', 'unsigned int.grown').writes == 4000
data('unsigned int.grown').objects == 10
data('unsigned int.grown').peak_bytes == 4000
data('node.list').objects == 1
data('char.copy').bytes == 18
data('char.temporary').objects == 5
data('char.temporary').peak_bytes == 100
END
	expect "$cpp" <<'END'
bin('touch', 'Particle.one').writes == 24
data('Particle.one').objects == 1
bin('touch', 'Particle.many').writes == 2400
data('Particle.many').objects == 1
data('Particle.many').allocated_by[0]['function'] == 'main'
bin('touch', 'std::vector<int>.numbers').writes == 4000
data('std::vector<long int>.pushed').objects == 8
data('std::map<int, int>.tree (nodes)').objects == 20
END
}

allocator() {
	local library frontend
	library=$(library_path "$1")
	for frontend in native valgrind; do
		check_allocator "$library" $frontend
	done
}
