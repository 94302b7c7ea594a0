/*
 * name/timeline.c - stores misses over time in the run, by function and data, and by line of
 * source. The database has the pairs and lines of a slice that have a hundredth of its latency, and
 * at most MS_RUN_SLICE_PAIRS_MOST and MS_RUN_SLICE_LINES_MOST; views compute the rest from the
 * sums.
 *
 * What windows miss for the first time may have been used between windows, so that slices of
 * windows have no causes.
 */
#include <stdlib.h>

#include "base/num.h"
#include "name/name_priv.h"

enum { LEAST_PART = 100 };

/* What a slice has apart: misses of code on data, or of a line of source. */
struct entry {
	uint32_t of[2]; /* code and data, or line and 0 */
	uint64_t causes[MS_ENGINE_SLICE_LEVELS][MS_ENGINE_MISS_CAUSES];
	uint64_t latency;
};

/* Where a name has its entry in the list. */
struct entry_place {
	uint32_t list; /* that it was last in, 0: none */
	uint32_t at;
};

struct entry_list {
	MS_VEC(struct entry) at;
	uint32_t number;     /* of the list: each slice has two */
	struct ms_map names; /* to places, of all lists: a name is in many */
	MS_VEC(struct entry_place) places;
};

static int by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = ms_cmp_u64(x->of[0], y->of[0]);

	return order != 0 ? order : ms_cmp_u64(x->of[1], y->of[1]);
}

static int by_latency(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = ms_cmp_u64(y->latency, x->latency);

	return order != 0 ? order : by_name(a, b);
}

static void sort_entries(struct entry_list *list, int (*order)(const void *, const void *))
{
	if (list->at.n > 1)
		qsort(list->at.at, list->at.n, sizeof(*list->at.at), order);
}

/* Cycles that a miss of the level adds. */
static uint64_t latency_of(const struct ms_name_state *n, uint32_t level)
{
	const struct ms_machine *m = n->from.machine;
	uint32_t own = m->levels.at[level].latency;
	uint32_t next =
		level + 1 < m->levels.n ? m->levels.at[level + 1].latency : m->memory_latency;

	return next > own ? next - own : 1;
}

static uint32_t recorded_levels(const struct ms_name_state *n)
{
	size_t levels = n->run->levels.n;

	return levels < MS_ENGINE_SLICE_LEVELS ? (uint32_t)levels : MS_ENGINE_SLICE_LEVELS;
}

/* It exists: all sites of the run have one. */
static uint32_t line_of(struct ms_name_state *n, uint32_t site)
{
	return ms_name_line(n, ms_bins_site(n->from.binder, site)->pc);
}

static struct entry entry_of(struct ms_name_state *n, const struct ms_engine_total_slice_cell *cell,
			     bool by_line)
{
	const uint32_t line = line_of(n, cell->site);
	struct entry entry = { .of = { line, 0 } };

	if (!by_line) {
		entry.of[0] = n->run->lines.at[line].code;
		entry.of[1] = ms_name_data(n, cell->data);
	}
	for (uint32_t l = 0; l < recorded_levels(n); l++)
		for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++) {
			entry.causes[l][c] = cell->causes[l][c];
			entry.latency += cell->causes[l][c] * latency_of(n, l);
		}
	return entry;
}

static void add_entry(struct entry *to, const struct entry *from)
{
	to->latency += from->latency;
	for (unsigned l = 0; l < MS_ENGINE_SLICE_LEVELS; l++)
		for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
			to->causes[l][c] += from->causes[l][c];
}

/* The entry of the name in the list; NULL: it has none, and the next to be added is its. */
static struct entry *find_entry(struct entry_list *list, const uint32_t of[2], bool by_line)
{
	uint32_t *number = ms_map_at(&list->names, (uint64_t)of[0] << 32 | of[1], by_line);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)list->places.n;
		ms_vec_add(&list->places);
	}
	struct entry_place *place = &list->places.at[*number];
	if (place->list == list->number)
		return &list->at.at[place->at];
	*place = (struct entry_place){ list->number, (uint32_t)list->at.n };
	return NULL;
}

/* Entries of cells, one for each name, in any order. */
static void take_entries(struct ms_name_state *n, const struct ms_engine_total_slice_cell *cells,
			 size_t count, bool by_line, struct entry_list *list)
{
	list->at.n = 0;
	list->number++;
	for (size_t i = 0; i < count; i++) {
		const struct entry entry = entry_of(n, &cells[i], by_line);
		struct entry *same = find_entry(list, entry.of, by_line);

		if (same != NULL)
			add_entry(same, &entry);
		else
			*ms_vec_add(&list->at) = entry;
	}
}

/* Few are large enough: only these are sorted, by latency if they are too many, then by name. */
static void keep_largest(struct entry_list *list, size_t most)
{
	uint64_t all = 0;
	size_t kept = 0;

	for (size_t i = 0; i < list->at.n; i++)
		all += list->at.at[i].latency;
	for (size_t i = 0; i < list->at.n; i++)
		if (list->at.at[i].latency > all / LEAST_PART)
			list->at.at[kept++] = list->at.at[i];
	list->at.n = kept;
	if (kept > most) {
		sort_entries(list, by_latency);
		list->at.n = most;
	}
	sort_entries(list, by_name);
}

static struct ms_run_slice_counts counts_of(const struct ms_name_state *n, const uint64_t *causes)
{
	const bool known = !ms_stream_sampling_has_windows(n->from.sampling);
	struct ms_run_slice_counts counts = { 0 };

	for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
		counts.misses += causes[c];
	if (known) {
		counts.causes[MS_CAUSE_FIRST] = causes[MS_ENGINE_MISS_FIRST];
		counts.causes[MS_CAUSE_REPLACED] = causes[MS_ENGINE_MISS_REPLACED];
		counts.causes[MS_CAUSE_INVALIDATED] = causes[MS_ENGINE_MISS_INVALIDATED];
	}
	return counts;
}

static void add_pairs(const struct ms_name_state *n, uint32_t slice, const struct entry_list *list)
{
	for (size_t i = 0; i < list->at.n; i++)
		for (uint32_t l = 0; l < recorded_levels(n); l++) {
			const struct entry *entry = &list->at.at[i];
			struct ms_run_slice_miss row = { slice, entry->of[0], entry->of[1], l,
							 counts_of(n, entry->causes[l]) };

			if (row.counts.misses > 0)
				*ms_vec_add(&n->run->slice_misses) = row;
		}
}

/* Code without debug information has no line, and its functions have rows already. */
static void add_lines(const struct ms_name_state *n, uint32_t slice, const struct entry_list *list)
{
	for (size_t i = 0; i < list->at.n; i++)
		for (uint32_t l = 0; l < recorded_levels(n); l++) {
			const struct entry *entry = &list->at.at[i];
			struct ms_run_slice_line row = { slice, entry->of[0], l,
							 counts_of(n, entry->causes[l]) };

			if (row.counts.misses > 0 && n->run->lines.at[row.line].file != NULL)
				*ms_vec_add(&n->run->slice_lines) = row;
		}
}

/* Parts that the engine counts by set are as many slices each. */
static void add_set_parts(struct ms_run *run, const struct ms_engine_totals *t)
{
	const uint32_t slices = ms_run_set_part_slices(run);

	for (size_t i = 0; i < t->set_parts.n; i++) {
		const struct ms_engine_total_set_part *p = &t->set_parts.at[i];

		if ((uint64_t)p->part * slices < run->slices.n)
			*ms_vec_add(&run->set_slices) =
				(struct ms_run_set_slice){ p->part * slices, p->level, p->sets,
							   p->misses };
	}
}

struct thread_latency {
	uint32_t thread;
	uint64_t latency;
};

static int by_thread_latency(const void *a, const void *b)
{
	const struct thread_latency *x = a, *y = b;
	int order = ms_cmp_u64(y->latency, x->latency);

	return order != 0 ? order : ms_cmp_u64(x->thread, y->thread);
}

/* Whether a thread is one of those that wait the most, by thread. */
static bool *choose_threads(const struct ms_run *run, const struct ms_engine_totals *t)
{
	struct thread_latency *all = ms_alloc((run->threads.n + 1) * sizeof(*all));
	bool *chosen = ms_alloc((run->threads.n + 1) * sizeof(*chosen));

	for (uint32_t i = 0; i < run->threads.n; i++)
		all[i].thread = i;
	for (size_t i = 0; i < t->slice_threads.n; i++) {
		size_t thread = t->slice_threads.at[i].thread / MS_NAME_CLOCKS_COMPANIES;

		if (thread < run->threads.n)
			all[thread].latency += t->slice_threads.at[i].latency;
	}
	if (run->threads.n > 1)
		qsort(all, run->threads.n, sizeof(*all), by_thread_latency);
	for (size_t i = 0; i < run->threads.n && i < MS_RUN_SLICE_THREADS; i++)
		chosen[all[i].thread] = true;
	ms_free(all);
	return chosen;
}

/* The engine has two numbers for a thread, one after the other: alone, and with others. */
static void add_threads(struct ms_run *run, const struct ms_engine_totals *t)
{
	bool *chosen = choose_threads(run, t);

	for (size_t i = 0; i < t->slice_threads.n; i++) {
		const struct ms_engine_total_slice_thread *row = &t->slice_threads.at[i];
		uint32_t thread = row->thread / MS_NAME_CLOCKS_COMPANIES;
		size_t n = run->slice_threads.n;
		struct ms_run_slice_thread *last = n > 0 ? &run->slice_threads.at[n - 1] : NULL;

		if (thread >= run->threads.n || !chosen[thread])
			continue;
		if (last != NULL && last->slice == row->slice && last->thread == thread)
			last->latency += row->latency;
		else
			*ms_vec_add(&run->slice_threads) =
				(struct ms_run_slice_thread){ row->slice, thread, row->latency };
	}
	ms_free(chosen);
}

static void add_sums(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	for (size_t i = 0; i < t->slice_sums.n; i++) {
		const struct ms_engine_total_slice_sum *sum = &t->slice_sums.at[i];

		*ms_vec_add(&n->run->slice_sums) =
			(struct ms_run_slice_sum){ sum->slice, sum->processor, sum->level,
						   counts_of(n, sum->causes) };
	}
}

void ms_name_add_timeline(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	struct entry_list list = { .names = MS_MAP_INIT };
	size_t at = 0, end;

	for (uint32_t i = 0; i < t->slices.n; i++) {
		for (end = at; end < t->slice_cells.n && t->slice_cells.at[end].slice == i;)
			end++;
		*ms_vec_add(&n->run->slices) =
			(struct ms_run_slice){ t->slices.at[i].steps,
					       n->run->phases.n > 0 ? t->slices.at[i].phase
								    : MS_NONE };
		take_entries(n, &t->slice_cells.at[at], end - at, false, &list);
		keep_largest(&list, MS_RUN_SLICE_PAIRS_MOST);
		add_pairs(n, i, &list);
		take_entries(n, &t->slice_cells.at[at], end - at, true, &list);
		keep_largest(&list, MS_RUN_SLICE_LINES_MOST);
		add_lines(n, i, &list);
		at = end;
	}
	add_sums(n, t);
	add_threads(n->run, t);
	add_set_parts(n->run, t);
	ms_vec_free(&list.at);
	ms_vec_free(&list.places);
	ms_map_free(&list.names);
}
