# Vector and mask registers keep their values, all of their width, while windows open and end and signals come: AVX-512
# or AVX, and SVE.
. "$SRC/tests/cli/run/lib.bash"
. "$SRC/tests/cli/native/wide.bash"
gcc -std=gnu17 -O1 -g -Wall -Wextra -o wide "$SRC/tests/cli/native/wide.c" || fail "gcc wide.c"
wide_same
finish
