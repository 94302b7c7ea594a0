# The order of threads on several simulated processors does not contradict how they wait for each other, in system calls: threads that
# take turns invalidate each other's line with each turn, natively.
. "$SRC/tests/cli/run-threads/synchronise.bash"

synchronise native futex c11 barrier pipe eventfd
