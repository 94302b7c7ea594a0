# The order of threads on several simulated processors does not contradict how they wait for each other, also where they spin: threads that
# take turns invalidate each other's line with each turn, under Valgrind.
. "$SRC/tests/cli/run-threads/synchronise.bash"

synchronise valgrind pause yield exchange omp
