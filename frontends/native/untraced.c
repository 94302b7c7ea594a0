/*
 * untraced.c - memory that a program maps, or makes code of, while it is not traced: its system
 * calls are not seen, so the C library's functions are wrapped. What the library maps itself
 * (threads' stacks, large blocks of malloc, libraries that are loaded) does not come through here:
 * blocks are told by malloc, stacks by their threads, and libraries are looked for when samples
 * meet their code, or when they allocate; that some have gone, when dlclose() returns. So is what
 * restricts the program's system calls, and with them ours.
 */
#include "runtime.h"

#include "sys.h"
#include "wrap.h"

extern void *ms_wrap_real[MS_WRAP_ALL];

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

/* --- libraries that go --- */

static uint32_t unloading; /* calls of dlclose() that are under way, or have not been looked at */

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

static void count_unloads(uint32_t more)
{
	struct ms_thread *t = ms_self(); /* or its maker's */

	if (t->pointer == ms_thread_pointer())
		t->unloads += more;
	__atomic_add_fetch(&unloading, more, __ATOMIC_SEQ_CST);
}

bool ms_unloading_others(const struct ms_thread *t)
{
	return __atomic_load_n(&unloading, __ATOMIC_SEQ_CST) != t->unloads;
}

void ms_unloading_forked(const struct ms_thread *t)
{
	unloading = t->unloads;
}

/*
 * dlclose() begins: who looks at modules is waited for. From here on no other thread begins to, nor
 * to be traced: one that waits to load another library goes on before we have looked what has gone.
 */
void ms_untraced_unloads(void);
void ms_untraced_unloads(void)
{
	if (!ms_on) /* a child: the lock may be another thread's of its parent */
		return;
	uint64_t mask = block_signals();

	count_unloads(1);
	ms_lock(MS_LOCK_MAPS);
	ms_unlock(MS_LOCK_MAPS);
	set_signals(mask);
}

/*
 * And has returned: what it unmapped nobody saw, and the next library may come to lie there. From a
 * thread that is not known, or that is at work, nothing can be told: what was translated is
 * forgotten then, and the modules are looked through the next time.
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
	count_unloads(-1u);
	set_signals(mask);
}

/* --- what it may forbid --- */

/* Traced code makes the call itself, and is seen to. */
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
