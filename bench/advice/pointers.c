/* advice: gather data: item */
/* Sums items by an array of pointers in random order; afterwards the pointers are in the order of
 * memory. */
#include "common.h"

struct item {
	double value;
	int64_t id;
};

enum { N = 1 << 21, ROUNDS = 10 };

static struct item *item, **pointer;

static KEEP double sum(void)
{
	double all = 0;

	for (int i = 0; i < N; i++)
		all += pointer[i]->value;
	return all;
}

int main(void)
{
	uint32_t *order = malloc(N * sizeof(*order));
	double all = 0;

	item = malloc(N * sizeof(*item));
	pointer = malloc(N * sizeof(*pointer));
	shuffle(order, N, 29);
#ifdef AFTER
	for (int i = 0; i < N; i++)
		order[i] = i;
#endif
	for (int i = 0; i < N; i++) {
		item[i] = (struct item){ i, i };
		pointer[i] = &item[order[i]];
	}
	for (int r = 0; r < ROUNDS; r++)
		all += sum();
	printf("%g\n", all);
	return 0;
}
