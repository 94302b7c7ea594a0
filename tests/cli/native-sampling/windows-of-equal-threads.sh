# Windows contain threads in proportion to their references, however many processors there are: threads with the same code on different data,
# with equal work, and with work of 1 to 3. Which thread a window contains is drawn, so limits are loose.
. "$SRC/tests/cli/run/lib.bash"
cat >work.c <<'END2'
#include <pthread.h>
#include <stdlib.h>
enum { N = 1 << 16 };
static long first[N], second[N];
static struct work {
	long *data, rounds;
} work[2] = { { first, 0 }, { second, 0 } };
static void *add(void *of)
{
	struct work *w = of;

	for (long r = 0; r < w->rounds; r++)
		for (int i = 0; i < N; i++)
			((volatile long *)w->data)[i];
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		work[i].rounds = argc > 2 ? atoi(argv[i + 1]) : 0;
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, add, &work[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
END2
gcc -O1 -g -pthread -o work work.c || fail "gcc"
one=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/') all=$(taskset -cp $$ | sed 's/.*: //')
for rounds in '200 200' '100 300'; do
	for processors in "$one" "$all"; do
		timeout -s KILL 60 taskset -c "$processors" "$MEMSPY" run -q --frontend native --processors 1 --db runs.db --sample 1/10 --window 10000 \
			--json -o run.json ./work $rounds 2>err || fail "$rounds: exit status $?: $(cat err)"
		python3 - $rounds <<'END2' || fail "$rounds on processors $processors"
import json, sys
data = {d["name"].split(".")[-1]: sum(d["references"].values()) for d in json.load(open("run.json"))["data"]}
part = data["first"] / (data["first"] + data["second"])
wanted = int(sys.argv[1]) / (int(sys.argv[1]) + int(sys.argv[2]))
assert abs(part - wanted) < 0.12, (part, wanted)
END2
	done
done
finish
