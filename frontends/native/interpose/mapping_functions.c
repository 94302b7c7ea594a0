/*
 * mapping_functions.c - memory that a program maps, or makes executable, while it is not traced.
 * Its system calls are not seen then, so the functions of the C library are interposed. Mappings by
 * the library itself (threads' stacks, large blocks of malloc, loaded libraries) do not call these
 * functions: malloc reports blocks, threads report their stacks, libraries are looked up when a
 * sample is in their code or when they allocate, and unloaded ones when dlclose() returns.
 * Functions that restrict the program's system calls, and with them the runtime's, are interposed
 * here, too.
 */
#include "interpose/function_numbers.h"
#include "interpose/interpose.h"
#include "interpose/interposed_functions.h"
#include "maps/maps.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "syscalls/syscalls.h"
#include "tracer/tracer.h"
#include "unwind/unwind.h"

static const uint64_t numbers[] = {
	[MS_INTERPOSE_mmap] = __NR_mmap,         [MS_INTERPOSE_mmap64] = __NR_mmap,
	[MS_INTERPOSE_munmap] = __NR_munmap,     [MS_INTERPOSE_mremap] = __NR_mremap,
	[MS_INTERPOSE_mprotect] = __NR_mprotect, [MS_INTERPOSE_shmat] = __NR_shmat,
	[MS_INTERPOSE_shmdt] = __NR_shmdt
};

typedef uint64_t real_function(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

MS_RUNTIME_CALLS_PROGRAM uint64_t ms_interpose_call_mapping_function(
	uint64_t function, struct ms_interpose_frame *frame, uint64_t fifth, uint64_t sixth)
{
	struct ms_runtime_thread *t = ms_runtime_get_current_thread();
	const uint64_t args[6] = { frame->args[0], frame->args[1], frame->args[2],
				   frame->args[3], fifth,          sixth };
	struct ms_unwind_frame from = { .pc = frame->return_pc,
					.sp = (uint64_t)frame->caller_stack,
					.called = true };
	uint64_t result;

	ms_runtime_copy_bytes(from.callee_saved, frame->callee_saved, sizeof(from.callee_saved));
	if (t != NULL)
		ms_syscalls_handle_before(t, numbers[function], args, &from);
	if (!ms_runtime_config.no_tracing)
		ms_tracer_handle_code_change(numbers[function], args);
	result = ((real_function *)ms_interpose_real_functions[function])(args[0], args[1], args[2],
									  args[3], fifth, sixth);
	if (t != NULL)
		ms_syscalls_handle_after(t, numbers[function], args, (int64_t)result, &from);
	return result;
}

/* --- unloading of libraries --- */

static uint64_t block_signals(void)
{
	static const uint64_t everything = ~0ull;
	uint64_t mask = 0;

	ms_runtime_syscall(__NR_rt_sigprocmask, 0, (long)&everything, (long)&mask, 8, 0, 0);
	return mask;
}

static void set_signals(uint64_t mask)
{
	ms_runtime_syscall(__NR_rt_sigprocmask, 2, (long)&mask, 0, 8, 0, 0);
}

/*
 * dlclose() begins: waits for threads that read the list of modules. From here on no other thread
 * starts to read it, or to be traced: a thread that waits to load another library continues before
 * the runtime has found out which were unloaded.
 */
void ms_interpose_begin_unload(void);
void ms_interpose_begin_unload(void)
{
	if (!ms_runtime_active) /* a child: another thread of its parent may hold the lock */
		return;
	uint64_t mask = block_signals();

	ms_maps_count_unloads(1);
	ms_runtime_lock(MS_RUNTIME_LOCK_MAPS);
	ms_runtime_unlock(MS_RUNTIME_LOCK_MAPS);
	set_signals(mask);
}

/*
 * dlclose() has returned: its unmapping was not seen, and the next library may be mapped at the
 * same address. A thread that is unknown, or at work in the runtime, cannot record events: then all
 * translated code is forgotten, and the modules are examined the next time.
 */
void ms_interpose_end_unload(void);
void ms_interpose_end_unload(void)
{
	struct ms_runtime_thread *t = ms_runtime_get_current_thread();

	if (!ms_runtime_active)
		return;
	uint64_t mask = block_signals();
	if (t != NULL) {
		t->busy = 1;
		ms_maps_check_unloaded_modules(t);
		t->busy = 0;
	} else if (!ms_runtime_config.no_tracing) {
		ms_tracer_forget_code(0, UINT64_MAX);
	}
	ms_maps_count_unloads(-1u);
	set_signals(mask);
}

/* --- restrictions of system calls --- */

/* Traced code makes the system call itself, where the tracer sees it. */
static void check_restriction(uint64_t number, uint64_t first)
{
	const uint64_t args[6] = { first };
	struct ms_runtime_thread *t = ms_runtime_get_current_thread();

	if (t != NULL && !t->traced)
		ms_tracer_handle_restriction(t, number, args);
}

void ms_interpose_native_prctl(uint64_t option);
void ms_interpose_native_prctl(uint64_t option)
{
	check_restriction(__NR_prctl, option);
}

void ms_interpose_native_syscall(uint64_t number, uint64_t first);
void ms_interpose_native_syscall(uint64_t number, uint64_t first)
{
	check_restriction(number, first);
}
