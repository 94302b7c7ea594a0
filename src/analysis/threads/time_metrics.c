/* analysis/threads/time_metrics.c - what is known of a thread's, function's or processor's time. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/summary/rounded_shares.h"
#include "analysis/threads/threads.h"
#include "base/num.h"
#include "base/text.h"
#include "run/enum_words.h"

#define VALUE(name)                                                              \
	static struct ms_metric_value name(MS_UNUSED const struct ms_threads *t, \
					   MS_UNUSED const struct ms_threads_time *time)

static struct ms_metric_value count(uint64_t value)
{
	return (struct ms_metric_value){ .known = true, .count = value, .real = (double)value };
}

static struct ms_metric_value text(const char *value)
{
	return (struct ms_metric_value){ .known = value != NULL, .text = value };
}

VALUE(number)
{
	return count(time->of);
}

VALUE(name)
{
	return text(time->name);
}

VALUE(processor)
{
	return count(t->whole.run->threads.at[time->of].processor);
}

VALUE(began)
{
	return count(ms_threads_began(t, t->whole.run, time->of));
}

VALUE(ended)
{
	return text(ms_run_thread_end_word(t->whole.run->threads.at[time->of].end));
}

VALUE(elapsed)
{
	return count(time->elapsed);
}

VALUE(compute)
{
	return count(time->compute);
}

VALUE(stall)
{
	return count(time->stall);
}

VALUE(wait)
{
	return count(time->wait);
}

VALUE(waits)
{
	return count(time->times);
}

VALUE(futex)
{
	return count(time->waits[MS_WAIT_FUTEX]);
}

VALUE(join)
{
	return count(time->waits[MS_WAIT_JOIN]);
}

VALUE(spin)
{
	return count(time->waits[MS_WAIT_SPIN]);
}

VALUE(for_processor)
{
	return count(time->waits[MS_WAIT_PROCESSOR]);
}

VALUE(other)
{
	return count(time->waits[MS_WAIT_OTHER]);
}

VALUE(references)
{
	return count(time->references);
}

/* Where one processor was simulated, threads are not distinguished. */
VALUE(threads)
{
	struct ms_metric_value value = count(time->threads);

	value.known = t->whole.run->threads.n > 0;
	return value;
}

VALUE(busy_share)
{
	return (struct ms_metric_value){ .known = time->elapsed > 0,
					 .real = ms_summary_share(time->compute + time->stall,
								  time->elapsed) };
}

VALUE(normalised)
{
	struct ms_metric_value value = count(ms_round_u64(time->normalised));

	value.known = time->normalised >= 0;
	return value;
}

VALUE(normalised_share)
{
	double all = ms_threads_normalised_sum(&t->code);

	return (struct ms_metric_value){ .known = all > 0,
					 .real = all > 0 ? time->normalised / all : 0 };
}

VALUE(parallelism)
{
	bool known = time->normalised > 0;

	return (struct ms_metric_value){
		.known = known,
		.real = known ? (double)(time->compute + time->stall) / time->normalised : 0
	};
}

#define THREAD MS_TIME_THREAD
#define CODE   MS_TIME_CODE
#define PROC   MS_TIME_PROCESSOR
#define ALL    (THREAD | CODE | PROC)

const struct ms_threads_metric ms_threads_metrics[] = {
	{ "thread", "Thread", MS_UNIT_COUNT, "number of the thread", THREAD, 0, false, number },
	{ "processor", "Proc.", MS_UNIT_COUNT, "number of the processor", PROC, 0, false, number },
	{ "processor", "Proc.", MS_UNIT_COUNT, "the processor that it ran on last", THREAD, 3,
	  false, processor },
	{ "normalised_share", "Norm. %", MS_UNIT_SHARE, "share of all normalized time", CODE, 0,
	  false, normalised_share },
	{ "normalised_cycles", "Norm.", MS_UNIT_CYCLES,
	  "compute and stall cycles, divided by the processors that were busy meanwhile", ALL, 4,
	  false, normalised },
	{ "parallelism", "Par.", MS_UNIT_REAL, "processors that were busy meanwhile, on average",
	  THREAD | CODE, 2, false, parallelism },
	{ "busy_share", "Busy %", MS_UNIT_RATE, "compute and stall time of the elapsed time", PROC,
	  0, false, busy_share },
	{ "elapsed_cycles", "Elapsed", MS_UNIT_CYCLES, "compute, stall and wait together", ALL, 1,
	  false, elapsed },
	{ "compute_cycles", "Compute", MS_UNIT_CYCLES, "cycles without waiting: one an instruction",
	  ALL, 0, false, compute },
	{ "stall_cycles", "Stall", MS_UNIT_CYCLES, "cycles spent waiting for memory", ALL, 0, false,
	  stall },
	{ "wait_cycles", "Wait", MS_UNIT_CYCLES, "cycles spent waiting for others", THREAD | CODE,
	  0, false, wait },
	{ "idle_cycles", "Idle", MS_UNIT_CYCLES, "cycles in which it had nothing to do", PROC, 0,
	  false, wait },
	{ "futex_cycles", "futex", MS_UNIT_CYCLES, "of wait: for a lock, condition or barrier",
	  THREAD | CODE, 5, true, futex },
	{ "join_cycles", "join", MS_UNIT_CYCLES, "of wait: for another thread's end", THREAD | CODE,
	  6, true, join },
	{ "spin_cycles", "spin", MS_UNIT_CYCLES, "of wait: spun, a cycle an instruction",
	  THREAD | CODE, 5, true, spin },
	{ "processor_cycles", "proc.", MS_UNIT_CYCLES, "of wait: another thread had the processor",
	  THREAD | CODE, 7, true, for_processor },
	{ "other_cycles", "other", MS_UNIT_CYCLES, "of wait: in other system calls", THREAD | CODE,
	  8, true, other },
	{ "waits", NULL, MS_UNIT_COUNT, "how often it waited", THREAD | CODE, 0, false, waits },
	{ "references", "References", MS_UNIT_COUNT, "loads and stores", ALL, 9, false,
	  references },
	{ "threads", "Threads", MS_UNIT_COUNT, "threads that ran there last", PROC, 3, false,
	  threads },
	{ "began", NULL, MS_UNIT_CYCLES, "virtual time at which it began", THREAD, 0, false,
	  began },
	{ "ended", "End", MS_UNIT_TEXT, "ended, signaled, running or waiting", THREAD, 2, false,
	  ended },
	{ "name", "Name", MS_UNIT_TEXT, "name", THREAD, 0, false, name },
	{ "name", "Function", MS_UNIT_TEXT, "name of the function", CODE, 0, false, name },
	{ NULL, NULL, MS_UNIT_TEXT, NULL, 0, 0, false, NULL },
};

struct time_sort_key {
	const struct ms_threads *threads;
	const struct ms_threads_metric *metric;
};

static int compare_by(const void *a, const void *b, void *sort)
{
	const struct time_sort_key *key = sort;
	const struct ms_threads_time *left = a, *right = b;
	struct ms_metric_value x = key->metric->value(key->threads, left);
	struct ms_metric_value y = key->metric->value(key->threads, right);
	int order = (y.known - x.known);

	if (order == 0 && key->metric->unit == MS_UNIT_TEXT)
		order = x.known ? strcmp(x.text, y.text) : 0;
	else if (order == 0)
		order = (y.real > x.real) - (y.real < x.real);
	if (order == 0)
		order = (right->elapsed > left->elapsed) - (right->elapsed < left->elapsed);
	return order != 0 ? order : (left->of > right->of) - (left->of < right->of);
}

static int unknown_key(enum ms_threads_time_kind kind, const char *key, struct ms_err *err)
{
	struct ms_text keys = MS_TEXT_INIT;

	for (const struct ms_threads_metric *m = ms_threads_metrics; m->key != NULL; m++)
		if ((m->kinds & kind) != 0)
			ms_text_addf(&keys, "%s%s", keys.n > 0 ? ", " : "", m->key);
	int code = ms_fail(err, MS_EUSAGE, "--sort: there is no metric \"%s\" here; there are %s",
			   key, keys.at);
	ms_text_free(&keys);
	return code;
}

int ms_threads_sort(const struct ms_threads *threads, struct ms_threads_times *times,
		    const char *key, struct ms_err *err)
{
	if (key == NULL || times->at.n == 0)
		return MS_OK;

	struct time_sort_key sort = { threads, ms_threads_metrics };
	enum ms_threads_time_kind kind = times->at.at[0].kind;
	while (sort.metric->key != NULL &&
	       ((sort.metric->kinds & kind) == 0 || strcasecmp(key, sort.metric->key) != 0))
		sort.metric++;
	if (sort.metric->key == NULL)
		return unknown_key(kind, key, err);
	qsort_r(times->at.at, times->at.n, sizeof(*times->at.at), compare_by, &sort);
	return MS_OK;
}
