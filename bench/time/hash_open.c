/*
 * hash_open.c - a hash table with open addressing: lookups in 64 MiB and in 256 KiB, insertions; a
 * join of two tables by hash and by order.
 *
 * fix: join_by_hash join_by_order 6
 */
#include "phase.h"

struct entry {
	uint64_t key, value;
};

#define LOOK_UP(name)                                                                        \
	PHASE_FUNCTION uint64_t name(const struct entry *table, size_t mask, size_t lookups) \
	{                                                                                    \
		uint64_t sum = 0;                                                            \
                                                                                             \
		for (size_t k = 0; k < lookups; k++) {                                       \
			uint64_t key = 1 + (phase_key(k) & (mask / 2));                      \
			size_t at = phase_hash(key) & mask;                                  \
                                                                                             \
			while (table[at].key != key)                                         \
				at = (at + 1) & mask;                                        \
			sum += table[at].value;                                              \
		}                                                                            \
		return sum;                                                                  \
	}

LOOK_UP(look_up_large)
LOOK_UP(look_up_middle)

/* Each round inserts other keys over those of the round before it. */
PHASE_FUNCTION uint64_t insert_keys(struct entry *table, size_t mask, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t k = 1; k <= n; k++) {
			uint64_t key = k + (round + 1) * n;
			size_t at = phase_hash(key) & mask;

			while (table[at].key > round * n + n)
				at = (at + 1) & mask;
			table[at] = (struct entry){ key, k };
		}
	return table[mask / 2].value;
}

PHASE_FUNCTION uint64_t join_by_hash(const struct entry *table, size_t mask, const uint64_t *keys,
				     size_t n, size_t rounds)
{
	uint64_t sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++) {
			size_t at = phase_hash(keys[i]) & mask;

			while (table[at].key != keys[i])
				at = (at + 1) & mask;
			sum += table[at].value;
		}
	return sum;
}

PHASE_FUNCTION uint64_t join_by_order(const struct entry *sorted, const uint64_t *keys, size_t n,
				      size_t rounds)
{
	uint64_t sum = 0;

	for (size_t round = 0; round < rounds; round++) {
		size_t at = 0;

		for (size_t i = 0; i < n; i++) {
			while (sorted[at].key < keys[i])
				at++;
			sum += sorted[at].value;
		}
	}
	return sum;
}

static struct entry *make(size_t mask)
{
	struct entry *table = (struct entry *)phase_alloc(mask + 1, sizeof(*table));

	for (size_t key = 1; key <= mask / 2 + 1; key++) {
		size_t at = phase_hash(key) & mask;

		while (table[at].key != 0)
			at = (at + 1) & mask;
		table[at] = (struct entry){ key, key };
	}
	return table;
}

int main(void)
{
	size_t slots = phase_size((size_t)4 << 20, 1024), some = phase_size(16384, 1024);
	size_t n = slots / 2, joined = slots / 4, lookups = (size_t)3 << 20;
	struct entry *large = make(slots - 1), *middle = make(some - 1);
	struct entry *sorted = (struct entry *)phase_alloc(n + 1, sizeof(*sorted));
	uint64_t *keys = (uint64_t *)phase_alloc(joined, sizeof(*keys));

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct entry){ i + 1, i };
	for (size_t i = 0; i < joined; i++)
		keys[i] = 2 * i + 1;
	PHASE(look_up_large(large, slots - 1, lookups));
	PHASE(look_up_middle(middle, some - 1, 6 * lookups));
	PHASE(join_by_hash(large, slots - 1, keys, joined, phase_rounds((size_t)2 << 20, joined)));
	PHASE(join_by_order(sorted, keys, joined, phase_rounds((size_t)12 << 20, joined)));
	PHASE(insert_keys(large, slots - 1, n, phase_rounds((size_t)2 << 20, n)));
	return phase_end_program();
}
