# jemalloc in the C library's place.
. "$SRC/tests/cli/run/lib.bash"
. "$SRC/tests/cli/run/allocators.bash"
allocator libjemalloc.so.2
finish
