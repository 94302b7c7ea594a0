/* advice: soa data: order set: held-out */
/* Counts open orders, one byte of records of 48 bytes; afterwards the states are an array. */
#include "common.h"

struct order {
	uint64_t id, customer, price, amount, time;
	char open;
};

enum { N = 1000000, ROUNDS = 40 };

#ifdef AFTER
static char *open_order;
#endif
static struct order *order;

static KEEP int count_open(void)
{
	int n = 0;

	for (int i = 0; i < N; i++)
#ifdef AFTER
		n += open_order[i];
#else
		n += order[i].open;
#endif
	return n;
}

int main(void)
{
	long n = 0;

	order = calloc(N, sizeof(*order));
#ifdef AFTER
	open_order = calloc(N, 1);
#endif
	for (int i = 0; i < N; i++) {
		order[i].id = (uint64_t)i;
#ifdef AFTER
		open_order[i] = i % 5 == 0;
#else
		order[i].open = i % 5 == 0;
#endif
	}
	for (int r = 0; r < ROUNDS; r++)
		n += count_open();
	printf("%ld\n", n);
	return 0;
}
