# Threads of clang's OpenMP runtime: as openmp-gcc.sh. It reads the clock, so its figures vary.
clang -O1 -g -fopenmp -o openmp-clang "$SRC/tests/programs/openmp.c" || exit 1
OPENMP=$PWD/openmp-clang
. "$SRC/tests/cli/run-threads/openmp-gcc.sh"
