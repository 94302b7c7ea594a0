# Vector and mask registers keep their values, all of their width, while windows open and end and signals come: AVX-512
# or AVX, and SVE.
. "$SRC/tests/cli/run/lib.bash"
. "$SRC/tests/cli/native/wide.bash"
gcc -std=gnu17 -O1 -g -Wall -Wextra -o wide "$SRC/tests/cli/native/wide.c" || fail "gcc wide.c"
wide_same

# Also while memspy comes into the program, and leaves it.
./wide attached >attached.out &
program=$!
until grep -q ready attached.out; do sleep 0.01; done
timeout -s KILL 60 "$MEMSPY" run -q --attach $program --duration 0.5 --db runs.db 2>attach.err || fail "attach: $(cat attach.err)"
kill $program
wait $program || fail "attached: $(cat attached.out)"
finish
