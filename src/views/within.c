/* views/within.c - how far counts of a sampled run may be off, as text. */
#include <math.h>

#include "analysis/intervals.h"
#include "base/num.h"
#include "views/views_priv.h"

const char *ms_page_within(struct ms_arena *arena, struct ms_bounds b)
{
	char low[MS_NUM_TEXT], high[MS_NUM_TEXT];

	if (isnan(b.low) || isnan(b.high))
		return NULL;
	return ms_arena_printf(arena, "%s to %s", ms_format_count(ms_round_u64(b.low), low),
			       ms_format_count(ms_round_u64(b.high), high));
}

void ms_page_causes_within(const struct ms_page *page, const struct ms_level_counts *counts,
			   const struct ms_entry_intervals *intervals, size_t level)
{
	static const char *const names[] = { [MS_CAUSE_FIRST] = "first reference",
					     [MS_CAUSE_REPLACED] = "replacement",
					     [MS_CAUSE_INVALIDATED] = "invalidation" };
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_text text = MS_TEXT_INIT;

	for (int k = 0; k < MS_CAUSES && intervals != NULL; k++) {
		const char *within = ms_page_within(&arena, intervals->levels[level].causes[k]);

		if (within != NULL && counts->causes[k] > 0)
			ms_text_addf(&text, "%s%s %s", text.n > 0 ? ", " : "", names[k], within);
	}
	if (text.n > 0)
		ms_page_fold(page, "  95%% intervals: %s", text.at);
	ms_text_free(&text);
	ms_arena_free(&arena);
}
