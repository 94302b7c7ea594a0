/*
 * advise/walks.c - walks over rows, as their observed strides show them: the distance of neighbours
 * in a column, and how many sets of the first level the lines of a column go to.
 */
#include <stdlib.h>
#include <string.h>

#include "advise/advise_priv.h"
#include "base/mem.h"

/* Measured on one processor only: the fewer sets lines go to, the longer each takes
 * (bench/programs/set_fills.c). Others have other replacement policies and ports. */
#define MEASURED_ON "emerald-rapids"

static bool is_measured(const struct ms_run *run)
{
	return strstr(run->machine, MEASURED_ON) != NULL ||
	       strstr(run->machine_origin, MEASURED_ON) != NULL;
}

static struct ms_advise_fills find_fills(uint64_t stride_lines, uint32_t sets)
{
	static const struct {
		uint32_t shared; /* one set in so many is used */
		double cycles;
	} fills[] = { { 1, 1.3 }, { 2, 2.4 }, { 4, 3.4 }, { 32, 4.0 } };
	struct ms_advise_fills found = { 0 };
	uint32_t shared = 1;

	while (shared < sets && stride_lines % (2 * shared) == 0)
		shared *= 2;
	for (size_t i = 0; i < MS_COUNT(fills) && shared >= fills[i].shared; i++)
		found.cycles = fills[i].cycles;
	found.sets = sets / shared;
	return found;
}

/* Instructions of the walk's line of code that have this stride: of an unrolled loop, one for each
 * iteration. */
static uint32_t count_walkers(const struct ms_run *run, const struct ms_evidence_bin *part,
			      int64_t stride)
{
	bool *walks = ms_alloc((run->sites.n + 1) * sizeof(*walks));
	uint64_t most = 0;
	uint32_t n = 0;

	for (size_t i = 0; i < run->cells.n; i++)
		if (run->cells.at[i].data == part->data &&
		    run->sites.at[run->cells.at[i].site].line == part->line)
			walks[run->cells.at[i].site] = true;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < run->strides.n; i++) {
			const struct ms_run_stride *s = &run->strides.at[i];

			if (!walks[s->site] || (int32_t)s->stride != stride)
				continue;
			if (pass == 0)
				most = s->count > most ? s->count : most;
			else
				n += 2 * s->count >= most;
		}
	ms_free(walks);
	return n;
}

/* Misses for each reference: each iteration of an unrolled loop goes to another line. References of
 * a stencil share the lines of the one that misses. */
#define LEAST_UNROLLED 0.5

/* From one line to the next. Unrolled loops have a power of two iterations; stencils, mostly three
 * or five references. */
static uint64_t find_pitch(const struct ms_advise_search *search,
			   const struct ms_evidence_bin *part, int64_t stride)
{
	uint32_t n = count_walkers(search->run, part, stride);
	uint64_t bytes = (uint64_t)llabs(stride);

	if (part->first_misses < LEAST_UNROLLED * part->references)
		return bytes;

	return n > 0 && (n & (n - 1)) == 0 && bytes % n == 0 ? bytes / n : bytes;
}

struct ms_advise_walk ms_advise_find_walk(const struct ms_advise_search *search,
					  const struct ms_evidence_bin *bin)
{
	struct ms_line_use_access access = ms_evidence_find_access(&search->bins, bin);
	struct ms_advise_walk walk = { 0 };

	if (access.kind != MS_LINE_USE_STRIDED || access.stride == 0)
		return walk;
	walk.stride = (double)access.stride;
	walk.share = access.share;
	walk.pitch = (double)find_pitch(search, bin, access.stride);
	walk.rows = (double)search->run->data.at[bin->data].largest / walk.pitch;
	return walk;
}

/* The timing model lets any misses overlap, also those of lines that go to few sets. */
struct ms_advise_fills ms_advise_find_fills(const struct ms_advise_search *search,
					    const struct ms_evidence_bin *part)
{
	const struct ms_run_level *first = &search->run->levels.at[0];
	struct ms_line_use_access access = ms_evidence_find_access(&search->bins, part);

	if (!search->summary->cost.exposed || !is_measured(search->run) ||
	    access.kind != MS_LINE_USE_STRIDED)
		return (struct ms_advise_fills){ 0 };
	uint64_t pitch = find_pitch(search, part, access.stride);

	if (pitch < first->line)
		return (struct ms_advise_fills){ 0 };
	struct ms_advise_fills fills = find_fills(
		pitch / first->line, (uint32_t)(first->size / first->line / first->ways));

	fills.longer = part->first_misses * fills.cycles - part->compute - part->stall;
	if (fills.longer < 0)
		fills.longer = 0;
	return fills;
}
