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
finish
