# Allocations that fail, shrink, come through tail calls or are made on other stacks are attributed correctly.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet unusual "$PROGRAMS/unusual-allocs"
expect unusual <<'END'
bin('touch', 'char.tail').writes == 1000
bin('touch', 'char.twice').writes == 1100
data('char.twice').bytes == 1100
bin('touch', 'char.early').writes == 800
# What failed is no object; what could not grow stays.
bin('touch', 'char.kept').writes == 64
data('char.kept').objects == 1
len([n for n in names('heap') if 'never' in n or 'same' in n]) == 0
# Shrunk: the same data once more, smaller.
bin('touch', 'char.shrunk (unusual-allocs.c:45)').writes == 3000
data('char.shrunk (unusual-allocs.c:45)').bytes == 3000
bin('touch', 'char.shrunk (unusual-allocs.c:48)').writes == 100
bin('touch', '<stack>').writes == 200000
# A stack in heap memory is heap memory.
bin('touch', 'char.own_stack').writes == 500
bin('touch', 'char.visited').writes == 700
bin('touch', 'char.handled').writes == 900
data('char.alternate').writes > 0
bin('touch', 'char.after_jump').writes == 600
END
profile_quiet own "$PROGRAMS/own-malloc"
expect own <<'END'
bin('touch', 'char.red').writes == 3000
data('char.red').bytes == 3000
bin('touch', 'short int.green').writes == 2000
data('short int.green').kind == 'heap'
END
finish
