/* analysis/line_use/line_use.c - see line_use.h. */
#include "analysis/line_use/line_use.h"

#include <math.h>

#include "base/mem.h"
#include "base/num.h"

bool ms_line_use_is_observed(const struct ms_run *run, uint32_t level)
{
	for (size_t i = 0; i < run->line_uses.n; i++)
		if (run->line_uses.at[i].level == level)
			return true;
	return false;
}

struct sums {
	struct ms_line_use use; /* sums, not means */
	double variance;
};

static void add(struct sums *sums, const struct ms_run_line_use *row)
{
	sums->use.lines += row->lines;
	sums->use.used += row->used_bytes;
	sums->use.written_lines += row->written_lines;
	sums->use.written += row->written_bytes;
	sums->variance += row->variance;
}

/* A line has at least one used byte, and at most all. */
static struct ms_line_use finish(const struct sums *sums, uint32_t line)
{
	struct ms_line_use use = sums->use;
	double error = MS_NORMAL_95 * sqrt(sums->variance);

	if (use.lines > 0) {
		use.low = fmax((use.used - error) / use.lines, 1);
		use.high = fmin((use.used + error) / use.lines, line);
		use.used /= use.lines;
	}
	if (use.written_lines > 0)
		use.written /= use.written_lines;
	return use;
}

struct ms_line_use ms_line_use_of(const struct ms_run *run, uint32_t level, const bool *code,
				  const bool *data)
{
	struct sums sums = { .variance = 0 };

	for (size_t i = 0; i < run->line_uses.n; i++) {
		const struct ms_run_line_use *row = &run->line_uses.at[i];
		const struct ms_run_cell *cell = &run->cells.at[row->cell];
		uint32_t line = run->sites.at[cell->site].line;

		if (row->level == level && (code == NULL || code[run->lines.at[line].code]) &&
		    (data == NULL || data[cell->data]))
			add(&sums, row);
	}
	return finish(&sums, run->levels.at[level].line);
}

struct ms_line_use ms_line_use_of_line(const struct ms_run *run, uint32_t level, uint32_t line,
				       uint32_t data)
{
	struct sums sums = { .variance = 0 };

	for (size_t i = 0; i < run->line_uses.n; i++) {
		const struct ms_run_line_use *row = &run->line_uses.at[i];
		const struct ms_run_cell *cell = &run->cells.at[row->cell];

		if (row->level == level && cell->data == data &&
		    (line == MS_NONE || run->sites.at[cell->site].line == line))
			add(&sums, row);
	}
	return finish(&sums, run->levels.at[level].line);
}

void ms_line_use_by_data(const struct ms_run *run, uint32_t level, struct ms_line_use *use)
{
	struct sums *sums = ms_alloc((run->data.n + 1) * sizeof(*sums));

	for (size_t i = 0; i < run->line_uses.n; i++)
		if (run->line_uses.at[i].level == level)
			add(&sums[run->cells.at[run->line_uses.at[i].cell].data],
			    &run->line_uses.at[i]);
	for (size_t i = 0; i < run->data.n; i++)
		use[i] = finish(&sums[i], run->levels.at[level].line);
	ms_free(sums);
}

void ms_line_use_by_line(const struct ms_run *run, uint32_t level,
			 const struct ms_line_use_keys *keys, struct ms_line_use *use)
{
	struct sums *sums = ms_alloc((keys->n + 1) * sizeof(*sums));

	for (size_t i = 0; i < run->line_uses.n; i++) {
		const struct ms_run_line_use *row = &run->line_uses.at[i];
		uint32_t key = keys->key[run->sites.at[run->cells.at[row->cell].site].line];

		if (row->level == level && key < keys->n)
			add(&sums[key], row);
	}
	for (size_t i = 0; i < keys->n; i++)
		use[i] = finish(&sums[i], run->levels.at[level].line);
	ms_free(sums);
}
