# tests/cli/run-debug-info/dlopen-twice.sh passes under Valgrind, too.
export MEMSPY_FRONTEND=valgrind
. "$SRC/tests/cli/run-debug-info/dlopen-twice.sh"
