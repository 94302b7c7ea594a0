# jemalloc in place of the C library's allocator.
. "$SRC/tests/cli/run/lib.bash"
. "$SRC/tests/cli/run-allocators/allocators.bash"
allocator libjemalloc.so.2
finish
