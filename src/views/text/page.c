/* views/text/page.c - what the text reports have in common: lines, shares, names, the next command.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/describe/describe.h"
#include "analysis/measured/measured.h"
#include "analysis/summary/rounded_shares.h"
#include "base/num.h"
#include "base/table.h"
#include "views/intervals.h"
#include "views/text/page.h"
#include "views/views.h"

struct ms_views_text_page ms_views_text_page_of(const struct ms_views_options *options, FILE *out)
{
	return (struct ms_views_text_page){ out, options->width ? options->width : 100,
					    options->colour };
}

static void put_line(const struct ms_views_text_page *page, enum ms_style style, const char *fmt,
		     va_list ap)
{
	struct ms_text shown = MS_TEXT_INIT;
	char *line;

	if (vasprintf(&line, fmt, ap) < 0)
		ms_out_of_memory(strlen(fmt));
	ms_utf8_fit(&shown, line, page->width, MS_CUT_END);
	fprintf(page->out, "%s%s%s\n", ms_style_on(style, page->colour), ms_text_get(&shown),
		ms_style_off(style, page->colour));
	ms_text_free(&shown);
	free(line);
}

void ms_views_text_title(const struct ms_views_text_page *page, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_line(page, MS_STYLE_BOLD, fmt, ap);
	va_end(ap);
}

void ms_views_text_line(const struct ms_views_text_page *page, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_line(page, MS_STYLE_PLAIN, fmt, ap);
	va_end(ap);
}

void ms_views_text_wrap(const struct ms_views_text_page *page, const char *label, const char *text)
{
	size_t indent = ms_utf8_width(label);
	struct ms_text line = MS_TEXT_INIT;

	ms_text_add(&line, label);
	while (*text != '\0') {
		size_t n = strcspn(text, " ");
		size_t at = line.n;

		ms_text_addf(&line, "%s%.*s", at > indent ? " " : "", (int)n, text);
		if (at > indent && ms_utf8_width(line.at) > page->width) {
			ms_views_text_line(page, "%.*s", (int)at, line.at);
			ms_text_clear(&line);
			ms_text_addf(&line, "%*s%.*s", (int)indent, "", (int)n, text);
		}
		text += n + strspn(text + n, " ");
	}
	ms_views_text_line(page, "%s", line.at);
	ms_text_free(&line);
}

void ms_views_text_fold(const struct ms_views_text_page *page, const char *fmt, ...)
{
	char *line;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		ms_out_of_memory(strlen(fmt));
	va_end(ap);
	if (ms_utf8_width(line) <= page->width) {
		ms_views_text_line(page, "%s", line);
	} else {
		char indent[8] = "";
		size_t n = strspn(line, " ");

		memset(indent, ' ', n < sizeof(indent) ? n : sizeof(indent) - 1);
		ms_views_text_wrap(page, indent, line + n);
	}
	free(line);
}

const char *ms_views_text_percent(struct ms_arena *arena, uint32_t tenths)
{
	return ms_arena_printf(arena, "%" PRIu32 ".%" PRIu32 "%%", tenths / 10, tenths % 10);
}

/* Items side by side, on as many lines as they need. */
const char *ms_views_text_rate(struct ms_arena *arena, uint64_t part, uint64_t whole)
{
	return whole > 0 ? ms_views_text_percent(arena, ms_summary_share_tenths(part, whole)) : "-";
}

static void put_items(const struct ms_views_text_page *page, const char *const *items, size_t n)
{
	enum { INDENT = 2, GAP = 3 };
	struct ms_text line = MS_TEXT_INIT;

	for (size_t i = 0; i < n; i++) {
		if (line.n > 0 &&
		    ms_utf8_width(line.at) + GAP + ms_utf8_width(items[i]) > page->width) {
			ms_views_text_line(page, "%s", line.at);
			ms_text_clear(&line);
		}
		ms_text_addf(&line, "%*s%s", line.n > 0 ? GAP : INDENT, "", items[i]);
	}
	ms_views_text_line(page, "%s", ms_text_get(&line));
	ms_text_free(&line);
}

void ms_views_text_parts(const struct ms_views_text_page *page, const char *const *names,
			 const uint64_t *parts, size_t n)
{
	ms_views_text_parts_with_intervals(page, names, parts, NULL, n);
}

static const char *share_within(struct ms_arena *arena, uint32_t tenths,
				const struct ms_measured_share *within)
{
	const char *share = ms_views_text_percent(arena, tenths);

	return within == NULL ? share : ms_views_share_within(arena, share, *within);
}

void ms_views_text_parts_with_intervals(const struct ms_views_text_page *page,
					const char *const *names, const uint64_t *parts,
					const struct ms_measured_share *within, size_t n)
{
	struct ms_arena arena = MS_ARENA_INIT;
	const char **items = ms_arena_take(&arena, n * sizeof(*items));
	uint32_t *tenths = ms_arena_take(&arena, n * sizeof(*tenths)), sum = 0;
	char count[MS_NUM_TEXT];

	ms_summary_share_list(parts, n, MS_WHOLE, tenths);
	for (size_t i = 0; i < n; i++)
		sum += tenths[i];
	for (size_t i = 0; i < n; i++)
		items[i] = ms_arena_printf(
			&arena, sum > 0 ? "%s: %s (%s)" : "%s: %s", names[i],
			ms_format_count(parts[i], count),
			share_within(&arena, tenths[i], within != NULL ? &within[i] : NULL));
	put_items(page, items, n);
	ms_arena_free(&arena);
}

static void add_option(struct ms_text *text, const char *name, const char *value)
{
	if (value == NULL)
		return;
	ms_text_addf(text, " --%s ", name);
	ms_describe_shell_word(text, value);
}

void ms_views_text_add_origin(struct ms_text *text, const struct ms_views_options *options)
{
	add_option(text, "rank", options->rank);
	add_option(text, "node", options->node);
	add_option(text, "cluster", options->cluster);
	add_option(text, "db", options->db);
}

void ms_views_text_number_column(struct ms_table *table, const char *head, unsigned drop)
{
	ms_table_column(table, (struct ms_table_column){ head, "", true, 0, MS_CUT_END });
	ms_table_may_drop(table, drop);
}

void ms_views_text_words_column(struct ms_table *table, const char *head, size_t least,
				enum ms_utf8_cut cut, unsigned drop)
{
	ms_table_column(table, (struct ms_table_column){ head, "", false, least, cut });
	ms_table_may_drop(table, drop);
}

void ms_views_text_next(const struct ms_views_text_page *page,
			const struct ms_views_options *options, const char *fmt, ...)
{
	struct ms_text text = MS_TEXT_INIT, shown = MS_TEXT_INIT;
	char *command;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&command, fmt, ap) < 0)
		ms_out_of_memory(strlen(fmt));
	va_end(ap);
	ms_text_add(&text, command);
	/* What does not name the run is not about a part of it. */
	if (strstr(command, " @") != NULL)
		ms_views_text_add_origin(&text, options);
	else
		add_option(&text, "db", options->db);
	free(command);
	/* Never cut: it is there to be copied. */
	ms_utf8_fit(&shown, text.at, SIZE_MAX, MS_CUT_END);
	fprintf(page->out, "\n%sNext: %s%s\n", ms_style_on(MS_STYLE_DIM, page->colour), shown.at,
		ms_style_off(MS_STYLE_DIM, page->colour));
	ms_text_free(&text);
	ms_text_free(&shown);
}

/* "--machine buck-2004 --l1 8K,2,32 ": as recorded in the origin; a file may be gone, and has none.
 */
static void add_machine(struct ms_text *out, const struct ms_run *run)
{
	static const char preset[] = "preset ", alone[] = "options --", with[] = "; with --";
	const char *origin = run->machine_origin, *changes = strstr(origin, with);

	if (strncmp(origin, alone, strlen(alone)) == 0)
		ms_text_addf(out, "%s ", strchr(origin, '-'));
	if (strncmp(origin, preset, strlen(preset)) != 0)
		return;
	ms_text_add(out, "--machine ");
	ms_describe_shell_word(out, run->machine);
	ms_text_addf(out, " %s%s", changes != NULL ? strchr(changes, '-') : "",
		     changes != NULL ? " " : "");
}

void ms_views_text_next_run_with(const struct ms_views_text_page *page,
				 const struct ms_views_options *options, const struct ms_run *run,
				 const char *option)
{
	struct ms_views_options no_db = *options; /* not after the program's own arguments */
	bool imported =
		strcmp(run->frontend, "valgrind") != 0 && strcmp(run->frontend, "native") != 0;
	struct ms_text command = MS_TEXT_INIT;

	no_db.db = NULL;
	add_machine(&command, run);
	if (options->db != NULL) {
		ms_text_add(&command, "--db ");
		ms_describe_shell_word(&command, options->db);
		ms_text_add(&command, " ");
	}
	ms_text_add(&command, "-- ");
	ms_describe_command(&command, run->program, run->argv.at, run->argv.n);
	ms_views_text_next(page, &no_db, "memspy %s %s %s", imported ? "replay" : "run", option,
			   command.at);
	ms_text_free(&command);
}

const char *ms_views_text_code_name(struct ms_arena *arena, const char *name)
{
	enum { LONG = 24 };
	size_t n = strlen(name), depth = 0;

	if (n <= LONG || name[n - 1] != ')')
		return name;
	for (size_t i = n; i-- > 1;) {
		depth += (name[i] == ')');
		depth -= (name[i] == '(');
		if (depth == 0)
			return name[i - 1] == ' ' ? name : ms_arena_strndup(arena, name, i);
	}
	return name;
}

const char *ms_views_text_line_name(struct ms_arena *arena, const struct ms_run *run,
				    uint32_t number)
{
	const struct ms_run_line *line = &run->lines.at[number];
	const char *code = ms_views_text_code_name(arena, run->codes.at[line->code].name);
	const char *slash = line->file != NULL ? strrchr(line->file, '/') : NULL;

	if (line->file == NULL)
		return code;
	return ms_arena_printf(arena, "%s:%" PRIu32 " %s", slash ? slash + 1 : line->file,
			       line->line, code);
}
