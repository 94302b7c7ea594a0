# First uses of sampled runs are counted once, not once per window: three lines for a variable of 66 bytes that begins in the
# last byte of a line. Two lines that two instructions use have three at most, one and a half each, which are rounded to two and
# one.
. "$SRC/tests/cli/run/lib.bash"
cat >odd.c <<'EOF'
static __attribute__((used, aligned(64), section(".mine"))) char before[63] = { 1 };
static __attribute__((used, aligned(1), section(".mine"))) char odd[66] = { 1 };
static volatile char other[1 << 16];
static volatile __attribute__((aligned(64))) char two[2 * 64];
int main(void)
{
	for (int turn = 0; turn < 300; turn++) {
		for (int i = 0; i < (int)sizeof(odd); i++)
			((volatile char *)odd)[i]++;
		two[0]++;
		two[64]++;
		for (int i = 0; i < 1 << 16; i += 64)
			other[i]++;
	}
}
EOF
gcc -O1 -g -static -fno-toplevel-reorder -o walk odd.c || fail gcc
machine=(--l1 4K,4,64 --ll 64K,4,64 --workers 1)
timeout -s KILL 120 "$MEMSPY" run -q --frontend valgrind "${machine[@]}" --db runs.db --trace trace -- ./walk || fail "run: exit status $?"
"$MEMSPY" replay -q "${machine[@]}" --db runs.db --sample 1/10 --window 5K trace 2>/dev/null || fail "exit status $?"
for run in 1 2; do
	sqlite3 runs.db "select data.name, sum(first) from miss join cell using (run, cell) join data using (run, data) where run = $run and level = 0 and data.name in ('odd', 'two') group by 1"
done
finish
