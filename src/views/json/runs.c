/* views/json/runs.c - the list of runs, as JSON. */
#include "views/views.h"

#include <string.h>

#include "base/json.h"
#include "run/enum_words.h"
#include "run/run_list.h"
#include "views/json/parts.h"
#include "views/shared.h"

static void run_head(struct ms_json *j, const struct ms_run_list_entry *head)
{
	ms_json_object(j, NULL);
	ms_json_i64(j, "id", head->id);
	ms_json_text(j, "tag", head->tag);
	ms_json_text(j, "started", head->started);
	ms_json_text(j, "program", head->program);
	ms_views_json_texts(j, "argv", head->argv.at, head->argv.n);
	ms_json_text(j, "frontend", head->frontend);
	ms_json_text(j, "machine", head->machine);
	ms_json_text(j, "end", ms_run_end_word(head->end));
	ms_json_i64(j, "exit_status", head->exit_status);
	ms_json_real(j, "wall_seconds", head->wall_seconds);
	if (ms_views_run_has_references(head)) {
		ms_json_u64(j, "instructions", head->instructions);
		ms_json_u64(j, "references", head->references);
		ms_json_text(j, "level", head->level);
		ms_json_u64(j, "level_misses", head->level_misses);
	}
	if (head->sampled)
		ms_json_bool(j, "sampled", true);
	ms_views_json_relation(j, head->parent, head->relation);
	ms_views_json_tags(j, head->tag, head->tags.at, head->tags.n);
	ms_json_text(j, "note", head->note);
	ms_json_text(j, "build_id", head->build_id);
	ms_json_text(j, "git_commit", head->git_commit);
	ms_views_json_dirty(j, head->git_commit, head->git_dirty);
	ms_json_text(j, "host", head->host);
	if (head->bytes > 0)
		ms_json_u64(j, "bytes", head->bytes);
	else
		ms_json_null(j, "bytes");
	if (head->source != NULL) {
		ms_json_text(j, "source", head->source);
		ms_json_u64(j, "samples", head->samples);
	}
	if (head->checkpoint.system != NULL)
		ms_views_json_checkpoint(j, &head->checkpoint);
	ms_json_end(j);
}

int ms_views_json_runs(const struct ms_run_list *heads, const struct ms_views_options *options,
		       FILE *out, struct ms_err *err)
{
	struct ms_json j;

	(void)err;
	ms_views_json_begin(&j, out);
	ms_json_array(&j, "runs");
	for (size_t i = ms_views_runs_first(heads, options); i < heads->at.n; i++)
		run_head(&j, &heads->at.at[i]);
	ms_json_end(&j);
	ms_json_end(&j);
	return MS_OK;
}
