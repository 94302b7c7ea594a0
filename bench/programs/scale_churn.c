/* scale_churn.c ALLOCATIONS - so many over time, a thousand of them live at once. */
#include "number.h"

enum { LIVE = 1000 };

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 10000000), state = 88172645463325252ULL, sum = 0;
	static uint64_t *live[LIVE];

	for (uint64_t i = 0; i < n; i++) {
		uint64_t **slot = &live[next_random(&state) % LIVE];

		if (*slot != NULL)
			sum += **slot;
		free(*slot);
		*slot = malloc(16 + i % 16 * 16);
		if (*slot == NULL)
			return 1;
		**slot = i;
	}
	printf("churn %llu\n", (unsigned long long)sum);
	return 0;
}
