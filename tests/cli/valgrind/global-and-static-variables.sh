# tests/cli/run-debug-info/global-and-static-variables.sh passes under Valgrind, too.
export MEMSPY_FRONTEND=valgrind
. "$SRC/tests/cli/run-debug-info/global-and-static-variables.sh"
