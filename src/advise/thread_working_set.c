/*
 * advise/thread_working_set.c - data of which each thread uses a part of its own, in no order, that
 * is larger than the caches of its processor: each use is a miss, although a smaller part would
 * stay there.
 *
 * Evidence, of runs with several processors: the miss curve of the data, whose working set is
 * divided by the processors that use it; most first-level misses are on lines that the same
 * processor used before, and are answered beyond its own caches. Less than half of a line is used
 * while it stays: data that is used in order is prefetched, and smaller parts gain nothing.
 *
 * Not known in such runs: how many misses of an out-of-order core overlap. None would be one bound,
 * as many as a core can have in flight the other; the geometric mean is assumed.
 */
#include <math.h>
#include <string.h>

#include "advise/advise_priv.h"
#include "analysis/line_use/line_use.h"
#include "analysis/line_use/working_set.h"

/* Of the misses that a larger cache avoids, those that remain in one of the working set. */
#define REMAINS 0.1
/* Of a line, while it stays. */
#define MOST_USED 0.5
/* Of the first-level misses. */
#define LEAST_OWN    0.8
#define LEAST_BEYOND 0.5
/* References of a processor, in relation to those of the one with the most. */
#define LEAST_USING 0.1
/* Private caches: larger working sets have other reasons than a size that someone chose. */
enum { MOST_CACHES = 64 };
/* Of the private cache, beside other data. */
#define USED_PART 0.5

struct thread_part {
	uint32_t data, level; /* the last private level */
	uint32_t processors;  /* that use the data */
	double bytes;         /* of each */
	double misses;        /* of the first level ... */
	double beyond;        /* ... and those that no private level answers */
	double used;          /* bytes of a line in the first level */
};

static uint32_t last_private_level(const struct ms_run *run)
{
	uint32_t level = MS_NONE;

	for (uint32_t i = 0; i < run->levels.n && run->levels.at[i].processors == 1; i++)
		level = i;
	return level;
}

static uint32_t count_processors(const struct ms_run *run, uint32_t data)
{
	uint64_t *references = ms_alloc((run->processors + 1) * sizeof(*references)), most = 0;
	uint32_t n = 0;

	for (size_t i = 0; i < run->cells.n; i++) {
		const struct ms_run_cell *cell = &run->cells.at[i];

		if (cell->data == data && cell->processor < run->processors)
			references[cell->processor] += cell->references;
	}
	for (uint32_t i = 0; i < run->processors; i++)
		most = references[i] > most ? references[i] : most;
	for (uint32_t i = 0; i < run->processors; i++)
		n += (double)references[i] > LEAST_USING * (double)most;
	ms_free(references);
	return n;
}

/* Each processor's part: the curve is that of one cache for all of them. */
static double find_part(const struct ms_run *run, uint32_t data, uint32_t processors)
{
	bool *chosen = ms_alloc((run->data.n + 1) * sizeof(*chosen));
	struct ms_line_use_curve curve;

	chosen[data] = true;
	ms_line_use_make_curve(run, chosen, &curve);
	double bytes = (double)ms_line_use_find_working_set(&curve, REMAINS) / processors;

	ms_vec_free(&curve.at);
	ms_free(chosen);
	return bytes;
}

/* Lines that another processor has used since are not used again. */
static double count_own_reuses(const struct ms_run *run, uint32_t data)
{
	double n = 0;

	for (size_t i = 0; i < run->reuses.n; i++)
		if (run->reuses.at[i].data == data)
			n += run->reuses.at[i].count;
	return n;
}

static bool measure_part(const struct ms_run *run, const struct ms_summary_entry *e,
			 struct thread_part *part)
{
	const struct ms_summary_level_counts *levels = e->counts.levels;

	part->misses = (double)ms_summary_rw_sum(levels[0].misses);
	part->beyond = (double)ms_summary_rw_sum(levels[part->level].misses);
	if (part->misses <= 0 || part->beyond < LEAST_BEYOND * part->misses ||
	    count_own_reuses(run, e->data) < LEAST_OWN * part->misses)
		return false;
	struct ms_line_use use = ms_line_use_of_line(run, 0, MS_NONE, e->data);

	part->used = use.used;
	if (use.lines <= 0 || use.high > MOST_USED * run->levels.at[0].line)
		return false;
	part->processors = count_processors(run, e->data);
	if (part->processors < 2)
		return false;
	part->bytes = find_part(run, e->data, part->processors);
	double size = (double)run->levels.at[part->level].size;

	return part->bytes > size && part->bytes <= MOST_CACHES * size;
}

/* Half of the private cache: a power of two. */
static double block_bytes(const struct ms_run *run, const struct thread_part *part)
{
	double bytes = 1;

	while (2 * bytes <= USED_PART * (double)run->levels.at[part->level].size)
		bytes *= 2;
	return bytes;
}

/* What compilers make of a parallel loop cannot be called: "main._omp_fn.0", "main.omp_outlined".
 */
static bool is_outlined(const char *function)
{
	return strstr(function, "omp_fn") != NULL || strstr(function, "omp_outlined") != NULL;
}

/* Parts of so many elements. */
static const char *loop_over_parts(struct ms_advise_search *search,
				   const struct ms_advise_finding *f, double block, double element)
{
	const char *variable = ms_advise_variable(search, f->data);
	const char *size = ms_advise_size(search->arena, block);
	const char *elements = ms_advise_number(search->arena, floor(block / element));
	bool calls = !is_outlined(search->run->codes.at[f->code].name);

	if (ms_advise_find_language(search->run, f->line) == MS_ADVISE_FORTRAN)
		return ms_arena_printf(search->arena,
				       "do first = begin, end, %s ! %s each\n"
				       "   do i = first, min(first + %s - 1, end)\n"
				       "      ... %s(i) ...\n",
				       elements, size, elements, variable);
	const char *loop = ms_arena_printf(
		search->arena, "for (first = begin; first < end; first += %s) /* %s each */\n",
		elements, size);

	if (calls)
		return ms_arena_printf(search->arena, "%s        %s(&%s[first], %s);\n", loop,
				       ms_advise_function(search, f->code), variable, elements);
	return ms_arena_printf(search->arena,
			       "%s        for (i = first; i < min(first + %s, end); i++)\n"
			       "                ... %s[i] ...\n",
			       loop, elements, variable);
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct thread_part *part, double element)
{
	const struct ms_run_level *level = &search->run->levels.at[part->level];
	const char *name = ms_advise_data_name(search, part->data);
	const char *place = ms_advise_place_name(search, f->code, f->line);
	double block = block_bytes(search->run, part);

	ms_advise_show_by(search, f, ms_advise_data_command(search, "show", part->data),
			  "each of %u processors uses about %s of %s; its own %s has %s",
			  part->processors, ms_advise_size(search->arena, part->bytes), name,
			  level->name, ms_advise_size(search->arena, (double)level->size));
	ms_advise_show_by(search, f, ms_advise_data_command(search, "show", part->data),
			  "%s of its first-level misses miss %s, too; of each line, %.0f of %u "
			  "bytes are used while it stays",
			  ms_advise_percent(search->arena, part->beyond / part->misses),
			  level->name, part->used, search->run->levels.at[0].line);
	f->remedy = ms_arena_printf(
		search->arena,
		"Give each thread parts of %s of at most %s (half of %s), and let %s finish one "
		"part before the next.",
		name, ms_advise_size(search->arena, block), level->name, place);
	f->snippet = loop_over_parts(search, f, block, element);
	f->falsifier = "each thread needs all of its part in each step: then its work cannot be "
		       "sorted by parts";
}

static void check(struct ms_advise_search *search, const struct ms_summary_entry *e, uint32_t level)
{
	struct thread_part part = { .data = e->data, .level = level };

	if (!ms_advise_is_users(search->run, e->data) || !measure_part(search->run, e, &part))
		return;
	struct ms_evidence_bin data = ms_evidence_of_data(&search->bins, e->data);
	double saved = data.stall - part.misses * search->run->levels.at[level].latency;
	struct ms_advise_finding *f = ms_advise_add(
		search, &(struct ms_advise_place){ MS_ADVISE_THREAD_WORKING_SET, e->data, data.code,
						   data.line, saved, MS_ADVISE_ERROR, true });
	if (f != NULL && data.references > 0)
		describe(search, f, &part, ms_advise_element_bytes(search, &data));
}

void ms_advise_find_thread_working_set(struct ms_advise_search *search)
{
	uint32_t level = last_private_level(search->run);

	if (search->run->processors == 1 || level == MS_NONE || level == 0 ||
	    search->run->curves.n == 0)
		return;
	for (size_t i = 0; i < search->summary->data.at.n; i++)
		check(search, &search->summary->data.at.at[i], level);
}
