#include "name/thread_clocks.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"

enum step_kind { STEP_BEGIN, STEP_END, STEP_CLOCK, STEP_SPIN, STEP_WAIT, STEP_WAKE, STEP_RUN };

struct step {
	uint32_t kind : 8;
	uint32_t reason : 8; /* why it waits; of a clock: in which company; of an end: taken */
	uint32_t thread;
	uint32_t other; /* the thread that created it, woke it, or ran on its processor before */
	uint32_t path;
	uint64_t instructions;
};

/* A program that synchronises more often is timed up to there. */
enum { MOST_STEPS = 4 << 20 };

struct recorded {
	uint64_t instructions;
	uint64_t kept;    /* as stored in the last step */
	uint64_t clocked; /* instructions that clock records have counted ... */
	double weighted;  /* ... each divided by the processors that were busy then */
	uint32_t path[MS_NAME_CLOCKS_PATHS];
	uint32_t paths;
	uint32_t processor;
};

struct ms_name_clocks {
	enum ms_name_clocks_set_company company;
	MS_VEC(struct step) steps;
	MS_VEC(struct recorded) threads;
	uint32_t first_taken;
	uint64_t dropped;
};

/* --- steps --- */

struct ms_name_clocks *ms_name_clocks_open(void)
{
	struct ms_name_clocks *c = ms_alloc(sizeof(*c));

	c->first_taken = MS_NAME_CLOCKS_UNKNOWN;
	return c;
}

void ms_name_clocks_close(struct ms_name_clocks *c)
{
	if (c == NULL)
		return;
	ms_vec_free(&c->steps);
	ms_vec_free(&c->threads);
	ms_free(c);
}

static void add(struct ms_name_clocks *c, struct step step)
{
	if (c->steps.n >= MOST_STEPS)
		c->dropped++;
	else
		*ms_vec_add(&c->steps) = step;
}

/* Clocks come with every turn; they are kept only where something happens. */
static void keep_clock(struct ms_name_clocks *c, uint32_t thread)
{
	struct recorded *t;

	if (thread >= c->threads.n)
		return;
	t = &c->threads.at[thread];
	if (t->kept == t->instructions)
		return;
	t->kept = t->instructions;
	add(c, (struct step){ .kind = STEP_CLOCK,
			      .reason = (uint8_t)c->company,
			      .thread = thread,
			      .instructions = t->instructions });
}

uint32_t ms_name_clocks_begin(struct ms_name_clocks *c, uint32_t maker)
{
	uint32_t thread = (uint32_t)c->threads.n;

	keep_clock(c, maker);
	*ms_vec_add(&c->threads) = (struct recorded){ .paths = 0 };
	add(c, (struct step){ .kind = STEP_BEGIN, .thread = thread, .other = maker });
	return thread;
}

void ms_name_clocks_end(struct ms_name_clocks *c, uint32_t thread, bool taken)
{
	keep_clock(c, thread);
	add(c, (struct step){ .kind = STEP_END, .reason = taken, .thread = thread });
	if (taken && c->first_taken == MS_NAME_CLOCKS_UNKNOWN)
		c->first_taken = thread;
}

uint32_t ms_name_clocks_first_killed(const struct ms_name_clocks *c)
{
	return c->first_taken;
}

void ms_name_clocks_set(struct ms_name_clocks *c, uint32_t thread, uint64_t instructions,
			uint32_t busy)
{
	struct recorded *t = &c->threads.at[thread];

	if (instructions > t->instructions) {
		uint64_t more = instructions - t->instructions;

		t->clocked += more;
		t->weighted += (double)more / (busy > 0 ? busy : 1);
	}
	t->instructions = instructions;
}

void ms_name_clocks_set_company(struct ms_name_clocks *c, enum ms_name_clocks_set_company company)
{
	for (uint32_t i = 0; i < c->threads.n && company != c->company; i++)
		keep_clock(c, i);
	c->company = company;
}

void ms_name_clocks_path(struct ms_name_clocks *c, uint32_t thread, uint32_t path)
{
	struct recorded *t = &c->threads.at[thread];

	if (t->paths < MS_NAME_CLOCKS_PATHS)
		t->path[t->paths++] = path;
}

void ms_name_clocks_on(struct ms_name_clocks *c, uint32_t thread, uint32_t processor)
{
	c->threads.at[thread].processor = processor;
}

size_t ms_name_clocks_threads(const struct ms_name_clocks *c)
{
	return c->threads.n;
}

void ms_name_clocks_spin(struct ms_name_clocks *c, uint32_t thread, uint64_t instructions,
			 uint32_t path)
{
	keep_clock(c, thread);
	add(c, (struct step){ .kind = STEP_SPIN,
			      .thread = thread,
			      .path = path,
			      .instructions = instructions });
}

void ms_name_clocks_wait(struct ms_name_clocks *c, uint32_t thread, uint32_t reason, uint32_t path)
{
	keep_clock(c, thread);
	add(c,
	    (struct step){
		    .kind = STEP_WAIT, .reason = (uint8_t)reason, .thread = thread, .path = path });
}

void ms_name_clocks_wake(struct ms_name_clocks *c, uint32_t thread, uint32_t after)
{
	keep_clock(c, after);
	add(c, (struct step){ .kind = STEP_WAKE, .thread = thread, .other = after });
}

void ms_name_clocks_run(struct ms_name_clocks *c, uint32_t thread, uint32_t before)
{
	keep_clock(c, before);
	add(c, (struct step){ .kind = STEP_RUN, .thread = thread, .other = before });
}

/* --- times --- */

struct replayed_thread {
	double time;
	double rate[MS_NAME_CLOCKS_COMPANIES]; /* cycles an instruction */
	uint64_t instructions;
	double began;
	uint32_t reason, path; /* that it waits for, where */
	uint64_t waited_at;    /* instructions when it began to wait the last time; or none */
	bool waits;
	bool counted; /* it was woken, and went on waiting */
	bool ended;
};

#define NEVER UINT64_MAX

struct timing {
	struct replayed_thread *threads;
	size_t n;
	struct ms_map waits; /* thread and reason, path: index into times->waits */
	struct ms_name_clocks_times *times;
};

static void count_wait(struct timing *t, uint32_t thread, uint32_t reason, uint32_t path,
		       double cycles)
{
	uint32_t *at = ms_map_at(&t->waits, (uint64_t)thread << 8 | reason, path);

	if (*at == MS_MAP_NONE) {
		*at = (uint32_t)t->times->waits.n;
		*ms_vec_add(&t->times->waits) =
			(struct ms_name_clocks_wait){ thread, reason, path, 0, 0 };
	}
	struct ms_name_clocks_wait *w = &t->times->waits.at[*at];
	w->times += !t->threads[thread].counted;
	w->cycles += (uint64_t)(cycles + 0.5);
}

static void advance(struct replayed_thread *t, uint64_t instructions, unsigned company)
{
	if (instructions <= t->instructions)
		return;
	t->time += (double)(instructions - t->instructions) * t->rate[company];
	t->instructions = instructions;
}

/* At the program's end all threads wake and end: one that does nothing in between was waiting. */
static void end(struct replayed_thread *me, bool taken)
{
	me->waits = me->counted = me->instructions == me->waited_at;
	me->ended = !taken && !me->waits;
}

/* Moves the thread's clock forward to that of another thread. Returns the time that it waited. */
static double follow(struct timing *t, uint32_t thread, uint32_t other)
{
	struct replayed_thread *me = &t->threads[thread];

	if (other >= t->n || t->threads[other].time <= me->time)
		return 0;
	double waited = t->threads[other].time - me->time;

	me->time = t->threads[other].time;
	return waited;
}

static void wake(struct timing *t, uint32_t thread, uint32_t other)
{
	struct replayed_thread *me = &t->threads[thread];
	double waited = follow(t, thread, other);

	if (me->waits)
		count_wait(t, thread, me->reason, me->path, waited);
	me->waits = false;
}

static void take(struct timing *t, const struct step *s)
{
	struct replayed_thread *me = &t->threads[s->thread];
	double waited;

	switch ((enum step_kind)s->kind) {
	case STEP_BEGIN:
		follow(t, s->thread, s->other);
		me->began = me->time;
		break;
	case STEP_END:
		end(me, s->reason);
		break;
	case STEP_CLOCK:
		advance(me, s->instructions, s->reason);
		break;
	case STEP_SPIN:
		me->time += (double)s->instructions;
		count_wait(t, s->thread, MS_WAIT_SPIN, s->path, (double)s->instructions);
		break;
	case STEP_WAIT:
		me->waits = true;
		me->waited_at = me->instructions;
		me->reason = s->reason;
		me->path = s->path;
		break;
	case STEP_WAKE:
		wake(t, s->thread, s->other);
		break;
	case STEP_RUN:
		waited = follow(t, s->thread, s->other);
		if (waited > 0)
			count_wait(t, s->thread, MS_WAIT_PROCESSOR, UINT32_MAX, waited);
		break;
	}
}

static int by_thread(const void *a, const void *b)
{
	const struct ms_name_clocks_wait *x = a, *y = b;

	if (x->thread != y->thread)
		return ms_cmp_u64(x->thread, y->thread);
	if (x->reason != y->reason)
		return ms_cmp_u64(x->reason, y->reason);
	return ms_cmp_u64(x->path, y->path);
}

/* A thread that was never woken has waited until the last thread's end. */
static void close_all(struct timing *t, const struct ms_name_clocks *c)
{
	double last = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->threads[i].time > last)
			last = t->threads[i].time;
	for (uint32_t i = 0; i < t->n; i++) {
		struct replayed_thread *me = &t->threads[i];
		uint32_t end = me->ended   ? MS_THREAD_ENDED
			       : me->waits ? MS_THREAD_WAITING
					   : MS_THREAD_RUNNING;

		if (me->waits) {
			count_wait(t, i, me->reason, me->path, last - me->time);
			me->time = last;
		}
		const struct recorded *recorded = &c->threads.at[i];
		struct ms_name_clocks_thread *row = ms_vec_add(&t->times->threads);

		*row = (struct ms_name_clocks_thread){
			.began = (uint64_t)(me->began + 0.5),
			.elapsed = (uint64_t)(me->time - me->began + 0.5),
			.processor = recorded->processor,
			.weight = recorded->clocked > 0
					  ? recorded->weighted / (double)recorded->clocked
					  : 0,
			.end = end,
		};
		for (uint32_t k = 0; k < MS_NAME_CLOCKS_PATHS; k++)
			row->path[k] = k < recorded->paths ? recorded->path[k] : UINT32_MAX;
	}
}

/* What came after its last clock. */
static void finish_clock(struct replayed_thread *t, const struct recorded *recorded,
			 const uint64_t *instructions, enum ms_name_clocks_set_company company)
{
	uint64_t all = instructions[MS_NAME_CLOCKS_ALONE] + instructions[MS_NAME_CLOCKS_TOGETHER];

	advance(t, all > recorded->instructions ? all : recorded->instructions, company);
}

void ms_name_clocks_finish(const struct ms_name_clocks *c, const uint64_t *instructions,
			   const uint64_t *stalls, struct ms_name_clocks_times *times)
{
	struct timing t = { .threads = ms_alloc((c->threads.n + 1) * sizeof(*t.threads)),
			    .n = c->threads.n,
			    .times = times };

	*times = (struct ms_name_clocks_times){ .dropped = c->dropped };
	for (size_t i = 0; i < t.n * MS_NAME_CLOCKS_COMPANIES; i++)
		t.threads[i / MS_NAME_CLOCKS_COMPANIES].rate[i % MS_NAME_CLOCKS_COMPANIES] =
			instructions[i] == 0 ? 1 : 1 + (double)stalls[i] / (double)instructions[i];
	for (size_t i = 0; i < t.n; i++)
		t.threads[i].waited_at = NEVER;
	for (size_t i = 0; i < c->steps.n; i++)
		take(&t, &c->steps.at[i]);
	for (size_t i = 0; i < t.n; i++)
		finish_clock(&t.threads[i], &c->threads.at[i],
			     instructions + i * MS_NAME_CLOCKS_COMPANIES, c->company);
	close_all(&t, c);
	if (times->waits.n > 0)
		qsort(times->waits.at, times->waits.n, sizeof(*times->waits.at), by_thread);
	ms_map_free(&t.waits);
	ms_free(t.threads);
}

void ms_name_clocks_times_free(struct ms_name_clocks_times *times)
{
	ms_vec_free(&times->threads);
	ms_vec_free(&times->waits);
}
