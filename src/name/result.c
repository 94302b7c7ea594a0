/*
 * name/result.c - makes the arrays of struct ms_run from the engine's totals and the binder's
 * registry, and replaces numbers by names. Only code and data with counts are named.
 */
#include <stdlib.h>

#include "base/num.h"
#include "base/text.h"
#include "estimate/division.h"
#include "name/name_priv.h"

static const char *keep(struct ms_name_state *n, const char *text)
{
	return text == NULL ? NULL : ms_intern(&n->names, text);
}

/* --- code --- */

uint32_t ms_name_line(struct ms_name_state *n, struct ms_bins_bound_pc pc)
{
	return ms_name_codes_line(&n->code, pc);
}

const char *ms_name_text(struct ms_name_state *n, const char *text)
{
	return keep(n, text);
}

const char *ms_name_inlined(struct ms_name_state *n, struct ms_bins_bound_pc pc)
{
	return ms_name_codes_inlined(&n->code, pc);
}

/* --- sites and counts --- */

_Static_assert((int)MS_RUN_MISS_UNIT == (int)MS_ENGINE_MISS_UNIT &&
		       (int)MS_RUN_DEPENDENCES == (int)MS_ENGINE_DEPENDENCES &&
		       (int)MS_RUN_DEPENDENCE_AFFINE == (int)MS_ENGINE_DEPENDENCE_AFFINE &&
		       (int)MS_RUN_DEPENDENCE_LED == (int)MS_ENGINE_DEPENDENCE_LED &&
		       (int)MS_RUN_DEPENDENCE_CHAINED == (int)MS_ENGINE_DEPENDENCE_CHAINED,
	       "the run counts as the engine does");

static void add_cells(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	uint32_t last = MS_NONE;

	ms_vec_reserve(&n->run->cells, t->cells.n);
	for (size_t i = 0; i < t->cells.n; i++) {
		const struct ms_engine_total_cell *cell = &t->cells.at[i];

		if (cell->site != last)
			ms_vec_add(&n->run->sites);
		last = cell->site;
		*ms_vec_add(&n->run->cells) =
			(struct ms_run_cell){ .site = (uint32_t)n->run->sites.n - 1,
					      .data = ms_name_number_data(n, cell->data),
					      .references = cell->references,
					      .processor = cell->processor,
					      .upgrades = cell->upgrades,
					      .walks = cell->walks,
					      .exposed_walks = cell->exposed_walks,
					      .waited_bytes = cell->waited_bytes };
		for (int d = 0; d < MS_RUN_DEPENDENCES; d++)
			n->run->cells.at[i].dependences[d] = cell->dependences[d];
	}
}

static void describe_sites(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	static const enum ms_run_site_kind site_kinds[] = { [MS_WIRE_READ] = MS_SITE_READ,
							    [MS_WIRE_WRITE] = MS_SITE_WRITE,
							    [MS_WIRE_MODIFY] = MS_SITE_MODIFY };
	uint32_t next = 0;

	for (size_t i = 0; i < t->cells.n; i++) {
		if (n->run->cells.at[i].site != next)
			continue;
		const struct ms_bins_bound_site *s =
			ms_bins_site(n->from.binder, t->cells.at[i].site);

		n->run->sites.at[next++] = (struct ms_run_site){
			.line = ms_name_codes_line(&n->code, s->pc),
			.kind = site_kinds[s->kind],
			.size = s->size,
			.offset = s->pc.offset,
			.inlined = ms_name_codes_inlined(&n->code, s->pc),
		};
	}
}

static void add_misses(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	ms_vec_reserve(&n->run->misses, t->misses.n);
	for (size_t i = 0; i < t->misses.n; i++) {
		const struct ms_engine_total_miss *m = &t->misses.at[i];

		*ms_vec_add(&n->run->misses) = (struct ms_run_miss){
			.cell = m->cell,
			.level = m->level,
			.causes = { m->causes[MS_ENGINE_MISS_FIRST],
				    m->causes[MS_ENGINE_MISS_REPLACED],
				    m->causes[MS_ENGINE_MISS_INVALIDATED] },
			.covered = m->covered,
			.falsely = m->falsely,
			.peer = m->peer,
			.remote = m->remote,
			.write_backs = m->write_backs,
			.weighted = n->run->processors > 1 ? m->weighted : 0,
			.exposed = m->exposed,
			.prefetched = m->prefetched,
			.conflict = m->conflict,
			.capacity = m->capacity,
			.saved = m->saved,
			.maybe_saved = m->maybe_saved,
		};
	}
}

/* Both lists are sorted by cell and level; each division has a row of misses, or no counts. */
static void add_division_variances(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	size_t at = 0;

	for (size_t i = 0; i < t->divisions.n; i++) {
		const struct ms_engine_total_division *d = &t->divisions.at[i];

		while (at < t->misses.n &&
		       (t->misses.at[at].cell < d->cell ||
			(t->misses.at[at].cell == d->cell && t->misses.at[at].level < d->level)))
			at++;
		if (at == t->misses.n)
			return;
		struct ms_run_miss *row = &n->run->misses.at[at];
		struct ms_estimate_division variance =
			ms_estimate_divide(&d->parts, row->causes[MS_CAUSE_REPLACED]);

		if (row->cell != d->cell || row->level != d->level)
			continue;
		row->conflict_variance = variance.conflict;
		row->capacity_variance = variance.capacity;
		row->saved_variance = variance.saved;
	}
}

static void add_replaced(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	ms_vec_reserve(&n->run->replaced, t->replaced.n);
	for (size_t i = 0; i < t->replaced.n; i++) {
		const struct ms_engine_total_pair *p = &t->replaced.at[i];

		*ms_vec_add(&n->run->replaced) =
			(struct ms_run_replaced){ p->cell, p->level,
						  ms_name_number_data(n, p->other), p->count };
	}
}

static void add_evictions(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	ms_vec_reserve(&n->run->evictions, t->evictions.n);
	for (size_t i = 0; i < t->evictions.n; i++) {
		const struct ms_engine_total_pair *p = &t->evictions.at[i];

		*ms_vec_add(&n->run->evictions) =
			(struct ms_run_eviction){ p->cell, p->level,
						  ms_name_number_data(n, p->other), p->count };
	}
}

/* The largest arrays: each is freed as soon as the run has its rows. Monitors need the misses. */
static void add_counts(struct ms_name_state *n, struct ms_engine_totals *t)
{
	add_replaced(n, t);
	ms_vec_free(&t->replaced);
	add_evictions(n, t);
	ms_vec_free(&t->evictions);
	add_misses(n, t);
	add_division_variances(n, t);
	if (n->from.pmu_count == 0)
		ms_vec_free(&t->misses);
}

static void extrapolate_phase(struct ms_name_state *n, struct ms_run_phase *phase, uint64_t *misses)
{
	phase->references = ms_estimate_scale_count(phase->references, n->scale.references);
	for (uint32_t l = 0; l < n->run->levels.n; l++)
		misses[l] = ms_estimate_scale_count(misses[l], n->scale.counts);
}

/* Only where the program has marked any. */
static void add_phases(struct ms_name_state *n)
{
	size_t levels = n->run->levels.n;
	uint64_t *misses = ms_alloc((levels + 1) * sizeof(*misses));

	for (uint32_t i = 0; i < n->from.program->phases.n && n->from.program->phases.n > 1; i++) {
		struct ms_run_phase phase = { keep(n, n->from.program->phases.at[i].name),
					      n->from.program->phases.at[i].times, 0 };

		ms_engine_get_phase(n->from.engine, i, &phase.references, misses);
		if (n->from.sampling != NULL)
			extrapolate_phase(n, &phase, misses);
		*ms_vec_add(&n->run->phases) = phase;
		for (uint32_t l = 0; l < levels; l++)
			*ms_vec_add(&n->run->phase_misses) =
				(struct ms_run_phase_miss){ i, l, misses[l] };
	}
	ms_free(misses);
}

/*
 * Reports cost misses by their exposed parts if the timing model has observed the program, and by
 * their latencies otherwise: then the run has the figures of an out-of-order core, and is in-order.
 */
static void set_core(struct ms_run *run, const struct ms_machine_core *core,
		     const struct ms_engine_totals *totals)
{
	if (core->out_of_order != MS_CORE_OUT_OF_ORDER)
		return;
	run->core = totals->compute.n > 0 ? MS_RUN_OUT_OF_ORDER : MS_RUN_IN_ORDER;
	run->ipc_milli = core->ipc_milli;
	run->clock_mhz = core->clock_mhz;
	run->walk_latency = core->walk_latency;
	run->bandwidth_milli = core->bandwidth_milli;
}

/* By the binder's sites: the first one of the same line, kind and inlined calls. */
static const uint32_t *group_sites(const uint32_t *sites, size_t count, void *arg)
{
	struct ms_name_state *n = arg;
	struct ms_map first = MS_MAP_INIT;

	n->site_groups = ms_alloc((ms_bins_sites(n->from.binder) + 1) * sizeof(*n->site_groups));
	for (size_t i = 0; i < count; i++) {
		const struct ms_bins_bound_site *s = ms_bins_site(n->from.binder, sites[i]);
		const char *inlined = ms_name_codes_inlined(&n->code, s->pc);
		uint32_t line = ms_name_codes_line(&n->code, s->pc);
		uint32_t *alike =
			ms_map_at(&first, (uint64_t)line << 32 | s->kind, (uintptr_t)inlined);

		if (*alike == MS_MAP_NONE)
			*alike = sites[i];
		else
			n->run->merged_sites++;
		n->site_groups[sites[i]] = *alike;
	}
	ms_map_free(&first);
	return n->site_groups;
}

static const uint32_t divisions[] = {
	[MS_ENGINE_UNDIVIDED] = MS_RUN_UNDIVIDED,
	[MS_ENGINE_DIVIDED_BY_ESTIMATES] = MS_RUN_ESTIMATED,
	[MS_ENGINE_DIVIDED_BY_BOUNDS] = MS_RUN_BOUNDS,
	[MS_ENGINE_DIVIDED_EXACTLY] = MS_RUN_EXACT,
};

static int by_data_level_sets(const void *a, const void *b)
{
	const struct ms_run_set_miss *x = a, *y = b;
	int order = ms_cmp_u64(x->data, y->data);

	order = order != 0 ? order : ms_cmp_u64(x->level, y->level);
	return order != 0 ? order : ms_cmp_u64(x->sets, y->sets);
}

static void add_set_misses(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	for (size_t i = 0; i < t->set_misses.n; i++) {
		const struct ms_engine_total_set_miss *s = &t->set_misses.at[i];

		*ms_vec_add(&n->run->set_misses) =
			(struct ms_run_set_miss){ ms_name_data(n, s->data), s->level, s->sets,
						  s->misses, s->replaced };
	}
	if (n->run->set_misses.n > 1)
		qsort(n->run->set_misses.at, n->run->set_misses.n, sizeof(*n->run->set_misses.at),
		      by_data_level_sets);
}

void ms_name_add_simulated(struct ms_name_state *n)
{
	struct ms_engine_site_groups groups = { n->from.most_cells, group_sites, n };
	struct ms_engine_totals totals;
	const bool sampled = n->from.sampling != NULL;

	ms_engine_end_simulation(n->from.engine);
	ms_engine_compute_grouped_totals(n->from.engine, &groups, &totals);
	set_core(n->run, &n->from.machine->core, &totals);
	n->run->division = divisions[totals.division];
	n->run->observed_part = totals.observed_part;
	n->run->merged_pairs = totals.merged_pairs;
	n->run->pair_error = totals.pair_error;
	if (!sampled)
		ms_engine_release_counters(n->from.engine);
	n->from.copied(n->from.copied_arg);
	if (sampled)
		ms_name_extrapolate(n, &totals);
	add_cells(n, &totals);
	add_counts(n, &totals);
	if (sampled)
		ms_name_add_sampled_counts(n);
	if (n->from.counted != NULL && n->run->cells.n <= n->from.most_cells)
		n->from.counted(n->run, n->from.counted_arg);
	ms_name_count_instructions(n, &totals);
	describe_sites(n, &totals);
	ms_name_add_call_paths(n, &totals);
	ms_name_add_line_use(n, &totals);
	ms_name_all_data(n);
	ms_name_add_members(n, &totals);
	ms_name_add_occupancy(&totals, n->run, n);
	add_set_misses(n, &totals);
	ms_name_add_optimal(n, &totals);
	ms_name_add_sharing(n, &totals);
	ms_name_add_threads(n, &totals);
	ms_name_add_pmus(n, &totals);
	if (sampled)
		ms_name_add_sampling(n);
	add_phases(n);
	ms_name_add_timeline(n, &totals);
	ms_engine_free_totals(&totals);
	ms_free(n->site_groups);
	n->site_groups = NULL;
	ms_map_free(&n->headers);
}

void ms_name_open(struct ms_name_state *n, const struct ms_name_source *from, struct ms_run *run)
{
	size_t data_count = ms_bins_data_count(from->binder);

	*n = (struct ms_name_state){ .from = *from, .run = run };
	ms_name_codes_open(&n->code, from->binder, run, &n->names);
	n->data = ms_alloc((data_count + 1) * sizeof(*n->data));
	for (size_t i = 0; i < data_count; i++)
		n->data[i] = MS_NONE;
}

/* Known when all names have been looked up. */
static void set_unread(struct ms_name_state *n)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_bins_missing_debug(n->from.binder, &text);
	n->run->unread = ms_arena_strdup(&n->run->arena, ms_text_get(&text));
	ms_text_free(&text);
}

void ms_name_finish(struct ms_name_state *n)
{
	ms_name_make_unique(n);
	ms_name_merge_sites(n);
	n->run->stops = n->from.program->stops;
	set_unread(n);
	ms_name_add_untraced(n);
	ms_engine_windows_free_totals(&n->sampled);
	ms_name_codes_close(&n->code);
	ms_map_free(&n->times);
	ms_free(n->data);
	ms_vec_free(&n->numbered);
	ms_vec_free(&n->plain);
	/* The names' memory goes to the run. */
	ms_free(n->names.slots);
	ms_arena_join(&n->run->arena, &n->names.arena);
}
