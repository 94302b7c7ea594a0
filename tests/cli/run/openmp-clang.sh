# clang's OpenMP runtime: as openmp.sh. It looks at the clock, so its figures are not the same twice.
clang -O1 -g -fopenmp -o openmp-clang "$SRC/tests/programs/openmp.c" || exit 1
OPENMP=$PWD/openmp-clang
. "$SRC/tests/cli/run/openmp.sh"
