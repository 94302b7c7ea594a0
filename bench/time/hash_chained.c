/*
 * hash_chained.c - a hash table of chained nodes, large and small, and one whose buckets contain
 * the entries.
 *
 * fix: look_up_nodes look_up_entries 1
 */
#include "phase.h"

struct node {
	struct node *next;
	uint64_t key, value;
};

struct entry {
	uint64_t key, value;
};

#define LOOK_UP(name)                                                                    \
	PHASE_FUNCTION uint64_t name(struct node *const *buckets, size_t mask, size_t n, \
				     size_t lookups)                                     \
	{                                                                                \
		uint64_t sum = 0;                                                        \
                                                                                         \
		for (size_t k = 0; k < lookups; k++) {                                   \
			uint64_t key = phase_key(k) % n;                                 \
			const struct node *at = buckets[phase_hash(key) & mask];         \
                                                                                         \
			while (at->key != key)                                           \
				at = at->next;                                           \
			sum += at->value;                                                \
		}                                                                        \
		return sum;                                                              \
	}

LOOK_UP(look_up_nodes)
LOOK_UP(look_up_few_nodes)

PHASE_FUNCTION uint64_t look_up_entries(const struct entry *entries, size_t mask, size_t n,
					size_t lookups)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < lookups; k++) {
		uint64_t key = phase_key(k) % n;
		size_t at = phase_hash(key) & mask;

		while (entries[at].key != key + 1)
			at = (at + 1) & mask;
		sum += entries[at].value;
	}
	return sum;
}

PHASE_FUNCTION uint64_t scan_buckets(struct node *const *buckets, size_t n, size_t rounds)
{
	uint64_t sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			for (const struct node *at = buckets[i]; at != NULL; at = at->next)
				sum += at->value;
	return sum;
}

static struct node **make(size_t n)
{
	struct node **buckets = (struct node **)phase_alloc(n, sizeof(struct node *));
	struct node *nodes = (struct node *)phase_alloc(n, sizeof(*nodes));
	uint32_t *order = phase_permutation(n);

	for (size_t i = 0; i < n; i++) {
		struct node *node = &nodes[order[i]], **bucket = &buckets[phase_hash(i) & (n - 1)];

		*node = (struct node){ *bucket, i, i };
		*bucket = node;
	}
	free(order);
	return buckets;
}

static struct entry *make_entries(size_t n, size_t mask)
{
	struct entry *entries = (struct entry *)phase_alloc(mask + 1, sizeof(*entries));

	for (size_t i = 0; i < n; i++) {
		size_t at = phase_hash(i) & mask;

		while (entries[at].key != 0)
			at = (at + 1) & mask;
		entries[at] = (struct entry){ i + 1, i };
	}
	return entries;
}

int main(void)
{
	size_t n = phase_size((size_t)2 << 20, 512), lookups = (size_t)2 << 20;
	struct node **buckets = make(n), **few = make(512);
	struct entry *entries = make_entries(n, 2 * n - 1);

	PHASE(look_up_nodes(buckets, n - 1, n, lookups));
	PHASE(look_up_few_nodes(few, 511, 512, 4 * lookups));
	PHASE(look_up_entries(entries, 2 * n - 1, n, lookups));
	PHASE(scan_buckets(buckets, n, phase_rounds(lookups, n)));
	return phase_end_program();
}
