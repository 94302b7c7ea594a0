/*
 * thread.c - the program's threads: each has its struct ms_thread, which ms_self() finds.
 *
 * pthread_create() is interposed: the new thread begins in wrap.S, which calls ms_thread_begin()
 * before the program's function. A thread that is created in another way is not traced. A thread
 * that ends still uses its struct ms_thread for a while. The struct is reused only after the kernel
 * has removed the thread.
 */
#include "altstack.h"
#include "counted.h"
#include "exec_signals.h"
#include "heap/heap.h"
#include "learn.h"
#include "maps/maps.h"
#include "recent.h"
#include "runtime.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sample.h"
#include "sys.h"
#include "syscalls/syscalls.h"
#include "thin.h"
#include "timed.h"
#include "timer.h"
#include "tracer.h"
#include "turns.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

/* A thread that is being created; wrap.S uses the first two words. */
struct ms_making {
	uint64_t function, argument;
	uint64_t stack, stack_end;
	uint64_t cleared;
	uint32_t maker;
	bool usual;             /* it gets a stack of the default kind */
	struct ms_making *next; /* free ones */
};

static uint32_t thread_numbers; /* given so far */
static uint32_t running;        /* threads that are traced */
static struct ms_thread *all;   /* including those that have ended */
static struct ms_making *spare;
uint32_t ms_thread_untraced;

/* The kernel has removed the thread. */
static bool has_gone(const struct ms_thread *t)
{
	long pid = ms_sys(SYS_getpid, 0, 0, 0, 0, 0, 0);

	return ms_sys(__NR_tgkill, pid, t->tid, 0, 0, 0, 0) == -3 /* ESRCH */;
}

/* A reused struct keeps only memory, and tables that are valid for any thread. */
static void clear(struct ms_thread *t)
{
	struct ms_recents *recent = t->recent;
	struct ms_step *steps = t->steps;
	uint64_t *scratch = t->scratch, altstack = t->altstack.own;
	const size_t next = offsetof(struct ms_thread, next), behind = next + sizeof(t->next);
	uint8_t *all_of_it = (uint8_t *)t;

	/* Others may be iterating over all threads: the link to the next one stays. */
	for (size_t i = MS_THREAD_LIMIT; i < next; i++)
		all_of_it[i] = 0;
	for (size_t i = behind; i < offsetof(struct ms_thread, tracer); i++)
		all_of_it[i] = 0;
	ms_sys(__NR_madvise, (long)t->tracer, MS_TRACER_BYTES, 4 /* MADV_DONTNEED */, 0, 0, 0);
	t->recent = recent;
	t->steps = steps;
	t->scratch = scratch;
	t->altstack.own = altstack;
	if (recent != NULL)
		ms_sys(__NR_madvise, (long)recent, sizeof(*recent), 4, 0, 0, 0);
}

static struct ms_thread *find_unused(void)
{
	for (struct ms_thread *t = all; t != NULL; t = t->next)
		if (t->ended && has_gone(t)) {
			clear(t);
			return t;
		}
	return NULL;
}

static struct ms_thread *make(void)
{
	ms_lock(MS_LOCK_THREADS);
	struct ms_thread *t = find_unused();
	if (t == NULL) {
		t = ms_pages(sizeof(*t) + ms_counted_bytes());
		if (t != NULL) {
			t->next = all;
			all = t;
		}
	}
	if (t != NULL) {
		t->self = t;
		t->pointer = ms_thread_pointer();
		t->tid = (uint32_t)ms_sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
		t->number = ++thread_numbers;
		running++;
	}
	ms_unlock(MS_LOCK_THREADS);
	return t;
}

struct ms_thread *ms_thread_first(void)
{
	struct ms_thread *t = make();

	if (t != NULL)
		ms_self_set(t);
	return t;
}

/*
 * A thread that was created without a report may have its creator's struct, but its thread pointer
 * differs. If the runtime is at work for the thread, a handler has interrupted it: what the handler
 * does is not recorded.
 */
struct ms_thread *ms_thread_here(void)
{
	struct ms_thread *t;

	if (!ms_on)
		return NULL;
	t = ms_self();
	return t->pointer == ms_thread_pointer() && !t->busy && !t->ended ? t : NULL;
}

void ms_thread_tell(struct ms_thread *t, uint32_t maker)
{
	uint64_t words[3] = { t->stack, t->stack_end, maker };

	ms_lane_event(t, MS_WIRE_THREAD, t->number, words, 3, NULL, 0);
	ms_lane_event(t, MS_WIRE_SWITCH, t->number, NULL, 0, NULL, 0);
	ms_lane_event(t, MS_WIRE_TLS, t->number, &t->pointer, 1, NULL, 0);
	if (t->start != 0) {
		uint64_t path = ms_path_number(t, &t->start, 1);

		ms_lane_event(t, MS_WIRE_THREAD_AT, t->number, &path, 1, NULL, 0);
	}
}

struct ms_thread *ms_thread_next(const struct ms_thread *t)
{
	return t != NULL ? t->next : __atomic_load_n(&all, __ATOMIC_ACQUIRE);
}

uint32_t ms_thread_of(uint32_t tid)
{
	uint32_t number = 0;

	ms_lock(MS_LOCK_THREADS);
	for (struct ms_thread *t = all; t != NULL && number == 0; t = t->next)
		number = !t->ended && t->tid == tid ? t->number : 0;
	ms_unlock(MS_LOCK_THREADS);
	return number;
}

bool ms_thread_clears(uint64_t word)
{
	bool found = false;

	ms_lock(MS_LOCK_THREADS);
	for (struct ms_thread *t = all; t != NULL && !found; t = t->next)
		found = !t->ended && t->cleared == word;
	ms_unlock(MS_LOCK_THREADS);
	return found;
}

/* --- creation of threads --- */

/* In the creator, before the real pthread_create(); NULL: the new thread is not traced. */
struct ms_making *ms_thread_prepare(uint64_t function, uint64_t argument, uint64_t attributes);
struct ms_making *ms_thread_prepare(uint64_t function, uint64_t argument, uint64_t attributes)
{
	struct ms_thread *t = ms_thread_here();

	if (t == NULL)
		return NULL;
	t->busy = 1;
	bool split = ms_lane_split(t);
	ms_lock(MS_LOCK_THREADS);
	if (spare == NULL && split) {
		struct ms_making *page = ms_pages(MS_PAGE);

		for (uint32_t i = 0; page != NULL && i < MS_PAGE / sizeof(*page); i++) {
			page[i].next = spare;
			spare = &page[i];
		}
	}
	struct ms_making *m = split ? spare : NULL;
	if (m != NULL) {
		spare = m->next;
		*m = (struct ms_making){ .function = function,
					 .argument = argument,
					 .maker = t->number,
					 .usual = attributes == 0 };
	}
	ms_unlock(MS_LOCK_THREADS);
	t->making = m;
	t->busy = 0;
	if (m != NULL)
		ms_disguise_makes(t);
	return m;
}

void ms_thread_makes(struct ms_thread *t, uint64_t stack, uint64_t size, uint64_t cleared)
{
	t->making->cleared = cleared;
	t->making->stack = stack;
	t->making->stack_end = stack + size;
}

static void give_back(struct ms_making *m)
{
	ms_lock(MS_LOCK_THREADS);
	m->next = spare;
	spare = m;
	ms_unlock(MS_LOCK_THREADS);
}

/* After it, with its result. */
void ms_thread_prepared(struct ms_making *m, uint64_t result);
void ms_thread_prepared(struct ms_making *m, uint64_t result)
{
	struct ms_thread *t = ms_thread_here();

	if (t != NULL) {
		t->making = NULL;
		ms_disguise_made(t);
	}
	if ((uint32_t)result != 0)
		give_back(m);
}

/* The C library puts its control block, and thread-local memory, at the upper end of a stack. */
static void find_stack(struct ms_thread *t, const struct ms_making *m)
{
	enum { BLOCK = 0x900 };
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	uint64_t end = (t->pointer + BLOCK + MS_PAGE - 1) & ~(uint64_t)(MS_PAGE - 1);

	if (here < t->pointer && t->pointer - here < 1 << 20 && m->stack <= here && m->stack != 0) {
		t->stack = m->stack;
		t->stack_end = end;
	} else if (here < t->pointer && t->pointer - here < 1 << 20 && m->usual) {
		t->stack = end - ms_maps_stack_limit();
		t->stack_end = end;
	} else {
		ms_maps_find_stack(t);
	}
}

static void end(struct ms_thread *t)
{
	const uint64_t how = MS_WIRE_END_OWN;

	ms_resize_stays(t->heap_resize);
	ms_lane_event(t, MS_WIRE_THREAD_END, t->number, &how, 1, NULL, 0);
	ms_lane_give_back(t);
	ms_timer_end(t);
	ms_learn_end(t);
	ms_tracer_thread_end(t);
	ms_turn_leave(t);
	t->ended = true;
}

/* Releases the lanes of threads that ended while they ran untraced. True: there were any. */
static bool bury(void)
{
	bool any = false;

	ms_lock(MS_LOCK_THREADS);
	for (struct ms_thread *t = all; t != NULL; t = t->next) {
		if (t->ended || t->lane_number == 0 || !has_gone(t))
			continue;
		end(t);
		running--;
		any = true;
	}
	ms_unlock(MS_LOCK_THREADS);
	return any;
}

/*
 * In the new thread, whose ms_self() is still its creator's, or the dummy. NULL: it is not traced.
 */
struct ms_thread *ms_thread_begin(struct ms_making *m, uint64_t start[2]);
struct ms_thread *ms_thread_begin(struct ms_making *m, uint64_t start[2])
{
	struct ms_thread *t = ms_on ? make() : NULL;
	uint32_t maker = m->maker;

	start[0] = m->function;
	start[1] = m->argument;
	if (t != NULL) {
		find_stack(t, m);
		t->start = m->function;
		t->cleared = m->cleared;
	}
	give_back(m);
	if (t != NULL && !ms_config.idle && !ms_altstack_make(t)) {
		t->ended = true;
		return NULL;
	}
	if (t == NULL || !(ms_lane_take(t) || (bury() && ms_lane_take(t)))) {
		if (t != NULL)
			t->ended = true; /* never began */
		__atomic_add_fetch(&ms_thread_untraced, 1, __ATOMIC_SEQ_CST);
		return NULL;
	}
	ms_self_set(t);
	ms_thin_thread(t);
	ms_thread_tell(t, maker);
	if (ms_config.idle) {
		if (ms_config.sample != 0)
			ms_timed_thread(t);
		/* The CPU time so far was the runtime's; its end takes about as much. */
		t->lane.telling += 2 * ms_timer_cpu();
		return NULL;
	}
	ms_tracer_thread(t);
	return ms_config.period == 0 || ms_sample_thread(t) ? t : NULL;
}

struct ms_thread *ms_thread_comes(void)
{
	struct ms_thread *t = make();

	if (t == NULL)
		return NULL;
	ms_self_set(t);
	ms_maps_find_stack(t);
	if ((!ms_config.idle && !ms_altstack_make(t)) || !ms_lane_take(t)) {
		t->ended = true;
		return NULL;
	}
	ms_thread_tell(t, MS_WIRE_NO_THREAD);
	return t;
}

void ms_run_thread_end(struct ms_thread *t, uint32_t code)
{
	ms_lock(MS_LOCK_THREADS);
	uint32_t left = --running;
	ms_unlock(MS_LOCK_THREADS);
	ms_call_wakes(t, t->cleared);
	if (left == 0) {
		ms_runtime_end(t, code);
		return;
	}
	ms_sample_end(t);
	end(t);
}

/* The thread's function has returned this result. The end of an untraced thread is not seen; where
 * windows are used, it may be traced once more until then. */
uint64_t ms_thread_returns(uint64_t result);
uint64_t ms_thread_returns(uint64_t result)
{
	struct ms_thread *t = ms_thread_here();

	if (t == NULL || t->traced)
		return result;
	t->busy = 1;
	if (ms_config.idle)
		ms_run_thread_end(t, 0);
	else if (ms_config.period != 0)
		ms_sample_end(t);
	t->busy = ms_config.idle;
	return result;
}

void ms_thread_forked(struct ms_thread *t)
{
	ms_timer_forked(t);
	ms_exec_signals_forked();
	ms_sample_forked();
	ms_resize_forked(t);
	ms_learn_end(t);
	ms_turn_forked(t);
	ms_unloading_forked(t);
	all = t;
	t->next = NULL;
	running = 1;
	thread_numbers = t->number = 1;
	t->tid = (uint32_t)ms_sys(SYS_gettid, 0, 0, 0, 0, 0, 0);
	t->lane_number = 0;
	t->waits = 0;
}
