# Windows are weighted by counted executions: two functions, one that always misses and one that always hits, alternate at the
# distance of windows, so that it is chance which of them windows see.
. "$SRC/tests/cli/run/lib.bash"
cat >turns.c <<'EOF'
static volatile char a[1 << 20];
static __attribute__((noinline)) void misses(void)
{
	for (int i = 0; i < 1 << 20; i += 64)
		a[i]++;
}
static __attribute__((noinline)) void hits(void)
{
	for (int i = 0; i < 50000; i++)
		a[0]++;
}
int main(void)
{
	for (int turn = 0; turn < 20; turn++) {
		misses();
		hits();
	}
}
EOF
gcc -O1 -g -static -o turns turns.c || fail gcc
machine=(--l1 4K,4,64 --ll 64K,4,64 --workers 1)
timeout -s KILL 120 "$MEMSPY" run -q --frontend valgrind "${machine[@]}" --db runs.db --trace trace -- ./turns || fail "run: exit status $?"
for seed in 1 2 3 4 5; do
	"$MEMSPY" replay -q "${machine[@]}" --db runs.db --sample 1/10 --window 20K --sample-seed $seed trace 2>/dev/null || fail "seed $seed: exit status $?"
done
python3 - <<'EOF' || fail "what was counted"
import sqlite3
db = sqlite3.connect("runs.db")
def about(run):
    refs = dict(db.execute("select code.name, sum(refs) from cell join site using (run, site) join line using (run, line) join code using (run, code) where run = ? group by 1", (run,)))
    misses, all_refs = (db.execute(f"select sum({what}) from {table} where run = ? {also}", (run,)).fetchone()[0]
                        for what, table, also in (("first + replaced", "miss", "and level = 0"), ("refs", "cell", "")))
    return refs, misses / all_refs, db.execute("select instructions from run where id = ?", (run,)).fetchone()[0]
refs, rate, instructions = about(1)
for run in range(2, 7):
    other, estimate, executed = about(run)
    assert executed == instructions, (run, executed, instructions)
    assert abs(estimate - rate) < 0.003, (run, estimate, rate)
    for name in ("misses", "hits"):
        assert abs(other[name] / refs[name] - 1) < 0.01, (run, name, other[name], refs[name])
EOF
finish
