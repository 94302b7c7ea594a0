/*
 * track_merge.c - merges the records of threads that run one at a time, in smaller pieces than they
 * were executed.
 *
 * A switch between threads costs some microseconds, so time slices are some thousand instructions
 * long. A cache line that two processors contend for moves far more often than that. So a thread
 * that runs beside others writes its records to a track of its own. From all tracks, records go to
 * the lane in the order of virtual time, some ten instructions of each thread at a time, where they
 * touch contended lines (contended_lines.c). All others go in long pieces, since their order makes
 * no difference and each switch costs time in the reader.
 *
 * Where one thread may have waited for another, the order of execution is kept
 * (schedule/hand_offs.h): what must come before a record goes to the lane before it, whatever its
 * time. Time slices without contended lines are passed on in the order of execution.
 *
 * A record that is not an execution (an allocation, a new block of code) may affect all that
 * follow: all tracks are emptied before it.
 */
#include "track_merge.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "contended_lines.h"
#include "lane.h"
#include "spin_detection.h"
#include "thread_lifetimes.h"
#include "track_order.h"

enum {
	TRACK_WORDS = 65536,
	TRACKS = 64,
	GRAIN = 48, /* instructions of each thread at a time: so many, to nearly twice as many */
	NEAR = 256, /* instructions up to the next contended access */
	MOST_WORDS = 512, /* that are copied at a time, unless a single record is longer */
	MOST_STOPS = 256,
	MOST_FOUND = 32, /* that are searched for at a time */
};

/* A record, and the time of its execution. Only executions are between two of them, and before the
 * first; nothing is known of the records after the last. */
struct stop {
	const ULong *at;
	ULong time;
};

struct thread_track {
	ULong *words;
	ThreadId tid;
	ULong *from, *to;      /* records that are not in the lane */
	ULong time;            /* virtual, of the first of them */
	ULong end;             /* and the time when the thread stopped writing here */
	UInt stops, next_stop; /* those before it have been passed */
	struct stop stop[MOST_STOPS];
	struct stop searched; /* search_contended() has examined the records up to this one ... */
	const ULong *event; /* ... and this was the last that is not an execution; NULL: all are */
	UInt found, next_found;
	struct stop contended[MOST_FOUND]; /* executions that touch contended lines */
	Addr quiet;    /* two uncontended lines, from this address on, since flush() began */
	ULong segment; /* the number of the first time slice that is not in the lane, or of an
			  earlier one */
};

static struct thread_track tracks[TRACKS];
static struct thread_track *last_used = tracks; /* no later one holds records */
static struct thread_track *current; /* the running thread writes to it; NULL: to the lane */
static const ULong *current_from;    /* from here on, in this time slice */
static ULong flushed_to;             /* virtual time */
static UInt random_state = 1;

static UInt grain(void)
{
	random_state = random_state * 1103515245 + 12345;
	return GRAIN + (random_state >> 16) % GRAIN;
}

static Bool is_empty(const struct thread_track *t)
{
	return t->from == t->to;
}

/* --- into the lane --- */

static Bool is_execution(const ULong *record)
{
	return ms_wire_kind_of(*record) == MS_WIRE_EXEC;
}

static void pass_track_to(struct thread_track *t, const ULong *target);

/* The time slice that the track's first record belongs to. */
static struct ms_vg_segment *find_segment(struct thread_track *t)
{
	for (;; t->segment++) {
		struct ms_vg_segment *s = ms_vg_order_get(t->segment);

		if (s != NULL && &tracks[s->track] == t && s->to > t->from)
			return s;
		tl_assert(t->segment < ms_vg_order_next);
		if (t->segment < ms_vg_order_first)
			t->segment = ms_vg_order_first - 1;
	}
}

static void pass_segment(struct ms_vg_segment *s)
{
	if (s != NULL)
		pass_track_to(&tracks[s->track], s->to);
}

/* Passes on what records of the segment up to this one must come after. */
static void pass_what_precedes(struct ms_vg_segment *s, const ULong *end)
{
	if (s->follows_all) {
		s->follows_all = False;
		for (ULong number = ms_vg_order_first; number < s->number; number++)
			pass_segment(ms_vg_order_get(number));
	}
	while (s->next_hand_off < s->hand_offs &&
	       s->from + s->hand_off[s->next_hand_off].at < end) {
		const struct ms_schedule_hand_off *h = &s->hand_off[s->next_hand_off++];
		struct ms_vg_segment *other = ms_vg_order_get(h->number);

		if (other == NULL)
			continue;
		const ULong *after = other->from + h->after;

		pass_track_to(&tracks[other->track], h->after == MS_SCHEDULE_CHUNK_END
							     ? other->to
							     : after + ms_wire_words_of(*after));
	}
}

/* The end, or that of a unit that it would divide. */
static const ULong *find_unit_end(struct ms_vg_segment *s, const ULong *end)
{
	while (s->next_unit < s->units && s->from + s->unit[s->next_unit].to < end)
		s->next_unit++;
	if (s->next_unit == s->units || s->from + s->unit[s->next_unit].from >= end)
		return end;
	const ULong *last = s->from + s->unit[s->next_unit].to;

	return last + ms_wire_words_of(*last);
}

static void write_words(struct thread_track *t, const ULong *end)
{
	ms_vg_lane_write_records(t->tid, t->from, end);
	t->from = (ULong *)end;
}

static void pass_event(struct thread_track *t);

/* Passes on executions, and the rest of a unit that begins there. */
static void pass_words(struct thread_track *t, const ULong *end, ULong time)
{
	while (t->from < end) {
		struct ms_vg_segment *s = find_segment(t);
		const ULong *to = find_unit_end(s, end < s->to ? end : s->to);

		pass_what_precedes(s, to);
		write_words(t, end < to ? end : to);
		while (t->from < to) {
			if (!is_execution(t->from)) {
				pass_event(t);
				continue;
			}
			time += ms_vg_spin_instructions(t->from);
			write_words(t, t->from + ms_wire_words_of(*t->from));
		}
	}
	t->time = time;
}

static void pass_event(struct thread_track *t)
{
	const ULong *at = t->from, *end = at + ms_wire_words_of(*at);

	/* Of the thread that runs there. */
	if (ms_wire_kind_of(*at) == MS_WIRE_HEAP_CALL)
		ms_vg_lane_write_records(t->tid, t->from, end);
	else
		ms_vg_lane_write_event(ms_wire_kind_of(*at), ms_wire_arg_of(*at), at + 1,
				       end - at - 1, NULL, 0);
	t->from = (ULong *)end;
}

/* Searches from the first record on. */
static void restart_search(struct thread_track *t)
{
	t->searched = (struct stop){ t->from, t->time };
	t->event = NULL;
	t->found = 0;
	t->next_found = 0;
}

/*
 * Continues the search for executions that touch contended lines. If any line is contended, all
 * references are examined, each in a few instructions: most touch the same line as the previous
 * one, or the next.
 */
static void search_contended(struct thread_track *t)
{
	const struct ms_vg_spin_exit *exits = ms_vg_spin_exits;
	const ULong *at = t->searched.at, *to = t->to, *next;
	ULong time = t->searched.time, horizon = flushed_to;
	UInt shift = ms_vg_contended_shift, n = 0;
	SizeT quiet_bytes = ((SizeT)2 << shift) - MS_VG_CONTENDED_LARGEST;
	Addr quiet = t->quiet; /* two uncontended lines, from this address on */

	for (; at < to && time <= horizon && n < MOST_FOUND; at = next) {
		ULong head = *at;
		Bool near = False;

		next = at + ms_wire_words_of(head);
		if (ms_wire_kind_of(head) != MS_WIRE_EXEC) {
			t->event = at;
			continue;
		}
		for (const ULong *ref = at + 1; ref < next; ref++) {
			if (*ref - quiet <= quiet_bytes)
				continue;
			near = ms_vg_contended_near(*ref, shift);
			if (near)
				break;
			quiet = *ref >> shift << shift;
		}
		if (near && ms_vg_contended_is(at))
			t->contended[n++] = (struct stop){ at, time };
		time += exits[ms_wire_arg_of(head)].instructions;
	}
	t->searched = (struct stop){ at, time };
	t->quiet = quiet;
	t->found = n;
	t->next_found = 0;
}

/* The track's first execution that touches a contended line; NULL: there is none before the end of
 * what is flushed. */
static inline const struct stop *first_contended(struct thread_track *t)
{
	while (t->next_found < t->found && t->contended[t->next_found].at < t->from)
		t->next_found++;
	if (t->next_found == t->found) {
		if (t->searched.at < t->from)
			restart_search(t);
		search_contended(t);
	}
	return t->next_found < t->found ? &t->contended[t->next_found] : NULL;
}

/*
 * The next contended execution that does not begin before this time, if it begins soon after it:
 * then the thread continues up to it. If time slices began at arbitrary records, neither this
 * process nor the reader of the lane could predict what comes next. *end: the last contended one
 * before it.
 */
static const struct stop *next_contended(struct thread_track *t, ULong until, struct stop *end)
{
	const struct stop *next;

	while ((next = first_contended(t)) != NULL && (next->time < until || next->at == t->from)) {
		*end = *next;
		t->next_found++;
	}
	return next != NULL && next->time - until <= NEAR ? next : NULL;
}

/* Passes on executions that began before this time, but not too many words at once; or a single
 * event. Records that have been examined are not examined again. */
static void pass_on(struct thread_track *t, ULong until)
{
	const ULong *most = t->from + MOST_WORDS, *to = t->to;
	struct stop end = { t->from, t->time }, last = end;

	if (!is_execution(end.at)) {
		pass_event(t);
		return;
	}
	most = most < to ? most : to;
	const struct stop *next = next_contended(t, until, &last);

	if (t->event < t->from) {
		if (next != NULL && next->at < most) {
			pass_words(t, next->at, next->time);
			return;
		}
		if (last.at < most)
			end = last;
	}
	do {
		end.time += ms_vg_spin_instructions(end.at);
		end.at += ms_wire_words_of(*end.at);
	} while (end.time < until && end.at < most && is_execution(end.at));
	pass_words(t, end.at, end.time);
}

static ULong earliest_contended(void)
{
	ULong first = ~0ULL;

	for (struct thread_track *t = tracks; t <= last_used; t++) {
		const struct stop *contended = is_empty(t) ? NULL : first_contended(t);

		first = contended != NULL && contended->time < first ? contended->time : first;
	}
	return first;
}

static void pass_until(struct thread_track *t, ULong until)
{
	while (!is_empty(t) && t->time <= until)
		pass_on(t, until);
}

static void pass_record(struct thread_track *t)
{
	pass_words(t, t->from + ms_wire_words_of(*t->from),
		   t->time + ms_vg_spin_instructions(t->from));
}

/* Passes on all before this record; up to about there without examining each record. */
static void pass_track_to(struct thread_track *t, const ULong *target)
{
	while (t->next_stop < t->stops && t->stop[t->next_stop].at <= target) {
		const struct stop *stop = &t->stop[t->next_stop];

		if (stop->at <= t->from)
			t->next_stop++;
		else if (!is_execution(t->from))
			pass_event(t);
		else if (stop->at - t->from <= MS_WIRE_RESERVE_WORDS)
			pass_words(t, stop->at, stop->time);
		else
			pass_record(t);
	}
	while (t->from < target) {
		if (is_execution(t->from))
			pass_record(t);
		else
			pass_event(t);
	}
}

static void forget_empty(void)
{
	while (last_used > tracks && is_empty(last_used))
		last_used--;
}

/* As long as lines are contended, it goes step by step in virtual time, and only for the threads
 * that contend. */
static void interleave(ULong horizon)
{
	ULong step;

	for (struct thread_track *t = tracks; t <= last_used; t++) {
		restart_search(t);
		t->quiet = 0;
	}
	while ((step = earliest_contended()) != ~0ULL) {
		step += grain();
		step = step < horizon ? step : horizon;
		for (struct thread_track *t = tracks; t <= last_used; t++) {
			const struct stop *contended = is_empty(t) ? NULL : first_contended(t);

			if (contended != NULL && contended->time <= step)
				pass_until(t, step);
		}
	}
}

/* Passes on time slices that have ended before this time; all: also those before them. */
static void pass_segments(ULong horizon, Bool all)
{
	ULong end = ms_vg_order_next;

	while (all && end > ms_vg_order_first) {
		const struct ms_vg_segment *s = ms_vg_order_get(end - 1);

		if (s != NULL && s->end <= horizon)
			break;
		end--;
	}
	for (ULong number = ms_vg_order_first; number < end; number++) {
		struct ms_vg_segment *s = ms_vg_order_get(number);

		if (s != NULL && (all || s->end <= horizon))
			pass_segment(s);
	}
}

static void drop_passed(void)
{
	for (ULong number = ms_vg_order_first; number < ms_vg_order_next; number++) {
		struct ms_vg_segment *s = ms_vg_order_get(number);

		if (s != NULL && tracks[s->track].from >= s->to)
			s->passed = True;
	}
	ms_vg_order_drop_passed();
	forget_empty();
}

/* Passes on what was executed before this time: finely if lines are contended. */
static void flush(ULong horizon)
{
	Bool contended;

	flushed_to = horizon;
	forget_empty();
	contended = last_used > tracks && ms_vg_contended_any() && ms_vg_order_examine();
	if (contended)
		interleave(horizon);
	pass_segments(horizon, !contended);
	drop_passed();
}

/* --- tracks --- */

static struct thread_track *track_of(ThreadId tid)
{
	struct thread_track *unused = NULL;

	for (struct thread_track *t = tracks; t <= last_used; t++) {
		if (!is_empty(t) && t->tid == tid)
			return t;
		if (is_empty(t) && unused == NULL)
			unused = t;
	}
	return unused != NULL || last_used + 1 == tracks + TRACKS ? unused : last_used + 1;
}

void ms_vg_merge_begin(ThreadId tid, ULong time)
{
	struct thread_track *t = track_of(tid);

	if (t == NULL || ms_vg_order_is_full() ||
	    (!is_empty(t) && (t->end != time || t->to > t->words + TRACK_WORDS / 2))) {
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
		t->stops = 0;
		t->next_stop = 0;
		t->segment = ms_vg_order_next;
	}
	current_from = t->to;
	ms_vg_lane_to_track(t->to, t->words + TRACK_WORDS - MS_WIRE_RESERVE_WORDS);
	current = t;
	if (t > last_used)
		last_used = t;
}

void ms_vg_merge_note_record(const ULong *record, ULong time)
{
	struct thread_track *t = current;

	if (t->stops < MOST_STOPS)
		t->stop[t->stops++] = (struct stop){ record, time };
}

void ms_vg_merge_note_event(const ULong *record)
{
	ms_vg_merge_note_record(record, ms_vg_threads[current->tid].time);
}

void ms_vg_merge_take_back(const ULong *from)
{
	while (current != NULL && current->stops > 0 &&
	       current->stop[current->stops - 1].at >= from)
		current->stops--;
}

void ms_vg_merge_end(ULong horizon)
{
	if (current != NULL) {
		current->to = ms_vg_lane_from_track();
		current->end = ms_vg_threads[current->tid].time;
		ms_vg_merge_note_record(current->to, current->end);
		if (current->to > current_from)
			ms_vg_order_add(current - tracks, current->tid, current_from, current->to,
					current->end);
		current = NULL;
	}
	flush(horizon);
}

void ms_vg_merge_forget(void)
{
	/* Stops of a track without records would lead flush() past its end. */
	for (struct thread_track *t = tracks; t < tracks + TRACKS; t++) {
		t->to = t->from;
		t->stops = t->next_stop = 0;
		t->found = t->next_found = 0;
	}
	last_used = tracks;
	current = NULL;
	ms_vg_order_forget();
}

ThreadId ms_vg_merge_thread(void)
{
	return current != NULL ? current->tid : 0;
}
