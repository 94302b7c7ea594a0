/* views/html/slices.c - misses over time as tables of the page. */
#include <string.h>

#include "views/html/html_priv.h"

/* The counts of a row, by level. The table has columns of causes only where they are known. */
struct level_counts {
	const struct ms_run *run;
	bool causes;
	struct ms_run_slice_counts *at;
};

static bool knows_causes(const struct ms_run *run)
{
	for (size_t i = 0; i < run->slice_sums.n; i++)
		for (int c = 0; c < MS_CAUSES; c++)
			if (run->slice_sums.at[i].counts.causes[c] > 0)
				return true;
	return false;
}

/* What is neither of the two causes is a replacement miss. */
static const struct {
	enum ms_run_cause cause;
	const char *name;
} listed_causes[] = { { MS_CAUSE_FIRST, "first" }, { MS_CAUSE_INVALIDATED, "invalidation" } };

/* One cause after the other, so that zeros are at the end of rows. */
static void level_columns(struct ms_html_packed *p, const struct level_counts *counts)
{
	for (size_t l = 0; l < counts->run->levels.n; l++)
		ms_html_packed_column(p, "levels.%zu.misses", l);
	for (size_t c = 0; c < MS_COUNT(listed_causes) && counts->causes; c++)
		for (size_t l = 0; l < counts->run->levels.n; l++)
			ms_html_packed_column(p, "levels.%zu.causes.%s", l, listed_causes[c].name);
}

static void add_level(struct level_counts *counts, uint32_t level,
		      const struct ms_run_slice_counts *more)
{
	counts->at[level].misses += more->misses;
	for (int c = 0; c < MS_CAUSES; c++)
		counts->at[level].causes[c] += more->causes[c];
}

/* They are 0 for the next row. */
static void put_levels(struct ms_html_packed *p, struct level_counts *counts)
{
	const size_t levels = counts->run->levels.n;

	for (size_t l = 0; l < levels; l++)
		ms_html_packed_u64(p, counts->at[l].misses);
	for (size_t c = 0; c < MS_COUNT(listed_causes) && counts->causes; c++)
		for (size_t l = 0; l < levels; l++)
			ms_html_packed_u64(p, counts->at[l].causes[listed_causes[c].cause]);
	memset(counts->at, 0, levels * sizeof(*counts->at));
}

static void put_slices(struct ms_html_packed *p, const struct ms_run *run)
{
	ms_html_packed_table(p, "slices");
	ms_html_packed_column(p, "phase");
	ms_html_packed_column(p, "steps");
	for (size_t i = 0; i < run->slices.n; i++) {
		const struct ms_run_slice *slice = &run->slices.at[i];

		ms_html_packed_row(p);
		if (slice->phase != MS_NONE)
			ms_html_packed_u64(p, slice->phase);
		else
			ms_html_packed_null(p);
		ms_html_packed_u64(p, slice->steps);
	}
	ms_html_packed_end(p);
}

static bool same_pair(const struct ms_run_slice_miss *a, const struct ms_run_slice_miss *b)
{
	return a->slice == b->slice && a->code == b->code && a->data == b->data;
}

static void put_pairs(struct ms_html_packed *p, const struct ms_html_rows *rows,
		      struct level_counts *counts)
{
	const struct ms_run *run = counts->run;

	ms_html_packed_table(p, "slice_bins");
	ms_html_packed_column(p, "slice");
	ms_html_packed_column(p, "code");
	ms_html_packed_column(p, "data");
	level_columns(p, counts);
	for (size_t i = 0; i < run->slice_misses.n; i++) {
		const struct ms_run_slice_miss *m = &run->slice_misses.at[i];

		add_level(counts, m->level, &m->counts);
		if (i + 1 < run->slice_misses.n && same_pair(m, m + 1))
			continue;
		ms_html_packed_row(p);
		ms_html_packed_u64(p, m->slice);
		ms_html_packed_u64(p, rows->code[m->code]);
		ms_html_packed_u64(p, rows->data[m->data]);
		put_levels(p, counts);
	}
	ms_html_packed_end(p);
}

static void put_lines(struct ms_html_packed *p, struct level_counts *counts)
{
	const struct ms_run *run = counts->run;

	ms_html_packed_table(p, "slice_lines");
	ms_html_packed_column(p, "slice");
	ms_html_packed_texts(p, "file");
	ms_html_packed_column(p, "line");
	level_columns(p, counts);
	for (size_t i = 0; i < run->slice_lines.n; i++) {
		const struct ms_run_slice_line *m = &run->slice_lines.at[i];

		add_level(counts, m->level, &m->counts);
		if (i + 1 < run->slice_lines.n && m[1].slice == m->slice && m[1].line == m->line)
			continue;
		ms_html_packed_row(p);
		ms_html_packed_u64(p, m->slice);
		ms_html_packed_text(p, run->lines.at[m->line].file);
		ms_html_packed_u64(p, run->lines.at[m->line].line);
		put_levels(p, counts);
	}
	ms_html_packed_end(p);
}

static void put_sums(struct ms_html_packed *p, struct level_counts *counts)
{
	const struct ms_run *run = counts->run;

	ms_html_packed_table(p, "slice_sums");
	ms_html_packed_column(p, "slice");
	ms_html_packed_column(p, "processor");
	level_columns(p, counts);
	for (size_t i = 0; i < run->slice_sums.n; i++) {
		const struct ms_run_slice_sum *sum = &run->slice_sums.at[i];

		add_level(counts, sum->level, &sum->counts);
		if (i + 1 < run->slice_sums.n && sum[1].slice == sum->slice &&
		    sum[1].processor == sum->processor)
			continue;
		ms_html_packed_row(p);
		ms_html_packed_u64(p, sum->slice);
		ms_html_packed_u64(p, sum->processor);
		put_levels(p, counts);
	}
	ms_html_packed_end(p);
}

static void put_threads(struct ms_html_packed *p, const struct ms_run *run)
{
	ms_html_packed_table(p, "slice_threads");
	ms_html_packed_column(p, "slice");
	ms_html_packed_column(p, "thread");
	ms_html_packed_column(p, "latency");
	for (size_t i = 0; i < run->slice_threads.n; i++) {
		const struct ms_run_slice_thread *t = &run->slice_threads.at[i];

		ms_html_packed_numbers(p, (uint64_t[]){ t->slice, t->thread, t->latency }, 3);
	}
	ms_html_packed_end(p);
}

/* By set: of data in the observed part of the run, and of all data over time. */
static void put_sets(struct ms_html_packed *p, const struct ms_run *run,
		     const struct ms_html_rows *rows)
{
	static const char *const of_data[] = { "data", "level", "sets", "misses", "replaced" };
	static const char *const over_time[] = { "slice", "level", "sets", "misses" };

	ms_html_packed_table(p, "set_misses");
	for (size_t i = 0; i < MS_COUNT(of_data); i++)
		ms_html_packed_column(p, "%s", of_data[i]);
	for (size_t i = 0; i < run->set_misses.n; i++) {
		const struct ms_run_set_miss *m = &run->set_misses.at[i];
		const uint64_t row[] = { rows->data[m->data], m->level, m->sets, m->misses,
					 m->replaced };

		ms_html_packed_numbers(p, row, MS_COUNT(row));
	}
	ms_html_packed_end(p);
	ms_html_packed_table(p, "set_slices");
	for (size_t i = 0; i < MS_COUNT(over_time); i++)
		ms_html_packed_column(p, "%s", over_time[i]);
	for (size_t i = 0; i < run->set_slices.n; i++) {
		const struct ms_run_set_slice *m = &run->set_slices.at[i];
		const uint64_t row[] = { m->slice, m->level, m->sets, m->misses };

		ms_html_packed_numbers(p, row, MS_COUNT(row));
	}
	ms_html_packed_end(p);
}

void ms_html_put_slices(struct ms_html_packed *p, const struct ms_run *run,
			const struct ms_html_rows *rows)
{
	struct level_counts counts = { run, knows_causes(run), NULL };

	counts.at = ms_alloc((run->levels.n + 1) * sizeof(*counts.at));
	put_slices(p, run);
	put_pairs(p, rows, &counts);
	put_lines(p, &counts);
	put_sums(p, &counts);
	put_threads(p, run);
	put_sets(p, run, rows);
	ms_free(counts.at);
}
