/*
 * objects.cc - an ordinary program: a vector of structs, a map by name number, vectors of indices
 * of neighbours.
 *
 * fix: look_up_names look_up_sorted 1
 * fix: visit_neighbours visit_near_neighbours 8
 */
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "phase.h"

struct City {
	double x, y, population, area;
	uint64_t name;
	std::vector<uint32_t> neighbours;
};

PHASE_FUNCTION __attribute__((flatten)) double add_populations(const std::vector<City> &cities,
							       size_t rounds)
{
	double sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (const City &city : cities)
			sum += city.population / city.area;
	return sum;
}

PHASE_FUNCTION __attribute__((flatten)) uint64_t
look_up_names(const std::map<uint64_t, uint32_t> &names, const std::vector<City> &cities,
	      size_t lookups)
{
	uint64_t sum = 0, state = PHASE_SEED;

	for (size_t k = 0; k < lookups; k++) {
		auto found = names.lower_bound(phase_random(&state) >> 2);

		sum += found != names.end() ? cities[found->second].name : 0;
	}
	return sum;
}

PHASE_FUNCTION __attribute__((flatten)) uint64_t
look_up_sorted(const std::vector<std::pair<uint64_t, uint32_t>> &names,
	       const std::vector<City> &cities, size_t lookups)
{
	uint64_t sum = 0, state = PHASE_SEED;

	for (size_t k = 0; k < lookups; k++) {
		auto found =
			std::lower_bound(names.begin(), names.end(),
					 std::make_pair(phase_random(&state) >> 2, uint32_t(0)));

		sum += found != names.end() ? cities[found->second].name : 0;
	}
	return sum;
}

#define VISIT(name)                                                                          \
	PHASE_FUNCTION __attribute__((flatten)) double name(const std::vector<City> &cities, \
							    size_t rounds)                   \
	{                                                                                    \
		double sum = 0;                                                              \
                                                                                             \
		for (size_t round = 0; round < rounds; round++)                              \
			for (const City &city : cities)                                      \
				for (uint32_t other : city.neighbours)                       \
					sum += cities[other].x - city.x;                     \
		return sum;                                                                  \
	}

VISIT(visit_neighbours)
VISIT(visit_near_neighbours)

static std::vector<City> found_cities(size_t n, size_t reach)
{
	std::vector<City> cities(n);
	uint64_t state = PHASE_SEED;

	for (size_t i = 0; i < n; i++) {
		cities[i].x = double(i % 1000);
		cities[i].population = double(i % 77);
		cities[i].area = 1 + double(i % 7);
		cities[i].name = phase_random(&state) >> 2;
		for (size_t k = 0; k < 6; k++)
			cities[i].neighbours.push_back(
				uint32_t((i + (phase_random(&state) >> 24) % reach) % n));
	}
	return cities;
}

int main()
{
	size_t n = phase_size(250000, 100), total = 2500000;
	std::vector<City> cities = found_cities(n, n), near = found_cities(n, 50);
	std::map<uint64_t, uint32_t> names;

	for (size_t i = 0; i < n; i++)
		names.emplace(cities[i].name, uint32_t(i));
	std::vector<std::pair<uint64_t, uint32_t>> sorted(names.begin(), names.end());
	PHASE(add_populations(cities, phase_rounds(18000000, n)));
	PHASE(look_up_names(names, cities, total / phase_depth(n)));
	PHASE(look_up_sorted(sorted, cities, total / phase_depth(n)));
	PHASE(visit_neighbours(cities, phase_rounds(750000, n)));
	PHASE(visit_near_neighbours(near, phase_rounds(6000000, n)));
	return phase_end_program();
}
