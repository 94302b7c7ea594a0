# What one instruction counts.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet instructions "$PROGRAMS/instructions"
expect instructions <<'END'
# Across a line's end: one reference, one miss, though two lines come.
bin('straddle', 'lines').reads == 1000
bin('straddle', 'lines').misses == 1000
bin('straddle', 'lines').first == 1000
# Reads and writes the same place: one reference, a read.
bin('modify', 'counters').refs == 1000
bin('modify', 'counters').reads == 1000
bin('modify', 'counters').misses == 125
# A locked add is a load and a compare-and-swap to Valgrind, two references also to cachegrind.
bin('exchange', 'atomics').refs == 2000
bin('exchange', 'atomics').misses == 125
bin('compare', 'pairs').refs == 1000
bin('string_copy', 'from').reads == 512
bin('string_copy', 'to').writes == 512
bin('string_copy', 'to').misses == 64
bin('vector_copy', 'from').reads == 256
bin('vector_copy', 'to').writes == 256
END
# Where several processors are simulated it is one, which asks to write at once.
profile_quiet several --machine sgi-4d-340 --processors 2 -- "$PROGRAMS/instructions"
expect several <<'END'
bin('exchange', 'atomics').refs == 1000
bin('compare', 'pairs').refs == 1000
END
profile adds --machine sgi-4d-340 --processors 4 -- "$PROGRAMS/turns" adds
expect adds <<'END'
bin('count_together', 'shared').refs == 4 * 20000
bin('count_together', 'shared').levels[0].row['causes']['invalidation'] > 500
bin('count_together', 'shared').levels[0].row['write_backs'] == 0
bin('count_together', 'shared').upgrades == 0
END
finish
