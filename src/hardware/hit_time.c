/*
 * hardware/hit_time.c - moves the time of hits from references to compute time (working_set.h).
 *
 * A loop takes the time of its instructions, or of the instructions that depend on each other from
 * one iteration to the next, whichever is longer, and in addition what its references wait for:
 * their latency if each depends on the last one, else the part that the processor cannot overlap.
 * The ratio of both is the share of compute time in the loop's samples. Samples that are found
 * after other instructions of the loop are part of it already.
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "hardware/hardware.h"

/* References that wait for less than this on average hit in the first-level cache. */
#define NO_WAIT 0.5 /* cycles */

struct judged_loop {
	double own;     /* cycles of one iteration without misses */
	double exposed; /* cycles that its references wait in addition */
	double time;    /* nanoseconds of samples that may be either */
	double hits;    /* of references that always hit */
};

struct judgement {
	struct ms_hardware_working_set *set;
	const struct ms_machine *machine;
	struct judged_loop *loops;
	double *latencies; /* by use; below 0: not known */
};

static int compare_touched(const void *a, const void *b)
{
	const struct ms_hardware_touched *x = a, *y = b;
	int order = ms_cmp_u64(x->use, y->use);

	return order != 0 ? order : ms_cmp_u64(x->line, y->line);
}

/* Too few samples: a thread that is stopped after a reference is taken to have waited for it. */
static bool is_enough(const struct ms_hardware_touched *touched, size_t n)
{
	enum { SAMPLES = 16, ONE_LINE = 8 };
	uint64_t samples = 0;

	for (size_t i = 0; i < n; i++)
		samples += touched[i].samples;
	return samples >= SAMPLES || (n == 1 && samples >= ONE_LINE);
}

/* By `use` of the sorted lines, which stands for a loop below; those below 0 are filled in. */
static void find_latencies_of(const struct judgement *j, const struct ms_hardware_touched *all,
			      size_t n, double *latencies)
{
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && all[end].use == all[i].use; end++)
			;
		if (!is_enough(all + i, end - i))
			continue;
		const struct ms_hardware_footprint f =
			ms_hardware_find_footprint(all + i, end - i, j->machine);
		latencies[all[i].use] = ms_hardware_expected_latency(&f, j->machine);
	}
}

/* Uses with few samples: those of all uses of the loop together. */
static void find_latencies_of_loops(const struct judgement *j)
{
	const struct ms_hardware_working_set *set = j->set;
	struct ms_hardware_touched *all = ms_alloc((set->touched.n + 1) * sizeof(*all));
	double *latencies = ms_alloc((set->loops.n + 1) * sizeof(*latencies));
	size_t n = 0;

	for (size_t i = 0; i < set->loops.n; i++)
		latencies[i] = -1;
	for (size_t i = 0; i < set->touched.n; i++) {
		uint32_t loop = set->uses.at[set->touched.at[i].use].loop;

		if (loop == MS_NONE)
			continue;
		all[n] = set->touched.at[i];
		all[n++].use = loop;
	}
	qsort(all, n, sizeof(*all), compare_touched);
	find_latencies_of(j, all, n, latencies);
	for (size_t i = 0; i < set->uses.n; i++)
		if (j->latencies[i] < 0 && set->uses.at[i].loop != MS_NONE)
			j->latencies[i] = latencies[set->uses.at[i].loop];
	ms_free(all);
	ms_free(latencies);
}

static void find_latencies(const struct judgement *j)
{
	struct ms_hardware_working_set *set = j->set;

	if (set->touched.n > 0)
		qsort(set->touched.at, set->touched.n, sizeof(*set->touched.at), compare_touched);
	for (size_t i = 0; i < set->uses.n; i++)
		j->latencies[i] = -1;
	find_latencies_of(j, set->touched.at, set->touched.n, j->latencies);
	find_latencies_of_loops(j);
	for (size_t i = 0; i < set->uses.n; i++)
		if (set->uses.at[i].shared)
			j->latencies[i] = -1;
}

/* Cycles of an iteration in which all references hit. */
static double own_cycles(const struct ms_hardware_loop *loop, const struct ms_machine_core *core)
{
	double issue = loop->instructions * 1000.0 / (core->ipc_milli > 0 ? core->ipc_milli : 1000);

	return issue > loop->recurrence ? issue : loop->recurrence;
}

/* Misses that are in flight at the same time if they do not depend on each other. */
static double overlap(const struct ms_hardware_loop *loop, const struct ms_machine *machine)
{
	const struct ms_machine_core *core = &machine->core;
	/* Loops do not reach the maximum; of 0.25, 0.4 and 1, this fitted the loops of bench/time.
	 */
	const double reached = 0.4;
	double most = core->outstanding > 0     ? core->outstanding
		      : core->out_of_order != 0 ? MS_ASSUMED_OUTSTANDING
						: 1;
	double iterations = (double)core->window / loop->instructions;

	if (machine->levels.n > 0 && machine->levels.at[0].outstanding > 0)
		most = machine->levels.at[0].outstanding;
	most *= reached;
	most = iterations < most ? iterations : most;
	return most > 1 ? most : 1;
}

/* Cycles between two lines that a prefetcher requests. */
static double line_cycles(const struct ms_machine_core *core)
{
	if (core->prefetch_distance == 0 || core->bandwidth_milli == 0)
		return INFINITY;
	return MS_DECODE_LINE * 1000.0 / core->bandwidth_milli;
}

/* Cycles of an iteration that a reference adds. */
static double exposed_cycles(const struct judgement *j, const struct ms_hardware_use *use,
			     double latency)
{
	const struct ms_hardware_loop *loop = &j->set->loops.at[use->loop];

	if (use->chained)
		return latency;
	double interval = latency / overlap(loop, j->machine), own = j->loops[use->loop].own;
	if (use->strided && interval > line_cycles(&j->machine->core))
		interval = line_cycles(&j->machine->core);
	return interval > own ? interval - own : 0;
}

static void add_use(struct judgement *j, struct ms_hardware_use *use, double latency)
{
	enum { HIT = 4 }; /* cycles of a load that hits */

	if (latency < 0)
		return;
	if (latency < NO_WAIT) {
		use->hits = 1;
		if (use->loop != MS_NONE)
			j->loops[use->loop].hits += (double)use->time;
	} else if (use->loop == MS_NONE) {
		use->hits = use->in_order ? 0 : HIT / (HIT + latency);
	} else if (!use->in_order) {
		j->loops[use->loop].exposed += exposed_cycles(j, use, latency);
		j->loops[use->loop].time += (double)use->time;
	}
}

/* The share of a loop's uncertain samples that are the time of its own instructions. */
static double own_share(const struct judged_loop *judged, const struct ms_hardware_loop *loop)
{
	double certain = (double)loop->compute + judged->hits, all = judged->time + certain;
	double own = all * judged->own / (judged->own + judged->exposed) - certain;

	if (judged->time <= 0 || own <= 0)
		return 0;
	return own < judged->time ? own / judged->time : 1;
}

static void judge(struct judgement *j)
{
	struct ms_hardware_working_set *set = j->set;

	for (size_t i = 0; i < set->loops.n; i++)
		j->loops[i].own = own_cycles(&set->loops.at[i], &j->machine->core);
	find_latencies(j);
	for (size_t i = 0; i < set->uses.n; i++)
		add_use(j, &set->uses.at[i], j->latencies[i]);
	for (size_t i = 0; i < set->uses.n; i++) {
		struct ms_hardware_use *use = &set->uses.at[i];

		if (use->loop != MS_NONE && use->hits == 0 && !use->in_order &&
		    j->latencies[i] >= 0)
			use->hits = own_share(&j->loops[use->loop], &set->loops.at[use->loop]);
	}
}

/* --- rows and phases --- */

static uint64_t move_part(struct ms_hardware *h, size_t from, double part)
{
	struct ms_hardware_row was = h->rows.at[from];
	uint64_t samples = ms_round_u64((double)was.samples * part);

	if (samples == 0)
		return 0;
	part = (double)samples / (double)was.samples;
	struct ms_hardware_row moved = {
		.samples = samples,
		.events = ms_round_u64((double)was.events * part),
		.events_squares = was.events_squares * part,
		.latency = ms_round_u64((double)was.latency * part),
		.latency_squares = was.latency_squares * part,
	};
	struct ms_hardware_row *to = ms_hardware_row(
		h, &(struct ms_hardware_row){ .site = was.site, .data = MS_NONE, .near = MS_NONE });
	ms_hardware_add_to_row(to, &moved);
	ms_hardware_subtract_from_row(&h->rows.at[from], &moved);
	return moved.latency;
}

/* Exactly what was moved in rows; the last phase of a use gets the rounding error. */
static void move_phases(struct ms_hardware *h)
{
	const struct ms_hardware_working_set *set = &h->working_set;

	for (size_t i = 0; i < set->phases.n; i++) {
		const struct ms_hardware_phase_use *p = &set->phases.at[i];
		struct ms_hardware_use *use = &set->uses.at[p->use];
		uint64_t *figures = h->phases.at[p->phase].figures;
		uint64_t part =
			ms_round_u64((double)use->moved * (double)p->time / (double)use->time);

		if (part > use->moved || p->time == use->time)
			part = use->moved;
		use->moved -= part;
		use->time -= p->time;
		figures[MS_PHASE_LATENCY] -= part;
		figures[MS_PHASE_COMPUTE] += part;
	}
}

void ms_hardware_subtract_hits(struct ms_hardware *h, const struct ms_machine *machine)
{
	struct ms_hardware_working_set *set = &h->working_set;
	size_t rows = h->rows.n;
	struct judgement j = {
		.set = set,
		.machine = machine,
		.loops = ms_alloc((set->loops.n + 1) * sizeof(*j.loops)),
		.latencies = ms_alloc((set->uses.n + 1) * sizeof(*j.latencies)),
	};

	judge(&j);
	for (size_t i = 0; i < rows; i++) {
		uint32_t use = ms_map_get(&set->use_of, h->rows.at[i].site, h->rows.at[i].data);

		if (h->rows.at[i].data != MS_NONE && use != MS_MAP_NONE)
			set->uses.at[use].moved += move_part(h, i, set->uses.at[use].hits);
	}
	move_phases(h);
	ms_free(j.loops);
	ms_free(j.latencies);
}
