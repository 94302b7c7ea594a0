# --of, --by and --at select evictions; the rest is one row, so that columns still add up.
. "$SRC/tests/cli/evictions/lib.bash"
short --of Matrix.Y
short --of Y --by Y --by Z
short --of Matrix.X --at main
short --by Matrix.X
short --at BlkMultiply --at memcpy
short --of 'Matrix.*' --by Matrix.Y --at ClearProduct
