/*
 * engine/count/eviction_pairs.h - counts of (site, data, level, other data), with a bound on their
 * number.
 *
 * Every shard counts pairs in tables of its miss counters. After each epoch, a fixed number of
 * batches, it hands them over, and ms_engine_finish_batch() sums the pairs of all shards. When
 * there are more pairs than the limit, those with the smallest counts are merged: "lossy counting"
 * (Manku and Motwani, 2002). Merged pairs are deleted from the table. The miss counters have the
 * sum of all pairs of a (site, data, level); the difference between it and the remaining pairs is
 * counted for <other data>.
 *
 * Epochs end at the same batches in all shards, and merging uses only sums over all shards. So the
 * result is the same for any number of shards.
 */
#ifndef MS_ENGINE_COUNT_EVICTION_PAIRS_H
#define MS_ENGINE_COUNT_EVICTION_PAIRS_H

#include <stdint.h>

#include "base/vec.h"

enum ms_count_pair_kind { MS_COUNT_PAIR_REPLACED_BY, MS_COUNT_PAIR_EVICTS, MS_COUNT_PAIR_KINDS };

/* Identifies a cell of the totals, the level and the other data. */
struct ms_count_pair_key {
	uint32_t site;
	uint32_t data;
	uint32_t other; /* data: the evictor or the victim */
	uint16_t processor;
	uint8_t level;
	uint8_t kind : 1;    /* enum ms_count_pair_kind */
	uint8_t crosses : 7; /* enum ms_engine_crossing */
};

struct ms_count_pair_sum {
	struct ms_count_pair_key key;
	uint64_t count; /* 0: an empty entry of a table */
};

struct ms_count_pair_list {
	MS_VEC(struct ms_count_pair_sum) at;
};

struct ms_count_pair_sums {
	struct ms_count_pair_sum *at; /* hash table with linear probing; NULL: empty */
	size_t mask;                  /* its size - 1 */
	size_t n;                     /* in use */
	uint64_t limit;               /* pairs; UINT64_MAX: none */
	uint32_t other_data;          /* the data of merged pairs */
	uint64_t error;               /* every count is too low by at most this */
	/* Pairs merged so far; a pair counts each time it is merged. */
	uint64_t merged;
};

void ms_count_open_pair_sums(struct ms_count_pair_sums *sums);
void ms_count_close_pair_sums(struct ms_count_pair_sums *sums);
/* Adds the pairs of all shards of an epoch; the list is empty afterwards. */
void ms_count_add_pair_list(struct ms_count_pair_sums *sums, struct ms_count_pair_list *list);
/* At the end of an epoch: merges the smallest pairs if there are too many. */
void ms_count_merge_small_pairs(struct ms_count_pair_sums *sums);
/* Lists all pairs, in any order. */
void ms_count_list_pairs(const struct ms_count_pair_sums *sums, struct ms_count_pair_list *list);
/* By site, data, processor, crosses, kind, level, other. */
void ms_count_sort_pairs(struct ms_count_pair_list *list);
/* Combines the sites of a group, and sorts; group: by site, the first site of its group. */
void ms_count_group_pairs(struct ms_count_pair_list *list, const uint32_t *group);
uint64_t ms_count_measure_pair_sums(const struct ms_count_pair_sums *sums);

#endif
