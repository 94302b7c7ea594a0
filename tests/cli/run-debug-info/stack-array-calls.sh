# Calls that are too frequent to be noticed: the name of the array stays as long as no other code
# uses the memory. That is checked in each chunk of the lane, which has room for less than 5% of the
# references here.
. "$SRC/tests/cli/run/lib.bash"
profile_quiet calls --frontend native -- "$PROGRAMS/stack-array-calls"
expect calls <<'END'
bin('alone', 'alone.array').writes == 1000000
bin('between', '<stack>').writes >= 2000000 - 50000
data('shared.array').writes >= 4096
data('shared.array').writes + data('alone.array').writes <= 1000000 + 150000
data('<stack>').writes + data('alone.array').writes + data('shared.array').writes >= 4000000
END
finish
