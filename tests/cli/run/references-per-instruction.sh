# The references that one instruction makes, with each front-end: unaligned, atomic, paired, vector and string instructions.
. "$SRC/tests/cli/run/lib.bash"
case $(uname -m) in
x86_64)
	cat >of_its_own <<'END'
# Reads and writes the same place: one reference, a read.
bin('modify', 'counters').refs == 1000
bin('modify', 'counters').reads == 1000
bin('string_copy', 'from').reads == 512
bin('string_copy', 'to').writes == 512
bin('string_copy', 'to').misses == 64
END
	;;
aarch64)
	cat >of_its_own <<'END'
# There is no such instruction: a load and a store.
bin('modify', 'counters').reads == 1000
bin('modify', 'counters').writes == 1000
bin('exclusive', 'exclusives').reads == 1000
bin('exclusive', 'exclusives').writes == 1000
bin('exclusive', 'exclusives').misses == 125
# A pair of registers is two references, a structure one for each of its registers.
bin('pair_copy', 'from').reads == 512
bin('pair_copy', 'to').writes == 512
bin('pair_copy', 'to').misses == 64
bin('structures', 'from').reads == 256
END
	;;
esac
for frontend in valgrind native; do
	profile_quiet $frontend --frontend $frontend -- "$PROGRAMS/instructions"
	cat - of_its_own <<'END' | expect $frontend
# Across a line's end: one reference, one miss, though two lines come.
bin('straddle', 'lines').reads == 1000
bin('straddle', 'lines').misses == 1000
bin('straddle', 'lines').first == 1000
bin('modify', 'counters').misses == 125
# An atomic add is a load and a compare-and-swap to Valgrind, two references also to cachegrind.
bin('exchange', 'atomics').refs == 2000
bin('exchange', 'atomics').misses == 125
bin('compare', 'pairs').refs == 1000
bin('vector_copy', 'from').reads == 256
bin('vector_copy', 'to').writes == 256
END
done
# With several processors it is one reference, which requests the line for writing.
profile_quiet several --machine sgi-4d-340 --processors 2 -- "$PROGRAMS/instructions"
expect several <<'END'
bin('exchange', 'atomics').refs == 1000
bin('compare', 'pairs').refs == 1000
END
profile adds --machine sgi-4d-340 --processors 4 -- "$PROGRAMS/thread-kinds" adds
expect adds <<'END'
# By data: on aarch64 compilers call a function that adds. main() reads the sum: from memory, where the
# last one who has added leaves it, if that was another thread.
data('shared').refs == 4 * 20000 + 1
data('shared').levels[0].row['causes']['invalidation'] > 500
data('shared').levels[0].row['write_backs'] <= 1
data('shared').upgrades == 0
END
finish
