/* views/json/report.c - the report as JSON; docs/formats/report-json.md describes it. */
#include "views/views.h"

#include <string.h>

#include "analysis/confidence_intervals/phases.h"
#include "analysis/hints/hints.h"
#include "analysis/measured/measured.h"
#include "analysis/metric/metric.h"
#include "base/json.h"
#include "views/entries.h"
#include "views/json/parts.h"
#include "views/json/report.h"

static void phase_between(struct ms_json *j, const struct ms_run *run,
			  const struct ms_intervals_phase *within)
{
	if (within == NULL)
		return;
	ms_json_object(j, "intervals");
	ms_views_json_interval(j, "references", within->references);
	ms_json_array(j, "levels");
	for (size_t i = 0; i < run->levels.n; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->levels.at[i].name);
		ms_views_json_interval(j, "misses", within->misses[i]);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_end(j);
}

static void phases(struct ms_json *j, const struct ms_summary *s)
{
	const struct ms_run *run = s->run;
	struct ms_arena arena = MS_ARENA_INIT;
	const struct ms_intervals_phase *within = ms_intervals_of_phases(s, &arena);
	size_t at = 0;

	ms_json_array(j, "phases");
	for (uint32_t i = 0; i < run->phases.n; i++) {
		const struct ms_run_phase *phase = &run->phases.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", phase->name);
		ms_json_u64(j, "times", phase->times);
		if (ms_run_is_measured(run)) {
			ms_views_json_phase(j, run, i);
			ms_json_end(j);
			continue;
		}
		ms_json_u64(j, "references", phase->references);
		ms_json_array(j, "levels");
		for (; at < run->phase_misses.n && run->phase_misses.at[at].phase == i; at++) {
			const struct ms_run_phase_miss *m = &run->phase_misses.at[at];

			ms_json_object(j, NULL);
			ms_json_text(j, "name", run->levels.at[m->level].name);
			ms_json_u64(j, "misses", m->misses);
			ms_json_end(j);
		}
		ms_json_end(j);
		phase_between(j, run, within != NULL ? &within[i] : NULL);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_arena_free(&arena);
}

/* "==123== memspy: ...": the Valgrind tool's. */
static const char *after_process(const char *line)
{
	const char *mark = strncmp(line, "==", 2) == 0 ? strstr(line + 2, "== ") : NULL;

	return mark != NULL ? mark + 3 : line;
}

/*
 * Messages of a run that has just ended, which memspy prints before a text report: lines that begin
 * with the mark, without it.
 */
static void add_messages(struct ms_json *j, const char *line, const char *mark)
{
	struct ms_text text = MS_TEXT_INIT;

	while (line != NULL && *line != '\0') {
		line = after_process(line);
		size_t n = strcspn(line, "\n"), skip = strlen(mark);

		if (n > skip && strncmp(line, mark, skip) == 0) {
			ms_text_clear(&text);
			ms_text_add_n(&text, line + skip, n - skip);
			ms_json_text(j, NULL, text.at);
		}
		line += n + (line[n] == '\n');
	}
	ms_text_free(&text);
}

static void hints(struct ms_json *j, const struct ms_summary *s)
{
	struct ms_arena arena = MS_ARENA_INIT;
	const char *found[MS_HINTS_MOST];
	size_t n = ms_hints_find(s, &arena, found);

	ms_json_array(j, "hints");
	for (size_t i = 0; i < n; i++)
		ms_json_text(j, NULL, found[i]);
	add_messages(j, s->run->messages, "memspy: ");
	add_messages(j, s->run->unread, "");
	ms_json_end(j);
	ms_arena_free(&arena);
}

int ms_views_json_report(struct ms_summary *s, const struct ms_views_options *options, FILE *out,
			 struct ms_err *err)
{
	struct ms_json j;

	MS_TRY(ms_metric_sort(s, ms_views_list_by(s, options->by), options->sort, err));
	ms_views_json_begin(&j, out);
	ms_views_json_run_object(&j, s);
	ms_views_json_totals(&j, s);
	phases(&j, s);
	hints(&j, s);
	ms_views_json_findings(&j, s);
	ms_views_json_lists(&j, s, s, options, options->by == MS_VIEWS_BY_LINE, NULL);
	ms_json_end(&j);
	return MS_OK;
}
