/* views/text/intrinsic.c - which misses of data nothing avoids, as text. */
#include "analysis/intrinsic/intrinsic.h"

#include "base/num.h"
#include "views/text/parts.h"

/* Narrower intervals are not shown. */
#define LEAST_WIDTH 0.02

/* "1.20M (1.10M to 1.30M)" */
static const char *range(struct ms_arena *arena, const struct ms_intrinsic_range *r)
{
	char value[MS_NUM_TEXT], low[MS_NUM_TEXT], high[MS_NUM_TEXT];

	ms_format_count(ms_round_u64(r->value), value);
	if (r->high - r->low <= LEAST_WIDTH * r->value)
		return ms_arena_strdup(arena, value);
	return ms_arena_printf(arena, "%s (%s to %s)", value,
			       ms_format_count(ms_round_u64(r->low), low),
			       ms_format_count(ms_round_u64(r->high), high));
}

static const char *gain(struct ms_arena *arena, const struct ms_intrinsic *i,
			enum ms_intrinsic_gain gain)
{
	return ms_arena_printf(arena, "%.1f%%",
			       i->misses > 0 ? 100 * ms_intrinsic_gain(i, gain) / i->misses : 0);
}

void ms_views_text_intrinsic(const struct ms_views_text_page *page, const struct ms_run *run,
			     const bool *data)
{
	struct ms_arena arena = MS_ARENA_INIT;

	for (uint32_t level = 0; level < run->levels.n; level++) {
		struct ms_intrinsic i = ms_intrinsic_of(run, level, data);

		if (!i.known || i.misses <= 0)
			continue;
		ms_views_text_fold(
			page, "Intrinsic %s misses: optimal replacement: %s   touched bytes: %s",
			run->levels.at[level].name, range(&arena, &i.optimal),
			range(&arena, &i.least));
		ms_views_text_fold(page,
				   "  At most avoidable by replacement or sets: %s   by order of "
				   "accesses: %s   "
				   "by layout: %s",
				   gain(&arena, &i, MS_INTRINSIC_REPLACEMENT),
				   gain(&arena, &i, MS_INTRINSIC_ORDER),
				   gain(&arena, &i, MS_INTRINSIC_LAYOUT));
	}
	ms_arena_free(&arena);
}
