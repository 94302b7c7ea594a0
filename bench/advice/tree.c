/* advice: pointer-chasing data: tree */
/* Looks keys up in a binary tree, one after the other; afterwards eight lookups proceed together.
 */
#include "common.h"

struct tree {
	struct tree *child[2];
	uint64_t key;
};

enum { N = 1 << 19, LOOKUPS = 400000, TOGETHER = 8 };

static struct tree *tree;
static struct tree *root;

static void insert(struct tree *t)
{
	struct tree **at = &root;

	while (*at != NULL)
		at = &(*at)->child[t->key > (*at)->key];
	*at = t;
}

static KEEP uint64_t find_all(uint64_t seed)
{
	uint64_t sum = 0;

#ifdef AFTER
	for (int i = 0; i < LOOKUPS; i += TOGETHER) {
		const struct tree *at[TOGETHER];
		uint64_t key[TOGETHER];
		int left = TOGETHER;

		for (int k = 0; k < TOGETHER; k++) {
			key[k] = next_random(&seed);
			at[k] = root;
		}
		while (left > 0) {
			left = 0;
			for (int k = 0; k < TOGETHER; k++) {
				if (at[k] == NULL)
					continue;
				sum += at[k]->key & 1;
				at[k] = at[k]->child[key[k] > at[k]->key];
				left += at[k] != NULL;
			}
		}
	}
#else
	for (int i = 0; i < LOOKUPS; i++) {
		uint64_t key = next_random(&seed);

		for (const struct tree *at = root; at != NULL; at = at->child[key > at->key])
			sum += at->key & 1;
	}
#endif
	return sum;
}

/* Inserts the middle of a sorted range first: a balanced tree. */
static void insert_range(const uint64_t *key, uint32_t low, uint32_t high, const uint32_t *order,
			 uint32_t *used)
{
	uint32_t middle = low + (high - low) / 2;

	if (low >= high)
		return;
	struct tree *t = &tree[order[(*used)++]];
	t->key = key[middle];
	insert(t);
	insert_range(key, low, middle, order, used);
	insert_range(key, middle + 1, high, order, used);
}

int main(void)
{
	uint32_t *order = malloc(N * sizeof(*order)), used = 0;
	uint64_t *key = malloc(N * sizeof(*key));

	tree = calloc(N, sizeof(*tree));
	shuffle(order, N, 17);
	for (uint32_t i = 0; i < N; i++)
		key[i] = i * (UINT64_MAX / N);
	insert_range(key, 0, N, order, &used);
	printf("%llu\n", (unsigned long long)find_all(23));
	return 0;
}
