# On several simulated processors, readers of a table lose its lines when it is written, once each, and by no false sharing, under Valgrind.
. "$SRC/tests/cli/run-threads/synchronise.bash"

synchronise valgrind mutex-table rwlock-table mutex-rare rwlock-rare seqlock swap
