# Memory of every heap function is named after the variable that receives it, with its objects and bytes.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet heap "$PROGRAMS/heap"
expect heap <<'END'
bin('touch', 'char.plain').writes == 1000
data('char.plain').bytes == 1000
bin('touch', 'short int.wrapped').writes == 2000
data('short int.wrapped').bytes == 2000
data('short int.wrapped').allocated_by[0]['function'] == 'xmalloc'
bin('touch', 'int.cleared').writes == 3000
data('int.cleared').bytes == 3000
bin('touch', 'long int.both').writes == 4000
data('long int.both').bytes == 4000
bin('touch', 'float.lines').writes == 5120
bin('touch', 'float.lines').misses == 80
bin('touch', 'double.old_style').writes == 6000
bin('touch', 'page').writes == 8192
bin('touch', 'page').misses == 128
data('page').bytes == 8192
# Mapped by the allocator itself: still heap.
bin('touch', 'char.large').writes == 1000000
data('char.large').kind == 'heap'
15625 <= bin('touch', 'char.large').misses <= 15626
# realloc: one data, an object each time.
bin('touch', 'unsigned int.grown').writes == 4000
data('unsigned int.grown').objects == 10
data('unsigned int.grown').bytes == 400 * 55
data('unsigned int.grown').peak_bytes == 4000
data('unsigned int.grown').largest == 4000
# Structures, and what their members point to.
data('node.list').objects == 1
data('node.list').bytes == 24
data('node.list->next').bytes == 24
bin('touch', 'char.list->label').writes == 40
bin('touch', 'char.list->next->label').writes == 30
bin('touch', 'char.copy').writes == 17
data('char.copy').bytes == 18
bin('touch', 'char.temporary').writes == 500
data('char.temporary').objects == 5
data('char.temporary').peak_bytes == 100
all(d.startswith('<') or 'heap' == data(d).kind for d in names('heap'))
END
finish
