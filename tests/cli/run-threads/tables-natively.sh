# On several simulated processors, readers of a table lose its lines when it is written, once each, and by no false sharing, natively.
. "$SRC/tests/cli/run-threads/synchronise.bash"

synchronise native mutex-table rwlock-table mutex-rare rwlock-rare seqlock swap
