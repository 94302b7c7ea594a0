/* views/lines.h - source annotated with figures: as text, JSON and CSV. */
#ifndef MS_VIEWS_LINES_H
#define MS_VIEWS_LINES_H

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/source_lines/lines.h"
#include "views/views.h"

/* Lines whose text JSON contains. */
enum ms_views_source_text { MS_VIEWS_ALL_TEXT, MS_VIEWS_USER_TEXT, MS_VIEWS_NO_TEXT };

struct ms_views_lines_options {
	struct ms_views_options view; /* its width, colour, top, threshold and db */
	size_t context;               /* lines around hot ones, in text */
	bool whole_files;             /* all lines of the files shown, in text */
	const char *const *folders;   /* where to look for sources that are not where they were */
	size_t n_folders;
	enum ms_views_source_text text;
	size_t parts; /* of each line, in JSON: so many of its code and of its data; 0: all */
};

/* Of a sampled run, how far figures may be off; of others there are no entries.
 * After the lines were limited. */
enum ms_views_lines_sum { MS_VIEWS_LINES_REST, MS_VIEWS_LINES_UNKNOWN, MS_VIEWS_LINES_OTHER };
struct ms_views_lines_intervals {
	struct ms_intervals total; /* 0 */
	struct ms_intervals lines; /* by their places */
	struct ms_intervals files; /* by their index */
	struct ms_intervals rests; /* of a file, by its index */
	struct ms_intervals sums;  /* enum ms_views_lines_sum */
};
void ms_views_lines_intervals_make(struct ms_views_lines_intervals *within,
				   const struct ms_lines *lines);
void ms_views_lines_intervals_free(struct ms_views_lines_intervals *within);

/* Whether a source is the user's own, as far as its path says: not of the system's folders. */
bool ms_views_is_user_source(const char *path);

/*
 * Each of them limits the lines as the options say, and reads the sources of what it shows.
 * docs/formats/lines-json.md describes JSON and CSV.
 */
typedef void ms_views_lines_writer(struct ms_lines *lines,
				   const struct ms_views_lines_options *options, FILE *out);
ms_views_lines_writer ms_views_text_lines, ms_views_json_lines, ms_views_csv_lines;
extern ms_views_lines_writer *const ms_views_lines_writers[MS_VIEWS_FORMATS];

#endif
