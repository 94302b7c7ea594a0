/* views/lines_intervals.c - how far the figures of lines of source may be off in a sampled run. */
#include "base/mem.h"
#include "views/lines.h"

static bool is_asked_for(const struct ms_lines *lines, uint32_t code)
{
	for (size_t i = 0; lines->by_name && i < lines->unknown.code.at.n; i++)
		if (lines->unknown.code.at.at[i].of == code)
			return true;
	return !lines->by_name;
}

struct keys {
	uint64_t *lines, *files, *rests, *sums;
};

static void open_keys(struct keys *k, size_t n)
{
	uint64_t **all[] = { &k->lines, &k->files, &k->rests, &k->sums };

	for (size_t i = 0; i < MS_COUNT(all); i++)
		*all[i] = ms_alloc((n + 1) * sizeof(uint64_t));
}

static void close_keys(struct keys *k)
{
	ms_free(k->lines);
	ms_free(k->files);
	ms_free(k->rests);
	ms_free(k->sums);
}

/* Sets the keys of one line of the run. line_of: its line in the report, by place; lines outside of
 * the requested ones have no place. */
static void set_keys(const struct keys *k, size_t at, const struct ms_lines *lines,
		     const uint32_t *line_of, uint32_t of)
{
	uint32_t place = lines->places[of], code = lines->whole.run->lines.at[of].code;

	k->lines[at] = k->files[at] = k->rests[at] = k->sums[at] = MS_NO_KEY;
	if (place >= lines->lines.n) {
		k->sums[at] =
			is_asked_for(lines, code) ? MS_VIEWS_LINES_UNKNOWN : MS_VIEWS_LINES_OTHER;
		return;
	}
	const struct ms_lines_line *line = &lines->lines.at[line_of[place]];
	k->lines[at] = line->place;
	k->files[at] = line->file;
	if (!lines->files.at[line->file].shown)
		k->sums[at] = MS_VIEWS_LINES_REST;
	else if (!line->shown)
		k->rests[at] = line->file;
}

static void make(struct ms_intervals *intervals, const struct ms_lines *lines,
		 const uint64_t *cells, const uint64_t *of_lines)
{
	ms_intervals_make(intervals, &lines->whole, cells, MS_ENTRY_LINE);
	ms_intervals_split_rw_keys(intervals, &lines->whole, cells, MS_ENTRY_LINE);
	ms_intervals_add_compute(intervals, lines->whole.run, of_lines);
}

void ms_views_lines_intervals_make(struct ms_views_lines_intervals *within,
				   const struct ms_lines *lines)
{
	const struct ms_run *run = lines->whole.run;
	size_t cells = run->samplings.n > 0 ? run->cells.n : 0;
	size_t n = run->samplings.n > 0 ? run->lines.n : 0;
	struct keys k, of_lines;
	uint32_t *line_of = ms_alloc((lines->lines.n + 1) * sizeof(*line_of));

	for (size_t i = 0; i < lines->lines.n; i++)
		line_of[lines->lines.at[i].place] = (uint32_t)i;
	open_keys(&k, cells);
	open_keys(&of_lines, n);
	for (size_t i = 0; i < cells; i++)
		set_keys(&k, i, lines, line_of, run->sites.at[run->cells.at[i].site].line);
	for (uint32_t i = 0; i < n; i++)
		set_keys(&of_lines, i, lines, line_of, i);
	ms_intervals_by_kind(&within->total, &lines->whole, MS_ENTRY_TOTAL, NULL);
	make(&within->lines, lines, k.lines, of_lines.lines);
	make(&within->files, lines, k.files, of_lines.files);
	make(&within->rests, lines, k.rests, of_lines.rests);
	make(&within->sums, lines, k.sums, of_lines.sums);
	close_keys(&k);
	close_keys(&of_lines);
	ms_free(line_of);
}

void ms_views_lines_intervals_free(struct ms_views_lines_intervals *within)
{
	ms_intervals_free(&within->total);
	ms_intervals_free(&within->lines);
	ms_intervals_free(&within->files);
	ms_intervals_free(&within->rests);
	ms_intervals_free(&within->sums);
}
