# tcmalloc in place of the C library's allocator.
. "$SRC/tests/cli/run/lib.bash"
. "$SRC/tests/cli/run-allocators/allocators.bash"
allocator libtcmalloc_minimal.so.4
finish
