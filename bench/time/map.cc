/*
 * map.cc - std::map, std::unordered_map and a sorted vector: lookups, and a walk through all of the
 * map.
 *
 * fix: find_in_map find_in_sorted_vector 1
 * fix: find_in_map find_in_unordered_map 3
 * calls: walk_map *_Rb_tree_increment*
 */
#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "phase.h"

using Key = uint64_t;

PHASE_FUNCTION __attribute__((flatten)) uint64_t find_in_map(const std::map<Key, uint64_t> &map,
							     size_t lookups)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < lookups; k++)
		sum += map.find(phase_key(k) % map.size())->second;
	return sum;
}

PHASE_FUNCTION __attribute__((flatten)) uint64_t
find_in_unordered_map(const std::unordered_map<Key, uint64_t> &map, size_t lookups)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < lookups; k++)
		sum += map.find(phase_key(k) % map.size())->second;
	return sum;
}

PHASE_FUNCTION __attribute__((flatten)) uint64_t
find_in_sorted_vector(const std::vector<std::pair<Key, uint64_t>> &vector, size_t lookups)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < lookups; k++)
		sum += std::lower_bound(vector.begin(), vector.end(),
					std::make_pair(phase_key(k) % vector.size(), uint64_t(0)))
			       ->second;
	return sum;
}

PHASE_FUNCTION __attribute__((flatten)) uint64_t walk_map(const std::map<Key, uint64_t> &map,
							  size_t rounds)
{
	uint64_t sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (const auto &entry : map)
			sum += entry.second;
	return sum;
}

int main()
{
	size_t n = phase_size(400000, 400), total = 5000000, lookups = total / phase_depth(n);
	std::map<Key, uint64_t> map;
	std::unordered_map<Key, uint64_t> unordered;
	std::vector<std::pair<Key, uint64_t>> sorted;
	uint32_t *order = phase_permutation(n);

	/* In random order, so that neighbours in the tree are not neighbours in memory. */
	for (size_t i = 0; i < n; i++) {
		map.emplace(order[i], i);
		unordered.emplace(order[i], i);
		sorted.emplace_back(i, i);
	}
	PHASE(find_in_map(map, lookups));
	PHASE(find_in_unordered_map(unordered, 3 * total / 19));
	PHASE(find_in_sorted_vector(sorted, lookups));
	PHASE(walk_map(map, phase_rounds(400000, n)));
	return phase_end_program();
}
