/* machine/calibrate_rounds.c - one round of measurements of the core: probes to quantities. */
#include <math.h>
#include <sched.h>
#include <unistd.h>

#include "machine/calibrate.h"
#include "machine/calibrate_core.h"
#include "machine/curves.h"
#include "machine/probes.h"

enum { REPEATS = 3, CPUS_MOST = 1024, STATES = 8 };

/* What the parts of a round share. */
struct measuring {
	const struct ms_machine *machine;
	double *value;        /* by enum ms_machine_quantity */
	double cycle;         /* nanoseconds */
	uint64_t bytes, most; /* of memory to measure in; of that of all processors together */
	size_t line, small_page;
	struct ms_machine_chase huge; /* linked over all of its bytes */
	struct ms_machine_chase small;
	int cpus[CPUS_MOST];
	size_t n_cpus;
	struct ms_machine_quiet_state states[STATES];
	unsigned n_states;
};

/* Disturbances only ever make a probe longer. */
#define LEAST_OF(out, probe)                           \
	do {                                           \
		(out) = (probe);                       \
		for (int i_ = 1; i_ < REPEATS; i_++) { \
			double again_ = (probe);       \
			if (again_ < (out))            \
				(out) = again_;        \
		}                                      \
	} while (0)

static void note_state(struct measuring *r)
{
	if (r->n_states < STATES)
		r->states[r->n_states++] = ms_machine_quiet_read("/proc");
}

/* --- instructions and memory ---------------------------------------------------------------- */

static void measure_instructions(struct measuring *r)
{
	double mix, add, multiply;

	LEAST_OF(r->cycle, ms_machine_chain_cycle());
	LEAST_OF(mix, ms_machine_probe_mix());
	LEAST_OF(add, ms_machine_probe_float(MS_FLOAT_ADD));
	LEAST_OF(multiply, ms_machine_probe_float(MS_FLOAT_MULTIPLY));
	r->value[MS_QUANTITY_CLOCK] = 1000 / r->cycle;
	r->value[MS_QUANTITY_IPC] = r->cycle / mix;
	r->value[MS_QUANTITY_FLOAT_ADD] = add / r->cycle;
	r->value[MS_QUANTITY_FLOAT_MULTIPLY] = multiply / r->cycle;
}

static void measure_overlap(struct measuring *r)
{
	static const unsigned chains[] = { 1, 2, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32, 40, 48 };
	struct ms_machine_point curve[MS_COUNT(chains)];
	struct ms_machine_probe_starts starts;

	ms_machine_probe_find_starts(&r->huge, r->huge.bytes / r->line, &starts);
	for (size_t i = 0; i < MS_COUNT(chains); i++) {
		curve[i].x = chains[i];
		LEAST_OF(curve[i].y, ms_machine_probe_chains(&starts, chains[i]));
	}
	r->value[MS_QUANTITY_MEMORY] = curve[0].y / r->cycle;
	r->value[MS_QUANTITY_OUTSTANDING] = ms_machine_curve_overlap(curve, MS_COUNT(chains));
}

static void measure_bandwidth(struct measuring *r)
{
	static const enum ms_machine_quantity quantities[] = {
		[MS_TRANSFER_READ] = MS_QUANTITY_READ,
		[MS_TRANSFER_WRITE] = MS_QUANTITY_WRITE,
		[MS_TRANSFER_COPY] = MS_QUANTITY_COPY,
	};

	for (size_t i = 0; i < MS_COUNT(quantities); i++) {
		double ns;

		LEAST_OF(ns, ms_machine_probe_transfer(&r->huge, (enum ms_machine_transfer)i));
		r->value[quantities[i]] = MS_PROBE_LINE / ns * r->cycle;
	}
}

/* --- the last level ------------------------------------------------------------------------- */

static double walk_random(struct measuring *r, uint64_t bytes)
{
	enum { STEPS = 1 << 16, WARM_MOST = 1 << 18 };
	size_t lines = bytes / r->line;
	double ns;

	ms_machine_chase_link(&r->huge, bytes, (uint32_t)r->line);
	ms_machine_chase_walk(&r->huge, lines < WARM_MOST ? lines : WARM_MOST);
	LEAST_OF(ns, ms_machine_chase_walk(&r->huge, STEPS) / STEPS);
	return ns;
}

/*
 * Walks from twice the level before up to one and a half of the last level. Its latency is that in
 * the geometric middle between the level before and the part that is usable.
 */
static void measure_last_level(struct measuring *r)
{
	static const unsigned eighths[] = { 8, 10, 12, 14 };
	enum { POINTS = 64 };
	size_t n = r->machine->levels.n, points = 0;
	const struct ms_machine_level *last = &r->machine->levels.at[n - 1];
	struct ms_machine_point curve[POINTS];

	if (n < 2 || last->size < 4 * last[-1].size)
		return;
	for (uint64_t base = 2 * last[-1].size; base <= last->size / 2 * 3; base *= 2)
		for (size_t i = 0; i < MS_COUNT(eighths) && points < POINTS; i++) {
			uint64_t bytes = base / 8 * eighths[i];

			if (bytes > last->size / 2 * 3 || bytes > r->huge.bytes)
				break;
			curve[points++] =
				(struct ms_machine_point){ (double)bytes, walk_random(r, bytes) };
		}
	double memory = r->value[MS_QUANTITY_MEMORY] * r->cycle;
	double usable = ms_machine_curve_usable(curve, points, memory, (double)last->size);
	double middle = sqrt((double)last[-1].size * usable / 100 * (double)last->size);
	size_t at = 0;

	while (at + 1 < points && curve[at + 1].x <= middle)
		at++;
	r->value[MS_QUANTITY_USABLE] = usable;
	if (!isnan(usable))
		r->value[MS_QUANTITY_LAST] = curve[at].y / r->cycle;
}

/* --- prefetching ---------------------------------------------------------------------------- */

/*
 * In small pages, as most programs have them. A stride is covered if a load takes less than half of
 * the time of one that nothing predicts. The distance follows from the time of consecutive lines:
 * so many must be on their way at a time.
 */
static void measure_prefetching(struct measuring *r)
{
	static const unsigned streams[] = { 1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128 };
	enum { STRIDES = 16 };
	double memory = r->value[MS_QUANTITY_MEMORY] * r->cycle, sequential, across;
	struct ms_machine_point strides[STRIDES], many[MS_COUNT(streams)];
	size_t from = 0, n = 0;

	for (size_t stride = r->line; stride <= MS_STRIDE_TRIED && n < STRIDES; stride *= 2, n++) {
		strides[n].x = (double)stride;
		LEAST_OF(strides[n].y, ms_machine_probe_stride(&r->small, stride, &from));
	}
	for (size_t i = 0; i < MS_COUNT(streams); i++) {
		many[i].x = streams[i];
		LEAST_OF(many[i].y, ms_machine_probe_streams(&r->small, streams[i], &from));
	}
	LEAST_OF(sequential, ms_machine_probe_stride(&r->huge, r->line, &from));
	across = (strides[0].y - sequential) * (double)r->small_page / (double)r->line;
	r->value[MS_QUANTITY_STRIDE] = ms_machine_curve_below(strides, n, memory / 2);
	r->value[MS_QUANTITY_STREAMS] = ms_machine_curve_below(many, MS_COUNT(streams), memory / 2);
	r->value[MS_QUANTITY_DISTANCE] = sequential < memory / 2 ? memory / sequential : 0;
	/* Where it stops, the first line of each page takes as long as one that nothing predicts.
	 */
	r->value[MS_QUANTITY_CROSS] = across < memory / 2;
}

/* --- address translation -------------------------------------------------------------------- */

static void measure_tlb(struct measuring *r)
{
	static const size_t pages[] = { 8,    16,   24,   28,   32,   36,   40,    44,   48,
					56,   64,   72,   80,   96,   128,  192,   256,  384,
					512,  768,  1024, 1280, 1536, 1792, 2048,  2304, 2560,
					3072, 3584, 4096, 5120, 6144, 8192, 12288, 16384 };
	struct ms_machine_point spread[MS_COUNT(pages)], dense[MS_COUNT(pages)];
	const struct ms_machine_level *first = &r->machine->levels.at[0];
	size_t n = 0;

	for (; n < MS_COUNT(pages) && pages[n] * r->small_page <= r->small.bytes; n++) {
		spread[n].x = dense[n].x = (double)pages[n];
		LEAST_OF(spread[n].y,
			 ms_machine_probe_pages(&r->small, pages[n], r->small_page, 1));
		LEAST_OF(dense[n].y, ms_machine_probe_pages(&r->small, pages[n], r->line, 1));
		spread[n].y /= r->cycle;
		dense[n].y /= r->cycle;
	}
	struct ms_machine_tlb_curve tlb =
		ms_machine_curve_tlb(spread, dense, n, (double)first->size / (double)first->line);

	if (tlb.entries > 0) {
		r->value[MS_QUANTITY_TLB] = tlb.entries;
		r->value[MS_QUANTITY_SECOND_LATENCY] = tlb.second_latency;
	}
	if (tlb.walk_latency > 0) {
		r->value[MS_QUANTITY_SECOND] = tlb.second_entries;
		r->value[MS_QUANTITY_WALK] = tlb.walk_latency;
	}
}

/* Page table entries of 8 bytes in a line of 64. */
enum { ENTRIES_IN_LINE = 8 };

/*
 * With twice as many pages as the second level holds, each load walks. Programs that walk all the
 * time go to pages far from each other: so each page has a cache line of page table entries of its
 * own, as far as there is memory. Neighbouring pages would share lines, which stay in the first
 * level, and several walks at a time would look faster than they are.
 */
static void measure_walks(struct measuring *r)
{
	static const unsigned chains[] = { 1, 2, 4, 8, 16 };
	struct ms_machine_point curve[MS_COUNT(chains)];
	double second = r->value[MS_QUANTITY_SECOND];
	size_t apart = ENTRIES_IN_LINE * r->small_page;

	if (isnan(second) || 2 * second * (double)r->small_page > (double)r->small.bytes)
		return;
	while (2 * second * (double)apart > (double)r->small.bytes)
		apart /= 2;
	for (size_t i = 0; i < MS_COUNT(chains); i++) {
		double spread, dense;
		size_t pages = (size_t)(2 * second);

		LEAST_OF(spread, ms_machine_probe_pages(&r->small, pages, apart, chains[i]));
		LEAST_OF(dense, ms_machine_probe_pages(&r->small, pages, r->line, chains[i]));
		curve[i] = (struct ms_machine_point){ chains[i], spread - dense };
	}
	r->value[MS_QUANTITY_WALKS] = ms_machine_curve_overlap(curve, MS_COUNT(chains));
	r->value[MS_QUANTITY_WALK] = curve[0].y / r->cycle;
}

/* --- several processors --------------------------------------------------------------------- */

static void find_cpus(struct measuring *r, const cpu_set_t *allowed)
{
	for (int cpu = 0; cpu < CPU_SETSIZE && r->n_cpus < CPUS_MOST; cpu++)
		if (CPU_ISSET(cpu, allowed))
			r->cpus[r->n_cpus++] = cpu;
}

static void measure_processors(struct measuring *r)
{
	const struct ms_machine_level *levels = r->machine->levels.at;
	size_t n = r->machine->levels.n;
	double peer, total;

	if (r->n_cpus < 2)
		return;
	/* More than a private level holds, and together more than the last level. */
	uint64_t each = r->bytes / r->n_cpus;
	if (n > 1 && each < 4 * levels[n - 2].size)
		each = 4 * levels[n - 2].size;
	/* Processors next to each other may be threads of one core. */
	const int cpus[2] = { r->cpus[0], r->cpus[r->n_cpus - 1] };

	LEAST_OF(peer, ms_machine_probe_peer(cpus));
	if (peer > 0)
		r->value[MS_QUANTITY_PEER] = peer / r->cycle;
	if (each * r->n_cpus > r->most || each * r->n_cpus < 2 * levels[n - 1].size)
		return;
	total = ms_machine_probe_total(r->cpus, r->n_cpus, each, MS_PROBE_LINE);
	if (total > 0)
		r->value[MS_QUANTITY_TOTAL] = total * r->cycle;
}

/* --- rounds --------------------------------------------------------------------------------- */

static void open_memory(struct measuring *r)
{
	ms_machine_chase_open(&r->huge, r->bytes);
	ms_machine_chase_open_small(&r->small, r->bytes);
	ms_machine_chase_link(&r->huge, r->huge.bytes, (uint32_t)r->line);
}

static void close_memory(struct measuring *r)
{
	ms_machine_chase_close(&r->huge);
	ms_machine_chase_close(&r->small);
}

static void measure_round(struct measuring *r, struct ms_machine_round *round,
			  const cpu_set_t *processors)
{
	static void (*const parts[])(struct measuring *) = {
		measure_overlap,     measure_bandwidth, measure_last_level,
		measure_prefetching, measure_tlb,       measure_walks,
	};

	r->value = round->value;
	for (size_t i = 0; i < MS_QUANTITIES; i++)
		r->value[i] = NAN;
	find_cpus(r, processors);
	measure_instructions(r);
	open_memory(r);
	note_state(r);
	if (r->bytes > 0 && r->huge.bytes >= r->bytes && r->small.bytes >= r->bytes)
		for (size_t i = 0; i < MS_COUNT(parts); i++) {
			parts[i](r);
			note_state(r);
		}
	close_memory(r);
	round->quiet = ms_machine_quiet_judge(r->states, r->n_states);
	measure_processors(r);
}

void ms_machine_calibrate_rounds(const struct ms_machine *machine,
				 const struct ms_machine_calibrate_options *options, uint64_t bytes,
				 uint64_t most, const cpu_set_t *processors,
				 struct ms_machine_rounds *rounds)
{
	*rounds = (struct ms_machine_rounds){ 0 };
	while (rounds->n < MS_CORE_ATTEMPTS && rounds->quiet < MS_CORE_ROUNDS &&
	       (rounds->n < MS_CORE_ROUNDS || rounds->quiet > 0)) {
		struct measuring r = { .machine = machine,
				       .bytes = bytes,
				       .most = most,
				       .line = machine->levels.at[machine->levels.n - 1].line,
				       .small_page = (size_t)sysconf(_SC_PAGESIZE) };

		measure_round(&r, &rounds->at[rounds->n], processors);
		rounds->quiet += rounds->at[rounds->n++].quiet.quiet;
		if (options->round != NULL)
			options->round(&rounds->at[rounds->n - 1], rounds->n,
				       options->progress_arg);
	}
}
