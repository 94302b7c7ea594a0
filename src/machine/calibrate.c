#include "machine/calibrate.h"

#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/num.h"
#include "machine/families.h"
#include "machine/machine_priv.h"

/* --- what to walk through --------------------------------------------------------------------- */

/*
 * A walk is well beyond the size of the previous level, so that this level keeps almost nothing
 * from one lap to the next. It is no larger than that: if a cache is shared, or a virtual machine
 * owns a part of it, a smaller piece is more likely to be available.
 */
enum { BEYOND = 4, LEAST_MEMORY_WALK = 64 << 20 };

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t ms_machine_calibrate_bytes(const struct ms_machine *machine, size_t index,
				    uint64_t most_bytes)
{
	size_t n = machine->levels.n;
	uint64_t hit = machine->levels.at[0].size / 2;
	uint64_t before = index > 0 ? machine->levels.at[index - 1].size : 0;
	uint64_t bytes = BEYOND * before;

	if (index == 0)
		return hit <= most_bytes ? hit : 0;
	if (index < n)
		bytes = least(bytes, machine->levels.at[index].size / 4 * 3);
	else if (bytes < LEAST_MEMORY_WALK)
		bytes = LEAST_MEMORY_WALK;
	bytes = least(bytes, most_bytes);
	return bytes >= before / 2 * 3 ? bytes : 0;
}

/* --- from samples to figures ------------------------------------------------------------------ */

static int compare_samples(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct ms_machine_spread ms_machine_spread_of(double *samples, size_t n)
{
	qsort(samples, n, sizeof(*samples), compare_samples);
	return (struct ms_machine_spread){ samples[0], (samples[(n - 1) / 2] + samples[n / 2]) / 2,
					   samples[n - 1] };
}

/* Cycles beyond a hit in the first level. */
static uint32_t wait_of(double cycles, double hit)
{
	return cycles > hit ? (uint32_t)lround(cycles - hit) : 0;
}

static const char *tell_measured(struct ms_machine *machine, const struct ms_machine_measurement *m,
				 const struct ms_machine_measurement *first, const char *pages,
				 bool raised)
{
	char size[MS_NUM_TEXT];
	double hit = first->cycles.median;

	return ms_arena_printf(
		&machine->arena,
		"measured: %u cycles (%u..%u over %d rounds), %.1f ns, in %s of %s%s",
		wait_of(m->cycles.median, hit), wait_of(m->cycles.least, hit),
		wait_of(m->cycles.most, hit), MS_CALIBRATE_ROUNDS, m->ns.median,
		ms_format_size(m->bytes, size), pages,
		raised ? "; raised to the least that it can be" : "");
}

static const char *tell_first(struct ms_machine *machine, const struct ms_machine_measurement *m)
{
	return ms_arena_printf(&machine->arena,
			       MS_ORIGIN_DEFINED
			       "; a hit measured: %.1f cycles (%.1f..%.1f over %d rounds), %.1f ns",
			       m->cycles.median, m->cycles.least, m->cycles.most,
			       MS_CALIBRATE_ROUNDS, m->ns.median);
}

/* The ratio of remote latency to memory latency stays the same. */
static void scale_remote(struct ms_machine *machine, uint32_t memory_before)
{
	uint64_t remote = (uint64_t)machine->remote_latency * machine->memory_latency;

	if (memory_before != 0)
		machine->remote_latency = (uint32_t)(remote / memory_before);
}

/*
 * The latency of another processor's cache is not measured; it is at least that of the last level.
 */
static void raise_peer(struct ms_machine *machine)
{
	uint32_t last = machine->levels.at[machine->levels.n - 1].latency;

	if (machine->peer_latency >= last)
		return;
	machine->peer_latency = last;
	machine->peer_latency_origin = MS_ORIGIN_ASSUMED ", not measured: as far as the last level";
}

void ms_machine_calibrate_choose(struct ms_machine *machine,
				 const struct ms_machine_measurement *measured, const char *pages)
{
	size_t n = machine->levels.n;
	uint32_t before = 0, memory = machine->memory_latency;

	machine->levels.at[0].latency_origin = tell_first(machine, &measured[0]);
	for (size_t i = 1; i <= n; i++) {
		const struct ms_machine_measurement *m = &measured[i];
		uint32_t *latency =
			i < n ? &machine->levels.at[i].latency : &machine->memory_latency;
		const char **origin = i < n ? &machine->levels.at[i].latency_origin
					    : &machine->memory_latency_origin;
		uint32_t wait = m->bytes == 0
					? *latency
					: wait_of(m->cycles.median, measured[0].cycles.median);
		uint32_t lowest = before > 0 ? before : 1;

		*latency = wait > lowest ? wait : lowest;
		*origin = m->bytes == 0
				  ? "assumed: it could not be distinguished from the level before"
				  : tell_measured(machine, m, &measured[0], pages, wait < lowest);
		before = *latency;
	}
	scale_remote(machine, memory);
	raise_peer(machine);
}

/* --- measuring -------------------------------------------------------------------------------- */

/* The number of steps for which a round takes round_seconds. */
static uint64_t steps_of(struct ms_machine_chase *chase, size_t lines, double round_seconds)
{
	/* Two laps, so that the level holds as much of the walk as it can. */
	double ns = ms_machine_chase_walk(chase, 2 * lines) / (2 * (double)lines);
	double steps = round_seconds * 1e9 / (ns > 0.1 ? ns : 0.1);

	return steps > 1000 ? (uint64_t)steps : 1000;
}

static struct ms_machine_measurement measure(struct ms_machine_chase *chase, uint64_t bytes,
					     uint32_t line, double round_seconds)
{
	double ns[MS_CALIBRATE_ROUNDS], cycles[MS_CALIBRATE_ROUNDS];

	ms_machine_chase_link(chase, bytes, line);
	uint64_t steps = steps_of(chase, bytes / line, round_seconds);
	for (int i = 0; i < MS_CALIBRATE_ROUNDS; i++) {
		double cycle = ms_machine_chain_cycle();

		ns[i] = ms_machine_chase_walk(chase, steps) / (double)steps;
		/* The clock frequency may change in between, so it is measured before and after. */
		cycles[i] = ns[i] / ((cycle + ms_machine_chain_cycle()) / 2);
	}
	return (struct ms_machine_measurement){ bytes,
						ms_machine_spread_of(ns, MS_CALIBRATE_ROUNDS),
						ms_machine_spread_of(cycles, MS_CALIBRATE_ROUNDS) };
}

static void measure_all(struct ms_machine *machine, struct ms_machine_chase *chase,
			const struct ms_machine_calibrate_options *options,
			struct ms_machine_measurement *measured)
{
	size_t n = machine->levels.n;

	for (size_t i = 0; i <= n; i++) {
		const struct ms_machine_level *level = &machine->levels.at[i < n ? i : n - 1];
		uint64_t bytes = ms_machine_calibrate_bytes(machine, i, chase->bytes);

		if (bytes > 0)
			measured[i] = measure(chase, bytes, level->line, options->round_seconds);
		if (options->progress != NULL)
			options->progress(i < n ? level->name : "memory", &measured[i],
					  options->progress_arg);
	}
}

/* Also limits the time: laying out the pointers of a gigabyte takes a second or two. */
enum { MOST_BYTES = 1 << 30, ENOUGH_BYTES = 128 << 20 };

/* The bytes that the longest walk needs. */
static uint64_t bytes_of_all(const struct ms_machine *machine, uint64_t most)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i <= machine->levels.n; i++) {
		uint64_t one = ms_machine_calibrate_bytes(machine, i, least(most, MOST_BYTES));

		bytes = one > bytes ? one : bytes;
	}
	return bytes;
}

/* Pins to the processor whose caches were read from sysfs: the first that this process may use. */
static void pin(const cpu_set_t *allowed)
{
	cpu_set_t one;
	int cpu = 0;

	while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, allowed))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static const char *tell_origin(struct ms_machine *machine, const char *why)
{
	char date[32];
	time_t now = time(NULL);
	struct tm utc;
	bool assumed = strcmp(machine->levels.at[0].origin, MS_ORIGIN_ASSUMED) == 0;

	strftime(date, sizeof(date), "%Y-%m-%d", gmtime_r(&now, &utc));
	return ms_arena_printf(&machine->arena, "measured on this machine on %s%s, geometry %s",
			       date, why != NULL ? " while it was not quiet" : "",
			       assumed ? "assumed: the system shows no caches" : "from sysfs");
}

/* The bytes of a round: more would only make it longer. */
static uint64_t bytes_of_round(const struct ms_machine *machine, uint64_t most)
{
	uint64_t last = machine->levels.at[machine->levels.n - 1].size;
	uint64_t bytes = ms_machine_calibrate_bytes(machine, machine->levels.n, most);
	uint64_t enough = 2 * last > ENOUGH_BYTES ? 2 * last : ENOUGH_BYTES;

	return least(bytes, enough);
}

/* Latencies of levels and memory; *hit: cycles of a hit in the first level. */
static int measure_latencies(struct ms_machine *machine,
			     const struct ms_machine_calibrate_options *options, uint64_t most,
			     double *hit, struct ms_err *err)
{
	struct ms_machine_chase chase;
	struct ms_machine_measurement *measured =
		ms_alloc((machine->levels.n + 1) * sizeof(*measured));
	int code = MS_OK;

	ms_machine_chase_open(&chase, bytes_of_all(machine, most));
	measure_all(machine, &chase, options, measured);
	*hit = measured[0].cycles.median;
	if (measured[0].bytes == 0)
		code = ms_fail(err, MS_EIO, "there is too little free memory to measure anything");
	else
		ms_machine_calibrate_choose(machine, measured, ms_machine_chase_pages_text(&chase));
	ms_machine_chase_close(&chase);
	ms_free(measured);
	return code;
}

/* *why: what makes the figures uncertain, NULL if nothing does. */
static int measure_core(struct ms_machine *machine,
			const struct ms_machine_calibrate_options *options, uint64_t most,
			const cpu_set_t *allowed, double hit, const char **why, struct ms_err *err)
{
	struct ms_machine_rounds rounds;
	char text[512];

	ms_machine_calibrate_rounds(machine, options, bytes_of_round(machine, most / 2), most,
				    allowed, &rounds);
	*why = NULL;
	if (ms_machine_calibrate_unsteady(&rounds, text, sizeof(text))) {
		if (!options->force)
			return ms_fail(err, MS_EIO,
				       "this machine is not quiet enough to measure it: %s. Stop "
				       "other programs and repeat, or write the figures "
				       "nevertheless with --force",
				       text);
		*why = ms_arena_strdup(&machine->arena, text);
	}
	ms_machine_calibrate_core(machine, &rounds, hit);
	return MS_OK;
}

static int calibrate_pinned(struct ms_machine *machine,
			    const struct ms_machine_calibrate_options *options,
			    const cpu_set_t *allowed, struct ms_err *err)
{
	uint64_t most =
		options->most_bytes != 0 ? options->most_bytes : ms_machine_calibrate_room();
	const char *why;
	double hit;

	ms_machine_host_pages(machine, options->sysfs_root);
	ms_machine_apply_family(machine, "/proc/cpuinfo", options->preset_dir);
	MS_TRY(measure_latencies(machine, options, most, &hit, err));
	MS_TRY(measure_core(machine, options, most, allowed, hit, &why, err));
	ms_machine_assume_core(machine);
	machine->name = "this machine, calibrated";
	machine->origin = tell_origin(machine, why);
	machine->note = why;
	return MS_OK;
}

int ms_machine_calibrate(struct ms_machine *machine,
			 const struct ms_machine_calibrate_options *options, struct ms_err *err)
{
	cpu_set_t allowed;

	MS_TRY(ms_machine_load_host(machine, options->sysfs_root, err));
	bool pinned = sched_getaffinity(0, sizeof(allowed), &allowed) == 0;
	if (pinned)
		pin(&allowed);
	else
		CPU_ZERO(&allowed);
	int code = calibrate_pinned(machine, options, &allowed, err);
	if (pinned)
		sched_setaffinity(0, sizeof(allowed), &allowed);
	if (code != MS_OK)
		ms_machine_free(machine);
	return code;
}
