/*
 * turns.c - decides which thread runs when more than one processor is simulated, and for how long.
 *
 * Each thread has a virtual time: the instructions it has executed, and waiting. A woken thread
 * continues at the time of its waker at the earliest. The ready thread with the least virtual time
 * runs until it has filled a number of words of the lane, which a seed varies: some thousand
 * instructions, or some hundred while threads spin. Threads of one processor share it in time
 * slices. A spinning thread waits until something that it reads is changed.
 *
 * Not modelled: stalls. The cost of a reference is known in another process, and later.
 *
 * Nothing here depends on the clock, or on the kernel's scheduling: with the same seed, a program
 * without external communication takes the same turns. lock.c ensures that.
 */
#include "turns.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "guest.h"

/* In the library, but not in its public headers. */
extern Bool VG_(is_exiting)(ThreadId tid);
extern UInt VG_N_THREADS;

enum {
	/* Words of a turn: from so many, to nearly twice as many ... */
	TURN_WORDS = 2048,
	/* ... doubled up to so many times, as long as hardly any lines become contended: what is
	 * lost until that is noticed is then a small part of all ... */
	MOST_DOUBLED = 3,
	/* ... for the first time after so many turns, four times as many for each further time;
	 * each newly contended line reduces it ... */
	QUIET_TURNS = 64,
	UNREST = QUIET_TURNS << 2 * (MOST_DOUBLED - 1),
	FOUND_UNREST = 16,
	/*
	 * ... and so many while a thread spins with writes, or did recently. If threads spin that
	 * only read, the same number of words passes between checks whether they see what they wait
	 * for; until then the turn continues, for as many instructions.
	 */
	SHORT_WORDS = 128,
	LATELY = 16, /* turns */
	TURN_INSTRUCTIONS = 4000,
	LONE_TURNS = 8,     /* consecutive turns of a thread while no other is ready */
	SLICE = 200 * 1000, /* instructions, where threads share a processor */
	LAST_PLACED = 16,   /* turns after which a thread's pc is not sent any more */
	FEW_PAUSES = 4,     /* spin hints */
	/* Virtual time after which a spinning thread that may count its iterations checks again. */
	HINT_LASTS = 4 * 1000 * 1000,
};

struct turn *ms_turns;
ThreadId ms_turns_most;
Bool ms_turns_hands_over;
UInt ms_turns_doubled;
UInt ms_turns_processors = 1;

struct processor {
	ULong time;
	ThreadId runs; /* the thread of the present time slice; 0: none */
};

static struct processor *processors;
static ULong dice;
static ULong now; /* the time of the thread that ran last */
static ULong turns_taken;
static ULong short_until; /* until this turn, all are short */
static ULong looks_until; /* until this turn, checks are as frequent */
static ULong turn_over;   /* virtual time at which the turn is over */
static ThreadId running;
static UInt pauses_seen; /* in its turn */
static UInt living;
static ULong woken; /* the last turn in which a thread was woken */

void ms_turns_start(UInt count, ULong seed)
{
	ms_turns_processors = count;
	if (count < 2)
		return;
	dice = seed;
	processors = VG_(calloc)("memspy.turns.processors", count, sizeof(*processors));
	ms_turns = VG_(calloc)("memspy.turns", VG_N_THREADS, sizeof(*ms_turns));
	ms_contend_start();
	ms_pin_start();
	ms_turns_look_start();
}

/* --- time --- */

/* The number of quiet turns that are still needed until turns have their full length. */
static ULong unrest(void)
{
	static ULong left = UNREST, found, seen;
	ULong quiet = turns_taken - seen, more = (ms_contend_found - found) * FOUND_UNREST;

	left = (left > quiet ? left - quiet : 0) + more;
	left = left < UNREST ? left : UNREST;
	found = ms_contend_found;
	seen = turns_taken;
	return left;
}

/* When a thread was woken, all begin with short turns again: another thread may write, at the
 * beginning of the next phase of the program, what one left in its cache at the end of the last. */
static UInt doublings(void)
{
	ULong left = unrest(), since = turns_taken - woken;
	UInt n = 0;

	while (n < MOST_DOUBLED && left + (QUIET_TURNS << 2 * n) <= UNREST &&
	       since >= (n + 1) * living)
		n++;
	return n;
}

static UInt turn_words(void)
{
	Bool often = turns_taken < short_until || turns_taken < looks_until;
	ms_turns_doubled = doublings();
	UInt least = often ? SHORT_WORDS : TURN_WORDS << ms_turns_doubled;

	dice = dice * 6364136223846793005ULL + 1442695040888963407ULL;
	return least + (UInt)(dice >> 33) % least;
}

static ULong later(ULong a, ULong b)
{
	return a > b ? a : b;
}

/* The time at which it could continue: not before its processor's. */
static ULong start_of(const struct turn *t)
{
	return later(t->time, processors[t->processor].time);
}

/* Counts what the running thread has executed. */
static void account(void)
{
	struct turn *me = &ms_turns[running];
	struct processor *p = &processors[me->processor];
	ULong *from, *to, n;

	if (!ms_lane_uncounted(&from, &to, &n))
		return;
	ULong start = start_of(me);
	ms_spin_note_records(from, to, start, n);
	me->time = start + n;
	p->time = me->time;
	me->slice += n;
	me->executed += n;
	now = me->time;
}

void ms_turns_count(void)
{
	if (running != 0)
		account();
}

/* --- selection --- */

static Bool shares_slice(const struct turn *t)
{
	return processors[t->processor].runs == t - ms_turns;
}

static Bool comes_before(const struct turn *a, const struct turn *b)
{
	ULong start_a = start_of(a), start_b = start_of(b);

	if (start_a != start_b)
		return start_a < start_b;
	if (a->processor == b->processor && shares_slice(a) != shares_slice(b))
		return shares_slice(a);
	return a->last_ran < b->last_ran;
}

static Bool is_ready(const struct turn *t)
{
	return t->state == TURN_READY || t->state == TURN_RUNS;
}

ThreadId ms_turns_pick(void)
{
	ThreadId best = 0, spinner = 0;

	for (ThreadId tid = 1; tid <= ms_turns_most; tid++) {
		const struct turn *t = &ms_turns[tid];

		if (!is_ready(t))
			continue;
		/* It only has to end, and others wait for that. */
		if (VG_(is_exiting)(tid))
			return tid;
		if (t->spins)
			looks_until = turns_taken + LATELY;
		ThreadId *of = t->spins ? &spinner : &best;
		if (*of == 0 || comes_before(t, &ms_turns[*of]))
			*of = tid;
	}
	return best != 0 ? best : spinner;
}

Bool ms_turns_give_way(struct turn *me, UInt cost)
{
	const struct turn *first = NULL;

	for (ThreadId tid = 1; tid <= ms_turns_most; tid++) {
		const struct turn *t = &ms_turns[tid];

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

static void tell_clock(ThreadId tid)
{
	struct turn *t = &ms_turns[tid];

	if (tid == 0 || !t->started || t->executed == t->told)
		return;
	t->told = t->executed;
	if (tid == running)
		ms_lane_own_event(MS_WIRE_CLOCK, tid, &t->told, 1);
	else
		ms_lane_event(MS_WIRE_CLOCK, tid, &t->told, 1, NULL, 0);
}

static void tell_place(ThreadId tid)
{
	ULong path = ms_path_here(tid, False);

	ms_lane_own_event(MS_WIRE_THREAD_AT, tid, &path, 1);
}

static void tell_wait(ThreadId tid, UInt reason)
{
	ULong words[2] = { reason, ms_path_here(tid, False) };

	tell_clock(tid);
	ms_turns[tid].waits = True;
	ms_lane_event(MS_WIRE_WAIT, tid, words, 2, NULL, 0);
}

static void tell_wake(ThreadId tid)
{
	struct turn *t = &ms_turns[tid];
	ULong waker = t->woken_by;

	tell_clock(running);
	t->waits = False;
	woken = turns_taken;
	t->woken_by = MS_WIRE_NO_THREAD;
	t->time = later(t->time, waker != MS_WIRE_NO_THREAD ? ms_turns[waker].time : now);
	ms_lane_event(MS_WIRE_WAKE, tid, &waker, 1, NULL, 0);
}

void ms_turns_tell(void)
{
	for (ThreadId tid = 1; tid <= ms_turns_most; tid++) {
		struct turn *t = &ms_turns[tid];

		if (!t->started)
			continue;
		if (t->state == TURN_AWAY && !t->moving && !t->waits)
			tell_wait(tid, t->reason);
		else if (is_ready(t) && t->waits && !t->spins)
			tell_wake(tid);
	}
}

/* Spinning threads continue when what they read has changed; `by` has changed it. Returns whether
 * any does. */
static Bool release_spinners(UInt by)
{
	Bool any = False;

	for (ThreadId tid = 1; tid <= ms_turns_most; tid++) {
		struct turn *t = &ms_turns[tid];

		if (!t->spins)
			continue;
		Bool changed = by != MS_WIRE_NO_THREAD && ms_spin_changed(t);
		if (!changed && by != MS_WIRE_NO_THREAD && now < t->spins_until)
			continue;
		t->spins = False;
		t->woken_by = changed ? by : MS_WIRE_NO_THREAD;
		if (t->waits)
			tell_wake(tid);
		any = True;
	}
	return any;
}

void ms_turns_mapping_changes(void)
{
	if (ms_turns != NULL)
		release_spinners(MS_WIRE_NO_THREAD);
}

/* --- a turn --- */

static Bool others_ready(void)
{
	for (ThreadId tid = 1; tid <= ms_turns_most; tid++)
		if (tid != running && is_ready(&ms_turns[tid]) && !ms_turns[tid].spins)
			return True;
	return False;
}

/* A thread has a track of its own if others are ready, or if only windows are sent; alone it has a
 * long turn. */
static void begin_words(void)
{
	Bool others = others_ready(), tracks = others || ms_windows_on;

	if (tracks && ms_merge_thread() == 0 && ms_lane_may_track()) {
		ms_merge_begin(running, start_of(&ms_turns[running]));
	} else if (!tracks) {
		Bool tracked = ms_merge_thread() != 0;

		ms_merge_end(~0ULL);
		if (tracked)
			ms_lane_thread(running);
	}
	ms_lane_turn(living == 1 ? 0 : others ? turn_words() : LONE_TURNS * turn_words());
}

void ms_turns_begin(ThreadId tid)
{
	struct turn *me = &ms_turns[tid];
	struct processor *p = &processors[me->processor];

	running = tid;
	if (p->runs != tid) {
		p->runs = tid;
		me->slice = 0;
	}
	me->last_ran = ++turns_taken;
	me->yielding.turns++;
	if (me->spins) { /* no other thread can run */
		me->spins = False;
		me->woken_by = MS_WIRE_NO_THREAD;
	}
	me->rewrites = False;
	ms_spin_forget();
	pauses_seen = 0;
	turn_over = start_of(me) + TURN_INSTRUCTIONS;
	begin_words();
}

/* The least time of all threads that run or may soon run. */
static ULong horizon(void)
{
	ULong least = ms_turns[running].time;

	for (ThreadId tid = 1; tid <= ms_turns_most; tid++) {
		const struct turn *t = &ms_turns[tid];

		if ((is_ready(t) || (t->state == TURN_AWAY && t->moving)) && !t->spins &&
		    start_of(t) < least)
			least = start_of(t);
	}
	return least;
}

/*
 * A thread that gets a signal which ends the program first makes all others exit, and gives up its
 * turn. So its end is sent before theirs.
 */
static void look_who_dies(ThreadId me)
{
	static Bool known;

	for (ThreadId tid = 1; tid <= ms_turns_most && !known; tid++)
		if (tid != me && ms_turns[tid].state != TURN_NONE && VG_(is_exiting)(tid) &&
		    !ms_memory_thread_asked(tid)) {
			known = True;
			if (!ms_memory_thread_asked(me))
				ms_memory_thread_ends(me);
		}
}

void ms_turns_end(ThreadId tid)
{
	struct turn *me = &ms_turns[tid];

	account();
	tell_clock(tid);
	look_who_dies(tid);
	/* A few times: the first may be in the dynamic loader. */
	me->turns += me->started;
	if (me->started && (me->turns & (me->turns - 1)) == 0 && me->turns <= LAST_PLACED)
		tell_place(tid);
	release_spinners(tid);
	if (me->spins)
		tell_wait(tid, MS_WIRE_WAIT_SPIN);
	if (me->slice >= SLICE)
		processors[me->processor].runs = 0;
	ms_merge_end(horizon());
	running = 0;
}

void ms_turns_take_back(ULong *from, ULong instructions)
{
	ms_lane_take_back(from);
	ms_merge_take_back(from);
	ms_turns[running].executed -= instructions;
	ULong words[2] = { instructions, ms_path_here(running, False) };

	ms_lane_own_event(MS_WIRE_SPIN, running, words, 2);
}

/*
 * Takes back the spinning; True: nothing is to be done until something that it reads changes. A
 * loop that counts its iterations may stop by itself, and another thread may wait for that.
 */
static Bool take_back(struct turn *me, Bool hinted)
{
	Bool noted = ms_spin_note(me, me->rewrites);
	ULong instructions;
	ULong *from = ms_spin_take_back(&instructions);

	ms_spin_forget();
	if (instructions != 0)
		ms_turns_take_back(from, instructions);
	me->spins = noted;
	me->spins_until = hinted ? me->time + HINT_LASTS : ~0ULL;
	return noted;
}

/*
 * Iterations that write, and leave all that they write unchanged: an exchange that finds the lock
 * taken, a comparison that fails. They wait like those that only read. One more iteration is needed
 * to see that.
 */
static enum spinning look_what_is_written(struct turn *me)
{
	if (!me->rewrites) {
		me->rewrites = ms_spin_note(me, True);
		return me->rewrites ? SPIN_MAYBE : SPIN_WRITES;
	}
	me->rewrites = !ms_spin_changed(me);
	return me->rewrites ? SPIN_READS : SPIN_WRITES;
}

static void hand_over(void *state)
{
	UInt *events_left = (UInt *)((UChar *)state + GUEST_EVENTS);

	ms_turns_hands_over = True;
	*events_left = 0; /* the next superblock is not entered: Valgrind selects the thread */
	ms_lane_turn(0);
}

void ms_turns_check(void *state)
{
	struct turn *me = &ms_turns[running];
	Bool pauses = ms_lane_limit == 0;
	Bool hinted;
	UInt words;

	ms_lane_next_chunk();
	account();
	/* One or a few hints may be a short wait; a longer one is recognised below. */
	if (ms_lane_turn_goes_on() && (!pauses || ++pauses_seen < FEW_PAUSES))
		return;
	enum spinning spins = ms_spin_look(running, state, &words, &hinted);
	if (spins == SPIN_WRITES)
		spins = look_what_is_written(me);
	else if (spins != SPIN_MAYBE)
		me->rewrites = False;
	if (spins == SPIN_MAYBE) {
		ms_lane_turn(words);
		return;
	}
	Bool rests = spins == SPIN_READS && take_back(me, hinted);

	Bool over = release_spinners(running) || rests || turns_taken < short_until ||
		    turns_taken >= looks_until || me->time >= turn_over;
	if (!rests)
		me->spins = False;
	if (spins == SPIN_WRITES) {
		short_until = turns_taken + LATELY;
		ms_turns_give_way(me, 0);
		over = True;
	}
	if (me->slice >= SLICE) {
		processors[me->processor].runs = 0;
		over = True;
	}
	if (over && ms_turns_pick() != running) {
		hand_over(state);
	} else {
		me->spins = False;
		begin_words();
	}
}

/* --- threads --- */

static void add_thread(ThreadId tid, ULong time)
{
	struct turn *t = &ms_turns[tid];

	VG_(memset)(t, 0, sizeof(*t));
	t->state = TURN_AWAY;
	t->moving = True;
	t->woken_by = MS_WIRE_NO_THREAD;
	t->time = time;
	t->reason = MS_WIRE_WAIT_OTHER;
	t->processor = ms_assign_processor(tid);
	if (tid > ms_turns_most)
		ms_turns_most = tid;
	living++;
}

void ms_turns_starts(ThreadId tid, Addr function)
{
	if (ms_turns != NULL)
		ms_turns[tid].starts = function;
}

void ms_turns_thread(ThreadId parent, ThreadId child)
{
	if (ms_turns == NULL)
		return;
	ms_turns_count();
	struct turn *from = parent != VG_INVALID_THREADID ? &ms_turns[parent] : NULL;
	add_thread(child, from != NULL ? from->time : 0);
	ms_turns[child].cleared = from != NULL ? ms_calls_cleared() : 0;
	ms_turns[child].maker = from != NULL ? parent : MS_WIRE_NO_THREAD;
	if (from != NULL && from->bound)
		ms_assign_bind(&ms_turns[child], from->affinity);
	if (from != NULL) {
		ms_turns[child].start = from->starts;
		from->starts = 0;
	}
	if (running != 0)
		begin_words();
}

UInt ms_turns_maker(ThreadId tid)
{
	return ms_turns != NULL ? ms_turns[tid].maker : MS_WIRE_NO_THREAD;
}

/* Its start has been sent in the stream. */
void ms_turns_thread_told(ThreadId tid)
{
	if (ms_turns == NULL)
		return;
	struct turn *t = &ms_turns[tid];

	t->started = True;
	if (t->bound)
		ms_assign_tell(tid, t->affinity);
	if (t->start != 0) {
		ULong path = ms_path_number(&t->start, 1);

		ms_lane_event(MS_WIRE_THREAD_AT, tid, &path, 1, NULL, 0);
	}
}

/* Its end is next in the stream. */
void ms_turns_last_clock(ThreadId tid)
{
	if (ms_turns == NULL || tid != running)
		return;
	account();
	tell_clock(tid);
}

/* It is about to end; or it has never begun, if its creation failed. */
void ms_turns_thread_end(ThreadId tid)
{
	if (ms_turns == NULL)
		return;
	struct turn *t = &ms_turns[tid];

	living--;
	t->started = False;
	t->ends = True;
	t->spins = False;
	ms_turns_hands_over = False;
	if (t->lwp == 0)
		t->state = TURN_NONE;
}

void ms_turns_forked(void)
{
	ThreadId tid = VG_(get_running_tid)();
	struct turn me = ms_turns[tid];

	ms_lane_forked();
	for (ThreadId other = 1; other <= ms_turns_most; other++)
		ms_turns[other].state = TURN_NONE;
	ms_turns[tid] = me;
	ms_turns[tid].lwp = VG_(gettid)();
	ms_turns[tid].state = TURN_AWAY;
	ms_turns[tid].moving = False;
	ms_turns[tid].started = False;
	ms_turns[tid].turns = 0;
	ms_turns[tid].waits = False;
	ms_turns[tid].maker = MS_WIRE_NO_THREAD;
	ms_turns[tid].executed = 0;
	ms_turns[tid].told = 0;
	running = 0;
	living = 1;
}
