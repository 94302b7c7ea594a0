/* analysis/source_lines/lines_limit.c - which lines are shown; what is not shown is added up. */
#include <stdlib.h>

#include "analysis/source_lines/lines.h"
#include "analysis/summary/rounded_shares.h"
#include "base/compiler.h"
#include "base/num.h"

uint64_t ms_lines_weight(const struct ms_lines *lines, const struct ms_summary_counts *counts)
{
	return ms_summary_rw_sum(lines->by_references ? counts->references : counts->stall);
}

static int compare_weights(const void *a, const void *b, void *lines)
{
	const struct ms_lines_line *const *x = a, *const *y = b;
	int order = ms_cmp_u64(ms_lines_weight(lines, &(*y)->counts),
			       ms_lines_weight(lines, &(*x)->counts));

	if (order == 0)
		order = ms_cmp_u64(ms_summary_rw_sum((*y)->counts.references),
				   ms_summary_rw_sum((*x)->counts.references));
	/* Lines stand in the order of files and numbers. */
	return order != 0 ? order : (*x > *y) - (*x < *y);
}

static int compare_inclusive(const void *a, const void *b, void *lines)
{
	const struct ms_lines_line *const *x = a, *const *y = b;
	int order = ms_cmp_u64((*y)->counts.inclusive, (*x)->counts.inclusive);

	return order != 0 ? order : compare_weights(a, b, lines);
}

static uint64_t inclusive_weight(const struct ms_lines *lines,
				 const struct ms_summary_counts *counts)
{
	(void)lines;
	return counts->inclusive;
}

/* What lines are chosen by: what they cost themselves, and with all that they call. */
static const struct {
	int (*compare)(const void *a, const void *b, void *lines);
	uint64_t (*weight)(const struct ms_lines *lines, const struct ms_summary_counts *counts);
} choices[] = { { compare_weights, ms_lines_weight }, { compare_inclusive, inclusive_weight } };

static void choose_hot(struct ms_lines *lines, struct ms_lines_limits limits)
{
	size_t n = lines->lines.n;
	struct ms_lines_line **order = ms_alloc((n + 1) * sizeof(*order));
	uint64_t total = ms_lines_weight(lines, &lines->whole.total.counts);

	for (size_t i = 0; i < n; i++) {
		order[i] = &lines->lines.at[i];
		order[i]->hot = limits.everything;
	}
	size_t used = lines->whole.run->paths.n > 0 ? MS_COUNT(choices) : 1;
	for (size_t c = 0; c < used && n > 0; c++) {
		qsort_r(order, n, sizeof(struct ms_lines_line *), choices[c].compare, lines);
		for (size_t i = 0; i < n && i < limits.top; i++) {
			uint64_t weight = choices[c].weight(lines, &order[i]->counts);

			order[i]->hot |= (order[i]->counts.used || weight > 0) &&
					 ms_summary_share(weight, total) >= limits.threshold;
		}
	}
	ms_free(order);
}

/* Lines of a file, as far as a hot one is near: one walk down, one up. */
static void choose_near(struct ms_lines_line *lines, size_t n, size_t context)
{
	const struct ms_lines_line *hot = NULL;

	for (size_t i = 0; i < n; i++) {
		hot = lines[i].hot ? &lines[i] : hot;
		lines[i].shown = hot != NULL && lines[i].number - hot->number <= context;
	}
	hot = NULL;
	for (size_t i = n; i-- > 0;) {
		hot = lines[i].hot ? &lines[i] : hot;
		lines[i].shown |= hot != NULL && hot->number - lines[i].number <= context;
	}
}

static void choose_shown(struct ms_lines *lines, struct ms_lines_limits limits)
{
	for (size_t f = 0; f < lines->files.n; f++) {
		struct ms_lines_file *file = &lines->files.at[f];
		struct ms_lines_line *at = &lines->lines.at[file->first];

		choose_near(at, file->n, limits.context);
		file->shown = limits.whole_files && lines->files_by_name;
		for (size_t i = 0; i < file->n; i++)
			file->shown |= at[i].hot;
		for (size_t i = 0; file->shown && limits.whole_files && i < file->n; i++)
			at[i].shown = true;
	}
}

static void clear_rest(struct ms_lines_rest *rest, size_t levels)
{
	struct ms_summary_level_counts *at = rest->counts.levels;

	for (size_t i = 0; i < levels; i++)
		at[i] = (struct ms_summary_level_counts){ .covered = 0 };
	*rest = (struct ms_lines_rest){ .counts.levels = at };
}

static void add_rests(struct ms_lines *lines)
{
	size_t levels = lines->whole.run->levels.n;

	clear_rest(&lines->rest, levels);
	for (size_t f = 0; f < lines->files.n; f++) {
		struct ms_lines_file *file = &lines->files.at[f];
		struct ms_lines_rest *rest = file->shown ? &file->rest : &lines->rest;

		clear_rest(&file->rest, levels);
		for (size_t i = file->first; i < file->first + file->n; i++)
			if (!lines->lines.at[i].shown) {
				ms_summary_add_counts(&rest->counts, &lines->lines.at[i].counts,
						      levels);
				rest->lines++;
			}
		lines->rest.files += !file->shown;
	}
}

/* Every figure that is printed, each once: where its tenths go. */
struct shown_figures {
	const struct ms_lines *lines;
	uint64_t *parts;
	uint32_t **to;
	size_t n;
};

static void add_figure(struct shown_figures *f, const struct ms_summary_counts *counts,
		       uint32_t *to)
{
	f->parts[f->n] = ms_lines_weight(f->lines, counts);
	f->to[f->n++] = to;
}

static void share_out(struct ms_lines *lines)
{
	size_t most = lines->lines.n + lines->files.n + 3;
	struct shown_figures f = { .lines = lines,
				   .parts = ms_alloc(most * sizeof(*f.parts)),
				   .to = ms_alloc(most * sizeof(*f.to)) };
	uint32_t *tenths = ms_alloc(most * sizeof(*tenths));

	for (size_t i = 0; i < lines->lines.n; i++)
		if (lines->lines.at[i].shown)
			add_figure(&f, &lines->lines.at[i].counts, &lines->lines.at[i].tenths);
	for (size_t i = 0; i < lines->files.n; i++)
		if (lines->files.at[i].shown)
			add_figure(&f, &lines->files.at[i].rest.counts,
				   &lines->files.at[i].rest.tenths);
	add_figure(&f, &lines->rest.counts, &lines->rest.tenths);
	add_figure(&f, &lines->unknown.counts, &lines->unknown.tenths);
	add_figure(&f, &lines->other, &lines->other_tenths);
	ms_summary_share_list(f.parts, f.n, MS_WHOLE, tenths);
	for (size_t i = 0; i < f.n; i++)
		*f.to[i] = tenths[i];
	ms_free(f.parts);
	ms_free(f.to);
	ms_free(tenths);
}

static void add_file_tenths(struct ms_lines *lines)
{
	for (size_t f = 0; f < lines->files.n; f++) {
		struct ms_lines_file *file = &lines->files.at[f];

		file->tenths = file->rest.tenths;
		for (size_t i = file->first; i < file->first + file->n; i++)
			file->tenths += lines->lines.at[i].shown ? lines->lines.at[i].tenths : 0;
	}
}

void ms_lines_limit(struct ms_lines *lines, struct ms_lines_limits limits)
{
	choose_hot(lines, limits);
	choose_shown(lines, limits);
	add_rests(lines);
	share_out(lines);
	add_file_tenths(lines);
}

const struct ms_lines_line *ms_lines_hottest(const struct ms_lines *lines)
{
	const struct ms_lines_line *best = NULL;

	for (size_t i = 0; i < lines->lines.n; i++) {
		const struct ms_lines_line *line = &lines->lines.at[i];

		if (line->hot && (best == NULL || ms_lines_weight(lines, &line->counts) >
							  ms_lines_weight(lines, &best->counts)))
			best = line;
	}
	return best;
}
