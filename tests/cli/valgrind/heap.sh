# What tests/cli/run/heap.sh says holds under Valgrind, too.
export MEMSPY_FRONTEND=valgrind
. "$SRC/tests/cli/run/heap.sh"
