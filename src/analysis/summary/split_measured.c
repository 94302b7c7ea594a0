/*
 * analysis/summary/split_measured.c - splits the measured stall of a joined run by the causes that
 * were simulated.
 *
 * The simulation says in which proportion an entry waits for which level, page walks and bandwidth;
 * the samples say how long it waits. So each part keeps its share of the entry's simulated stall.
 */
#include "analysis/summary/counts.h"
#include "base/num.h"

/* The parts of an entry's stall: those of levels, page walks, bandwidth, and what is unexplained.
 */
static uint64_t *part_at(struct ms_summary_counts *counts, size_t levels, size_t part)
{
	uint64_t *const others[] = { &counts->timing.walk_cycles, &counts->timing.bandwidth_cycles,
				     &counts->timing.unexplained_cycles };

	if (part < levels)
		return &counts->levels[part].cycles.exposed;
	return part - levels < MS_COUNT(others) ? others[part - levels] : NULL;
}

/* Rounding: what is left over goes to the largest part, so that the sum is exact. */
static void add_left(struct ms_summary_counts *counts, size_t levels, uint64_t sum, uint64_t stall)
{
	uint64_t *largest = part_at(counts, levels, 0), *part;

	for (size_t i = 1; (part = part_at(counts, levels, i)) != NULL; i++)
		if (*part > *largest)
			largest = part;
	*largest += stall - sum; /* also where sum is larger: unsigned arithmetic wraps */
}

/*
 * Whether the simulation has at least a hundredth of the entry's share in the measured stall: the
 * proportions of a few misses do not explain a long wait. Shares are compared, because the clock of
 * the real machine may not be known.
 */
static bool is_explained(const struct ms_summary_counts *counts,
			 const struct ms_summary_counts *total, uint64_t simulated)
{
	static const double LEAST = 0.01;
	double all = (double)ms_summary_rw_sum(total->stall);
	double expected = all > 0 ? (double)ms_summary_rw_sum(counts->stall) / all *
					    (double)ms_summary_rw_sum(total->estimated.stall)
				  : 0;

	return simulated > 0 && (double)simulated >= LEAST * expected;
}

void ms_summary_split_measured(struct ms_summary_counts *counts,
			       const struct ms_summary_counts *total, size_t levels)
{
	uint64_t stall = ms_summary_rw_sum(counts->stall), simulated = 0, sum = 0, *part;

	counts->timing.unexplained_cycles = 0;
	for (size_t i = 0; (part = part_at(counts, levels, i)) != NULL; i++)
		simulated += *part;
	if (!is_explained(counts, total, simulated)) {
		ms_summary_clear_parts(counts, levels);
		counts->timing.unexplained_cycles = stall;
		return;
	}
	for (size_t i = 0; (part = part_at(counts, levels, i)) != NULL; i++) {
		*part = ms_round_u64((double)*part / (double)simulated * (double)stall);
		sum += *part;
	}
	add_left(counts, levels, sum, stall);
}

void ms_summary_add_parts(struct ms_summary_counts *to, struct ms_summary_counts *from,
			  size_t levels)
{
	const uint64_t *part;

	for (size_t i = 0; (part = part_at(from, levels, i)) != NULL; i++)
		*part_at(to, levels, i) += *part;
}

void ms_summary_clear_parts(struct ms_summary_counts *counts, size_t levels)
{
	uint64_t *part;

	for (size_t i = 0; (part = part_at(counts, levels, i)) != NULL; i++)
		*part = 0;
}
