/* views/text/cache_sets.c - in which cache sets data misses, as text. */
#include <inttypes.h>

#include "analysis/cache_sets/cache_sets.h"
#include "base/text.h"
#include "views/text/parts.h"

enum { GROUPS_SHOWN = 8 };

/* "0-3, 128-131 and 2 more" */
static void list_sets(struct ms_text *text, const struct ms_cache_sets *sets,
		      const struct ms_cache_sets_peak *peak)
{
	for (uint32_t i = 0; i < peak->n && i < GROUPS_SHOWN; i++) {
		uint64_t from = peak->groups[i] * sets->group_sets;

		ms_text_addf(text, "%s%" PRIu64, i > 0 ? ", " : "", from);
		if (sets->group_sets > 1)
			ms_text_addf(text, "-%" PRIu64, from + sets->group_sets - 1);
	}
	if (peak->n > GROUPS_SHOWN)
		ms_text_addf(text, " and %" PRIu32 " more", peak->n - GROUPS_SHOWN);
}

void ms_views_text_cache_sets(const struct ms_views_text_page *page, const struct ms_run *run,
			      const bool *data)
{
	for (uint32_t level = 0; level < run->levels.n && data != NULL; level++) {
		struct ms_cache_sets sets = ms_cache_sets_of(run, level, data);
		struct ms_cache_sets_peak peak = ms_cache_sets_find_peak(&sets);
		struct ms_text text = MS_TEXT_INIT;

		if (peak.n == 0)
			continue;
		list_sets(&text, &sets, &peak);
		ms_views_text_fold(
			page,
			"%s replacement misses of this data by set: %.0f%% are in %.0f%% of the "
			"sets (%s)",
			run->levels.at[level].name, 100 * peak.share, 100.0 * peak.n / sets.groups,
			text.at);
		ms_text_free(&text);
	}
}
