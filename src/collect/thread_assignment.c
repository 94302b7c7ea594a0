/*
 * collect/thread_assignment.c - assigns threads to processors, counts busy processors, and applies
 * memory policies. The results go to one shard of the engine; the first worker also passes them to
 * the clocks.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "collect/collect_priv.h"

/* --- state --- */

struct placed {
	uint32_t number; /* in the order in which they began */
	uint32_t processor;
	bool lives;
	bool waits;
	uint64_t before; /* instructions that its clock does not include */
};

struct on_processor {
	uint32_t ready; /* threads that could run */
	uint32_t last;  /* the number of the thread that did, or MS_NAME_CLOCKS_UNKNOWN */
};

struct ms_collect_assignment {
	const struct ms_launch_cpus *cpus;
	struct ms_engine_shard *shard;
	struct ms_name_clocks *clocks; /* NULL: others keep them */
	MS_VEC(struct placed) threads;
	struct on_processor *on;
	uint32_t count;
	uint32_t busy; /* processors that have ready threads */
	uint32_t numbers;
	uint32_t running;
	uint32_t living; /* threads */
};

struct ms_collect_assignment *ms_collect_assign_open(const struct ms_machine *machine,
						     const struct ms_launch_cpus *cpus,
						     struct ms_engine_shard *shard,
						     struct ms_name_clocks *clocks)
{
	if (machine->processors <= 1)
		return NULL;
	struct ms_collect_assignment *p = ms_alloc(sizeof(*p));

	*p = (struct ms_collect_assignment){ .cpus = cpus,
					     .shard = shard,
					     .clocks = clocks,
					     .on = ms_alloc(machine->processors * sizeof(*p->on)),
					     .count = machine->processors };
	for (uint32_t i = 0; i < p->count; i++)
		p->on[i].last = MS_NAME_CLOCKS_UNKNOWN;
	return p;
}

void ms_collect_assign_close(struct ms_collect_assignment *p)
{
	if (p == NULL)
		return;
	ms_vec_free(&p->threads);
	ms_free(p->on);
	ms_free(p);
}

/* A stream may contain a thread switch to a thread whose start it does not contain. */
static struct placed *thread_of(struct ms_collect_assignment *p, uint32_t thread)
{
	while (thread >= p->threads.n)
		*ms_vec_add(&p->threads) = (struct placed){ .number = MS_NAME_CLOCKS_UNKNOWN };
	return &p->threads.at[thread];
}

static uint32_t number_of(const struct ms_collect_assignment *p, uint64_t thread)
{
	return thread < p->threads.n ? p->threads.at[thread].number : MS_NAME_CLOCKS_UNKNOWN;
}

static void set_busy(struct ms_collect_assignment *p, uint32_t before)
{
	if (p->busy != before)
		ms_engine_set_busy_processors(p->shard, p->busy > 0 ? p->busy : 1);
}

/* It could run from here on, or not any more. */
static void set_ready(struct ms_collect_assignment *p, const struct placed *t, bool ready)
{
	struct on_processor *on = &p->on[t->processor];
	uint32_t before = p->busy;

	p->busy -= on->ready > 0;
	if (ready)
		on->ready++;
	else if (on->ready > 0)
		on->ready--;
	p->busy += on->ready > 0;
	set_busy(p, before);
}

static bool is_ready(const struct placed *t)
{
	return t->lives && !t->waits;
}

/* The engine counts separately what a thread does while it is the only one that runs. */
static enum ms_name_clocks_set_company company_of(const struct ms_collect_assignment *p)
{
	return p->living > 1 ? MS_NAME_CLOCKS_TOGETHER : MS_NAME_CLOCKS_ALONE;
}

static void take_processor(struct ms_collect_assignment *p, const struct placed *t)
{
	struct on_processor *on = &p->on[t->processor];

	/* The shard may switch by itself only between threads that need no further change here. */
	if (on->last != t->number)
		ms_engine_forget_threads(p->shard);
	if (on->last != t->number && on->last != MS_NAME_CLOCKS_UNKNOWN && p->clocks != NULL)
		ms_name_clocks_run(p->clocks, t->number, on->last);
	if (p->clocks != NULL)
		ms_name_clocks_on(p->clocks, t->number, t->processor);
	on->last = t->number;
	ms_engine_set_processor(p->shard, t->processor,
				t->number * MS_NAME_CLOCKS_COMPANIES + company_of(p));
}

static void set_living(struct ms_collect_assignment *p, uint32_t living)
{
	enum ms_name_clocks_set_company before = company_of(p);

	p->living = living;
	ms_engine_forget_threads(p->shard);
	if (company_of(p) == before)
		return;
	if (p->clocks != NULL)
		ms_name_clocks_set_company(p->clocks, company_of(p));
	if (p->running < p->threads.n && p->threads.at[p->running].lives)
		take_processor(p, &p->threads.at[p->running]);
}

/* Until then the shard has ignored the thread and its processor. */
void ms_collect_assign_resume(struct ms_collect_assignment *p, uint64_t instructions)
{
	if (p == NULL || p->running >= p->threads.n || !p->threads.at[p->running].lives)
		return;
	struct placed *t = &p->threads.at[p->running];

	t->before = instructions;
	if (p->clocks != NULL)
		ms_name_clocks_set(p->clocks, t->number, instructions, p->busy);
	ms_engine_set_busy_processors(p->shard, p->busy > 0 ? p->busy : 1);
	take_processor(p, t);
}

/* --- events --- */

static void begin(struct ms_collect_assignment *p, uint32_t thread, uint64_t maker)
{
	struct placed *t = thread_of(p, thread);
	uint32_t made_by = number_of(p, maker);

	if (t->lives) /* its end was not recorded */
		ms_collect_assign_thread_end(p, thread, false);
	*t = (struct placed){ .number = p->numbers++,
			      .processor = ms_wire_processor(thread, p->cpus->map.at,
							     (uint32_t)p->cpus->map.n, p->count),
			      .lives = true };
	if (p->clocks != NULL)
		ms_name_clocks_begin(p->clocks, made_by);
	set_ready(p, t, true);
	set_living(p, p->living + 1);
}

void ms_collect_assign_thread(struct ms_collect_assignment *p, uint32_t thread, uint64_t maker)
{
	if (p != NULL)
		begin(p, thread, maker);
}

void ms_collect_assign_thread_end(struct ms_collect_assignment *p, uint32_t thread, bool taken)
{
	if (p == NULL)
		return;
	struct placed *t = thread_of(p, thread);

	if (is_ready(t))
		set_ready(p, t, false);
	if (t->lives && p->clocks != NULL)
		ms_name_clocks_end(p->clocks, t->number, taken);
	uint32_t living = p->living - t->lives;
	t->lives = false;
	t->waits = false;
	set_living(p, living);
}

void ms_collect_assign_switch(struct ms_collect_assignment *p, uint32_t thread)
{
	if (p == NULL)
		return;
	if (!thread_of(p, thread)->lives)
		begin(p, thread, MS_WIRE_NO_THREAD);
	p->running = thread;
	take_processor(p, thread_of(p, thread));
}

void ms_collect_assign_switched(struct ms_collect_assignment *p, uint32_t thread)
{
	p->running = thread;
}

static const enum ms_run_wait_reason reasons[MS_WIRE_WAIT_REASONS] = {
	[MS_WIRE_WAIT_FUTEX] = MS_WAIT_FUTEX,
	[MS_WIRE_WAIT_JOIN] = MS_WAIT_JOIN,
	[MS_WIRE_WAIT_OTHER] = MS_WAIT_OTHER,
	[MS_WIRE_WAIT_SPIN] = MS_WAIT_SPIN,
};

static uint32_t path_of(uint64_t path)
{
	return path < MS_WIRE_NO_PATH ? (uint32_t)path : MS_WIRE_NO_PATH;
}

void ms_collect_assign_wait(struct ms_collect_assignment *p, uint32_t thread, uint64_t reason,
			    uint64_t path)
{
	if (p == NULL)
		return;
	struct placed *t = thread_of(p, thread);

	if (!is_ready(t))
		return;
	set_ready(p, t, false);
	t->waits = true;
	if (p->clocks != NULL)
		ms_name_clocks_wait(p->clocks, t->number,
				    reason < MS_WIRE_WAIT_REASONS ? reasons[reason] : MS_WAIT_OTHER,
				    path_of(path));
}

void ms_collect_assign_wake(struct ms_collect_assignment *p, uint32_t thread, uint64_t waker)
{
	if (p == NULL)
		return;
	struct placed *t = thread_of(p, thread);

	if (!t->lives || !t->waits)
		return;
	t->waits = false;
	set_ready(p, t, true);
	if (p->clocks != NULL)
		ms_name_clocks_wake(p->clocks, t->number,
				    number_of(p, waker != MS_WIRE_NO_THREAD ? waker : p->running));
}

void ms_collect_assign_clock(struct ms_collect_assignment *p, uint32_t thread,
			     uint64_t instructions)
{
	if (p != NULL && p->clocks != NULL && thread_of(p, thread)->lives)
		ms_name_clocks_set(p->clocks, p->threads.at[thread].number,
				   p->threads.at[thread].before + instructions, p->busy);
}

void ms_collect_assign_path(struct ms_collect_assignment *p, uint32_t thread, uint64_t path)
{
	if (p != NULL && p->clocks != NULL && thread_of(p, thread)->lives)
		ms_name_clocks_path(p->clocks, p->threads.at[thread].number, path_of(path));
}

void ms_collect_assign_spin(struct ms_collect_assignment *p, uint32_t thread, uint64_t instructions,
			    uint64_t path)
{
	if (p != NULL && p->clocks != NULL && thread_of(p, thread)->lives)
		ms_name_clocks_spin(p->clocks, p->threads.at[thread].number, instructions,
				    path_of(path));
}

void ms_collect_assign_affinity(struct ms_collect_assignment *p, uint32_t thread,
				const uint64_t *mask, size_t n)
{
	if (p == NULL || !p->cpus->affinity)
		return;
	struct placed *t = thread_of(p, thread);
	uint32_t to = ms_wire_bound_processor(t->processor, mask, (uint32_t)n, p->count);

	if (to == t->processor)
		return;
	if (is_ready(t))
		set_ready(p, t, false);
	t->processor = to;
	ms_engine_forget_threads(p->shard);
	if (is_ready(t))
		set_ready(p, t, true);
	if (thread == p->running && t->lives)
		take_processor(p, t);
}

void ms_collect_assign_policy(struct ms_collect_assignment *p, const struct ms_wire_policy *policy)
{
	static const enum ms_machine_page_placement placements[MS_WIRE_POLICIES] = {
		[MS_WIRE_POLICY_TOUCH] = MS_PLACEMENT_FIRST_TOUCH,
		[MS_WIRE_POLICY_NODES] = MS_PLACEMENT_NODE,
		[MS_WIRE_POLICY_INTERLEAVE] = MS_PLACEMENT_INTERLEAVED,
	};

	if (p != NULL && policy->policy < MS_WIRE_POLICIES &&
	    policy->start + policy->size >= policy->start)
		ms_engine_set_placement(p->shard, policy->start, policy->start + policy->size,
					placements[policy->policy], policy->nodes);
}
