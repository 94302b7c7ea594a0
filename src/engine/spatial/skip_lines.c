/*
 * engine/spatial/skip_lines.c - a table of how many lines can be skipped until one can be selected.
 *
 * A stride run asks for the next selected line. The hashes of adjacent lines of a block differ by a
 * constant (line_selection.h), so the distance to the next selected line follows from the hash of
 * the first one. All hashes with the same upper bits form an interval as long as the threshold. The
 * table has the number of lines after which the hash of at least one of them can be selected.
 */
#include <string.h>

#include "base/mem.h"
#include "engine/spatial/line_selection.h"

enum { UNKNOWN = UINT16_MAX };

/* i lines later, hashes of the interval can be below the threshold, if no smaller i was found. */
static uint64_t set_distance(uint16_t *table, uint64_t interval, uint64_t i)
{
	if (table[interval] != UNKNOWN)
		return 0;
	table[interval] = (uint16_t)(i < UNKNOWN ? i : UNKNOWN - 1);
	return 1;
}

/*
 * The hashes 0 - i * by, up to the threshold more, become selected i lines later; they are in two
 * intervals. As the multiples of the factor are spread evenly, few i are needed for all intervals.
 */
static void fill_table(uint16_t *table, uint64_t intervals, uint32_t shift, uint32_t by)
{
	uint64_t left = intervals;
	uint32_t hash = 0;

	for (uint64_t i = 0; i < intervals; i++)
		table[i] = UNKNOWN;
	for (uint64_t i = 0; left > 0; i++, hash -= by) {
		uint64_t interval = (uint64_t)hash >> shift;
		bool is_aligned = (uint64_t)hash == interval << shift;

		left -= set_distance(table, interval, i);
		if (!is_aligned)
			left -= set_distance(table, (interval + 1) % intervals, i);
	}
}

void ms_spatial_set_threshold(struct ms_spatial_filter *filter, uint64_t threshold)
{
	if (threshold == filter->threshold)
		return;
	filter->threshold = threshold;
	filter->hash_shift = (uint32_t)__builtin_ctzll(threshold);
	for (unsigned falls = 0; falls < 2; falls++) {
		uint64_t intervals = (UINT64_C(1) << 32) / threshold;

		ms_free(filter->unselected[falls]);
		filter->unselected[falls] =
			ms_alloc(intervals * sizeof(*filter->unselected[falls]));
		fill_table(filter->unselected[falls], intervals, filter->hash_shift,
			   falls ? -MS_SPATIAL_HASH_FACTOR : MS_SPATIAL_HASH_FACTOR);
	}
}

void ms_spatial_close_filter(struct ms_spatial_filter *filter)
{
	for (unsigned falls = 0; falls < 2; falls++)
		ms_free(filter->unselected[falls]);
	ms_spatial_close_watched(&filter->watched);
	ms_vec_free(&filter->touches);
	ms_vec_free(&filter->at_limit);
	ms_free(filter->counts);
}
