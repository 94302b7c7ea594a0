/* views/text/evictions.c - which data evicts which from the caches, as text. */
#include "views/evictions.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/describe/describe.h"
#include "analysis/summary/rounded_shares.h"
#include "analysis/summary/select.h"
#include "base/num.h"
#include "base/table.h"
#include "run/enum_words.h"
#include "views/entries.h"
#include "views/text/intervals.h"
#include "views/text/page.h"
#include "views/text/parts.h"

/* Columns that names may shrink to; how many are named in a title. */
enum { NAME_LEAST = 16, DATA_LEAST = 10, LINE_LEAST = 14, FIGURE = 5, NAMES_SHOWN = 4 };
/* Text without room for everything leaves out the largest first. */
enum { DROP_STALL = 1, DROP_COUNT, DROP_FUNCTION };

static size_t at_most(size_t value, size_t limit)
{
	return value < limit ? value : limit;
}

/* "U, V and 3 more", in the order of the summary; nothing where all are chosen. */
static void add_names(struct ms_text *out, const char *before,
		      const struct ms_summary_entries *entries, const bool *chosen)
{
	size_t n = 0;

	for (size_t i = 0; chosen != NULL && i < entries->at.n; i++) {
		const struct ms_summary_entry *e = &entries->at.at[i];

		if (chosen[e->kind == MS_ENTRY_DATA ? e->data : e->code] && n++ < NAMES_SHOWN)
			ms_text_addf(out, "%s%s", n > 1 ? ", " : before, e->name);
	}
	if (n > NAMES_SHOWN)
		ms_text_addf(out, " and %zu more", n - NAMES_SHOWN);
}

/* --- the levels --- */

/* Misses without an eviction; unknown where references miss two lines at once. */
static void put_free(struct ms_table *table, const struct ms_evictions_level *level)
{
	if (level->misses >= level->evictions)
		ms_table_count(table, level->misses - level->evictions);
	else
		ms_table_none(table);
}

static void level_row(struct ms_table *table, const struct ms_evictions *e, uint32_t i)
{
	const struct ms_evictions_level *level = &e->levels[i];

	ms_table_text(table, e->whole.run->levels.at[i].name);
	ms_table_count(table, level->misses);
	ms_table_count(table, level->evictions);
	if (e->whole.run->samplings.n > 0)
		ms_table_text(table, ms_views_text_range(&table->arena, level->within));
	if (level->evictions > 0)
		ms_table_share(table, ms_summary_share_tenths(level->itself, level->evictions), 0);
	else
		ms_table_none(table);
	put_free(table, level);
	ms_table_count(table, level->stall);
}

/* Why misses and evictions differ, as far as it holds for these levels. */
static void explain(const struct ms_views_text_page *page, const struct ms_evictions *e)
{
	const struct ms_run *run = e->whole.run;
	bool around = false, exclusive = false, more = false;
	struct ms_text text = MS_TEXT_INIT;

	for (uint32_t i = 0; i < run->levels.n; i++) {
		around |= run->levels.at[i].traits[MS_TRAIT_WRITE_MISS] != 0;
		exclusive |=
			strcmp(ms_run_level_trait_word(MS_TRAIT_CONTENTS,
						       run->levels.at[i].traits[MS_TRAIT_CONTENTS]),
			       "exclusive") == 0;
		more |= e->levels[i].evictions > e->levels[i].misses;
	}
	ms_text_add(&text, "A miss that finds a free place in its set evicts nothing");
	if (around)
		ms_text_add(&text, "; nor does a write that goes around the cache");
	if (exclusive)
		ms_text_add(&text, "; into an exclusive level come the lines that leave the level "
				   "before it");
	if (more)
		ms_text_add(&text, "; a reference that misses several lines counts as one miss");
	ms_text_add(&text,
		    ". Stall: cycles that its replacement misses wait longer than those that "
		    "the level answers.");
	ms_views_text_wrap(page, "", text.at);
	ms_text_free(&text);
}

static void levels(const struct ms_views_text_page *page, const struct ms_evictions *e)
{
	struct ms_table table;

	ms_views_text_title(page, "EVICTIONS");
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	ms_views_text_words_column(&table, "Level", 0, MS_CUT_END, 0);
	ms_views_text_number_column(&table, "Misses", DROP_COUNT);
	ms_views_text_number_column(&table, "Evictions", 0);
	if (e->whole.run->samplings.n > 0)
		ms_views_text_number_column(&table, "95% interval", 0);
	ms_views_text_number_column(&table, "By itself %", 0);
	ms_views_text_number_column(&table, "No eviction", DROP_COUNT);
	ms_views_text_number_column(&table, "Stall", DROP_STALL);
	for (uint32_t i = 0; i < e->whole.run->levels.n; i++)
		level_row(&table, e, i);
	ms_table_close(&table);
	explain(page, e);
	fputc('\n', page->out);
}

/* --- the matrix --- */

static const char *name_of(const struct ms_run *run, struct ms_arena *arena, uint32_t data,
			   size_t others)
{
	return data != MS_NONE ? run->data.at[data].name
			       : ms_arena_printf(arena, "other (%zu)", others);
}

/* Columns that the matrix needs when every name is cut as far as it may be. */
static size_t least_width(const struct ms_run *run, const struct ms_evictions_matrix *m,
			  struct ms_arena *arena)
{
	size_t widest = strlen("Evicted by"), sum = 0;

	for (size_t r = 0; r < m->rows; r++) {
		const char *name = name_of(run, arena, m->evictors[r], m->evictors_in_other);
		size_t w = at_most(ms_utf8_width(name), NAME_LEAST);

		widest = w > widest ? w : widest;
	}
	for (size_t c = 0; c < m->columns; c++) {
		const char *name = name_of(run, arena, m->victims[c], m->victims_in_other);
		size_t w = at_most(ms_utf8_width(name), DATA_LEAST);

		sum += 2 + (w > FIGURE ? w : FIGURE);
	}
	return widest + 2 + FIGURE + sum;
}

/* With as many columns as the page has room for. */
static void fit(struct ms_evictions_matrix *m, const struct ms_views_text_page *page,
		const struct ms_evictions *e, uint32_t level,
		const struct ms_views_options *options)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_evictions_limits limits = { .rows = options->top ? options->top : MS_VIEWS_TOP };

	limits.columns = at_most(limits.rows, page->width / (FIGURE + 2) + 1);
	limits.threshold = options->threshold >= 0 ? options->threshold : MS_VIEWS_THRESHOLD;
	for (;;) {
		ms_evictions_matrix_make(m, e, level, limits);
		if (limits.columns <= 1 || least_width(e->whole.run, m, &arena) <= page->width)
			break;
		limits.columns--;
		ms_evictions_matrix_free(m);
	}
	ms_arena_free(&arena);
}

static void figure(struct ms_table *table, uint32_t tenths)
{
	ms_table_share(table, tenths, 0);
	ms_table_style(table, tenths >= 350   ? MS_STYLE_HOT
			      : tenths >= 100 ? MS_STYLE_WARM
					      : MS_STYLE_PLAIN);
}

static void matrix_columns(struct ms_table *table, const struct ms_run *run,
			   const struct ms_evictions_matrix *m)
{
	ms_views_text_words_column(table, "Evicted by", NAME_LEAST, MS_CUT_START, 0);
	ms_views_text_number_column(table, "all", 0);
	for (size_t c = 0; c < m->columns; c++) {
		const char *head = name_of(run, &table->arena, m->victims[c], m->victims_in_other);

		/* The variable stands last in "Matrix.Y", the function first in "main (a.c:7)". */
		enum ms_utf8_cut cut = strstr(head, " (") != NULL ? MS_CUT_END : MS_CUT_START;
		ms_table_column(table, (struct ms_table_column){ head, "", true, DATA_LEAST, cut });
	}
}

static void matrix_rows(struct ms_table *table, const struct ms_run *run,
			const struct ms_evictions_matrix *m)
{
	ms_table_text(table, "all");
	ms_table_share(table, MS_WHOLE, 0);
	for (size_t c = 0; c < m->columns; c++)
		ms_table_share(table, m->column_tenths[c], 0);
	for (size_t r = 0; r < m->rows; r++) {
		ms_table_text(table,
			      name_of(run, &table->arena, m->evictors[r], m->evictors_in_other));
		ms_table_share(table, m->row_tenths[r], 0);
		for (size_t c = 0; c < m->columns; c++) {
			if (m->counts[r * m->columns + c] > 0)
				figure(table, m->tenths[r * m->columns + c]);
			else
				ms_table_text(table, "");
		}
	}
}

static void matrix(const struct ms_views_text_page *page, const struct ms_evictions *e,
		   uint32_t level, const struct ms_views_options *options)
{
	const struct ms_run *run = e->whole.run;
	struct ms_text where = MS_TEXT_INIT;
	struct ms_evictions_matrix m;
	struct ms_table table;

	fit(&m, page, e, level, options);
	add_names(&where, " in ", &e->whole.code, e->at);
	ms_views_text_title(page,
			    "EVICTIONS BY DATA from %s%s: per cent of the evictions of each column",
			    run->levels.at[level].name, ms_text_get(&where));
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	matrix_columns(&table, run, &m);
	matrix_rows(&table, run, &m);
	ms_table_close(&table);
	fputc('\n', page->out);
	ms_evictions_matrix_free(&m);
	ms_text_free(&where);
}

/* --- lines of code --- */

/* "resid.c:218"; code without lines has none. */
static const char *line_of(struct ms_arena *arena, const struct ms_run *run, uint32_t line)
{
	const struct ms_run_line *l = &run->lines.at[line];

	if (l->file == NULL)
		return NULL;
	return ms_arena_printf(arena, "%s:%" PRIu32, ms_base_name(l->file), l->line);
}

static void place_row(struct ms_table *table, const struct ms_run *run,
		      const struct ms_evictions_row *p, uint32_t tenths)
{
	const struct ms_run_code *code = &run->codes.at[run->lines.at[p->line].code];
	const char *line = line_of(&table->arena, run, p->line);

	figure(table, tenths);
	ms_table_count(table, p->count);
	if (run->samplings.n > 0)
		ms_table_text(table, ms_views_text_range(&table->arena, p->within));
	ms_table_text(table, run->data.at[p->victim].name);
	ms_table_text(table, run->data.at[p->evictor].name);
	if (line != NULL)
		ms_table_text(table, line);
	else
		ms_table_none(table);
	ms_table_text(table, ms_views_text_code_name(&table->arena, code->name));
}

static void rest_row(struct ms_table *table, const struct ms_run *run, uint64_t count,
		     uint32_t tenths, const char *what)
{
	ms_table_share(table, tenths, 0);
	ms_table_count(table, count);
	if (run->samplings.n > 0)
		ms_table_text(table, NULL);
	ms_table_text(table, what);
	for (int i = 0; i < 3; i++)
		ms_table_text(table, NULL);
}

/* Where the places of a level begin, and how many there are. */
static size_t places_of(const struct ms_evictions *e, uint32_t level, size_t *n)
{
	size_t first = 0;

	while (first < e->places.at.n && e->places.at.at[first].level < level)
		first++;
	*n = 0;
	while (first + *n < e->places.at.n && e->places.at.at[first + *n].level == level)
		(*n)++;
	return first;
}

static void places_title(const struct ms_views_text_page *page, const struct ms_evictions *e,
			 uint32_t level)
{
	struct ms_text title = MS_TEXT_INIT;

	add_names(&title, " of ", &e->whole.data, e->of);
	add_names(&title, " by ", &e->whole.data, e->by);
	add_names(&title, " in ", &e->whole.code, e->at);
	ms_views_text_title(page, "EVICTIONS BY SOURCE LINE in %s%s%s",
			    e->whole.run->levels.at[level].name, ms_text_get(&title),
			    e->of != NULL ? ", per cent of all evictions of it"
					  : ", per cent of all evictions");
	ms_text_free(&title);
}

/* The first few, the rest, and what was not asked for: all evictions of the chosen victims. */
static void places(const struct ms_views_text_page *page, const struct ms_evictions *e,
		   uint32_t level, size_t top)
{
	const struct ms_evictions_level *counts = &e->levels[level];
	size_t n, first = places_of(e, level, &n), shown = at_most(n, top);
	struct ms_table table;

	places_title(page, e, level);
	ms_table_open(&table, page->out, MS_TABLE_TEXT, page->width, page->colour);
	uint64_t *parts = ms_arena_take(&table.arena, (shown + 2) * sizeof(*parts));
	uint32_t *tenths = ms_arena_take(&table.arena, (shown + 2) * sizeof(*tenths));
	for (size_t i = 0; i < n; i++)
		parts[at_most(i, shown)] += e->places.at.at[first + i].count;
	parts[shown + 1] = counts->of - counts->chosen;
	ms_summary_share_list(parts, shown + 2, MS_WHOLE, tenths);
	ms_views_text_number_column(&table, "%", 0);
	ms_views_text_number_column(&table, "Evictions", DROP_COUNT);
	if (e->whole.run->samplings.n > 0)
		ms_views_text_number_column(&table, "95% interval", DROP_COUNT);
	ms_views_text_words_column(&table, "Evicted", DATA_LEAST, MS_CUT_START, 0);
	ms_views_text_words_column(&table, "Evicted by", DATA_LEAST, MS_CUT_START, 0);
	ms_views_text_words_column(&table, "Line", LINE_LEAST, MS_CUT_START, 0);
	ms_views_text_words_column(&table, "Function", DATA_LEAST, MS_CUT_END, DROP_FUNCTION);
	for (size_t i = 0; i < shown; i++)
		place_row(&table, e->whole.run, &e->places.at.at[first + i], tenths[i]);
	if (shown < n)
		rest_row(&table, e->whole.run, parts[shown], tenths[shown],
			 ms_arena_printf(&table.arena, "rest (%zu)", n - shown));
	if (parts[shown + 1] > 0)
		rest_row(&table, e->whole.run, parts[shown + 1], tenths[shown + 1],
			 e->at == NULL   ? "by other data"
			 : e->by == NULL ? "in other code"
					 : "by other data or in other code");
	ms_table_close(&table);
}

/* --- nothing to show --- */

/* The requested level has no evictions: names the levels that have some. */
static void elsewhere(const struct ms_views_text_page *page, const struct ms_evictions *e,
		      uint32_t level)
{
	const struct ms_run *run = e->whole.run;
	struct ms_text text = MS_TEXT_INIT;
	char count[MS_NUM_TEXT];

	for (uint32_t i = 0; i < run->levels.n; i++)
		if (i != level && e->levels[i].chosen > 0)
			ms_text_addf(&text, "%s%s from %s", text.n > 0 ? ", " : "There are ",
				     ms_format_count(e->levels[i].chosen, count),
				     run->levels.at[i].name);
	if (text.n > 0) {
		ms_text_add(&text, ": ask for that level with --level.");
		ms_views_text_wrap(page, "", text.at);
	}
	ms_text_free(&text);
}

/* Misses of the data that was asked for. */
static uint64_t misses_of(const struct ms_evictions *e, uint32_t level)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < e->whole.data.at.n; i++) {
		const struct ms_summary_entry *entry = &e->whole.data.at.at[i];

		if (e->of == NULL || e->of[entry->data])
			sum += ms_summary_entry_misses(&e->whole, entry, level);
	}
	return sum;
}

/* Why there is nothing, when some of the data was evicted; or when none was. */
static void none_of_these(struct ms_text *text, const struct ms_evictions *e, uint32_t level,
			  const char *of)
{
	char count[MS_NUM_TEXT];

	ms_text_addf(text, "None of the %s evictions%s%s from %s",
		     ms_format_count(e->levels[level].of, count), of[0] != '\0' ? " of " : "", of,
		     e->whole.run->levels.at[level].name);
	if (e->by == NULL)
		ms_text_add(text, " happened");
	add_names(text, " came from references to ", &e->whole.data, e->by);
	add_names(text, " in ", &e->whole.code, e->at);
	ms_text_add(text, ".");
}

static void none_at_all(struct ms_text *text, const struct ms_evictions *e, uint32_t level,
			const char *of)
{
	const char *name = e->whole.run->levels.at[level].name;
	uint64_t misses = misses_of(e, level);
	char count[MS_NUM_TEXT];

	if (e->levels[level].evictions == 0 && e->levels[level].replaced > 0) {
		ms_text_addf(text,
			     "%s misses of %s are replacements, but the run has not recorded what "
			     "evicted what: whatever made it did not count that.",
			     ms_format_count(e->levels[level].replaced, count), name);
		return;
	}
	ms_text_addf(text, "Nothing%s%s was evicted from %s: ", of[0] != '\0' ? " of " : "", of,
		     name);
	if (misses == 0)
		ms_text_add(text, "it never missed there.");
	else
		ms_text_addf(text, "what its %s miss%s brought in stayed.",
			     ms_format_count(misses, count), misses == 1 ? "" : "es");
}

static void nothing(const struct ms_views_text_page *page, const struct ms_evictions *e,
		    uint32_t level)
{
	struct ms_text text = MS_TEXT_INIT, of = MS_TEXT_INIT;

	add_names(&of, "", &e->whole.data, e->of);
	(e->levels[level].of > 0 ? none_of_these : none_at_all)(&text, e, level, ms_text_get(&of));
	ms_views_text_wrap(page, "", text.at);
	elsewhere(page, e, level);
	ms_text_free(&text);
	ms_text_free(&of);
}

/* --- the whole --- */

/* The source of the worst place; code without lines has bins at least. */
static void next_source(const struct ms_views_text_page *page, const struct ms_run *run,
			const struct ms_evictions_row *p, const struct ms_views_options *options)
{
	const struct ms_run_line *line = &run->lines.at[p->line];
	struct ms_text word = MS_TEXT_INIT;

	if (line->file == NULL) {
		ms_text_add(&word, "show --data ");
		ms_summary_add_data_word(&word, run, run->data.at[p->evictor].name);
	} else {
		ms_text_add(&word, "lines");
	}
	ms_text_add(&word, " --code ");
	ms_summary_add_code_word(&word, run, run->codes.at[line->code].name);
	ms_views_text_next(page, options, "memspy %s @%" PRId64, word.at, run->id);
	ms_text_free(&word);
}

/* From the whole to the worst pair; from a pair to the source. */
static void next(const struct ms_views_text_page *page, const struct ms_evictions *e,
		 uint32_t level, const struct ms_views_options *options)
{
	const struct ms_run *run = e->whole.run;
	size_t n, first = places_of(e, level, &n), pair = 0;
	struct ms_text word = MS_TEXT_INIT;

	if (run->id == 0 || n == 0)
		return;
	if (e->of != NULL && (e->by != NULL || e->at != NULL)) {
		next_source(page, run, &e->places.at.at[first], options);
		return;
	}
	while (e->pairs.at.at[pair].level != level)
		pair++;
	ms_summary_add_data_word(&word, run, run->data.at[e->pairs.at.at[pair].victim].name);
	ms_text_add(&word, " --by ");
	ms_summary_add_data_word(&word, run, run->data.at[e->pairs.at.at[pair].evictor].name);
	if (e->level != MS_NONE) {
		ms_text_add(&word, " --level ");
		ms_describe_shell_word(&word, run->levels.at[level].name);
	}
	ms_views_text_next(page, options, "memspy evictions --of %s @%" PRId64, word.at, run->id);
	ms_text_free(&word);
}

void ms_views_text_evictions(const struct ms_evictions *e, const struct ms_views_options *options,
			     FILE *out)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	uint32_t level = e->level != MS_NONE ? e->level : e->worst;

	ms_views_text_run(&page, &e->whole);
	ms_views_text_miss_rates(&page, e->whole.run);
	fputc('\n', out);
	if (ms_views_text_no_windows(&page, e->whole.run))
		return;
	if (e->whole.run->levels.n == 0) {
		ms_views_text_line(&page, "This run simulated no caches.");
		return;
	}
	levels(&page, e);
	if (e->levels[level].chosen == 0) {
		nothing(&page, e, level);
	} else {
		matrix(&page, e, level, options);
		places(&page, e, level, options->top ? options->top : MS_VIEWS_TOP);
	}
	ms_views_text_findings(&page, &e->whole, &(struct ms_summary_selection){ NULL, e->of },
			       options);
	if (e->levels[level].chosen > 0)
		next(&page, e, level, options);
}
