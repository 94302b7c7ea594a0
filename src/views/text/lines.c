/* views/text/lines.c - source annotated with figures, as text. */
#include "views/lines.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/describe/describe.h"
#include "analysis/measured/measured.h"
#include "analysis/source_lines/line_use.h"
#include "analysis/summary/rounded_shares.h"
#include "analysis/summary/select.h"
#include "base/table.h"
#include "views/entries.h"
#include "views/intervals.h"
#include "views/source.h"
#include "views/text/lines_figures.h"
#include "views/text/page.h"
#include "views/text/parts.h"

enum { TAB = 4, DATA_LEAST = 10, CODE_LEAST = 8, SOURCE_LEAST = 24, FILE_LEAST = 18, NAMED = 4 };
/* With a width of WIDE, the source has at least so many columns; figures may lose a column. */
enum { SOURCE_LEAST_WIDE = 36, WIDE = 90 };

struct lines_writer {
	struct ms_views_text_page page;
	const struct ms_lines *lines;
	const struct ms_views_lines_options *options;
	struct ms_views_lines_intervals within;
	struct ms_lines_use use;
};

static enum ms_style heat(uint32_t tenths)
{
	return tenths >= 100 ? MS_STYLE_HOT : tenths >= 10 ? MS_STYLE_WARM : MS_STYLE_PLAIN;
}

/* --- the files, and everything that has no place in one --- */

static void file_ranges(struct ms_table *table, const struct ms_lines *lines,
			const struct ms_intervals_entry *own)
{
	if (!ms_views_text_lines_ranges(table, lines, own))
		return;
	ms_table_text(table, MS_VIEWS_INTERVAL);
	ms_table_style(table, MS_STYLE_DIM);
}

static void sum_row(struct ms_table *table, const struct ms_lines *lines,
		    const struct ms_summary_counts *counts, uint32_t tenths, const char *name,
		    const struct ms_intervals_entry *own)
{
	if (ms_summary_counts_empty(counts))
		return;
	ms_views_text_lines_figures(table, lines, counts, tenths, MS_STYLE_PLAIN);
	ms_table_text(table, name);
	ms_table_style(table, MS_STYLE_DIM);
	file_ranges(table, lines, own);
}

static void file_table(const struct lines_writer *w)
{
	const struct ms_lines *l = w->lines;
	struct ms_table table;

	ms_table_open(&table, w->page.out, MS_TABLE_TEXT, w->page.width, w->page.colour);
	ms_views_text_lines_columns(&table, l);
	ms_table_column(&table,
			(struct ms_table_column){ "File", "", false, FILE_LEAST, MS_CUT_START });
	ms_views_text_lines_figures(&table, l, &l->whole.total.counts,
				    ms_lines_weight(l, &l->whole.total.counts) > 0 ? MS_WHOLE : 0,
				    MS_STYLE_PLAIN);
	ms_table_text(&table, "total");
	file_ranges(&table, l, ms_intervals_at(&w->within.total, 0));
	for (size_t i = 0; i < l->files.n; i++) {
		const struct ms_lines_file *file = &l->files.at[i];

		if (!file->shown)
			continue;
		ms_views_text_lines_figures(&table, l, &file->counts, file->tenths,
					    heat(file->tenths));
		ms_table_text(&table, file->path);
		file_ranges(&table, l, ms_intervals_at(&w->within.files, i));
	}
	sum_row(&table, l, &l->rest.counts, l->rest.tenths,
		ms_arena_printf(&table.arena, "rest (%zu)", l->rest.files),
		ms_intervals_at(&w->within.sums, MS_VIEWS_LINES_REST));
	sum_row(&table, l, &l->unknown.counts, l->unknown.tenths, "<unknown line>",
		ms_intervals_at(&w->within.sums, MS_VIEWS_LINES_UNKNOWN));
	sum_row(&table, l, &l->other, l->other_tenths, "<not asked for>",
		ms_intervals_at(&w->within.sums, MS_VIEWS_LINES_OTHER));
	ms_table_close(&table);
}

/* Which code stands on no line. */
static void name_unknown(const struct lines_writer *w)
{
	const struct ms_lines_parts *code = &w->lines->unknown.code;
	struct ms_text text = MS_TEXT_INIT;

	if (ms_summary_counts_empty(&w->lines->unknown.counts) || code->at.n == 0)
		return;
	for (size_t i = 0; i < code->at.n && i < NAMED; i++)
		ms_text_addf(&text, "%s%s", i > 0 ? ", " : "",
			     w->lines->whole.run->codes.at[code->at.at[i].of].name);
	if (code->at.n > NAMED)
		ms_text_addf(&text, " and %zu more", code->at.n - NAMED);
	ms_text_add(&text, code->at.n > 1 ? " have" : " has");
	ms_text_add(&text, " no line numbers in the debug information.");
	ms_views_text_wrap(&w->page, "<unknown line>: ", text.at);
	ms_text_free(&text);
}

/* --- one file --- */

static size_t lines_beyond(const struct lines_writer *w, const struct ms_lines_file *file,
			   const struct ms_views_source *source)
{
	size_t n = 0;

	for (size_t i = file->first; i < file->first + file->n; i++)
		n += w->lines->lines.at[i].number > ms_views_source_lines(source);
	return n;
}

static bool any_inlined(const struct lines_writer *w, const struct ms_lines_file *file)
{
	for (size_t i = file->first; i < file->first + file->n; i++)
		if (w->lines->lines.at[i].shown && w->lines->lines.at[i].inlined_into.n > 0)
			return true;
	return false;
}

static void note(const struct lines_writer *w, const char *label, const char *text)
{
	fputs(ms_style_on(MS_STYLE_WARM, w->page.colour), w->page.out);
	ms_views_text_wrap(&w->page, label, text);
	fputs(ms_style_off(MS_STYLE_WARM, w->page.colour), w->page.out);
}

/* Reasons why the text may not belong to the figures beside it. */
static void source_notes(const struct lines_writer *w, const struct ms_lines_file *file,
			 const struct ms_views_source *source, struct ms_arena *arena)
{
	static const char *const ages[] = {
		[MS_VIEWS_SOURCE_AFTER_BUILD] =
			"the source is newer than the program built from it; "
			"lines may be off.",
		[MS_VIEWS_SOURCE_AFTER_RUN] =
			"the source was changed after the run; lines may be off.",
	};
	size_t beyond = source->trouble == NULL ? lines_beyond(w, file, source) : 0;

	if (source->trouble != NULL)
		note(w, "Note: ",
		     ms_arena_printf(arena,
				     "the source cannot be read (%s), so lines are listed by "
				     "number only; --source DIR names a folder to look in.",
				     source->trouble));
	else if (strcmp(source->path, file->path) != 0)
		ms_views_text_wrap(&w->page, "Read from: ", source->path);
	if (ages[source->age] != NULL)
		note(w, "Warning: ", ages[source->age]);
	if (beyond > 0)
		note(w, "Warning: ",
		     ms_arena_printf(arena,
				     "%zu line%s with figures lie%s beyond the end of the source "
				     "(%zu lines); it is not what the program was built from.",
				     beyond, beyond > 1 ? "s" : "", beyond > 1 ? "" : "s",
				     ms_views_source_lines(source)));
	if (any_inlined(w, file))
		ms_views_text_wrap(
			&w->page, "Note: ",
			"optimised code: f > g is code of g, inlined into f; the compiler may "
			"have moved instructions to lines nearby.");
}

/*
 * "~868a char.p" of "char.p (lgc.c:299 < 313 < ltable.c:799 ~868a)": the column cuts beginnings,
 * and would leave no more than the key. memspy fullname and --data find data by the key, too.
 */
static const char *short_path(struct ms_arena *arena, const char *name)
{
	const char *path = strstr(name, " ("), *key = strrchr(name, '~');

	if (path == NULL || key == NULL || key < path || strstr(path, " < ") == NULL ||
	    name[strlen(name) - 1] != ')')
		return name;
	return ms_arena_printf(arena, "%.*s %.*s", (int)strlen(key) - 1, key, (int)(path - name),
			       name);
}

/* "Matrix.Y (+1)": the worst data, and how many others there are. */
static void data_cell(struct ms_table *table, const struct ms_lines *lines,
		      const struct ms_lines_line *line)
{
	const struct ms_lines_parts *data = &line->data;

	if (data->at.n == 0) {
		ms_table_text(table, "");
		return;
	}
	const char *name =
		short_path(&table->arena, lines->whole.run->data.at[data->at.at[0].of].name);
	ms_table_text(table, data->at.n == 1 ? name
					     : ms_arena_printf(&table->arena, "%s (+%zu)", name,
							       data->at.n - 1));
}

/* "at", or "BlkMultiply (+1) > at" where it is inlined into that and another function. */
static void code_cell(struct ms_table *table, const struct ms_lines *lines,
		      const struct ms_lines_line *line)
{
	const struct ms_run_code *codes = lines->whole.run->codes.at;
	struct ms_text text = MS_TEXT_INIT;

	if (line->inlined_into.n > 0)
		ms_text_add(&text,
			    ms_views_text_code_name(&table->arena, line->inlined_into.at[0]));
	if (line->inlined_into.n > 1)
		ms_text_addf(&text, " (+%zu)", line->inlined_into.n - 1);
	ms_text_addf(&text, "%s%s", line->inlined_into.n > 0 ? " > " : "",
		     ms_views_text_code_name(&table->arena, codes[line->code.at.at[0].of].name));
	if (line->code.at.n > 1)
		ms_text_addf(&text, " (+%zu)", line->code.at.n - 1);
	ms_table_text(table, text.at);
	ms_text_free(&text);
}

/* Runs in which lines were observed have a column of used bytes, in the first level. */
static bool has_use(const struct lines_writer *w)
{
	return w->use.levels > 0 && w->use.by_place[0] != NULL;
}

/* "8.0", or "8.0 +-0.4" if it is an estimate. NULL: an empty cell. */
static void used_cell(struct ms_table *table, const struct lines_writer *w,
		      const struct ms_lines_line *line)
{
	const struct ms_line_use *use =
		has_use(w) && line != NULL ? ms_lines_use_at(&w->use, 0, line) : NULL;

	if (!has_use(w))
		return;
	if (use == NULL || use->lines <= 0)
		ms_table_text(table, "");
	else if (use->high - use->low >= 0.1)
		ms_table_text(table, ms_arena_printf(&table->arena, "%.1f +-%.1f", use->used,
						     (use->high - use->low) / 2));
	else
		ms_table_text(table, ms_arena_printf(&table->arena, "%.1f", use->used));
}

/* A source line, or NULL where the source has no such line; with figures, or as context. */
static void line_row(struct ms_table *table, const struct lines_writer *w, uint32_t number,
		     const struct ms_lines_line *line, const char *text)
{
	enum ms_style style = line != NULL ? heat(line->tenths) : MS_STYLE_DIM;

	if (line != NULL) {
		ms_views_text_lines_figures(table, w->lines, &line->counts, line->tenths, style);
		used_cell(table, w, line);
		data_cell(table, w->lines, line);
		code_cell(table, w->lines, line);
	} else {
		ms_views_text_lines_no_figures(table, w->lines);
		used_cell(table, w, NULL);
		ms_table_text(table, "");
		ms_table_text(table, "");
	}
	ms_table_text(table, ms_arena_printf(&table->arena, "%" PRIu32, number));
	ms_table_text(table, text);
	ms_table_style(table, style);
}

/* Rows that are no line: where lines are left out, and the rest. */
static void label_cells(struct ms_table *table, const struct lines_writer *w, const char *number,
			const char *label)
{
	used_cell(table, w, NULL);
	ms_table_text(table, "");
	ms_table_text(table, "");
	ms_table_text(table, number);
	ms_table_style(table, MS_STYLE_DIM);
	ms_table_text(table, label);
	ms_table_style(table, MS_STYLE_DIM);
}

/* The numbers of the lines shown, in their order. */
struct numbers {
	MS_VEC(uint32_t) at;
};

static void add_numbers(struct numbers *numbers, uint64_t from, uint64_t to)
{
	if (numbers->at.n > 0 && from <= numbers->at.at[numbers->at.n - 1])
		from = (uint64_t)numbers->at.at[numbers->at.n - 1] + 1;
	for (; from <= to; from++)
		*ms_vec_add(&numbers->at) = (uint32_t)from;
}

/* Lines with figures, and those of the source around them (all of them, where that is asked for).
 */
static void choose_numbers(const struct lines_writer *w, const struct ms_lines_file *file,
			   const struct ms_views_source *source, struct numbers *numbers)
{
	uint64_t end = ms_views_source_lines(source), context = w->options->context;

	if (w->options->whole_files)
		add_numbers(numbers, 1, end);
	for (size_t i = file->first; i < file->first + file->n; i++) {
		const struct ms_lines_line *line = &w->lines->lines.at[i];
		uint64_t number = line->number, after = number + context;

		if (!line->shown || (!line->hot && number <= end))
			continue; /* others that are shown stand near a hot one */
		if (line->hot && !w->options->whole_files)
			add_numbers(numbers, number > context ? number - context : 1,
				    number - 1 < end ? number - 1 : end);
		add_numbers(numbers, number, number);
		if (line->hot && !w->options->whole_files)
			add_numbers(numbers, number + 1, after < end ? after : end);
	}
}

/* Tabs as blanks, no blanks at the end. */
static char *expand(struct ms_arena *arena, const struct ms_text *line)
{
	struct ms_text out = MS_TEXT_INIT;

	for (size_t i = 0; i < line->n; i++) {
		if (line->at[i] == '\t')
			ms_text_addf(&out, "%*s", (int)(TAB - out.n % TAB), "");
		else
			ms_text_add_n(&out, &line->at[i], 1);
	}
	while (out.n > 0 && out.at[out.n - 1] == ' ')
		out.n--;
	char *kept = ms_arena_strndup(arena, ms_text_get(&out), out.n);
	ms_text_free(&out);
	return kept;
}

/* Lines in a row stand as far to the left as all of them can. */
static void shift_left(char **texts, size_t n)
{
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < n; i++) {
		size_t blanks = texts[i] ? strspn(texts[i], " ") : 0;

		if (texts[i] != NULL && texts[i][0] != '\0' && blanks < least)
			least = blanks;
	}
	for (size_t i = 0; i < n; i++)
		if (texts[i] != NULL && texts[i][0] != '\0')
			texts[i] += least;
}

static char **read_texts(struct ms_table *table, const struct ms_views_source *source,
			 const struct numbers *numbers)
{
	size_t n = numbers->at.n;
	char **texts = ms_arena_take(&table->arena, (n + 1) * sizeof(*texts));
	struct ms_text line = MS_TEXT_INIT;

	for (size_t i = 0; i < n; i++)
		if (ms_views_source_line(source, numbers->at.at[i], &line))
			texts[i] = expand(&table->arena, &line);
	for (size_t i = 0, first = 0; i < n; i++) {
		if (i + 1 < n && numbers->at.at[i + 1] == numbers->at.at[i] + 1)
			continue;
		shift_left(texts + first, i + 1 - first);
		first = i + 1;
	}
	ms_text_free(&line);
	return texts;
}

static void line_rows(struct ms_table *table, const struct lines_writer *w,
		      const struct ms_lines_file *file, const struct ms_views_source *source)
{
	struct numbers numbers = { MS_VEC_INIT };
	const char *missing = source->trouble == NULL ? "<beyond the end of the file>" : "";
	size_t at = file->first, end = file->first + file->n;

	choose_numbers(w, file, source, &numbers);
	char **texts = read_texts(table, source, &numbers);
	for (size_t i = 0; i < numbers.at.n; i++) {
		uint32_t number = numbers.at.at[i];
		const struct ms_lines_line *line = NULL;

		while (at < end && w->lines->lines.at[at].number < number)
			at++;
		if (at < end && w->lines->lines.at[at].number == number)
			line = &w->lines->lines.at[at];
		if (i > 0 && numbers.at.at[i - 1] + 1 != number) {
			ms_views_text_lines_no_figures(table, w->lines);
			label_cells(table, w, "...", "");
		}
		line_row(table, w, number, line, texts[i] ? texts[i] : missing);
		if (line != NULL &&
		    ms_views_text_lines_ranges(table, w->lines,
					       ms_intervals_at(&w->within.lines, line->place)))
			label_cells(table, w, "", MS_VIEWS_INTERVAL);
	}
	ms_vec_free(&numbers.at);
}

static void source_table(const struct lines_writer *w, const struct ms_lines_file *file,
			 const struct ms_views_source *source)
{
	struct ms_table table;

	ms_table_open(&table, w->page.out, MS_TABLE_TEXT, w->page.width, w->page.colour);
	ms_views_text_lines_columns(&table, w->lines);
	if (has_use(w))
		ms_views_text_number_column(&table, "Used", MS_VIEWS_TEXT_DROP_USED);
	ms_table_column(&table, (struct ms_table_column){ "Worst data", "", false, DATA_LEAST,
							  MS_CUT_START });
	ms_table_may_drop(&table, MS_VIEWS_TEXT_DROP_DATA);
	ms_table_column(&table,
			(struct ms_table_column){ "Code", "", false, CODE_LEAST, MS_CUT_START });
	ms_table_may_drop(&table, MS_VIEWS_TEXT_DROP_CODE);
	ms_table_column(&table, (struct ms_table_column){ "Line", "", true, 0, MS_CUT_END });
	ms_table_column(&table, (struct ms_table_column){ "Source", "", false,
							  w->page.width >= WIDE ? SOURCE_LEAST_WIDE
										: SOURCE_LEAST,
							  MS_CUT_END });
	line_rows(&table, w, file, source);
	if (!ms_summary_counts_empty(&file->rest.counts)) {
		ms_views_text_lines_figures(&table, w->lines, &file->rest.counts, file->rest.tenths,
					    MS_STYLE_PLAIN);
		label_cells(&table, w, "",
			    ms_arena_printf(&table.arena, "rest (%zu)", file->rest.lines));
		if (ms_views_text_lines_ranges(
			    &table, w->lines,
			    ms_intervals_at(&w->within.rests,
					    (uint64_t)(file - w->lines->files.at))))
			label_cells(&table, w, "", MS_VIEWS_INTERVAL);
	}
	ms_table_close(&table);
}

static void one_file(const struct lines_writer *w, const struct ms_lines_file *file)
{
	const struct ms_views_source_where where = { file->path, w->options->folders,
						     w->options->n_folders, file->module,
						     w->lines->whole.run->started };
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_views_source source;

	ms_views_source_read(&source, &where);
	fputc('\n', w->page.out);
	ms_views_text_title(&w->page, "%s  %s", ms_views_text_percent(&arena, file->tenths),
			    file->path);
	source_notes(w, file, &source, &arena);
	source_table(w, file, &source);
	ms_views_source_free(&source);
	ms_arena_free(&arena);
}

/* --- the page --- */

static void print_nothing_shown(const struct lines_writer *w)
{
	const struct ms_lines *l = w->lines;

	fputc('\n', w->page.out);
	if (ms_summary_rw_sum(l->whole.total.counts.references) == 0)
		ms_views_text_line(&w->page, "There are no %s in this run.",
				   ms_run_is_measured(l->whole.run) ? "samples of memory"
								    : "references");
	else if (l->lines.n == 0)
		ms_views_text_wrap(
			&w->page, "",
			"No source lines are known here; a program built with -g has them.");
	else
		ms_views_text_wrap(
			&w->page, "",
			"No line is large enough to be shown; --threshold 0 shows smaller "
			"ones.");
}

static void next(const struct lines_writer *w, const struct ms_lines_line *line)
{
	const struct ms_run *run = w->lines->whole.run;
	struct ms_text data = MS_TEXT_INIT, code = MS_TEXT_INIT;
	char id[32] = "";

	if (run->id > 0)
		snprintf(id, sizeof(id), " @%" PRId64, run->id);
	if (line == NULL || line->data.at.n == 0) {
		ms_views_text_next(&w->page, &w->options->view, "memspy report%s", id);
		return;
	}
	ms_summary_add_data_word(&data, run, run->data.at[line->data.at.at[0].of].name);
	ms_summary_add_code_word(&code, run, run->codes.at[line->code.at.at[0].of].name);
	ms_views_text_next(&w->page, &w->options->view, "memspy show --data %s --code %s%s",
			   data.at, code.at, id);
	ms_text_free(&data);
	ms_text_free(&code);
}

/* Of the code whose lines were asked for. */
static void findings(const struct lines_writer *w)
{
	const struct ms_run *run = w->lines->whole.run;
	struct ms_arena arena = MS_ARENA_INIT;
	bool *code = ms_arena_take(&arena, (run->codes.n + 1) * sizeof(*code));

	for (size_t i = 0; i < run->lines.n; i++)
		if (w->lines->places[i] != MS_NONE)
			code[run->lines.at[i].code] = true;
	ms_views_text_findings(&w->page, &w->lines->whole,
			       w->lines->by_name ? &(struct ms_summary_selection){ code, NULL }
						 : NULL,
			       &w->options->view);
	ms_arena_free(&arena);
}

static void limit(struct ms_lines *lines, const struct ms_views_lines_options *o)
{
	/* Requested code or data is shown even if it is a small part of the run. */
	double usual = lines->by_name ? 0 : MS_VIEWS_THRESHOLD;

	ms_lines_limit(lines,
		       (struct ms_lines_limits){
			       .top = o->view.top ? o->view.top : MS_VIEWS_TOP,
			       .threshold = o->view.threshold >= 0 ? o->view.threshold : usual,
			       .context = o->context,
			       .whole_files = o->whole_files,
		       });
}

void ms_views_text_lines(struct ms_lines *lines, const struct ms_views_lines_options *options,
			 FILE *out)
{
	struct lines_writer w = { .page = ms_views_text_page_of(&options->view, out),
				  .lines = lines,
				  .options = options };
	size_t shown = 0;

	limit(lines, options);
	ms_views_text_run(&w.page, &lines->whole);
	ms_views_text_miss_rates(&w.page, lines->whole.run);
	fputc('\n', out);
	if (ms_views_text_no_windows(&w.page, lines->whole.run))
		return;
	ms_views_lines_intervals_make(&w.within, lines);
	ms_lines_use_make(&w.use, lines);
	ms_views_text_title(&w.page, "SOURCE LINES, by share of %s",
			    ms_run_is_measured(lines->whole.run)
				    ? ms_measured_quantity(lines->whole.run)
			    : lines->by_references ? "references (nothing stalls in this run)"
						   : "memory stall time");
	file_table(&w);
	name_unknown(&w);
	for (size_t i = 0; i < lines->files.n; i++) {
		if (!lines->files.at[i].shown)
			continue;
		one_file(&w, &lines->files.at[i]);
		shown++;
	}
	if (shown == 0)
		print_nothing_shown(&w);
	findings(&w);
	next(&w, ms_lines_hottest(lines));
	ms_lines_use_free(&w.use);
	ms_views_lines_intervals_free(&w.within);
}
