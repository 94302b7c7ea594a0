#include "engine/count/eviction_pairs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/num.h"

static_assert(sizeof(struct ms_count_pair_sum) == 24, "pairs are compared and hashed as bytes");

enum { SMALLEST_TABLE = 1024 };

/*
 * Pairs with this count or more are never merged: if too many are this large, the limit is
 * exceeded.
 */
enum { MAX_MERGED_COUNT = 65536 };

void ms_count_open_pair_sums(struct ms_count_pair_sums *sums)
{
	*sums = (struct ms_count_pair_sums){ .limit = UINT64_MAX, .other_data = UINT32_MAX };
}

void ms_count_close_pair_sums(struct ms_count_pair_sums *sums)
{
	ms_free(sums->at);
	sums->at = NULL;
	sums->mask = sums->n = 0;
}

static uint64_t hash_of(const struct ms_count_pair_key *key)
{
	uint64_t words[2];

	memcpy(&words[0], key, sizeof(words[0]));
	memcpy(&words[1], (const char *)key + sizeof(words[0]), sizeof(words[1]));
	uint64_t h = (words[0] ^ (words[1] * UINT64_C(0xff51afd7ed558ccd))) *
		     UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 32;
}

static bool is_same(const struct ms_count_pair_key *a, const struct ms_count_pair_key *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

static struct ms_count_pair_sum *find(const struct ms_count_pair_sums *sums,
				      const struct ms_count_pair_key *key)
{
	size_t i = hash_of(key) & sums->mask;

	while (sums->at[i].count != 0 && !is_same(&sums->at[i].key, key))
		i = (i + 1) & sums->mask;
	return &sums->at[i];
}

static void add(struct ms_count_pair_sums *sums, const struct ms_count_pair_sum *pair);

/*
 * Makes a new table of this size, with those pairs of the old one whose counts are at least
 * `least`.
 */
static void rebuild(struct ms_count_pair_sums *sums, size_t size, uint64_t least)
{
	struct ms_count_pair_sums old = *sums;

	sums->at = ms_alloc(size * sizeof(*sums->at));
	sums->mask = size - 1;
	sums->n = 0;
	for (size_t i = 0; old.at != NULL && i <= old.mask; i++) {
		struct ms_count_pair_sum pair = old.at[i];

		if (pair.count == 0)
			continue;
		if (pair.count < least)
			sums->merged++; /* the cell's sum of all pairs still includes it */
		else
			add(sums, &pair);
	}
	ms_free(old.at);
}

static void add(struct ms_count_pair_sums *sums, const struct ms_count_pair_sum *pair)
{
	if (sums->at == NULL || sums->n * 4 > sums->mask * 3)
		rebuild(sums, sums->at == NULL ? SMALLEST_TABLE : (sums->mask + 1) * 2, 0);
	struct ms_count_pair_sum *at = find(sums, &pair->key);

	if (at->count == 0) {
		at->key = pair->key;
		sums->n++;
	}
	at->count += pair->count;
}

static void prefetch(const struct ms_count_pair_sums *sums, const struct ms_count_pair_key *key)
{
	const struct ms_count_pair_sum *at = &sums->at[hash_of(key) & sums->mask];

	MS_IN_REGISTER(at);
	__builtin_prefetch(at);
}

void ms_count_add_pair_list(struct ms_count_pair_sums *sums, struct ms_count_pair_list *list)
{
	enum { AHEAD = 8 };

	for (size_t i = 0; i < list->at.n; i++) {
		if (i + AHEAD < list->at.n && sums->at != NULL)
			prefetch(sums, &list->at.at[i + AHEAD].key);
		add(sums, &list->at.at[i]);
	}
	list->at.n = 0;
}

/* The smallest count such that at most `most` pairs have this count or more. */
static uint64_t least_count(const struct ms_count_pair_sums *sums, size_t most)
{
	uint32_t *pairs = ms_alloc(MAX_MERGED_COUNT * sizeof(*pairs));
	uint64_t least = MAX_MERGED_COUNT;
	size_t kept = 0;

	for (size_t i = 0; i <= sums->mask; i++) {
		const struct ms_count_pair_sum *p = &sums->at[i];

		if (p->count == 0)
			continue;
		if (p->count < MAX_MERGED_COUNT)
			pairs[p->count]++;
		else
			kept++;
	}
	while (least > 1 && kept + pairs[least - 1] <= most)
		kept += pairs[--least];
	ms_free(pairs);
	return least;
}

void ms_count_merge_small_pairs(struct ms_count_pair_sums *sums)
{
	if (sums->n <= sums->limit)
		return;
	/* Keeps at most half of the limit, so that merging is rare. */
	uint64_t least = least_count(sums, sums->limit / 2);

	rebuild(sums, sums->mask + 1, least);
	sums->error += least - 1;
}

static int compare(const void *a, const void *b)
{
	const struct ms_count_pair_key *x = &((const struct ms_count_pair_sum *)a)->key,
				       *y = &((const struct ms_count_pair_sum *)b)->key;
	uint64_t differing[][2] = {
		{ x->site, y->site },       { x->data, y->data }, { x->processor, y->processor },
		{ x->crosses, y->crosses }, { x->kind, y->kind }, { x->level, y->level },
		{ x->other, y->other },
	};

	for (size_t i = 0; i < MS_COUNT(differing); i++)
		if (differing[i][0] != differing[i][1])
			return differing[i][0] < differing[i][1] ? -1 : 1;
	return 0;
}

void ms_count_list_pairs(const struct ms_count_pair_sums *sums, struct ms_count_pair_list *list)
{
	ms_vec_reserve(&list->at, sums->n);
	for (size_t i = 0; sums->at != NULL && i <= sums->mask; i++)
		if (sums->at[i].count != 0)
			*ms_vec_add(&list->at) = sums->at[i];
	if (list->at.n > 1)
		qsort(list->at.at, list->at.n, sizeof(*list->at.at), compare);
}

void ms_count_group_pairs(struct ms_count_pair_list *list, const uint32_t *group)
{
	struct ms_count_pair_sum *at = list->at.at;
	size_t n = 0;

	for (size_t i = 0; i < list->at.n; i++)
		at[i].key.site = group[at[i].key.site];
	if (list->at.n > 1)
		qsort(at, list->at.n, sizeof(*at), compare);
	for (size_t i = 0; i < list->at.n; i++)
		if (n > 0 && is_same(&at[n - 1].key, &at[i].key))
			at[n - 1].count += at[i].count;
		else
			at[n++] = at[i];
	list->at.n = n;
}

uint64_t ms_count_measure_pair_sums(const struct ms_count_pair_sums *sums)
{
	return sums->at == NULL ? 0 : (sums->mask + 1) * sizeof(*sums->at);
}
