/* views/lines_within.c - how far the figures of lines of source may be off in a sampled run. */
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

/* line: NULL where the cell's code stands on none that was asked for. */
static void set_keys(const struct keys *k, size_t cell, const struct ms_lines *lines,
		     const struct ms_source_line *line, uint32_t code)
{
	k->lines[cell] = k->files[cell] = k->rests[cell] = k->sums[cell] = MS_NO_KEY;
	if (line == NULL) {
		k->sums[cell] = is_asked_for(lines, code) ? MS_LINES_UNKNOWN : MS_LINES_OTHER;
		return;
	}
	k->lines[cell] = line->place;
	k->files[cell] = line->file;
	if (!lines->files.at[line->file].shown)
		k->sums[cell] = MS_LINES_REST;
	else if (!line->shown)
		k->rests[cell] = line->file;
}

void ms_lines_within_make(struct ms_lines_within *within, const struct ms_lines *lines)
{
	const struct ms_run *run = lines->whole.run;
	size_t cells = run->samplings.n > 0 ? run->cells.n : 0, bytes = (cells + 1) * 8;
	struct keys k = { ms_alloc(bytes), ms_alloc(bytes), ms_alloc(bytes), ms_alloc(bytes) };
	uint32_t *line_of = ms_alloc((lines->lines.n + 1) * sizeof(*line_of));

	for (size_t i = 0; i < lines->lines.n; i++)
		line_of[lines->lines.at[i].place] = (uint32_t)i;
	for (size_t i = 0; i < cells; i++) {
		uint32_t line = run->sites.at[run->cells.at[i].site].line;
		uint32_t place = lines->places[line];
		bool known = place < lines->lines.n;

		set_keys(&k, i, lines, known ? &lines->lines.at[line_of[place]] : NULL,
			 run->lines.at[line].code);
	}
	ms_intervals_by(&within->total, &lines->whole, MS_ENTRY_TOTAL, NULL);
	ms_intervals_make(&within->lines, &lines->whole, k.lines);
	ms_intervals_make(&within->files, &lines->whole, k.files);
	ms_intervals_make(&within->rests, &lines->whole, k.rests);
	ms_intervals_make(&within->sums, &lines->whole, k.sums);
	ms_free(k.lines);
	ms_free(k.files);
	ms_free(k.rests);
	ms_free(k.sums);
	ms_free(line_of);
}

void ms_lines_within_free(struct ms_lines_within *within)
{
	ms_intervals_free(&within->total);
	ms_intervals_free(&within->lines);
	ms_intervals_free(&within->files);
	ms_intervals_free(&within->rests);
	ms_intervals_free(&within->sums);
}
