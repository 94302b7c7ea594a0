# What tests/cli/run/statics.sh says holds under Valgrind, too.
export MEMSPY_FRONTEND=valgrind
. "$SRC/tests/cli/run/statics.sh"
