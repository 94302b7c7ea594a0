# tests/cli/run-allocators/recursive-construction.sh passes under Valgrind, too.
export MEMSPY_FRONTEND=valgrind
. "$SRC/tests/cli/run-allocators/recursive-construction.sh"
