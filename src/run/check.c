/* run/check.c - checks the consistency of a run: indices are valid, and arrays are sorted. */
#include <inttypes.h>
#include <string.h>

#include "run/fields.h"

static size_t limit_of(const struct ms_run *run, const struct ms_run_field *field)
{
	size_t n = 0;

	if (field->kind == MS_FIELD_INDEX || field->kind == MS_FIELD_MAYBE_INDEX)
		return ms_run_vec(run, field->target).n;
	while (field->kind == MS_FIELD_WORD && field->words[n] != NULL)
		n++;
	return n;
}

static int check_field(const struct ms_run *run, const struct ms_run_table *stored,
		       const struct ms_run_field *field, struct ms_err *err)
{
	struct ms_run_any_vec rows = ms_run_vec(run, stored->array);
	size_t limit = limit_of(run, field);

	bool maybe = field->kind == MS_FIELD_MAYBE_INDEX;

	if (field->kind != MS_FIELD_INDEX && field->kind != MS_FIELD_WORD && !maybe)
		return MS_OK;
	for (size_t i = 0; i < rows.n; i++) {
		uint32_t value;

		memcpy(&value, rows.at + i * stored->size + field->offset, sizeof(value));
		if (value >= limit && !(maybe && value == MS_NONE))
			return ms_fail(err, MS_EBUG,
				       "%s %zu of the run has %s %" PRIu32
				       ", and there are only %zu",
				       stored->table, i, field->column, value, limit);
	}
	return MS_OK;
}

/* Arrays without an index column are sorted by their first two columns: readers rely on it. */
static int check_order(const struct ms_run *run, const struct ms_run_table *stored,
		       struct ms_err *err)
{
	struct ms_run_any_vec rows = ms_run_vec(run, stored->array);
	uint64_t last = 0;

	if (stored->number != NULL)
		return MS_OK;
	for (size_t i = 0; i < rows.n; i++) {
		const char *row = rows.at + i * stored->size;
		uint32_t first, second;

		memcpy(&first, row + stored->fields[0].offset, sizeof(first));
		memcpy(&second, row + stored->fields[1].offset, sizeof(second));
		uint64_t key = (uint64_t)first << 32 | second;
		if (key < last)
			return ms_fail(err, MS_EBUG,
				       "%s %zu of the run stands before the one it follows",
				       stored->table, i);
		last = key;
	}
	return MS_OK;
}

/* Each phase has a row of misses for each level, also if there are none: views rely on it. */
static int check_phases(const struct ms_run *run, struct ms_err *err)
{
	size_t levels = ms_run_is_measured(run) ? MS_PHASE_FIGURES : run->levels.n;
	size_t wanted = run->phases.n * levels;

	if (ms_run_is_measured(run) && run->phase_misses.n == 0) /* older runs have none */
		return MS_OK;
	if (run->phase_misses.n != wanted)
		return ms_fail(err, MS_EBUG,
			       "%zu phases and %zu levels have %zu figures, expected %zu",
			       run->phases.n, levels, run->phase_misses.n, wanted);
	for (size_t i = 0; i < wanted; i++)
		if (run->phase_misses.at[i].phase != i / levels ||
		    run->phase_misses.at[i].level != i % levels)
			return ms_fail(err, MS_EBUG,
				       "phase_miss %zu is of phase %" PRIu32 " and level %" PRIu32
				       ", expected %zu and %zu",
				       i, run->phase_misses.at[i].phase,
				       run->phase_misses.at[i].level, i / levels, i % levels);
	return MS_OK;
}

/* Views have an entry for each slice. */
static int check_slices(const struct ms_run *run, struct ms_err *err)
{
	uint32_t slices = ms_run_slices(run);

	for (size_t i = 0; i < run->stays.n; i++)
		if (run->stays.at[i].slice >= slices)
			return ms_fail(err, MS_EBUG,
				       "stay %zu of the run has slice %" PRIu32
				       ", and there are only %" PRIu32,
				       i, run->stays.at[i].slice, slices);
	return MS_OK;
}

static int check_processor(const struct ms_run *run, const char *table, size_t i,
			   uint32_t processor, struct ms_err *err)
{
	if (processor < run->processors)
		return MS_OK;
	return ms_fail(err, MS_EBUG,
		       "%s %zu of the run has processor %" PRIu32 ", and there are only %" PRIu32,
		       table, i, processor, run->processors);
}

/* Views have an entry for each slice, level and processor. */
static int check_timeline(const struct ms_run *run, struct ms_err *err)
{
	if (run->slices.n > MS_RUN_TIMELINE_MOST)
		return ms_fail(err, MS_EBUG, "the run has %zu slices, expected at most %d",
			       run->slices.n, (int)MS_RUN_TIMELINE_MOST);
	for (size_t i = 0; i < run->slice_sums.n; i++)
		MS_TRY(check_processor(run, "slice_sum", i, run->slice_sums.at[i].processor, err));
	for (size_t i = 0; i < run->set_slices.n; i++)
		if (run->set_slices.at[i].sets >= MS_RUN_SET_GROUPS)
			return ms_fail(err, MS_EBUG,
				       "set_slice %zu of the run has sets %" PRIu32
				       ", and there are at most %d groups",
				       i, run->set_slices.at[i].sets, (int)MS_RUN_SET_GROUPS);
	return MS_OK;
}

/* Readers follow the parents of a path up to one that has none. */
static int check_paths(const struct ms_run *run, struct ms_err *err)
{
	for (size_t i = 0; i < run->paths.n; i++) {
		const struct ms_run_path *path = &run->paths.at[i];
		bool calls = path->kind == MS_PATH_CALL;

		if ((path->parent != MS_NONE) != calls || (path->line != MS_NONE) != calls ||
		    (calls && path->parent >= i))
			return ms_fail(err, MS_EBUG,
				       "path %zu of the run has no caller, or one that follows it",
				       i);
	}
	return MS_OK;
}

/* Views have an array of levels, or of figures, for each path. */
static int check_path_misses(const struct ms_run *run, struct ms_err *err)
{
	size_t levels = ms_run_is_measured(run) ? MS_PATH_FIGURES : run->levels.n;

	for (size_t i = 0; i < run->path_misses.n; i++)
		if (run->path_misses.at[i].level >= levels)
			return ms_fail(err, MS_EBUG,
				       "path_miss %zu of the run has level %" PRIu32
				       ", and there are only %zu",
				       i, run->path_misses.at[i].level, levels);
	return MS_OK;
}

static int check_processors(const struct ms_run *run, struct ms_err *err)
{
	if (run->processors < 1 || run->processors > MS_RUN_PROCESSORS_MOST)
		return ms_fail(err, MS_EBUG, "the run has %" PRIu32 " processors, expected 1 to %d",
			       run->processors, (int)MS_RUN_PROCESSORS_MOST);
	if (run->nodes < 1 || run->nodes > run->processors)
		return ms_fail(err, MS_EBUG,
			       "the run has %" PRIu32 " nodes of memory, expected 1 to as many as "
			       "processors (%" PRIu32 ")",
			       run->nodes, run->processors);
	for (size_t i = 0; i < run->cells.n; i++)
		MS_TRY(check_processor(run, "cell", i, run->cells.at[i].processor, err));
	for (size_t i = 0; i < run->line_times.n; i++)
		MS_TRY(check_processor(run, "line_time", i, run->line_times.at[i].processor, err));
	for (size_t i = 0; i < run->threads.n; i++)
		MS_TRY(check_processor(run, "thread", i, run->threads.at[i].processor, err));
	return MS_OK;
}

static int check_head(const struct ms_run *run, struct ms_err *err)
{
	for (const struct ms_run_field *f = ms_run_fields; f->column != NULL; f++) {
		uint32_t value;

		if (f->kind != MS_FIELD_WORD)
			continue;
		memcpy(&value, (const char *)run + f->offset, sizeof(value));
		if (value >= limit_of(run, f))
			return ms_fail(err, MS_EBUG, "the run has an unknown %s (%" PRIu32 ")",
				       f->column, value);
	}
	return check_processors(run, err);
}

int ms_run_check(const struct ms_run *run, struct ms_err *err)
{
	MS_TRY(check_head(run, err));
	for (const struct ms_run_table *s = ms_run_tables; s->table != NULL; s++) {
		for (const struct ms_run_field *f = s->fields; f->column != NULL; f++)
			MS_TRY(check_field(run, s, f, err));
		MS_TRY(check_order(run, s, err));
	}
	MS_TRY(check_phases(run, err));
	MS_TRY(check_slices(run, err));
	MS_TRY(check_timeline(run, err));
	MS_TRY(check_paths(run, err));
	MS_TRY(check_path_misses(run, err));
	MS_TRY(ms_run_check_pmus(run, err));
	MS_TRY(ms_run_check_sampled(run, err));
	return ms_run_check_hardware(run, err);
}
