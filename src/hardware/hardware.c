/*
 * hardware/hardware.c - samples of the real machine, added up by site and data.
 *
 * Every sample is counted once: for a cell, for a line that computes, or as a loss with its reason.
 */
#include "hardware/hardware.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "hardware/joined_cells.h"
#include "hardware/timer_samples.h"
#include "perf/perf.h"

void ms_hardware_open(struct ms_hardware *h, const struct ms_hardware_options *options)
{
	bool adaptive = options->period == 0 && options->rate == 0;

	*h = (struct ms_hardware){ .options = options };
	h->about = (struct ms_run_hardware){ .source = options->source,
					     .event = "processor time", /* the timer's */
					     .adaptive = adaptive,
					     .wish = adaptive ? options->overhead : 0,
					     .overhead = -1,
					     .covered = 1 };
}

void ms_hardware_close(struct ms_hardware *h)
{
	ms_hardware_timer_close(h->timed);
	ms_perf_close(h->perf);
	ms_map_free(&h->site_of);
	ms_map_free(&h->row_of);
	ms_map_free(&h->bucket_of);
	ms_vec_free(&h->sites);
	ms_vec_free(&h->rows);
	ms_vec_free(&h->buckets);
	ms_vec_free(&h->losses);
	ms_vec_free(&h->phases);
	ms_hardware_working_set_close(&h->working_set);
	ms_hardware_paths_close(&h->paths);
}

/* --- samples --- */

/* Atomic, because the thread that reports progress reads it. */
static void count_samples(struct ms_hardware *h, uint64_t n)
{
	__atomic_store_n(&h->about.samples, h->about.samples + n, __ATOMIC_RELAXED);
}

uint64_t ms_hardware_samples(const struct ms_hardware *h)
{
	return __atomic_load_n(&h->about.samples, __ATOMIC_RELAXED);
}

void ms_hardware_lose(struct ms_hardware *h, const char *reason, uint64_t samples, uint64_t latency)
{
	size_t i = 0;

	if (samples == 0)
		return;
	count_samples(h, samples);
	while (i < h->losses.n && strcmp(h->losses.at[i].reason, reason) != 0)
		i++;
	if (i == h->losses.n)
		*ms_vec_add(&h->losses) = (struct ms_hardware_loss){ .reason = reason };
	h->losses.at[i].samples += samples;
	h->losses.at[i].latency += latency;
}

static uint32_t site_of(struct ms_hardware *h, struct ms_bins_bound_pc pc,
			const struct ms_hardware_sample *s)
{
	uint32_t kind = s->what == MS_HARDWARE_COMPUTE ? MS_SITE_ACCESS : s->kind;
	uint32_t *slot = ms_map_at(&h->site_of, (uint64_t)pc.module << 32 | kind, pc.offset);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)h->sites.n;
		*ms_vec_add(&h->sites) =
			(struct ms_hardware_site){ pc.module, pc.offset, kind, s->size };
	}
	return *slot;
}

struct ms_hardware_row *ms_hardware_row(struct ms_hardware *h, const struct ms_hardware_row *alike)
{
	uint64_t rest = (uint64_t)alike->near << 32 | alike->answer << 8 | alike->sureness;
	uint32_t *slot = ms_map_at(&h->row_of, (uint64_t)alike->site << 32 | alike->data, rest);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)h->rows.n;
		*ms_vec_add(&h->rows) = (struct ms_hardware_row){ .site = alike->site,
								  .data = alike->data,
								  .near = alike->near,
								  .answer = alike->answer,
								  .sureness = alike->sureness };
	}
	return &h->rows.at[*slot];
}

void ms_hardware_add_to_row(struct ms_hardware_row *row, const struct ms_hardware_row *more)
{
	row->samples += more->samples;
	row->events += more->events;
	row->events_squares += more->events_squares;
	row->latency += more->latency;
	row->latency_squares += more->latency_squares;
}

void ms_hardware_subtract_from_row(struct ms_hardware_row *row, const struct ms_hardware_row *less)
{
	row->samples -= less->samples;
	row->events -= less->events;
	row->events_squares -= less->events_squares;
	row->latency -= less->latency;
	row->latency_squares -= less->latency_squares;
}

static void add_row(struct ms_hardware *h, const struct ms_hardware_row *alike,
		    const struct ms_hardware_sample *s)
{
	struct ms_hardware_row *row = ms_hardware_row(h, alike);
	uint64_t latency = s->events * s->latency;

	row->samples++;
	row->events += s->events;
	row->events_squares += (double)s->events * (double)s->events;
	row->latency += latency;
	row->latency_squares += (double)latency * (double)latency;
}

static void add_bucket(struct ms_hardware *h, uint32_t site, uint32_t data, uint64_t latency)
{
	uint32_t bucket = latency > 1 ? 63 - (uint32_t)__builtin_clzll(latency) : 0;
	uint32_t *slot = ms_map_at(&h->bucket_of, (uint64_t)site << 8 | bucket, data);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)h->buckets.n;
		*ms_vec_add(&h->buckets) = (struct ms_hardware_bucket){ site, data, bucket, 0 };
	}
	h->buckets.at[*slot].samples++;
}

static void count_in_phase(struct ms_hardware *h, const struct ms_hardware_sample *s)
{
	uint64_t weight = h->about.unit == MS_RUN_NO_UNIT ? s->events : s->events * s->latency;

	while (h->phases.n <= h->phase)
		*ms_vec_add(&h->phases) = (struct ms_hardware_phase){ 0 };
	h->phases.at[h->phase].samples++;
	h->phases.at[h->phase]
		.figures[s->what == MS_HARDWARE_COMPUTE ? MS_PHASE_COMPUTE : MS_PHASE_LATENCY] +=
		weight;
}

/* A timer's "latency" is the same for all: it has no histogram. */
static bool has_histogram(const struct ms_hardware *h)
{
	return h->about.unit == MS_RUN_CYCLES;
}

/*
 * Whether it is code of the runtime that memspy has put into the program: no module of its own, in
 * memory that the front-end has marked as mapped at the start.
 */
static bool is_own(const struct ms_hardware *h, uint64_t pc)
{
	uint32_t data = ms_engine_find_data(h->memory.shard, pc);
	const struct ms_bins_bound_data *bound = ms_bins_get_data(h->memory.binder, data);

	return data == MS_BOUND_START ||
	       (bound->kind == MS_BOUND_FILE &&
		strcmp(ms_base_name(bound->text), "memspy-native.so") == 0);
}

/* The data at the address; of the stack, the variable that the instruction accesses. */
static uint32_t find_data(struct ms_hardware *h, struct ms_bins_bound_pc pc,
			  const struct ms_hardware_sample *s)
{
	static const unsigned kinds[] = { [MS_SITE_READ] = MS_WIRE_READ,
					  [MS_SITE_WRITE] = MS_WIRE_WRITE,
					  [MS_SITE_MODIFY] = MS_WIRE_MODIFY,
					  [MS_SITE_ACCESS] = MS_BOUND_ANY_KIND };
	uint32_t data = ms_engine_find_data(h->memory.shard, s->address);

	return data == MS_BOUND_STACK ? ms_bins_stack_data(h->memory.binder, pc, kinds[s->kind])
				      : data;
}

void ms_hardware_take(struct ms_hardware *h, const struct ms_hardware_sample *s)
{
	uint32_t data = MS_NONE, near = MS_NONE;

	if (h->stopped)
		return;
	if (s->what == MS_HARDWARE_LOSS) {
		ms_hardware_lose(h, s->reason, 1, s->events * s->latency);
		return;
	}
	struct ms_bins_bound_pc pc =
		s->is_bound ? s->bound : ms_bins_locate(h->memory.binder, s->pc);
	if (pc.module == MS_BOUND_NO_MODULE && is_own(h, s->pc)) {
		ms_hardware_lose(h, "of memspy's own runtime", 1, s->events * s->latency);
		return;
	}
	uint32_t site = site_of(h, pc, s);
	if (s->what == MS_HARDWARE_REFERENCE && s->address == MS_HARDWARE_NO_ADDRESS)
		data = ms_bins_unknown(h->memory.binder, s->reason);
	else if (s->what == MS_HARDWARE_REFERENCE) {
		data = find_data(h, pc, s);
		near = ms_hardware_near_block(h, data, s->address);
	}
	count_samples(h, 1);
	count_in_phase(h, s);
	add_row(h,
		&(struct ms_hardware_row){ .site = site,
					   .data = data,
					   .near = near,
					   .answer = s->answer,
					   .sureness = s->sureness },
		s);
	if (data != MS_NONE)
		ms_hardware_count_context(&h->paths, s->context, site, data,
					  s->events * s->latency);
	if (s->in != NULL)
		ms_hardware_add_to_working_set(
			&h->working_set, s->in,
			&(struct ms_hardware_added_sample){ .site = site,
							    .data = data,
							    .phase = h->phase,
							    .address = s->address,
							    .time = s->events * s->latency });
	if (data != MS_NONE && has_histogram(h))
		add_bucket(h, site, data, s->latency);
}

/* --- the run --- */

struct sorted {
	const struct ms_hardware *h;
	struct ms_run *run;
	struct ms_name_state *naming;
	uint32_t site, data;               /* of the run's last cell */
	struct ms_hardware_joined *joined; /* NULL: the run has samples only */
};

static int compare_places(const struct ms_hardware *h, uint32_t a, uint32_t b, uint32_t a_data,
			  uint32_t b_data)
{
	const struct ms_hardware_site *x = &h->sites.at[a], *y = &h->sites.at[b];
	int order = ms_cmp_u64(x->module, y->module);

	if (order == 0)
		order = ms_cmp_u64(x->offset, y->offset);
	if (order == 0)
		order = ms_cmp_u64(x->kind, y->kind);
	return order != 0 ? order : ms_cmp_u64(a_data, b_data);
}

static int compare_rows(const void *a, const void *b, void *hardware)
{
	const struct ms_hardware_row *x = a, *y = b;
	int order = compare_places(hardware, x->site, y->site, x->data, y->data);

	if (order == 0)
		order = ms_cmp_u64(x->answer, y->answer);
	return order != 0 ? order : ms_cmp_u64(x->sureness, y->sureness);
}

static int compare_buckets(const void *a, const void *b, void *hardware)
{
	const struct ms_hardware_bucket *x = a, *y = b;
	int order = compare_places(hardware, x->site, y->site, x->data, y->data);

	return order != 0 ? order : ms_cmp_u64(x->bucket, y->bucket);
}

static void add_cell(struct sorted *s, const struct ms_hardware_row *row)
{
	const struct ms_hardware_site *site = &s->h->sites.at[row->site];
	struct ms_bins_bound_pc pc = { site->module, site->offset };

	if (row->site != s->site)
		*ms_vec_add(&s->run->sites) =
			(struct ms_run_site){ .line = ms_name_line(s->naming, pc),
					      .kind = site->kind,
					      .size = site->size,
					      .offset = site->offset,
					      .inlined = ms_name_inlined(s->naming, pc) };
	*ms_vec_add(&s->run->cells) =
		(struct ms_run_cell){ .site = (uint32_t)s->run->sites.n - 1,
				      .data = ms_name_data(s->naming, row->data) };
	s->site = row->site;
	s->data = row->data;
}

static void add_compute(struct sorted *s, const struct ms_hardware_row *row)
{
	const struct ms_hardware_site *site = &s->h->sites.at[row->site];
	uint32_t line =
		ms_name_line(s->naming, (struct ms_bins_bound_pc){ site->module, site->offset });
	size_t i = 0;

	while (i < s->run->hardware_computes.n && s->run->hardware_computes.at[i].line != line)
		i++;
	if (i == s->run->hardware_computes.n)
		*ms_vec_add(&s->run->hardware_computes) =
			(struct ms_run_hardware_compute){ .line = line };
	struct ms_run_hardware_compute *compute = &s->run->hardware_computes.at[i];
	compute->samples += row->samples;
	compute->time += row->latency;
	compute->time_squares += row->latency_squares;
}

/* Buckets stand in the order of the cells, so that one walk over both is enough. */
static void add_latencies(struct sorted *s, size_t *at)
{
	for (; *at < s->h->buckets.n; ++*at) {
		const struct ms_hardware_bucket *b = &s->h->buckets.at[*at];

		if (b->site != s->site || b->data != s->data)
			return;
		*ms_vec_add(&s->run->hardware_latencies) =
			(struct ms_run_hardware_latency){ (uint32_t)s->run->cells.n - 1, b->bucket,
							  b->samples };
	}
}

/* Makes it the run's cell, or finds that of the simulation. */
static uint32_t cell_of(struct sorted *s, const struct ms_hardware_row *row, uint32_t *sureness,
			size_t *bucket)
{
	if (s->joined != NULL)
		return ms_hardware_join_cell(s->joined, &s->h->sites.at[row->site], row->data,
					     sureness);
	if (row->site != s->site || row->data != s->data) {
		add_cell(s, row);
		add_latencies(s, bucket);
	}
	return (uint32_t)s->run->cells.n - 1;
}

static void add_rows(struct sorted *s)
{
	size_t bucket = 0;

	for (size_t i = 0; i < s->h->rows.n; i++) {
		const struct ms_hardware_row *row = &s->h->rows.at[i];

		if (row->data == MS_NONE) {
			add_compute(s, row);
			continue;
		}
		uint32_t sureness = row->sureness, cell = cell_of(s, row, &sureness, &bucket);

		*ms_vec_add(&s->run->hardware_samples) = (struct ms_run_hardware_sample){
			.cell = cell,
			.answer = row->answer,
			.sureness = sureness,
			.samples = row->samples,
			.events = row->events,
			.events_squares = row->events_squares,
			.latency = row->latency,
			.latency_squares = row->latency_squares,
		};
	}
}

/* What was sampled in each phase that the program has marked. */
static void add_phases(const struct ms_hardware *h, struct ms_name_state *n)
{
	const struct ms_name_program *program = h->memory.program;

	for (uint32_t i = 0; i < program->phases.n && program->phases.n > 1; i++) {
		struct ms_hardware_phase sampled = { 0 };

		if (i < h->phases.n)
			sampled = h->phases.at[i];
		*ms_vec_add(&n->run->phases) =
			(struct ms_run_phase){ ms_name_text(n, program->phases.at[i].name),
					       program->phases.at[i].times, sampled.samples };
		for (uint32_t k = 0; k < MS_PHASE_FIGURES; k++)
			*ms_vec_add(&n->run->phase_misses) =
				(struct ms_run_phase_miss){ i, k, sampled.figures[k] };
	}
}

/* Whether the machine may be the one that took the samples: a simulated one may be any. */
static bool is_like_this(const struct ms_machine *machine, const struct ms_run *run)
{
	return run->levels.n == 0 || machine->core.out_of_order == MS_CORE_OUT_OF_ORDER;
}

/* A replay makes several runs of the same samples. */
static void finish(struct ms_hardware *h, struct ms_name_state *naming)
{
	if (h->finished)
		return;
	h->finished = true;
	ms_hardware_timer_finish(h);
	if (is_like_this(naming->from.machine, naming->run))
		ms_hardware_subtract_hits(h, naming->from.machine);
	ms_hardware_attribute_unrecorded(h, naming);
	if (h->rows.n > 0)
		qsort_r(h->rows.at, h->rows.n, sizeof(*h->rows.at), compare_rows, h);
	if (h->buckets.n > 0)
		qsort_r(h->buckets.at, h->buckets.n, sizeof(*h->buckets.at), compare_buckets, h);
}

static void add_all(struct ms_hardware *h, struct sorted *s)
{
	struct ms_run *run = s->run;

	*ms_vec_add(&run->hardware) = h->about;
	run->hardware.at[0].event = ms_name_text(s->naming, h->about.event);
	add_rows(s);
	for (size_t i = 0; i < h->losses.n; i++)
		*ms_vec_add(&run->hardware_losses) = (struct ms_run_hardware_loss){
			ms_name_text(s->naming, h->losses.at[i].reason), h->losses.at[i].samples,
			h->losses.at[i].latency
		};
}

void ms_hardware_add_rows(struct ms_hardware *h, struct ms_name_state *naming)
{
	struct sorted s = { h, naming->run, naming, MS_NONE, MS_NONE, NULL };

	finish(h, naming);
	add_all(h, &s);
	ms_hardware_add_paths(h, naming);
	add_phases(h, naming);
}

/* --- a joined run --- */

/* From the time that samples cover to all of it. Returns the sum. */
static uint64_t extrapolate(struct ms_run *run, double scale)
{
	uint64_t all = 0;

	for (size_t i = 0; i < run->hardware_samples.n; i++) {
		struct ms_run_hardware_sample *s = &run->hardware_samples.at[i];

		s->latency = (uint64_t)((double)s->latency * scale + 0.5);
		s->latency_squares *= scale * scale;
		all += s->latency;
	}
	for (size_t i = 0; i < run->hardware_computes.n; i++) {
		struct ms_run_hardware_compute *c = &run->hardware_computes.at[i];

		c->time = (uint64_t)((double)c->time * scale + 0.5);
		c->time_squares *= scale * scale;
		all += c->time;
	}
	for (size_t i = 0; i < run->hardware_losses.n; i++) {
		struct ms_run_hardware_loss *l = &run->hardware_losses.at[i];

		l->latency = (uint64_t)((double)l->latency * scale + 0.5);
		all += l->latency;
	}
	return all;
}

void ms_hardware_join_rows(struct ms_hardware *h, struct ms_name_state *naming,
			   const struct ms_estimate_covered *covered)
{
	struct ms_hardware_joined joined;
	struct sorted s = { h, naming->run, naming, MS_NONE, MS_NONE, &joined };
	struct ms_run_hardware *about;

	finish(h, naming);
	ms_hardware_join_open(&joined, naming);
	add_all(h, &s);
	ms_hardware_join_close(&joined);
	about = &naming->run->hardware.at[0];
	about->covered = covered->native;
	about->cpu_ns = extrapolate(naming->run, 1 / covered->sampled);
}
