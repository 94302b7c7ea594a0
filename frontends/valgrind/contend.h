/*
 * contend.h - the hot half of contend.c: noting what an execution touches, and whether that is
 * fought over.
 */
#ifndef MS_VG_CONTEND_H
#define MS_VG_CONTEND_H

#include "turns.h"

enum {
	MS_CONTEND_SET_BITS = 13,
	MS_CONTEND_HASH_BITS = 11,
	MS_CONTEND_BY_MANY = 1,
	MS_CONTEND_WRITTEN = 2,
};

/* A line, or its low bits; and the marks above, who touched it last, and when: contend.c. */
struct ms_touched {
	UInt line;
	UInt marks;
};

extern struct ms_touched (*ms_contend_table)[2];
extern UInt ms_contend_shift;

static inline struct ms_touched *ms_contend_set(UInt line)
{
	return ms_contend_table[line * 0x9E3779B1u >> (32 - MS_CONTEND_SET_BITS)];
}

/* Any reference. */
void ms_contend_touch(Addr address, UInt meaning, UInt mine);

/* Whether what comes next is worth noting. */
Bool ms_contend_draws(void);

/* The marks of a thread that touches lines now. */
UInt ms_contend_marks(ThreadId tid);

/* What an execution touches; mine: as above. Nothing is to be done where it is known. */
static inline void ms_contend_note(const ULong *record, UInt mine)
{
	UInt refs, shift = ms_contend_shift;
	const UShort *meaning = ms_spin_refs(record, &refs);

	for (UInt i = 0; i < refs; i++) {
		Addr address = record[1 + i];
		UInt line = (UInt)(address >> shift);
		UInt last = (UInt)((address + (meaning[i] >> 1) - 1) >> shift);
		const struct ms_touched *t = ms_contend_set(line);
		UInt both = MS_CONTEND_BY_MANY | MS_CONTEND_WRITTEN;
		UInt lacks = (meaning[i] & 1) << 1 & ~t->marks;

		if ((t->line ^ line) | ((t->marks & ~both) ^ mine) | lacks | (line ^ last))
			ms_contend_touch(address, meaning[i], mine);
	}
}

/* By hash: the generation when such a line was last found to be fought over; and the first that
 * counts. Most lines are seen there to be none. */
extern UInt *ms_contend_maybe;
extern UInt ms_contend_since;

static inline UInt ms_contend_hash(UInt line)
{
	return line * 0x9E3779B1u >> (32 - MS_CONTEND_HASH_BITS);
}

Bool ms_contend_is_line(UInt line);

/* Whether threads fight over a line that these references touch; quiet: a line that is known to be
 * none of these, as most executions touch the same ones as those before them. */
static inline Bool ms_contend_is(const ULong *address, const UShort *meaning, UInt refs, UInt shift,
				 UInt *quiet)
{
	for (UInt i = 0; i < refs; i++) {
		UInt line = (UInt)(address[i] >> shift);
		UInt last = (UInt)((address[i] + (meaning[i] >> 1) - 1) >> shift);

		if (line == *quiet && last == line)
			continue;
		if (ms_contend_maybe[ms_contend_hash(line)] >= ms_contend_since &&
		    ms_contend_is_line(line))
			return True;
		if (last != line && ms_contend_is_line(last))
			return True;
		*quiet = line;
	}
	return False;
}

#endif
