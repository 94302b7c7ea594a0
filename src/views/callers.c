/* views/callers.c - names of callers and paths, for all formats. */
#include "views/callers.h"

#include <inttypes.h>

#include "base/text.h"

static const char *const special_names[] = {
	[MS_PATH_ROOT] = "<no caller known>",
	[MS_PATH_OTHER] = "<other paths>",
};

bool ms_views_stall_is_time(const struct ms_run *run)
{
	return ms_run_is_measured(run);
}

const char *ms_views_caller_name(struct ms_arena *arena, const struct ms_run *run, uint32_t line,
				 uint32_t kind)
{
	if (line == MS_NONE)
		return special_names[kind == MS_PATH_OTHER ? MS_PATH_OTHER : MS_PATH_ROOT];
	const struct ms_run_line *at = &run->lines.at[line];
	const struct ms_run_code *code = &run->codes.at[at->code];

	if (at->file == NULL)
		return ms_arena_printf(arena, "%s (%s)", code->name, ms_base_name(code->module));
	return ms_arena_printf(arena, "%s (%s:%" PRIu32 ")", code->name, ms_base_name(at->file),
			       at->line);
}

static void add_path(struct ms_text *out, struct ms_arena *arena, const struct ms_run *run,
		     uint32_t path)
{
	const struct ms_run_path *at = &run->paths.at[path];

	if (at->kind == MS_PATH_ROOT)
		return;
	if (at->parent != MS_NONE)
		add_path(out, arena, run, at->parent);
	ms_text_addf(out, "%s > ", ms_views_caller_name(arena, run, at->line, at->kind));
}

const char *ms_views_path_name(struct ms_arena *arena, const struct ms_run *run, uint32_t path,
			       uint32_t code)
{
	struct ms_text text = MS_TEXT_INIT;

	add_path(&text, arena, run, path);
	ms_text_addf(&text, "%s", run->codes.at[code].name);
	const char *name = ms_arena_strdup(arena, text.at);
	ms_text_free(&text);
	return name;
}
