/*
 * tests/unit/sample_paths.h - the run of sample_run.h with call paths: main calls BlkMultiply on
 * line 44 and ClearProduct, which calls memcpy on line 14. All misses of a line and data have one
 * path, except those of BlkMultiply's line 31 on Z: a quarter of them is in a call by itself.
 */
#ifndef MS_TESTS_SAMPLE_PATHS_H
#define MS_TESTS_SAMPLE_PATHS_H

#include "unit/sample_run.h"

enum { SAMPLE_ROOT, SAMPLE_OTHER, SAMPLE_FROM_MAIN, SAMPLE_FROM_CLEAR, SAMPLE_FROM_MULTIPLY };

/* The path of the function that a line belongs to. */
static uint32_t sample_path_to(const struct ms_run *run, uint32_t line)
{
	switch (run->lines.at[line].code) {
	case SAMPLE_MAIN:
		return SAMPLE_ROOT;
	case SAMPLE_MEMCPY:
		return SAMPLE_FROM_CLEAR;
	default:
		return SAMPLE_FROM_MAIN;
	}
}

static int sample_by_path(const void *a, const void *b)
{
	const struct ms_run_path_miss *x = a, *y = b;
	const uint32_t of_x[] = { x->path, x->line, x->data, x->level };
	const uint32_t of_y[] = { y->path, y->line, y->data, y->level };

	for (int i = 0; i < 4; i++)
		if (of_x[i] != of_y[i])
			return of_x[i] < of_y[i] ? -1 : 1;
	return 0;
}

static void sample_path_miss(struct ms_run *run, const struct ms_run_path_miss *miss)
{
	for (size_t i = 0; i < run->path_misses.n; i++) {
		struct ms_run_path_miss *at = &run->path_misses.at[i];

		if (sample_by_path(at, miss) != 0)
			continue;
		at->misses += miss->misses;
		return;
	}
	*ms_vec_add(&run->path_misses) = *miss;
}

static void sample_paths_run(struct ms_run *run)
{
	sample_run(run);
	run->uid = "00112233445566778899aabbccddee21";
	run->tag = "paths";
	SAMPLE_ADD(&run->paths, (struct ms_run_path){ MS_NONE, MS_NONE, MS_PATH_ROOT });
	SAMPLE_ADD(&run->paths, (struct ms_run_path){ MS_NONE, MS_NONE, MS_PATH_OTHER });
	SAMPLE_ADD(&run->paths, (struct ms_run_path){ SAMPLE_ROOT, 2, MS_PATH_CALL });
	SAMPLE_ADD(&run->paths, (struct ms_run_path){ SAMPLE_FROM_MAIN, 3, MS_PATH_CALL });
	SAMPLE_ADD(&run->paths, (struct ms_run_path){ SAMPLE_FROM_MAIN, 0, MS_PATH_CALL });
	for (size_t i = 0; i < run->misses.n; i++) {
		const struct ms_run_miss *m = &run->misses.at[i];
		const struct ms_run_cell *cell = &run->cells.at[m->cell];
		uint32_t line = run->sites.at[cell->site].line;
		struct ms_run_path_miss row = { sample_path_to(run, line), line, cell->data,
						m->level,
						m->causes[0] + m->causes[1] + m->causes[2] };

		if (line == 1 && cell->data == SAMPLE_Z) {
			struct ms_run_path_miss quarter = row;

			quarter.path = SAMPLE_FROM_MULTIPLY;
			quarter.misses /= 4;
			row.misses -= quarter.misses;
			sample_path_miss(run, &quarter);
		}
		sample_path_miss(run, &row);
	}
	qsort(run->path_misses.at, run->path_misses.n, sizeof(*run->path_misses.at),
	      sample_by_path);
}

#endif
