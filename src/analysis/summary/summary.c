#include "analysis/summary/summary.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/summary/rounded_shares.h"
#include "base/map.h"
#include "base/num.h"

/* Which entries a cell is added to. */
struct summary_builder {
	struct ms_summary *summary;
	const struct ms_run *run;
	const struct ms_summary_selection *selection;
	struct ms_map bins;  /* (code, data) -> index into summary->bins */
	uint32_t *reason_of; /* data -> index into summary->reasons, or MS_NONE */
	uint32_t *bin_of;    /* cell -> index into summary->bins, or MS_NONE: not chosen */
};

static bool chosen(const struct summary_builder *b, uint32_t code, uint32_t data)
{
	const struct ms_summary_selection *s = b->selection;

	return s == NULL ||
	       ((s->code == NULL || s->code[code]) && (s->data == NULL || s->data[data]));
}

static struct ms_summary_entry *add_entry(struct summary_builder *b,
					  struct ms_summary_entries *entries,
					  enum ms_summary_entry_kind kind, const char *name)
{
	struct ms_summary_entry *entry = ms_vec_add(&entries->at);

	*entry = (struct ms_summary_entry){
		.kind = kind,
		.name = name,
		.code = MS_NONE,
		.data = MS_NONE,
		.line = MS_NONE,
		.processor = MS_NONE,
	};
	entry->counts.levels =
		ms_arena_take(&b->summary->arena, b->run->levels.n * sizeof(*entry->counts.levels));
	return entry;
}

static const char *line_name(struct summary_builder *b, const struct ms_run_line *line)
{
	const struct ms_run_code *code = &b->run->codes.at[line->code];
	const char *file = line->file ? line->file : code->file;

	if (file == NULL)
		return ms_arena_printf(&b->summary->arena, "%s (no source line)", code->name);
	const char *slash = strrchr(file, '/');
	return ms_arena_printf(&b->summary->arena, "%s:%u", slash ? slash + 1 : file, line->line);
}

static uint32_t reason_index(struct summary_builder *b, const struct ms_run_data *data)
{
	struct ms_summary_entries *reasons = &b->summary->reasons;
	const char *why = data->reason ? data->reason : "no reason known";

	for (size_t i = 0; i < reasons->at.n; i++)
		if (strcmp(reasons->at.at[i].name, why) == 0)
			return (uint32_t)i;
	add_entry(b, reasons, MS_ENTRY_REASON, why);
	return (uint32_t)(reasons->at.n - 1);
}

/* Compute time of a joined run is what was measured: add_computes(). */
static void add_executed(const struct summary_builder *b, struct ms_summary_counts *counts,
			 uint64_t instructions, uint64_t cycles)
{
	counts->instructions += instructions;
	*(b->summary->cost.measured ? &counts->estimated.compute : &counts->compute) += cycles;
}

/* Entries for everything that the run names, at first at the same index as in the run. */
static void add_names(struct summary_builder *b)
{
	struct ms_summary *s = b->summary;

	s->data.are_data = true;
	for (uint32_t i = 0; i < b->run->codes.n; i++)
		add_entry(b, &s->code, MS_ENTRY_CODE, b->run->codes.at[i].name)->code = i;
	for (uint32_t i = 0; i < b->run->data.n; i++) {
		const struct ms_run_data *data = &b->run->data.at[i];

		add_entry(b, &s->data, MS_ENTRY_DATA, data->name)->data = i;
		b->reason_of[i] = data->kind == MS_DATA_UNKNOWN ? reason_index(b, data) : MS_NONE;
	}
	for (uint32_t i = 0; i < b->run->lines.n; i++) {
		const struct ms_run_line *line = &b->run->lines.at[i];
		struct ms_summary_entry *entry =
			add_entry(b, &s->lines, MS_ENTRY_LINE, line_name(b, line));

		entry->line = i;
		entry->code = line->code;
		if (b->selection == NULL || b->selection->code == NULL ||
		    b->selection->code[line->code]) {
			uint64_t cycles =
				ms_run_is_timed(b->run) ? line->cycles : line->instructions;

			add_executed(b, &entry->counts, line->instructions, cycles);
			add_executed(b, &s->code.at.at[line->code].counts, line->instructions,
				     cycles);
		}
	}
}

static void add_processors(struct summary_builder *b)
{
	struct ms_summary *s = b->summary;

	for (uint32_t p = 0; p < b->run->processors; p++)
		add_entry(b, &s->processors, MS_ENTRY_PROCESSOR,
			  ms_arena_printf(&s->arena, "processor %u", p))
			->processor = p;
	if (b->run->processors == 1) {
		s->processors.at.at[0].counts.instructions = s->total.counts.instructions;
		s->processors.at.at[0].counts.compute = s->total.counts.compute;
		s->processors.at.at[0].counts.estimated = s->total.counts.estimated;
		s->processors.at.at[0].counts.samples = s->total.counts.samples;
	}
}

/* Of a run that was only sampled, nanoseconds of computing stand for instructions. */
static void add_compute(struct summary_builder *b, struct ms_summary_counts *counts,
			const struct ms_run_hardware_compute *c)
{
	if (ms_run_is_measured(b->run))
		counts->instructions += c->time;
	ms_summary_add_measured_compute(counts, &b->summary->cost, c);
}

static void add_computes(struct summary_builder *b)
{
	struct ms_summary *s = b->summary;
	bool measured = ms_run_is_measured(b->run) || s->cost.measured;

	for (size_t i = 0; measured && i < b->run->hardware_computes.n; i++) {
		const struct ms_run_hardware_compute *c = &b->run->hardware_computes.at[i];
		uint32_t code = b->run->lines.at[c->line].code;

		if (b->selection != NULL && b->selection->code != NULL && !b->selection->code[code])
			continue;
		if (b->selection == NULL || b->selection->data == NULL) /* data does not compute */
			add_compute(b, &s->total.counts, c);
		add_compute(b, &s->code.at.at[code].counts, c);
		add_compute(b, &s->lines.at.at[c->line].counts, c);
	}
}

double ms_summary_line_weighted(const struct ms_run *run, const struct ms_run_line_time *time)
{
	return ms_run_is_timed(run) && time->instructions > 0
		       ? time->weighted * (double)time->cycles / (double)time->instructions
		       : time->weighted;
}

/* Adds which processor executed each line, and how many were busy; only for several processors. */
static void add_line_times(struct summary_builder *b)
{
	struct ms_summary *s = b->summary;

	for (size_t i = 0; b->run->processors > 1 && i < b->run->line_times.n; i++) {
		const struct ms_run_line_time *t = &b->run->line_times.at[i];
		uint32_t code = b->run->lines.at[t->line].code;
		struct ms_summary_counts *processor = &s->processors.at.at[t->processor].counts;

		if (b->selection != NULL && b->selection->code != NULL && !b->selection->code[code])
			continue;
		double weighted = ms_summary_line_weighted(b->run, t);

		add_executed(b, processor, t->instructions,
			     ms_run_is_timed(b->run) ? t->cycles : t->instructions);
		processor->normalised += weighted;
		s->total.counts.normalised += weighted;
		s->code.at.at[code].counts.normalised += weighted;
		s->lines.at.at[t->line].counts.normalised += weighted;
	}
}

/* "code / data". Large runs have 100,000 of them: printf() would take longer than the counting. */
static const char *bin_name(struct summary_builder *b, const char *code, const char *data)
{
	static const char between[] = " / ";
	size_t before = strlen(code), after = strlen(data);
	char *name = ms_arena_take(&b->summary->arena, before + strlen(between) + after + 1);

	memcpy(name, code, before);
	memcpy(name + before, between, strlen(between));
	memcpy(name + before + strlen(between), data, after + 1);
	return name;
}

static struct ms_summary_entry *bin_at(struct summary_builder *b, size_t cell, uint32_t code,
				       uint32_t data)
{
	struct ms_summary_entries *bins = &b->summary->bins;
	uint32_t *slot = ms_map_at(&b->bins, code, data);

	if (*slot == MS_MAP_NONE) {
		const char *name =
			bin_name(b, b->run->codes.at[code].name, b->run->data.at[data].name);
		struct ms_summary_entry *entry = add_entry(b, bins, MS_ENTRY_BIN, name);

		entry->code = code;
		entry->data = data;
		*slot = (uint32_t)(bins->at.n - 1);
	}
	b->bin_of[cell] = *slot;
	return &bins->at.at[*slot];
}

static void add_everywhere(struct summary_builder *b, size_t i,
			   const struct ms_summary_cell_counts *counts)
{
	const struct ms_run_cell *cell = counts->cell;
	const struct ms_run_site *site = &b->run->sites.at[cell->site];
	uint32_t code = b->run->lines.at[site->line].code;
	uint32_t reason = b->reason_of[cell->data];

	if (!chosen(b, code, cell->data))
		return;

	struct ms_summary *s = b->summary;
	struct ms_summary_entry *to[] = {
		&s->total,
		&s->code.at.at[code],
		&s->data.at.at[cell->data],
		&s->lines.at.at[site->line],
		bin_at(b, i, code, cell->data),
		reason == MS_NONE ? NULL : &s->reasons.at.at[reason],
		&s->processors.at.at[cell->processor],
	};
	for (size_t k = 0; k < MS_COUNT(to); k++)
		if (to[k] != NULL)
			ms_summary_add_cell(&to[k]->counts, counts);
}

static void add_cells(struct summary_builder *b)
{
	struct ms_summary_rows rows = { 0, 0 };

	for (size_t i = 0; i < b->run->cells.n; i++) {
		struct ms_summary_cell_counts counts =
			ms_summary_cell_counts(b->run, &b->summary->cost, i, &rows);

		add_everywhere(b, i, &counts);
	}
	assert(ms_summary_rows_end(b->run, &rows));
}

static int by_level_data(const void *a, const void *b)
{
	const struct ms_summary_evictor *x = a, *y = b;
	int order = ms_cmp_u64(x->level, y->level);

	return order != 0 ? order : ms_cmp_u64(x->data, y->data);
}

/* Counts of the same level and data become one. */
static void join_replacers(struct ms_summary_entry *bin)
{
	struct ms_summary_evictor *at = bin->replaced_by.at;
	size_t n = 0;

	if (bin->replaced_by.n > 1)
		qsort(at, bin->replaced_by.n, sizeof(*at), by_level_data);
	for (size_t i = 0; i < bin->replaced_by.n; i++)
		if (n > 0 && by_level_data(&at[n - 1], &at[i]) == 0)
			at[n - 1].count += at[i].count;
		else
			at[n++] = at[i];
	bin->replaced_by.n = n;
}

static void add_replaced(struct summary_builder *b)
{
	struct ms_summary_entries *bins = &b->summary->bins;

	for (size_t i = 0; i < b->run->replaced.n; i++) {
		const struct ms_run_replaced *r = &b->run->replaced.at[i];
		uint32_t bin = b->bin_of[r->cell];

		if (bin != MS_NONE)
			*ms_vec_add(&bins->at.at[bin].replaced_by) =
				(struct ms_summary_evictor){ r->level, r->evictor, r->count };
	}
	for (size_t i = 0; i < bins->at.n; i++)
		join_replacers(&bins->at.at[i]);
}

uint64_t ms_summary_entry_misses(const struct ms_summary *summary,
				 const struct ms_summary_entry *entry, size_t level)
{
	return level < summary->run->levels.n
		       ? ms_summary_rw_sum(entry->counts.levels[level].misses)
		       : 0;
}

static int compare_names(const struct ms_summary_entry *a, const struct ms_summary_entry *b)
{
	int order = strcmp(a->name, b->name);

	if (order == 0)
		order = ms_cmp_u64(a->code, b->code);
	return order != 0 ? order : ms_cmp_u64(a->line, b->line);
}

int ms_summary_compare_entries(const struct ms_summary *summary, const struct ms_summary_entry *a,
			       const struct ms_summary_entry *b)
{
	int order =
		ms_cmp_u64(ms_summary_rw_sum(b->counts.stall), ms_summary_rw_sum(a->counts.stall));

	if (order == 0)
		order = ms_cmp_u64(ms_summary_entry_misses(summary, b, 0),
				   ms_summary_entry_misses(summary, a, 0));
	if (order == 0)
		order = ms_cmp_u64(ms_summary_rw_sum(b->counts.references),
				   ms_summary_rw_sum(a->counts.references));
	return order != 0 ? order : compare_names(a, b);
}

/* What ms_summary_compare_entries() looks at first, side by side: the counts of an entry are in two
 * other places of memory. */
struct entry_sort_key {
	uint64_t stall, misses, references;
	size_t at; /* of the entry */
};

static int compare_keys(const void *a, const void *b, void *arg)
{
	const struct entry_sort_key *x = a, *y = b;
	const struct ms_summary_entry *entries = arg;
	int order = ms_cmp_u64(y->stall, x->stall);

	if (order == 0)
		order = ms_cmp_u64(y->misses, x->misses);
	if (order == 0)
		order = ms_cmp_u64(y->references, x->references);
	if (order == 0)
		order = compare_names(&entries[x->at], &entries[y->at]);
	return order != 0 ? order : ms_cmp_u64(x->at, y->at);
}

static void sort_entries(const struct ms_summary *summary, struct ms_summary_entries *list)
{
	size_t n = list->at.n;
	struct entry_sort_key *keys = ms_alloc((n + 1) * sizeof(*keys));
	struct ms_summary_entry *sorted = ms_alloc((n + 1) * sizeof(*sorted));

	for (size_t i = 0; i < n; i++) {
		const struct ms_summary_entry *entry = &list->at.at[i];

		keys[i] = (struct entry_sort_key){ ms_summary_rw_sum(entry->counts.stall),
						   ms_summary_entry_misses(summary, entry, 0),
						   ms_summary_rw_sum(entry->counts.references), i };
	}
	qsort_r(keys, n, sizeof(*keys), compare_keys, list->at.at);
	for (size_t i = 0; i < n; i++)
		sorted[i] = list->at.at[keys[i].at];
	ms_free(keys);
	ms_free(list->at.at);
	list->at.at = sorted;
	list->at.cap = n + 1;
}

static int compare_replacers(const void *a, const void *b, void *run)
{
	const struct ms_summary_evictor *x = a, *y = b;
	const struct ms_run *r = run;
	int order = ms_cmp_u64(x->level, y->level);

	if (order == 0)
		order = ms_cmp_u64(y->count, x->count);
	return order != 0 ? order : strcmp(r->data.at[x->data].name, r->data.at[y->data].name);
}

void ms_summary_sort_evictors(const struct ms_run *run, struct ms_summary_evictor *at, size_t n)
{
	if (n > 1)
		qsort_r(at, n, sizeof(*at), compare_replacers, (void *)(uintptr_t)run);
}

static void sort_all(struct ms_summary *s)
{
	struct ms_summary_entries *lists[] = { &s->code, &s->data, &s->lines, &s->bins,
					       &s->reasons };

	for (size_t i = 0; i < MS_COUNT(lists); i++)
		if (lists[i]->at.n > 1)
			sort_entries(s, lists[i]);
	for (size_t i = 0; i < s->bins.at.n; i++)
		ms_summary_sort_evictors(s->run, s->bins.at.at[i].replaced_by.at,
					 s->bins.at.at[i].replaced_by.n);
}

static bool is_named(const struct ms_summary_selection *s, const struct ms_summary_entry *entry)
{
	if (entry->kind == MS_ENTRY_CODE)
		return s->code != NULL && s->code[entry->code];
	return entry->kind == MS_ENTRY_DATA && s->data != NULL && s->data[entry->data];
}

/* A part of a run lists what was chosen by name and what has references in it, nothing else. */
static void drop_unchosen(struct summary_builder *b)
{
	struct ms_summary *s = b->summary;
	struct ms_summary_entries *lists[] = { &s->code, &s->data, &s->lines, &s->reasons };

	for (size_t i = 0; b->selection != NULL && i < MS_COUNT(lists); i++) {
		size_t n = 0;

		for (size_t k = 0; k < lists[i]->at.n; k++) {
			const struct ms_summary_entry *entry = &lists[i]->at.at[k];

			if (entry->counts.used || is_named(b->selection, entry))
				lists[i]->at.at[n++] = *entry;
		}
		lists[i]->at.n = n;
	}
}

static bool run_stalls(const struct ms_run *run, const struct ms_summary_cost *cost)
{
	for (size_t i = 0; i < run->misses.n; i++)
		if (ms_summary_cost_stall(cost, &run->misses.at[i], 1).cycles > 0)
			return true;
	return false;
}

/* Removes the data that represents references which were not looked up: it has no misses. */
static void drop_any(struct summary_builder *b)
{
	struct ms_summary *s = b->summary;
	struct ms_summary_entries *lists[] = { &s->data, &s->bins };

	if (!b->run->misses_only || !run_stalls(b->run, &s->cost))
		return;
	for (size_t i = 0; i < MS_COUNT(lists); i++) {
		size_t n = 0;

		for (size_t k = 0; k < lists[i]->at.n; k++) {
			const struct ms_summary_entry *entry = &lists[i]->at.at[k];

			if (b->run->data.at[entry->data].kind != MS_DATA_ANY)
				lists[i]->at.at[n++] = *entry;
		}
		lists[i]->at.n = n;
	}
}

/* Instructions of chosen code; all of the run's when everything is chosen, lines known or not. */
static void set_total_instructions(struct summary_builder *b)
{
	struct ms_summary_counts *total = &b->summary->total.counts;

	if (b->selection == NULL || b->selection->code == NULL) {
		add_executed(b, total, b->run->instructions,
			     ms_run_is_timed(b->run) ? b->run->compute_cycles
						     : b->run->instructions);
		return;
	}
	for (size_t i = 0; i < b->summary->code.at.n; i++) {
		const struct ms_summary_counts *code = &b->summary->code.at.at[i].counts;

		total->instructions += code->instructions;
		total->compute += code->compute;
		total->estimated.compute += code->estimated.compute;
	}
}

int ms_summary_make(struct ms_summary *summary, const struct ms_run *run,
		    const struct ms_summary_selection *selection, const char *latency,
		    struct ms_err *err)
{
	struct summary_builder b = { .summary = summary, .run = run, .selection = selection };

	*summary = (struct ms_summary){ .run = run };
	MS_TRY(ms_summary_cost_init(&summary->cost, run, latency, err));
	b.reason_of = ms_alloc(run->data.n * sizeof(*b.reason_of));
	b.bin_of = ms_alloc(run->cells.n * sizeof(*b.bin_of));
	memset(b.bin_of, 0xff, run->cells.n * sizeof(*b.bin_of)); /* MS_NONE */

	struct ms_summary_entries only = { .at = MS_VEC_INIT };
	summary->total = *add_entry(&b, &only, MS_ENTRY_TOTAL, "total");
	ms_vec_free(&only.at);
	add_names(&b);
	set_total_instructions(&b);
	add_computes(&b);
	add_processors(&b);
	add_line_times(&b);
	add_cells(&b);
	add_replaced(&b);
	if (summary->cost.measured)
		ms_summary_split_entries(summary, b.reason_of);
	drop_unchosen(&b);
	drop_any(&b);
	sort_all(summary);

	ms_map_free(&b.bins);
	ms_free(b.reason_of);
	ms_free(b.bin_of);
	return MS_OK;
}

void ms_summary_free(struct ms_summary *s)
{
	struct ms_summary_entries *lists[] = { &s->code, &s->data,    &s->lines,
					       &s->bins, &s->reasons, &s->processors };

	for (size_t i = 0; i < s->bins.at.n; i++)
		ms_vec_free(&s->bins.at.at[i].replaced_by);
	for (size_t i = 0; i < MS_COUNT(lists); i++)
		ms_vec_free(&lists[i]->at);
	ms_summary_cost_free(&s->cost);
	ms_arena_free(&s->arena);
}

double ms_summary_grouped_share(const struct ms_summary *s)
{
	uint64_t stall = 0;

	for (size_t i = 0; i < s->data.at.n; i++)
		if (s->run->data.at[s->data.at.at[i].data].grouped > 0)
			stall += ms_summary_rw_sum(s->data.at.at[i].counts.stall);
	return ms_summary_share(stall, ms_summary_rw_sum(s->total.counts.stall));
}
