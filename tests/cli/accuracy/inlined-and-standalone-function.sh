# A function that is both inlined and called is one function, whichever of its copies windows see first.
# The sampled run has measured times, too: its simulated ones are compared.
cat >inlined.c <<'END'
#include <stdlib.h>
enum { N = 1 << 15 };
static inline __attribute__((always_inline)) void walk(volatile long *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = i;
}
static void (*volatile alone)(volatile long *p, int n) = walk;
int main(void)
{
	volatile long *a = malloc(N * sizeof(long));

	walk(a, 1); /* no window sees it */
	for (int round = 0; round < 1000; round++)
		alone(a, N);
	return 0;
}
END
gcc -O1 -g -o inlined inlined.c || exit 1
options=(-q --frontend native --db runs.db --l1 4K,4,64 --ll 64K,4,64)
"$MEMSPY" run "${options[@]}" ./inlined || echo "run: status $?"
# Windows come by chance from the start on.
MEMSPY_NATIVE_COUNTED=0 "$MEMSPY" run "${options[@]}" --sample 1/10 --window 20K ./inlined || echo "sampled: status $?"
sqlite3 runs.db "select count(distinct offset) from code where name = 'walk'" | sed 's/$/ places where it is executed first/'
"$MEMSPY" accuracy --db runs.db @1 @2 --json >accuracy.json
python3 - <<'END'
import json
for bin in json.load(open("accuracy.json"))["bins"]:
    print(bin["name"], bin["rank"], bin["sampled_rank"], *(f"{bin[share]:.2f}" for share in ("share", "sampled_share")))
END
