/*
 * advise/loop_order.c - loops whose inner index is not the one of adjacent elements: each reference
 * goes to another line, and the line is fetched again for each of its elements. The remedy is to
 * exchange the loops, or, if they walk other data along its rows, to work in tiles.
 *
 * Evidence: nearly each reference of affine addresses misses the first level, and a further level
 * misses once a line; random addresses miss each level alike. If all levels lose the lines before
 * their next element is used (rows whose pitch is a power of two), or the second one misses none,
 * the observed strides tell columns from random addresses. Of data without a type, they tell
 * columns from records.
 */
#include "advise/advise_priv.h"

#include <stdlib.h>

/* Misses for each reference. A stencil has some references to the line of the one before. */
#define LEAST_MISSES 0.3
#define LEAST_AFFINE 0.8
/* Misses of the first level, in relation to one for each line that is used as a whole. */
#define FETCHED_AGAIN 1.5
/* Likewise, of a further level. */
#define ONCE_A_LINE 1.2
/* Lines of this part of the data must be used at all, and references access this part at least:
 * else rows are not used as a whole. */
#define LEAST_TOUCHED  0.5
#define LEAST_ACCESSED 0.5
/* Lines, or records, from one element to the next; a smaller distance may be that of members. */
enum { LEAST_PITCH = 4 };
/* Beside a stream of at least this share of the references and bytes, exchanging loops exchanges
 * the roles of both data. */
#define PARTNER 0.5

static double line_bytes(const struct ms_advise_search *search)
{
	return search->run->levels.at[0].line;
}

static double mean_size(const struct ms_evidence_bin *bin)
{
	return bin->references > 0 ? bin->bytes / bin->references : 0;
}

static double data_bytes(const struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	return (double)search->run->data.at[bin->data].peak_bytes;
}

/* Each reference fetches a line again of which all elements are used at some time. */
static bool fetches_for_each(const struct ms_advise_search *search,
			     const struct ms_evidence_bin *bin, double once)
{
	return bin->dependences[MS_RUN_DEPENDENCE_AFFINE] >= LEAST_AFFINE &&
	       bin->first_misses >= LEAST_MISSES * bin->references && once <= 0.5 &&
	       bin->first_misses >= FETCHED_AGAIN * once * bin->references &&
	       bin->bytes >= LEAST_ACCESSED * data_bytes(search, bin) &&
	       ms_evidence_touched(&search->bins, bin->data) >=
		       LEAST_TOUCHED * data_bytes(search, bin);
}

static bool jumps_over_lines(const struct ms_advise_search *search,
			     const struct ms_evidence_bin *bin)
{
	struct ms_line_use_access access = ms_evidence_find_access(&search->bins, bin);

	return access.kind == MS_LINE_USE_STRIDED &&
	       (double)llabs(access.stride) >= LEAST_PITCH * line_bytes(search);
}

/* Bytes of a record; 0: it is none, or its size is not known. */
static uint32_t record_bytes(const struct ms_run *run, uint32_t data)
{
	for (size_t i = 0; i < run->members.n; i++)
		if (run->members.at[i].data == data)
			return run->members.at[i].element;
	return 0;
}

/* From one row of records to the next: neighbours are at the distance of one record. Of records as
 * large as a line, each order fetches nearly as many lines. */
static bool jumps_over_records(const struct ms_advise_search *search,
			       const struct ms_evidence_bin *bin)
{
	uint32_t record = record_bytes(search->run, bin->data);

	return record > 0 && 2 * record <= search->run->levels.at[0].line &&
	       jumps_over_lines(search, bin) &&
	       llabs(ms_evidence_find_access(&search->bins, bin).stride) >=
		       (int64_t)LEAST_PITCH * record;
}

/* Records without a known type, visited in order, miss a further level once a line, too. */
static bool stays_in_rows(const struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	return ms_evidence_find_access(&search->bins, bin).kind == MS_LINE_USE_STRIDED &&
	       !jumps_over_lines(search, bin);
}

bool ms_advise_is_column_walk(const struct ms_advise_search *search,
			      const struct ms_evidence_bin *bin)
{
	const char *type = search->run->data.at[bin->data].type;
	double once = mean_size(bin) / line_bytes(search);

	if (!fetches_for_each(search, bin, once))
		return false;
	if (type != NULL && !ms_advise_is_scalar(type))
		return jumps_over_records(search, bin);
	if (type == NULL && stays_in_rows(search, bin))
		return false;
	if (bin->least_misses <= ONCE_A_LINE * once * bin->references)
		return true;
	return ms_advise_is_scalar(type) && jumps_over_lines(search, bin);
}

/* Visits of one element for each visit of another array's: more is a loop around both. */
enum { MANY_VISITS = 16 };

/*
 * A third array of which each element is used while many of the others are: a product of matrices.
 * It has an order of loops in which all three are accessed along their lines.
 */
static bool accumulates(const struct ms_advise_search *search, const struct ms_evidence_bin *bin,
			const struct ms_evidence_bin *partner)
{
	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *third = &search->bins.at.at[i];
		double once = mean_size(third) / line_bytes(search);

		if (ms_evidence_is_near(&search->bins, third, bin) && third->data != bin->data &&
		    third->data != partner->data &&
		    data_bytes(search, third) >= PARTNER * data_bytes(search, bin) &&
		    (MANY_VISITS * third->references <= bin->references ||
		     MANY_VISITS * third->first_misses <= once * third->references))
			return true;
	}
	return false;
}

/* Other data that the same code streams: a transposition. */
static bool streams_another(const struct ms_advise_search *search,
			    const struct ms_evidence_bin *bin)
{
	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *other = &search->bins.at.at[i];
		double once = mean_size(other) / line_bytes(search);

		if (ms_evidence_is_near(&search->bins, other, bin) && other->data != bin->data &&
		    other->references >= PARTNER * bin->references &&
		    data_bytes(search, other) >= PARTNER * data_bytes(search, bin) &&
		    other->first_misses >= PARTNER * once * other->references &&
		    !ms_advise_is_column_walk(search, other) && !accumulates(search, bin, other))
			return true;
	}
	return false;
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *bin)
{
	const char *name = ms_advise_data_name(search, bin->data);

	ms_advise_show(search, f, "%s of the time is waiting for %s",
		       ms_advise_percent(search->arena, bin->stall / search->time), name);
	ms_advise_show(search, f,
		       "%.2g first-level misses for each reference of %.0f bytes: each goes to "
		       "another line of %.0f bytes",
		       bin->first_misses / bin->references, mean_size(bin), line_bytes(search));
}

static const char *exchanged_loops(struct ms_advise_search *search,
				   const struct ms_evidence_bin *bin)
{
	const char *variable = ms_advise_variable(search, bin->data);

	if (ms_advise_find_language(search->run, bin->line) == MS_ADVISE_FORTRAN)
		return ms_arena_printf(search->arena,
				       "do j = 1, columns\n"
				       "   do i = 1, rows ! innermost\n"
				       "      ... %s(i,j) ...\n",
				       variable);
	return ms_arena_printf(search->arena,
			       "for (i = 0; i < rows; i++)\n"
			       "        for (j = 0; j < columns; j++) /* innermost */\n"
			       "                ... %s[i][j] ...\n",
			       variable);
}

static void describe_exchange(struct ms_advise_search *search, struct ms_advise_finding *f,
			      const struct ms_evidence_bin *bin)
{
	f->remedy = ms_arena_printf(
		search->arena,
		"Exchange the loops around %s, so that the innermost one runs over adjacent "
		"elements of %s: the %s.",
		ms_advise_place_name(search, bin->code, bin->line),
		ms_advise_data_name(search, bin->data),
		ms_advise_find_language(search->run, bin->line) == MS_ADVISE_FORTRAN
			? "first index in Fortran"
			: "last index in C and C++");
	f->snippet = exchanged_loops(search, bin);
	f->falsifier = "the loops cannot be exchanged because an iteration needs the result of "
		       "another";
}

/* Tiles whose lines, of both data, use at most half of the first level. */
static unsigned tile_edge(const struct ms_advise_search *search, double element)
{
	const struct ms_run_level *first = &search->run->levels.at[0];
	unsigned edge = (unsigned)(first->line / element);

	while (2 * edge * 2 * edge * 2 * element <= (double)first->size / 2)
		edge *= 2;
	return edge;
}

static const char *tiled_loops(struct ms_advise_search *search, const struct ms_evidence_bin *bin,
			       unsigned edge)
{
	if (ms_advise_find_language(search->run, bin->line) == MS_ADVISE_FORTRAN)
		return ms_arena_printf(search->arena,
				       "do jj = 1, n, %u\n"
				       "   do ii = 1, n, %u\n"
				       "      do j = jj, min(jj + %u, n)\n"
				       "         do i = ii, min(ii + %u, n)\n"
				       "            ...\n",
				       edge, edge, edge - 1, edge - 1);
	return ms_arena_printf(search->arena,
			       "for (ii = 0; ii < n; ii += %u)\n"
			       "        for (jj = 0; jj < n; jj += %u)\n"
			       "                for (i = ii; i < min(ii + %u, n); i++)\n"
			       "                        for (j = jj; j < min(jj + %u, n); j++)\n"
			       "                                ...\n",
			       edge, edge, edge, edge);
}

static void describe_blocking(struct ms_advise_search *search, struct ms_advise_finding *f,
			      const struct ms_evidence_bin *bin)
{
	unsigned edge = tile_edge(search, mean_size(bin));

	f->remedy = ms_arena_printf(
		search->arena,
		"Work on %s in tiles of %u x %u elements: %s walks it across its rows and another "
		"array along its rows, so exchanging the loops only exchanges their roles. A tile "
		"of both stays in the first-level cache until all elements of its lines are used.",
		ms_advise_data_name(search, bin->data), edge, edge,
		ms_advise_place_name(search, bin->code, bin->line));
	f->snippet = tiled_loops(search, bin, edge);
	f->falsifier = "the iterations of a tile need results of later tiles";
}

/* Without the lines of code that use the same data along its rows, as when they initialise it. */
static struct ms_evidence_bin walking_part(const struct ms_advise_search *search,
					   const struct ms_evidence_bin *bin)
{
	double once = mean_size(bin) / line_bytes(search);

	return ms_evidence_of_missing_lines(&search->bins, bin, FETCHED_AGAIN * once);
}

/* How a walk fills the first level. */
struct walk_fills {
	uint32_t sets; /* to which its lines go */
	double cycles; /* of each line, though all misses overlap */
	double longer; /* cycles of all lines, beyond the walk's compute and stall time */
};

/* Measured: the fewer sets lines go to, the longer each takes (bench/programs/set_fills.c). */
static struct walk_fills find_fills(uint64_t stride_lines, uint32_t sets)
{
	static const struct {
		uint32_t shared; /* one set in so many is used */
		double cycles;
	} fills[] = { { 1, 1.3 }, { 2, 2.4 }, { 4, 3.4 }, { 32, 4.0 } };
	struct walk_fills found = { 0 };
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

/* From one line to the next. Unrolled loops have a power of two iterations; stencils, mostly three
 * or five references. */
static uint64_t find_pitch(const struct ms_advise_search *search,
			   const struct ms_evidence_bin *part, int64_t stride)
{
	uint32_t n = count_walkers(search->run, part, stride);
	uint64_t bytes = (uint64_t)llabs(stride);

	return n > 0 && (n & (n - 1)) == 0 && bytes % n == 0 ? bytes / n : bytes;
}

/* The timing model lets any misses overlap, also those of lines that go to few sets. */
static struct walk_fills measure_fills(const struct ms_advise_search *search,
				       const struct ms_evidence_bin *part)
{
	const struct ms_run_level *first = &search->run->levels.at[0];
	struct ms_line_use_access access = ms_evidence_find_access(&search->bins, part);

	if (!search->summary->cost.exposed || access.kind != MS_LINE_USE_STRIDED)
		return (struct walk_fills){ 0 };
	uint64_t pitch = find_pitch(search, part, access.stride);

	if (pitch < first->line)
		return (struct walk_fills){ 0 };
	struct walk_fills fills = find_fills(pitch / first->line,
					     (uint32_t)(first->size / first->line / first->ways));

	fills.longer = part->first_misses * fills.cycles - part->compute - part->stall;
	if (fills.longer < 0)
		fills.longer = 0;
	return fills;
}

static void show_fills(struct ms_advise_search *search, struct ms_advise_finding *f,
		       const struct walk_fills *fills)
{
	if (fills->longer > 0)
		ms_advise_show(search, f,
			       "its lines go to %u set%s of the first level: each takes about %.1f "
			       "cycles, which the times of reports do not include",
			       fills->sets, fills->sets == 1 ? "" : "s", fills->cycles);
}

static void find(struct ms_advise_search *search, enum ms_advise_kind kind)
{
	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *bin = &search->bins.at.at[i];

		if (!ms_advise_is_column_walk(search, bin) ||
		    !ms_advise_is_users(search->run, bin->data) ||
		    streams_another(search, bin) != (kind == MS_ADVISE_BLOCKING))
			continue;
		struct ms_evidence_bin part = walking_part(search, bin);
		double saved = part.stall - ms_evidence_streamed(&search->bins, &part, part.bytes);
		struct walk_fills fills = measure_fills(search, &part);
		double time = search->time + search->faults;

		saved = (saved + fills.longer) * time / (time + fills.longer);
		struct ms_advise_finding *f = ms_advise_add(
			search, &(struct ms_advise_place){ kind, bin->data, bin->code, part.line,
							   saved, MS_ADVISE_ERROR });
		if (f == NULL)
			continue;
		describe(search, f, &part);
		show_fills(search, f, &fills);
		if (kind == MS_ADVISE_BLOCKING)
			describe_blocking(search, f, &part);
		else
			describe_exchange(search, f, &part);
	}
}

void ms_advise_find_loop_order(struct ms_advise_search *search)
{
	find(search, MS_ADVISE_LOOP_ORDER);
}

void ms_advise_find_blocking(struct ms_advise_search *search)
{
	find(search, MS_ADVISE_BLOCKING);
}
