/*
 * engine/count/pair_order.h - lists and sorts pairs in a thread of its own, while the rest of the
 * counts is added up: for programs with much code it takes a quarter of that time.
 */
#ifndef MS_ENGINE_COUNT_PAIR_ORDER_H
#define MS_ENGINE_COUNT_PAIR_ORDER_H

#include <pthread.h>
#include <stdbool.h>

#include "engine/count/eviction_pairs.h"

struct ms_count_pair_order {
	const struct ms_count_pair_sums *sums; /* to be listed; NULL: they are in the list */
	struct ms_count_pair_list *list;
	bool sorts;
	const uint32_t *group; /* as for ms_count_group_pairs(), which sorts; NULL: none */
	pthread_t thread;
	bool begun;
};

/* Neither the sums nor the list may be used until the end. Few pairs are done at once. */
void ms_count_begin_pair_order(struct ms_count_pair_order *order);
void ms_count_end_pair_order(struct ms_count_pair_order *order);

#endif
