/*
 * collect/result.c - makes the arrays of struct ms_run from the engine's totals and the binder's
 * registry, and replaces numbers by names. Only code and data with counts are named.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "bins/naming.h"
#include "collect/executions.h"
#include "collect/naming.h"

enum { MOST_INLINED = 64 };

static const char *keep(struct naming *n, const char *text)
{
	return text == NULL ? NULL : ms_intern(&n->names, text);
}

/* --- code --- */

uint32_t ms_result_line(struct naming *n, struct ms_bins_bound_pc pc)
{
	return ms_codes_line(&n->code, pc);
}

const char *ms_result_name(struct naming *n, const char *text)
{
	return keep(n, text);
}

const char *ms_result_inlined(struct naming *n, struct ms_bins_bound_pc pc)
{
	return ms_codes_inlined(&n->code, pc);
}

static void add_line_time(struct naming *n, uint32_t line, uint32_t processor, uint64_t executed,
			  double weighted)
{
	uint32_t *slot = ms_map_at(&n->times, line, processor);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)n->run->line_times.n;
		*ms_vec_add(&n->run->line_times) =
			(struct ms_run_line_time){ line, processor, 0, 0 };
	}
	n->run->line_times.at[*slot].instructions += executed;
	n->run->line_times.at[*slot].weighted += weighted;
}

/* Whether executions between windows were counted and can be used: their processor is not known. */
static bool counts_all(const struct naming *n)
{
	return n->c->windows.outside.n > 0 && n->run->processors == 1;
}

static uint64_t left_out(const struct naming *n, size_t exit)
{
	return counts_all(n) && exit < n->c->windows.outside.n ? n->c->windows.outside.at[exit] : 0;
}

/* Instructions of a block that were executed: all in front of the exit by which it was left. */
static void count_block(struct naming *n, uint32_t b, size_t first_exit, uint32_t processor)
{
	const struct ms_bins_bound_block *block = ms_bins_block_at(n->c->binding.binder, b);

	for (uint32_t i = 0; i < block->instructions; i++) {
		uint64_t executed = 0;
		double weighted = 0;

		for (uint32_t e = 0; e < block->exits; e++) {
			double weight = 0;

			if (block->exit_instructions[e] <= i)
				continue;
			executed += ms_engine_count_exits(n->engine, processor, b, e, &weight) +
				    left_out(n, first_exit + e);
			weighted += weight;
		}
		if (n->c->setup.sampling != NULL && !counts_all(n)) {
			executed = ms_estimate_scale_count(executed, n->scale.time);
			weighted *= n->scale.time;
		}
		if (executed == 0)
			return; /* nor was anything after it */
		uint32_t line = ms_codes_line(&n->code,
					      ms_bound_block_pc(block, i)); /* may move the array */
		n->run->lines.at[line].instructions += executed;
		n->run->instructions += executed;
		if (n->run->processors > 1)
			add_line_time(n, line, processor, executed, weighted);
	}
}

static int compare_times(const void *a, const void *b)
{
	const struct ms_run_line_time *x = a, *y = b;
	int order = ms_cmp_u64(x->line, y->line);

	return order != 0 ? order : ms_cmp_u64(x->processor, y->processor);
}

static void count_instructions(struct naming *n)
{
	size_t exits = 0;

	for (uint32_t b = 0; b < ms_bins_blocks(n->c->binding.binder); b++) {
		for (uint32_t p = 0; p < n->run->processors; p++)
			count_block(n, b, exits, p);
		exits += ms_bins_block_at(n->c->binding.binder, b)->exits;
	}
	if (n->run->line_times.n > 1)
		qsort(n->run->line_times.at, n->run->line_times.n, sizeof(*n->run->line_times.at),
		      compare_times);
}

/* --- data --- */

static const enum ms_run_data_kind kinds[] = {
	[MS_BOUND_HEAP] = MS_DATA_HEAP,        [MS_BOUND_VARIABLE] = MS_DATA_STATIC,
	[MS_BOUND_TLS_VARIABLE] = MS_DATA_TLS, [MS_BOUND_STACKS] = MS_DATA_STACK,
	[MS_BOUND_FILE] = MS_DATA_FILE,        [MS_BOUND_MAPPING] = MS_DATA_MAPPED,
	[MS_BOUND_SECTION] = MS_DATA_SECTION,  [MS_BOUND_UNKNOWN] = MS_DATA_UNKNOWN,
	[MS_BOUND_NAMED] = MS_DATA_NAMED,      [MS_BOUND_ANY] = MS_DATA_ANY,
};

enum ms_run_data_kind ms_naming_kind(const struct ms_bins_bound_data *bound)
{
	return kinds[bound->kind];
}

void ms_result_path_name(struct collector *c, uint32_t node, struct ms_bins_data_name *name)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	struct ms_bins_path_pc path[MS_WIRE_MAX_PATH];
	size_t count = ms_bins_node_path(c->binding.binder, node, pcs, MS_WIRE_MAX_PATH);

	if (count > MS_WIRE_MAX_PATH)
		count = MS_WIRE_MAX_PATH;
	for (size_t i = 0; i < count; i++)
		path[i] =
			(struct ms_bins_path_pc){ ms_bins_symbols(c->binding.binder, pcs[i].module),
						  pcs[i].offset };
	ms_bins_name_heap(path, count, name);
}

static void name_by_path(struct naming *n, const struct ms_bins_bound_data *bound,
			 struct ms_run_data *data)
{
	struct ms_bins_data_name name = { MS_TEXT_INIT, MS_TEXT_INIT, NULL };

	ms_result_path_name(n->c, bound->node, &name);
	data->name = keep(n, ms_text_get(&name.name));
	data->full_name = keep(n, ms_text_get(&name.full));
	data->type = keep(n, name.type);
	ms_text_free(&name.name);
	ms_text_free(&name.full);
}

static void name_variable(struct naming *n, const struct ms_bins_bound_data *bound,
			  struct ms_run_data *data)
{
	const struct ms_symbols_variable *v = bound->variable;
	struct ms_text full = MS_TEXT_INIT;

	ms_text_addf(&full, "%s", v->name);
	if (v->file != NULL)
		ms_text_addf(&full, " (%s:%u)", ms_base_name(v->file), v->line);
	ms_text_addf(&full, " in %s", ms_bins_module_path(n->c->binding.binder, bound->module));
	data->name = keep(n, v->name);
	data->full_name = keep(n, full.at);
	data->type = keep(n, v->type);
	ms_text_free(&full);
}

static void name_section(struct naming *n, const struct ms_bins_bound_data *bound,
			 struct ms_run_data *data)
{
	const char *module = ms_bins_module_path(n->c->binding.binder, bound->module);
	struct ms_text name = MS_TEXT_INIT;

	ms_text_addf(&name, "%s[%s]", ms_base_name(module), bound->text);
	data->name = keep(n, name.at);
	ms_text_clear(&name);
	ms_text_addf(&name, "%s of %s, outside any variable", bound->text, module);
	data->full_name = keep(n, name.at);
	ms_text_free(&name);
}

void ms_naming_describe(struct naming *n, const struct ms_bins_bound_data *bound,
			struct ms_run_data *data)
{
	if (bound->variable != NULL) {
		name_variable(n, bound, data);
	} else if (bound->kind == MS_BOUND_SECTION) {
		name_section(n, bound, data);
	} else if (bound->kind == MS_BOUND_NAMED) {
		data->name = data->full_name = keep(n, bound->text);
	} else if (bound->text != NULL) {
		data->name = keep(n, ms_base_name(bound->text));
		data->full_name = keep(n, bound->text);
	} else {
		name_by_path(n, bound, data);
	}
}

/* "node.list{.next}": the part follows the name, so that the names of all parts differ. */
static void name_part(struct naming *n, const struct ms_bins_bound_data *bound,
		      struct ms_run_data *data)
{
	struct ms_text text = MS_TEXT_INIT;
	size_t plain = strlen(data->name);
	/* Of a variable, the place of its declaration follows its name. */
	const char *rest =
		bound->variable != NULL && strncmp(data->full_name, data->name, plain) == 0
			? data->full_name + plain
			: "";

	ms_text_addf(&text, "%.*s{%s}%s", (int)(strlen(data->full_name) - strlen(rest)),
		     data->full_name, bound->part, rest);
	data->full_name = keep(n, text.at);
	ms_text_clear(&text);
	ms_text_addf(&text, "%s{%s}", data->name, bound->part);
	data->name = keep(n, text.at);
	ms_text_free(&text);
}

static void add_frames(struct naming *n, const struct ms_bins_bound_data *bound, uint32_t data)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	size_t count = ms_bins_node_path(n->c->binding.binder, bound->node, pcs, MS_WIRE_MAX_PATH);

	for (size_t i = 0; i < count && i < MS_WIRE_MAX_PATH; i++) {
		struct ms_symbols_module *symbols =
			ms_bins_symbols(n->c->binding.binder, pcs[i].module);
		struct ms_symbols_frame frames[MOST_INLINED];
		size_t known = symbols != NULL
				       ? ms_symbols_module_frames(symbols, pcs[i].offset - 1,
								  frames, MOST_INLINED)
				       : 0;
		const char *module = ms_bins_module_path(n->c->binding.binder, pcs[i].module);

		*ms_vec_add(&n->run->frames) = (struct ms_run_frame){
			.data = data,
			.depth = (uint32_t)i,
			.function = keep(n, known > 0 ? frames[0].function : "?"),
			.file = known > 0 ? keep(n, frames[0].file) : NULL,
			.line = known > 0 ? frames[0].line : 0,
			.module = keep(n, module),
			.offset = pcs[i].offset,
		};
	}
}

/* Its number in the run; its name can wait. */
static uint32_t number_of(struct naming *n, uint32_t bound)
{
	if (n->data[bound] == MS_NONE) {
		n->data[bound] = (uint32_t)n->run->data.n;
		*ms_vec_add(&n->run->data) = (struct ms_run_data){ 0 };
		*ms_vec_add(&n->numbered) = bound;
	}
	return n->data[bound];
}

static void describe_data(struct naming *n, uint32_t number)
{
	const struct ms_bins_bound_data *bound =
		ms_bins_get_data(n->c->binding.binder, n->numbered.at[number]);
	struct ms_run_data data = { .kind = ms_naming_kind(bound),
				    .reason = keep(n, bound->reason),
				    .paths = bound->paths };

	if (n->numbered.at[number] < n->c->program.stats.n) {
		const struct data_stats *s = &n->c->program.stats.at[n->numbered.at[number]];

		data.objects = ms_round_u64(s->objects);
		data.bytes = ms_round_u64(s->bytes);
		data.peak_bytes = ms_round_u64(s->peak);
		data.largest = s->largest;
	}
	if (data.objects == 0 && bound->bytes != 0) {
		data.objects = 1;
		data.bytes = data.peak_bytes = data.largest = bound->bytes;
	}
	ms_naming_describe(n, bound, &data);
	*ms_vec_add(&n->plain) = data.name;
	if (bound->part != NULL)
		name_part(n, bound, &data);
	n->run->data.at[number] = data;
	if (bound->node != 0)
		add_frames(n, bound, number);
}

static void describe_all_data(struct naming *n)
{
	while (n->named < n->numbered.n)
		describe_data(n, (uint32_t)n->named++);
}

static uint32_t data_of(struct naming *n, uint32_t bound)
{
	uint32_t number = number_of(n, bound);

	describe_all_data(n);
	return number;
}

uint32_t ms_result_data(struct naming *n, uint32_t data)
{
	return data_of(n, data);
}

/* --- sites and counts --- */

static void add_cells(struct naming *n, const struct ms_engine_totals *t)
{
	uint32_t last = MS_NONE;

	ms_vec_reserve(&n->run->cells, t->cells.n);
	for (size_t i = 0; i < t->cells.n; i++) {
		const struct ms_engine_total_bin *cell = &t->cells.at[i];

		if (cell->site != last)
			ms_vec_add(&n->run->sites);
		last = cell->site;
		*ms_vec_add(&n->run->cells) =
			(struct ms_run_cell){ (uint32_t)n->run->sites.n - 1,
					      number_of(n, cell->data), cell->references,
					      cell->processor, cell->upgrades };
	}
}

static void describe_sites(struct naming *n, const struct ms_engine_totals *t)
{
	static const enum ms_run_site_kind site_kinds[] = { [MS_WIRE_READ] = MS_SITE_READ,
							    [MS_WIRE_WRITE] = MS_SITE_WRITE,
							    [MS_WIRE_MODIFY] = MS_SITE_MODIFY };
	uint32_t next = 0;

	for (size_t i = 0; i < t->cells.n; i++) {
		if (n->run->cells.at[i].site != next)
			continue;
		const struct ms_bins_bound_site *s =
			ms_bins_site(n->c->binding.binder, t->cells.at[i].site);

		n->run->sites.at[next++] = (struct ms_run_site){
			.line = ms_codes_line(&n->code, s->pc),
			.kind = site_kinds[s->kind],
			.size = s->size,
			.offset = s->pc.offset,
			.inlined = ms_codes_inlined(&n->code, s->pc),
		};
	}
}

static void add_misses(struct naming *n, const struct ms_engine_totals *t)
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
		};
	}
}

static void add_replaced(struct naming *n, const struct ms_engine_totals *t)
{
	ms_vec_reserve(&n->run->replaced, t->replaced.n);
	for (size_t i = 0; i < t->replaced.n; i++) {
		const struct ms_engine_total_pair *p = &t->replaced.at[i];

		*ms_vec_add(&n->run->replaced) =
			(struct ms_run_replaced){ p->cell, p->level, number_of(n, p->other),
						  p->count };
	}
}

static void add_evictions(struct naming *n, const struct ms_engine_totals *t)
{
	ms_vec_reserve(&n->run->evictions, t->evictions.n);
	for (size_t i = 0; i < t->evictions.n; i++) {
		const struct ms_engine_total_pair *p = &t->evictions.at[i];

		*ms_vec_add(&n->run->evictions) =
			(struct ms_run_eviction){ p->cell, p->level, number_of(n, p->other),
						  p->count };
	}
}

/* The largest arrays: each is freed as soon as the run has its rows. Monitors need the misses. */
static void add_counts(struct naming *n, struct ms_engine_totals *t)
{
	add_replaced(n, t);
	ms_vec_free(&t->replaced);
	add_evictions(n, t);
	ms_vec_free(&t->evictions);
	add_misses(n, t);
	if (n->c->setup.pmu_count == 0)
		ms_vec_free(&t->misses);
}

static void extrapolate_phase(struct naming *n, struct ms_run_phase *phase, uint64_t *misses)
{
	phase->references = ms_estimate_scale_count(phase->references, n->scale.references);
	for (uint32_t l = 0; l < n->run->levels.n; l++)
		misses[l] = ms_estimate_scale_count(misses[l], n->scale.counts);
}

/* By the binder's sites: the function that they are in, its reads and its writes by themselves. */
static uint32_t *site_codes(struct naming *n)
{
	size_t sites = ms_bins_sites(n->c->binding.binder);
	uint32_t *codes = ms_alloc((sites + 1) * sizeof(*codes));

	for (uint32_t i = 0; i < sites; i++) {
		const struct ms_bins_bound_site *site = ms_bins_site(n->c->binding.binder, i);
		uint32_t line = ms_codes_line(&n->code, site->pc);

		codes[i] = 2 * n->run->lines.at[line].code + (site->kind == MS_WIRE_WRITE);
	}
	return codes;
}

/* By the binder's data: how large it was. */
static struct ms_estimate_data *data_sizes(const struct naming *n)
{
	size_t count = ms_bins_data_count(n->c->binding.binder);
	struct ms_estimate_data *sizes = ms_alloc((count + 1) * sizeof(*sizes));

	for (uint32_t i = 0; i < count; i++) {
		const struct ms_bins_bound_data *bound = ms_bins_get_data(n->c->binding.binder, i);
		const struct data_stats *s =
			i < n->c->program.stats.n ? &n->c->program.stats.at[i] : NULL;
		double bytes = (double)bound->bytes;

		sizes[i] = (struct ms_estimate_data){ bytes, 1, bytes, true,
						      bound->kind == MS_BOUND_HEAP };
		if (s == NULL || !(s->objects > 0))
			continue;
		sizes[i].bytes = s->peak;
		sizes[i].objects = s->objects;
		sizes[i].each = s->bytes / s->objects;
		sizes[i].same_size = sizes[i].each >= (double)s->largest;
	}
	return sizes;
}

static struct ms_estimate_executions *count_executions(const struct naming *n)
{
	const struct ms_estimate_windows *windows = &n->c->windows;

	if (windows->outside.n == 0)
		return NULL;
	return ms_executions_by_site(n->c->binding.binder, n->engine,
				     n->c->setup.machines[0]->processors, windows->outside.at,
				     windows->outside.n);
}

/* Where the front-end does not report the number of references, exits that were taken give it. */
static void complete_windows(struct naming *n)
{
	const struct ms_stream_sampling *sampling = n->c->setup.sampling;

	if (ms_estimate_lacks_refs(&n->c->windows, sampling))
		ms_estimate_set_refs(&n->c->windows, sampling,
				     ms_executions_total_refs(n->c->binding.binder, n->engine,
							      n->c->setup.machines[0]->processors));
}

/* Extrapolates the simulated part to the whole program. */
static void extrapolate(struct naming *n, size_t machine, struct ms_engine_totals *totals)
{
	const struct ms_machine *m = n->c->setup.machines[machine];
	const struct ms_stream_sampling *sampling = n->c->setup.sampling;
	bool by_sets = ms_stream_sampling_is_by_sets(sampling);

	for (size_t i = 0; i < totals->cells.n; i++)
		n->seen += totals->cells.at[i].references;
	ms_engine_windows_compute_totals(n->engine, &n->sampled);
	complete_windows(n);
	n->scale = ms_estimate_find_scale(&n->c->windows, sampling, &n->sampled, n->seen);

	uint32_t *lines = ms_alloc(m->levels.n * sizeof(*lines));
	for (size_t l = 0; l < m->levels.n; l++)
		lines[l] = m->levels.at[l].line;
	struct ms_estimate_data *data = data_sizes(n);
	struct ms_estimate_executions *executions = by_sets ? NULL : count_executions(n);
	uint32_t *codes = by_sets ? site_codes(n) : NULL;
	double *refs = by_sets ? ms_executions_refs(n->c->binding.binder, n->engine) : NULL;
	const struct ms_estimate_input input = {
		.sampling = sampling,
		.sampled = &n->sampled,
		.scale = &n->scale,
		.line_bytes = lines,
		.levels = (unsigned)m->levels.n,
		.data = data,
		.data_count = ms_bins_data_count(n->c->binding.binder),
		.sites = ms_bins_sites(n->c->binding.binder),
		.executions = executions,
		.codes = codes,
		.refs = refs,
		.unseen_data = MS_BOUND_NOT_SEEN,
	};

	ms_estimate_extrapolate(&input, totals);
	ms_free(lines);
	ms_free(data);
	ms_free(executions);
	ms_free(codes);
	ms_free(refs);
}

/* Of the real machine: what was sampled in each. */
static void add_sampled_phases(struct naming *n)
{
	const struct hardware *h = n->c->hardware;

	for (uint32_t i = 0; i < n->c->program.phases.n && n->c->program.phases.n > 1; i++) {
		struct hw_phase met = { 0 };

		if (i < h->phases.n)
			met = h->phases.at[i];
		*ms_vec_add(&n->run->phases) =
			(struct ms_run_phase){ keep(n, n->c->program.phases.at[i].name),
					       n->c->program.phases.at[i].times, met.samples };
		for (uint32_t k = 0; k < MS_PHASE_FIGURES; k++)
			*ms_vec_add(&n->run->phase_misses) =
				(struct ms_run_phase_miss){ i, k, met.figures[k] };
	}
}

/* Only where the program has marked any. */
static void add_phases(struct naming *n)
{
	size_t levels = n->run->levels.n;
	uint64_t *misses = ms_alloc((levels + 1) * sizeof(*misses));

	for (uint32_t i = 0; i < n->c->program.phases.n && n->c->program.phases.n > 1; i++) {
		struct ms_run_phase phase = { keep(n, n->c->program.phases.at[i].name),
					      n->c->program.phases.at[i].times, 0 };

		ms_engine_get_phase(n->engine, i, &phase.references, misses);
		if (n->c->setup.sampling != NULL)
			extrapolate_phase(n, &phase, misses);
		*ms_vec_add(&n->run->phases) = phase;
		for (uint32_t l = 0; l < levels; l++)
			*ms_vec_add(&n->run->phase_misses) =
				(struct ms_run_phase_miss){ i, l, misses[l] };
	}
	ms_free(misses);
}

/* By the binder's sites: the first one of the same line, kind and inlined calls. */
static const uint32_t *group_sites(const uint32_t *sites, size_t count, void *arg)
{
	struct naming *n = arg;
	struct ms_map first = MS_MAP_INIT;

	n->site_groups =
		ms_alloc((ms_bins_sites(n->c->binding.binder) + 1) * sizeof(*n->site_groups));
	for (size_t i = 0; i < count; i++) {
		const struct ms_bins_bound_site *s = ms_bins_site(n->c->binding.binder, sites[i]);
		const char *inlined = ms_codes_inlined(&n->code, s->pc);
		uint32_t line = ms_codes_line(&n->code, s->pc);
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

/* What was simulated. */
static void add_simulated(struct naming *n, size_t machine)
{
	struct ms_engine_site_groups groups = { ms_result_most_cells(n->c), group_sites, n };
	struct ms_engine_totals totals;

	ms_engine_end_simulation(n->engine);
	ms_engine_compute_grouped_totals(n->engine, &groups, &totals);
	n->run->merged_pairs = totals.merged_pairs;
	n->run->pair_error = totals.pair_error;
	if (n->c->setup.sampling == NULL)
		ms_engine_release_counters(n->engine);
	ms_checkpoint_release(n->c);
	if (n->c->setup.sampling != NULL)
		extrapolate(n, machine, &totals);
	add_cells(n, &totals);
	add_counts(n, &totals);
	if (n->c->setup.sampling != NULL)
		ms_result_sampled_counts(n->c, &n->sampled, n->run);
	if (n->c->setup.counted != NULL && n->run->cells.n <= ms_result_most_cells(n->c))
		n->c->setup.counted(n->run, n->c->setup.counted_arg);
	count_instructions(n);
	describe_sites(n, &totals);
	describe_all_data(n);
	ms_result_occupancy(&totals, n->run, n);
	ms_result_sharing(n->c, &totals, n->run, &n->names);
	ms_result_threads(n->c, machine, &totals, n->run, n);
	ms_result_pmus(n->c, machine, &totals, n->run, n);
	if (n->c->setup.sampling != NULL)
		ms_result_sampled(n->c, &n->sampled, &n->scale, n->seen, n->run, n);
	add_phases(n);
	ms_engine_free_totals(&totals);
	ms_free(n->site_groups);
}

/* Known when all names have been looked for. */
static void set_unread(const struct collector *c, struct ms_run *run)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_bins_missing_debug(c->binding.binder, &text);
	run->unread = ms_arena_strdup(&run->arena, ms_text_get(&text));
	ms_text_free(&text);
}

void ms_collect_result(struct collector *c, size_t machine, struct ms_run *run)
{
	struct naming n = { .c = c, .engine = c->sim.engines[machine], .run = run };
	size_t data_count = ms_bins_data_count(c->binding.binder);

	ms_codes_open(&n.code, c->binding.binder, run, &n.names);
	n.data = ms_alloc((data_count + 1) * sizeof(*n.data));
	for (size_t i = 0; i < data_count; i++)
		n.data[i] = MS_NONE;
	if (c->hardware != NULL) {
		ms_checkpoint_release(c);
		ms_timed_finish(c);
		ms_result_hardware(c, run, &n);
		add_sampled_phases(&n);
	} else {
		add_simulated(&n, machine);
	}
	ms_naming_make_unique(&n);
	ms_result_merge_sites(c, run);
	run->stops = c->program.stops;
	set_unread(c, run);
	ms_event_untraced_result(c, run);
	ms_loader_result(c, run);
	ms_wait_loops_result(&n);
	ms_engine_windows_free_totals(&n.sampled);
	ms_codes_close(&n.code);
	ms_map_free(&n.times);
	ms_free(n.data);
	ms_vec_free(&n.numbered);
	ms_vec_free(&n.plain);
	/* The names' memory goes to the run. */
	ms_free(n.names.slots);
	ms_arena_join(&run->arena, &n.names.arena);
}
