/* views/json/threads.c - where time goes, as JSON. */
#include "views/threads.h"

#include <string.h>

#include "base/json.h"
#include "base/num.h"
#include "views/json/parts.h"
#include "views/shared.h"

static void json_value(struct ms_json *j, const struct ms_threads_metric *m,
		       struct ms_metric_value value)
{
	if (!value.known)
		ms_json_null(j, m->key);
	else if (m->unit == MS_UNIT_TEXT)
		ms_json_text(j, m->key, value.text);
	else if (m->unit == MS_UNIT_COUNT || m->unit == MS_UNIT_CYCLES)
		ms_json_u64(j, m->key, value.count);
	else
		ms_json_real(j, m->key, value.real);
}

static void json_intervals(struct ms_json *j, const struct ms_threads *t,
			   const struct ms_threads_time *time)
{
	if (t->whole.run->samplings.n == 0)
		return;
	ms_json_object(j, "intervals");
	for (const struct ms_threads_metric *m = ms_threads_metrics; m->key != NULL; m++)
		if ((m->kinds & time->kind) != 0 && ms_threads_metric_has_interval(m, t->whole.run))
			ms_views_json_interval(j, m->key, ms_threads_metric_interval(m, time));
	ms_json_end(j);
}

static void json_list(struct ms_json *j, const char *key, const struct ms_threads *t,
		      const struct ms_threads_times *times, size_t top)
{
	ms_json_array(j, key);
	for (size_t i = 0; i < ms_views_top(times->at.n, top); i++) {
		const struct ms_threads_time *time = &times->at.at[i];

		ms_json_object(j, NULL);
		for (const struct ms_threads_metric *m = ms_threads_metrics; m->key != NULL; m++)
			if ((m->kinds & time->kind) != 0)
				json_value(j, m, m->value(t, time));
		json_intervals(j, t, time);
		ms_json_end(j);
	}
	ms_json_end(j);
}

int ms_views_json_threads(struct ms_threads *t, const struct ms_views_threads_options *options,
			  FILE *out, struct ms_err *err)
{
	const struct ms_run *run = t->whole.run;
	size_t top = options->view.top;
	struct ms_json j;

	MS_TRY(ms_threads_sort(t, ms_views_threads_chosen(t, options->by), options->view.sort,
			       err));
	ms_views_json_begin_run(&j, run, out);
	ms_json_u64(&j, "processors", run->processors);
	ms_json_u64(&j, "seed", run->seed);
	ms_json_end(&j);
	ms_json_object(&j, "totals");
	ms_json_u64(&j, "elapsed_cycles", t->elapsed);
	ms_json_u64(&j, "normalised_cycles", ms_round_u64(ms_threads_normalised_sum(&t->code)));
	if (run->samplings.n > 0) {
		ms_json_object(&j, "intervals");
		ms_views_json_interval(&j, "compute_cycles", t->within.compute);
		ms_views_json_interval(&j, "stall_cycles", t->within.stall);
		ms_views_json_interval(&j, "elapsed_cycles", t->within.all);
		ms_json_end(&j);
	}
	ms_json_end(&j);
	if (options->by == MS_VIEWS_THREADS_ALL || options->by == MS_VIEWS_THREADS_PROCESSOR)
		json_list(&j, "processors", t, &t->processors, top);
	if (options->by == MS_VIEWS_THREADS_ALL || options->by == MS_VIEWS_THREADS_THREAD)
		json_list(&j, "threads", t, &t->threads, top);
	if (options->by == MS_VIEWS_THREADS_ALL || options->by == MS_VIEWS_THREADS_CODE)
		json_list(&j, "code", t, &t->code, top);
	ms_json_end(&j);
	return MS_OK;
}
