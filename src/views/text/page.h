/* views/text/page.h - the layout of reports as text: titles, lines, figures and names. */
#ifndef MS_VIEWS_TEXT_PAGE_H
#define MS_VIEWS_TEXT_PAGE_H

#include "base/arena.h"
#include "base/compiler.h"
#include "base/table.h"
#include "run/run.h"
#include "views/views.h"

struct ms_views_text_page {
	FILE *out;
	size_t width;
	bool colour;
};

struct ms_views_text_page ms_views_text_page_of(const struct ms_views_options *options, FILE *out);
void ms_views_text_title(const struct ms_views_text_page *page, const char *fmt, ...)
	MS_PRINTF(2, 3);
/* A line of text from anywhere, made safe to show and cut to the page's width. */
void ms_views_text_line(const struct ms_views_text_page *page, const char *fmt, ...)
	MS_PRINTF(2, 3);
/* Likewise, but what is too long goes on in the next line: a figure at its end must be seen. */
void ms_views_text_fold(const struct ms_views_text_page *page, const char *fmt, ...)
	MS_PRINTF(2, 3);
/* Text after a label, on as many lines as it needs; what has no blanks is cut. */
void ms_views_text_wrap(const struct ms_views_text_page *page, const char *label, const char *text);
/* "Reads: 19.9M (74.8%)   Writes: 6.70M (25.2%)"; of nothing there are no percentages. */
void ms_views_text_parts(const struct ms_views_text_page *page, const char *const *names,
			 const uint64_t *parts, size_t n);
struct ms_measured_share;
/* Likewise, each share with half of its interval; within: NULL, without. */
void ms_views_text_parts_with_intervals(const struct ms_views_text_page *page,
					const char *const *names, const uint64_t *parts,
					const struct ms_measured_share *within, size_t n);
const char *ms_views_text_percent(struct ms_arena *arena, uint32_t tenths);
/* part of whole, to the nearest; "-" where the whole is nothing. */
const char *ms_views_text_rate(struct ms_arena *arena, uint64_t part, uint64_t whole);
/* " --rank 3 --db runs.db": what commands about the same run, and part of it, need. */
void ms_views_text_add_origin(struct ms_text *text, const struct ms_views_options *options);
/* Columns of a table; those with the largest `drop` go first where not all have room (0: never). */
void ms_views_text_number_column(struct ms_table *table, const char *head, unsigned drop);
void ms_views_text_words_column(struct ms_table *table, const char *head, size_t least,
				enum ms_utf8_cut cut, unsigned drop);
/* Next: a command, which is about the same part of a run that it names. */
void ms_views_text_next(const struct ms_views_text_page *page,
			const struct ms_views_options *options, const char *fmt, ...)
	MS_PRINTF(3, 4);
/* Next: the same once more on the same machine, with an option; what was imported is no program. */
void ms_views_text_next_run_with(const struct ms_views_text_page *page,
				 const struct ms_views_options *options, const struct ms_run *run,
				 const char *option);
/* The name of code without a long list of parameters: names of code differ at their end. */
const char *ms_views_text_code_name(struct ms_arena *arena, const char *name);
/* Of a line of the run: "workers.c:12 count"; of code without lines its name alone. */
const char *ms_views_text_line_name(struct ms_arena *arena, const struct ms_run *run,
				    uint32_t line);

#endif
