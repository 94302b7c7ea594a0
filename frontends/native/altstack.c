/*
 * altstack.c - see altstack.h. memspy's signals may interrupt a thread anywhere: on a coroutine's
 * stack of 4 KB, which has no room for a signal frame (4.7 KB on aarch64, up to 11 KB on x86-64),
 * or on the program's alternate stack, which may be as small. So every thread has an alternate
 * stack of memspy in the kernel, for its whole life, and all handlers of memspy run there
 * (SA_ONSTACK). A handler of the program with SA_ONSTACK begins there, too (ms_signal_entry): its
 * frame is copied to the stack that the kernel would have used without memspy, and the handler is
 * entered there. From then on memspy's stack is free again, whether the handler returns, jumps or
 * switches to another stack.
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
#include "altstack.h"

#include "action.h"
#include "runtime/config.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "sigframe.h"
#include "sys.h"
#include "ucontext.h"

enum { HALF = 64 << 10, ROOM = 48 << 10, SIG_SEGV = 11 };
enum { NOT_PERMITTED = -1, BAD_ADDRESS = -14, WORD = 8 };
enum { BLOCK = 0, SET = 2 };
/* Not a flag of sigaltstack(): with it, sigreturn leaves the alternate stack unchanged. */
static const uint64_t refused = 1u << 30;
static const struct ms_sigstack none = { .flags = MS_SIGSTACK_NONE };

static uint64_t half = HALF; /* half the size of memspy's stacks, in bytes */
static bool is_adopted;      /* the program adopts stacks that it finds, as Go does */

/* --- the program --- */

/* As in <elf.h>. */
struct segment {
	uint32_t type, flags;
	uint64_t offset, address, physical, size, memory, align;
};
struct note {
	uint32_t name, content, type;
};
enum { SEGMENT_NOTE = 4, SEGMENT_SELF = 6 };

static bool is_go_note(const uint8_t *at, const uint8_t *end)
{
	while (at + sizeof(struct note) + 4 <= end) {
		const struct note *n = (const struct note *)at;
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
void ms_altstack_start(void)
{
	enum { HERE = -100, CLOSE_ON_EXEC = 02000000, PAIRS = 64 };
	enum { SEGMENTS = 3, SEGMENT_COUNT = 5, FRAME_SIZE = 51 };
	uint64_t pairs[PAIRS][2], segments = 0, count = 0;
	long fd = ms_sys(__NR_openat, HERE, (long)"/proc/self/auxv", CLOSE_ON_EXEC, 0, 0, 0);
	long bytes = fd < 0 ? 0 : ms_sys(SYS_read, fd, (long)pairs, sizeof(pairs), 0, 0, 0);

	if (fd >= 0)
		ms_sys(SYS_close, fd, 0, 0, 0, 0, 0);
	for (long i = 0; i < bytes / (long)sizeof(pairs[0]); i++) {
		if (pairs[i][0] == SEGMENTS)
			segments = pairs[i][1];
		else if (pairs[i][0] == SEGMENT_COUNT)
			count = pairs[i][1];
		else if (pairs[i][0] == FRAME_SIZE && pairs[i][1] + ROOM > half)
			half = (pairs[i][1] + ROOM + MS_PAGE - 1) & -(uint64_t)MS_PAGE;
	}
	is_adopted = segments != 0 && is_go((const struct segment *)segments, count);
}

/* --- the stack of a thread --- */

static struct ms_sigstack own_of(const struct ms_altstack *a)
{
	return (struct ms_sigstack){ .start = a->own, .size = a->own_size };
}

/* Whether the kernel's alternate stack is memspy's, so that the program's is another one. */
static bool is_hidden(const struct ms_altstack *a, const uint64_t *uc)
{
	return a->own != 0 && uc[MS_SIGFRAME_STACK_START] == a->own;
}

static uint64_t block_signals(void)
{
	static const uint64_t everything = ~0ull;
	uint64_t mask = 0;

	ms_sys(__NR_rt_sigprocmask, BLOCK, (long)&everything, (long)&mask, 8, 0, 0);
	return mask;
}

static void set_signals(uint64_t mask)
{
	ms_sys(__NR_rt_sigprocmask, SET, (long)&mask, 0, 8, 0, 0);
}

/* The kernel's SS_ONSTACK is about memspy's stack; the program must get the flag for its own. */
static struct ms_sigstack without_on(struct ms_sigstack s)
{
	s.flags &= ~(uint32_t)MS_SIGSTACK_ON;
	s.pad = 0;
	return s;
}

/*
 * A stack with SS_AUTODISARM is set again when the handler returns. To detect the return, the frame
 * contains memspy's stack with another size, which the kernel then reports.
 */
static void look_for_return(struct ms_altstack *a, uint64_t start, uint64_t size)
{
	if (start != a->own || size == a->own_size)
		return;
	a->own_size = size;
	if (a->disarmed.size != 0)
		a->program = a->disarmed;
	a->disarmed = none;
}

static uint64_t other_size(const struct ms_altstack *a)
{
	return a->own_size == 2 * half ? 2 * half - 16 : 2 * half;
}

/* For tests: limits the number of stacks. */
static void *stack_pages(void)
{
	static uint32_t given;

	if (ms_config.altstacks != 0 &&
	    __atomic_add_fetch(&given, 1, __ATOMIC_SEQ_CST) > ms_config.altstacks)
		return NULL;
	return ms_pages(2 * half);
}

bool ms_altstack_make(struct ms_thread *t)
{
	static uint32_t refused_times;

	ms_altstack_install(t);
	if (t->altstack.own != 0)
		return true;
	if (__atomic_fetch_add(&refused_times, 1, __ATOMIC_SEQ_CST) == 0)
		ms_say("memspy: thread %u was not observed, as there was no memory for the stack "
		       "that memspy's signals need; others may not have been either",
		       (uint64_t)t->number);
	return false;
}

/* A thread that runs on its alternate stack may not set another one: the next window tries
 * again. */
void ms_altstack_install(struct ms_thread *t)
{
	struct ms_altstack *a = &t->altstack;
	struct ms_sigstack own, was = none;

	if (a->own == 0)
		a->own = (uint64_t)stack_pages();
	if (!a->own_known) {
		a->own_size = 2 * half;
		a->program = a->disarmed = none;
	}
	own = own_of(a);
	if (a->own == 0 || ms_sigstack_call(&own, &was) != 0)
		return;
	if (was.start == a->own) {
		look_for_return(a, was.start, was.size);
		return;
	}
	a->raw = a->own_known;
	a->own_known = true;
	a->program = without_on(was);
}

void ms_altstack_close(const struct ms_thread *t, uint64_t *uc, bool for_good)
{
	const struct ms_altstack *a = &t->altstack;

	if (!is_hidden(a, uc) || !(a->raw || for_good))
		return;
	uc[MS_SIGFRAME_STACK_START] = a->program.start;
	uc[MS_SIGFRAME_STACK_FLAGS] = a->program.flags;
	uc[MS_SIGFRAME_STACK_SIZE] = a->program.size;
}

/* A frame that is older than memspy's stack: the kernel must not install the stack that it
 * contains. */
void ms_altstack_return(const struct ms_thread *t, uint64_t *uc)
{
	if (!is_hidden(&t->altstack, uc))
		uc[MS_SIGFRAME_STACK_FLAGS] |= refused;
}

void ms_altstack_remove(struct ms_thread *t)
{
	if (t->altstack.own != 0)
		ms_sigstack_call(&t->altstack.program, NULL);
}

static bool is_on(const struct ms_sigstack *s, uint64_t sp)
{
	return s->size != 0 && (s->flags & MS_SIGSTACK_AUTODISARM) == 0 && sp > s->start &&
	       sp - s->start <= s->size;
}

bool ms_altstack_is_ours(const struct ms_thread *t, uint64_t sp)
{
	const struct ms_altstack *a = &t->altstack;

	return a->own != 0 && sp > a->own + half && sp <= a->own + 2 * half;
}

/* --- sigaltstack() --- */

/* Whether the word is readable: the kernel copies the mask before it checks the operation. */
static bool can_read(const void *word)
{
	enum { NO_SUCH_CALL = 99 };

	return ms_sys(__NR_rt_sigprocmask, NO_SUCH_CALL, (long)word, 0, 8, 0, 0) != BAD_ADDRESS;
}

/* The kernel checks the flags and the size; it does not check the start. */
static int64_t set(struct ms_altstack *a, const struct ms_sigstack *wanted, struct ms_sigstack *old)
{
	struct ms_sigstack own = own_of(a), tried = { .start = a->own }, now = none;
	int64_t result;

	if (!can_read(wanted) || !can_read((const uint8_t *)wanted + sizeof(*wanted) - WORD))
		return BAD_ADDRESS;
	tried.flags = wanted->flags;
	tried.size = wanted->size;
	result = ms_sigstack_call(&tried, old);
	ms_sigstack_call(&own, &now);
	if (result != 0 && result != BAD_ADDRESS)
		return result;
	now = without_on(now);
	if ((now.flags & MS_SIGSTACK_NONE) == 0)
		now.start = wanted->start;
	a->program = now;
	a->raw = false;
	return result;
}

int64_t ms_altstack_call(struct ms_thread *t, uint64_t sp, const struct ms_sigstack *wanted,
			 struct ms_sigstack *old)
{
	struct ms_altstack *a = &t->altstack;
	uint64_t mask = block_signals();
	struct ms_sigstack was = none;
	int64_t result;

	ms_sigstack_call(NULL, &was);
	look_for_return(a, was.start, was.size);
	/* The thread has no stack of memspy, or has set one by a raw system call. */
	if (a->own == 0 || was.start != a->own) {
		result = ms_sigstack_call(wanted, old);
		set_signals(mask);
		return result;
	}
	was = a->program;
	if (is_on(&was, sp))
		was.flags |= MS_SIGSTACK_ON;
	if (wanted == NULL)
		result = ms_sigstack_call(NULL, old);
	else
		result = is_on(&was, sp) ? NOT_PERMITTED : set(a, wanted, old);
	if (result == 0 && old != NULL)
		*old = was;
	set_signals(mask);
	return result;
}

int64_t ms_altstack_pass(const struct ms_thread *t, const struct ms_sigstack *wanted,
			 struct ms_sigstack *old)
{
	int64_t result = ms_sigstack_call(wanted, old);

	if (result == 0 && old != NULL && t->altstack.own != 0 && old->start == t->altstack.own)
		*old = t->altstack.program;
	return result;
}

/* --- where a handler runs --- */

static struct ms_sigstack stack_seen(const struct ms_altstack *a, const uint64_t *uc)
{
	if (is_hidden(a, uc))
		return a->program;
	return (struct ms_sigstack){ .start = uc[MS_SIGFRAME_STACK_START],
				     .flags = (uint32_t)uc[MS_SIGFRAME_STACK_FLAGS],
				     .size = uc[MS_SIGFRAME_STACK_SIZE] };
}

/* The upper end of the stack for the frame. */
static uint64_t top_for(const struct ms_altstack *a, const struct ms_sigstack *s,
			const uint64_t *uc, uint64_t flags)
{
	uint64_t sp = uc[MS_UCONTEXT_SP] - MS_UCONTEXT_RED_ZONE;

	if ((flags & MS_ACTION_ONSTACK) == 0 || is_on(s, sp))
		return sp;
	if (s->size != 0)
		return s->start + s->size;
	if (is_adopted && is_hidden(a, uc) && (sp <= a->own || sp > a->own + half))
		return a->own + half;
	return sp;
}

static void show(struct ms_altstack *a, const struct ms_sigstack *s, bool enters, uint64_t *copy)
{
	if (is_adopted && s->size == 0)
		return; /* it has found memspy's stack */
	if (enters && (s->flags & MS_SIGSTACK_AUTODISARM) != 0) {
		copy[MS_SIGFRAME_STACK_SIZE] = other_size(a);
		a->disarmed = *s;
		a->program = none;
		return;
	}
	copy[MS_SIGFRAME_STACK_START] = s->start;
	copy[MS_SIGFRAME_STACK_FLAGS] = s->flags | refused;
	copy[MS_SIGFRAME_STACK_SIZE] = s->size;
}

static bool is_within(uint64_t start, uint64_t size, uint64_t at)
{
	return at >= start && at - start < size;
}

uint64_t *ms_altstack_move(struct ms_thread *t, uint64_t *uc, uint64_t flags, uint64_t ends)
{
	struct ms_altstack *a = &t->altstack;
	bool hidden = is_hidden(a, uc);
	struct ms_sigstack s;
	uint64_t top, *copy;

	if (hidden)
		look_for_return(a, uc[MS_SIGFRAME_STACK_START], uc[MS_SIGFRAME_STACK_SIZE]);
	s = stack_seen(a, uc);
	top = top_for(a, &s, uc, flags);
	bool enters = s.size != 0 && top == s.start + s.size;
	bool on_it = is_within(s.start, s.size, (uint64_t)uc);
	if (!hidden && on_it == (enters || is_on(&s, top)))
		return NULL;
	if ((enters || is_on(&s, top)) && ms_sigframe_is_checked() &&
	    ms_sigframe_below(uc, top) < s.start)
		ms_action_end_by(SIG_SEGV);
	copy = ms_sigframe_copy(uc, top, ends);
	if (hidden)
		show(a, &s, enters, copy);
	return copy;
}

bool ms_altstack_enter(struct ms_thread *t, const struct ms_action *action, int signal,
		       uint64_t *uc, uint64_t ends)
{
	uint64_t *copy = ms_altstack_move(t, uc, action->flags, ends);

	if (copy == NULL)
		return false;
	ms_sigframe_enter(uc, copy, signal, action->handler, ends);
	uc[MS_UCONTEXT_MASK] |= action->mask;
	if ((action->flags & MS_ACTION_NODEFER) == 0)
		uc[MS_UCONTEXT_MASK] |= UINT64_C(1) << (signal - 1);
	return true;
}
