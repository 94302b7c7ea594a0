/* views/text/advise.c - findings as text: all about each, or a line each at the end of a report. */
#include "views/advise.h"

#include <inttypes.h>
#include <string.h>

#include "views/text/page.h"
#include "views/text/parts.h"

enum { INDENT = 3 };

static void put_indented(const struct ms_views_text_page *page, const char *label, const char *text)
{
	struct ms_arena arena = MS_ARENA_INIT;

	ms_views_text_wrap(page, ms_arena_printf(&arena, "%*s%s", INDENT, "", label), text);
	ms_arena_free(&arena);
}

static void put_snippet(const struct ms_views_text_page *page, const char *snippet)
{
	for (const char *at = snippet; at != NULL && *at != '\0';) {
		size_t n = strcspn(at, "\n");

		ms_views_text_line(page, "%*s%.*s", INDENT + 5, "", (int)n, at);
		at += n + (at[n] == '\n');
	}
}

static const char *gain_text(struct ms_arena *arena, const struct ms_advise_finding *f)
{
	return ms_arena_printf(arena, "%.0f%% of the time (%.0f%% to %.0f%%)", 100 * f->gain,
			       100 * f->gain_low, 100 * f->gain_high);
}

static void put_finding(const struct ms_views_text_page *page, const struct ms_run *run,
			const struct ms_advise_finding *f, size_t number)
{
	struct ms_arena arena = MS_ARENA_INIT;

	ms_views_text_wrap(page, ms_arena_printf(&arena, "%zu. ", number),
			   ms_views_finding_title(&arena, run, f));
	put_indented(page, "Predicted gain: ", gain_text(&arena, f));
	for (size_t i = 0; i < f->n_evidence; i++) {
		put_indented(page, "Evidence: ", f->evidence[i].figure);
		if (i + 1 == f->n_evidence ||
		    strcmp(f->evidence[i].command, f->evidence[i + 1].command) != 0)
			put_indented(page, "          ", f->evidence[i].command);
	}
	put_indented(page, "Remedy: ", f->remedy);
	put_snippet(page, f->snippet);
	put_indented(page, "Wrong if: ", f->falsifier);
	ms_arena_free(&arena);
}

void ms_views_text_advise(const struct ms_advise *advise, const struct ms_views_options *options,
			  FILE *out)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	const struct ms_run *run = advise->summary->run;

	ms_views_text_run(&page, advise->summary);
	fputc('\n', out);
	ms_views_text_title(&page, "FINDINGS");
	for (size_t i = 0; i < advise->at.n; i++) {
		put_finding(&page, run, &advise->at.at[i], i + 1);
		fputc('\n', out);
	}
	if (advise->statement != NULL)
		ms_views_text_wrap(&page, "", advise->statement);
	else
		ms_views_text_wrap(&page, "",
				   "Gains are predicted, one by one; those on the same data do not "
				   "add up. memspy verify BEFORE AFTER measures them.");
}

/* --- at the end of other reports --- */

/* "memspy advise @3 --db x.db"; "": the run was not kept. */
static const char *command_of(struct ms_arena *arena, const struct ms_run *run,
			      const struct ms_views_options *options)
{
	struct ms_text origin = MS_TEXT_INIT;

	if (run->id == 0)
		return "";
	ms_views_text_add_origin(&origin, options);
	const char *command = ms_arena_printf(arena, "memspy advise @%" PRId64 "%s", run->id,
					      ms_text_get(&origin));

	ms_text_free(&origin);
	return command;
}

/* others: findings about other code or data. */
static void put_none(const struct ms_views_text_page *page, const struct ms_advise *advise,
		     size_t others, const struct ms_views_options *options)
{
	struct ms_arena arena = MS_ARENA_INIT;
	const char *command = command_of(&arena, advise->summary->run, options);

	fputc('\n', page->out);
	if (others == 0)
		ms_views_text_wrap(page, "", advise->statement);
	else
		ms_views_text_wrap(page, "",
				   ms_arena_printf(&arena,
						   "No finding about what is shown; %zu about the "
						   "rest%s%s.",
						   others, *command != '\0' ? ": " : "", command));
	ms_arena_free(&arena);
}

static void put_lines(const struct ms_views_text_page *page, const struct ms_advise *advise,
		      const struct ms_summary_selection *shown,
		      const struct ms_views_options *options)
{
	struct ms_arena arena = MS_ARENA_INIT;
	const struct ms_run *run = advise->summary->run;
	const char *command = command_of(&arena, run, options);

	fputc('\n', page->out);
	ms_views_text_title(page, "FINDINGS");
	for (size_t i = 0; i < advise->at.n; i++)
		if (ms_views_finding_concerns(&advise->at.at[i], shown))
			ms_views_text_fold(page, "%zu. %s: predicted gain %s", i + 1,
					   ms_views_finding_title(&arena, run, &advise->at.at[i]),
					   gain_text(&arena, &advise->at.at[i]));
	if (*command != '\0')
		ms_views_text_line(page, "Evidence and remedies: %s", command);
	ms_arena_free(&arena);
}

void ms_views_text_findings(const struct ms_views_text_page *page, const struct ms_summary *whole,
			    const struct ms_summary_selection *shown,
			    const struct ms_views_options *options)
{
	struct ms_advise advise;
	size_t n = 0;

	ms_advise_make(&advise, whole);
	for (size_t i = 0; i < advise.at.n; i++)
		n += ms_views_finding_concerns(&advise.at.at[i], shown);
	if (n > 0)
		put_lines(page, &advise, shown, options);
	else
		put_none(page, &advise, advise.at.n, options);
	ms_advise_free(&advise);
}

void ms_views_text_run_findings(const struct ms_views_text_page *page, const struct ms_run *run,
				const struct ms_views_options *options)
{
	struct ms_summary whole;
	struct ms_err err;

	/* Only latencies of the user can be wrong. */
	if (ms_summary_make(&whole, run, NULL, NULL, &err) != MS_OK)
		return;
	ms_views_text_findings(page, &whole, NULL, options);
	ms_summary_free(&whole);
}
