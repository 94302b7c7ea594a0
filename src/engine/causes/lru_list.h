/*
 * engine/causes/lru_list.h - a fully associative LRU cache: its lines in a list, the most recent
 * first, and a hash table to find them.
 */
#ifndef MS_ENGINE_CAUSES_LRU_LIST_H
#define MS_ENGINE_CAUSES_LRU_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/causes/distance_bounds.h"

struct ms_causes_lru_node {
	uint64_t line;
	uint32_t newer; /* index of a node; or NONE, of the most recent one */
	uint32_t older;
	uint32_t next; /* with the same hash; or NONE */
};

struct ms_causes_lru_list {
	uint32_t capacity; /* lines; 0: closed */
	uint32_t n;
	uint32_t newest;
	uint32_t oldest;
	uint32_t bucket_mask;
	uint32_t *buckets; /* indices of nodes */
	struct ms_causes_lru_node *nodes;
	/* The accesses before are not known: a line that is not found may be in the cache. */
	bool is_cold;
};

void ms_causes_open_lru_list(struct ms_causes_lru_list *list, uint32_t capacity);
void ms_causes_close_lru_list(struct ms_causes_lru_list *list);
uint64_t ms_causes_measure_lru_list(const struct ms_causes_lru_list *list);
/* Accesses were left out: empties the list. */
void ms_causes_reset_lru_list(struct ms_causes_lru_list *list);
/* Whether the line hits; it is the most recent one afterwards. */
enum ms_causes_verdict ms_causes_access_lru_list(struct ms_causes_lru_list *list, uint64_t line);

#endif
