# What tests/cli/run/mapped.sh says holds under Valgrind, too.
export MEMSPY_FRONTEND=valgrind
. "$SRC/tests/cli/run/mapped.sh"
