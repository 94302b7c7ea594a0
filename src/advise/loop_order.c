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

#include <math.h>
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

/* From one row of records to the next: neighbours are at the distance of one record. Of records as
 * large as a line, each order fetches nearly as many lines. */
static bool jumps_over_records(const struct ms_advise_search *search,
			       const struct ms_evidence_bin *bin)
{
	uint32_t record = ms_advise_record_bytes(search->run, bin->data);

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

/* Of the first level: a walk with fewer lines leaves room for other data. Exchanging gains more
 * where walks have half of its lines (column_scores of bench/advice: 0.57). */
#define SHORT_WALK 0.125

/*
 * The lines of a walk have room in the first level, but not in their sets: padded, they stay there
 * for the next walk. Likewise, those of arrays of which each is accessed in the order of memory.
 */
static bool loses_short_walk(const struct ms_advise_search *search,
			     const struct ms_evidence_bin *bin)
{
	const struct ms_run_level *first = &search->run->levels.at[0];

	if (!ms_advise_has_conflicts(bin))
		return false;
	struct ms_advise_walk walk = ms_advise_find_walk(search, bin);

	if (walk.share <= 0)
		return ms_evidence_find_access(&search->bins, bin).kind == MS_LINE_USE_SEQUENTIAL;
	return walk.pitch >= first->line &&
	       walk.rows * first->line <= SHORT_WALK * (double)first->size;
}

bool ms_advise_is_column_walk(const struct ms_advise_search *search,
			      const struct ms_evidence_bin *bin)
{
	const char *type = search->run->data.at[bin->data].type;
	double once = mean_size(bin) / line_bytes(search);

	if (!fetches_for_each(search, bin, once) || loses_short_walk(search, bin))
		return false;
	if (type != NULL && !ms_advise_is_scalar(type))
		return jumps_over_records(search, bin);
	if (type == NULL && stays_in_rows(search, bin))
		return false;
	/* Without times, only strides tell: a cache that all processors share has large data. */
	if (!search->summary->cost.exposed)
		return jumps_over_lines(search, bin);
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

static void show_misses(struct ms_advise_search *search, struct ms_advise_finding *f,
			const struct ms_evidence_bin *bin)
{
	double misses = bin->first_misses / bin->references;

	ms_advise_show(search, f,
		       "%.2g first-level miss%s for each reference of %.0f bytes: each goes to "
		       "another line of %.0f bytes",
		       misses, misses >= 0.95 && misses < 1.05 ? "" : "es", mean_size(bin),
		       line_bytes(search));
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *bin)
{
	const char *name = ms_advise_data_name(search, bin->data);
	struct ms_advise_walk walk = ms_advise_find_walk(search, bin);

	ms_advise_show(search, f, "%s of the time is waiting for %s",
		       ms_advise_percent(search->arena, bin->stall / search->time), name);
	show_misses(search, f, bin);
	if (walk.pitch > 0)
		ms_advise_show(
			search, f, "%s of references are %s bytes after the one before%s",
			ms_advise_percent(search->arena, walk.share),
			ms_advise_number(search->arena, walk.stride),
			walk.rows >= 2
				? ms_arena_printf(search->arena,
						  ": a walk has %.0f lines, the first level %.0f",
						  walk.rows,
						  (double)search->run->levels.at[0].size /
							  line_bytes(search))
				: "");
}

/* The bounds of the loops: names, unless the pitch tells how many elements a row has, and the size
 * of the data how many rows. */
struct loop_bounds {
	const char *rows, *columns;
};

static struct loop_bounds find_bounds(struct ms_advise_search *search,
				      const struct ms_evidence_bin *bin)
{
	struct ms_advise_walk walk = ms_advise_find_walk(search, bin);
	double element = ms_advise_element_bytes(search, bin), columns = walk.pitch / element;

	if (walk.rows < 2 || columns < 2 || columns != floor(columns) ||
	    walk.rows != floor(walk.rows))
		return (struct loop_bounds){ "rows", "columns" };
	return (struct loop_bounds){ ms_advise_number(search->arena, walk.rows),
				     ms_advise_number(search->arena, columns) };
}

static const char *exchanged_loops(struct ms_advise_search *search,
				   const struct ms_evidence_bin *bin)
{
	const char *variable = ms_advise_variable(search, bin->data);
	struct loop_bounds bounds = find_bounds(search, bin);

	if (ms_advise_find_language(search->run, bin->line) == MS_ADVISE_FORTRAN)
		return ms_arena_printf(search->arena,
				       "do j = 1, %s\n"
				       "   do i = 1, %s ! innermost\n"
				       "      ... %s(i,j) ...\n",
				       bounds.rows, bounds.columns, variable);
	return ms_arena_printf(search->arena,
			       "for (i = 0; i < %s; i++)\n"
			       "        for (j = 0; j < %s; j++) /* innermost */\n"
			       "                ... %s[i][j] ...\n",
			       bounds.rows, bounds.columns, variable);
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

/*
 * What the exchanged loops fetch. Each miss of the walk is the first reference to one more element;
 * the others of a stencil reuse the lines of that one in either order.
 */
static double exchanged_bytes(const struct ms_evidence_bin *part)
{
	double elements = part->first_misses * mean_size(part);

	return elements < part->bytes ? elements : part->bytes;
}

/* Without the lines of code that use the same data along its rows, as when they initialise it. */
static struct ms_evidence_bin walking_part(const struct ms_advise_search *search,
					   const struct ms_evidence_bin *bin)
{
	double once = mean_size(bin) / line_bytes(search);

	return ms_evidence_of_missing_lines(&search->bins, bin, FETCHED_AGAIN * once);
}

static void show_fills(struct ms_advise_search *search, struct ms_advise_finding *f,
		       const struct ms_advise_fills *fills)
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
		double saved = part.stall -
			       ms_evidence_streamed(&search->bins, &part, exchanged_bytes(&part));
		struct ms_advise_fills fills = ms_advise_find_fills(search, &part);
		double time = search->time + search->faults;

		saved = (saved + fills.longer) * time / (time + fills.longer);
		struct ms_advise_finding *f = ms_advise_add(
			search, &(struct ms_advise_place){ kind, bin->data, bin->code, part.line,
							   saved, MS_ADVISE_ERROR, true });
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
