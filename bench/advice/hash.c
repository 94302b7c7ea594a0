/* advice: gather data: slot */
/* Probes a large hash table; the result decides a branch. Afterwards slots are prefetched some
 * probes ahead. */
#include "common.h"

struct slot {
	uint64_t key, value;
};

enum { SLOTS = 1 << 21, PROBES = 6000000, AHEAD = 16 };

static struct slot *slot;
static uint64_t *query;

static inline uint64_t place(uint64_t key)
{
	return (key * 0x9E3779B97F4A7C15U) >> 43;
}

static KEEP uint64_t probe_all(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < PROBES; i++) {
#ifdef AFTER
		__builtin_prefetch(&slot[place(query[i + AHEAD])]);
#endif
		const struct slot *s = &slot[place(query[i])];

		if (s->key & 1) {
			uint64_t x = s->value;

			for (int k = 0; k < 6; k++)
				x = x * 31 + (x >> 7);
			sum += x;
		} else {
			sum ^= s->key >> 3;
		}
	}
	return sum;
}

int main(void)
{
	uint64_t seed = 31;

	slot = malloc(SLOTS * sizeof(*slot));
	query = malloc((PROBES + AHEAD) * sizeof(*query));
	for (int i = 0; i < SLOTS; i++)
		slot[i] = (struct slot){ next_random(&seed), i };
	for (int i = 0; i < PROBES + AHEAD; i++)
		query[i] = next_random(&seed);
	printf("%llu\n", (unsigned long long)probe_all());
	return 0;
}
