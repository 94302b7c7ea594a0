/* syscall_events.c - system calls of traced code that are recorded: mappings, waits, new programs,
 * ends. */
#include "heap/heap.h"
#include "maps/maps.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "syscalls/syscalls.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

enum { PROT_CODE = 4, MAP_FIXED = 0x10, MAP_ANON = 0x20 };

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + MS_RUNTIME_PAGE_BYTES - 1) & ~(uint64_t)(MS_RUNTIME_PAGE_BYTES - 1);
}

/* Memory that the program itself has mapped is named by the call path. */
static void add_mapping(struct ms_runtime_thread *t, uint64_t address, uint64_t size, int fd,
			bool code, const struct ms_unwind_frame *frame)
{
	bool by_allocator = fd < 0 && (t->in_heap || ms_heap_is_inside_private_call(t, frame->sp));
	uint32_t path = fd >= 0 || by_allocator ? MS_WIRE_NO_PATH
						: ms_unwind_get_path(t, frame, frame->called);

	ms_maps_add_mapping(t, address, size, fd, code, by_allocator, path);
}

static void handle_mmap(struct ms_runtime_thread *t, const uint64_t args[6], uint64_t result,
			const struct ms_unwind_frame *frame)
{
	int fd = args[3] & MAP_ANON ? -1 : (int)args[4];

	/* Earlier code there may have been unmapped by an unobserved call. */
	if ((args[2] & PROT_CODE) != 0 && (args[3] & MAP_FIXED) == 0 &&
	    !ms_runtime_config.no_tracing)
		ms_native_hooks.code_replaced(result, whole_pages(args[1]));
	add_mapping(t, result, whole_pages(args[1]), fd, args[2] & PROT_CODE, frame);
}

static void handle_shmat(struct ms_runtime_thread *t, const uint64_t args[6], uint64_t result,
			 const struct ms_unwind_frame *frame)
{
	uint64_t size = ms_syscalls_attach_shared_memory((int)args[0], result);

	if (size != 0)
		add_mapping(t, result, size, -1, false, frame);
}

static void handle_mremap(struct ms_runtime_thread *t, const uint64_t args[6], uint64_t to,
			  const struct ms_unwind_frame *frame)
{
	uint64_t from = args[0], old = whole_pages(args[1]), size = whole_pages(args[2]);

	if (to != from) {
		if (old != 0)
			ms_maps_remove_mapping(t, from, old);
		add_mapping(t, to, size, -1, false, frame);
	} else if (size > old) {
		add_mapping(t, from + old, size - old, -1, false, frame);
	} else if (size < old) {
		ms_maps_remove_mapping(t, from + size, old - size);
	}
}

/* Arguments of the new thread: struct clone_args, or clone's arguments. */
static void record_clone_stack(struct ms_runtime_thread *t, uint64_t number, const uint64_t args[6])
{
	const uint64_t *clone_args = (const uint64_t *)args[0];

	if (number == __NR_clone3)
		ms_runtime_record_clone(t, clone_args[5], clone_args[6], clone_args[2]);
	else
		ms_runtime_record_clone(t, 0, args[1], args[MS_RUNTIME_CLONE_CLEAR_TID_ARG]);
}

/* --- programs that are executed --- */

static uint32_t get_pid(void)
{
	return (uint32_t)ms_runtime_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0);
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
	long status = ms_runtime_syscall(__NR_faccessat, from ? (long)(int)args[0] : HERE,
					 (long)path, MAY_EXECUTE, 0, 0, 0);

	return status == 0 ||
	       (from && status == NOT_THERE && (args[4] & EMPTY_PATH) != 0 && path[0] == '\0');
}

static void announce_exec(struct ms_runtime_thread *t, uint64_t number, const uint64_t args[6])
{
	const char *path = program_of(number, args);

	if (!may_execute(number, args))
		return;
	ms_native_hooks.exec_announced(t);
	ms_runtime_set_executing(true);
	if (ms_runtime_follows_execs())
		ms_syscalls_announce_exec(get_pid(),
					  path[0] != '\0' ? path : "a file without a name");
	ms_native_hooks.exec_begins(t);
}

/* The exec has failed. */
static void cancel_exec(struct ms_runtime_thread *t, uint64_t number, const uint64_t args[6])
{
	ms_native_hooks.exec_failed(t);
	ms_runtime_set_executing(false);
	if (ms_runtime_follows_execs() && may_execute(number, args))
		ms_syscalls_announce_exec(get_pid(), "");
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

void ms_syscalls_record_waker(struct ms_runtime_thread *t, uint64_t word)
{
	__atomic_store_n(waker_of(word), t->number, __ATOMIC_SEQ_CST);
}

static bool is_waiting_command(uint64_t command)
{
	return command == WAIT || command == WAIT_BITSET || command == LOCK_PI ||
	       command == LOCK_PI2 || command == WAIT_REQUEUE_PI;
}

static void report_wait(struct ms_runtime_thread *t, uint64_t reason,
			const struct ms_unwind_frame *frame)
{
	uint64_t words[2] = { reason, ms_unwind_get_path(t, frame, false) };

	ms_runtime_write_event(t, MS_WIRE_WAIT, t->number, words, 2, NULL, 0);
	t->is_waiting = 1;
}

/* Waits are only recorded for several simulated processors. */
static void report_before_wait(struct ms_runtime_thread *t, uint64_t number, const uint64_t args[6],
			       const struct ms_unwind_frame *frame)
{
	if (number != __NR_futex) {
		report_wait(t, MS_WIRE_WAIT_OTHER, frame);
	} else if (is_waiting_command(args[1] & COMMAND)) {
		__atomic_store_n(waker_of(args[0]), MS_WIRE_NO_THREAD, __ATOMIC_SEQ_CST);
		report_wait(t,
			    ms_runtime_is_cleared_at_exit(args[0]) ? MS_WIRE_WAIT_JOIN
								   : MS_WIRE_WAIT_FUTEX,
			    frame);
	} else {
		ms_syscalls_record_waker(t, args[0]);
	}
}

static void report_wake(struct ms_runtime_thread *t, uint64_t number, const uint64_t args[6])
{
	uint64_t waker = MS_WIRE_NO_THREAD;

	if (number == __NR_futex)
		waker = __atomic_load_n(waker_of(args[0]), __ATOMIC_SEQ_CST);
	if (waker == t->number)
		waker = MS_WIRE_NO_THREAD;
	ms_runtime_write_event(t, MS_WIRE_WAKE, t->number, &waker, 1, NULL, 0);
	t->is_waiting = 0;
}

/* Frequent system calls that never block. */
static bool never_waits(uint64_t number)
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

void ms_syscalls_handle_before(struct ms_runtime_thread *t, uint64_t number, const uint64_t args[6],
			       const struct ms_unwind_frame *frame)
{
	t->busy = 1;
	if (!never_waits(number))
		ms_native_hooks.may_block(t);
	if (number == __NR_exit_group)
		ms_runtime_end_process(t, (uint32_t)args[0] & 0xff);
	else if (number == __NR_exit)
		ms_runtime_end_thread(t, (uint32_t)args[0] & 0xff);
	else if ((number == __NR_clone || number == __NR_clone3) && t->creation != NULL)
		record_clone_stack(t, number, args);
	else if (is_exec(number))
		announce_exec(t, number, args);
	else if (number == __NR_munmap && args[0] % MS_RUNTIME_PAGE_BYTES == 0 && args[1] != 0)
		ms_maps_remove_mapping(t, args[0],
				       whole_pages(args[1])); /* other threads may get it next */
	else if (number == __NR_shmdt)
		ms_syscalls_detach_shared_memory(t, args[0]);
	else if (number == __NR_prctl)
		ms_syscalls_name_mapping(t, args);
	else
		ms_syscalls_report_placement(t, number, args);
	if (!never_waits(number) && !t->ended && ms_runtime_active) {
		if (ms_runtime_config.lane_per_thread)
			report_before_wait(t, number, args, frame);
		ms_runtime_end_chunk(t);
		ms_runtime_set_lane_away(t, true);
	}
	if (!never_waits(number))
		ms_native_hooks.blocks_now(t);
	t->busy = 0;
}

void ms_syscalls_handle_after(struct ms_runtime_thread *t, uint64_t number, const uint64_t args[6],
			      int64_t result, const struct ms_unwind_frame *frame)
{
	t->busy = 1;
	if (!never_waits(number))
		ms_runtime_set_lane_away(t, false);
	if (t->is_waiting) {
		report_wake(t, number, args);
		ms_native_hooks.wake_recorded(t);
	} else if (number == __NR_futex && ms_runtime_config.lane_per_thread && result > 0) {
		ms_native_hooks.threads_woken(t, (uint64_t)result);
	}
	ms_native_hooks.syscall_made(t, makes_process(number));
	if (is_exec(number))
		cancel_exec(t, number, args);
	else if (ms_runtime_config.follow_children && result > 0 && waited_for_child(number, args))
		ms_syscalls_announce_spawned_child((uint32_t)result);
	switch (ms_runtime_is_error(result) ? UINT64_MAX : number) {
	case __NR_mmap:
		handle_mmap(t, args, (uint64_t)result, frame);
		break;
	case __NR_mremap:
		handle_mremap(t, args, (uint64_t)result, frame);
		break;
	case __NR_shmat:
		handle_shmat(t, args, (uint64_t)result, frame);
		break;
	case __NR_brk:
		ms_maps_set_heap_end(t, (uint64_t)result);
		break;
	case __NR_rt_sigprocmask:
		ms_native_hooks.mask_changed(t, args);
		break;
	default:
		break;
	}
	t->busy = 0;
}
