/* analysis/call_paths/inclusive.c - costs of code and lines with all that they call. */
#include <string.h>

#include "analysis/call_paths/call_paths.h"
#include "base/mem.h"

/* Recursion counts once: seen has the row that was counted last, plus 1. */
static void add_once(const struct ms_paths_row *row, size_t number, uint32_t to, size_t *seen,
		     uint64_t *stall)
{
	if (to == MS_NONE || seen[to] == number + 1)
		return;
	seen[to] = number + 1;
	stall[to] += row->stall;
}

/* to: by line of the run, what its costs are added to; MS_NONE: nothing. */
static void sum(const struct ms_paths_rows *rows, const uint32_t *to, size_t n, uint64_t *stall)
{
	const struct ms_run *run = rows->run;
	size_t *seen = ms_alloc((n + 1) * sizeof(*seen));

	memset(stall, 0, n * sizeof(*stall));
	for (size_t i = 0; i < rows->at.n; i++) {
		const struct ms_paths_row *row = &rows->at.at[i];

		add_once(row, i, to[row->line], seen, stall);
		for (uint32_t path = row->path; run->paths.at[path].line != MS_NONE;
		     path = run->paths.at[path].parent)
			add_once(row, i, to[run->paths.at[path].line], seen, stall);
	}
	ms_free(seen);
}

void ms_paths_sum_inclusive(const struct ms_paths_rows *rows, uint64_t *stall)
{
	const struct ms_run *run = rows->run;
	uint32_t *code = ms_alloc((run->lines.n + 1) * sizeof(*code));

	for (size_t i = 0; i < run->lines.n; i++)
		code[i] = run->lines.at[i].code;
	sum(rows, code, run->codes.n, stall);
	ms_free(code);
}

void ms_paths_sum_inclusive_lines(const struct ms_paths_rows *rows, uint64_t *stall)
{
	uint32_t *line = ms_alloc((rows->run->lines.n + 1) * sizeof(*line));

	for (uint32_t i = 0; i < rows->run->lines.n; i++)
		line[i] = i;
	sum(rows, line, rows->run->lines.n, stall);
	ms_free(line);
}

void ms_paths_add_inclusive(struct ms_summary *s)
{
	struct ms_paths_rows rows;
	struct ms_err ignored;

	if (!ms_paths_are_known(s->run) || ms_paths_make_rows(&rows, s, &ignored) != MS_OK)
		return;
	size_t most = s->run->codes.n > s->run->lines.n ? s->run->codes.n : s->run->lines.n;
	uint64_t *stall = ms_alloc((most + 1) * sizeof(*stall));

	ms_paths_sum_inclusive(&rows, stall);
	for (size_t i = 0; i < s->code.at.n; i++)
		s->code.at.at[i].counts.inclusive = stall[s->code.at.at[i].code];
	ms_paths_sum_inclusive_lines(&rows, stall);
	for (size_t i = 0; i < s->lines.at.n; i++)
		s->lines.at.at[i].counts.inclusive = stall[s->lines.at.at[i].line];
	ms_free(stall);
	ms_paths_free_rows(&rows);
}

void ms_paths_add_inclusive_source(struct ms_lines *lines)
{
	const struct ms_run *run = lines->whole.run;
	struct ms_paths_rows rows;
	struct ms_err ignored;
	uint32_t most = 0;

	if (!ms_paths_are_known(run) || ms_paths_make_rows(&rows, &lines->whole, &ignored) != MS_OK)
		return;
	for (size_t i = 0; i < lines->lines.n; i++)
		if (lines->lines.at[i].place >= most)
			most = lines->lines.at[i].place + 1;
	uint64_t *stall = ms_alloc((most + (size_t)1) * sizeof(*stall));
	uint32_t *place = ms_alloc((run->lines.n + 1) * sizeof(*place));

	/* Code that stands on no line, or was not chosen, has other places. */
	for (size_t i = 0; i < run->lines.n; i++)
		place[i] = lines->places[i] < most ? lines->places[i] : MS_NONE;
	sum(&rows, place, most, stall);
	ms_free(place);
	for (size_t i = 0; i < lines->lines.n; i++)
		if (lines->lines.at[i].place < most)
			lines->lines.at[i].counts.inclusive = stall[lines->lines.at[i].place];
	ms_free(stall);
	ms_paths_free_rows(&rows);
}
