#include "engine/causes/lru_list.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"

enum { BUCKETS_PER_LINE = 2 };
#define NONE UINT32_MAX

static size_t bytes_of_buckets(const struct ms_causes_lru_list *list)
{
	return ((size_t)list->bucket_mask + 1) * sizeof(*list->buckets);
}

static size_t bytes_of_nodes(const struct ms_causes_lru_list *list)
{
	return list->capacity * sizeof(*list->nodes);
}

static void make_empty(struct ms_causes_lru_list *list)
{
	list->n = 0;
	list->newest = list->oldest = NONE;
	memset(list->buckets, 0xff, bytes_of_buckets(list));
}

void ms_causes_open_lru_list(struct ms_causes_lru_list *list, uint32_t capacity)
{
	uint32_t buckets = 1;

	while (buckets < capacity * UINT64_C(1) * BUCKETS_PER_LINE && buckets < UINT32_C(1) << 30)
		buckets *= 2;
	*list = (struct ms_causes_lru_list){ .capacity = capacity, .bucket_mask = buckets - 1 };
	list->buckets = ms_pages_alloc(bytes_of_buckets(list));
	list->nodes = ms_pages_alloc(bytes_of_nodes(list));
	make_empty(list);
}

void ms_causes_close_lru_list(struct ms_causes_lru_list *list)
{
	if (list->capacity == 0)
		return;
	ms_pages_free(list->buckets, bytes_of_buckets(list));
	ms_pages_free(list->nodes, bytes_of_nodes(list));
}

uint64_t ms_causes_measure_lru_list(const struct ms_causes_lru_list *list)
{
	return list->capacity == 0 ? 0 : bytes_of_buckets(list) + bytes_of_nodes(list);
}

void ms_causes_reset_lru_list(struct ms_causes_lru_list *list)
{
	make_empty(list);
	list->is_cold = true;
}

static uint32_t *bucket_of(const struct ms_causes_lru_list *list, uint64_t line)
{
	return &list->buckets[ms_hash(line, 0) & list->bucket_mask];
}

static uint32_t find(const struct ms_causes_lru_list *list, uint64_t line)
{
	uint32_t i = *bucket_of(list, line);

	while (i != NONE && list->nodes[i].line != line)
		i = list->nodes[i].next;
	return i;
}

static void take_out(struct ms_causes_lru_list *list, uint32_t i)
{
	const struct ms_causes_lru_node *node = &list->nodes[i];

	*(node->newer == NONE ? &list->newest : &list->nodes[node->newer].older) = node->older;
	*(node->older == NONE ? &list->oldest : &list->nodes[node->older].newer) = node->newer;
}

static void put_first(struct ms_causes_lru_list *list, uint32_t i)
{
	list->nodes[i].newer = NONE;
	list->nodes[i].older = list->newest;
	*(list->newest == NONE ? &list->oldest : &list->nodes[list->newest].newer) = i;
	list->newest = i;
}

/* Removes the oldest line; returns its node. */
static uint32_t evict(struct ms_causes_lru_list *list)
{
	uint32_t i = list->oldest, *link = bucket_of(list, list->nodes[i].line);

	while (*link != i)
		link = &list->nodes[*link].next;
	*link = list->nodes[i].next;
	take_out(list, i);
	return i;
}

/* A full list has all lines of the cache, however it began. */
enum ms_causes_verdict ms_causes_access_lru_list(struct ms_causes_lru_list *list, uint64_t line)
{
	uint32_t i = find(list, line);

	if (i != NONE) {
		if (i != list->newest) {
			take_out(list, i);
			put_first(list, i);
		}
		return MS_CAUSES_HITS;
	}
	bool is_full = list->n == list->capacity;
	uint32_t *bucket = bucket_of(list, line);

	i = is_full ? evict(list) : list->n++;
	list->nodes[i].line = line;
	list->nodes[i].next = *bucket;
	*bucket = i;
	put_first(list, i);
	return is_full || !list->is_cold ? MS_CAUSES_MISSES : MS_CAUSES_AMBIGUOUS;
}
