/*
 * untraced.c - memory that a program maps, or makes executable, while it is not traced. Its system
 * calls are not seen then, so the functions of the C library are interposed. Mappings by the
 * library itself (threads' stacks, large blocks of malloc, loaded libraries) do not call these
 * functions: malloc reports blocks, threads report their stacks, libraries are looked up when a
 * sample is in their code or when they allocate, and unloaded ones when dlclose() returns.
 * Functions that restrict the program's system calls, and with them the runtime's, are interposed
 * here, too.
 */
#include "interpose/interpose.h"
#include "maps/maps.h"
#include "runtime.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sys.h"
#include "syscalls/syscalls.h"
#include "tracer.h"
#include "unwind/unwind.h"
#include "wrap.h"

static const uint64_t numbers[] = { [MS_WRAP_mmap] = __NR_mmap,
				    [MS_WRAP_mmap64] = __NR_mmap,
				    [MS_WRAP_munmap] = __NR_munmap,
				    [MS_WRAP_mremap] = __NR_mremap,
				    [MS_WRAP_mprotect] = __NR_mprotect };

typedef uint64_t real(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

MS_CALLS_OUT uint64_t ms_untraced_call(uint64_t function, struct ms_wrap_frame *frame,
				       uint64_t fifth, uint64_t sixth)
{
	struct ms_thread *t = ms_thread_here();
	const uint64_t args[6] = { frame->args[0], frame->args[1], frame->args[2],
				   frame->args[3], fifth,          sixth };
	struct ms_frame from = { .pc = frame->return_pc,
				 .sp = (uint64_t)frame->caller_stack,
				 .called = true };
	uint64_t result;

	ms_copy(from.kept, frame->kept, sizeof(from.kept));
	if (t != NULL)
		ms_call_before(t, numbers[function], args, &from);
	if (!ms_config.idle)
		ms_tracer_changes(numbers[function], args);
	result = ((real *)ms_wrap_real[function])(args[0], args[1], args[2], args[3], fifth, sixth);
	if (t != NULL)
		ms_call_after(t, numbers[function], args, (int64_t)result, &from);
	return result;
}

/* --- unloading of libraries --- */

static uint64_t block_signals(void)
{
	static const uint64_t everything = ~0ull;
	uint64_t mask = 0;

	ms_sys(__NR_rt_sigprocmask, 0, (long)&everything, (long)&mask, 8, 0, 0);
	return mask;
}

static void set_signals(uint64_t mask)
{
	ms_sys(__NR_rt_sigprocmask, 2, (long)&mask, 0, 8, 0, 0);
}

/*
 * dlclose() begins: waits for threads that read the list of modules. From here on no other thread
 * starts to read it, or to be traced: a thread that waits to load another library continues before
 * the runtime has found out which were unloaded.
 */
void ms_untraced_unloads(void);
void ms_untraced_unloads(void)
{
	if (!ms_on) /* a child: another thread of its parent may hold the lock */
		return;
	uint64_t mask = block_signals();

	ms_maps_count_unloads(1);
	ms_lock(MS_LOCK_MAPS);
	ms_unlock(MS_LOCK_MAPS);
	set_signals(mask);
}

/*
 * dlclose() has returned: its unmapping was not seen, and the next library may be mapped at the
 * same address. A thread that is unknown, or at work in the runtime, cannot record events: then all
 * translated code is forgotten, and the modules are examined the next time.
 */
void ms_untraced_unloaded(void);
void ms_untraced_unloaded(void)
{
	struct ms_thread *t = ms_thread_here();

	if (!ms_on)
		return;
	uint64_t mask = block_signals();
	if (t != NULL) {
		t->busy = 1;
		ms_maps_look(t);
		t->busy = 0;
	} else if (!ms_config.idle) {
		ms_tracer_forget(0, UINT64_MAX);
	}
	ms_maps_count_unloads(-1u);
	set_signals(mask);
}

/* --- restrictions of system calls --- */

/* Traced code makes the system call itself, where the tracer sees it. */
static void ask(uint64_t number, uint64_t first)
{
	const uint64_t args[6] = { first };
	struct ms_thread *t = ms_thread_here();

	if (t != NULL && !t->traced)
		ms_tracer_restricts(t, number, args);
}

void ms_untraced_prctl(uint64_t option);
void ms_untraced_prctl(uint64_t option)
{
	ask(__NR_prctl, option);
}

void ms_untraced_syscall(uint64_t number, uint64_t first);
void ms_untraced_syscall(uint64_t number, uint64_t first)
{
	ask(number, first);
}
