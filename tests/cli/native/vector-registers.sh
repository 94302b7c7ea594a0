# Vector and mask registers keep their whole values while windows open and close and signals arrive: AVX, AVX-512 and SVE.
# or AVX, and SVE.
. "$SRC/tests/cli/run/lib.bash"
. "$SRC/tests/cli/native/vector-registers.bash"
gcc -std=gnu17 -O1 -g -Wall -Wextra -o wide "$SRC/tests/cli/native/vector-registers.c" || fail gcc
wide_same

# Also while memspy comes into the program, and leaves it.
./wide attached >attached.out &
program=$!
until grep -q ready attached.out; do sleep 0.01; done
timeout -s KILL 60 "$MEMSPY" run -q --attach $program --duration 0.5 --db runs.db 2>attach.err || fail "attach: $(cat attach.err)"
kill $program
wait $program || fail "attached: $(cat attached.out)"
finish
