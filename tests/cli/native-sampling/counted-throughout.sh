# Where a tenth of a program is in windows its references are counted between them, too, also beyond the first 100 million: the run
# has their exact number, as a whole run does.
. "$SRC/tests/cli/run/lib.bash"
cat >program.c <<'END_C'
#include <stdio.h>
static long a[4096];
int main(void)
{
	long sum = 0;
	for (long r = 0; r < 20000; r++)
		for (long i = 0; i < 4096; i++)
			sum += a[i] ^= r;
	printf("%ld\n", sum);
	return 0;
}
END_C
gcc -O1 -g -o program program.c || fail gcc
timeout -s KILL 120 "$MEMSPY" run -q --frontend native --sample 1/10 --db runs.db --json -o sampled.json -- ./program >program.out 2>program.err ||
	fail "exit status $?: $(cat program.err)"
python3 - <<'END_PY' || fail "$(head -c 300 sampled.json)"
import json
run = json.load(open("sampled.json"))
[main] = [c for c in run["code"] if c["name"] == "main"]
references = sum(main["references"].values())
assert abs(references / (2 * 20000 * 4096) - 1) < 0.001, references
END_PY
"$MEMSPY" report --db runs.db >report.txt
grep -q '^Sampled:.*of about' report.txt && fail "estimated: $(grep '^Sampled' report.txt)"
finish
