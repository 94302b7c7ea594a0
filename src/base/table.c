#include "base/table.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/distinct_cuts.h"
#include "base/json.h"
#include "base/num.h"

/* The minimum width of shrinking columns if even their `least` does not fit. */
enum { GAP = 2, LEAST_AT_ALL = 6 };

static const char *const style_codes[] = {
	[MS_STYLE_PLAIN] = "",        [MS_STYLE_BOLD] = "\033[1m",   [MS_STYLE_DIM] = "\033[2m",
	[MS_STYLE_WARM] = "\033[33m", [MS_STYLE_HOT] = "\033[1;31m",
};

const char *ms_style_on(enum ms_style style, bool colour)
{
	return colour ? style_codes[style] : "";
}

const char *ms_style_off(enum ms_style style, bool colour)
{
	return colour && style != MS_STYLE_PLAIN ? "\033[0m" : "";
}

void ms_table_open(struct ms_table *table, FILE *out, enum ms_table_mode mode, size_t width,
		   bool colour)
{
	*table = (struct ms_table){ .out = out, .mode = mode, .width = width, .colour = colour };
}

void ms_table_column(struct ms_table *table, struct ms_table_column column)
{
	assert(table->cells.n == 0);
	*ms_vec_add(&table->columns) = column;
	*ms_vec_add(&table->drop) = 0;
}

void ms_table_may_drop(struct ms_table *table, unsigned rank)
{
	table->drop.at[table->drop.n - 1] = rank;
}

static void add(struct ms_table *table, const char *text)
{
	*ms_vec_add(&table->cells) = (struct ms_table_cell){ .text = text };
}

void ms_table_text(struct ms_table *table, const char *text)
{
	add(table, text ? ms_arena_strdup(&table->arena, text) : "");
}

void ms_table_count(struct ms_table *table, uint64_t value)
{
	char text[MS_NUM_TEXT];

	if (table->mode == MS_TABLE_CSV)
		add(table, ms_arena_printf(&table->arena, "%" PRIu64, value));
	else
		add(table, ms_arena_strdup(&table->arena, ms_format_count(value, text)));
}

void ms_table_size(struct ms_table *table, uint64_t bytes)
{
	char text[MS_NUM_TEXT];

	if (table->mode == MS_TABLE_CSV)
		ms_table_count(table, bytes);
	else
		add(table, ms_arena_strdup(&table->arena, ms_format_size(bytes, text)));
}

void ms_table_nanoseconds(struct ms_table *table, uint64_t ns)
{
	char text[MS_NUM_TEXT];

	if (table->mode == MS_TABLE_CSV)
		ms_table_count(table, ns);
	else
		add(table, ms_arena_strdup(&table->arena, ms_format_nanoseconds(ns, text)));
}

void ms_table_real(struct ms_table *table, double value, int decimals)
{
	char text[MS_REAL_TEXT];

	if (!isfinite(value))
		ms_table_none(table);
	else if (table->mode == MS_TABLE_CSV)
		add(table, ms_arena_strdup(&table->arena, ms_json_real_text(value, text)));
	else
		add(table, ms_arena_printf(&table->arena, "%.*f", decimals, value));
}

void ms_table_share(struct ms_table *table, uint32_t tenths, double exact)
{
	if (table->mode == MS_TABLE_CSV)
		ms_table_real(table, exact, 0);
	else
		add(table, ms_arena_printf(&table->arena, "%" PRIu32 ".%" PRIu32, tenths / 10,
					   tenths % 10));
}

void ms_table_none(struct ms_table *table)
{
	add(table, table->mode == MS_TABLE_CSV ? "" : "-");
}

void ms_table_style(struct ms_table *table, enum ms_style style)
{
	table->cells.at[table->cells.n - 1].style = style;
}

static bool is_decimal_number(const char *text)
{
	char *end;

	if (text[strspn(text, "+-.0123456789eE")] != '\0')
		return false;
	strtod(text, &end);
	return end != text && *end == '\0';
}

/*
 * Spreadsheets execute a cell that begins with these characters as a formula, even if it is quoted.
 */
static bool is_formula(const char *text)
{
	return strchr("=+-@", text[0]) != NULL && text[0] != '\0' && text[1] != '\0' &&
	       !is_decimal_number(text);
}

/* Names come from the profiled program: they must not become formulas or control a terminal. */
static void csv_field(FILE *out, const char *text, struct ms_text *safe)
{
	ms_text_clear(safe);
	ms_text_add(safe, is_formula(text) ? "'" : "");
	ms_utf8_escape(safe, text);
	text = ms_text_get(safe);
	if (strpbrk(text, ",\"") == NULL) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void csv_write(struct ms_table *table)
{
	struct ms_text safe = MS_TEXT_INIT;
	size_t n = table->columns.n;

	for (size_t i = 0; i < n; i++) {
		csv_field(table->out, table->columns.at[i].key, &safe);
		fputs(i + 1 < n ? "," : "\r\n", table->out);
	}
	for (size_t i = 0; i < table->cells.n; i++) {
		csv_field(table->out, table->cells.at[i].text, &safe);
		fputs((i + 1) % n != 0 ? "," : "\r\n", table->out);
	}
	ms_text_free(&safe);
}

/* The width of a dropped column. */
#define DROPPED SIZE_MAX

static size_t least_of(const struct ms_table *table, const size_t *widths, size_t i)
{
	size_t least = table->columns.at[i].least;

	return least > 0 && widths[i] > least ? least : widths[i];
}

/* The width of the table if every column has the width that `of` gives. */
static size_t sum_of(const struct ms_table *table, const size_t *widths,
		     size_t (*of)(const struct ms_table *, const size_t *, size_t))
{
	size_t sum = table->indent, gap = 0;

	for (size_t i = 0; i < table->columns.n; i++) {
		if (widths[i] == DROPPED)
			continue;
		sum += gap + (of ? of(table, widths, i) : widths[i]);
		gap = GAP;
	}
	return sum;
}

static void drop_columns(const struct ms_table *table, size_t *widths)
{
	while (sum_of(table, widths, least_of) > table->width) {
		size_t worst = table->columns.n;

		for (size_t i = 0; i < table->columns.n; i++)
			if (table->drop.at[i] > 0 && widths[i] != DROPPED &&
			    (worst == table->columns.n ||
			     table->drop.at[i] > table->drop.at[worst]))
				worst = i;
		if (worst == table->columns.n)
			return;
		widths[worst] = DROPPED;
	}
}

/* The widest column that may shrink to its least (but not below `floor`), or n. */
static size_t widest(const struct ms_table *table, const size_t *widths, size_t floor)
{
	size_t best = table->columns.n;

	for (size_t i = 0; i < table->columns.n; i++) {
		size_t least = table->columns.at[i].least;

		if (least == 0 || widths[i] == DROPPED ||
		    widths[i] <= (least < floor ? least : floor))
			continue;
		if (best == table->columns.n || widths[i] > widths[best])
			best = i;
	}
	return best;
}

static void shrink_columns(const struct ms_table *table, size_t *widths)
{
	static const size_t floors[] = { SIZE_MAX, LEAST_AT_ALL };
	size_t sum = sum_of(table, widths, NULL);

	for (size_t f = 0; f < MS_COUNT(floors); f++) {
		size_t i = widest(table, widths, floors[f]);

		for (; sum > table->width && i < table->columns.n; sum--) {
			widths[i]--;
			i = widest(table, widths, floors[f]);
		}
	}
}

static size_t *text_widths(struct ms_table *table)
{
	size_t n = table->columns.n;
	size_t *widths = ms_arena_take(&table->arena, n * sizeof(*widths));

	for (size_t i = 0; i < n; i++)
		widths[i] = ms_utf8_width(table->columns.at[i].head);
	for (size_t i = 0; i < table->cells.n; i++) {
		size_t w = ms_utf8_width(table->cells.at[i].text);

		if (w > widths[i % n])
			widths[i % n] = w;
	}
	if (table->width > 0) {
		drop_columns(table, widths);
		shrink_columns(table, widths);
	}
	return widths;
}

/* Lines have no trailing blanks: padding after the last cell that is not empty is not written. */
static void text_cell(struct ms_table *table, size_t column, size_t width,
		      const struct ms_table_cell *cell, struct ms_text *line, size_t *owed)
{
	const struct ms_table_column *c = &table->columns.at[column];
	struct ms_text shown = MS_TEXT_INIT;

	ms_utf8_fit(&shown, cell->text, width, c->cut);
	size_t pad = width - ms_utf8_width(ms_text_get(&shown));
	*owed += c->right ? pad : 0;
	if (shown.n > 0) {
		ms_text_addf(line, "%*s", (int)*owed, "");
		*owed = 0;
		ms_text_add(line, ms_style_on(cell->style, table->colour));
		ms_text_add(line, shown.at);
		ms_text_add(line, ms_style_off(cell->style, table->colour));
	}
	*owed += (c->right ? 0 : pad) + GAP;
	ms_text_free(&shown);
}

static void text_row(struct ms_table *table, const size_t *widths,
		     const struct ms_table_cell *cells)
{
	struct ms_text line = MS_TEXT_INIT;
	size_t owed = table->indent;

	for (size_t i = 0; i < table->columns.n; i++)
		if (widths[i] != DROPPED)
			text_cell(table, i, widths[i], &cells[i], &line, &owed);
	fprintf(table->out, "%s\n", ms_text_get(&line));
	ms_text_free(&line);
}

/* A head, cut to this width. */
static const char *fit_head(struct ms_table *table, const char *head, size_t width,
			    enum ms_utf8_cut cut)
{
	struct ms_text shown = MS_TEXT_INIT;

	ms_utf8_fit(&shown, head, width, cut);
	const char *fitted = ms_arena_strdup(&table->arena, ms_text_get(&shown));
	ms_text_free(&shown);
	return fitted;
}

/* Whether two heads that do not fit are equal after they are cut. */
static bool look_alike(struct ms_table *table, const size_t *widths, size_t a, size_t b)
{
	const struct ms_table_column *x = &table->columns.at[a], *y = &table->columns.at[b];
	size_t width = widths[a] < widths[b] ? widths[a] : widths[b];

	if (a == b || widths[a] == DROPPED || widths[b] == DROPPED || x->cut != y->cut ||
	    ms_utf8_width(x->head) <= widths[a] || ms_utf8_width(y->head) <= widths[b])
		return false;
	return strcmp(fit_head(table, x->head, width, x->cut),
		      fit_head(table, y->head, width, y->cut)) == 0;
}

/* Heads that look alike get numbers, from 1 on; legend[i]: the number of column i, 0: none. */
static void number_heads(struct ms_table *table, const size_t *widths, struct ms_table_cell *heads,
			 size_t *legend)
{
	size_t n = table->columns.n, last = 0;

	for (size_t i = 0; i < n; i++) {
		const struct ms_table_column *c = &table->columns.at[i];
		bool alike = false;

		for (size_t k = 0; k < n && !alike; k++)
			alike = look_alike(table, widths, i, k);
		legend[i] = alike ? ++last : 0;
		heads[i] = (struct ms_table_cell){ c->head, MS_STYLE_BOLD };
		if (!alike)
			continue;
		char *number = ms_arena_printf(&table->arena, "%zu:", last);
		size_t room = widths[i] > strlen(number) ? widths[i] - strlen(number) : 0;
		heads[i].text = ms_arena_printf(&table->arena, "%s%s", number,
						fit_head(table, c->head, room, c->cut));
	}
}

/* Different texts of a column are shown differently, where that is possible. */
static void separate_cells(struct ms_table *table, const size_t *widths)
{
	size_t n = table->columns.n, rows = table->cells.n / n;
	const char **texts = ms_arena_take(&table->arena, (rows + 1) * sizeof(*texts));

	for (size_t i = 0; i < n; i++) {
		if (widths[i] == DROPPED || table->columns.at[i].cut == MS_CUT_FOLDER)
			continue;
		for (size_t r = 0; r < rows; r++)
			texts[r] = table->cells.at[r * n + i].text;
		ms_table_cut_distinctly(&table->arena, texts, rows, widths[i],
					table->columns.at[i].cut);
		for (size_t r = 0; r < rows; r++)
			table->cells.at[r * n + i].text = texts[r];
	}
}

static void text_write(struct ms_table *table)
{
	size_t n = table->columns.n;
	size_t *widths = text_widths(table);
	struct ms_table_cell *heads = ms_arena_take(&table->arena, n * sizeof(*heads));
	size_t *legend = ms_arena_take(&table->arena, n * sizeof(*legend));

	separate_cells(table, widths);
	number_heads(table, widths, heads, legend);
	text_row(table, widths, heads);
	for (size_t i = 0; i + n <= table->cells.n; i += n)
		text_row(table, widths, &table->cells.at[i]);
	for (size_t i = 0; i < n; i++)
		if (legend[i] > 0)
			fprintf(table->out, "%*s%zu: %s\n", (int)table->indent, "", legend[i],
				fit_head(table, table->columns.at[i].head, SIZE_MAX, MS_CUT_END));
}

void ms_table_close(struct ms_table *table)
{
	assert(table->columns.n > 0 && table->cells.n % table->columns.n == 0);
	(table->mode == MS_TABLE_CSV ? csv_write : text_write)(table);
	ms_vec_free(&table->columns);
	ms_vec_free(&table->drop);
	ms_vec_free(&table->cells);
	ms_arena_free(&table->arena);
}
