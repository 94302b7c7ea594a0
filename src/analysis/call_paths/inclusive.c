/* analysis/call_paths/inclusive.c - costs of code and lines with all that they call. */
#include <string.h>

#include "analysis/call_paths/call_paths.h"
#include "base/mem.h"

/* What costs are added up by: the line itself, or its code. */
typedef uint32_t number_function(const struct ms_run *run, uint32_t line);

static uint32_t code_of(const struct ms_run *run, uint32_t line)
{
	return run->lines.at[line].code;
}

static uint32_t line_itself(const struct ms_run *run, uint32_t line)
{
	(void)run;
	return line;
}

/* Recursion counts once: seen has the row that was counted last, plus 1. */
static void add_once(const struct ms_paths_row *row, size_t number, uint32_t to, size_t *seen,
		     uint64_t *stall)
{
	if (seen[to] == number + 1)
		return;
	seen[to] = number + 1;
	stall[to] += row->stall;
}

static void sum(const struct ms_paths_rows *rows, number_function *of, size_t n, uint64_t *stall)
{
	const struct ms_run *run = rows->run;
	size_t *seen = ms_alloc((n + 1) * sizeof(*seen));

	memset(stall, 0, n * sizeof(*stall));
	for (size_t i = 0; i < rows->at.n; i++) {
		const struct ms_paths_row *row = &rows->at.at[i];

		add_once(row, i, of(run, row->line), seen, stall);
		for (uint32_t path = row->path; run->paths.at[path].line != MS_NONE;
		     path = run->paths.at[path].parent)
			add_once(row, i, of(run, run->paths.at[path].line), seen, stall);
	}
	ms_free(seen);
}

void ms_paths_sum_inclusive(const struct ms_paths_rows *rows, uint64_t *stall)
{
	sum(rows, code_of, rows->run->codes.n, stall);
}

void ms_paths_sum_inclusive_lines(const struct ms_paths_rows *rows, uint64_t *stall)
{
	sum(rows, line_itself, rows->run->lines.n, stall);
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
		s->code.at.at[i].inclusive = stall[s->code.at.at[i].code];
	ms_paths_sum_inclusive_lines(&rows, stall);
	for (size_t i = 0; i < s->lines.at.n; i++)
		s->lines.at.at[i].inclusive = stall[s->lines.at.at[i].line];
	ms_free(stall);
	ms_paths_free_rows(&rows);
}
