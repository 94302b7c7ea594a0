# tests/cli/run-allocators/mapped-memory.sh passes under Valgrind, too.
export MEMSPY_FRONTEND=valgrind
. "$SRC/tests/cli/run-allocators/mapped-memory.sh"
