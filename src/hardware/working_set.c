/*
 * hardware/working_set.c - see working_set.h: collects the lines that each instruction uses, and
 * estimates how many there are.
 *
 * The number of lines follows from how often two samples of an instruction touch the same one: of n
 * samples on L lines that are used equally often, n (n - 1) / 2 / L pairs do. 100 samples
 * distinguish 32 KiB from 64 KiB, and 1,000 samples 1 MiB from 32 MiB. Lines with many samples are
 * set apart before, since a few lines that are used often have most of the pairs.
 */
#include "hardware/working_set.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "hardware/hardware.h"

enum { TRACKED = 4096 };   /* samples of one use: enough for any estimate */
enum { HOT = 8 };          /* samples on one line */
enum { ENOUGH_PAIRS = 8 }; /* for an estimate that is right within a third or so */
enum { PAGE_LINES = 64 };

void ms_hardware_working_set_close(struct ms_hardware_working_set *set)
{
	ms_map_free(&set->use_of);
	ms_map_free(&set->line_of);
	ms_map_free(&set->loop_of);
	ms_map_free(&set->thread_of);
	ms_map_free(&set->phase_of);
	ms_vec_free(&set->uses);
	ms_vec_free(&set->touched);
	ms_vec_free(&set->loops);
	ms_vec_free(&set->phases);
}

/* --- while the program runs --- */

static uint32_t loop_of(struct ms_hardware_working_set *set, const struct ms_decode_loop *loop)
{
	if (loop->begin == 0)
		return MS_NONE;
	uint32_t *slot = ms_map_at(&set->loop_of, loop->begin, loop->instructions);
	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)set->loops.n;
		*ms_vec_add(&set->loops) =
			(struct ms_hardware_loop){ .instructions = loop->instructions,
						   .recurrence = loop->recurrence };
	}
	return *slot;
}

static uint32_t use_of(struct ms_hardware_working_set *set,
		       const struct ms_hardware_sample_loop *in,
		       const struct ms_hardware_added_sample *sample, uint32_t loop)
{
	uint32_t *slot = ms_map_at(&set->use_of, sample->site, sample->data);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)set->uses.n;
		*ms_vec_add(&set->uses) = (struct ms_hardware_use){ .site = sample->site,
								    .data = sample->data,
								    .loop = loop };
	}
	struct ms_hardware_use *use = &set->uses.at[*slot];
	use->in_order |= in->in_order;
	use->strided |= in->strided;
	use->chained |= in->loop.chained;
	use->samples++;
	use->time += sample->time;
	return *slot;
}

static void add_line(struct ms_hardware_working_set *set, uint32_t use, uint64_t line)
{
	uint32_t *slot = ms_map_at(&set->line_of, use, line);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)set->touched.n;
		*ms_vec_add(&set->touched) =
			(struct ms_hardware_touched){ .use = use, .line = line };
	}
	set->touched.at[*slot].samples++;
}

/* Lines of several threads move between caches: a hit cannot be inferred from their number. */
static bool is_of_another(struct ms_hardware_working_set *set, uint64_t line, uint32_t thread)
{
	uint32_t *slot = ms_map_at(&set->thread_of, line, 0);

	if (*slot == MS_MAP_NONE)
		*slot = thread;
	return *slot != thread;
}

static void add_to_phase(struct ms_hardware_working_set *set, uint32_t use,
			 const struct ms_hardware_added_sample *sample)
{
	uint32_t *slot = ms_map_at(&set->phase_of, sample->phase, use);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)set->phases.n;
		*ms_vec_add(&set->phases) =
			(struct ms_hardware_phase_use){ .phase = sample->phase, .use = use };
	}
	set->phases.at[*slot].time += sample->time;
}

void ms_hardware_add_to_working_set(struct ms_hardware_working_set *set,
				    const struct ms_hardware_sample_loop *in,
				    const struct ms_hardware_added_sample *sample)
{
	uint32_t loop = loop_of(set, &in->loop);
	uint64_t line = sample->address / MS_DECODE_LINE;

	if (sample->data == MS_NONE) {
		if (loop != MS_NONE)
			set->loops.at[loop].compute += sample->time;
		return;
	}
	uint32_t use = use_of(set, in, sample, loop);
	add_to_phase(set, use, sample);
	if (in->approximate || sample->address == MS_HARDWARE_NO_ADDRESS ||
	    set->uses.at[use].samples > TRACKED)
		return;
	add_line(set, use, line);
	set->uses.at[use].shared |= is_of_another(set, line, in->thread);
}

/* --- the number of lines --- */

/*
 * Things that samples touch equally often, from the pairs of samples that touch the same one. A few
 * pairs may be chance: then as many as there may be.
 */
static double estimate_number(double samples, double pairs)
{
	double all = samples * (samples - 1) / 2;

	if (pairs >= ENOUGH_PAIRS)
		return all / pairs;
	double least = pairs - 1.64 * sqrt(pairs);
	return least > 0 ? all / least : INFINITY;
}

static double pairs_of(double samples)
{
	return samples * (samples - 1) / 2;
}

static int compare_numbers(const void *a, const void *b)
{
	return ms_cmp_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* How many different numbers there are; sorts them. */
static size_t count_different(uint64_t *numbers, size_t n)
{
	size_t different = 0;

	qsort(numbers, n, sizeof(*numbers), compare_numbers);
	for (size_t i = 0; i < n; i++)
		different += i == 0 || numbers[i] != numbers[i - 1];
	return different;
}

/* Lines that are a multiple of a page apart, such as a column, map to a few sets only. */
static double set_share(const struct ms_hardware_touched *touched, size_t n, uint64_t *numbers,
			const struct ms_machine_level *level)
{
	double sets = (double)ms_machine_sets(level);
	double expected = sets * (1 - exp(-(double)n / sets));

	for (size_t i = 0; i < n; i++)
		numbers[i] = touched[i].line % ms_machine_sets(level);
	double share = (double)count_different(numbers, n) / expected;
	return share < 0.75 ? share : 1; /* else by chance */
}

static double estimate_pages(const struct ms_hardware_touched *touched, size_t n, uint64_t *numbers)
{
	double samples = 0, pairs = 0;
	size_t filled = 0;

	for (size_t i = 0; i < n; i++) /* what is hot in lines is hot in pages */
		if (touched[i].samples < HOT)
			numbers[filled++] = touched[i].line / PAGE_LINES;
	qsort(numbers, filled, sizeof(*numbers), compare_numbers);
	for (size_t i = 0, same = 0; i < filled; i++) {
		same = i > 0 && numbers[i] == numbers[i - 1] ? same + 1 : 0;
		pairs += (double)same;
	}
	samples = (double)filled;
	/* Lines, not samples, are counted: a page has at most 64. */
	double least = (double)count_different(numbers, filled);
	double pages = samples > 1 ? estimate_number(samples, pairs) : samples;
	return pages > least ? pages : least;
}

/*
 * Lines from the first to the last one. Samples on random lines leave out a little at both ends.
 */
static double find_span(const struct ms_hardware_touched *touched, size_t n)
{
	uint64_t first = UINT64_MAX, last = 0;

	if (n < 2)
		return (double)n;
	for (size_t i = 0; i < n; i++) {
		first = touched[i].line < first ? touched[i].line : first;
		last = touched[i].line > last ? touched[i].line : last;
	}
	return (double)(last - first + 1) * (double)(n + 1) / (double)(n - 1);
}

struct ms_hardware_footprint ms_hardware_find_footprint(const struct ms_hardware_touched *touched,
							size_t n, const struct ms_machine *machine)
{
	struct ms_hardware_footprint found = { .lines = 0 };
	uint64_t *numbers = ms_alloc((n + 1) * sizeof(*numbers));
	double samples = 0, hot = 0, pairs = 0;

	for (size_t i = 0; i < n; i++) {
		double of_line = touched[i].samples;

		samples += of_line;
		if (touched[i].samples >= HOT) {
			found.hot_lines++;
			hot += of_line;
		} else {
			pairs += pairs_of(of_line);
		}
	}
	found.hot_share = samples > 0 ? hot / samples : 0;
	if (samples - hot > 1)
		found.lines = estimate_number(samples - hot, pairs);
	else
		found.lines = samples - hot;
	double span = find_span(touched, n);
	if (found.lines > span)
		found.lines = span;
	found.pages = estimate_pages(touched, n, numbers);
	if (found.pages > span / PAGE_LINES + 1)
		found.pages = span / PAGE_LINES + 1;
	for (size_t i = 0; i < machine->levels.n; i++)
		found.set_share[i] = set_share(touched, n, numbers, &machine->levels.at[i]);
	ms_free(numbers);
	return found;
}

/* --- what references to them cost --- */

static double part_within(double room, double lines)
{
	if (room <= 0)
		return 0;
	return lines <= room ? 1 : room / lines;
}

/* The share of references that a cache of so many lines answers. */
static double hit_share(const struct ms_hardware_footprint *f, double room)
{
	return f->hot_share * part_within(room, f->hot_lines) +
	       (1 - f->hot_share) * part_within(room - f->hot_lines, f->lines);
}

static double translation_latency(const struct ms_hardware_footprint *f,
				  const struct ms_machine_core *core)
{
	double first = part_within(core->tlb_entries, f->pages),
	       second = part_within(core->tlb_second_entries, f->pages);

	if (core->tlb_entries == 0)
		return 0;
	return (1 - f->hot_share) *
	       ((1 - first) * core->tlb_second_latency + (1 - second) * core->walk_latency);
}

double ms_hardware_expected_latency(const struct ms_hardware_footprint *f,
				    const struct ms_machine *machine)
{
	double latency = 0, answered = 0;

	for (size_t i = 0; i < machine->levels.n; i++) {
		const struct ms_machine_level *level = &machine->levels.at[i];
		double usable = level->usable != 0 ? level->usable / 100.0 : 1;
		double room = (double)(level->size / level->line) * usable * f->set_share[i];
		double share = hit_share(f, room);

		if (share > answered) {
			latency += (share - answered) * level->latency;
			answered = share;
		}
	}
	return latency + (1 - answered) * machine->memory_latency +
	       translation_latency(f, &machine->core);
}
