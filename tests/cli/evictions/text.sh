# The matrix of evictions, the source lines, and the suggested next command; another level; few rows; a narrow page.
. "$SRC/tests/cli/evictions/lib.bash"
evictions
short --level l2
short --top 2
short --width 60
short --threshold 5
