# Data structures of equal names are distinguished in the same way in a whole and in a sampled run, although windows see them in another
# order.
cat >alike.c <<'END'
#include <stdlib.h>
enum { A = 1 << 13, B = 1 << 16 };
int main(void)
{
	volatile long *a = malloc(A * sizeof(long)), *b;

	a[0] = 1; /* no window sees this: the sampled run sees b first */
	b = malloc(B * sizeof(long));
	for (int round = 0; round < 12; round++) {
		for (int i = 0; i < B; i += 2)
			b[i] = i;
		for (int i = 0; i < A; i++)
			a[i] = i;
	}
	return 0;
}
END
gcc -O1 -o alike alike.c || exit 1
"$MEMSPY" run -q --frontend valgrind --db runs.db --workers 1 --l1 4K,4,64 --ll 64K,4,64 --trace alike.trace ./alike || echo "run: status $?"
"$MEMSPY" replay -q --db runs.db --workers 1 --l1 4K,4,64 --ll 64K,4,64 --sample 1/5 --window 3K alike.trace || echo "replay: status $?"
for run in 1 2; do
	"$MEMSPY" report --db runs.db @$run --by data --csv | tr -d '\r' | awk -F, 'NR > 1 { print $0 }' | grep -o 'main (alike)[^,"]*' | sed -n "1p" | tee "most.$run" | sed 's/+0x[0-9a-f]*/+OFFSET/' | sed "s/^/@$run: most in /"
done
cmp most.1 most.2
"$MEMSPY" accuracy --db runs.db @1 @2 --json >accuracy.json
python3 - <<'END'
import json
a = json.load(open("accuracy.json"))
for bin in a["bins"]:
    assert bin["rank"] == bin["sampled_rank"] and abs(bin["share"] - bin["sampled_share"]) < 0.05, bin
print(len(a["bins"]), "bin" + "s" * (len(a["bins"]) > 1) + ",", a["in_order"], "in order,", a["swapped"], "swapped")
END
