/*
 * host_affinity.c - keeps threads that run one at a time on one processor of the host.
 *
 * Only one of them runs at a time. If the host has idle processors, the kernel moves a woken thread
 * to one of these, and an idle processor of a virtual machine takes tens of microseconds to wake
 * up: longer than a time slice of some thousand words. So a thread that hands over binds the next
 * one to its own processor. From time to time one runs unbound, so that the kernel can move all of
 * them to a better place.
 *
 * The program does not notice: threads have their own affinity whenever the program reads or
 * changes it, and when it creates threads or processes, or executes another program.
 */
#include "host_affinity.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_vkiscnums.h"

#include "syscall.h"
#include "thread_lifetimes.h"

enum {
	SPARE = 4, /* processors of the host: with fewer, memspy's processes need the others */
	UNBIND_SLICES = 256, /* time slices */
};

static Bool on;
static UInt slices;

static Bool get(Int lwp, struct ms_vg_cpu_mask *mask)
{
	VG_(memset)(mask, 0, sizeof(*mask));
	return raw_syscall(__NR_sched_getaffinity, lwp, sizeof(mask->word), (Word)mask->word, 0, 0,
			   0) > 0;
}

static Bool set(Int lwp, const struct ms_vg_cpu_mask *mask)
{
	return raw_syscall(__NR_sched_setaffinity, lwp, sizeof(mask->word), (Word)mask->word, 0, 0,
			   0) == 0;
}

static struct ms_vg_cpu_mask only(UInt processor)
{
	struct ms_vg_cpu_mask mask = { { 0 } };

	mask.word[processor / 64] = 1ULL << processor % 64;
	return mask;
}

static UInt count(const struct ms_vg_cpu_mask *mask)
{
	UInt n = 0;

	for (UInt i = 0; i < MS_WIRE_MAX_PROCESSORS / 64; i++)
		n += __builtin_popcountll(mask->word[i]);
	return n;
}

void ms_vg_pin_start(void)
{
	struct ms_vg_cpu_mask mine;

	on = get(0, &mine) && count(&mine) >= SPARE;
}

/* The processor on which this runs; False: unknown, or too high a number. */
static Bool here(UInt *processor)
{
	return raw_syscall(__NR_getcpu, (Word)processor, 0, 0, 0, 0, 0) == 0 &&
	       *processor < MS_WIRE_MAX_PROCESSORS;
}

static void bind(struct ms_vg_thread *t, UInt processor)
{
	struct ms_vg_cpu_mask mask = only(processor);

	if (t->pinned == 0 && !get(t->lwp, &t->allowed))
		return;
	if ((t->allowed.word[processor / 64] & mask.word[processor / 64]) != 0 &&
	    set(t->lwp, &mask))
		t->pinned = processor + 1;
}

void ms_vg_pin_next(ThreadId next)
{
	UInt processor;

	if (on && next != 0 && ms_vg_threads[next].lwp != 0 && here(&processor) &&
	    ms_vg_threads[next].pinned != processor + 1)
		bind(&ms_vg_threads[next], processor);
}

/* Another process may have bound it meanwhile; then that stays. */
static void unbind(struct ms_vg_thread *t)
{
	struct ms_vg_cpu_mask now, bound;

	if (t->pinned == 0)
		return;
	bound = only(t->pinned - 1);
	t->pinned = 0;
	if (get(t->lwp, &now) && VG_(memcmp)(&now, &bound, sizeof(now)) == 0)
		set(t->lwp, &t->allowed);
}

void ms_vg_pin_begin(ThreadId tid)
{
	if (on && ++slices % UNBIND_SLICES == 0)
		unbind(&ms_vg_threads[tid]);
}

/* Calls whose result depends on a thread's affinity, or that pass it on. */
static Bool depends_on_affinity(UInt number)
{
	return number == __NR_clone || number == __NR_execve || number == __NR_execveat ||
	       number == __NR_sched_getaffinity || number == __NR_sched_setaffinity
#ifdef __NR_fork
	       || number == __NR_fork || number == __NR_vfork
#endif
		;
}

void ms_vg_pin_before_syscall(UInt number)
{
	if (!on || !depends_on_affinity(number))
		return;
	for (ThreadId tid = 1; tid <= ms_vg_threads_highest; tid++)
		if (ms_vg_threads[tid].state != MS_VG_THREAD_NONE)
			unbind(&ms_vg_threads[tid]);
}
