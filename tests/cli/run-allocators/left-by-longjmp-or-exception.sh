# Allocators that are left by longjmp or an exception, coroutines and handlers that jump out lose and invent no allocation
# afterwards.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet jumps "$PROGRAMS/jumps"
expect jumps <<'END'
bin('touch', 'char.jumped').writes == 600
data('char.jumped').objects == 1
bin('touch', 'char.thrown').writes == 700
bin('touch', 'Thing.thing').writes == 300
data('Thing.thing').objects == 1
# Each coroutine has three turns; which stack it has decides whose its locals are.
bin('touch', 'char.turn (jumps.cc:110 < 122)').writes == 150
data('char.turn (jumps.cc:110 < 122)').objects == 3
data('char.turn (jumps.cc:110 < 122)').peak_bytes == 50
bin('touch', 'char.turn (jumps.cc:110 < 127)').writes == 150
bin('touch', 'mapped_stack').writes == 600
data('mapped_stack').kind == 'mapped'
bin('touch', 'char.heap_stack').writes == 600
data('char.heap_stack').bytes == 65536
# The handler's stack is a static array.
bin('touch', 'char.handled').writes == 800
data('char.handled').objects == 2
bin('handler', 'out_of_handler::alternate').refs > 0
bin('touch', 'char.afterwards').writes == 800
# The first malloc of jump() was refused, and no call that returned later was taken for it.
sum(data(d).objects for d in names('heap') if 'libstdc++' not in d) <= 16
names('unknown') == []
END
finish
