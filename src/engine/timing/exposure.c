/* engine/timing/exposure.c - see exposure.h. */
#include "engine/timing/exposure.h"

/* --- sums --- */

void ms_timing_open_sums(struct ms_timing_sums *sums, uint32_t levels)
{
	*sums = (struct ms_timing_sums){ .levels = levels, .index = MS_MAP_INIT };
}

void ms_timing_close_sums(struct ms_timing_sums *sums)
{
	ms_map_free(&sums->index);
	ms_vec_free(&sums->cells);
	ms_vec_free(&sums->rows);
}

uint32_t ms_timing_get_cell(struct ms_timing_sums *sums, uint32_t site, uint32_t data)
{
	uint32_t *number = ms_map_at(&sums->index, site, data);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)sums->cells.n;
		*ms_vec_add(&sums->cells) = (struct ms_timing_cell){ .site = site, .data = data };
		ms_vec_reserve(&sums->rows, sums->levels);
		sums->rows.n += sums->levels;
	}
	return *number;
}

/* --- flights --- */

static uint64_t take(uint64_t *from, uint64_t most)
{
	uint64_t taken = *from < most ? *from : most;

	*from -= taken;
	return taken;
}

static void complete(struct ms_timing_sums *sums, const struct ms_timing_flight *flight)
{
	struct ms_timing_cell *cell = &sums->cells.at[flight->cell];
	struct ms_timing_level *row =
		&sums->rows.at[(size_t)flight->cell * sums->levels + flight->level];
	uint64_t left = flight->charged;

	cell->exposed_walks += take(&left, flight->walk);
	cell->walks += flight->is_walk;
	uint64_t exposed = take(&left, flight->latency);
	row->misses++;
	row->exposed += exposed;
	if (flight->is_prefetched)
		row->prefetched += flight->latency - exposed;
}

void ms_timing_close_exposure(struct ms_timing_exposure *exposure)
{
	ms_vec_free(&exposure->flights);
	ms_vec_free(&exposure->transfers[0]);
	ms_vec_free(&exposure->transfers[1]);
}

void ms_timing_begin_flight(struct ms_timing_exposure *exposure,
			    const struct ms_timing_flight *flight)
{
	*ms_vec_add(&exposure->flights) = *flight;
}

/* The time that a flight has in common with an interval. */
static uint64_t overlap(const struct ms_timing_flight *flight, uint64_t from, uint64_t to)
{
	uint64_t begin = flight->begin > from ? flight->begin : from;
	uint64_t end = flight->end < to ? flight->end : to;

	return end > begin ? end - begin : 0;
}

/* Time only advances: flights that ended before it are never charged again. The order stays. */
static void complete_before(struct ms_timing_exposure *exposure, uint64_t from)
{
	size_t kept = 0;

	for (size_t i = 0; i < exposure->flights.n; i++) {
		const struct ms_timing_flight *flight = &exposure->flights.at[i];

		if (flight->end <= from)
			complete(exposure->sums, flight);
		else if (kept++ != i)
			exposure->flights.at[kept - 1] = *flight;
	}
	exposure->flights.n = kept;
}

/* The part of an interval in which flights that can be charged overlap it. */
struct overlapping {
	uint64_t begin; /* of the first one, or of the interval */
	uint64_t sum;   /* of all overlaps */
};

static struct overlapping find_overlapping(const struct ms_timing_exposure *exposure, uint64_t from,
					   uint64_t to, bool stores)
{
	struct overlapping found = { .begin = to };

	for (size_t i = 0; i < exposure->flights.n; i++) {
		const struct ms_timing_flight *flight = &exposure->flights.at[i];
		uint64_t common = overlap(flight, from, to);

		if (common == 0 || flight->is_store != stores)
			continue;
		found.sum += common;
		if (flight->begin < found.begin)
			found.begin = flight->begin;
	}
	if (found.begin < from)
		found.begin = from;
	return found;
}

uint64_t ms_timing_charge(struct ms_timing_exposure *exposure, uint64_t from, uint64_t to,
			  bool stores)
{
	complete_before(exposure, from);
	struct overlapping found = find_overlapping(exposure, from, to, stores);
	/* What is left of the sum after each share is exact: all shares add up to the interval. */
	uint64_t charged = to - found.begin, left = charged;
	for (size_t i = 0; found.sum > 0; i++) {
		struct ms_timing_flight *flight = &exposure->flights.at[i];
		uint64_t common = overlap(flight, from, to);

		if (flight->is_store != stores || common == 0)
			continue;
		uint64_t share = left * common / found.sum;
		flight->charged += share;
		left -= share;
		found.sum -= common;
	}
	return charged;
}

void ms_timing_charge_transfers(struct ms_timing_exposure *exposure, uint64_t time, bool stores)
{
	size_t n = exposure->transfers[stores].n;

	for (size_t i = 0; i < n; i++) {
		uint64_t share = time / (n - i);

		exposure->sums->cells.at[exposure->transfers[stores].at[i]].waited += share;
		time -= share;
	}
	exposure->transfers[0].n = exposure->transfers[1].n = 0;
}

void ms_timing_end_flights(struct ms_timing_exposure *exposure)
{
	complete_before(exposure, UINT64_MAX);
}
