/* views/lines.h - source annotated with figures: as text, JSON and CSV. */
#ifndef MS_VIEWS_LINES_H
#define MS_VIEWS_LINES_H

#include "analysis/intervals.h"
#include "analysis/lines.h"
#include "views/views.h"

/* Whose text JSON holds. */
enum ms_lines_text_of { MS_LINES_ALL_TEXT, MS_LINES_OWN_TEXT, MS_LINES_NO_TEXT };

struct ms_lines_options {
	struct ms_view_options view; /* its width, colour, top, threshold and db */
	size_t context;              /* lines around hot ones, in text */
	bool whole_files;            /* all lines of the files shown, in text */
	const char *const *folders;  /* where to look for sources that are not where they were */
	size_t n_folders;
	enum ms_lines_text_of text;
	size_t parts; /* of each line, in JSON: so many of its code and of its data; 0: all */
};

/* lines_within.c: of a sampled run, how far figures may be off; of others there are no entries.
 * After the lines were limited. */
enum ms_lines_sum { MS_LINES_REST, MS_LINES_UNKNOWN, MS_LINES_OTHER };
struct ms_lines_within {
	struct ms_intervals total; /* 0 */
	struct ms_intervals lines; /* by their places */
	struct ms_intervals files; /* by their index */
	struct ms_intervals rests; /* of a file, by its index */
	struct ms_intervals sums;  /* enum ms_lines_sum */
};
void ms_lines_within_make(struct ms_lines_within *within, const struct ms_lines *lines);
void ms_lines_within_free(struct ms_lines_within *within);

/* Whether a source is the user's own, as far as its path says: not of the system's folders. */
bool ms_lines_is_own(const char *path);

/*
 * Each of them limits the lines as the options say, and reads the sources of what it shows.
 * docs/formats/lines-json.md describes JSON and CSV.
 */
typedef void ms_lines_writer(struct ms_lines *lines, const struct ms_lines_options *options,
			     FILE *out);
ms_lines_writer ms_lines_text, ms_lines_json, ms_lines_csv;
extern ms_lines_writer *const ms_lines_views[MS_VIEW_FORMATS];

#endif
