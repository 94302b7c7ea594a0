/* thread_lifetimes.c - creation and end of threads, where several processors are simulated. */
#include "thread_lifetimes.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "call_paths.h"
#include "lane.h"
#include "processor_assignment.h"
#include "syscalls.h"
#include "time_slices.h"

/* In the library, but not in its public headers. */
extern UInt VG_N_THREADS;

struct ms_vg_thread *ms_vg_threads;
ThreadId ms_vg_threads_highest;
UInt ms_vg_threads_live;

void ms_vg_threads_start(void)
{
	ms_vg_threads = VG_(calloc)("memspy.threads", VG_N_THREADS, sizeof(*ms_vg_threads));
}

static void add_thread(ThreadId tid, ULong time)
{
	struct ms_vg_thread *t = &ms_vg_threads[tid];

	VG_(memset)(t, 0, sizeof(*t));
	t->state = MS_VG_THREAD_AWAY;
	t->moving = True;
	t->woken_by = MS_WIRE_NO_THREAD;
	t->time = time;
	t->reason = MS_WIRE_WAIT_OTHER;
	t->processor = ms_vg_assign_processor(tid);
	if (tid > ms_vg_threads_highest)
		ms_vg_threads_highest = tid;
	ms_vg_threads_live++;
}

void ms_vg_threads_set_next_start(ThreadId tid, Addr function)
{
	if (ms_vg_threads != NULL)
		ms_vg_threads[tid].next_start = function;
}

void ms_vg_threads_create(ThreadId parent, ThreadId child)
{
	if (ms_vg_threads == NULL)
		return;
	ms_vg_slice_count();
	struct ms_vg_thread *from = parent != VG_INVALID_THREADID ? &ms_vg_threads[parent] : NULL;
	add_thread(child, from != NULL ? from->time : 0);
	ms_vg_threads[child].cleared = from != NULL ? ms_vg_syscalls_clear_tid_word() : 0;
	ms_vg_threads[child].creator = from != NULL ? parent : MS_WIRE_NO_THREAD;
	if (from != NULL && from->bound)
		ms_vg_assign_bind(&ms_vg_threads[child], from->affinity);
	if (from != NULL) {
		ms_vg_threads[child].start = from->next_start;
		from->next_start = 0;
	}
	ms_vg_slice_resume();
}

UInt ms_vg_threads_creator(ThreadId tid)
{
	return ms_vg_threads != NULL ? ms_vg_threads[tid].creator : MS_WIRE_NO_THREAD;
}

/* Its start has been sent in the stream. */
void ms_vg_threads_set_sent(ThreadId tid)
{
	if (ms_vg_threads == NULL)
		return;
	struct ms_vg_thread *t = &ms_vg_threads[tid];

	t->started = True;
	if (t->bound)
		ms_vg_assign_send(tid, t->affinity);
	if (t->start != 0) {
		ULong path = ms_vg_path_number(&t->start, 1);

		ms_vg_lane_write_event(MS_WIRE_THREAD_AT, tid, &path, 1, NULL, 0);
	}
}

/* It is about to end; or it has never begun, if its creation failed. */
void ms_vg_threads_end(ThreadId tid)
{
	if (ms_vg_threads == NULL)
		return;
	struct ms_vg_thread *t = &ms_vg_threads[tid];

	ms_vg_threads_live--;
	t->started = False;
	t->ends = True;
	t->spins = False;
	ms_vg_slice_hands_over = False;
	if (t->lwp == 0)
		t->state = MS_VG_THREAD_NONE;
}

void ms_vg_threads_after_fork(void)
{
	ThreadId tid = VG_(get_running_tid)();
	struct ms_vg_thread me = ms_vg_threads[tid];

	ms_vg_lane_after_fork();
	for (ThreadId other = 1; other <= ms_vg_threads_highest; other++)
		ms_vg_threads[other].state = MS_VG_THREAD_NONE;
	ms_vg_threads[tid] = me;
	ms_vg_threads[tid].lwp = VG_(gettid)();
	ms_vg_threads[tid].state = MS_VG_THREAD_AWAY;
	ms_vg_threads[tid].moving = False;
	ms_vg_threads[tid].started = False;
	ms_vg_threads[tid].slices = 0;
	ms_vg_threads[tid].waits = False;
	ms_vg_threads[tid].creator = MS_WIRE_NO_THREAD;
	ms_vg_threads[tid].executed = 0;
	ms_vg_threads[tid].clock_sent = 0;
	ms_vg_slice_after_fork();
	ms_vg_threads_live = 1;
}
