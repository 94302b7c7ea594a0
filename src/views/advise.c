/* views/advise.c - what all formats of findings share. */
#include "views/advise.h"

#include "base/text.h"

const char *ms_views_finding_file(const struct ms_run *run, const struct ms_advise_finding *f,
				  uint32_t *number)
{
	const struct ms_run_line *line = f->line != MS_NONE ? &run->lines.at[f->line] : NULL;

	*number = line != NULL && line->file != NULL ? line->line : 0;
	return line != NULL ? line->file : NULL;
}

bool ms_views_finding_concerns(const struct ms_advise_finding *f,
			       const struct ms_summary_selection *shown)
{
	if (shown == NULL)
		return true;
	bool of_code = shown->code == NULL || f->code == MS_NONE || shown->code[f->code];
	bool of_data = shown->data == NULL || f->data == MS_NONE || shown->data[f->data];

	return of_code && of_data;
}

const char *ms_views_finding_title(struct ms_arena *arena, const struct ms_run *run,
				   const struct ms_advise_finding *f)
{
	uint32_t number;
	const char *file = ms_views_finding_file(run, f, &number);
	const char *title = ms_advise_kind_title(f->kind);

	if (f->data != MS_NONE)
		title = ms_arena_printf(arena, "%s: %s", title, run->data.at[f->data].name);
	if (f->code != MS_NONE)
		title = ms_arena_printf(arena, "%s in %s", title, run->codes.at[f->code].name);
	if (file != NULL && number > 0)
		title = ms_arena_printf(arena, "%s (%s:%u)", title, ms_base_name(file), number);
	return title;
}
