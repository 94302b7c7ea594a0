# mimalloc in the C library's place.
. "$SRC/tests/cli/run/lib.bash"
. "$SRC/tests/cli/run/allocators.bash"
allocator libmimalloc.so.2
finish
