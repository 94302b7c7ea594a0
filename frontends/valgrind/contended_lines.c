/*
 * contended_lines.c - finds contended lines: those that several threads have recently touched, at
 * least one of them with a write.
 *
 * Coherent caches depend on the order of references to such lines only; for all others the order
 * makes no difference. So track_merge.c splits tracks there, and nowhere else.
 *
 * A table of lines has two ways per set: which thread touched a line, whether others did, whether
 * it was written. A line that is not in the table counts as uncontended; so contended lines stay
 * until they are old. An entry that is too old counts as absent.
 */
#include "contended_lines.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "spin_detection.h"
#include "time_slices.h"

enum {
	LEAST_SHIFT = 7, /* of a line: traces are replayed on machines with larger ones, too */
	GENERATION_WORDS = 1 << 16, /* that are noted until entries are a generation older */
	BY_SHIFT = 2,          /* marks: the thread is above the two flags, then the generation */
	GENERATION_SHIFT = 19, /* as many threads as memspy run --threads allows, and more */
	FIRST_GENERATION = 2,
	/* one in so many pieces of a track is noted; in longer time slices, as many per time slice
	 */
	ONE_IN = 4,
};

struct ms_vg_contended_line (*ms_vg_contended_table)[2];
UInt *ms_vg_contended_maybe;
UInt ms_vg_contended_since = 1;
UInt ms_vg_contended_shift = LEAST_SHIFT;
static UInt generation = FIRST_GENERATION;
static ULong words_noted;
static UInt random_state = 1;
static UInt last_contended; /* the generation when a line was last found to be contended */
ULong ms_vg_contended_found;

void ms_vg_contended_set_line_size(UInt bytes)
{
	while ((1u << ms_vg_contended_shift) < bytes)
		ms_vg_contended_shift++;
}

static Bool is_recent(const struct ms_vg_contended_line *t)
{
	return (t->marks >> GENERATION_SHIFT) + 1 >= generation;
}

static Bool is_contended(const struct ms_vg_contended_line *t)
{
	UInt both = MS_VG_CONTENDED_BY_MANY | MS_VG_CONTENDED_WRITTEN;

	return (t->marks & both) == both && is_recent(t);
}

/* --- noting --- */

void ms_vg_contended_start(void)
{
	ms_vg_contended_table = VG_(calloc)("memspy.contend", 1 << MS_VG_CONTENDED_SET_BITS,
					    sizeof(*ms_vg_contended_table));
	ms_vg_contended_maybe = VG_(calloc)("memspy.contend.maybe", 1 << MS_VG_CONTENDED_HASH_BITS,
					    sizeof(*ms_vg_contended_maybe));
}

Bool ms_vg_contended_draw(void)
{
	random_state = random_state * 1103515245 + 12345;
	return (random_state >> 16) % (ONE_IN << ms_vg_slice_doublings) == 0;
}

UInt ms_vg_contended_marks(ThreadId tid)
{
	return generation << GENERATION_SHIFT | tid << BY_SHIFT;
}

/* Moves the line to the first way of its set, and replaces the second way or the previous first. */
static struct ms_vg_contended_line *first_way_of(UInt line)
{
	struct ms_vg_contended_line *set = ms_vg_contended_set(line), first = set[0];

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
	struct ms_vg_contended_line *t = first_way_of(line);
	Bool was_contended = t->line == line && is_contended(t);

	if (t->line == line && is_recent(t)) {
		UInt by = (1u << (GENERATION_SHIFT - BY_SHIFT)) - 1;
		Bool other = ((t->marks ^ marks) >> BY_SHIFT & by) != 0;

		marks |= t->marks & (MS_VG_CONTENDED_BY_MANY | MS_VG_CONTENDED_WRITTEN);
		marks |= other ? MS_VG_CONTENDED_BY_MANY : 0;
	}
	t->line = line;
	t->marks = marks;
	if (is_contended(t)) {
		ms_vg_contended_found += !was_contended;
		last_contended = generation;
		ms_vg_contended_maybe[ms_vg_contended_hash(line)] = generation;
	}
}

void ms_vg_contended_touch(Addr address, UInt meaning, UInt mine)
{
	UInt line = (UInt)(address >> ms_vg_contended_shift);
	UInt last =
		(UInt)((address + (meaning >> MS_SCHEDULE_BYTES_AT) - 1) >> ms_vg_contended_shift);
	UInt marks = mine | (meaning & MS_SCHEDULE_WRITES ? MS_VG_CONTENDED_WRITTEN : 0);

	if (address == 0)
		return; /* a conditional reference that did not happen */
	touch_line(line, marks);
	if (last != line)
		touch_line(last, marks);
}

void ms_vg_contended_age(ULong words)
{
	words_noted += words;
	if (words_noted < GENERATION_WORDS)
		return;
	words_noted = 0;
	ms_vg_contended_since = generation++;
	/* Before the number overflows. */
	if (generation >> (32 - GENERATION_SHIFT) != 0) {
		VG_(memset)
		(ms_vg_contended_table, 0,
		 sizeof(*ms_vg_contended_table) << MS_VG_CONTENDED_SET_BITS);
		VG_(memset)
		(ms_vg_contended_maybe, 0,
		 sizeof(*ms_vg_contended_maybe) << MS_VG_CONTENDED_HASH_BITS);
		generation = FIRST_GENERATION;
		ms_vg_contended_since = generation - 1;
		last_contended = 0;
	}
}

/* --- queries --- */

Bool ms_vg_contended_any(void)
{
	return last_contended + 1 >= generation;
}

static Bool is_contended_line(UInt line)
{
	const struct ms_vg_contended_line *set = ms_vg_contended_set(line);

	return (set[0].line == line && is_contended(&set[0])) ||
	       (set[1].line == line && is_contended(&set[1]));
}

Bool ms_vg_contended_is(const ULong *record)
{
	UInt refs;
	const UShort *meaning = ms_vg_spin_refs(record, &refs);

	for (UInt i = 0; i < refs; i++) {
		Addr address = record[1 + i], end = address + (meaning[i] >> MS_SCHEDULE_BYTES_AT);
		UInt line = (UInt)(address >> ms_vg_contended_shift);
		UInt last = (UInt)((end - 1) >> ms_vg_contended_shift);

		if (is_contended_line(line) || (last != line && is_contended_line(last)))
			return True;
	}
	return False;
}
