# On several simulated processors, no other thread uses a line while one is in the critical section that it belongs to, natively.
. "$SRC/tests/cli/run-threads/synchronise.bash"

synchronise native mutex spinlock exchange-lock ticket mtx rwlock critical
