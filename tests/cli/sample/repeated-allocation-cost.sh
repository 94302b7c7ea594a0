# A block that is allocated and freed again and again next to recorded blocks is not recorded each time: the overhead that
# memspy accounts for stays small.
cat >neighbours.c <<'END'
#include <stdlib.h>
enum { BLOCKS = 1000, TIMES = 1000000 };
static char *kept[BLOCKS];
int main(void)
{
	volatile double sum = 0;

	for (int i = 0; i < BLOCKS; i++)
		kept[i] = malloc(24);
	for (int i = 1; i < BLOCKS; i += 2)
		free(kept[i]);
	for (int i = 0; i < TIMES; i++) {
		char *block = malloc(24);

		block = realloc(block, 20);
		for (int k = 0; k < 50; k++)
			sum += k;
		free(block);
	}
	return sum < 0;
}
END
gcc -O1 -fno-builtin -o neighbours neighbours.c || exit 1
"$MEMSPY" sample -q --event timer --db runs.db ./neighbours || echo "status $?"
"$MEMSPY" report --json --db runs.db | python3 -c '
import json, sys
h = json.load(sys.stdin)["run"]["hardware"]
print("small" if h["overhead"] < 0.2 else "overhead %.2f" % h["overhead"])'
