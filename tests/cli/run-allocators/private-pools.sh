# --malloc, --free and --realloc: blocks of private allocators are distinguished inside the memory that contains them.
. "$SRC/tests/cli/run/lib.bash"
options=(--malloc pool_alloc:2 --malloc 'pool_array:2*3' --free pool_free:2 --malloc slot_new=48
	--malloc jump_alloc --realloc jump_resize:2,3)
profile_quiet pools "${options[@]}" -- "$PROGRAMS/pools"
expect pools <<'END'
bin('touch', 'char.red').writes == 1000
data('char.red').kind == 'heap'
data('char.red').bytes == 1000
data('char.red').allocated_by[0]['function'] == 'in_arena'
bin('touch', 'short int.green').writes == 600
data('short int.green').bytes == 600
bin('touch', 'char.blue').writes == 504
# The arena is what pool_alloc took with malloc.
bin('touch', 'char.pool->base').writes == 100
bin('touch', '<freed>').writes == 50
bin('pool_free', '<allocator>').writes == 1
# All that lay in the arena went with it.
bin('touch', 'char.over').writes == 16384
# A pool that starts again from its beginning.
bin('touch', 'char.frame').writes == 6000
data('char.frame').objects == 3
data('char.frame').peak_bytes == 2000
bin('touch', 'char.half').writes == 3000
data('char.half').bytes == 1000 + 1500 + 2000
bin('touch', 'pool.pool').writes == 65536
# Blocks of one size, in a static array that somebody has touched before.
bin('touch', 'char.slot').writes == 480
data('char.slot').objects == 10
data('char.slot').largest == 48
bin('touch', 'slots').writes == 40 * 48
bin('touch', 'char.jumped').writes == 700
bin('touch', 'char.larger').writes == 900
data('char.larger').bytes == 900
END

# A trace of it is replayed alike, and keeps the rules.
"$MEMSPY" run -q --db traced.db --trace pools.trace --l1 32K,8,64 "${options[@]}" -- "$PROGRAMS/pools"
"$MEMSPY" replay -q --db traced.db --l1 32K,8,64 pools.trace
sums='select group_concat(n) from (select data.name || cell.refs || data.objects as n from cell join data using (run, data)
	where run = RUN order by cell)'
[ "$(sqlite3 traced.db "${sums/RUN/1}")" = "$(sqlite3 traced.db "${sums/RUN/2}")" ] || fail "replayed otherwise"
"$MEMSPY" check pools.trace | grep -q 'no problem' || fail "check: $("$MEMSPY" check pools.trace)"

# Unknown names are reported; invalid arguments are refused.
"$MEMSPY" run -q --db no.db --malloc nothing --free missing:3 -- "$PROGRAMS/walk" 2>no.err
cat no.err
for wrong in '--malloc :2' '--malloc pool:0' '--malloc pool:9' '--malloc pool:1*' '--malloc pool=' '--free pool=4' \
	'--realloc pool:1'; do
	# shellcheck disable=SC2086
	"$MEMSPY" run -q --db wrong.db $wrong -- true 2>&1 && fail "$wrong: accepted"
done
[ ! -e wrong.db ] || fail "a database was made"
finish
