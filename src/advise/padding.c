/*
 * advise/padding.c - data that loses its lines although the cache has room: too many of its lines
 * have the same sets. Strides that are multiples of a high power of two do that. One line more in
 * each row spreads them over all sets.
 *
 * Evidence: replacement misses that a fully associative cache of the same size would have hit.
 * Loops that walk across rows get the advice to exchange them, which gains more, unless a walk has
 * few lines. Data of one function that lose their lines to one another are one finding.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "advise/advise_priv.h"
#include "analysis/cache_sets/cache_sets.h"
#include "analysis/line_use/access_kind.h"
#include "base/mem.h"
#include "base/text.h"

/* Of the first-level misses of a bin that are certainly conflicts. */
#define LEAST_CONFLICTS 0.4

bool ms_advise_has_conflicts(const struct ms_evidence_bin *bin)
{
	return bin->conflicts >= LEAST_CONFLICTS;
}

/* Lines at this distance have the same set of the first level. */
static uint64_t set_period(const struct ms_advise_search *search)
{
	const struct ms_run_level *first = &search->run->levels.at[0];

	return first->size / first->ways;
}

/* A flag for each of n, of which one is set; for free(). */
static bool *make_flags(size_t n, uint32_t set)
{
	bool *flags = ms_alloc((n + 1) * sizeof(*flags));

	flags[set] = true;
	return flags;
}

static void show_sets(struct ms_advise_search *search, struct ms_advise_finding *f,
		      const struct ms_evidence_bin *bin)
{
	bool *data = make_flags(search->run->data.n, bin->data);
	struct ms_cache_sets sets = ms_cache_sets_of(search->run, 0, data);
	struct ms_cache_sets_peak peak = ms_cache_sets_find_peak(&sets);

	if (peak.n > 0)
		ms_advise_show(search, f, "%s of its replacement misses are in %s of the sets",
			       ms_advise_percent(search->arena, peak.share),
			       ms_advise_percent(search->arena, (double)peak.n / sets.groups));
	ms_free(data);
}

static void show_stride(struct ms_advise_search *search, struct ms_advise_finding *f,
			const struct ms_evidence_bin *bin)
{
	bool *data = make_flags(search->run->data.n, bin->data);
	bool *code = make_flags(search->run->codes.n, bin->code);
	struct ms_line_use_access access = ms_line_use_find_access(search->run, code, data);

	if (access.kind == MS_LINE_USE_STRIDED)
		ms_advise_show(search, f, "its most frequent stride is %s (%s of references)",
			       ms_advise_size(search->arena, (double)llabs(access.stride)),
			       ms_advise_percent(search->arena, access.share));
	ms_free(code);
	ms_free(data);
}

/* Whose references evict lines of a data structure. */
struct evictors {
	double all; /* 0: not known */
	double own; /* by references to the same data */
	uint32_t most;
	double by_most;
};

static struct evictors find_evictors(const struct ms_run *run, uint32_t data)
{
	double *counts = ms_alloc((run->data.n + 1) * sizeof(*counts));
	struct evictors found = { .most = data };

	for (size_t i = 0; i < run->replaced.n; i++) {
		const struct ms_run_replaced *row = &run->replaced.at[i];

		if (row->level != 0 || run->cells.at[row->cell].data != data)
			continue;
		counts[row->evictor] += (double)row->count;
		found.all += (double)row->count;
		if (counts[row->evictor] > counts[found.most])
			found.most = row->evictor;
	}
	found.own = counts[data];
	found.by_most = counts[found.most];
	ms_free(counts);
	return found;
}

static void show_evictor(struct ms_advise_search *search, struct ms_advise_finding *f,
			 const struct ms_evidence_bin *bin)
{
	struct evictors by = find_evictors(search->run, bin->data);

	if (by.all > 0)
		ms_advise_show(search, f, "%s of these lines are evicted by references to %s",
			       ms_advise_percent(search->arena, by.by_most / by.all),
			       by.most == bin->data ? "the same data"
						    : search->run->data.at[by.most].name);
}

/* --- what is padded --- */

/* Elements of a line. */
static double pad_elements(struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	double elements = search->run->levels.at[0].line / ms_advise_element_bytes(search, bin);

	return elements >= 1 ? elements : 1;
}

/* "T a[4096 + 8];": the largest object, and a line more. Bounds of an array are in elements. */
static const char *padded_vector(struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	const char *type = ms_advise_element_type(search, bin->data, bin->line);
	const char *variable = ms_advise_variable(search, bin->data);
	double elements = (double)search->run->data.at[bin->data].largest /
			  ms_advise_element_bytes(search, bin);
	double pad = pad_elements(search, bin);

	switch (ms_advise_find_language(search->run, bin->line)) {
	case MS_ADVISE_FORTRAN:
		return ms_arena_printf(search->arena, "%s :: %s(%.0f + %.0f) ! and the others\n",
				       type, variable, elements, pad);
	case MS_ADVISE_RUST:
		return ms_arena_printf(search->arena,
				       "let mut %s = vec![0; %.0f + %.0f]; // and the others\n",
				       variable, elements, pad);
	case MS_ADVISE_C:
	case MS_ADVISE_CXX:
		break;
	}
	return ms_arena_printf(search->arena, "%s %s[%.0f + %.0f]; /* and the others */\n", type,
			       variable, elements, pad);
}

/* Objects of one name, each allocated on its own: one block with a line between them. */
static const char *one_block(struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	const char *type = ms_advise_element_type(search, bin->data, bin->line);
	const char *variable = ms_advise_variable(search, bin->data);
	const struct ms_run_data *data = &search->run->data.at[bin->data];
	double elements = (double)data->largest / ms_advise_element_bytes(search, bin);
	const char *pitch = ms_arena_printf(search->arena, "(%.0f + %.0f)", elements,
					    pad_elements(search, bin));

	switch (ms_advise_find_language(search->run, bin->line)) {
	case MS_ADVISE_FORTRAN:
		return ms_arena_printf(search->arena, "%s, target :: all%s ! %" PRIu64 " of them\n",
				       type, pitch, data->objects);
	case MS_ADVISE_RUST:
		return ms_arena_printf(search->arena,
				       "let all = vec![0; %" PRIu64 " * %s]; // %s i begins at i * "
				       "%s\n",
				       data->objects, pitch, variable, pitch);
	case MS_ADVISE_CXX:
		return ms_arena_printf(search->arena,
				       "std::vector<%s> all(%" PRIu64 " * %s);\n"
				       "%s[i] = &all[i * %s];\n",
				       type, data->objects, pitch, variable, pitch);
	case MS_ADVISE_C:
		break;
	}
	return ms_arena_printf(search->arena,
			       "%s *all = malloc(%" PRIu64 " * %s * sizeof(*all));\n"
			       "%s[i] = &all[i * %s];\n",
			       type, data->objects, pitch, variable, pitch);
}

/* Lines of an array are its first index in Fortran. */
static const char *padded_rows(struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	const char *type = ms_advise_element_type(search, bin->data, bin->line);
	const char *variable = ms_advise_variable(search, bin->data);
	double pad = pad_elements(search, bin);

	if (ms_advise_find_language(search->run, bin->line) == MS_ADVISE_FORTRAN)
		return ms_arena_printf(search->arena, "%s :: %s(ROWS + %.0f, COLUMNS)\n", type,
				       variable, pad);
	return ms_arena_printf(search->arena, "%s %s[ROWS][COLUMNS + %.0f];\n", type, variable,
			       pad);
}

/* A record that is itself a multiple of the distance: its members follow one another by more. */
static const char *padded_record(struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	const char *record = ms_advise_record_name(search, bin->data);
	unsigned line = search->run->levels.at[0].line;

	switch (ms_advise_find_language(search->run, bin->line)) {
	case MS_ADVISE_FORTRAN:
		return ms_arena_printf(search->arena,
				       "type :: %s\n        ...\n"
				       "        character :: padding(%u)\nend type\n",
				       record, line);
	case MS_ADVISE_RUST:
		return ms_arena_printf(search->arena,
				       "struct %s {\n        ...\n        padding: [u8; %u],\n}\n",
				       record, line);
	case MS_ADVISE_C:
	case MS_ADVISE_CXX:
		break;
	}
	return ms_arena_printf(search->arena,
			       "struct %s {\n        ...\n        char padding[%u];\n};\n", record,
			       line);
}

/* --- data that lose their lines to one another --- */

/* Bins of one function whose misses are conflicts: one remedy for all of them. */
struct conflict_group {
	const struct ms_evidence_bin *worst;
	MS_VEC(uint32_t) data; /* the worst first */
	double conflicts;      /* cycles */
	double stall;
	double first_misses, conflict_misses;
};

static bool is_candidate(const struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	return ms_advise_has_conflicts(bin) && bin->latency > 0 &&
	       ms_advise_is_users(search->run, bin->data) && !ms_advise_is_column_walk(search, bin);
}

/* Of the evictions of a data structure: it competes with itself. */
#define LEAST_OWN 0.5

static bool evicts_itself(const struct ms_run *run, uint32_t data)
{
	struct evictors by = find_evictors(run, data);

	return by.all <= 0 || by.own >= LEAST_OWN * by.all;
}

static void add_to_group(struct conflict_group *group, const struct ms_evidence_bin *bin)
{
	if (group->worst == NULL ||
	    bin->conflicts * bin->latency > group->worst->conflicts * group->worst->latency) {
		group->worst = bin;
	}
	*ms_vec_add(&group->data) = bin->data;
	group->conflicts += bin->conflicts * bin->latency;
	group->stall += bin->stall;
	group->first_misses += bin->first_misses;
	group->conflict_misses += bin->conflicts * bin->first_misses;
}

/* "a, b, c and 9 more" */
static const char *list_data(struct ms_advise_search *search, const struct conflict_group *group)
{
	enum { MOST = 4 };
	struct ms_text text = MS_TEXT_INIT;

	for (size_t i = 0; i < group->data.n && i < MOST; i++)
		ms_text_addf(&text, "%s%s", i > 0 ? ", " : "",
			     ms_advise_data_name(search, group->data.at[i]));
	if (group->data.n > MOST)
		ms_text_addf(&text, " and %zu more", group->data.n - MOST);
	const char *list = ms_arena_strdup(search->arena, ms_text_get(&text));

	ms_text_free(&text);
	return list;
}

/* --- texts --- */

/* "addresses that are 4 KiB apart share a set, which has 8 ways." */
static const char *sharing_rule(struct ms_advise_search *search)
{
	const struct ms_run_level *first = &search->run->levels.at[0];

	return ms_arena_printf(search->arena,
			       "addresses that are %s apart share a set, which has %u way%s.",
			       ms_advise_size(search->arena, (double)set_period(search)),
			       first->ways, first->ways == 1 ? "" : "s");
}

static void describe_group(struct ms_advise_search *search, struct ms_advise_finding *f,
			   const struct conflict_group *group)
{
	unsigned line = search->run->levels.at[0].line;

	ms_advise_show_by(search, f, ms_advise_evictions_command(search, group->worst->data),
			  "%zu data lose their lines to one another: %s", group->data.n,
			  list_data(search, group));
	f->remedy = ms_arena_printf(
		search->arena,
		"Make each of %s longer by %u bytes, so that their beginnings are no longer a "
		"multiple of a high power of two apart: %s",
		list_data(search, group), line, sharing_rule(search));
	f->snippet = padded_vector(search, group->worst);
}

/* Multiples of this distance share a set. */
static bool is_multiple(const struct ms_advise_search *search, double bytes)
{
	return bytes > 0 && fmod(bytes, (double)set_period(search)) == 0;
}

static void describe_one(struct ms_advise_search *search, struct ms_advise_finding *f,
			 const struct ms_evidence_bin *bin)
{
	const struct ms_run_data *data = &search->run->data.at[bin->data];
	const char *name = ms_advise_data_name(search, bin->data);
	unsigned line = search->run->levels.at[0].line;
	double record = ms_advise_record_bytes(search->run, bin->data);
	bool separate = data->objects > 1 && is_multiple(search, (double)data->largest);
	const char *what = "each row of";

	if (record >= line && ms_advise_can_declare(search, bin->data)) {
		what = "each element of";
		f->snippet = padded_record(search, bin);
	} else if (separate && data->kind == MS_DATA_HEAP) {
		what = "each block of";
		f->snippet = one_block(search, bin);
	} else {
		f->snippet = padded_rows(search, bin);
	}
	f->remedy = ms_arena_printf(
		search->arena,
		"Pad %s %s by %u bytes, so that its pitch is not a multiple of a high power of "
		"two: %s",
		what, name, line, sharing_rule(search));
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct conflict_group *group)
{
	const struct ms_run_level *first = &search->run->levels.at[0];
	const struct ms_evidence_bin *bin = group->worst;
	bool one = group->data.n == 1;

	ms_advise_show(
		search, f,
		"%s of %s %s misses are conflicts: a fully associative cache of the same size "
		"would have hit",
		ms_advise_percent(search->arena, group->conflict_misses / group->first_misses),
		one ? "its" : "their", first->name);
	ms_advise_show(search, f, "%s of the time is waiting for %s",
		       ms_advise_percent(search->arena, group->stall / search->time),
		       one ? ms_advise_data_name(search, bin->data) : "them");
	if (one) {
		show_sets(search, f, bin);
		show_stride(search, f, bin);
		show_evictor(search, f, bin);
		describe_one(search, f, bin);
	} else {
		describe_group(search, f, group);
	}
	f->falsifier = "with padding, memspy report still shows as many conflicts";
}

static void add_group(struct ms_advise_search *search, struct conflict_group *group)
{
	const struct ms_evidence_bin *bin = group->worst;

	if (bin != NULL) {
		struct ms_advise_finding *f = ms_advise_add(
			search, &(struct ms_advise_place){ MS_ADVISE_PADDING, bin->data, bin->code,
							   bin->line, group->conflicts,
							   MS_ADVISE_ERROR, false });
		if (f != NULL)
			describe(search, f, group);
	}
	ms_vec_free(&group->data);
}

/* Data that other data of the same function evict. */
static void find_groups(struct ms_advise_search *search, bool *done)
{
	for (size_t i = 0; i < search->bins.at.n; i++) {
		struct conflict_group group = { .data = MS_VEC_INIT };

		if (done[i])
			continue;
		for (size_t k = i; k < search->bins.at.n; k++) {
			const struct ms_evidence_bin *bin = &search->bins.at.at[k];

			if (done[k] || bin->code != search->bins.at.at[i].code)
				continue;
			done[k] = true;
			add_to_group(&group, bin);
		}
		add_group(search, &group);
	}
}

void ms_advise_find_padding(struct ms_advise_search *search)
{
	/* Whether a bin is no part of a group, or is part of one that was found. */
	bool *done = ms_alloc((search->bins.at.n + 1) * sizeof(*done));

	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *bin = &search->bins.at.at[i];
		bool candidate = is_candidate(search, bin);

		done[i] = !candidate || evicts_itself(search->run, bin->data);
		if (!candidate || !done[i])
			continue;
		struct conflict_group group = { .data = MS_VEC_INIT };

		add_to_group(&group, bin);
		add_group(search, &group);
	}
	find_groups(search, done);
	ms_free(done);
}
