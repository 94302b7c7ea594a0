# tcmalloc in the C library's place.
. "$SRC/tests/cli/run/lib.bash"
. "$SRC/tests/cli/run/allocators.bash"
allocator libtcmalloc_minimal.so.4
finish
