/* advice: split data: customer */
/* Sums one member of large records; afterwards the cold members are in records of their own. */
#include "common.h"

struct cold {
	char name[64], street[64], city[32];
};

struct customer {
	uint32_t id;
	int32_t balance;
#ifdef AFTER
	struct cold *cold;
#else
	struct cold cold;
#endif
};

enum { N = 200000, ROUNDS = 60 };

static struct customer *customer;

static KEEP int64_t sum_balances(void)
{
	int64_t sum = 0;

	for (int i = 0; i < N; i++)
		sum += customer[i].balance;
	return sum;
}

int main(void)
{
	int64_t sum = 0;

	customer = calloc(N, sizeof(*customer));
#ifdef AFTER
	struct cold *cold = calloc(N, sizeof(*cold));
#endif
	for (int i = 0; i < N; i++) {
		customer[i].id = (uint32_t)i;
		customer[i].balance = i % 1000 - 300;
#ifdef AFTER
		customer[i].cold = &cold[i];
		cold[i].name[0] = (char)i;
#else
		customer[i].cold.name[0] = (char)i;
#endif
	}
	for (int r = 0; r < ROUNDS; r++)
		sum += sum_balances();
	printf("%lld\n", (long long)sum);
	return 0;
}
