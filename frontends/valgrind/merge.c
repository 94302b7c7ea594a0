/*
 * merge.c - the records of threads that take turns, put together more finely than they were made.
 *
 * A switch between threads costs some microseconds, so turns are of some thousand instructions. A
 * cache line that two processors fight over changes hands far more often than that. So a thread
 * that has others beside it writes its records into a track of its own, and from all tracks they
 * come into the lane in the order of virtual time, some ten instructions of each thread at a time.
 * Addresses do not depend on who is how far within a turn, as long as threads do not tell each
 * other anything; and when they do, through a system call or as one spins, turns end or are short.
 *
 * Whatever is no execution (an allocation, a new block of code) may matter to all that follows: all
 * tracks are emptied before it.
 */
#include "turns.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

enum {
	TRACK_WORDS = 16384,
	TRACKS = 64,
	GRAIN = 48, /* instructions of each thread at a time: so many, to nearly twice as many */
	MOST_WORDS = 512, /* that are copied at a time, unless a single record is longer */
};

struct track {
	ULong *words;
	ThreadId tid;
	ULong *from, *to; /* records that are not in the lane */
	ULong time;       /* virtual, of the first of them */
	ULong end;        /* and when the thread stopped writing here */
};

static struct track tracks[TRACKS];
static struct track *last_used = tracks; /* none behind it holds records */
static struct track *current; /* the running thread writes into it; NULL: into the lane */
static UInt dice = 1;

static UInt grain(void)
{
	dice = dice * 1103515245 + 12345;
	return GRAIN + (dice >> 16) % GRAIN;
}

static Bool is_empty(const struct track *t)
{
	return t->from == t->to;
}

/* --- into the lane --- */

/* When the first of all records was executed, and how many tracks hold any. */
static UInt first_time(ULong *time)
{
	UInt n = 0;

	*time = ~0ULL;
	while (last_used > tracks && is_empty(last_used))
		last_used--;
	for (struct track *t = tracks; t <= last_used; t++) {
		if (is_empty(t))
			continue;
		if (t->time < *time)
			*time = t->time;
		n++;
	}
	return n;
}

static Bool is_execution(const ULong *record)
{
	return ms_wire_kind_of(*record) == MS_WIRE_EXEC;
}

/* Executions that began before this time, but not too many words at once; or a single event. */
static void pass_on(struct track *t, ULong until)
{
	const ULong *end = t->from, *most = t->from + MOST_WORDS, *to = t->to;
	ULong time = t->time;

	/* Of whoever runs there. */
	if (ms_wire_kind_of(*end) == MS_WIRE_HEAP_CALL) {
		ms_lane_records(t->tid, t->from, end + ms_wire_words_of(*end));
		t->from += ms_wire_words_of(*end);
		return;
	}
	if (!is_execution(end)) {
		ms_lane_event(ms_wire_kind_of(*end), ms_wire_arg_of(*end), end + 1,
			      ms_wire_words_of(*end) - 1, NULL, 0);
		t->from += ms_wire_words_of(*end);
		return;
	}
	most = most < to ? most : to;
	do {
		time += ms_spin_instructions(end);
		end += ms_wire_words_of(*end);
	} while (time < until && end < most && is_execution(end));
	ms_lane_records(t->tid, t->from, end);
	t->from = (ULong *)end;
	t->time = time;
}

/* All that began before this time, a step of virtual time after the other. */
static void flush(ULong horizon)
{
	ULong step;
	UInt n;

	while ((n = first_time(&step)) > 0 && step <= horizon) {
		/* A single one has nobody to be merged with. */
		step = n == 1 ? horizon : step + grain();
		for (struct track *t = tracks; t <= last_used; t++)
			while (!is_empty(t) && t->time <= step && t->time <= horizon)
				pass_on(t, step);
	}
}

/* --- tracks --- */

static struct track *track_of(ThreadId tid)
{
	struct track *unused = NULL;

	for (struct track *t = tracks; t <= last_used; t++) {
		if (!is_empty(t) && t->tid == tid)
			return t;
		if (is_empty(t) && unused == NULL)
			unused = t;
	}
	return unused != NULL || last_used + 1 == tracks + TRACKS ? unused : last_used + 1;
}

void ms_merge_begin(ThreadId tid, ULong time)
{
	struct track *t = track_of(tid);

	if (t == NULL || (!is_empty(t) && (t->end != time || t->to > t->words + TRACK_WORDS / 2))) {
		flush(~0ULL);
		t = track_of(tid);
	}
	if (t->words == NULL)
		t->words = VG_(malloc)("memspy.merge.track", TRACK_WORDS * sizeof(*t->words));
	if (is_empty(t)) {
		t->tid = tid;
		t->from = t->words;
		t->to = t->words;
		t->time = time;
	}
	current = t;
	if (t > last_used)
		last_used = t;
	ms_lane_to_track(t->to, t->words + TRACK_WORDS - MS_WIRE_RESERVE_WORDS);
}

void ms_merge_end(ULong horizon)
{
	if (current != NULL) {
		current->to = ms_lane_from_track();
		current->end = ms_turns[current->tid].time;
		current = NULL;
	}
	flush(horizon);
}

void ms_merge_forget(void)
{
	for (struct track *t = tracks; t < tracks + TRACKS; t++)
		t->to = t->from;
	current = NULL;
}

ThreadId ms_merge_thread(void)
{
	return current != NULL ? current->tid : 0;
}
