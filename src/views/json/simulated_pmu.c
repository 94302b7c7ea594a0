/* views/json/simulated_pmu.c - simulated performance monitors, as JSON. */
#include "views/simulated_pmu.h"

#include "base/json.h"
#include "run/enum_words.h"
#include "views/json/parts.h"
#include "views/keys.h"
#include "views/shared.h"

static void maybe_rank(struct ms_json *j, const char *key, uint32_t rank)
{
	if (rank > 0)
		ms_json_u64(j, key, rank);
	else
		ms_json_null(j, key);
}

/* A row without samples has no share: null. */
static void maybe_share(struct ms_json *j, const char *key, const struct ms_monitor_row *row,
			double share)
{
	if (row->has_samples)
		ms_json_real(j, key, share);
	else
		ms_json_null(j, key);
}

static void one_row(struct ms_json *j, const struct ms_run *run, const struct ms_monitor_row *row)
{
	ms_json_object(j, NULL);
	ms_json_text(j, "data", run->data.at[row->data].name);
	if (row->victim != MS_NONE)
		ms_json_text(j, "victim", run->data.at[row->victim].name);
	if (row->line != MS_NONE) {
		const struct ms_run_line *line = &run->lines.at[row->line];

		ms_json_text(j, "code", run->codes.at[line->code].name);
		ms_json_text(j, "file", line->file);
		ms_json_u64(j, "line", line->line);
	}
	ms_json_u64(j, "actual", row->actual);
	ms_json_real(j, "actual_share", row->actual_share);
	maybe_rank(j, "actual_rank", row->actual_rank);
	ms_json_u64(j, "samples", row->samples);
	ms_json_u64(j, "sampled", row->sampled);
	maybe_share(j, "sampled_share", row, row->sampled_share);
	maybe_share(j, "low", row, row->low);
	maybe_share(j, "high", row, row->high);
	maybe_rank(j, "sampled_rank", row->sampled_rank);
	ms_json_bool(j, "judged", row->judged);
	ms_json_end(j);
}

static void one_list(struct ms_json *j, const struct ms_run *run, const struct ms_monitor *monitor,
		     enum ms_monitor_list_kind kind, const struct ms_views_options *options)
{
	const struct ms_monitor_list *list = &monitor->lists[kind];

	ms_json_array(j, ms_views_monitor_keys[kind]);
	for (size_t i = 0; monitor->pmu->interrupts > 0 && i < list->rows.n; i++)
		if (ms_views_pmu_has_row(&list->rows.at[i], options))
			one_row(j, run, &list->rows.at[i]);
	ms_json_end(j);
}

static void accuracy(struct ms_json *j, const struct ms_monitor *monitor)
{
	ms_json_object(j, "accuracy");
	for (int i = 0; i < MS_MONITOR_LISTS; i++) {
		const struct ms_monitor_accuracy *a = &monitor->lists[i].accuracy;

		ms_json_object(j, ms_views_monitor_keys[i]);
		ms_json_u64(j, "judged", a->judged);
		if (monitor->pmu->interrupts > 0 && a->judged > 0)
			ms_json_real(j, "error", a->error);
		else
			ms_json_null(j, "error");
		ms_json_u64(j, "inside", a->inside);
		ms_json_u64(j, "misplaced", a->misplaced);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void levels(struct ms_json *j, const struct ms_monitor_report *monitors,
		   const struct ms_monitor *monitor)
{
	const struct ms_run *run = monitors->whole.run;

	ms_json_array(j, "levels");
	for (size_t i = 0; i < run->levels.n; i++) {
		const struct ms_run_pmu_level *l =
			&run->pmu_levels.at[monitor->number * run->levels.n + i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->levels.at[i].name);
		ms_json_u64(j, "clean_misses", ms_monitor_clean_misses(monitors, i));
		ms_json_u64(j, "misses", l->misses);
		ms_json_u64(j, "monitor_misses", l->monitor_misses);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void head(struct ms_json *j, const struct ms_monitor *monitor)
{
	const struct ms_run_pmu *p = monitor->pmu;

	ms_json_u64(j, "monitor", monitor->number + 1);
	ms_json_text(j, "event", ms_run_pmu_event_word(p->event));
	ms_json_text(j, "level", monitor->level);
	ms_json_u64(j, "period", p->period);
	ms_json_bool(j, "adaptive", p->adaptive);
	if (p->adaptive)
		ms_json_real(j, "overhead_wish", p->wish);
	else
		ms_json_null(j, "overhead_wish");
	ms_json_u64(j, "seed", p->seed);
	ms_json_u64(j, "interrupt_cycles", p->cost);
	ms_json_u64(j, "actual_events", monitor->lists[MS_MONITOR_DATA].actual);
	ms_json_u64(j, "events", p->events);
	ms_json_u64(j, "samples", p->interrupts);
	ms_json_real(j, "effective_samples", monitor->effective);
	if (p->interrupts > 0)
		ms_json_real(j, "precision", monitor->precision);
	else
		ms_json_null(j, "precision");
	ms_json_u64(j, "handler_instructions", p->handler_instructions);
	ms_json_u64(j, "handler_references", p->handler_references);
	ms_json_u64(j, "clean_cycles", p->clean_cycles);
	ms_json_u64(j, "cycles", p->cycles);
	ms_json_real(j, "overhead", monitor->overhead);
}

void ms_views_json_pmu(const struct ms_monitor_report *monitors,
		       const struct ms_views_options *options, FILE *out)
{
	const struct ms_run *run = monitors->whole.run;
	struct ms_json j;

	ms_views_json_begin_run(&j, run, out);
	ms_json_end(&j);
	ms_json_array(&j, "monitors");
	for (size_t i = 0; i < monitors->at.n; i++) {
		ms_json_object(&j, NULL);
		head(&j, &monitors->at.at[i]);
		levels(&j, monitors, &monitors->at.at[i]);
		accuracy(&j, &monitors->at.at[i]);
		for (int k = 0; k < MS_MONITOR_LISTS; k++)
			one_list(&j, run, &monitors->at.at[i], (enum ms_monitor_list_kind)k,
				 options);
		ms_json_end(&j);
	}
	ms_json_end(&j);
	ms_json_end(&j);
}
