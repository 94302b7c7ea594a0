/*
 * contend.c - finds contended lines: those that several threads have recently touched, at least one
 * of them with a write.
 *
 * Coherent caches depend on the order of references to such lines only; for all others the order
 * makes no difference. So merge.c splits tracks there, and nowhere else.
 *
 * A table of lines has two ways per set: which thread touched a line, whether others did, whether
 * it was written. A line that is not in the table counts as uncontended; so contended lines stay
 * until they are old. An entry that is too old counts as absent.
 */
#include "contend.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

enum {
	LEAST_SHIFT = 7,     /* of a line: traces are replayed on machines with larger ones, too */
	AGE_WORDS = 1 << 16, /* that are noted until entries are a generation older */
	BY_SHIFT = 2,        /* marks: the thread is above the two flags, then the generation */
	GENERATION_SHIFT = 19, /* as many threads as memspy run --threads allows, and more */
	FIRST_GENERATION = 2,
	/* one in so many pieces of a track is noted; in longer turns, as many per turn */
	ONE_IN = 4,
};

struct ms_touched (*ms_contend_table)[2];
UInt *ms_contend_maybe;
UInt ms_contend_since = 1;
UInt ms_contend_shift = LEAST_SHIFT;
static UInt generation = FIRST_GENERATION;
static ULong words_noted;
static UInt dice = 1;
static UInt last_contended; /* the generation when a line was last found to be contended */
ULong ms_contend_found;

void ms_contend_lines(UInt bytes)
{
	while ((1u << ms_contend_shift) < bytes)
		ms_contend_shift++;
}

static Bool is_recent(const struct ms_touched *t)
{
	return (t->marks >> GENERATION_SHIFT) + 1 >= generation;
}

static Bool is_contended(const struct ms_touched *t)
{
	UInt both = MS_CONTEND_BY_MANY | MS_CONTEND_WRITTEN;

	return (t->marks & both) == both && is_recent(t);
}

/* --- noting --- */

void ms_contend_start(void)
{
	ms_contend_table =
		VG_(calloc)("memspy.contend", 1 << MS_CONTEND_SET_BITS, sizeof(*ms_contend_table));
	ms_contend_maybe = VG_(calloc)("memspy.contend.maybe", 1 << MS_CONTEND_HASH_BITS,
				       sizeof(*ms_contend_maybe));
}

Bool ms_contend_draws(void)
{
	dice = dice * 1103515245 + 12345;
	return (dice >> 16) % (ONE_IN << ms_turns_doubled) == 0;
}

UInt ms_contend_marks(ThreadId tid)
{
	return generation << GENERATION_SHIFT | tid << BY_SHIFT;
}

/* Moves the line to the first way of its set, and replaces the second way or the previous first. */
static struct ms_touched *seat_of(UInt line)
{
	struct ms_touched *set = ms_contend_set(line), first = set[0];

	if (first.line == line)
		return set;
	if (set[1].line == line) {
		set[0] = set[1];
		set[1] = first;
		return set;
	}
	if (!is_contended(&set[1]) || is_contended(&first))
		set[1] = first;
	return set;
}

static void touch_line(UInt line, UInt marks)
{
	struct ms_touched *t = seat_of(line);
	Bool was_contended = t->line == line && is_contended(t);

	if (t->line == line && is_recent(t)) {
		UInt by = (1u << (GENERATION_SHIFT - BY_SHIFT)) - 1;
		Bool other = ((t->marks ^ marks) >> BY_SHIFT & by) != 0;

		marks |= t->marks & (MS_CONTEND_BY_MANY | MS_CONTEND_WRITTEN);
		marks |= other ? MS_CONTEND_BY_MANY : 0;
	}
	t->line = line;
	t->marks = marks;
	if (is_contended(t)) {
		ms_contend_found += !was_contended;
		last_contended = generation;
		ms_contend_maybe[ms_contend_hash(line)] = generation;
	}
}

void ms_contend_touch(Addr address, UInt meaning, UInt mine)
{
	UInt line = (UInt)(address >> ms_contend_shift);
	UInt last = (UInt)((address + (meaning >> 1) - 1) >> ms_contend_shift);
	UInt marks = mine | (meaning & 1 ? MS_CONTEND_WRITTEN : 0);

	if (address == 0)
		return; /* a conditional reference that did not happen */
	touch_line(line, marks);
	if (last != line)
		touch_line(last, marks);
}

void ms_contend_grow_older(ULong words)
{
	words_noted += words;
	if (words_noted < AGE_WORDS)
		return;
	words_noted = 0;
	ms_contend_since = generation++;
	/* Before the number overflows. */
	if (generation >> (32 - GENERATION_SHIFT) != 0) {
		VG_(memset)(ms_contend_table, 0, sizeof(*ms_contend_table) << MS_CONTEND_SET_BITS);
		VG_(memset)(ms_contend_maybe, 0, sizeof(*ms_contend_maybe) << MS_CONTEND_HASH_BITS);
		generation = FIRST_GENERATION;
		ms_contend_since = generation - 1;
		last_contended = 0;
	}
}

/* --- looking --- */

Bool ms_contend_any(void)
{
	return last_contended + 1 >= generation;
}

static Bool is_fought_over(UInt line)
{
	const struct ms_touched *set = ms_contend_set(line);

	return (set[0].line == line && is_contended(&set[0])) ||
	       (set[1].line == line && is_contended(&set[1]));
}

Bool ms_contend_is(const ULong *record)
{
	UInt refs;
	const UShort *meaning = ms_spin_refs(record, &refs);

	for (UInt i = 0; i < refs; i++) {
		Addr address = record[1 + i], end = address + (meaning[i] >> 1);
		UInt line = (UInt)(address >> ms_contend_shift);
		UInt last = (UInt)((end - 1) >> ms_contend_shift);

		if (is_fought_over(line) || (last != line && is_fought_over(last)))
			return True;
	}
	return False;
}
