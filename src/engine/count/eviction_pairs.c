#include "engine/count/eviction_pairs.h"

#include <assert.h>
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

/* --- the order of pairs --- */

/* Two words that are in the order of keys. */
static uint64_t first_word(const struct ms_count_pair_key *key)
{
	return (uint64_t)key->site << 32 | key->data;
}

static uint64_t second_word(const struct ms_count_pair_key *key)
{
	return (uint64_t)key->processor << 48 | (uint64_t)key->crosses << 41 |
	       (uint64_t)key->kind << 40 | (uint64_t)key->level << 32 | key->other;
}

static bool is_less(const struct ms_count_pair_sum *a, const struct ms_count_pair_sum *b)
{
	uint64_t x = first_word(&a->key), y = first_word(&b->key);

	return x != y ? x < y : second_word(&a->key) < second_word(&b->key);
}

/* The fastest for few pairs, and most sites have few. */
static void sort_few(struct ms_count_pair_sum *at, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct ms_count_pair_sum pair = at[i];
		size_t to = i;

		for (; to > 0 && is_less(&pair, &at[to - 1]); to--)
			at[to] = at[to - 1];
		at[to] = pair;
	}
}

static void merge(const struct ms_count_pair_sum *a, const struct ms_count_pair_sum *a_end,
		  const struct ms_count_pair_sum *b_end, struct ms_count_pair_sum *to)
{
	const struct ms_count_pair_sum *b = a_end;

	while (a < a_end && b < b_end)
		*to++ = is_less(b, a) ? *b++ : *a++;
	memcpy(to, a, (size_t)(a_end - a) * sizeof(*a));
	memcpy(to + (a_end - a), b, (size_t)(b_end - b) * sizeof(*b));
}

/* A merge sort in place of qsort(), which calls a function for each comparison. spare: as large. */
static void sort_site(struct ms_count_pair_sum *at, struct ms_count_pair_sum *spare, size_t n)
{
	enum { FEW = 16 };
	struct ms_count_pair_sum *from = at, *to = spare;

	for (size_t i = 0; i < n; i += FEW)
		sort_few(at + i, n - i < FEW ? n - i : FEW);
	for (size_t width = FEW; width < n; width *= 2) {
		for (size_t i = 0; i < n; i += 2 * width) {
			size_t middle = n - i < width ? n : i + width;
			size_t end = n - i < 2 * width ? n : i + 2 * width;

			merge(from + i, from + middle, from + end, to + i);
		}
		struct ms_count_pair_sum *sorted = to;

		to = from;
		from = sorted;
	}
	if (from != at)
		memcpy(at, from, n * sizeof(*at));
}

/* A counting sort by site, because site numbers are small and dense; then each site by itself. */
static void sort_by_site(struct ms_count_pair_list *list, size_t sites)
{
	size_t n = list->at.n;
	struct ms_count_pair_sum *sorted = ms_realloc(NULL, n * sizeof(*sorted));
	size_t *next = ms_alloc((sites + 1) * sizeof(*next));

	for (size_t i = 0; i < n; i++)
		next[list->at.at[i].key.site + 1]++;
	for (size_t site = 1; site < sites; site++)
		next[site] += next[site - 1];
	for (size_t i = 0; i < n; i++)
		sorted[next[list->at.at[i].key.site]++] = list->at.at[i];
	/* Now next[site] is the end of the site's pairs. */
	for (size_t site = 0, from = 0; site < sites; from = next[site++])
		sort_site(sorted + from, list->at.at + from, next[site] - from);
	ms_free(next);
	ms_free(list->at.at);
	list->at.at = sorted;
	list->at.cap = n;
}

void ms_count_sort_pairs(struct ms_count_pair_list *list)
{
	enum { SPARSE = 16 };
	size_t sites = 0;

	for (size_t i = 0; i < list->at.n; i++)
		if (list->at.at[i].key.site >= sites)
			sites = (size_t)list->at.at[i].key.site + 1;
	if (sites / SPARSE <= list->at.n) {
		sort_by_site(list, sites);
	} else {
		struct ms_count_pair_sum *spare = ms_realloc(NULL, list->at.n * sizeof(*spare));

		sort_site(list->at.at, spare, list->at.n);
		ms_free(spare);
	}
}

void ms_count_list_pairs(const struct ms_count_pair_sums *sums, struct ms_count_pair_list *list)
{
	ms_vec_reserve(&list->at, sums->n);
	for (size_t i = 0; sums->at != NULL && i <= sums->mask; i++)
		if (sums->at[i].count != 0)
			*ms_vec_add(&list->at) = sums->at[i];
}

void ms_count_group_pairs(struct ms_count_pair_list *list, const uint32_t *group)
{
	size_t n = 0;

	for (size_t i = 0; i < list->at.n; i++)
		list->at.at[i].key.site = group[list->at.at[i].key.site];
	ms_count_sort_pairs(list);
	struct ms_count_pair_sum *at = list->at.at;
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
