/* views/text/line_use.c - how much of fetched lines is used, how they are accessed, as text. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/line_use/access_kind.h"
#include "analysis/line_use/line_use.h"
#include "analysis/line_use/reuse.h"
#include "analysis/line_use/working_set.h"
#include "base/num.h"
#include "views/text/parts.h"

/* "8.0 of 64 bytes (7.8 to 8.2)" */
static const char *used(struct ms_arena *arena, const struct ms_line_use *use, uint32_t line)
{
	const char *interval = "";

	if (use->high - use->low >= 0.1)
		interval = ms_arena_printf(arena, " (%.1f to %.1f)", use->low, use->high);
	return ms_arena_printf(arena, "%.1f of %" PRIu32 " bytes%s", use->used, line, interval);
}

static void put_level(const struct ms_views_text_page *page, const struct ms_run *run,
		      uint32_t level, const bool *code, const bool *data, struct ms_arena *arena)
{
	struct ms_line_use use = ms_line_use_of(run, level, code, data);
	uint32_t line = run->levels.at[level].line;
	const char *written = "";

	if (use.written_lines > 0)
		written = ms_arena_printf(arena, "%sWritten: %.1f of %" PRIu32,
					  use.lines > 0 ? "   " : "", use.written, line);
	if (use.lines > 0 || use.written_lines > 0)
		ms_views_text_fold(page, "Use of lines in %s: %s%s", run->levels.at[level].name,
				   use.lines > 0 ? used(arena, &use, line) : "", written);
}

static void put_access(const struct ms_views_text_page *page, const struct ms_run *run,
		       const bool *code, const bool *data)
{
	struct ms_line_use_access access = ms_line_use_find_access(run, code, data);

	if (access.kind == MS_LINE_USE_UNKNOWN)
		return;
	if (access.share > 0)
		ms_views_text_fold(page, "Access: %s   Most frequent stride: %" PRId64 " (%.0f%%)",
				   ms_line_use_kind_word(access.kind), access.stride,
				   100 * access.share);
	else
		ms_views_text_line(page, "Access: %s", ms_line_use_kind_word(access.kind));
}

/* Misses of data in caches of other sizes, where that makes a difference. */
static void put_curve(const struct ms_views_text_page *page, const struct ms_run *run,
		      const bool *data, struct ms_arena *arena)
{
	struct ms_line_use_curve curve;
	struct ms_text text = MS_TEXT_INIT;
	double before = NAN;
	char size[MS_NUM_TEXT], count[MS_NUM_TEXT], low[MS_NUM_TEXT], high[MS_NUM_TEXT];

	ms_line_use_make_curve(run, data, &curve);
	for (size_t i = 0; i < curve.at.n; i++) {
		const struct ms_line_use_point *point = &curve.at.at[i];

		if (!isnan(before) && point->misses > 0.8 * before)
			continue;
		before = point->misses;
		ms_text_addf(&text, "%s%s: %s", text.n > 0 ? "   " : "",
			     ms_format_size(point->size, size),
			     ms_format_count(ms_round_u64(point->misses), count));
		if (point->high - point->low > 0.02 * point->misses)
			ms_text_addf(&text, " (%s to %s)",
				     ms_format_count(ms_round_u64(point->low), low),
				     ms_format_count(ms_round_u64(point->high), high));
	}
	if (text.n > 0)
		ms_views_text_fold(page,
				   "Misses by size of a fully associative cache (estimated): %s",
				   ms_arena_strdup(arena, ms_text_get(&text)));
	ms_text_free(&text);
	ms_vec_free(&curve.at);
}

/* --- reuse --- */

enum { REUSES_SHOWN = 4 };

static int by_count(const void *a, const void *b)
{
	const struct ms_run_reuse *const *x = a, *const *y = b;

	return ((*x)->count < (*y)->count) - ((*x)->count > (*y)->count);
}

static const char *place(const struct ms_run *run, uint32_t line, struct ms_arena *arena)
{
	const struct ms_run_line *l = &run->lines.at[line];

	return l->line > 0
		       ? ms_arena_printf(arena, "%s:%" PRIu32, run->codes.at[l->code].name, l->line)
		       : run->codes.at[l->code].name;
}

/* As a power of two: distances are not known more exactly. */
static const char *size_of(double bytes, char text[MS_NUM_TEXT])
{
	return ms_format_size(UINT64_C(1) << (unsigned)fmin(log2(fmax(bytes, 1)) + 0.5, 62), text);
}

/* "about 2 MiB (1 to 4 MiB)"; "at most 512 KiB", where too few lines were observed in between. */
static const char *between(const struct ms_run *run, const struct ms_run_reuse *reuse,
			   struct ms_arena *arena)
{
	struct ms_line_use_distance d = ms_line_use_get_distance(run, reuse);
	char size[MS_NUM_TEXT], low[MS_NUM_TEXT], high[MS_NUM_TEXT];

	if (d.low >= d.high)
		return ms_arena_printf(arena, "about %s", size_of(d.bytes, size));
	if (d.low <= 0)
		return ms_arena_printf(arena, "at most %s", size_of(d.high, high));
	return ms_arena_printf(arena, "about %s (%s to %s)", size_of(d.bytes, size),
			       size_of(d.low, low), size_of(d.high, high));
}

static void put_reuses(const struct ms_views_text_page *page, const struct ms_run *run,
		       const bool *code, const bool *data, struct ms_arena *arena)
{
	const struct ms_run_reuse **found =
		ms_arena_take(arena, (run->reuses.n + 1) * sizeof(*found));
	size_t n = 0;
	double all = 0;

	for (size_t i = 0; i < run->reuses.n; i++) {
		const struct ms_run_reuse *r = &run->reuses.at[i];

		if ((data != NULL && !data[r->data]) ||
		    (code != NULL && !code[run->lines.at[r->to_line].code]))
			continue;
		found[n++] = r;
		all += r->count;
	}
	if (n == 0 || all <= 0)
		return;
	qsort(found, n, sizeof(*found), by_count);
	ms_views_text_line(page, "Misses of %s on lines that were used before, by use before:",
			   run->levels.at[0].name);
	for (size_t i = 0; i < n && i < REUSES_SHOWN; i++)
		ms_views_text_fold(page, "  %s, then %s: %.0f%%   %s of other lines in between",
				   place(run, found[i]->from_line, arena),
				   place(run, found[i]->to_line, arena),
				   100 * found[i]->count / all, between(run, found[i], arena));
}

void ms_views_text_line_use(const struct ms_views_text_page *page, const struct ms_run *run,
			    const bool *code, const bool *data)
{
	struct ms_arena arena = MS_ARENA_INIT;

	for (uint32_t level = 0; level < run->levels.n && run->line_uses.n > 0; level++)
		put_level(page, run, level, code, data, &arena);
	put_access(page, run, code, data);
	if (run->line_uses.n > 0) {
		if (code == NULL)
			put_curve(page, run, data, &arena);
		put_reuses(page, run, code, data, &arena);
	}
	ms_arena_free(&arena);
}
