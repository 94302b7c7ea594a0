# What tests/cli/run/recursion.sh says holds under Valgrind, too.
export MEMSPY_FRONTEND=valgrind
. "$SRC/tests/cli/run/recursion.sh"
