/* views/html/source.c - the lines around hot ones, of which lists of figures know nothing. */
#include "views/source.h"
#include "base/json.h"
#include "base/text.h"
#include "views/html/html.h"
#include "views/html/html_priv.h"
#include "views/lines.h"

/* Writes the lines from *next up to before `end`, each [number, text]. */
static void put_lines(struct ms_json *json, const struct ms_views_source *source, uint32_t from,
		      uint32_t end, struct ms_text *text)
{
	for (uint32_t n = from; n < end && ms_views_source_line(source, n, text); n++) {
		ms_json_array(json, NULL);
		ms_json_u64(json, NULL, n);
		ms_json_text(json, NULL, ms_text_get(text));
		ms_json_end(json);
	}
}

/* Source lines near a line with figures that have no figures themselves. */
static void around(struct ms_json *json, const struct ms_lines *lines,
		   const struct ms_lines_file *file, const struct ms_views_source *source)
{
	struct ms_text text = MS_TEXT_INIT;
	uint32_t written = 1; /* all below this are done */

	for (size_t i = file->first; i < file->first + file->n; i++) {
		const struct ms_lines_line *line = &lines->lines.at[i];
		uint32_t first =
			line->number > MS_HTML_CONTEXT ? line->number - MS_HTML_CONTEXT : 1;

		if (!line->shown)
			continue;
		/* After the previous line as far as its context reaches, then before this one. */
		if (written > 1) {
			uint32_t reach = written + MS_HTML_CONTEXT;

			put_lines(json, source, written,
				  reach < line->number ? reach : line->number, &text);
			written = reach < line->number ? reach : line->number;
		}
		put_lines(json, source, first > written ? first : written, line->number, &text);
		written = line->number + 1;
	}
	if (written > 1)
		put_lines(json, source, written, written + MS_HTML_CONTEXT, &text);
	ms_text_free(&text);
}

void ms_html_context(const struct ms_lines *lines, const struct ms_html_options *options, FILE *out)
{
	struct ms_json json;

	ms_json_init(&json, out);
	ms_json_array(&json, NULL);
	for (size_t i = 0; i < lines->files.n && !options->no_source; i++) {
		const struct ms_lines_file *file = &lines->files.at[i];
		struct ms_views_source source;

		if (!file->shown || !ms_views_is_user_source(file->path))
			continue;
		ms_views_source_read(
			&source, &(struct ms_views_source_where){ file->path, options->folders,
								  options->n_folders, file->module,
								  lines->whole.run->started });
		ms_json_object(&json, NULL);
		ms_json_text(&json, "file", file->path);
		ms_json_array(&json, "lines");
		if (source.trouble == NULL)
			around(&json, lines, file, &source);
		ms_json_end(&json);
		ms_json_end(&json);
		ms_views_source_free(&source);
	}
	ms_json_end(&json);
}
