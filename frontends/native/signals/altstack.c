/*
 * altstack.c - see altstack.h. memspy's signals may interrupt a thread anywhere: on a coroutine's
 * stack of 4 KB, which has no room for a signal frame (4.7 KB on aarch64, up to 11 KB on x86-64),
 * or on the program's alternate stack, which may be as small. So every thread has an alternate
 * stack of memspy in the kernel, for its whole life, and all handlers of memspy run there
 * (SA_ONSTACK). A handler of the program with SA_ONSTACK begins there, too
 * (the tracer's entry): its frame is copied to the stack that the kernel would have used
 * without memspy, and the handler is entered there. From then on memspy's stack is free again,
 * whether the handler returns, jumps or switches to another stack.
 *
 * The program's sigaltstack() is emulated. A frame that the program sees contains the stack that
 * the program has set. The kernel must not install that stack when the handler returns. It does
 * not, because the flags in the frame have a bit that it refuses (`refused`).
 *
 * The upper half of memspy's stack is for memspy's own frames. The lower half is for handlers of a
 * program that has found memspy's stack by a raw system call and uses it as the thread's alternate
 * stack: Go's runtime does so in programs with cgo.
 *
 * Limit: raw system calls (not by the C library's functions) of untraced code are not observed. The
 * kernel uses a stack that is set so until the next window opens.
 */
#include "signals/altstack.h"

#include "maps/dynamic_loader.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "signals/cpu_timer.h"
#include "signals/signal_action.h"
#include "signals/signal_frame.h"
#include "signals/signal_hiding_priv.h"
#include "ucontext_layout.h"

enum { HALF = 64 << 10, ROOM = 48 << 10, SIG_SEGV = 11 };
enum { NOT_PERMITTED = -1, BAD_ADDRESS = -14, WORD = 8 };
enum { BLOCK = 0, SET = 2 };
/* Not a flag of sigaltstack(): with it, sigreturn leaves the alternate stack unchanged. */
static const uint64_t invalid_flag = 1u << 30;
static const struct ms_signals_kernel_stack none = { .flags = MS_SIGNALS_STACK_DISABLE };

static uint64_t half = HALF;     /* half the size of memspy's stacks, in bytes */
static bool adopts_found_stacks; /* the program adopts stacks that it finds, as Go does */

/* --- the program --- */

/* As in <elf.h>. */
struct segment {
	uint32_t type, flags;
	uint64_t offset, address, physical, size, memory, align;
};
struct go_note {
	uint32_t name, content, type;
};
enum { SEGMENT_NOTE = 4, SEGMENT_SELF = 6 };

static bool is_go_note(const uint8_t *at, const uint8_t *end)
{
	while (at + sizeof(struct go_note) + 4 <= end) {
		const struct go_note *n = (const struct go_note *)at;
		const uint8_t *name = at + sizeof(*n);

		if (n->name == 4 && name[0] == 'G' && name[1] == 'o' && name[2] == '\0')
			return true;
		at = name + ((n->name + 3) & ~3u) + ((n->content + 3) & ~3u);
	}
	return false;
}

static bool is_go(const struct segment *segments, uint64_t n)
{
	uint64_t bias = 0;

	for (uint64_t i = 0; i < n; i++)
		if (segments[i].type == SEGMENT_SELF)
			bias = (uint64_t)segments - segments[i].address;
	for (uint64_t i = 0; i < n; i++) {
		const uint8_t *at = (const uint8_t *)(bias + segments[i].address);

		if (segments[i].type == SEGMENT_NOTE && is_go_note(at, at + segments[i].size))
			return true;
	}
	return false;
}

/* Reads the auxiliary vector: pairs of words. */
void ms_signals_start_altstacks(void)
{
	enum { HERE = -100, CLOSE_ON_EXEC = 02000000, PAIRS = 64 };
	enum { SEGMENTS = 3, SEGMENT_COUNT = 5, FRAME_SIZE = 51 };
	uint64_t pairs[PAIRS][2], segments = 0, count = 0;
	long fd = ms_runtime_syscall(__NR_openat, HERE, (long)"/proc/self/auxv", CLOSE_ON_EXEC, 0,
				     0, 0);
	long bytes =
		fd < 0 ? 0 : ms_runtime_syscall(SYS_read, fd, (long)pairs, sizeof(pairs), 0, 0, 0);

	if (fd >= 0)
		ms_runtime_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	for (long i = 0; i < bytes / (long)sizeof(pairs[0]); i++) {
		if (pairs[i][0] == SEGMENTS)
			segments = pairs[i][1];
		else if (pairs[i][0] == SEGMENT_COUNT)
			count = pairs[i][1];
		else if (pairs[i][0] == FRAME_SIZE && pairs[i][1] + ROOM > half)
			half = (pairs[i][1] + ROOM + MS_RUNTIME_PAGE_BYTES - 1) &
			       -(uint64_t)MS_RUNTIME_PAGE_BYTES;
	}
	adopts_found_stacks = segments != 0 && is_go((const struct segment *)segments, count);
}

/* --- the stack of a thread --- */

static struct ms_signals_kernel_stack get_memspy_stack(const struct ms_signals_altstack *a)
{
	return (struct ms_signals_kernel_stack){ .start = a->memspy_stack,
						 .size = a->memspy_stack_size };
}

/* Whether the kernel's alternate stack is memspy's, so that the program's is another one. */
static bool is_memspy_stack_set(const struct ms_signals_altstack *a, const uint64_t *uc)
{
	return a->memspy_stack != 0 && uc[MS_SIGNALS_FRAME_STACK_START] == a->memspy_stack;
}

static uint64_t block_signals(void)
{
	static const uint64_t everything = ~0ull;
	uint64_t mask = 0;

	ms_runtime_syscall(__NR_rt_sigprocmask, BLOCK, (long)&everything, (long)&mask, 8, 0, 0);
	return mask;
}

static void set_signals(uint64_t mask)
{
	ms_runtime_syscall(__NR_rt_sigprocmask, SET, (long)&mask, 0, 8, 0, 0);
}

/* The kernel's SS_ONSTACK is about memspy's stack; the program must get the flag for its own. */
static struct ms_signals_kernel_stack clear_onstack(struct ms_signals_kernel_stack s)
{
	s.flags &= ~(uint32_t)MS_SIGNALS_STACK_ONSTACK;
	s.pad = 0;
	return s;
}

/*
 * A stack with SS_AUTODISARM is set again when the handler returns. To detect the return, the frame
 * contains memspy's stack with another size, which the kernel then reports.
 */
static void detect_return(struct ms_signals_altstack *a, uint64_t start, uint64_t size)
{
	if (start != a->memspy_stack || size == a->memspy_stack_size)
		return;
	a->memspy_stack_size = size;
	if (a->disarmed.size != 0)
		a->program = a->disarmed;
	a->disarmed = none;
}

static uint64_t get_other_size(const struct ms_signals_altstack *a)
{
	return a->memspy_stack_size == 2 * half ? 2 * half - 16 : 2 * half;
}

/* For tests: limits the number of stacks. */
static void *stack_pages(void)
{
	static uint32_t stacks_given;

	if (ms_runtime_config.max_altstacks != 0 &&
	    __atomic_add_fetch(&stacks_given, 1, __ATOMIC_SEQ_CST) >
		    ms_runtime_config.max_altstacks)
		return NULL;
	return ms_runtime_map_pages(2 * half);
}

bool ms_signals_create_altstack(struct ms_runtime_thread *t)
{
	static uint32_t refused_times;

	ms_signals_install_altstack(t);
	if (ms_signals_get_altstack(t)->memspy_stack != 0)
		return true;
	if (__atomic_fetch_add(&refused_times, 1, __ATOMIC_SEQ_CST) == 0)
		ms_runtime_log_message(
			"memspy: thread %u was not observed, as there was no memory for the stack "
			"that memspy's signals need; others may not have been either",
			(uint64_t)t->number);
	return false;
}

/* A thread that runs on its alternate stack may not set another one: the next window tries
 * again. */
void ms_signals_install_altstack(struct ms_runtime_thread *t)
{
	struct ms_signals_altstack *a = ms_signals_get_altstack(t);
	struct ms_signals_kernel_stack own, was = none;

	if (a->memspy_stack == 0)
		a->memspy_stack = (uint64_t)stack_pages();
	if (!a->was_installed) {
		a->memspy_stack_size = 2 * half;
		a->program = a->disarmed = none;
	}
	own = get_memspy_stack(a);
	if (a->memspy_stack == 0 || ms_signals_call_sigaltstack(&own, &was) != 0)
		return;
	if (was.start == a->memspy_stack) {
		detect_return(a, was.start, was.size);
		return;
	}
	a->raw = a->was_installed;
	a->was_installed = true;
	a->program = clear_onstack(was);
}

void ms_signals_reset_altstack(struct ms_runtime_thread *t)
{
	struct ms_signals_altstack *a = ms_signals_get_altstack(t);

	*a = (struct ms_signals_altstack){ .memspy_stack = a->memspy_stack };
}

static bool is_restored(const struct ms_signals_altstack *a, bool for_good)
{
	return a->memspy_stack != 0 && (a->raw || for_good);
}

/*
 * The kernel does not change the alternate stack of a thread that is on it. On x86-64, Linux 6.12
 * and later check this before they restore the stack pointer of the frame. So the signal that ends
 * the window disarms memspy's stack.
 */
void ms_signals_prepare_altstack_restore(const struct ms_runtime_thread *t, bool for_good)
{
	const struct ms_signals_altstack *a = ms_signals_get_altstack(t);
	struct ms_signals_kernel_stack own = get_memspy_stack(a), now = none;

	if (!is_restored(a, for_good) || ms_signals_call_sigaltstack(NULL, &now) != 0 ||
	    now.start != a->memspy_stack)
		return;
	own.flags = MS_SIGNALS_STACK_AUTODISARM;
	ms_signals_call_sigaltstack(&own, NULL);
}

void ms_signals_restore_altstack_at(const struct ms_runtime_thread *t, uint64_t *uc, bool for_good)
{
	const struct ms_signals_altstack *a = ms_signals_get_altstack(t);

	if (!is_memspy_stack_set(a, uc) || !is_restored(a, for_good))
		return;
	uc[MS_SIGNALS_FRAME_STACK_START] = a->program.start;
	uc[MS_SIGNALS_FRAME_STACK_FLAGS] = a->program.flags;
	uc[MS_SIGNALS_FRAME_STACK_SIZE] = a->program.size;
}

/* A frame that is older than memspy's stack: the kernel must not install the stack that it
 * contains. */
void ms_signals_keep_altstack_at_return(const struct ms_runtime_thread *t, uint64_t *uc)
{
	if (!is_memspy_stack_set(ms_signals_get_altstack(t), uc))
		uc[MS_SIGNALS_FRAME_STACK_FLAGS] |= invalid_flag;
}

void ms_signals_remove_altstack(struct ms_runtime_thread *t)
{
	struct ms_signals_altstack *a = ms_signals_get_altstack(t);

	if (a->memspy_stack != 0)
		ms_signals_call_sigaltstack(&a->program, NULL);
}

static bool is_on(const struct ms_signals_kernel_stack *s, uint64_t sp)
{
	return s->size != 0 && (s->flags & MS_SIGNALS_STACK_AUTODISARM) == 0 && sp > s->start &&
	       sp - s->start <= s->size;
}

bool ms_signals_is_on_memspy_stack(const struct ms_runtime_thread *t, uint64_t sp)
{
	const struct ms_signals_altstack *a = ms_signals_get_altstack(t);

	return a->memspy_stack != 0 && sp > a->memspy_stack + half &&
	       sp <= a->memspy_stack + 2 * half;
}

/* --- sigaltstack() --- */

/* Whether the word is readable: the kernel copies the mask before it checks the operation. */
static bool can_read(const void *word)
{
	enum { NO_SUCH_CALL = 99 };

	return ms_runtime_syscall(__NR_rt_sigprocmask, NO_SUCH_CALL, (long)word, 0, 8, 0, 0) !=
	       BAD_ADDRESS;
}

/* The kernel checks the flags and the size; it does not check the start. */
static int64_t set_program_stack(struct ms_signals_altstack *a,
				 const struct ms_signals_kernel_stack *wanted,
				 struct ms_signals_kernel_stack *old)
{
	struct ms_signals_kernel_stack own = get_memspy_stack(a),
				       tried = { .start = a->memspy_stack }, now = none;
	int64_t result;

	if (!can_read(wanted) || !can_read((const uint8_t *)wanted + sizeof(*wanted) - WORD))
		return BAD_ADDRESS;
	tried.flags = wanted->flags;
	tried.size = wanted->size;
	result = ms_signals_call_sigaltstack(&tried, old);
	ms_signals_call_sigaltstack(&own, &now);
	if (result != 0 && result != BAD_ADDRESS)
		return result;
	now = clear_onstack(now);
	if ((now.flags & MS_SIGNALS_STACK_DISABLE) == 0)
		now.start = wanted->start;
	a->program = now;
	a->raw = false;
	return result;
}

int64_t ms_signals_emulate_sigaltstack(struct ms_runtime_thread *t, uint64_t sp,
				       const struct ms_signals_kernel_stack *wanted,
				       struct ms_signals_kernel_stack *old)
{
	struct ms_signals_altstack *a = ms_signals_get_altstack(t);
	uint64_t mask = block_signals();
	struct ms_signals_kernel_stack was = none;
	int64_t result;

	ms_signals_call_sigaltstack(NULL, &was);
	detect_return(a, was.start, was.size);
	/* The thread has no stack of memspy, or has set one by a raw system call. */
	if (a->memspy_stack == 0 || was.start != a->memspy_stack) {
		result = ms_signals_call_sigaltstack(wanted, old);
		set_signals(mask);
		return result;
	}
	was = a->program;
	if (is_on(&was, sp))
		was.flags |= MS_SIGNALS_STACK_ONSTACK;
	if (wanted == NULL)
		result = ms_signals_call_sigaltstack(NULL, old);
	else
		result = is_on(&was, sp) ? NOT_PERMITTED : set_program_stack(a, wanted, old);
	if (result == 0 && old != NULL)
		*old = was;
	set_signals(mask);
	return result;
}

int64_t ms_signals_forward_sigaltstack(const struct ms_runtime_thread *t,
				       const struct ms_signals_kernel_stack *wanted,
				       struct ms_signals_kernel_stack *old)
{
	struct ms_signals_altstack *a = ms_signals_get_altstack(t);
	int64_t result = ms_signals_call_sigaltstack(wanted, old);

	if (result == 0 && old != NULL && a->memspy_stack != 0 && old->start == a->memspy_stack)
		*old = a->program;
	return result;
}

/* --- where a handler runs --- */

static struct ms_signals_kernel_stack get_visible_stack(const struct ms_signals_altstack *a,
							const uint64_t *uc)
{
	if (is_memspy_stack_set(a, uc))
		return a->program;
	return (struct ms_signals_kernel_stack){ .start = uc[MS_SIGNALS_FRAME_STACK_START],
						 .flags =
							 (uint32_t)uc[MS_SIGNALS_FRAME_STACK_FLAGS],
						 .size = uc[MS_SIGNALS_FRAME_STACK_SIZE] };
}

/* The upper end of the stack for the frame. */
static uint64_t find_frame_top(const struct ms_signals_altstack *a,
			       const struct ms_signals_kernel_stack *s, const uint64_t *uc,
			       uint64_t flags)
{
	uint64_t sp = uc[MS_SIGNALS_UCONTEXT_SP] - MS_SIGNALS_RED_ZONE_BYTES;

	if ((flags & MS_SIGNALS_ACTION_ONSTACK) == 0 || is_on(s, sp))
		return sp;
	if (s->size != 0)
		return s->start + s->size;
	if (adopts_found_stacks && is_memspy_stack_set(a, uc) &&
	    (sp <= a->memspy_stack || sp > a->memspy_stack + half))
		return a->memspy_stack + half;
	return sp;
}

static void show_program_stack(struct ms_signals_altstack *a,
			       const struct ms_signals_kernel_stack *s, bool enters, uint64_t *copy)
{
	if (adopts_found_stacks && s->size == 0)
		return; /* it has found memspy's stack */
	if (enters && (s->flags & MS_SIGNALS_STACK_AUTODISARM) != 0) {
		copy[MS_SIGNALS_FRAME_STACK_SIZE] = get_other_size(a);
		a->disarmed = *s;
		a->program = none;
		return;
	}
	copy[MS_SIGNALS_FRAME_STACK_START] = s->start;
	copy[MS_SIGNALS_FRAME_STACK_FLAGS] = s->flags | invalid_flag;
	copy[MS_SIGNALS_FRAME_STACK_SIZE] = s->size;
}

static bool is_within(uint64_t start, uint64_t size, uint64_t at)
{
	return at >= start && at - start < size;
}

uint64_t *ms_signals_move_frame(struct ms_runtime_thread *t, uint64_t *uc, uint64_t flags,
				uint64_t ends)
{
	struct ms_signals_altstack *a = ms_signals_get_altstack(t);
	bool hidden = is_memspy_stack_set(a, uc);
	struct ms_signals_kernel_stack s;
	uint64_t top, *copy;

	if (hidden)
		detect_return(a, uc[MS_SIGNALS_FRAME_STACK_START], uc[MS_SIGNALS_FRAME_STACK_SIZE]);
	s = get_visible_stack(a, uc);
	top = find_frame_top(a, &s, uc, flags);
	bool enters = s.size != 0 && top == s.start + s.size;
	bool on_it = is_within(s.start, s.size, (uint64_t)uc);
	if (!hidden && on_it == (enters || is_on(&s, top)))
		return NULL;
	if ((enters || is_on(&s, top)) && ms_signals_is_frame_size_checked() &&
	    ms_signals_find_frame_start(uc, top) < s.start)
		ms_signals_end_program_by(SIG_SEGV);
	copy = ms_signals_copy_frame(uc, top, ends);
	if (hidden)
		show_program_stack(a, &s, enters, copy);
	return copy;
}

bool ms_signals_enter_handler(struct ms_runtime_thread *t,
			      const struct ms_signals_sigaction *action, int signal, uint64_t *uc,
			      uint64_t ends)
{
	uint64_t *copy = ms_signals_move_frame(t, uc, action->flags, ends);

	if (copy == NULL)
		return false;
	ms_signals_enter_copied_frame(uc, copy, signal, action->handler, ends);
	uc[MS_SIGNALS_UCONTEXT_MASK] |= action->mask;
	if ((action->flags & MS_SIGNALS_ACTION_NODEFER) == 0)
		uc[MS_SIGNALS_UCONTEXT_MASK] |= UINT64_C(1) << (signal - 1);
	return true;
}

/* --- sigaltstack() of a program that is not traced --- */

static void set_errno(int error)
{
	typedef int *errno_address(void);
	static errno_address *find;
	const char *object;

	if (find == NULL)
		find = (errno_address *)(uintptr_t)ms_maps_find_next_function("__errno_location",
									      &object);
	if (find != NULL)
		*find() = error;
}

int ms_signals_native_sigaltstack(const struct ms_signals_kernel_stack *wanted,
				  struct ms_signals_kernel_stack *old);
MS_RUNTIME_CALLS_PROGRAM int
ms_signals_native_sigaltstack(const struct ms_signals_kernel_stack *wanted,
			      struct ms_signals_kernel_stack *old)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();
	uint64_t sp = (uint64_t)__builtin_frame_address(0);
	bool known = t->thread_pointer == ms_runtime_get_thread_pointer() &&
		     ms_signals_get_altstack(t)->memspy_stack != 0;
	int64_t result;

	if (known && ms_runtime_active && !ms_signals_are_timers_stopped() &&
	    ms_signals_is_sampled(t))
		result = ms_signals_emulate_sigaltstack(t, sp, wanted, old);
	else
		result = known ? ms_signals_forward_sigaltstack(t, wanted, old)
			       : ms_signals_call_sigaltstack(wanted, old);
	if (result == 0)
		return 0;
	set_errno((int)-result);
	return -1;
}
