/*
 * advise/member_order.c - records whose often used members lie in more cache lines than they need:
 * each visit of an element fetches all of these lines.
 *
 * Evidence: the members that cost the stall, by offset (analysis/members), in elements of more than
 * a line, without those that are used in other visits than the ones beside them. Where each miss
 * waits for the one before, the further lines of an element come meanwhile, so that a chain gains
 * nothing.
 */
#include "advise/advise_priv.h"
#include "analysis/members/members.h"
#include "base/mem.h"
#include "base/text.h"

/* Of the stall of all members: less is not worth a place beside the others. */
#define HOT_MEMBER 0.05
/* References of a hot member, in relation to those of the most used one: others are not used in
 * each visit. */
#define LEAST_USED 0.3
/* Of the misses of the data. */
#define MOST_CHAINED 0.5

/* Of the stays of a member in the first level: with less in common, another member of the same line
 * is used in other visits. */
#define MOSTLY 0.5

/* Where the hot members of an element are. */
struct placement {
	bool *hot;      /* of each row of the members */
	double *stall;  /* of each line of an element */
	uint32_t lines; /* of an element */
	uint32_t used;  /* of these, with a hot member */
	uint32_t least; /* that the hot members need */
	uint32_t bytes; /* of all hot members */
};

static double references(const struct ms_members_row *row)
{
	return row->reads + row->writes;
}

static bool is_costly(const struct ms_members *members, const struct ms_members_row *row)
{
	return row->offset >= members->header && ms_advise_is_movable(row->name) &&
	       row->stall > HOT_MEMBER * members->stall;
}

static double most_references(const struct ms_members *members)
{
	double most = 0;

	for (size_t i = 0; i < members->rows.n; i++)
		if (is_costly(members, &members->rows.at[i]) &&
		    references(&members->rows.at[i]) > most)
			most = references(&members->rows.at[i]);
	return most;
}

/* Stays that two rows have in common; by the stall of what fetched the line, as those of rows. */
static double common_stays(const struct ms_members *members, size_t a, size_t b)
{
	for (size_t i = 0; i < members->pairs.n; i++)
		if (members->pairs.at[i].a == (a < b ? a : b) &&
		    members->pairs.at[i].b == (a < b ? b : a))
			return members->pairs.at[i].stays;
	return 0;
}

/* Of the hot members in the line of a row, the one whose visits wait the most. */
static size_t find_leader(const struct ms_members *members, const bool *hot, uint32_t line,
			  size_t row)
{
	const struct ms_members_row *at = members->rows.at;
	size_t leader = row;

	for (size_t i = 0; i < members->rows.n; i++)
		if (hot[i] && at[i].offset / line == at[row].offset / line &&
		    at[i].stays > at[leader].stays)
			leader = i;
	return leader;
}

/*
 * Members of one line that are used in other visits than the most costly one of the line gain
 * nothing beside the members of other lines. Stays are those of lines, so that of members in
 * different lines it is not known.
 */
static void drop_other_visits(struct placement *placement, const struct ms_members *members,
			      uint32_t line)
{
	bool *apart = ms_alloc((members->rows.n + 1) * sizeof(*apart));

	for (size_t i = 0; i < members->rows.n; i++) {
		const struct ms_members_row *row = &members->rows.at[i];
		size_t leader = find_leader(members, placement->hot, line, i);

		apart[i] = members->rows.at[leader].offset != row->offset && row->stays > 0 &&
			   common_stays(members, i, leader) < MOSTLY * row->stays;
	}
	for (size_t i = 0; i < members->rows.n; i++)
		placement->hot[i] = placement->hot[i] && !apart[i];
	ms_free(apart);
}

static void find_hot(struct placement *placement, const struct ms_members *members, uint32_t line)
{
	double most = most_references(members);

	placement->hot = ms_alloc((members->rows.n + 1) * sizeof(*placement->hot));
	for (size_t i = 0; i < members->rows.n; i++)
		placement->hot[i] = is_costly(members, &members->rows.at[i]) &&
				    references(&members->rows.at[i]) >= LEAST_USED * most;
	drop_other_visits(placement, members, line);
}

static void place_members(struct placement *placement, const struct ms_members *members,
			  uint32_t line)
{
	*placement = (struct placement){ .lines = members->element / line + 1 };
	placement->stall = ms_alloc(placement->lines * sizeof(*placement->stall));
	find_hot(placement, members, line);
	for (size_t i = 0; i < members->rows.n; i++) {
		const struct ms_members_row *row = &members->rows.at[i];

		if (!placement->hot[i] || row->offset / line >= placement->lines)
			continue;
		placement->stall[row->offset / line] += row->stall;
		placement->bytes += row->size;
	}
	for (uint32_t i = 0; i < placement->lines; i++)
		placement->used += placement->stall[i] > 0;
	placement->least = (placement->bytes + line - 1) / line;
}

/* The lines that the hot members need remain: those that cost the most. */
static double saved_cycles(struct placement *placement)
{
	double saved = 0;

	for (uint32_t k = 0; k < placement->least; k++) {
		uint32_t most = 0;

		for (uint32_t i = 1; i < placement->lines; i++)
			if (placement->stall[i] > placement->stall[most])
				most = i;
		placement->stall[most] = 0;
	}
	for (uint32_t i = 0; i < placement->lines; i++)
		saved += placement->stall[i];
	return saved;
}

/* "key, value and next" as a list with commas. */
static const char *list_hot(struct ms_advise_search *search, const struct ms_members *members,
			    const struct placement *placement)
{
	struct ms_text text = MS_TEXT_INIT;

	for (size_t i = 0; i < members->rows.n; i++)
		if (placement->hot[i])
			ms_text_addf(&text, "%s%s (offset %u)", text.n > 0 ? ", " : "",
				     members->rows.at[i].name,
				     members->rows.at[i].offset - members->header);
	const char *names = ms_arena_strdup(search->arena, ms_text_get(&text));

	ms_text_free(&text);
	return names;
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_members *members, const struct placement *placement)
{
	const char *name = ms_advise_data_name(search, f->data);
	const char *hot = list_hot(search, members, placement);
	unsigned line = search->run->levels.at[0].line;

	ms_advise_show_by(search, f, ms_advise_fields_command(search, f->data),
			  "the members %s cost the stall of %s", hot, name);
	ms_advise_show_by(search, f, ms_advise_fields_command(search, f->data),
			  "these %u bytes are in %u lines of each element of %u bytes",
			  placement->bytes, placement->used, members->element);
	f->remedy = ms_arena_printf(
		search->arena,
		"Declare the members %s of %s one after the other, the first of them at the "
		"beginning of a line of %u bytes: a visit then fetches %u line%s instead of %u.",
		hot, name, line, placement->least, placement->least == 1 ? "" : "s",
		placement->used);
	const struct ms_advise_layout layout = {
		.members = members,
		.hot = placement->hot,
		.language = ms_advise_find_language(search->run, f->line),
	};

	f->snippet = ms_advise_order_snippet(search, &layout, line);
	f->falsifier = "these members are used in different visits: then each visit fetches one "
		       "line already";
}

static void check(struct ms_advise_search *search, const struct ms_members *members)
{
	struct ms_evidence_bin data = ms_evidence_of_data(&search->bins, members->data);
	struct placement placement;

	place_members(&placement, members, search->run->levels.at[0].line);
	if (placement.least > 0 && placement.used > placement.least &&
	    data.dependences[MS_RUN_DEPENDENCE_CHAINED] < MOST_CHAINED) {
		struct ms_advise_finding *f = ms_advise_add(
			search, &(struct ms_advise_place){
					MS_ADVISE_MEMBER_ORDER, data.data, data.code, data.line,
					saved_cycles(&placement), MS_ADVISE_ERROR, true });
		if (f != NULL)
			describe(search, f, members, &placement);
	}
	ms_free(placement.stall);
	ms_free(placement.hot);
}

void ms_advise_find_member_order(struct ms_advise_search *search)
{
	for (uint32_t i = 0; i < search->run->data.n; i++) {
		struct ms_members members;

		if (!ms_advise_is_users(search->run, i) || !ms_members_are_known(search->run, i))
			continue;
		ms_members_make(&members, search->summary, i);
		if (members.element > search->run->levels.at[0].line && members.stall > 0)
			check(search, &members);
		ms_members_free(&members);
	}
}
