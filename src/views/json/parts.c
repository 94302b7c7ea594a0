/* views/json/parts.c - what JSON says of a run, and of each in the list of runs. */
#include "views/json/parts.h"

#include <string.h>

#include "analysis/describe/checkpoint.h"
#include "base/json.h"
#include "run/enum_words.h"

void ms_views_json_texts(struct ms_json *j, const char *key, const char *const *at, size_t n)
{
	ms_json_array(j, key);
	for (size_t i = 0; i < n; i++)
		ms_json_text(j, NULL, at[i]);
	ms_json_end(j);
}

void ms_views_json_tags(struct ms_json *j, const char *first, const char *const *more, size_t n)
{
	ms_json_array(j, "tags");
	if (first != NULL)
		ms_json_text(j, NULL, first);
	for (size_t i = 0; i < n; i++)
		ms_json_text(j, NULL, more[i]);
	ms_json_end(j);
}

/* Without a commit it is unknown whether there were changes. */
void ms_views_json_dirty(struct ms_json *j, const char *commit, bool dirty)
{
	if (commit != NULL)
		ms_json_bool(j, "git_dirty", dirty);
	else
		ms_json_null(j, "git_dirty");
}

void ms_views_json_relation(struct ms_json *j, int64_t parent, uint32_t relation)
{
	if (parent != 0)
		ms_json_i64(j, "parent", parent);
	else
		ms_json_null(j, "parent");
	ms_json_text(j, "relation", parent != 0 ? ms_run_relation_word(relation) : NULL);
}

void ms_views_json_checkpoint(struct ms_json *j, const struct ms_run_checkpoint *c)
{
	ms_json_object(j, "checkpoint");
	ms_json_text(j, "state", ms_describe_checkpoint_state(c));
	ms_json_text(j, "saved", c->saved);
	ms_json_u64(j, "pid", c->pid);
	ms_json_end(j);
}
