/*
 * analysis/user_rules/group_heap.c - groups heap data by type or by allocating function: for
 * programs that allocate from thousands of call paths, few of which matter by themselves.
 */
#include <string.h>

#include "analysis/summary/name_match.h"
#include "analysis/user_rules/rules_priv.h"
#include "base/map.h"
#include "base/mem.h"

/*
 * "Node.*", all data of this type; "insert()", all data that this function allocates;
 * "libfoo.so+*", all that functions without a name allocate. Data whose type is not known is
 * grouped by function.
 */
static bool add_group_name(struct ms_text *out, const struct ms_run_data *data,
			   enum ms_rules_group by)
{
	if (data->kind != MS_DATA_HEAP || data->ruled)
		return false;
	if (by == MS_RULES_BY_TYPE && data->type != NULL) {
		ms_text_addf(out, "%s.*", data->type);
		return true;
	}
	if (!ms_run_data_function(out, data))
		return false;
	if (out->n < 2 || strcmp(out->at + out->n - 2, "+*") != 0)
		ms_text_add(out, "()");
	return true;
}

/* Interned; NULL: it belongs to no group. */
static const char *group_name(struct ms_names *names, const struct ms_run_data *data,
			      enum ms_rules_group by)
{
	struct ms_text text = MS_TEXT_INIT;
	const char *name = NULL;

	if (add_group_name(&text, data, by))
		name = ms_intern(names, text.at);
	ms_text_free(&text);
	return name;
}

/* --- data that the user asks for by its own name --- */

/* A run while its data is grouped. */
struct grouped_run {
	struct ms_run *run;
	struct ms_names names;
	const char **data;   /* names of data, */
	const char **codes;  /* of code, */
	const char **groups; /* and by data: of its group; NULL: it belongs to none */
	bool *apart;         /* by data: it is not grouped */
};

static void open_run(struct grouped_run *g, struct ms_run *run, bool *apart, enum ms_rules_group by)
{
	*g = (struct grouped_run){ .run = run, .names = MS_NAMES_INIT, .apart = apart };
	g->data = ms_alloc((run->data.n + 1) * sizeof(*g->data));
	g->codes = ms_alloc((run->codes.n + 1) * sizeof(*g->codes));
	g->groups = ms_alloc((run->data.n + 1) * sizeof(*g->groups));
	for (size_t i = 0; i < run->data.n; i++) {
		g->data[i] = run->data.at[i].name;
		g->groups[i] = group_name(&g->names, &run->data.at[i], by);
	}
	for (size_t i = 0; i < run->codes.n; i++)
		g->codes[i] = run->codes.at[i].name;
}

static void close_run(struct grouped_run *g)
{
	ms_names_free(&g->names);
	ms_free(g->data);
	ms_free(g->codes);
	ms_free(g->groups);
}

/* How well a word fits any of the names. */
static enum ms_summary_match best_match(const char *const *names, size_t n, const char *word)
{
	size_t match = word[0] == '\0' ? MS_MATCH_NONE : 0;

	for (; match < MS_MATCH_NONE; match++)
		for (size_t i = 0; i < n; i++)
			if (names[i] != NULL && ms_summary_matchers[match](names[i], word))
				return (enum ms_summary_match)match;
	return MS_MATCH_NONE;
}

/* A word may mean a group or code, too: then it must fit data better. The last word of a name is
 * that of data, however: "list" means Node.list rather than list(). */
static void keep_apart(struct grouped_run *g, const char *word)
{
	size_t n = g->run->data.n;
	enum ms_summary_match match = best_match(g->data, n, word),
			      group = best_match(g->groups, n, word);
	bool last = match == MS_MATCH_LAST_WORD || match == MS_MATCH_LAST_WORD_ANY_CASE;

	if (match == MS_MATCH_NONE || group < match || (group == match && !last) ||
	    best_match(g->codes, g->run->codes.n, word) < match)
		return;
	for (size_t i = 0; i < n; i++)
		g->apart[i] = g->apart[i] || ms_summary_matchers[match](g->data[i], word);
}

/* --- groups --- */

/* The group of each; a group of one keeps its name. Whether there is any of several. */
static bool find_groups(const struct grouped_run *g, uint32_t *group)
{
	struct ms_run *run = g->run;
	struct ms_map first = MS_MAP_INIT;
	bool any = false;

	for (uint32_t i = 0; i < run->data.n; i++) {
		if (g->apart[i] || g->groups[i] == NULL)
			continue;
		uint32_t *holder = ms_map_at(&first, (uintptr_t)g->groups[i], 0);

		if (*holder == MS_MAP_NONE) {
			*holder = i;
			continue;
		}
		struct ms_run_data *to = &run->data.at[*holder];

		group[i] = *holder;
		to->grouped += to->grouped == 0 ? 2 : 1;
		to->name = to->key = ms_arena_strdup(&run->arena, g->groups[i]);
		any = true;
	}
	ms_map_free(&first);
	return any;
}

static void group_run(struct ms_run *run, bool *apart, const struct ms_rules_grouping *how)
{
	uint32_t *group = ms_rules_single_groups(run->data.n);
	struct grouped_run g;

	open_run(&g, run, apart, how->by);
	for (size_t i = 0; i < how->apart_n; i++)
		keep_apart(&g, how->apart[i]);
	if (find_groups(&g, group)) {
		ms_rules_combine_data(run, group);
		run->grouping = how->automatic                ? MS_GROUPING_SMALL
				: how->by == MS_RULES_BY_TYPE ? MS_GROUPING_TYPE
							      : MS_GROUPING_FUNCTION;
	}
	close_run(&g);
	ms_free(group);
}

void ms_rules_group_heap(struct ms_run *const *runs, size_t n, const struct ms_rules_grouping *how)
{
	bool **apart = ms_alloc((n + 1) * sizeof(*apart));

	for (size_t i = 0; i < n; i++)
		apart[i] = ms_alloc((runs[i]->data.n + 1) * sizeof(**apart));
	if (!how->automatic || ms_rules_find_large(runs, n, apart))
		for (size_t i = 0; i < n; i++)
			group_run(runs[i], apart[i], how);
	for (size_t i = 0; i < n; i++)
		ms_free(apart[i]);
	ms_free(apart);
}
