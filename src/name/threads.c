/*
 * name/threads.c - adds the times and waits of each thread to the run, with names: the engine's
 * totals by thread and the clocks become rows of struct ms_run. With one processor there are none.
 */
#include <string.h>

#include "base/mem.h"
#include "bins/starters.h"
#include "name/name_priv.h"

struct thread_rows {
	const struct ms_engine_totals *totals;
	struct ms_run *run;
	struct ms_name_state *naming;
	size_t n;         /* threads */
	uint64_t *misses; /* by thread and level; likewise: */
	uint64_t *peer;
	uint64_t *remote;
	uint64_t *instructions; /* by thread */
	uint64_t *references;
	uint64_t *stalls;
};

static size_t levels_of(const struct thread_rows *r)
{
	return r->run->levels.n;
}

/* The engine counts by thread and processor. */
static void sum_up(struct thread_rows *r)
{
	const struct ms_engine_totals *t = r->totals;

	for (size_t i = 0; i < t->threads.n; i++) {
		const struct ms_engine_total_thread *row = &t->threads.at[i];

		if (row->thread >= r->n)
			continue;
		r->instructions[row->thread] += row->instructions;
		r->references[row->thread] += row->references;
	}
	for (size_t i = 0; i < t->thread_misses.n; i++) {
		const struct ms_engine_total_thread_miss *m = &t->thread_misses.at[i];
		uint32_t thread = t->threads.at[m->thread].thread;
		size_t at = thread * levels_of(r) + m->level;

		if (thread >= r->n)
			continue;
		r->misses[at] += m->misses;
		r->peer[at] += m->peer;
		r->remote[at] += m->remote;
	}
}

/* Cycles that misses at a level cost: the next level answered them, or another processor's cache,
 * or near or far memory; those that missed the next level too are that level's. */
static uint64_t stall_at(const struct thread_rows *r, size_t thread, size_t level)
{
	size_t at = thread * levels_of(r) + level;
	bool last = level + 1 == levels_of(r);
	uint64_t further = last ? 0 : r->misses[at + 1];
	uint64_t others = further + r->peer[at] + r->remote[at];
	uint64_t answered = r->misses[at] > others ? r->misses[at] - others : 0;
	uint32_t latency = last ? r->run->memory_latency : r->run->levels.at[level + 1].latency;

	return answered * latency + r->peer[at] * r->run->peer_latency +
	       r->remote[at] * r->run->remote_latency;
}

/* --- names --- */

/* innermost: where the thread was; others are return addresses. */
static struct ms_symbols_frame frame_at(const struct thread_rows *r, struct ms_bins_bound_pc pc,
					bool innermost)
{
	enum { MOST_INLINED = 64 };
	struct ms_symbols_frame frames[MOST_INLINED];
	struct ms_symbols_module *symbols = ms_bins_symbols(r->naming->from.binder, pc.module);
	size_t n = symbols != NULL ? ms_symbols_module_frames(symbols, pc.offset - !innermost,
							      frames, MOST_INLINED)
				   : 0;

	return n > 0 ? frames[n - 1] : (struct ms_symbols_frame){ .function = NULL };
}

/* The outermost function that is not how every thread begins; NULL: none. */
static const char *name_at(const struct thread_rows *r, uint32_t path)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	size_t n = ms_bins_path_at(r->naming->from.binder, path, pcs, MS_WIRE_MAX_PATH);
	uint32_t starter = 0; /* the program itself, which may hold all in a static one */

	for (size_t i = n; i-- > 0;) {
		struct ms_symbols_frame frame = frame_at(r, pcs[i], i == 0);

		if (frame.function == NULL)
			continue;
		/* Below the dynamic loader's own functions the way out is not known. */
		if (strncmp(frame.function, "_dl_", 4) == 0)
			return NULL;
		if (ms_bins_is_starter(&frame, i + 1 == n))
			starter = pcs[i].module;
		else /* the library's own work around the thread's */
			return starter != 0 && pcs[i].module == starter
				       ? NULL
				       : ms_name_text(r->naming, frame.function);
	}
	return NULL;
}

static const char *name_of(const struct thread_rows *r, const struct ms_name_clocks_thread *t,
			   bool first)
{
	const char *name = first ? "main" : NULL;

	for (size_t i = 0; i < MS_NAME_CLOCKS_PATHS && name == NULL; i++)
		name = name_at(r, t->path[i]);
	return name;
}

static bool is_system(const char *module)
{
	return strncmp(module, "/lib", 4) == 0 || strncmp(module, "/usr/lib", 8) == 0;
}

/* The line of user code that waited: the innermost call that is not in a system library. */
static uint32_t line_of(const struct thread_rows *r, uint32_t path)
{
	struct ms_bins_bound_pc pcs[MS_WIRE_MAX_PATH];
	size_t n = ms_bins_path_at(r->naming->from.binder, path, pcs, MS_WIRE_MAX_PATH);

	for (size_t i = 0; i < n; i++) {
		if (pcs[i].module == MS_BOUND_NO_MODULE ||
		    is_system(ms_bins_module_path(r->naming->from.binder, pcs[i].module)))
			continue;
		/* All but the innermost are return addresses. */
		pcs[i].offset -= i > 0;
		return ms_name_line(r->naming, pcs[i]);
	}
	return n > 0 ? ms_name_line(r->naming, pcs[0]) : MS_NONE;
}

/* --- rows --- */

static uint64_t both(const uint64_t *at)
{
	return at[MS_NAME_CLOCKS_ALONE] + at[MS_NAME_CLOCKS_TOGETHER];
}

static void add_misses(struct thread_rows *r, uint32_t thread, double weight)
{
	size_t alone = (size_t)thread * MS_NAME_CLOCKS_COMPANIES * levels_of(r);

	for (uint32_t l = 0; l < levels_of(r); l++) {
		size_t a = alone + l, b = a + levels_of(r);
		uint64_t misses = r->misses[a] + r->misses[b];

		if (misses != 0)
			*ms_vec_add(&r->run->thread_misses) = (struct ms_run_thread_miss){
				.thread = thread,
				.level = l,
				.misses = misses,
				.peer = r->peer[a] + r->peer[b],
				.remote = r->remote[a] + r->remote[b],
				.weighted = (double)misses * weight,
			};
	}
}

static void add_thread(struct thread_rows *r, uint32_t i, const struct ms_name_clocks_thread *t)
{
	uint64_t instructions = both(r->instructions + (size_t)i * MS_NAME_CLOCKS_COMPANIES);

	*ms_vec_add(&r->run->threads) = (struct ms_run_thread){
		.name = name_of(r, t, i == 0),
		.processor = t->processor,
		.instructions = instructions,
		.references = both(r->references + (size_t)i * MS_NAME_CLOCKS_COMPANIES),
		.began = t->began,
		.elapsed = t->elapsed,
		.weighted = t->weight * (double)instructions,
		.end = t->end,
	};
	add_misses(r, i, t->weight);
}

/* Several paths may lead to one line. */
static void add_wait(struct thread_rows *r, const struct ms_name_clocks_wait *w)
{
	uint32_t line = w->path != UINT32_MAX ? line_of(r, w->path) : MS_NONE;

	for (size_t i = r->run->waits.n; i-- > 0 && r->run->waits.at[i].thread == w->thread;) {
		struct ms_run_wait *have = &r->run->waits.at[i];

		if (have->line != line || have->reason != w->reason)
			continue;
		have->times += w->times;
		have->cycles += w->cycles;
		return;
	}
	*ms_vec_add(&r->run->waits) =
		(struct ms_run_wait){ w->thread, line, w->reason, w->times, w->cycles };
}

static struct ms_run_thread *farthest_running(const struct ms_run *run)
{
	struct ms_run_thread *farthest = NULL;

	for (size_t i = 0; i < run->threads.n; i++) {
		struct ms_run_thread *t = &run->threads.at[i];

		if (t->end == MS_THREAD_RUNNING &&
		    (farthest == NULL ||
		     t->began + t->elapsed > farthest->began + farthest->elapsed))
			farthest = t;
	}
	return farthest;
}

/*
 * A signal that ends the program ends all its threads. Valgrind reports the thread that received
 * the signal first. The native tracer does not: of the threads that were running, the one with the
 * latest time is marked.
 */
static void mark_killed(struct ms_run *run, uint32_t first_taken)
{
	struct ms_run_thread *killed;

	if (run->end != MS_END_SIGNALED)
		return;
	if (first_taken < run->threads.n && run->threads.at[first_taken].end != MS_THREAD_ENDED)
		killed = &run->threads.at[first_taken];
	else
		killed = farthest_running(run);
	if (killed != NULL)
		killed->end = MS_THREAD_SIGNALED;
}

static void add_rows(struct thread_rows *r, const struct ms_name_clocks *clocks)
{
	struct ms_name_clocks_times times;

	sum_up(r);
	for (size_t i = 0; i < r->n; i++)
		for (size_t l = 0; l < levels_of(r); l++)
			r->stalls[i] += stall_at(r, i, l);
	ms_name_clocks_finish(clocks, r->instructions, r->stalls, &times);
	for (uint32_t i = 0; i < times.threads.n; i++)
		add_thread(r, i, &times.threads.at[i]);
	for (size_t i = 0; i < times.waits.n; i++)
		add_wait(r, &times.waits.at[i]);
	ms_name_clocks_times_free(&times);
	mark_killed(r->run, ms_name_clocks_first_killed(clocks));
}

void ms_name_add_threads(struct ms_name_state *n, const struct ms_engine_totals *totals)
{
	const struct ms_name_clocks *clocks = n->from.clocks;
	struct ms_run *run = n->run;
	struct thread_rows r = { .totals = totals, .run = run, .naming = n };

	if (clocks == NULL)
		return;
	r.n = ms_name_clocks_threads(clocks) * MS_NAME_CLOCKS_COMPANIES;
	size_t cells = r.n * run->levels.n + 1;
	r.misses = ms_alloc(cells * sizeof(*r.misses));
	r.peer = ms_alloc(cells * sizeof(*r.peer));
	r.remote = ms_alloc(cells * sizeof(*r.remote));
	r.instructions = ms_alloc((r.n + 1) * sizeof(*r.instructions));
	r.references = ms_alloc((r.n + 1) * sizeof(*r.references));
	r.stalls = ms_alloc((r.n + 1) * sizeof(*r.stalls));
	add_rows(&r, clocks);
	ms_free(r.misses);
	ms_free(r.peer);
	ms_free(r.remote);
	ms_free(r.instructions);
	ms_free(r.references);
	ms_free(r.stalls);
}
