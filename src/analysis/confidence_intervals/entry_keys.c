/* analysis/confidence_intervals/entry_keys.c - which cells belong to which entry, and the interval
 * of an entry. */
#include <math.h>
#include <string.h>

#include "analysis/confidence_intervals/intervals_priv.h"
#include "base/mem.h"

void ms_intervals_make(struct ms_intervals *intervals, const struct ms_summary *whole,
		       const uint64_t *keys, enum ms_summary_entry_kind kind)
{
	ms_intervals_of_keys(intervals, whole, keys, kind, false);
}

static uint64_t key_of(enum ms_summary_entry_kind kind, uint32_t code, uint32_t data, uint32_t line,
		       uint32_t processor)
{
	switch (kind) {
	case MS_ENTRY_TOTAL:
		return 0;
	case MS_ENTRY_CODE:
		return code;
	case MS_ENTRY_DATA:
		return data;
	case MS_ENTRY_LINE:
		return line;
	case MS_ENTRY_BIN:
		return (uint64_t)code << 32 | data;
	case MS_ENTRY_PROCESSOR:
		return processor;
	case MS_ENTRY_REASON:
		break;
	}
	return MS_NO_KEY;
}

static uint64_t *keys_by(const struct ms_run *run, enum ms_summary_entry_kind kind,
			 const struct ms_summary_selection *selection)
{
	size_t n = run->samplings.n > 0 ? run->cells.n : 0;
	uint64_t *keys = ms_alloc((n + 1) * sizeof(*keys));

	for (uint32_t i = 0; i < n; i++) {
		const struct ms_run_cell *cell = &run->cells.at[i];
		uint32_t line = run->sites.at[cell->site].line;
		bool chosen = selection == NULL ||
			      ms_summary_cell_is_selected(run, i, selection->code, selection->data);

		keys[i] = chosen ? key_of(kind, run->lines.at[line].code, cell->data, line,
					  cell->processor)
				 : MS_NO_KEY;
	}
	return keys;
}

/* Data executes nothing: of selected code all instructions count. skip: keys that are left out; all
 * others are one entry. NULL: each is its own. */
static void compute_by(struct ms_intervals *intervals, const struct ms_run *run,
		       enum ms_summary_entry_kind kind,
		       const struct ms_summary_selection *selection, const struct ms_map *skip)
{
	size_t n = ms_intervals_compute_rows(run);
	uint64_t *keys = ms_alloc((n + 1) * sizeof(*keys));

	for (size_t i = 0; i < n; i++) {
		struct ms_intervals_compute_row row = ms_intervals_compute_row(run, i);
		uint32_t code = run->lines.at[row.line].code;
		bool chosen = selection == NULL || selection->code == NULL || selection->code[code];

		keys[i] = chosen ? key_of(kind, code, MS_NONE, row.line, row.processor) : MS_NO_KEY;
		if (skip != NULL && chosen)
			keys[i] = ms_map_get(skip, keys[i], 0) == MS_MAP_NONE ? 0 : MS_NO_KEY;
	}
	if (kind != MS_ENTRY_DATA && kind != MS_ENTRY_BIN)
		ms_intervals_set_compute(intervals, run, keys);
	ms_free(keys);
}

/* Whether all cells of the run are one entry of the kind, also those that are in no window. */
static bool is_one(const struct ms_run *run, enum ms_summary_entry_kind kind)
{
	return kind == MS_ENTRY_TOTAL || (kind == MS_ENTRY_PROCESSOR && run->processors == 1);
}

/* If data are selected, an entry of code consists of bins; likewise data if code is selected. */
static enum ms_summary_entry_kind like(enum ms_summary_entry_kind kind,
				       const struct ms_summary_selection *selection)
{
	bool some = selection != NULL && selection->data != NULL;

	return kind != MS_ENTRY_DATA && some ? MS_ENTRY_BIN
	       : kind == MS_ENTRY_DATA && selection != NULL && selection->code != NULL
		       ? MS_ENTRY_BIN
		       : kind;
}

void ms_intervals_by_kind(struct ms_intervals *intervals, const struct ms_summary *whole,
			  enum ms_summary_entry_kind kind,
			  const struct ms_summary_selection *selection)
{
	uint64_t *keys = keys_by(whole->run, kind, selection);

	ms_intervals_of_keys(intervals, whole, keys, like(kind, selection),
			     is_one(whole->run, kind) &&
				     (selection == NULL ||
				      (selection->code == NULL && selection->data == NULL)));
	ms_free(keys);
	compute_by(intervals, whole->run, kind, selection, NULL);
}

void ms_intervals_on_processor(struct ms_intervals *intervals, const struct ms_summary *whole,
			       uint32_t processor)
{
	const struct ms_run *run = whole->run;
	size_t rows = ms_intervals_compute_rows(run),
	       cells = run->samplings.n > 0 ? run->cells.n : 0;
	uint64_t *keys = ms_alloc(((rows > cells ? rows : cells) + 1) * sizeof(*keys));

	for (size_t i = 0; i < cells; i++)
		keys[i] = run->cells.at[i].processor == processor
				  ? run->lines.at[run->sites.at[run->cells.at[i].site].line].code
				  : MS_NO_KEY;
	ms_intervals_make(intervals, whole, keys, MS_ENTRY_CODE);
	for (size_t i = 0; i < rows; i++) {
		struct ms_intervals_compute_row row = ms_intervals_compute_row(run, i);

		keys[i] = row.processor == processor ? run->lines.at[row.line].code : MS_NO_KEY;
	}
	ms_intervals_set_compute(intervals, run, keys);
	ms_free(keys);
}

/* --- reads and writes --- */

static enum ms_summary_rw rw_of(const struct ms_run *run, size_t cell)
{
	return run->sites.at[run->cells.at[cell].site].kind == MS_SITE_WRITE ? MS_WRITES : MS_READS;
}

static void copy_half(const struct ms_run *run, struct ms_intervals *to,
		      struct ms_intervals_entry *entry, enum ms_summary_rw rw,
		      const struct ms_intervals_entry *half)
{
	struct ms_intervals_rw *r = &entry->rw[rw];

	if (r->misses != NULL || half == NULL)
		return;
	*r = (struct ms_intervals_rw){ half->references, half->cycles, half->average,
				       ms_arena_take(&to->arena,
						     (run->levels.n + 1) * sizeof(*r->misses)) };
	for (size_t l = 0; l < run->levels.n; l++)
		r->misses[l] = half->levels[l].misses;
}

/* Reads and writes of every entry are entries of their own, of twice as many. */
void ms_intervals_split_rw_keys(struct ms_intervals *intervals, const struct ms_summary *whole,
				const uint64_t *keys, enum ms_summary_entry_kind kind)
{
	const struct ms_run *run = whole->run;
	size_t n = run->samplings.n > 0 ? run->cells.n : 0;
	uint64_t *half_keys = ms_alloc((n + 1) * sizeof(*half_keys));
	struct ms_intervals halves;

	for (size_t i = 0; i < n; i++)
		half_keys[i] = keys[i] == MS_NO_KEY ? MS_NO_KEY : MS_RW * keys[i] + rw_of(run, i);
	ms_intervals_make(&halves, whole, half_keys, kind);
	for (size_t i = 0; i < n; i++) {
		uint64_t key = half_keys[i];
		uint32_t at = key == MS_NO_KEY ? MS_MAP_NONE
					       : ms_map_get(&intervals->entries, key / MS_RW, 0);

		if (at != MS_MAP_NONE)
			copy_half(run, intervals, &intervals->at.at[at], key % MS_RW,
				  ms_intervals_at(&halves, key));
	}
	ms_intervals_free(&halves);
	ms_free(half_keys);
}

void ms_intervals_split_rw(struct ms_intervals *intervals, const struct ms_summary *whole,
			   enum ms_summary_entry_kind kind,
			   const struct ms_summary_selection *selection)
{
	uint64_t *keys = keys_by(whole->run, kind, selection);

	ms_intervals_split_rw_keys(intervals, whole, keys, like(kind, selection));
	ms_free(keys);
}

/* --- what is left --- */

void ms_intervals_rest(struct ms_intervals *intervals, const struct ms_summary *whole,
		       enum ms_summary_entry_kind kind,
		       const struct ms_summary_selection *selection,
		       const struct ms_summary_entry *shown, size_t shown_n)
{
	const struct ms_run *run = whole->run;
	size_t n = run->samplings.n > 0 ? run->cells.n : 0;
	uint64_t *keys = keys_by(run, kind, selection);
	struct ms_map map = MS_MAP_INIT;

	for (size_t i = 0; i < shown_n; i++)
		*ms_map_at(&map,
			   key_of(kind, shown[i].code, shown[i].data, shown[i].line,
				  shown[i].processor),
			   0) = 0;
	for (size_t i = 0; i < n; i++)
		if (keys[i] != MS_NO_KEY)
			keys[i] = ms_map_get(&map, keys[i], 0) == MS_MAP_NONE ? 0 : MS_NO_KEY;
	ms_intervals_make(intervals, whole, keys, like(kind, selection));
	compute_by(intervals, run, kind, selection, &map);
	ms_map_free(&map);
	ms_free(keys);
}

void ms_intervals_free(struct ms_intervals *intervals)
{
	ms_vec_free(&intervals->at);
	ms_map_free(&intervals->entries);
	ms_arena_free(&intervals->arena);
}

const struct ms_intervals_entry *ms_intervals_at(const struct ms_intervals *intervals, uint64_t key)
{
	uint32_t at = ms_map_get(&intervals->entries, key, 0);

	return at == MS_MAP_NONE ? NULL : &intervals->at.at[at];
}

const struct ms_intervals_entry *ms_intervals_of(const struct ms_intervals *intervals,
						 const struct ms_summary_entry *e)
{
	return ms_intervals_at(intervals, key_of(e->kind, e->code, e->data, e->line, e->processor));
}

struct ms_intervals_bounds ms_intervals_time(const struct ms_intervals_entry *e)
{
	return (struct ms_intervals_bounds){ e->compute.low + e->cycles.low,
					     e->compute.high + e->cycles.high };
}

struct ms_intervals_bounds ms_intervals_references(const struct ms_summary *whole,
						   struct ms_intervals_bounds share)
{
	const struct ms_run_sampling *s = &whole->run->samplings.at[0];
	double n = (double)ms_summary_rw_sum(whole->total.counts.references);

	if (!(s->total_low < s->total_high) || !(s->total > 0))
		return (struct ms_intervals_bounds){ n * share.low, n * share.high };
	return (struct ms_intervals_bounds){ n * share.low * s->total_low / s->total,
					     n * share.high * s->total_high / s->total };
}
