/* calls.c - system calls of traced code that are recorded: mappings, waits, new programs, ends. */
#include "escort.h"
#include "exec_signals.h"
#include "maps/maps.h"
#include "runtime.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sample.h"
#include "sys.h"
#include "syscalls/syscalls.h"
#include "timer.h"
#include "tracer.h"
#include "turns.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

enum { PROT_CODE = 4, MAP_FIXED = 0x10, MAP_ANON = 0x20 };

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + MS_PAGE - 1) & ~(uint64_t)(MS_PAGE - 1);
}

static void mapped(struct ms_thread *t, const uint64_t args[6], uint64_t result,
		   const struct ms_frame *frame)
{
	int fd = args[3] & MAP_ANON ? -1 : (int)args[4];
	const uint64_t gone[6] = { result, whole_pages(args[1]) };

	/* Earlier code there may have been unmapped by an unobserved call. */
	if ((args[2] & PROT_CODE) != 0 && (args[3] & MAP_FIXED) == 0 && !ms_config.idle)
		ms_tracer_changes(__NR_munmap, gone);
	ms_maps_new(t, result, whole_pages(args[1]), fd, args[2] & PROT_CODE, frame);
}

static void moved(struct ms_thread *t, const uint64_t args[6], uint64_t to,
		  const struct ms_frame *frame)
{
	uint64_t from = args[0], old = whole_pages(args[1]), size = whole_pages(args[2]);

	if (to != from) {
		if (old != 0)
			ms_maps_gone(t, from, old);
		ms_maps_new(t, to, size, -1, false, frame);
	} else if (size > old) {
		ms_maps_new(t, from + old, size - old, -1, false, frame);
	} else if (size < old) {
		ms_maps_gone(t, from + size, old - size);
	}
}

/* Arguments of the new thread: struct clone_args, or clone's arguments. */
static void clones(struct ms_thread *t, uint64_t number, const uint64_t args[6])
{
	const uint64_t *wanted = (const uint64_t *)args[0];

	if (number == __NR_clone3)
		ms_thread_makes(t, wanted[5], wanted[6], wanted[2]);
	else
		ms_thread_makes(t, 0, args[1], args[MS_CLONE_CLEARS]);
}

/* --- programs that are executed --- */

static uint32_t own_process(void)
{
	return (uint32_t)ms_sys(__NR_getpid, 0, 0, 0, 0, 0, 0);
}

static bool is_exec(uint64_t number)
{
	return number == __NR_execve || number == __NR_execveat;
}

/* The path of the file, relative to a directory; "" for an open file without a path. */
static const char *program_of(uint64_t number, const uint64_t args[6])
{
	return (const char *)args[number == __NR_execveat];
}

/* An exec is recorded only if the file exists: then the kernel has read its name, and the runtime
 * may, too. */
static bool may_execute(uint64_t number, const uint64_t args[6])
{
	enum { HERE = -100, MAY_EXECUTE = 1, EMPTY_PATH = 0x1000, NOT_THERE = -2 };
	bool from = number == __NR_execveat;
	const char *path = program_of(number, args);
	long told = ms_sys(__NR_faccessat, from ? (long)(int)args[0] : HERE, (long)path,
			   MAY_EXECUTE, 0, 0, 0);

	return told == 0 ||
	       (from && told == NOT_THERE && (args[4] & EMPTY_PATH) != 0 && path[0] == '\0');
}

static void executes(struct ms_thread *t, uint64_t number, const uint64_t args[6])
{
	const char *path = program_of(number, args);

	if (!may_execute(number, args))
		return;
	ms_sample_executes(t);
	ms_lane_executes(true);
	if (ms_config.follow)
		ms_follow_becomes(own_process(), path[0] != '\0' ? path : "a file without a name");
	ms_exec_signals_begin(t);
}

/* The exec has failed. */
static void executed_nothing(struct ms_thread *t, uint64_t number, const uint64_t args[6])
{
	ms_exec_signals_end(t);
	ms_lane_executes(false);
	if (ms_config.follow && may_execute(number, args))
		ms_follow_becomes(own_process(), "");
}

static bool makes_process(uint64_t number)
{
#ifdef __NR_vfork
	if (number == __NR_vfork || number == __NR_fork)
		return true;
#endif
	return number == __NR_clone || number == __NR_clone3;
}

/* Whether the call returned when the child stopped sharing the memory. */
static bool waited_for_child(uint64_t number, const uint64_t args[6])
{
	enum { VFORK = 0x4000 };

#ifdef __NR_vfork
	if (number == __NR_vfork)
		return true;
#endif
	if (number == __NR_clone)
		return (args[0] & VFORK) != 0;
	return number == __NR_clone3 && (*(const uint64_t *)args[0] & VFORK) != 0;
}

/* --- waiting and waking --- */

/* As in <linux/futex.h>. */
enum { WAIT = 0, LOCK_PI = 6, WAIT_BITSET = 9, WAIT_REQUEUE_PI = 11, LOCK_PI2 = 13, COMMAND = 127 };

/* The thread that has last woken the waiters of a futex word, by the hash of its address. */
enum { WORDS = 4096 };
static uint32_t wakers[WORDS];

static uint32_t *waker_of(uint64_t word)
{
	return &wakers[(word * UINT64_C(0x9e3779b97f4a7c15)) >> 52];
}

void ms_call_wakes(struct ms_thread *t, uint64_t word)
{
	__atomic_store_n(waker_of(word), t->number, __ATOMIC_SEQ_CST);
}

static bool waits_by(uint64_t command)
{
	return command == WAIT || command == WAIT_BITSET || command == LOCK_PI ||
	       command == LOCK_PI2 || command == WAIT_REQUEUE_PI;
}

static void tell_wait(struct ms_thread *t, uint64_t reason, const struct ms_frame *frame)
{
	uint64_t words[2] = { reason, ms_path_here(t, frame, false) };

	ms_lane_event(t, MS_WIRE_WAIT, t->number, words, 2, NULL, 0);
	t->waits = 1;
}

/* Waits are only recorded for several simulated processors. */
static void before_wait(struct ms_thread *t, uint64_t number, const uint64_t args[6],
			const struct ms_frame *frame)
{
	if (number != __NR_futex) {
		tell_wait(t, MS_WIRE_WAIT_OTHER, frame);
	} else if (waits_by(args[1] & COMMAND)) {
		__atomic_store_n(waker_of(args[0]), MS_WIRE_NO_THREAD, __ATOMIC_SEQ_CST);
		tell_wait(t, ms_thread_clears(args[0]) ? MS_WIRE_WAIT_JOIN : MS_WIRE_WAIT_FUTEX,
			  frame);
	} else {
		ms_call_wakes(t, args[0]);
	}
}

static void after_wait(struct ms_thread *t, uint64_t number, const uint64_t args[6])
{
	uint64_t waker = MS_WIRE_NO_THREAD;

	if (number == __NR_futex)
		waker = __atomic_load_n(waker_of(args[0]), __ATOMIC_SEQ_CST);
	if (waker == t->number)
		waker = MS_WIRE_NO_THREAD;
	ms_lane_event(t, MS_WIRE_WAKE, t->number, &waker, 1, NULL, 0);
	t->waits = 0;
}

/* Frequent system calls that never block. */
static bool is_quick(uint64_t number)
{
	switch (number) {
	case __NR_brk:
	case __NR_mmap:
	case __NR_munmap:
	case __NR_mprotect:
	case __NR_madvise:
	case __NR_mremap:
	case __NR_getpid:
	case __NR_gettid:
	case __NR_clock_gettime:
	case __NR_rt_sigprocmask:
	case __NR_rt_sigaction:
	case __NR_sigaltstack:
	case __NR_fstat:
	case __NR_lseek:
		return true;
	default:
		return false;
	}
}

void ms_call_before(struct ms_thread *t, uint64_t number, const uint64_t args[6],
		    const struct ms_frame *frame)
{
	t->busy = 1;
	if (!is_quick(number))
		ms_sample_away(t);
	if (number == __NR_exit_group)
		ms_runtime_end(t, (uint32_t)args[0] & 0xff);
	else if (number == __NR_exit)
		ms_run_thread_end(t, (uint32_t)args[0] & 0xff);
	else if ((number == __NR_clone || number == __NR_clone3) && t->making != NULL)
		clones(t, number, args);
	else if (is_exec(number))
		executes(t, number, args);
	else if (number == __NR_munmap && args[0] % MS_PAGE == 0 && args[1] != 0)
		ms_maps_gone(t, args[0], whole_pages(args[1])); /* other threads may get it next */
	else
		ms_place_call(t, number, args);
	if (!is_quick(number) && !t->ended && ms_on) {
		if (ms_config.split)
			before_wait(t, number, args, frame);
		ms_lane_turn(t);
		ms_lane_away(t, true);
	}
	if (!is_quick(number))
		ms_turn_offer(t);
	t->busy = 0;
}

void ms_call_after(struct ms_thread *t, uint64_t number, const uint64_t args[6], int64_t result,
		   const struct ms_frame *frame)
{
	t->busy = 1;
	if (!is_quick(number))
		ms_lane_away(t, false);
	if (t->waits) {
		after_wait(t, number, args);
		ms_sample_told(t);
	} else if (number == __NR_futex && ms_config.split && result > 0) {
		ms_sample_woke(t, (uint64_t)result);
	}
	if (makes_process(number))
		ms_escort_over(t);
	else
		ms_escort_called(t);
	if (is_exec(number))
		executed_nothing(t, number, args);
	else if (ms_config.follow && result > 0 && waited_for_child(number, args))
		ms_follow_spawned((uint32_t)result);
	switch (ms_failed(result) ? UINT64_MAX : number) {
	case __NR_mmap:
		mapped(t, args, (uint64_t)result, frame);
		break;
	case __NR_mremap:
		moved(t, args, (uint64_t)result, frame);
		break;
	case __NR_brk:
		ms_maps_brk(t, (uint64_t)result);
		break;
	case __NR_rt_sigprocmask:
		ms_disguise_sets(t, args);
		break;
	default:
		break;
	}
	t->busy = 0;
}
