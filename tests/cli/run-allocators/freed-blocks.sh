# References to a freed block are counted as unattributed, and the next block at its address gets its own.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet freed "$PROGRAMS/freed"
expect freed <<'END'
bin('touch', 'char.first').writes == 5000
bin('touch_freed', '<freed>').writes == 1000
data('<freed>').kind == 'unknown'
lost('freed').refs == data('<freed>').refs
# The allocator's own lists in freed memory are not meant.
lost('freed').refs == 1000
bin('touch', 'char.second').writes == 3000
# Its lines were here before: none of its misses is a first reference.
bin('touch', 'char.second').first == 0
END
finish
