/*
 * pin.c - keeps threads that take turns on one processor of the host.
 *
 * Only one of them runs at a time. If the host has idle processors, the kernel moves a woken thread
 * to one of these, and an idle processor of a virtual machine takes tens of microseconds to wake
 * up: longer than a turn of some thousand words. So a thread that hands over binds the next one to
 * its own processor. From time to time one runs unbound, so that the kernel can move all of them to
 * a better place.
 *
 * The program does not notice: threads have their own affinity whenever the program reads or
 * changes it, and when it creates threads or processes, or executes another program.
 */
#include "turns.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_vkiscnums.h"

#include "syscall.h"

enum {
	SPARE = 4,    /* processors of the host: with fewer, memspy's processes need the others */
	LET_GO = 256, /* turns */
};

static Bool on;
static UInt turns;

static Bool get(Int lwp, struct processors_allowed *mask)
{
	VG_(memset)(mask, 0, sizeof(*mask));
	return raw_syscall(__NR_sched_getaffinity, lwp, sizeof(mask->word), (Word)mask->word, 0, 0,
			   0) > 0;
}

static Bool set(Int lwp, const struct processors_allowed *mask)
{
	return raw_syscall(__NR_sched_setaffinity, lwp, sizeof(mask->word), (Word)mask->word, 0, 0,
			   0) == 0;
}

static struct processors_allowed only(UInt processor)
{
	struct processors_allowed mask = { { 0 } };

	mask.word[processor / 64] = 1ULL << processor % 64;
	return mask;
}

static UInt count(const struct processors_allowed *mask)
{
	UInt n = 0;

	for (UInt i = 0; i < MS_WIRE_MAX_PROCESSORS / 64; i++)
		n += __builtin_popcountll(mask->word[i]);
	return n;
}

void ms_pin_start(void)
{
	struct processors_allowed mine;

	on = get(0, &mine) && count(&mine) >= SPARE;
}

/* The processor on which this runs; False: unknown, or too high a number. */
static Bool here(UInt *processor)
{
	return raw_syscall(__NR_getcpu, (Word)processor, 0, 0, 0, 0, 0) == 0 &&
	       *processor < MS_WIRE_MAX_PROCESSORS;
}

static void bind(struct turn *t, UInt processor)
{
	struct processors_allowed mask = only(processor);

	if (t->pinned == 0 && !get(t->lwp, &t->allowed))
		return;
	if ((t->allowed.word[processor / 64] & mask.word[processor / 64]) != 0 &&
	    set(t->lwp, &mask))
		t->pinned = processor + 1;
}

void ms_pin_next(ThreadId next)
{
	UInt processor;

	if (on && next != 0 && ms_turns[next].lwp != 0 && here(&processor) &&
	    ms_turns[next].pinned != processor + 1)
		bind(&ms_turns[next], processor);
}

/* Another process may have bound it meanwhile; then that stays. */
static void let_go(struct turn *t)
{
	struct processors_allowed now, bound;

	if (t->pinned == 0)
		return;
	bound = only(t->pinned - 1);
	t->pinned = 0;
	if (get(t->lwp, &now) && VG_(memcmp)(&now, &bound, sizeof(now)) == 0)
		set(t->lwp, &t->allowed);
}

void ms_pin_begin(ThreadId tid)
{
	if (on && ++turns % LET_GO == 0)
		let_go(&ms_turns[tid]);
}

/* Calls whose result depends on a thread's affinity, or that pass it on. */
static Bool shows(UInt number)
{
	return number == __NR_clone || number == __NR_execve || number == __NR_execveat ||
	       number == __NR_sched_getaffinity || number == __NR_sched_setaffinity
#ifdef __NR_fork
	       || number == __NR_fork || number == __NR_vfork
#endif
		;
}

void ms_pin_call(UInt number)
{
	if (!on || !shows(number))
		return;
	for (ThreadId tid = 1; tid <= ms_turns_most; tid++)
		if (ms_turns[tid].state != TURN_NONE)
			let_go(&ms_turns[tid]);
}
