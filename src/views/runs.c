/* views/runs.c - what the formats of the list of runs share. */
#include "views/shared.h"

#include <string.h>

#include "run/run_list.h"
#include "views/views.h"

/* "base, ci" */
const char *ms_views_run_tags(struct ms_arena *arena, const struct ms_run_list_entry *head)
{
	const char *all = head->tag;

	for (size_t i = 0; i < head->tags.n; i++)
		all = ms_arena_printf(arena, "%s%s%s", all ? all : "", all ? ", " : "",
				      head->tags.at[i]);
	return all;
}

/* False for samples of the real machine, and for a program that ended before a window opened. */
bool ms_views_run_has_references(const struct ms_run_list_entry *head)
{
	bool simulated = head->source == NULL || head->level != NULL;

	return simulated && !(head->sampled && head->references == 0);
}

/* With a limit, only the newest runs are shown. */
size_t ms_views_runs_first(const struct ms_run_list *heads, const struct ms_views_options *options)
{
	return options->top && options->top < heads->at.n ? heads->at.n - options->top : 0;
}
