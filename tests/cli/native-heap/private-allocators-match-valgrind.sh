# Private allocators of the program, found or named by options, give the same blocks natively as under Valgrind.
. "$SRC/tests/cli/run/lib.bash"

# compare PROGRAM [OPTION]...
compare() {
	local name=$1
	shift
	for frontend in native valgrind; do
		"$MEMSPY" run -q --frontend $frontend --db $frontend.db --trace $frontend.trace --l1 32K,8,64 "$@" -- \
			"$PROGRAMS/$name" >$frontend.out 2>$frontend.err || fail "$name: $frontend: exit status $?"
		[ ! -s $frontend.err ] || fail "$name: $frontend says $(cat $frontend.err)"
		"$MEMSPY" check $frontend.trace >$frontend.check || fail "$name: $(cat $frontend.check)"
	done
	cmp native.out valgrind.out || fail "$name: another output"
	grep -E ' (allocations|frees)$' native.check >native.events
	grep -E ' (allocations|frees)$' valgrind.check >valgrind.events
	[ -s native.events ] || fail "$name: nothing was allocated"
	diff native.events valgrind.events || fail "$name: other blocks"
}
compare prefixed
compare own-malloc
compare jumps
compare pools --malloc pool_alloc:2 --malloc 'pool_array:2*3' --free pool_free:2 --malloc slot_new=48 --malloc jump_alloc \
	--realloc jump_resize:2,3
finish
