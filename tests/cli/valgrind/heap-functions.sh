# tests/cli/run-allocators/heap-functions.sh passes under Valgrind, too.
export MEMSPY_FRONTEND=valgrind
. "$SRC/tests/cli/run-allocators/heap-functions.sh"
