#include "engine/caches/replacement_policies.h"

#include "base/compiler.h"

static void ignore_use(MS_UNUSED uint64_t *set, MS_UNUSED uint32_t ways, MS_UNUSED uint32_t way)
{
}

/*
 * --- LRU and FIFO: the set's clock, then the time of each way's last use (LRU) or fill (FIFO) ---
 *
 * They differ in the events that set the time: hits and fills, or fills only.
 */

static size_t timed_words(uint32_t ways)
{
	return (size_t)ways + 1;
}

static void set_time(uint64_t *set, MS_UNUSED uint32_t ways, uint32_t way)
{
	set[1 + way] = ++set[0];
}

static uint32_t oldest_way(uint64_t *set, uint32_t ways)
{
	uint32_t oldest = 0;

	for (uint32_t way = 1; way < ways; way++)
		if (set[1 + way] < set[1 + oldest])
			oldest = way;
	return oldest;
}

/*
 * --- tree PLRU: a tree of bits over the ways; each points to the half that was not used last ---
 *
 * Nodes are numbered from 1. Node n has the children 2n (left) and 2n + 1 (right). The ways are the
 * nodes from `ways` on.
 */

static size_t tree_words(uint32_t ways)
{
	return ((size_t)ways + 63) / 64;
}

static void tree_use(uint64_t *set, uint32_t ways, uint32_t way)
{
	for (uint32_t node = ways + way; node > 1; node /= 2) {
		uint32_t parent = node / 2;
		uint64_t bit = UINT64_C(1) << (parent % 64);

		if (node % 2 == 0)
			set[parent / 64] |= bit;
		else
			set[parent / 64] &= ~bit;
	}
}

static uint32_t tree_victim(uint64_t *set, uint32_t ways)
{
	uint32_t node = 1;

	while (node < ways)
		node = 2 * node + (uint32_t)(set[node / 64] >> (node % 64) & 1);
	return node - ways;
}

/* --- random: one SplitMix64 generator per set, so that sets do not depend on each other --- */

static size_t random_words(MS_UNUSED uint32_t ways)
{
	return 1;
}

static void random_start(uint64_t *set, uint64_t seed)
{
	*set = seed;
}

static uint32_t random_victim(uint64_t *set, uint32_t ways)
{
	uint64_t x = *set += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((x ^ x >> 31) % ways);
}

const struct ms_caches_policy ms_caches_policies[MS_REPLACEMENTS] = {
	[MS_REPLACEMENT_LRU] = { timed_words, NULL, set_time, set_time, oldest_way },
	[MS_REPLACEMENT_TREE_PLRU] = { tree_words, NULL, tree_use, tree_use, tree_victim },
	[MS_REPLACEMENT_RANDOM] = { random_words, random_start, ignore_use, ignore_use,
				    random_victim },
	[MS_REPLACEMENT_FIFO] = { timed_words, NULL, ignore_use, set_time, oldest_way },
};
