# mimalloc in place of the C library's allocator.
. "$SRC/tests/cli/run/lib.bash"
. "$SRC/tests/cli/run-allocators/allocators.bash"
allocator libmimalloc.so.2
finish
