/* views/json/callers.c - callers and call paths as JSON. */
#include "views/callers.h"

#include "base/json.h"
#include "views/json/parts.h"
#include "views/shared.h"

static void figures(struct ms_json *j, const struct ms_summary *s, uint64_t stall,
		    const uint64_t *misses)
{
	ms_json_u64(j, ms_views_stall_is_time(s->run) ? "stall_ns" : "stall_cycles", stall);
	ms_views_json_share(j, "stall_share", stall, ms_summary_rw_sum(s->total.counts.stall));
	ms_json_array(j, "misses");
	for (size_t l = 0; l < s->run->levels.n; l++)
		ms_json_u64(j, NULL, misses[l]);
	ms_json_end(j);
}

static void place(struct ms_json *j, const struct ms_run *run, uint32_t line, uint32_t kind)
{
	if (line == MS_NONE) {
		struct ms_arena arena = MS_ARENA_INIT;

		ms_json_text(j, "code", ms_views_caller_name(&arena, run, line, kind));
		ms_arena_free(&arena);
		return;
	}
	const struct ms_run_line *at = &run->lines.at[line];

	ms_json_text(j, "code", run->codes.at[at->code].name);
	ms_json_text(j, "module", run->codes.at[at->code].module);
	ms_json_text(j, "file", at->file);
	ms_json_u64(j, "line", at->line);
}

void ms_views_json_callers(const struct ms_views_callers *v, const struct ms_views_options *options,
			   FILE *out)
{
	const struct ms_paths_callers *c = v->callers;
	struct ms_json j;

	ms_views_json_begin_run(&j, v->summary->run, out);
	ms_json_end(&j);
	ms_json_text(&j, "name", v->name);
	ms_json_bool(&j, "is_data", v->is_data);
	figures(&j, v->summary, c->stall, c->misses);
	ms_json_u64(&j,
		    ms_views_stall_is_time(v->summary->run) ? "self_stall_ns" : "self_stall_cycles",
		    v->is_data ? 0 : c->self);
	ms_json_array(&j, "callers");
	for (size_t i = 0; i < ms_views_top(c->at.n, options->top); i++) {
		ms_json_object(&j, NULL);
		ms_json_u64(&j, "depth", c->at.at[i].depth);
		place(&j, v->summary->run, c->at.at[i].line, c->at.at[i].kind);
		figures(&j, v->summary, c->at.at[i].stall, c->at.at[i].misses);
		ms_json_end(&j);
	}
	ms_json_end(&j);
	ms_json_end(&j);
}

/* --- whole paths --- */

static void calls(struct ms_json *j, const struct ms_run *run, uint32_t path)
{
	const struct ms_run_path *at = &run->paths.at[path];

	if (at->kind == MS_PATH_ROOT)
		return;
	if (at->parent != MS_NONE)
		calls(j, run, at->parent);
	ms_json_object(j, NULL);
	place(j, run, at->line, at->kind);
	ms_json_end(j);
}

int ms_views_json_paths(struct ms_summary *s, const struct ms_views_options *options, FILE *out,
			struct ms_err *err)
{
	struct ms_paths_rows rows;
	struct ms_paths_leaves leaves;
	struct ms_json j;

	MS_TRY(ms_paths_make_rows(&rows, s, err));
	ms_paths_list_leaves(&leaves, &rows, NULL);
	ms_views_json_begin_run(&j, s->run, out);
	ms_json_end(&j);
	ms_json_array(&j, "paths");
	for (size_t i = 0; i < ms_views_top(leaves.at.n, options->top); i++) {
		const struct ms_paths_leaf *leaf = &leaves.at.at[i];

		ms_json_object(&j, NULL);
		ms_json_text(&j, "code", s->run->codes.at[leaf->code].name);
		ms_json_text(&j, "module", s->run->codes.at[leaf->code].module);
		figures(&j, s, leaf->stall, leaf->misses);
		ms_json_array(&j, "calls");
		calls(&j, s->run, leaf->path);
		ms_json_end(&j);
		ms_json_end(&j);
	}
	ms_json_end(&j);
	ms_json_end(&j);
	ms_paths_free_leaves(&leaves);
	ms_paths_free_rows(&rows);
	return MS_OK;
}
