/* views/lines.c - what JSON and CSV of source lines share. */
#include "views/shared.h"

#include <string.h>

#include "views/lines.h"
#include "views/source.h"
#include "views/views.h"

void ms_views_lines_limit(struct ms_lines *lines, const struct ms_views_options *o)
{
	ms_lines_limit(lines, (struct ms_lines_limits){
				      .top = o->top ? o->top : SIZE_MAX,
				      .threshold = o->threshold > 0 ? o->threshold : 0,
				      .everything = o->top == 0 && o->threshold <= 0,
			      });
}

bool ms_views_is_user_source(const char *path)
{
	static const char *const folders[] = { "/usr/include/", "/usr/lib/", "/usr/share/",
					       "/usr/src/" };

	for (size_t i = 0; i < MS_COUNT(folders); i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			return false;
	return true;
}

void ms_views_lines_source(struct ms_views_source *source, const struct ms_lines *lines,
			   const struct ms_lines_file *file,
			   const struct ms_views_lines_options *options)
{
	if (options->text == MS_VIEWS_NO_TEXT ||
	    (options->text == MS_VIEWS_USER_TEXT && !ms_views_is_user_source(file->path))) {
		*source = (struct ms_views_source){
			.trouble = options->text == MS_VIEWS_NO_TEXT
					   ? "source was left out of this page"
					   : "a file of the system: its text was left out"
		};
		return;
	}
	ms_views_source_read(source, &(struct ms_views_source_where){
					     file->path, options->folders, options->n_folders,
					     file->module, lines->whole.run->started });
}
