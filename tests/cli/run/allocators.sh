# Other allocators, preloaded: heap objects get the same names, objects and bytes as with the C
# library's. C++'s operators are functions of their own in all of them.
. "$SRC/tests/cli/run/lib.bash"
for library in libjemalloc.so.2 libtcmalloc_minimal.so.4 libmimalloc.so.2; do
	found=$(ldconfig -p | sed -n "s|.* => \(.*/$library[0-9.]*\)\$|\1|p" | head -n 1)
	[ -n "$found" ] || continue
	export LD_PRELOAD=$found
	profile_quiet "heap-$library" "$PROGRAMS/heap"
	profile_quiet "cpp-$library" "$PROGRAMS/cpp"
	unset LD_PRELOAD
	expect "heap-$library" <<'END'
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
	expect "cpp-$library" <<'END'
bin('touch', 'Particle.one').writes == 24
data('Particle.one').objects == 1
bin('touch', 'Particle.many').writes == 2400
data('Particle.many').objects == 1
data('Particle.many').allocated_by[0]['function'] == 'main'
bin('touch', 'std::vector<int>.numbers').writes == 4000
data('std::vector<long int>.pushed').objects == 8
data('std::map<int, int>.tree').objects == 20
END
done
finish
