/*
 * time_slices.c - decides which thread runs when more than one processor is simulated, and for how
 * long.
 *
 * Each thread has a virtual time: the instructions it has executed, and waiting. A last_wake thread
 * continues at the time of its waker at the earliest. The ready thread with the least virtual time
 * runs until it has filled a number of words of the lane, which a seed varies: some thousand
 * instructions, or some hundred while threads spin. Threads of one processor share it in time
 * quanta. A spinning thread waits until something that it reads is changed.
 *
 * Not modelled: stalls. The cost of a reference is known in another process, and later.
 *
 * Nothing here depends on the clock, or on the kernel's scheduling: with the same seed, a program
 * without external communication has the same time slices. scheduler_lock.c ensures that.
 */
#include "time_slices.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "address_space.h"
#include "call_paths.h"
#include "contended_lines.h"
#include "guest.h"
#include "host_affinity.h"
#include "lane.h"
#include "processor_assignment.h"
#include "settled_threads.h"
#include "spin_detection.h"
#include "syscalls.h"
#include "thread_lifetimes.h"
#include "track_merge.h"
#include "windows.h"

/* In the library, but not in its public headers. */
extern Bool VG_(is_exiting)(ThreadId tid);

enum {
	/* Words of a time slice: from so many, to nearly twice as many ... */
	SLICE_WORDS = 2048,
	/* ... doubled up to so many times, as long as hardly any lines become contended: what is
	 * lost until that is noticed is then a small part of all ... */
	MOST_DOUBLED = 3,
	/* ... for the first time after so many time slices, four times as many for each further
	 * time; each newly contended line reduces it ... */
	QUIET_SLICES = 64,
	MOST_UNREST = QUIET_SLICES << 2 * (MOST_DOUBLED - 1),
	FOUND_UNREST = 16,
	/*
	 * ... and so many while a thread spins with writes, or did recently. If threads spin that
	 * only read, the same number of words passes between checks whether they see what they wait
	 * for; until then the time slice continues, for as many instructions.
	 */
	SHORT_WORDS = 128,
	RECENT = 16, /* time slices */
	SLICE_INSTRUCTIONS = 4000,
	LONE_SLICES = 8,      /* consecutive time slices of a thread while no other is ready */
	QUANTUM = 200 * 1000, /* instructions, where threads share a processor */
	LAST_PLACED = 16,     /* time slices after which a thread's pc is not sent any more */
	FEW_PAUSES = 4,       /* spin hints */
	/* Virtual time after which a spinning thread that may count its iterations checks again. */
	HINT_LASTS = 4 * 1000 * 1000,
};

Bool ms_vg_slice_hands_over;
UInt ms_vg_slice_doublings;
UInt ms_vg_processors = 1;

struct processor {
	ULong time;
	ThreadId runs; /* the thread of the present quantum; 0: none */
};

static struct processor *processors;
static ULong random_state;
static ULong now; /* the time of the thread that ran last */
static ULong slices_taken;
static ULong short_until;   /* until this time slice, all are short */
static ULong checks_until;  /* until this time slice, checks are as frequent */
static ULong slice_over_at; /* virtual time at which the time slice is over */
static ThreadId running;
static UInt pauses_seen; /* in its time slice */
static ULong last_wake;  /* the last time slice in which a thread was last_wake */

void ms_vg_slice_start(UInt count, ULong seed)
{
	ms_vg_processors = count;
	if (count < 2)
		return;
	random_state = seed;
	processors = VG_(calloc)("memspy.processors", count, sizeof(*processors));
	ms_vg_threads_start();
	ms_vg_contended_start();
	ms_vg_pin_start();
	ms_vg_quiesce_start();
}

/* --- time --- */

/* The number of quiet time slices that are still needed until time slices have their full length.
 */
static ULong unrest(void)
{
	static ULong left = MOST_UNREST, found, seen;
	ULong quiet = slices_taken - seen, more = (ms_vg_contended_found - found) * FOUND_UNREST;

	left = (left > quiet ? left - quiet : 0) + more;
	left = left < MOST_UNREST ? left : MOST_UNREST;
	found = ms_vg_contended_found;
	seen = slices_taken;
	return left;
}

/* When a thread was last_wake, all begin with short time slices again: another thread may write, at
 * the beginning of the next phase of the program, what one left in its cache at the end of the
 * last. */
static UInt doublings(void)
{
	ULong left = unrest(), since = slices_taken - last_wake;
	UInt n = 0;

	while (n < MOST_DOUBLED && left + (QUIET_SLICES << 2 * n) <= MOST_UNREST &&
	       since >= (n + 1) * ms_vg_threads_live)
		n++;
	return n;
}

static UInt slice_words(void)
{
	Bool often = slices_taken < short_until || slices_taken < checks_until;
	ms_vg_slice_doublings = doublings();
	UInt least = often ? SHORT_WORDS : SLICE_WORDS << ms_vg_slice_doublings;

	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return least + (UInt)(random_state >> 33) % least;
}

static ULong later(ULong a, ULong b)
{
	return a > b ? a : b;
}

/* The time at which it could continue: not before its processor's. */
static ULong start_of(const struct ms_vg_thread *t)
{
	return later(t->time, processors[t->processor].time);
}

/* Counts what the running thread has executed. */
static void account(void)
{
	struct ms_vg_thread *me = &ms_vg_threads[running];
	struct processor *p = &processors[me->processor];
	ULong *from, *to, n;

	if (!ms_vg_lane_take_uncounted(&from, &to, &n))
		return;
	ULong start = start_of(me);
	ms_vg_spin_note_records(from, to, start, n);
	me->time = start + n;
	p->time = me->time;
	me->quantum_used += n;
	me->executed += n;
	now = me->time;
}

void ms_vg_slice_count(void)
{
	if (running != 0)
		account();
}

/* --- selection --- */

static Bool has_quantum(const struct ms_vg_thread *t)
{
	return processors[t->processor].runs == t - ms_vg_threads;
}

static Bool comes_before(const struct ms_vg_thread *a, const struct ms_vg_thread *b)
{
	ULong start_a = start_of(a), start_b = start_of(b);

	if (start_a != start_b)
		return start_a < start_b;
	if (a->processor == b->processor && has_quantum(a) != has_quantum(b))
		return has_quantum(a);
	return a->last_ran < b->last_ran;
}

static Bool is_ready(const struct ms_vg_thread *t)
{
	return t->state == MS_VG_THREAD_READY || t->state == MS_VG_THREAD_RUNS;
}

ThreadId ms_vg_slice_pick(void)
{
	ThreadId best = 0, spinner = 0;

	for (ThreadId tid = 1; tid <= ms_vg_threads_highest; tid++) {
		const struct ms_vg_thread *t = &ms_vg_threads[tid];

		if (!is_ready(t))
			continue;
		/* It only has to end, and others wait for that. */
		if (VG_(is_exiting)(tid))
			return tid;
		if (t->spins)
			checks_until = slices_taken + RECENT;
		ThreadId *of = t->spins ? &spinner : &best;
		if (*of == 0 || comes_before(t, &ms_vg_threads[*of]))
			*of = tid;
	}
	return best != 0 ? best : spinner;
}

Bool ms_vg_slice_give_way(struct ms_vg_thread *me, UInt cost)
{
	const struct ms_vg_thread *first = NULL;

	for (ThreadId tid = 1; tid <= ms_vg_threads_highest; tid++) {
		const struct ms_vg_thread *t = &ms_vg_threads[tid];

		if (t != me && is_ready(t) && !t->spins &&
		    (first == NULL || start_of(t) < start_of(first)))
			first = t;
	}
	if (first == NULL)
		return False;
	me->time = later(me->time + cost, start_of(first) + 1);
	processors[me->processor].runs = 0;
	return True;
}

/* --- waiting --- */

static void send_clock(ThreadId tid)
{
	struct ms_vg_thread *t = &ms_vg_threads[tid];

	if (tid == 0 || !t->started || t->executed == t->clock_sent)
		return;
	t->clock_sent = t->executed;
	if (tid == running)
		ms_vg_lane_write_own_event(MS_WIRE_CLOCK, tid, &t->clock_sent, 1);
	else
		ms_vg_lane_write_event(MS_WIRE_CLOCK, tid, &t->clock_sent, 1, NULL, 0);
}

static void send_pc(ThreadId tid)
{
	ULong path = ms_vg_path_of_thread(tid, False);

	ms_vg_lane_write_own_event(MS_WIRE_THREAD_AT, tid, &path, 1);
}

static void send_wait(ThreadId tid, UInt reason)
{
	ULong words[2] = { reason, ms_vg_path_of_thread(tid, False) };

	send_clock(tid);
	ms_vg_threads[tid].waits = True;
	ms_vg_lane_write_event(MS_WIRE_WAIT, tid, words, 2, NULL, 0);
}

static void send_wake(ThreadId tid)
{
	struct ms_vg_thread *t = &ms_vg_threads[tid];
	ULong waker = t->woken_by;

	send_clock(running);
	t->waits = False;
	last_wake = slices_taken;
	t->woken_by = MS_WIRE_NO_THREAD;
	t->time = later(t->time, waker != MS_WIRE_NO_THREAD ? ms_vg_threads[waker].time : now);
	ms_vg_lane_write_event(MS_WIRE_WAKE, tid, &waker, 1, NULL, 0);
}

void ms_vg_slice_send_waits(void)
{
	for (ThreadId tid = 1; tid <= ms_vg_threads_highest; tid++) {
		struct ms_vg_thread *t = &ms_vg_threads[tid];

		if (!t->started)
			continue;
		if (t->state == MS_VG_THREAD_AWAY && !t->moving && !t->waits)
			send_wait(tid, t->reason);
		else if (is_ready(t) && t->waits && !t->spins)
			send_wake(tid);
	}
}

/* Spinning threads continue when what they read has changed; `by` has changed it. Returns whether
 * any does. */
static Bool release_spinners(UInt by)
{
	Bool any = False;

	for (ThreadId tid = 1; tid <= ms_vg_threads_highest; tid++) {
		struct ms_vg_thread *t = &ms_vg_threads[tid];

		if (!t->spins)
			continue;
		Bool changed = by != MS_WIRE_NO_THREAD && ms_vg_spin_changed(t);
		if (!changed && by != MS_WIRE_NO_THREAD && now < t->spins_until)
			continue;
		t->spins = False;
		t->woken_by = changed ? by : MS_WIRE_NO_THREAD;
		if (t->waits)
			send_wake(tid);
		any = True;
	}
	return any;
}

void ms_vg_slice_mapping_changes(void)
{
	if (ms_vg_threads != NULL)
		release_spinners(MS_WIRE_NO_THREAD);
}

/* --- a time slice --- */

static Bool others_ready(void)
{
	for (ThreadId tid = 1; tid <= ms_vg_threads_highest; tid++)
		if (tid != running && is_ready(&ms_vg_threads[tid]) && !ms_vg_threads[tid].spins)
			return True;
	return False;
}

/* A thread has a track of its own if others are ready, or if only windows are sent; alone it has a
 * long time slice. */
static void begin_words(void)
{
	Bool others = others_ready(), tracks = others || ms_vg_windows_on;

	if (tracks && ms_vg_merge_thread() == 0 && ms_vg_lane_may_track()) {
		ms_vg_merge_begin(running, start_of(&ms_vg_threads[running]));
	} else if (!tracks) {
		Bool tracked = ms_vg_merge_thread() != 0;

		ms_vg_merge_end(~0ULL);
		if (tracked)
			ms_vg_lane_switch_thread(running);
	}
	ms_vg_lane_begin_slice(ms_vg_threads_live == 1 ? 0
			       : others                ? slice_words()
						       : LONE_SLICES * slice_words());
}

void ms_vg_slice_begin(ThreadId tid)
{
	struct ms_vg_thread *me = &ms_vg_threads[tid];
	struct processor *p = &processors[me->processor];

	running = tid;
	if (p->runs != tid) {
		p->runs = tid;
		me->quantum_used = 0;
	}
	me->last_ran = ++slices_taken;
	me->yielding.slices++;
	if (me->spins) { /* no other thread can run */
		me->spins = False;
		me->woken_by = MS_WIRE_NO_THREAD;
	}
	me->rewrites = False;
	ms_vg_spin_forget();
	pauses_seen = 0;
	slice_over_at = start_of(me) + SLICE_INSTRUCTIONS;
	begin_words();
}

/* The least time of all threads that run or may soon run. */
static ULong horizon(void)
{
	ULong least = ms_vg_threads[running].time;

	for (ThreadId tid = 1; tid <= ms_vg_threads_highest; tid++) {
		const struct ms_vg_thread *t = &ms_vg_threads[tid];

		if ((is_ready(t) || (t->state == MS_VG_THREAD_AWAY && t->moving)) && !t->spins &&
		    start_of(t) < least)
			least = start_of(t);
	}
	return least;
}

/*
 * A thread that gets a signal which ends the program first makes all others exit, and gives up its
 * time slice. So its end is sent before theirs.
 */
static void send_end_of_killed_thread(ThreadId me)
{
	static Bool known;

	for (ThreadId tid = 1; tid <= ms_vg_threads_highest && !known; tid++)
		if (tid != me && ms_vg_threads[tid].state != MS_VG_THREAD_NONE &&
		    VG_(is_exiting)(tid) && !ms_vg_memory_thread_exits(tid)) {
			known = True;
			if (!ms_vg_memory_thread_exits(me))
				ms_vg_memory_send_thread_end(me);
		}
}

void ms_vg_slice_end(ThreadId tid)
{
	struct ms_vg_thread *me = &ms_vg_threads[tid];

	account();
	send_clock(tid);
	send_end_of_killed_thread(tid);
	/* A few times: the first may be in the dynamic loader. */
	me->slices += me->started;
	if (me->started && (me->slices & (me->slices - 1)) == 0 && me->slices <= LAST_PLACED)
		send_pc(tid);
	release_spinners(tid);
	if (me->spins)
		send_wait(tid, MS_WIRE_WAIT_SPIN);
	if (me->quantum_used >= QUANTUM)
		processors[me->processor].runs = 0;
	ms_vg_merge_end(horizon());
	running = 0;
}

void ms_vg_slice_take_back(ULong *from, ULong instructions)
{
	ms_vg_lane_take_back(from);
	ms_vg_merge_take_back(from);
	ms_vg_threads[running].executed -= instructions;
	ULong words[2] = { instructions, ms_vg_path_of_thread(running, False) };

	ms_vg_lane_write_own_event(MS_WIRE_SPIN, running, words, 2);
}

/*
 * Takes back the spinning; True: nothing is to be done until something that it reads changes. A
 * loop that counts its iterations may stop by itself, and another thread may wait for that.
 */
static Bool take_back(struct ms_vg_thread *me, Bool hinted)
{
	Bool noted = ms_vg_spin_note(me, me->rewrites);
	ULong instructions;
	ULong *from = ms_vg_spin_take_back(&instructions);

	ms_vg_spin_forget();
	if (instructions != 0)
		ms_vg_slice_take_back(from, instructions);
	me->spins = noted;
	me->spins_until = hinted ? me->time + HINT_LASTS : ~0ULL;
	return noted;
}

/*
 * Iterations that write, and leave all that they write unchanged: an exchange that finds the lock
 * taken, a comparison that fails. They wait like those that only read. One more iteration is needed
 * to see that.
 */
static enum ms_vg_spin_kind check_what_is_written(struct ms_vg_thread *me)
{
	if (!me->rewrites) {
		me->rewrites = ms_vg_spin_note(me, True);
		return me->rewrites ? MS_VG_SPIN_MAYBE : MS_VG_SPIN_WRITES;
	}
	me->rewrites = !ms_vg_spin_changed(me);
	return me->rewrites ? MS_VG_SPIN_READS : MS_VG_SPIN_WRITES;
}

/* The chunk or the track was full, and its records have been passed on: they cannot be taken back.
 */
static void forget_passed_records(void)
{
	const ULong *from, *to;

	ms_vg_spin_slice_records(&from, &to);
	if (to != NULL && !ms_vg_lane_continues_at(to))
		ms_vg_spin_forget();
}

static void end_slice(void *state)
{
	UInt *events_left = (UInt *)((UChar *)state + GUEST_EVENTS);

	ms_vg_slice_hands_over = True;
	*events_left = 0; /* the next superblock is not entered: Valgrind selects the thread */
	ms_vg_lane_begin_slice(0);
}

void ms_vg_slice_check(void *state)
{
	struct ms_vg_thread *me = &ms_vg_threads[running];
	Bool pauses = ms_vg_lane_limit == 0;
	Bool hinted;
	UInt words;

	ms_vg_lane_next_chunk();
	account();
	forget_passed_records();
	/* One or a few hints may be a short wait; a longer one is recognised below. */
	if (ms_vg_lane_slice_continues() && (!pauses || ++pauses_seen < FEW_PAUSES))
		return;
	enum ms_vg_spin_kind spins = ms_vg_spin_detect(running, state, &words, &hinted);
	if (spins == MS_VG_SPIN_WRITES)
		spins = check_what_is_written(me);
	else if (spins != MS_VG_SPIN_MAYBE)
		me->rewrites = False;
	if (spins == MS_VG_SPIN_MAYBE) {
		ms_vg_lane_begin_slice(words);
		return;
	}
	Bool rests = spins == MS_VG_SPIN_READS && take_back(me, hinted);

	Bool over = release_spinners(running) || rests || slices_taken < short_until ||
		    slices_taken >= checks_until || me->time >= slice_over_at;
	if (!rests)
		me->spins = False;
	if (spins == MS_VG_SPIN_WRITES) {
		short_until = slices_taken + RECENT;
		ms_vg_slice_give_way(me, 0);
		over = True;
	}
	if (me->quantum_used >= QUANTUM) {
		processors[me->processor].runs = 0;
		over = True;
	}
	if (over && ms_vg_slice_pick() != running) {
		end_slice(state);
	} else {
		me->spins = False;
		begin_words();
	}
}

/* Another thread may be ready now: the present time slice may get a track and a limit. */
void ms_vg_slice_resume(void)
{
	if (running != 0)
		begin_words();
}

/* Its end is next in the stream. */
void ms_vg_slice_send_last_clock(ThreadId tid)
{
	if (ms_vg_threads == NULL || tid != running)
		return;
	account();
	send_clock(tid);
}

void ms_vg_slice_after_fork(void)
{
	running = 0;
}
