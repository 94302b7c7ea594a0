/*
 * advise/layout.c - records of which few bytes are used: most of each fetched line is not.
 *
 * Evidence: the bytes that all references of a bin accessed, in relation to the bytes of the lines
 * that they fetched. Bytes that are accessed twice count twice, so that the used part of a line is
 * at most this. Where lines were observed, the used part is known. Elements of a line or more:
 * their cold members are better elsewhere. Smaller ones: arrays of single members. If the code uses
 * all members, none is cold, and arrays of them have as many lines as the records.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advise/advise_priv.h"
#include "analysis/line_use/line_use.h"
#include "analysis/members/members.h"
#include "analysis/summary/select.h"
#include "base/text.h"

/* Of a fetched line. */
#define MOST_USED    0.5
#define LEAST_AFFINE 0.8
/* Misses for each reference: with more, elements are not smaller than a line. */
#define LARGE_ELEMENTS 0.85
/* Of what a split saves: cold members are used somewhere, and then cost one more miss. */
#define SPLIT_SAVED 0.8
/* Of the time: bins that would save less change no finding, so that their members do not count. */
#define LEAST_SAVED 0.003

static double fetched_bytes(const struct ms_advise_search *search,
			    const struct ms_evidence_bin *bin)
{
	return bin->first_misses * search->run->levels.at[0].line;
}

/* The upper bound of the observed part, or what was accessed: the smaller one. */
double ms_advise_used_share(const struct ms_advise_search *search,
			    const struct ms_evidence_bin *bin)
{
	double fetched = fetched_bytes(search, bin);
	double share = fetched > 0 ? bin->bytes / fetched : 1;
	struct ms_line_use use = ms_line_use_of_line(search->run, 0, bin->line, bin->data);
	double observed = use.high / search->run->levels.at[0].line;

	return use.lines > 0 && observed < share ? observed : share;
}

/* What prefetching must hide of the latency, if elements are smaller than a line: else the order is
 * not that of memory, and a line is not used for its neighbours. */
#define LEAST_PREFETCHED 0.5
/* Lines, and share of references: of short strides. */
enum { MOST_DISTANCE = 4 };
#define LEAST_NEAR 0.5

bool ms_advise_is_in_order(const struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	if (search->summary->cost.exposed)
		return bin->prefetched >= LEAST_PREFETCHED * bin->whole_latency;
	struct ms_line_use_access access = ms_evidence_find_access(&search->bins, bin);

	return access.share >= LEAST_NEAR &&
	       llabs(access.stride) < MOST_DISTANCE * search->run->levels.at[0].line;
}

/* Flags of the members that the loop of the bin's line uses; a member is a row with a name. */
static bool *find_hot_members(const struct ms_advise_search *search,
			      const struct ms_members *members, const struct ms_evidence_bin *bin)
{
	bool *hot = ms_alloc((members->rows.n + 1) * sizeof(*hot));

	ms_members_find_used(members, search->summary, bin->line, hot);
	for (size_t i = 0; i < members->rows.n; i++)
		hot[i] &= ms_advise_is_movable(members->rows.at[i].name);
	return hot;
}

/* As "x, mass"; "": not known. */
static const char *list_hot_members(struct ms_advise_search *search,
				    const struct ms_advise_layout *layout)
{
	struct ms_text text = MS_TEXT_INIT;

	for (size_t i = 0; i < layout->members->rows.n; i++)
		if (layout->hot[i])
			ms_text_addf(&text, "%s%s", text.n > 0 ? ", " : "",
				     layout->members->rows.at[i].name);
	const char *names = ms_arena_strdup(search->arena, ms_text_get(&text));

	ms_text_free(&text);
	return names;
}

/*
 * A structure, or a container of structures; not an array of scalars or pointers. Where the type is
 * not known: elements at a constant stride.
 */
static bool is_record(const struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	const char *type = search->run->data.at[bin->data].type;

	if (type == NULL)
		return ms_evidence_find_access(&search->bins, bin).kind == MS_LINE_USE_STRIDED;
	return !ms_advise_is_scalar(type) && strchr(type, '*') == NULL;
}

static bool wastes_lines(const struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	return bin->dependences[MS_RUN_DEPENDENCE_AFFINE] >= LEAST_AFFINE &&
	       !ms_advise_has_conflicts(bin) && ms_advise_is_users(search->run, bin->data) &&
	       bin->stall > 0 && ms_advise_used_share(search, bin) <= MOST_USED &&
	       is_record(search, bin) && !ms_advise_is_column_walk(search, bin);
}

static bool has_large_elements(const struct ms_evidence_bin *bin)
{
	return bin->first_misses >= LARGE_ELEMENTS * bin->references;
}

static void show_use(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *bin, const char *hot)
{
	double used = ms_advise_used_share(search, bin);
	unsigned line = search->run->levels.at[0].line;

	ms_advise_show(search, f, "%s of the time is waiting for %s",
		       ms_advise_percent(search->arena, bin->stall / search->time),
		       ms_advise_data_name(search, bin->data));
	ms_advise_show(search, f, "at most %s of each fetched line is used: %.1f of %u bytes",
		       ms_advise_percent(search->arena, used), used * line, line);
	if (*hot != '\0')
		ms_advise_show_by(search, f, ms_advise_fields_command(search, bin->data),
				  "%s uses the member%s %s",
				  ms_advise_place_name(search, bin->code, bin->line),
				  strchr(hot, ',') != NULL ? "s" : "", hot);
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *bin, const struct ms_advise_layout *layout)
{
	const char *name = ms_advise_data_name(search, bin->data);
	const char *place = ms_advise_place_name(search, bin->code, bin->line);
	const char *hot = list_hot_members(search, layout);

	show_use(search, f, bin, hot);
	if (*hot != '\0')
		hot = ms_arena_printf(search->arena, " (%s)", hot);
	if (f->kind == MS_ADVISE_SPLIT) {
		f->remedy = ms_arena_printf(
			search->arena,
			"Keep the members of %s that %s uses%s together, and move the others into "
			"records of their own (a second array with the same index, or a pointer).",
			name, place, hot);
		f->snippet = ms_advise_split_snippet(search, layout);
		f->falsifier = "other code that costs as much uses the cold members, too";
		return;
	}
	f->remedy = ms_arena_printf(search->arena,
				    "Store each member of %s that %s uses%s as an array of its own "
				    "(structure of arrays): the loop then uses all of each line.",
				    name, place, hot);
	f->snippet = ms_advise_soa_snippet(search, layout);
	f->falsifier = "other code that costs as much uses all members of one element together";
}

static void describe_members(struct ms_advise_search *search, struct ms_advise_finding *f,
			     const struct ms_evidence_bin *bin)
{
	struct ms_members members;

	ms_members_make(&members, search->summary, bin->data);
	bool *hot = find_hot_members(search, &members, bin);
	const struct ms_advise_layout layout = {
		.members = &members,
		.hot = hot,
		.language = ms_advise_find_language(search->run, bin->line),
	};

	describe(search, f, bin, &layout);
	ms_free(hot);
	ms_members_free(&members);
}

/* Bytes of data without a type that nothing accesses are no members, but part of the elements. */
static bool is_cold(const struct ms_advise_search *search, const struct ms_members *members,
		    const bool *hot, size_t row)
{
	const char *name = members->rows.at[row].name;

	if (hot[row] || members->rows.at[row].offset < members->header)
		return false;
	return name != NULL ? ms_advise_is_movable(name)
			    : search->run->data.at[members->data].type == NULL;
}

/*
 * Whether the layout keeps members apart that the code does not use together. Arrays of members
 * also leave out padding, and loops that use one member each fetch this one only: known if both
 * are in one line, because stays are those of lines.
 */
static bool separates(const struct ms_advise_search *search, const struct ms_members *members,
		      const struct ms_evidence_bin *bin, enum ms_advise_kind kind)
{
	bool *hot = find_hot_members(search, members, bin);
	bool gains = members->rows.n == 0;
	uint32_t bytes = 0;

	for (size_t i = 0; i < members->rows.n; i++) {
		gains |= is_cold(search, members, hot, i);
		bytes += hot[i] ? members->rows.at[i].size : 0;
	}
	if (kind == MS_ADVISE_SOA && !gains)
		gains = bytes <= MOST_USED * members->element ||
			(members->element <= search->run->levels.at[0].line &&
			 !ms_members_are_used_together(members, bin->code, hot));
	ms_free(hot);
	return gains;
}

/* Members are looked up for bins that matter. */
static bool is_gain(const struct ms_advise_search *search, const struct ms_evidence_bin *bin,
		    enum ms_advise_kind kind, double saved)
{
	struct ms_members members;

	if (saved < LEAST_SAVED * search->time || !ms_members_are_known(search->run, bin->data))
		return true;
	ms_members_make(&members, search->summary, bin->data);
	bool gains = separates(search, &members, bin, kind);

	ms_members_free(&members);
	return gains;
}

static void find(struct ms_advise_search *search, enum ms_advise_kind kind)
{
	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *bin = &search->bins.at.at[i];

		if (!wastes_lines(search, bin) ||
		    has_large_elements(bin) != (kind == MS_ADVISE_SPLIT))
			continue;
		/* In another order, a line of smaller elements is not used for its neighbours. */
		if (kind == MS_ADVISE_SOA && !ms_advise_is_in_order(search, bin))
			continue;
		double saved = bin->stall - ms_evidence_streamed(&search->bins, bin, bin->bytes);

		if (kind == MS_ADVISE_SPLIT)
			saved *= SPLIT_SAVED;
		if (!is_gain(search, bin, kind, saved))
			continue;
		struct ms_advise_finding *f = ms_advise_add(
			search, &(struct ms_advise_place){ kind, bin->data, bin->code, bin->line,
							   saved, MS_ADVISE_ERROR, true });
		if (f != NULL)
			describe_members(search, f, bin);
	}
}

void ms_advise_find_split(struct ms_advise_search *search)
{
	find(search, MS_ADVISE_SPLIT);
}

void ms_advise_find_soa(struct ms_advise_search *search)
{
	find(search, MS_ADVISE_SOA);
}
