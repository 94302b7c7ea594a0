# What tests/cli/run/dlopen.sh says holds under Valgrind, too.
export MEMSPY_FRONTEND=valgrind
. "$SRC/tests/cli/run/dlopen.sh"
