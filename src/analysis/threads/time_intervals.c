/*
 * analysis/threads/time_intervals.c - intervals of the times of a sampled run.
 *
 * Processors and functions have the intervals of entries. A thread is a subset of its processor's
 * events, assumed to be as clustered as all of these (design_effect.h). A window may or may not
 * contain its start and its end: so it may have one window more, or less.
 *
 * Where one processor is simulated, threads do not wait, and all time is compute and stall time.
 * With several, windows do not show which threads waited between them, nor which processors were
 * busy: waiting, elapsed and normalised time have no intervals.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/confidence_intervals/intervals.h"
#include "analysis/confidence_intervals/miss_rate_estimators.h"
#include "analysis/threads/threads.h"
#include "base/compiler.h"

static const struct ms_intervals_bounds unknown = { NAN, NAN };

static void set(struct ms_threads_time *time, const struct ms_summary *whole,
		const struct ms_intervals_entry *own)
{
	time->within = (struct ms_threads_time_intervals){ unknown, unknown, unknown, unknown };
	if (own == NULL)
		return;
	time->within.compute = own->compute;
	time->within.stall = own->cycles;
	time->within.references = ms_intervals_references(whole, own->references);
	/* With one processor there are no waits; with several, waits between windows are unknown.
	 */
	if (whole->run->processors == 1)
		time->within.all = ms_intervals_time(own);
}

/* --- threads --- */

/* The interval of a thread's figure, which is a part of its processor's. window: the amount of the
 * figure that one window represents. */
static struct ms_intervals_bounds part_of(double part, double whole,
					  struct ms_intervals_bounds within, double window)
{
	double share = whole > part ? part / whole : 1;
	double below = MS_EFFECT_WIDER * sqrt(share) * (whole - within.low);
	double above = MS_EFFECT_WIDER * sqrt(share) * (within.high - whole);

	if (isnan(within.low) || isnan(within.high))
		return unknown;
	/* The thread has all of its processor's figure, and so its interval. */
	if (part >= whole)
		return (struct ms_intervals_bounds){ part * within.low / whole,
						     part * within.high / whole };
	below = part - below - window;
	return (struct ms_intervals_bounds){ below > 0 ? below : 0, part + above + window };
}

static void set_thread(const struct ms_threads *t, struct ms_threads_time *time)
{
	const struct ms_run *run = t->whole.run;
	const struct ms_run_sampling *s = &run->samplings.at[0];
	const struct ms_threads_time *on =
		&t->processors.at.at[run->threads.at[time->of].processor];
	double window = s->scale * (double)ms_intervals_mean_window(s);
	double each = time->references > 0 ? window / (double)time->references : 0;

	time->within = (struct ms_threads_time_intervals){ unknown, unknown, unknown, unknown };
	if (time->references == 0)
		return;
	time->within.compute = part_of((double)time->compute, (double)on->compute,
				       on->within.compute, each * (double)time->compute);
	time->within.stall = part_of((double)time->stall, (double)on->stall, on->within.stall,
				     each * (double)time->stall);
	time->within.references = part_of((double)time->references, (double)on->references,
					  on->within.references, window);
}

/* --- all of them --- */

static void set_code(struct ms_threads *t)
{
	struct ms_intervals intervals;

	if (t->processor == MS_NONE || t->whole.run->processors == 1)
		ms_intervals_by_kind(&intervals, &t->whole, MS_ENTRY_CODE, NULL);
	else
		ms_intervals_on_processor(&intervals, &t->whole, t->processor);
	for (size_t i = 0; i < t->code.at.n; i++)
		set(&t->code.at.at[i], &t->whole, ms_intervals_at(&intervals, t->code.at.at[i].of));
	ms_intervals_free(&intervals);
}

void ms_threads_set_intervals(struct ms_threads *t)
{
	struct ms_intervals intervals;
	struct ms_threads_time all = { .of = MS_NONE };

	if (t->whole.run->samplings.n == 0)
		return;
	ms_intervals_by_kind(&intervals, &t->whole, MS_ENTRY_TOTAL, NULL);
	set(&all, &t->whole, ms_intervals_at(&intervals, 0));
	t->within = all.within;
	ms_intervals_free(&intervals);
	ms_intervals_by_kind(&intervals, &t->whole, MS_ENTRY_PROCESSOR, NULL);
	for (size_t i = 0; i < t->processors.at.n; i++)
		set(&t->processors.at.at[i], &t->whole,
		    ms_intervals_at(&intervals, t->processors.at.at[i].of));
	ms_intervals_free(&intervals);
	set_code(t);
	for (size_t i = 0; i < t->threads.at.n; i++)
		set_thread(t, &t->threads.at.at[i]);
}

/* --- which figures have one --- */

static const struct {
	const char *key;
	size_t offset;
	bool alone; /* only where one processor was simulated */
} figures[] = {
	{ "compute_cycles", offsetof(struct ms_threads_time_intervals, compute), false },
	{ "stall_cycles", offsetof(struct ms_threads_time_intervals, stall), false },
	{ "references", offsetof(struct ms_threads_time_intervals, references), false },
	{ "elapsed_cycles", offsetof(struct ms_threads_time_intervals, all), true },
	{ "normalised_cycles", offsetof(struct ms_threads_time_intervals, all), true },
};

bool ms_threads_metric_has_interval(const struct ms_threads_metric *metric,
				    const struct ms_run *run)
{
	for (size_t i = 0; i < MS_COUNT(figures) && run->samplings.n > 0; i++)
		if (strcmp(figures[i].key, metric->key) == 0)
			return !figures[i].alone || run->processors == 1;
	return false;
}

struct ms_intervals_bounds ms_threads_metric_interval(const struct ms_threads_metric *metric,
						      const struct ms_threads_time *time)
{
	for (size_t i = 0; i < MS_COUNT(figures); i++)
		if (strcmp(figures[i].key, metric->key) == 0)
			return *(const struct ms_intervals_bounds *)((const char *)&time->within +
								     figures[i].offset);
	return unknown;
}
