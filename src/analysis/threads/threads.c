#include "analysis/threads/threads.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measured/measured.h"
#include "base/mem.h"
#include "base/num.h"

static struct ms_threads_time *add_time(struct ms_threads_times *times,
					enum ms_threads_time_kind kind, uint32_t of,
					const char *name)
{
	struct ms_threads_time *time = ms_vec_add(&times->at);

	*time = (struct ms_threads_time){ .kind = kind, .of = of, .name = name };
	return time;
}

/* At least all low ends, at most all high ones; of nothing there is none. */
static void add_bounds(struct ms_intervals_bounds *to, struct ms_intervals_bounds from,
		       uint64_t count)
{
	if (count == 0 && isnan(from.low))
		return;
	to->low += from.low;
	to->high += from.high;
}

void ms_threads_time_add(struct ms_threads_time *to, const struct ms_threads_time *from)
{
	to->elapsed += from->elapsed;
	to->compute += from->compute;
	to->stall += from->stall;
	to->wait += from->wait;
	for (int i = 0; i < MS_WAIT_REASONS; i++)
		to->waits[i] += from->waits[i];
	to->times += from->times;
	to->references += from->references;
	to->threads += from->threads;
	if (from->normalised >= 0)
		to->normalised += from->normalised;
	add_bounds(&to->within.compute, from->within.compute, from->compute);
	add_bounds(&to->within.stall, from->within.stall, from->stall);
	add_bounds(&to->within.references, from->within.references, from->references);
	add_bounds(&to->within.all, from->within.all, from->compute + from->stall);
}

/*
 * Waits are in cycles of the clock that orders threads: one an instruction, and whole latencies.
 * What threads wait for is work of others, which takes less of an out-of-order core.
 */
static double wait_ratio(const struct ms_threads *t, const struct ms_run *run)
{
	const struct ms_summary_counts *all = &t->whole.total.counts;
	uint64_t clock = all->instructions + ms_summary_latency(all, run->levels.n);

	return ms_run_is_timed(run) && clock > 0
		       ? (double)(all->compute + ms_summary_rw_sum(all->stall)) / (double)clock
		       : 1;
}

static uint64_t scaled(uint64_t cycles, double ratio)
{
	return ratio < 1 || ratio > 1 ? ms_round_u64((double)cycles * ratio) : cycles;
}

static void add_wait(struct ms_threads_time *time, const struct ms_run_wait *wait, double ratio)
{
	time->wait += scaled(wait->cycles, ratio);
	time->waits[wait->reason] += scaled(wait->cycles, ratio);
	time->times += wait->times;
}

static bool is_on(const struct ms_run *run, uint32_t thread, uint32_t processor)
{
	return processor == MS_NONE || run->threads.at[thread].processor == processor;
}

/* --- threads --- */

/*
 * An out-of-order core: exposed parts and compute cycles are known of processors, not of threads.
 * The threads of a processor share them in proportion to their latencies and instructions.
 */
static double stall_ratio(const struct ms_threads *t, const struct ms_run *run, uint32_t processor)
{
	const struct ms_summary_counts *on = &t->whole.processors.at.at[processor].counts;
	uint64_t latency = ms_summary_latency(on, run->levels.n);

	return ms_run_is_timed(run) && latency > 0
		       ? (double)ms_summary_rw_sum(on->stall) / (double)latency
		       : 1;
}

static double compute_ratio(const struct ms_threads *t, const struct ms_run *run,
			    uint32_t processor)
{
	const struct ms_summary_counts *on = &t->whole.processors.at.at[processor].counts;

	return ms_run_is_timed(run) && on->instructions > 0
		       ? (double)on->compute / (double)on->instructions
		       : 1;
}

static uint64_t thread_compute(const struct ms_threads *t, const struct ms_run *run,
			       const struct ms_run_thread *thread)
{
	return scaled(thread->instructions, compute_ratio(t, run, thread->processor));
}

static struct ms_summary_stall thread_stall(const struct ms_threads *t, const struct ms_run *run,
					    uint32_t thread, size_t *at)
{
	size_t most = run->levels.n, n = 0;
	struct ms_run_miss *rows = ms_alloc((most + 1) * sizeof(*rows));

	for (; *at < run->thread_misses.n && run->thread_misses.at[*at].thread == thread; ++*at) {
		const struct ms_run_thread_miss *m = &run->thread_misses.at[*at];

		if (n < most)
			rows[n++] = (struct ms_run_miss){ .level = m->level,
							  .causes = { m->misses },
							  .peer = m->peer,
							  .remote = m->remote,
							  .weighted = m->weighted };
	}
	struct ms_summary_stall stall = ms_summary_cost_stall(&t->whole.cost, rows, n);
	double ratio = stall_ratio(t, run, run->threads.at[thread].processor);

	ms_free(rows);
	return (struct ms_summary_stall){ scaled(stall.cycles, ratio), stall.weighted * ratio };
}

/* Runs without weights of threads have none above 0; what their processor weighs has to do then. */
static double thread_normalised(const struct ms_threads *t, const struct ms_run *run,
				const struct ms_run_thread *thread, struct ms_summary_stall stall)
{
	const struct ms_summary_counts *on = &t->whole.processors.at.at[thread->processor].counts;
	uint64_t busy = on->compute + ms_summary_rw_sum(on->stall);
	double cycles = (double)(thread_compute(t, run, thread) + stall.cycles);

	if (run->processors == 1)
		return cycles;
	if (thread->weighted > 0 || thread->instructions == 0)
		return thread->weighted * compute_ratio(t, run, thread->processor) + stall.weighted;
	return busy > 0 && on->normalised > 0 ? cycles * on->normalised / (double)busy : -1;
}

uint64_t ms_threads_began(const struct ms_threads *t, const struct ms_run *run, uint32_t thread)
{
	return scaled(run->threads.at[thread].began, wait_ratio(t, run));
}

static void add_threads(struct ms_threads *t, const struct ms_run *run)
{
	size_t at = 0;

	for (uint32_t i = 0; i < run->threads.n; i++) {
		const struct ms_run_thread *thread = &run->threads.at[i];
		const char *name = thread->name ? thread->name
						: ms_arena_printf(&t->whole.arena, "thread %u", i);
		struct ms_threads_time *time = add_time(&t->threads, MS_TIME_THREAD, i, name);
		struct ms_summary_stall stall = thread_stall(t, run, i, &at);

		time->compute = thread_compute(t, run, thread);
		time->stall = stall.cycles;
		time->references = thread->references;
		time->normalised = thread_normalised(t, run, thread, stall);
	}
	for (size_t i = 0; i < run->waits.n; i++)
		add_wait(&t->threads.at.at[run->waits.at[i].thread], &run->waits.at[i],
			 wait_ratio(t, run));
	for (size_t i = 0; i < run->threads.n; i++) {
		struct ms_threads_time *time = &t->threads.at.at[i];

		/* What the run has is as near to this as its clock was fine. */
		time->elapsed = time->compute + time->stall + time->wait;
		uint64_t began = ms_threads_began(t, run, (uint32_t)i);

		if (began + time->elapsed > t->elapsed)
			t->elapsed = began + time->elapsed;
	}
}

/* Leaves those that ran elsewhere out. */
static void keep_threads_on(struct ms_threads *t, const struct ms_run *run, uint32_t processor)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->threads.at.n; i++)
		if (is_on(run, t->threads.at.at[i].of, processor))
			t->threads.at.at[kept++] = t->threads.at.at[i];
	t->threads.at.n = kept;
}

/* --- functions --- */

static int compare_normalised(const void *a, const void *b)
{
	const struct ms_threads_time *x = a, *y = b;
	int order = (y->normalised > x->normalised) - (y->normalised < x->normalised);

	if (order == 0)
		order = ms_cmp_u64(y->elapsed, x->elapsed);
	if (order == 0)
		order = strcmp(x->name, y->name);
	return order != 0 ? order : ms_cmp_u64(x->of, y->of);
}

/* Functions stand in the summary by stall, here by the run's numbers until all is added up. */
static void add_all_code(struct ms_threads *t, const struct ms_run *run)
{
	const struct ms_summary_entries *entries = &t->whole.code;

	for (size_t i = 0; i < entries->at.n; i++) {
		const struct ms_summary_counts *c = &entries->at.at[i].counts;
		struct ms_threads_time *time = &t->code.at.at[entries->at.at[i].code];

		time->compute = c->compute;
		time->stall = ms_summary_rw_sum(c->stall);
		time->references = ms_summary_rw_sum(c->references);
		time->normalised = run->processors > 1
					   ? c->normalised
					   : (double)(c->compute + ms_summary_rw_sum(c->stall));
	}
}

/* The same of what one processor did. */
static void add_code_on(struct ms_threads *t, const struct ms_run *run, uint32_t processor)
{
	struct ms_summary_rows at = { 0, 0 };

	for (size_t i = 0; i < run->line_times.n; i++) {
		const struct ms_run_line_time *line = &run->line_times.at[i];
		struct ms_threads_time *time = &t->code.at.at[run->lines.at[line->line].code];

		if (line->processor != processor)
			continue;
		time->compute += ms_run_is_timed(run) ? line->cycles : line->instructions;
		time->normalised += ms_summary_line_weighted(run, line);
	}
	for (size_t i = 0; i < run->cells.n; i++) {
		struct ms_summary_cell_counts c =
			ms_summary_cell_counts(run, &t->whole.cost, i, &at);
		uint32_t line = run->sites.at[c.cell->site].line;
		struct ms_threads_time *time = &t->code.at.at[run->lines.at[line].code];

		if (c.cell->processor != processor)
			continue;
		time->stall += c.stall.cycles;
		time->normalised += c.stall.weighted;
		time->references += c.cell->references;
	}
}

static void add_code(struct ms_threads *t, const struct ms_run *run, uint32_t processor)
{
	size_t kept = 0;

	for (uint32_t i = 0; i < run->codes.n; i++)
		add_time(&t->code, MS_TIME_CODE, i, run->codes.at[i].name);
	add_time(&t->code, MS_TIME_CODE, MS_NONE, "<unknown>");
	if (processor == MS_NONE || run->processors == 1)
		add_all_code(t, run);
	else
		add_code_on(t, run, processor);
	for (size_t i = 0; i < run->waits.n; i++) {
		uint32_t line = run->waits.at[i].line;

		if (!is_on(run, run->waits.at[i].thread, processor))
			continue;
		add_wait(&t->code.at.at[line != MS_NONE ? run->lines.at[line].code : run->codes.n],
			 &run->waits.at[i], wait_ratio(t, run));
	}
	for (size_t i = 0; i < t->code.at.n; i++) {
		struct ms_threads_time *time = &t->code.at.at[i];

		time->elapsed = time->compute + time->stall + time->wait;
		if (time->elapsed > 0)
			t->code.at.at[kept++] = *time;
	}
	t->code.at.n = kept;
	if (kept > 1)
		qsort(t->code.at.at, kept, sizeof(*t->code.at.at), compare_normalised);
}

/* --- processors --- */

static void add_processors(struct ms_threads *t, const struct ms_run *run)
{
	for (size_t i = 0; i < t->whole.processors.at.n; i++) {
		const struct ms_summary_entry *e = &t->whole.processors.at.at[i];
		struct ms_threads_time *time =
			add_time(&t->processors, MS_TIME_PROCESSOR, e->processor, e->name);
		uint64_t busy = e->counts.compute + ms_summary_rw_sum(e->counts.stall);

		time->compute = e->counts.compute;
		time->stall = ms_summary_rw_sum(e->counts.stall);
		time->references = ms_summary_rw_sum(e->counts.references);
		time->normalised = run->processors > 1 ? e->counts.normalised : (double)busy;
		/* The elapsed time is at least the busy time of each processor. */
		if (busy > t->elapsed)
			t->elapsed = busy;
	}
	for (size_t i = 0; i < run->threads.n; i++)
		t->processors.at.at[run->threads.at[i].processor].threads++;
	for (size_t i = 0; i < t->processors.at.n; i++) {
		struct ms_threads_time *time = &t->processors.at.at[i];
		uint64_t busy = time->compute + time->stall;

		time->elapsed = t->elapsed;
		time->wait = t->elapsed > busy ? t->elapsed - busy : 0;
	}
}

int ms_threads_make(struct ms_threads *threads, const struct ms_run *run, uint32_t processor,
		    struct ms_err *err)
{
	MS_TRY(ms_measured_refuse(run, "times of threads", err));
	if (processor != MS_NONE && processor >= run->processors)
		return ms_fail(err, MS_EUSAGE,
			       "--processor: found %" PRIu32 ", expected 0 to %" PRIu32
			       ": the run has %" PRIu32 " processor%s",
			       processor, run->processors - 1, run->processors,
			       run->processors == 1 ? "" : "s");
	*threads = (struct ms_threads){ .processor = processor };
	MS_TRY(ms_summary_make(&threads->whole, run, NULL, NULL, err));
	add_threads(threads, run);
	add_code(threads, run, processor);
	add_processors(threads, run);
	ms_threads_set_intervals(threads);
	keep_threads_on(threads, run, processor);
	return MS_OK;
}

void ms_threads_free(struct ms_threads *threads)
{
	ms_vec_free(&threads->threads.at);
	ms_vec_free(&threads->code.at);
	ms_vec_free(&threads->processors.at);
	ms_summary_free(&threads->whole);
}

double ms_threads_normalised_sum(const struct ms_threads_times *times)
{
	double sum = 0;

	for (size_t i = 0; i < times->at.n; i++)
		sum += times->at.at[i].normalised > 0 ? times->at.at[i].normalised : 0;
	return sum;
}
