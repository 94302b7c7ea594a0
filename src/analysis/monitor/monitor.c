#include "analysis/monitor/monitor.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measured/measured.h"
#include "analysis/monitor/monitor_priv.h"
#include "analysis/summary/rounded_shares.h"
#include "analysis/summary/select.h"
#include "base/map.h"
#include "base/mem.h"
#include "run/enum_words.h"

struct monitor_builder {
	const struct ms_run *run;
	const struct ms_summary_cost *cost;
	struct ms_monitor *monitor;
	struct ms_map rows[MS_MONITOR_LISTS]; /* (data and line, victim) -> row */
};

/* --- adding up --- */

static struct ms_monitor_row *row_at(struct monitor_builder *b, enum ms_monitor_list_kind kind,
				     uint32_t data, uint32_t victim, uint32_t line)
{
	struct ms_monitor_list *list = &b->monitor->lists[kind];
	uint32_t *slot = ms_map_at(&b->rows[kind], (uint64_t)line << 32 | data, victim);

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)list->rows.n;
		*ms_vec_add(&list->rows) =
			(struct ms_monitor_row){ .data = data, .victim = victim, .line = line };
	}
	return &list->rows.at[*slot];
}

struct monitor_part {
	uint64_t actual;
	uint64_t samples;
	uint64_t sampled;
};

static void add_to(struct monitor_builder *b, enum ms_monitor_list_kind kind, uint32_t data,
		   uint32_t victim, uint32_t line, const struct monitor_part *part)
{
	struct ms_monitor_row *row = row_at(b, kind, data, victim, line);

	row->actual += part->actual;
	row->samples += part->samples;
	row->sampled += part->sampled;
	b->monitor->lists[kind].actual += part->actual;
	b->monitor->lists[kind].sampled += part->sampled;
}

/* What the monitor counts. */
static void add_event(struct monitor_builder *b, uint32_t cell, const struct monitor_part *part)
{
	const struct ms_run_cell *c = &b->run->cells.at[cell];

	add_to(b, MS_MONITOR_DATA, c->data, MS_NONE, MS_NONE, part);
	add_to(b, MS_MONITOR_LINES, c->data, MS_NONE, b->run->sites.at[c->site].line, part);
}

static void add_eviction(struct monitor_builder *b, uint32_t cell, uint32_t victim,
			 const struct monitor_part *part)
{
	const struct ms_run_cell *c = &b->run->cells.at[cell];

	add_to(b, MS_MONITOR_EVICTIONS, c->data, victim, MS_NONE, part);
	add_to(b, MS_MONITOR_EVICTION_LINES, c->data, victim, b->run->sites.at[c->site].line, part);
}

static void add_misses(struct monitor_builder *b)
{
	for (size_t i = 0; i < b->run->misses.n; i++) {
		const struct ms_run_miss *miss = &b->run->misses.at[i];
		struct monitor_part part = { .actual = ms_summary_miss_count(miss) };

		if (miss->level == b->monitor->pmu->level && part.actual > 0)
			add_event(b, miss->cell, &part);
	}
}

static void add_evictions(struct monitor_builder *b)
{
	for (size_t i = 0; i < b->run->evictions.n; i++) {
		const struct ms_run_eviction *eviction = &b->run->evictions.at[i];
		struct monitor_part part = { .actual = eviction->count };

		if (eviction->level != b->monitor->pmu->level || part.actual == 0)
			continue;
		add_eviction(b, eviction->cell, eviction->victim, &part);
		if (b->monitor->pmu->event == MS_RUN_PMU_EVICTIONS)
			add_event(b, eviction->cell, &part);
	}
}

/* At a level: what references waited that had missed it. */
static void add_latency(struct monitor_builder *b)
{
	uint32_t from = b->monitor->pmu->level == MS_NONE ? 0 : b->monitor->pmu->level;
	struct ms_summary_rows at = { 0, 0 };

	for (size_t i = 0; i < b->run->cells.n; i++) {
		struct ms_summary_cell_counts c = ms_summary_cell_counts(b->run, b->cost, i, &at);

		for (; c.n > 0 && c.misses->level < from; c.n--)
			c.misses++;
		struct monitor_part part = {
			.actual = ms_summary_cost_stall(b->cost, c.misses, c.n).cycles
		};
		if (part.actual > 0)
			add_event(b, (uint32_t)i, &part);
	}
	assert(ms_summary_rows_end(b->run, &at));
}

static void add_samples(struct monitor_builder *b)
{
	for (size_t i = 0; i < b->run->pmu_samples.n; i++) {
		const struct ms_run_pmu_sample *s = &b->run->pmu_samples.at[i];
		const struct ms_run_pmu *pmu = b->monitor->pmu;
		struct monitor_part part = { .samples = s->count,
					     .sampled = pmu->adaptive ? s->events
								      : s->count * pmu->period };

		if (s->pmu != b->monitor->number || s->count == 0)
			continue;
		add_event(b, s->cell, &part);
		if (s->victim != MS_NONE && pmu->event != MS_RUN_PMU_LATENCY)
			add_eviction(b, s->cell, s->victim, &part);
	}
}

static void make_one(struct monitor_builder *b)
{
	const struct ms_run_pmu *pmu = b->monitor->pmu;
	double added = (double)pmu->cycles - (double)pmu->clean_cycles;

	b->monitor->level = pmu->level != MS_NONE ? b->run->levels.at[pmu->level].name : NULL;
	b->monitor->effective = pmu->adaptive ? pmu->effective : (double)pmu->interrupts;
	b->monitor->precision = ms_monitor_precision(b->monitor->effective);
	b->monitor->overhead = pmu->clean_cycles > 0 ? added / (double)pmu->clean_cycles : 0;
	if (pmu->event == MS_RUN_PMU_LATENCY)
		add_latency(b);
	else
		add_evictions(b);
	if (pmu->event == MS_RUN_PMU_MISSES)
		add_misses(b);
	add_samples(b);
	for (int i = 0; i < MS_MONITOR_LISTS; i++) {
		struct ms_monitor_list *list = &b->monitor->lists[i];
		/* Not every sample evicts something. */
		double part =
			ms_summary_share(list->sampled, b->monitor->lists[MS_MONITOR_DATA].sampled);

		ms_monitor_compute_accuracy(list, b->run, b->monitor->effective * part);
		ms_map_free(&b->rows[i]);
	}
}

/* --- what was asked for --- */

static void choose_rows(struct ms_monitor *monitor, const bool *data)
{
	for (int i = 0; i < MS_MONITOR_LISTS; i++) {
		struct ms_monitor_list *list = &monitor->lists[i];

		for (size_t k = 0; k < list->rows.n; k++) {
			struct ms_monitor_row *row = &list->rows.at[k];

			row->wanted = data == NULL || data[row->data] ||
				      (row->victim != MS_NONE && data[row->victim]);
		}
	}
}

static int make_all(struct ms_monitor_report *monitors, const struct ms_monitor_wanted *wanted,
		    const bool *data, struct ms_err *err)
{
	const struct ms_run *run = monitors->whole.run;

	if (wanted->number > run->pmus.n)
		return ms_fail(err, MS_EUSAGE,
			       "--monitor: found %" PRIu64 ", and the run has %zu monitor%s",
			       wanted->number, run->pmus.n, run->pmus.n == 1 ? "" : "s");
	for (uint32_t i = 0; i < run->pmus.n; i++) {
		if (wanted->number != 0 && wanted->number != i + 1)
			continue;
		struct ms_monitor *monitor = ms_vec_add(&monitors->at);
		struct monitor_builder b = { .run = run,
					     .cost = &monitors->whole.cost,
					     .monitor = monitor };

		*monitor = (struct ms_monitor){ .number = i, .pmu = &run->pmus.at[i] };
		make_one(&b);
		choose_rows(monitor, data);
	}
	return MS_OK;
}

int ms_monitor_report_make(struct ms_monitor_report *monitors, const struct ms_run *run,
			   const struct ms_monitor_wanted *wanted, struct ms_err *err)
{
	bool *data = NULL;
	int code = MS_OK;

	MS_TRY(ms_measured_refuse(run, "virtual monitors", err));
	*monitors = (struct ms_monitor_report){ .at = { NULL, 0, 0 } };
	MS_TRY(ms_summary_make(&monitors->whole, run, NULL, NULL, err));
	if (wanted->n_data > 0) {
		data = ms_alloc((run->data.n + 1) * sizeof(*data));
		code = ms_summary_select(&monitors->whole.data, wanted->data, wanted->n_data, data,
					 wanted->remarks, err);
	}
	if (code == MS_OK)
		code = make_all(monitors, wanted, data, err);
	ms_free(data);
	if (code != MS_OK)
		ms_monitor_report_free(monitors);
	return code;
}

void ms_monitor_report_free(struct ms_monitor_report *monitors)
{
	for (size_t i = 0; i < monitors->at.n; i++)
		for (int k = 0; k < MS_MONITOR_LISTS; k++)
			ms_vec_free(&monitors->at.at[i].lists[k].rows);
	ms_vec_free(&monitors->at);
	ms_summary_free(&monitors->whole);
}

/* --- words and figures --- */

uint64_t ms_monitor_clean_misses(const struct ms_monitor_report *monitors, size_t level)
{
	return ms_summary_entry_misses(&monitors->whole, &monitors->whole.total, level);
}

const char *ms_monitor_event_text(const struct ms_monitor *monitor, struct ms_arena *arena)
{
	if (monitor->pmu->event != MS_RUN_PMU_LATENCY)
		return ms_arena_printf(arena, "%s %s", monitor->level,
				       ms_run_pmu_event_word(monitor->pmu->event));
	/* Beyond the first level: all stall cycles. */
	if (monitor->pmu->level == MS_NONE || monitor->pmu->level == 0)
		return "stall cycles";
	return ms_arena_printf(arena, "stall cycles below %s", monitor->level);
}
