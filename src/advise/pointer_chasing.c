/*
 * advise/pointer_chasing.c - data that is visited by pointers which it contains itself: each miss
 * waits for the one before.
 *
 * Lists can be laid out in the order of their traversal: what remains is a stream. Trees and hash
 * chains, whose upper or common parts stay in the caches, are visited in another order by each
 * lookup: several independent lookups at a time overlap their misses.
 */
#include <string.h>

#include "advise/advise_priv.h"

/* Of the misses of a bin: the chain is what it waits for. */
#define LEAST_CHAINED 0.5
/* Misses for each visit of a node; below, parts of the structure stay in the caches. */
#define TRAVERSED 0.35
/* Lookups that a loop of moderate size can have in flight, and what they gain. */
enum { TOGETHER = 8 };
#define LOOKUPS_SAVED 0.7

static bool is_traversal(const struct ms_evidence_bin *bin)
{
	return bin->first_misses >= TRAVERSED * bin->references;
}

/* Data that the elements of the chain point to, in the same code: it is laid out with them. */
static double saved_beside(const struct ms_evidence_bins *bins, const struct ms_evidence_bin *chain)
{
	double saved = 0;

	for (size_t i = 0; i < bins->at.n; i++) {
		const struct ms_evidence_bin *bin = &bins->at.at[i];

		if (bin->code == chain->code && bin->data != chain->data &&
		    bin->stall <= chain->stall &&
		    bin->dependences[MS_RUN_DEPENDENCE_LED] >= LEAST_CHAINED)
			saved += bin->latency + bin->walks -
				 ms_evidence_streamed(bins, bin, bin->bytes);
	}
	return saved;
}

static double saved_cycles(const struct ms_evidence_bins *bins, const struct ms_evidence_bin *bin)
{
	if (is_traversal(bin))
		return bin->latency + bin->walks - ms_evidence_streamed(bins, bin, bin->bytes) +
		       saved_beside(bins, bin);
	return LOOKUPS_SAVED * (bin->latency + bin->walks);
}

/* "next" of "struct node { struct node *next; }": the pointer to the same type that stalls most. */
static const char *find_link(struct ms_advise_search *search, uint32_t data, const char *record)
{
	size_t n = strlen(record), most = 0;
	struct ms_members members;
	const char *found = NULL;

	ms_members_make(&members, search->summary, data);
	for (size_t i = 0; i < members.rows.n; i++) {
		const struct ms_members_row *row = &members.rows.at[i];
		const char *at = row->type != NULL ? strstr(row->type, record) : NULL;

		if (row->name == NULL || at == NULL || at[n + strspn(at + n, " ")] != '*' ||
		    strchr(row->type, '[') != NULL ||
		    (found != NULL && row->reads <= members.rows.at[most].reads))
			continue;
		most = i;
		found = row->name;
	}
	found = found != NULL ? ms_arena_strdup(search->arena, found) : "next";
	ms_members_free(&members);
	return found;
}

static const char *packed_list(struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	const char *record = ms_advise_record_name(search, bin->data);
	const char *next = find_link(search, bin->data, record);
	const char *word =
		ms_advise_find_language(search->run, bin->line) == MS_ADVISE_C ? "struct " : "";

	return ms_arena_printf(search->arena,
			       "/* once, after building: copies in visiting order */\n"
			       "for (%s%s *p = head; p != NULL; p = p->%s, i++) {\n"
			       "        packed[i] = *p;\n"
			       "        packed[i].%s = p->%s != NULL ? &packed[i + 1] : NULL;\n"
			       "}\n",
			       word, record, next, next, next);
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *bin)
{
	const char *name = ms_advise_data_name(search, bin->data);

	ms_advise_show(search, f, "%s of the time is %s of %s",
		       ms_advise_percent(search->arena, (bin->latency + bin->walks) / search->time),
		       search->summary->cost.exposed ? "exposed latency" : "latency", name);
	ms_advise_show(
		search, f,
		"%s of its misses have an address that an earlier miss of the same load "
		"delivers",
		ms_advise_percent(search->arena, bin->dependences[MS_RUN_DEPENDENCE_CHAINED]));
	if (is_traversal(bin) && saved_beside(&search->bins, bin) > 0)
		ms_advise_show_by(
			search, f, ms_advise_data_command(search, "report --by bin", MS_NONE),
			"%s more is waiting for data that its elements point to",
			ms_advise_percent(search->arena,
					  saved_beside(&search->bins, bin) / search->time));
	if (is_traversal(bin)) {
		f->remedy = ms_arena_printf(
			search->arena,
			"Lay the elements of %s out in the order in which %s visits them: one "
			"array, filled in that order (indices may replace the pointers). Then the "
			"prefetcher covers them. If the order changes too often, process several "
			"lists at a time, or prefetch.",
			name, ms_advise_place_name(search, bin->code, bin->line));
		f->snippet =
			ms_advise_can_declare(search, bin->data) ? packed_list(search, bin) : NULL;
		f->falsifier = "the order of the traversal is different each time, so that no "
			       "layout fits";
		return;
	}
	f->remedy = ms_arena_printf(
		search->arena,
		"Let %d independent lookups proceed together in %s (one step of each, then the "
		"next step), so that their misses overlap; or use a structure with fewer steps: "
		"a sorted array, a B-tree, an open hash table.",
		TOGETHER, ms_advise_place_name(search, bin->code, bin->line));
	f->falsifier = "each lookup depends on the result of the one before";
}

void ms_advise_find_pointer_chasing(struct ms_advise_search *search)
{
	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *bin = &search->bins.at.at[i];

		if (bin->dependences[MS_RUN_DEPENDENCE_CHAINED] < LEAST_CHAINED ||
		    ms_advise_is_in_order(search, bin) ||
		    !ms_advise_is_users(search->run, bin->data))
			continue;
		struct ms_advise_finding *f = ms_advise_add(
			search, &(struct ms_advise_place){
					MS_ADVISE_POINTER_CHASING, bin->data, bin->code, bin->line,
					saved_cycles(&search->bins, bin), MS_ADVISE_ERROR, false });
		if (f != NULL)
			describe(search, f, bin);
	}
}
