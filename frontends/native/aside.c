/*
 * aside.c - see aside.h. A frame of the kernel's has all registers of the processor in it: some
 * 4.7 KB on aarch64 without SVE, up to 11 KB on x86-64. The timer's signal may come at any time,
 * and a stack of 8 KB with a handler on it has no room for a second frame: the kernel would end the
 * program.
 *
 * So the kernel is told of a stack of ours in place of a small one. It is always the same one for
 * the same address, and is never given back: who makes coroutines that way goes on running on it,
 * long after another stack was set aside. The program sees the one that it has set.
 *
 * And until another one is set, the timer's frame would be put where the coroutine's is. So for a
 * while the timer does without: the program makes that call from a stack with room enough.
 */
#include "aside.h"

#include "runtime.h"
#include "sys.h"

/* 32 KB is what Go's runtime has: it makes the system call itself, and looks where it is. */
enum { ENOUGH = 32 << 10, SIZE = 96 << 10 };
/* A thread with a stack below that has another one for the timer's frame. */
enum { SMALL_THREAD = 128 << 10, SIZE_THREAD = 64 << 10 };

struct larger {
	struct larger *next;
	uint64_t start, size; /* the program's */
};
enum { BEHIND = 2 * MS_PAGE }; /* one that cannot be used: a handler that recurses ends there */
static struct larger *all;

/* --- larger ones --- */

static uint64_t place_of(const struct larger *l)
{
	return (uint64_t)l + BEHIND;
}

static struct larger *make(uint64_t start)
{
	struct larger *l = ms_pages(BEHIND + SIZE);

	if (l == NULL)
		return NULL;
	ms_sys(__NR_mprotect, (long)l + MS_PAGE, MS_PAGE, 0 /* nothing */, 0, 0, 0);
	l->start = start;
	l->next = __atomic_load_n(&all, __ATOMIC_SEQ_CST);
	while (!__atomic_compare_exchange_n(&all, &l->next, l, false, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST))
		;
	return l;
}

static struct larger *larger_than(const struct ms_aside *small)
{
	struct larger *l = __atomic_load_n(&all, __ATOMIC_SEQ_CST);

	while (l != NULL && l->start != small->start)
		l = l->next;
	if (l == NULL)
		l = make(small->start);
	if (l != NULL)
		l->size = small->size;
	return l;
}

static void enlarge(struct ms_aside *now)
{
	const struct larger *l = now->size < ENOUGH ? larger_than(now) : NULL;

	if (l == NULL)
		return;
	now->start = place_of(l);
	now->size = SIZE;
	ms_aside_set(now, NULL);
}

/* --- one that was set just now --- */

enum { PROCESS_CLOCK = 2, A_WHILE = 20 * 1000 * 1000 };
static uint64_t set_at; /* 0: a while ago */
static bool needed;     /* there was a thread that cannot do without */

static bool is_small(const struct ms_thread *t)
{
	return t->stack_end - t->stack <= SMALL_THREAD;
}

static void do_without(void)
{
	if (__atomic_load_n(&needed, __ATOMIC_SEQ_CST))
		return;
	if (__atomic_exchange_n(&set_at, ms_timer_clock(PROCESS_CLOCK), __ATOMIC_SEQ_CST) == 0)
		ms_timer_take(false);
}

static void do_with(void)
{
	if (__atomic_exchange_n(&set_at, 0, __ATOMIC_SEQ_CST) != 0)
		ms_timer_take(true);
}

void ms_aside_expired(void)
{
	uint64_t then = __atomic_load_n(&set_at, __ATOMIC_SEQ_CST);

	if (then != 0 && ms_timer_clock(PROCESS_CLOCK) - then > A_WHILE)
		do_with();
}

/* --- a thread's --- */

/* It stays when the timer ends, as handlers of the program's may use it then. */
static void set_own(struct ms_thread *t)
{
	struct ms_aside ours = { .size = SIZE_THREAD };

	if (!is_small(t))
		return;
	if (t->timer.stack == NULL)
		t->timer.stack = ms_pages(SIZE_THREAD);
	ours.start = (uint64_t)t->timer.stack;
	if (ours.start == 0)
		return;
	__atomic_store_n(&needed, true, __ATOMIC_SEQ_CST);
	do_with();
	ms_aside_set(&ours, NULL);
}

void ms_aside_check(struct ms_thread *t)
{
	struct ms_aside now;

	if (ms_aside_set(NULL, &now) != 0 || (now.flags & MS_ASIDE_ON) != 0)
		return;
	if ((now.flags & MS_ASIDE_NONE) == 0)
		enlarge(&now);
	else if (t != NULL)
		set_own(t);
}

/* With the timer's signal blocked, until there is room for it. */
int64_t ms_aside_call(const struct ms_aside *wanted, struct ms_aside *old)
{
	enum { BLOCK = 0, SET = 2 };
	static const uint64_t everything = ~0ull;
	struct ms_thread *t = ms_self(); /* or its maker's */
	bool timed = t->pointer == ms_thread_pointer() && t->timer.made;
	uint64_t mask;
	int64_t result;

	if (wanted == NULL || !ms_timer_is_on() || ms_timer_has_left())
		return ms_aside_set(wanted, old);
	ms_sys(__NR_rt_sigprocmask, BLOCK, (long)&everything, (long)&mask, 8, 0, 0);
	result = ms_aside_set(wanted, old);
	if (result == 0)
		ms_aside_check(timed ? t : NULL);
	if (result == 0 && timed && (wanted->flags & MS_ASIDE_NONE) == 0 && !is_small(t))
		do_without();
	ms_sys(__NR_rt_sigprocmask, SET, (long)&mask, 0, 8, 0, 0);
	return result;
}

void ms_aside_disguise(struct ms_aside *stack)
{
	const struct ms_thread *t = ms_self();
	const struct larger *l = __atomic_load_n(&all, __ATOMIC_SEQ_CST);

	while (l != NULL && place_of(l) != stack->start)
		l = l->next;
	if (l != NULL) {
		stack->start = l->start;
		stack->size = l->size;
	} else if (stack->start != 0 && t->pointer == ms_thread_pointer() &&
		   stack->start == (uint64_t)t->timer.stack) {
		*stack = (struct ms_aside){ .flags = MS_ASIDE_NONE };
	}
}
