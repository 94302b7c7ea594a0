/*
 * spin_detection.c - threads that spin: they read the same addresses over and over, until another
 * thread changes one of them.
 *
 * Spinning is detected in the records: the last ones repeat those before them, word by word, in
 * iterations of at most MOST_RECORDS records. A loop that computes in registers looks the same, so
 * the registers must repeat too. An exception is an iteration with a spin hint to the processor
 * (pause, yield), because loops that count their iterations have that. Writes to the thread's own
 * stack do not affect other threads; with other writes (atomic instructions) the records are kept.
 */
#include "spin_detection.h"

#include "wire/operands.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

#include "contended_lines.h"
#include "guest.h"
#include "thread_lifetimes.h"
#include "track_merge.h"

enum {
	MOST_RECORDS = 8, /* of an iteration */
	ROUNDS = 3,       /* iterations after which spinning is suspected */
	KEPT_ROUNDS = 2,  /* of those that are taken back */
	STACK_BELOW = 128,
	STACK_ABOVE = 1 << 16,
	LARGEST = MS_VG_CONTENDED_LARGEST,
};

/* --- the meaning of exits --- */

struct ms_vg_spin_exit *ms_vg_spin_exits;
static UInt exit_room;
UShort *ms_vg_spin_ref_meaning;
static UInt ref_count, ref_room;

static void *grow(const HChar *what, void *old, UInt *room, UInt needed, SizeT size)
{
	if (needed <= *room)
		return old;
	*room = needed * 2 + 1024;
	return VG_(realloc)(what, old, *room * size);
}

static Bool is_atomic(const ULong *operands, UInt instruction)
{
	return operands != NULL && ms_wire_operation_of(operands[instruction]) == MS_WIRE_OP_ATOMIC;
}

void ms_vg_spin_add_block(const struct ms_wire_ref *refs, UInt n, const ULong *operands,
			  const struct ms_wire_exit *exit, UInt exit_count, UInt first_exit,
			  Bool pauses)
{
	ms_vg_spin_exits = grow("memspy.spin.exits", ms_vg_spin_exits, &exit_room,
				first_exit + exit_count, sizeof(*ms_vg_spin_exits));
	ms_vg_spin_ref_meaning = grow("memspy.spin.refs", ms_vg_spin_ref_meaning, &ref_room,
				      ref_count + n, sizeof(*ms_vg_spin_ref_meaning));
	for (UInt i = 0; i < exit_count; i++)
		ms_vg_spin_exits[first_exit + i] =
			(struct ms_vg_spin_exit){ ref_count, exit[i].refs, exit[i].instructions,
						  pauses && i + 1 == exit_count };
	for (UInt i = 0; i < n; i++)
		ms_vg_spin_ref_meaning[ref_count + i] =
			(refs[i].size < LARGEST ? refs[i].size : LARGEST) << MS_SCHEDULE_BYTES_AT |
			(is_atomic(operands, refs[i].instruction) ? MS_SCHEDULE_ATOMIC : 0) |
			(refs[i].kind != MS_WIRE_READ ? MS_SCHEDULE_WRITES : 0);
	ref_count += n;
}

void ms_vg_spin_restart(void)
{
	ref_count = 0;
	ms_vg_spin_forget();
}

/* --- the last records --- */

static const ULong *records_start, *records_end;
/* the beginning of the records noted last, and of those before */
static const ULong *last_noted[2];
/* Since the last ms_vg_spin_forget(): whether there are executions, and whether some are elsewhere.
 */
static Bool any_executed, in_pieces;
static const ULong *round_start; /* of the last iteration, if there is one */

void ms_vg_spin_forget(void)
{
	records_start = NULL;
	records_end = NULL;
	any_executed = False;
	in_pieces = False;
}

/*
 * Notes the records of a track: where it may be split, and what they touch. The latter is done for
 * randomly selected pieces only: lines are remembered for many time slices, and a line that is
 * hardly ever touched is hardly contended.
 */
static void note_tracked(const ULong *from, const ULong *to, ULong time)
{
	ThreadId tid = ms_vg_merge_thread();

	if (tid == 0)
		return;
	ms_vg_merge_note_record(from, time);
	if (ms_vg_contended_draw()) {
		UInt mine = ms_vg_contended_marks(tid);

		for (const ULong *at = from; at < to; at += ms_wire_words_of(*at))
			ms_vg_contended_note(at, mine);
	}
	ms_vg_contended_age(to - from);
}

void ms_vg_spin_note_records(const ULong *from, const ULong *to, ULong time, ULong instructions)
{
	if (from == to)
		return;
	if (from != records_end || records_start == NULL) {
		in_pieces = any_executed;
		records_start = from;
		last_noted[0] = from;
	}
	last_noted[1] = last_noted[0];
	last_noted[0] = from;
	records_end = to;
	any_executed |= instructions != 0;
	note_tracked(from, to, time);
}

Bool ms_vg_spin_slice_records(const ULong **from, const ULong **to)
{
	*from = records_start;
	*to = records_end;
	return !in_pieces && records_start != NULL;
}

static Bool same(const ULong *a, const ULong *b, const ULong *end)
{
	while (b < end)
		if (*a++ != *b++)
			return False;
	return True;
}

/* Finds the starts of the last records, the very last first. Returns their number. */
static UInt find_last(const ULong *last[MOST_RECORDS])
{
	const ULong *recent[MOST_RECORDS];
	UInt count = 0, n;

	for (const ULong *at = last_noted[1]; at < records_end; at += ms_wire_words_of(*at))
		recent[count++ % MOST_RECORDS] = at;
	n = count < MOST_RECORDS ? count : MOST_RECORDS;
	for (UInt i = 0; i < n; i++)
		last[i] = recent[(count - 1 - i) % MOST_RECORDS];
	return n;
}

/* Whether the records from here on have been repeated ROUNDS times. */
static Bool is_round(const ULong *start)
{
	SizeT words = records_end - start;

	if ((SizeT)(records_end - records_start) < ROUNDS * words)
		return False;
	for (UInt i = 1; i < ROUNDS; i++)
		if (!same(start - i * words, start, records_end))
			return False;
	return True;
}

/* --- whether an iteration is spinning --- */

static Bool on_own_stack(ThreadId tid, Addr address)
{
	return address - (VG_(get_SP)(tid) - STACK_BELOW) < STACK_BELOW + STACK_ABOVE;
}

struct round {
	Bool reads;
	Bool writes; /* what others may see */
	Bool pauses;
	Bool broken; /* something else is in it */
};

static void examine_record(ThreadId tid, const ULong *at, struct round *r)
{
	const struct ms_vg_spin_exit *exit = &ms_vg_spin_exits[ms_wire_arg_of(*at)];

	if (ms_wire_kind_of(*at) != MS_WIRE_EXEC) {
		r->broken = True;
		return;
	}
	r->pauses |= exit->pauses;
	for (UInt i = 0; i < exit->refs; i++) {
		if ((ms_vg_spin_ref_meaning[exit->first_ref + i] & MS_SCHEDULE_WRITES) == 0)
			r->reads |= !on_own_stack(tid, at[1 + i]);
		else
			r->writes |= !on_own_stack(tid, at[1 + i]);
	}
}

static struct round examine_records(ThreadId tid, const ULong *from, const ULong *to)
{
	struct round r = { False, False, False, False };

	for (const ULong *at = from; at < to && !r.broken; at += ms_wire_words_of(*at))
		examine_record(tid, at, &r);
	return r;
}

Bool ms_vg_spin_writes(ThreadId tid, const ULong *from, const ULong *to)
{
	return examine_records(tid, from, to).writes;
}

/* The guest's registers at the beginning of an iteration, and whether they are still valid. */
static UChar *registers;
static const ULong *registers_at; /* the cursor at that time */
static ThreadId registers_of;

enum { REGISTERS_FROM = GUEST_EVENTS + 8, REGISTERS_BYTES = GUEST_BYTES - REGISTERS_FROM };

static void note_registers(ThreadId tid, const void *state)
{
	if (registers == NULL)
		registers = VG_(malloc)("memspy.spin.registers", REGISTERS_BYTES);
	VG_(memcpy)(registers, (const UChar *)state + REGISTERS_FROM, REGISTERS_BYTES);
	registers_of = tid;
	registers_at = records_end;
}

enum ms_vg_spin_kind ms_vg_spin_detect(ThreadId tid, const void *state, UInt *words, Bool *hinted)
{
	const ULong *last[MOST_RECORDS];
	UInt n = 0, count = find_last(last);

	while (n < count && !is_round(last[n]))
		n++;
	if (n == count)
		return MS_VG_SPIN_NO;
	round_start = last[n];
	struct round r = examine_records(tid, round_start, records_end);
	*words = records_end - round_start;
	*hinted = r.pauses;
	if (r.broken || !(r.reads || r.writes))
		return MS_VG_SPIN_NO;
	if (!r.pauses) {
		if (registers_of != tid || registers_at + *words != records_end) {
			/* A second check that fails is the last one in this time slice. */
			Bool again = registers_of == tid && registers_at > records_start;

			note_registers(tid, state);
			return again ? MS_VG_SPIN_NO : MS_VG_SPIN_MAYBE;
		}
		registers_of = VG_INVALID_THREADID;
		if (VG_(memcmp)(registers, (const UChar *)state + REGISTERS_FROM,
				REGISTERS_BYTES) != 0)
			return MS_VG_SPIN_NO;
	}
	return r.writes ? MS_VG_SPIN_WRITES : MS_VG_SPIN_READS;
}

ULong *ms_vg_spin_take_back(ULong *instructions)
{
	SizeT words = records_end - round_start;
	const ULong *start = round_start;
	ULong of_round = 0;

	for (const ULong *at = round_start; at < records_end; at += ms_wire_words_of(*at))
		of_round += ms_vg_spin_instructions(at);
	while ((SizeT)(start - records_start) >= words &&
	       same(start - words, round_start, records_end))
		start -= words;
	start += KEPT_ROUNDS * words;
	*instructions = (records_end - start) / words * of_round;
	return (ULong *)start;
}

/* --- what is read --- */

static Bool note(struct ms_vg_thread *me, Addr address, UInt bytes)
{
	struct ms_vg_spin_place *p = me->place;
	UInt in_page = VKI_PAGE_SIZE - address % VKI_PAGE_SIZE;

	while (p < me->place + me->places && p->address != address)
		p++;
	if (p < me->place + me->places)
		return True;
	if (me->places == MS_VG_SPIN_PLACES)
		return False;
	p->address = address;
	p->bytes = bytes < in_page ? bytes : in_page;
	VG_(memcpy)(p->value, (const void *)address, p->bytes);
	me->places++;
	return True;
}

static Bool note_record(struct ms_vg_thread *me, const ULong *at, Bool writes_too)
{
	const struct ms_vg_spin_exit *exit = &ms_vg_spin_exits[ms_wire_arg_of(*at)];
	Bool all = True;

	for (UInt i = 0; i < exit->refs; i++) {
		UInt meaning = ms_vg_spin_ref_meaning[exit->first_ref + i];

		if (((meaning & MS_SCHEDULE_WRITES) == 0 || writes_too) && at[1 + i] != 0)
			all &= note(me, at[1 + i], meaning >> MS_SCHEDULE_BYTES_AT);
	}
	return all;
}

static Bool note_records(struct ms_vg_thread *me, const ULong *from, const ULong *to,
			 Bool writes_too)
{
	Bool all = True;

	me->places = 0;
	for (const ULong *at = from; at < to; at += ms_wire_words_of(*at))
		all &= note_record(me, at, writes_too);
	return all && me->places > 0;
}

Bool ms_vg_spin_note(struct ms_vg_thread *me, Bool writes_too)
{
	return note_records(me, round_start, records_end, writes_too);
}

Bool ms_vg_spin_note_all(struct ms_vg_thread *me, const ULong *from, const ULong *to)
{
	return note_records(me, from, to, True);
}

Bool ms_vg_spin_changed(const struct ms_vg_thread *t)
{
	for (UInt i = 0; i < t->places; i++)
		if (VG_(memcmp)((const void *)t->place[i].address, t->place[i].value,
				t->place[i].bytes) != 0)
			return True;
	return False;
}
