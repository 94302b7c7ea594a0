/*
 * threads.c - the program's threads: each has its struct ms_runtime_thread, which
 * ms_runtime_get_thread() finds.
 *
 * pthread_create() is interposed: the new thread begins in interpose.S, which calls
 * ms_runtime_begin_thread() before the program's function. A thread that is created in another way
 * is not traced. A thread that ends still uses its struct ms_runtime_thread for a while. The struct
 * is reused only after the kernel has removed the thread.
 */
#include "runtime/threads.h"

#include "raw_syscall.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "wire/wire.h"

/* A thread that is being created; interpose.S uses the first two words. */
struct ms_runtime_thread_creation {
	uint64_t function, argument;
	uint64_t stack, stack_end;
	uint64_t cleared_at_exit;
	uint32_t maker;
	bool has_default_stack;                  /* it gets a stack of the default kind */
	struct ms_runtime_thread_creation *next; /* free ones */
};

static uint32_t thread_numbers;               /* given so far */
static uint32_t running_threads;              /* threads that are traced */
static struct ms_runtime_thread *all_threads; /* including those that have ended */
static struct ms_runtime_thread_creation *free_creations;
uint32_t ms_runtime_untraced_threads;

/* The kernel has removed the thread. */
static bool has_exited(const struct ms_runtime_thread *t)
{
	long pid = ms_runtime_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);

	return ms_runtime_syscall(__NR_tgkill, pid, t->tid, 0, 0, 0, 0) == -3 /* ESRCH */;
}

/* A reused struct keeps only memory, and tables that are valid for any thread. */
static void clear_thread(struct ms_runtime_thread *t)
{
	struct ms_unwind_path_cache *path_cache = t->path_cache;
	struct ms_unwind_cached_step *steps = t->steps;
	uint64_t *scratch = t->scratch;
	const size_t next = offsetof(struct ms_runtime_thread, next),
		     after_altstack =
			     offsetof(struct ms_runtime_thread, altstack) + sizeof(t->altstack);
	uint8_t *all_of_it = (uint8_t *)t;

	/* Others may be iterating over all threads: the link to the next one stays. */
	for (size_t i = MS_RUNTIME_THREAD_LIMIT_AT; i < next; i++)
		all_of_it[i] = 0;
	for (size_t i = after_altstack; i < offsetof(struct ms_runtime_thread, tracer); i++)
		all_of_it[i] = 0;
	ms_runtime_syscall(__NR_madvise, (long)t->tracer, sizeof(t->tracer), 4 /* MADV_DONTNEED */,
			   0, 0, 0);
	t->path_cache = path_cache;
	t->steps = steps;
	t->scratch = scratch;
	ms_native_hooks.thread_reused(t);
}

static struct ms_runtime_thread *find_unused(void)
{
	for (struct ms_runtime_thread *t = all_threads; t != NULL; t = t->next)
		if (t->ended && has_exited(t)) {
			clear_thread(t);
			return t;
		}
	return NULL;
}

static struct ms_runtime_thread *create_thread(void)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_THREADS);
	struct ms_runtime_thread *t = find_unused();
	if (t == NULL) {
		t = ms_runtime_map_pages(sizeof(*t) + ms_native_hooks.get_thread_bytes());
		if (t != NULL) {
			t->next = all_threads;
			all_threads = t;
		}
	}
	if (t != NULL) {
		t->self = t;
		t->thread_pointer = ms_runtime_get_thread_pointer();
		t->tid = (uint32_t)ms_runtime_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
		t->number = ++thread_numbers;
		running_threads++;
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_THREADS);
	return t;
}

struct ms_runtime_thread *ms_runtime_create_first_thread(void)
{
	struct ms_runtime_thread *t = create_thread();

	if (t != NULL)
		ms_runtime_set_thread(t);
	return t;
}

/*
 * A thread that was created without a report may have its creator's struct, but its thread pointer
 * differs. If the runtime is at work for the thread, a handler has interrupted it: what the handler
 * does is not recorded.
 */
struct ms_runtime_thread *ms_runtime_get_current_thread(void)
{
	struct ms_runtime_thread *t;

	if (!ms_runtime_active)
		return NULL;
	t = ms_runtime_get_thread();
	return t->thread_pointer == ms_runtime_get_thread_pointer() && !t->busy && !t->ended ? t
											     : NULL;
}

void ms_runtime_report_thread(struct ms_runtime_thread *t, uint32_t maker)
{
	uint64_t words[3] = { t->stack, t->stack_end, maker };

	ms_runtime_write_event(t, MS_WIRE_THREAD, t->number, words, 3, NULL, 0);
	ms_runtime_write_event(t, MS_WIRE_SWITCH, t->number, NULL, 0, NULL, 0);
	ms_runtime_write_event(t, MS_WIRE_TLS, t->number, &t->thread_pointer, 1, NULL, 0);
	if (t->start != 0) {
		uint64_t path = ms_native_hooks.number_start(t);

		ms_runtime_write_event(t, MS_WIRE_THREAD_AT, t->number, &path, 1, NULL, 0);
	}
}

struct ms_runtime_thread *ms_runtime_get_next_thread(const struct ms_runtime_thread *t)
{
	return t != NULL ? t->next : __atomic_load_n(&all_threads, __ATOMIC_ACQUIRE);
}

uint32_t ms_runtime_find_thread_number(uint32_t tid)
{
	uint32_t number = 0;

	ms_runtime_lock(MS_RUNTIME_LOCK_THREADS);
	for (struct ms_runtime_thread *t = all_threads; t != NULL && number == 0; t = t->next)
		number = !t->ended && t->tid == tid ? t->number : 0;
	ms_runtime_unlock(MS_RUNTIME_LOCK_THREADS);
	return number;
}

bool ms_runtime_is_cleared_at_exit(uint64_t word)
{
	bool found = false;

	ms_runtime_lock(MS_RUNTIME_LOCK_THREADS);
	for (struct ms_runtime_thread *t = all_threads; t != NULL && !found; t = t->next)
		found = !t->ended && t->cleared_at_exit == word;
	ms_runtime_unlock(MS_RUNTIME_LOCK_THREADS);
	return found;
}

/* --- creation of threads --- */

/* In the creator, before the real pthread_create(); NULL: the new thread is not traced. */
struct ms_runtime_thread_creation *ms_runtime_prepare_thread(uint64_t function, uint64_t argument,
							     uint64_t attributes);
struct ms_runtime_thread_creation *ms_runtime_prepare_thread(uint64_t function, uint64_t argument,
							     uint64_t attributes)
{
	struct ms_runtime_thread *t = ms_runtime_get_current_thread();

	if (t == NULL)
		return NULL;
	t->busy = 1;
	bool split = ms_runtime_split_lanes(t);
	ms_runtime_lock(MS_RUNTIME_LOCK_THREADS);
	if (free_creations == NULL && split) {
		struct ms_runtime_thread_creation *page =
			ms_runtime_map_pages(MS_RUNTIME_PAGE_BYTES);

		for (uint32_t i = 0; page != NULL && i < MS_RUNTIME_PAGE_BYTES / sizeof(*page);
		     i++) {
			page[i].next = free_creations;
			free_creations = &page[i];
		}
	}
	struct ms_runtime_thread_creation *m = split ? free_creations : NULL;
	if (m != NULL) {
		free_creations = m->next;
		*m = (struct ms_runtime_thread_creation){ .function = function,
							  .argument = argument,
							  .maker = t->number,
							  .has_default_stack = attributes == 0 };
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_THREADS);
	t->creation = m;
	t->busy = 0;
	if (m != NULL)
		ms_native_hooks.thread_creation_begins(t);
	return m;
}

void ms_runtime_record_clone(struct ms_runtime_thread *t, uint64_t stack, uint64_t size,
			     uint64_t cleared)
{
	t->creation->cleared_at_exit = cleared;
	t->creation->stack = stack;
	t->creation->stack_end = stack + size;
}

static void release_creation(struct ms_runtime_thread_creation *m)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_THREADS);
	m->next = free_creations;
	free_creations = m;
	ms_runtime_unlock(MS_RUNTIME_LOCK_THREADS);
}

/* After it, with its result. */
void ms_runtime_finish_thread_creation(struct ms_runtime_thread_creation *m, uint64_t result);
void ms_runtime_finish_thread_creation(struct ms_runtime_thread_creation *m, uint64_t result)
{
	struct ms_runtime_thread *t = ms_runtime_get_current_thread();

	if (t != NULL) {
		t->creation = NULL;
		ms_native_hooks.thread_creation_ends(t);
	}
	if ((uint32_t)result != 0)
		release_creation(m);
}

/* The C library puts its control block, and thread-local memory, at the upper end of a stack. */
static void find_stack(struct ms_runtime_thread *t, const struct ms_runtime_thread_creation *m)
{
	enum { BLOCK = 0x900 };
	uint64_t here = (uint64_t)__builtin_frame_address(0);
	uint64_t end = (t->thread_pointer + BLOCK + MS_RUNTIME_PAGE_BYTES - 1) &
		       ~(uint64_t)(MS_RUNTIME_PAGE_BYTES - 1);

	if (here < t->thread_pointer && t->thread_pointer - here < 1 << 20 && m->stack <= here &&
	    m->stack != 0) {
		t->stack = m->stack;
		t->stack_end = end;
	} else if (here < t->thread_pointer && t->thread_pointer - here < 1 << 20 &&
		   m->has_default_stack) {
		t->stack = end - ms_native_hooks.get_stack_limit();
		t->stack_end = end;
	} else {
		ms_native_hooks.find_stack(t);
	}
}

static void finish_thread(struct ms_runtime_thread *t)
{
	const uint64_t how = MS_WIRE_END_OWN;

	ms_native_hooks.thread_ends(t);
	ms_runtime_write_event(t, MS_WIRE_THREAD_END, t->number, &how, 1, NULL, 0);
	ms_runtime_release_lane(t);
	ms_native_hooks.thread_ended(t);
	t->ended = true;
}

/* Releases the lanes of threads that ended while they ran untraced. True: there were any. */
static bool reap_ended_threads(void)
{
	bool any = false;

	ms_runtime_lock(MS_RUNTIME_LOCK_THREADS);
	for (struct ms_runtime_thread *t = all_threads; t != NULL; t = t->next) {
		if (t->ended || t->lane_number == 0 || !has_exited(t))
			continue;
		finish_thread(t);
		running_threads--;
		any = true;
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_THREADS);
	return any;
}

/*
 * In the new thread, whose ms_runtime_get_thread() is still its creator's, or the dummy. NULL: it
 * is not traced.
 */
struct ms_runtime_thread *ms_runtime_begin_thread(struct ms_runtime_thread_creation *m,
						  uint64_t start[2]);
struct ms_runtime_thread *ms_runtime_begin_thread(struct ms_runtime_thread_creation *m,
						  uint64_t start[2])
{
	struct ms_runtime_thread *t = ms_runtime_active ? create_thread() : NULL;
	uint32_t maker = m->maker;

	start[0] = m->function;
	start[1] = m->argument;
	if (t != NULL) {
		find_stack(t, m);
		t->start = m->function;
		t->cleared_at_exit = m->cleared_at_exit;
	}
	release_creation(m);
	if (t != NULL && !ms_native_hooks.thread_arrives(t)) {
		t->ended = true;
		return NULL;
	}
	if (t == NULL ||
	    !(ms_runtime_take_lane(t) || (reap_ended_threads() && ms_runtime_take_lane(t)))) {
		if (t != NULL)
			t->ended = true; /* never began */
		__atomic_add_fetch(&ms_runtime_untraced_threads, 1, __ATOMIC_SEQ_CST);
		return NULL;
	}
	ms_runtime_set_thread(t);
	ms_runtime_report_thread(t, maker);
	bool traced = ms_native_hooks.thread_begins(t);
	/* The CPU time so far was the runtime's; its end takes about as much. */
	if (ms_runtime_config.no_tracing)
		t->lane.telling += 2 * ms_runtime_read_cpu_clock();
	return traced ? t : NULL;
}

struct ms_runtime_thread *ms_runtime_adopt_thread(void)
{
	struct ms_runtime_thread *t = create_thread();

	if (t == NULL)
		return NULL;
	ms_runtime_set_thread(t);
	ms_native_hooks.find_stack(t);
	if (!ms_native_hooks.thread_arrives(t) || !ms_runtime_take_lane(t)) {
		t->ended = true;
		return NULL;
	}
	ms_runtime_report_thread(t, MS_WIRE_NO_THREAD);
	return t;
}

void ms_runtime_end_thread(struct ms_runtime_thread *t, uint32_t code)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_THREADS);
	uint32_t left = --running_threads;
	ms_runtime_unlock(MS_RUNTIME_LOCK_THREADS);
	ms_native_hooks.thread_wakes(t, t->cleared_at_exit);
	if (left == 0) {
		ms_runtime_end_process(t, code);
		return;
	}
	ms_native_hooks.thread_returns(t);
	finish_thread(t);
}

/* The thread's function has returned this result. The end of an untraced thread is not seen; where
 * windows are used, it may be traced once more until then. */
uint64_t ms_runtime_handle_thread_return(uint64_t result);
uint64_t ms_runtime_handle_thread_return(uint64_t result)
{
	struct ms_runtime_thread *t = ms_runtime_get_current_thread();

	if (t == NULL || t->traced)
		return result;
	t->busy = 1;
	if (ms_runtime_config.no_tracing)
		ms_runtime_end_thread(t, 0);
	else if (ms_runtime_config.period != 0)
		ms_native_hooks.thread_returns(t);
	t->busy = ms_runtime_config.no_tracing;
	return result;
}

void ms_runtime_reset_threads(struct ms_runtime_thread *t)
{
	ms_native_hooks.thread_forked(t);
	all_threads = t;
	t->next = NULL;
	running_threads = 1;
	thread_numbers = t->number = 1;
	t->tid = (uint32_t)ms_runtime_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
	t->lane_number = 0;
	t->is_waiting = 0;
}
