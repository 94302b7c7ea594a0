# Functions that were inlined are on call paths as if they had been called: both where inlined code calls (touch() is called by
# middle(), which is inlined into outer(), which is inlined into once() and twice()), and where it accesses memory (walk()).
cat >inlined.cc <<'CODE'
#include <vector>
__attribute__((noinline)) long touch(long *p, long n)
{
	long sum = 0;
	for (long i = 0; i < n; i += 8)
		sum += p[i]++;
	return sum;
}
static inline long middle(long *p, long n) { return touch(p, n) + 1; }
template <class T> static inline T walk(T *p, long n)
{
	T sum = 0;
	for (long i = 0; i < n; i += 8)
		sum += p[i];
	return sum;
}
static inline long outer(long *p, long n) { return middle(p, n) + walk<long>(p, n); }
__attribute__((noinline)) long once(long *p, long n) { return outer(p, n); }
__attribute__((noinline)) long twice(long *p, long n) { return outer(p, n) + walk<long>(p, n); }
int main()
{
	std::vector<long> values(1 << 16);
	long sum = 0;
	for (int i = 0; i < 5; i++)
		sum += once(values.data(), values.size()) + twice(values.data(), values.size());
	return sum == 1;
}
CODE
# Callers of NAME up to main(), with misses of the first level in units of a walk over the 8192 lines.
callers() {
	"$MEMSPY" callers --db run.db --csv "$1" | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if int(row["L1_misses"]) > 1000 and not row["code"].startswith("_"):
        print(sys.argv[1], "  " * int(row["depth"]), row["code"], row["line"], round(int(row["L1_misses"]) / 8192))' "$1" || exit
}
stacks() {
	"$MEMSPY" export collapsed --metric L1_misses --db run.db | sed 's/^.*;main;/main;/; s/long int/long/g' |
		awk '/touch|walk/ && $NF > 4096 { at = $0; sub(/ [0-9]*$/, "", at); sub(/;[^;]*;\[.*/, "", at); n[at] += $NF }
			END { for (at in n) print at, int(n[at] / 8192 + 0.5) }' | sort
	"$MEMSPY" export speedscope --metric L1_misses --db run.db | python3 -c '
import collections, json, sys
file = json.load(sys.stdin)
names = [frame["name"] for frame in file["shared"]["frames"]]
profile = file["profiles"][0]
assert sum(profile["weights"]) == profile["endValue"]
sums = collections.Counter()
for sample, weight in zip(profile["samples"], profile["weights"]):
    sums[" ".join(names[i] for i in sample[4:7])] += weight
print("speedscope:", *(name for name, weight in sorted(sums.items()) if weight > 8192 * 4))' | sed 's/long int/long/g'
	"$MEMSPY" export callgrind --db run.db | awk '/^fn=/ || /^cfn=/ {
			name = $0; sub(/^c?fn=\([0-9]*\) ?/, "", name); split($0, part, /[()]/); if (name != "") names[part[2]] = name
			if (/^fn=/) from = names[part[2]]; else print from, "->", names[part[2]] }' |
		sed 's/long int/long/g' | grep -E '(once|twice|outer|middle).* ->' | sort -u
}
run() {
	"$@" -g -O2 -fno-tree-vectorize -fno-unroll-loops inlined.cc -o inlined || exit
	rm -f run.db
	"$MEMSPY" run -q --call-paths --machine dash --l1 64K,1,64 --ll 256K,1,64 --db run.db ./inlined 2>log || { cat log; exit 1; }
	callers touch
	callers 'walk*'
	stacks
	sqlite3 run.db "select case when (select sum(misses) from path_miss) = (select sum(first + replaced + invalidated) from miss)
		then 'all misses have a path' else 'sums differ' end"
}
run g++ >gcc
cat gcc
if command -v clang++ >/dev/null; then
	run clang++ >clang
	diff gcc clang || exit
fi
