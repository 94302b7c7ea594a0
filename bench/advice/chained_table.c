/* advice: pointer-chasing or gather set: textbook */
/* A hash table with chains: lookups of random keys; afterwards entries are in the table itself. */
#include "common.h"

enum { ENTRIES = 1 << 20, BUCKETS = 1 << 21, LOOKUPS = 1 << 20, ROUNDS = 12 };

struct entry {
	uint64_t key, value;
	struct entry *next;
};

#ifdef AFTER
static struct entry *buckets;
#else
static struct entry **buckets;
#endif

static inline uint32_t hash(uint64_t key)
{
	return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 40) % BUCKETS;
}

static void insert(uint64_t key, uint64_t value)
{
	uint32_t at = hash(key);

#ifdef AFTER
	while (buckets[at].key != 0)
		at = (at + 1) % BUCKETS;
	buckets[at] = (struct entry){ key, value, NULL };
#else
	struct entry *e = malloc(sizeof(*e));

	*e = (struct entry){ key, value, buckets[at] };
	buckets[at] = e;
#endif
}

static KEEP uint64_t look_up_all(const uint64_t *key, int n)
{
	uint64_t sum = 0;

	for (int i = 0; i < n; i++) {
#ifdef AFTER
		uint32_t at = hash(key[i]);

		while (buckets[at].key != key[i])
			at = (at + 1) % BUCKETS;
		sum += buckets[at].value;
#else
		const struct entry *e = buckets[hash(key[i])];

		while (e->key != key[i])
			e = e->next;
		sum += e->value;
#endif
	}
	return sum;
}

int main(void)
{
	uint32_t *order = malloc(ENTRIES * sizeof(*order));
	uint64_t *key = malloc(LOOKUPS * sizeof(*key)), seed = 3, sum = 0;

	buckets = calloc(BUCKETS, sizeof(*buckets));
	shuffle(order, ENTRIES, 11);
	for (uint32_t i = 0; i < ENTRIES; i++)
		insert(order[i] + 1, i);
	for (int i = 0; i < LOOKUPS; i++)
		key[i] = next_random(&seed) % ENTRIES + 1;
	for (int r = 0; r < ROUNDS; r++)
		sum += look_up_all(key, LOOKUPS);
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
