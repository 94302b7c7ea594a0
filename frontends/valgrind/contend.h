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
	MS_CONTEND_LARGEST = 64, /* bytes of a reference: none is said to be larger */
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

/* Whether threads may fight over the line of this address, or over the next: what begins in a line
 * may end there. */
static inline Bool ms_contend_near(Addr address, UInt shift)
{
	UInt line = (UInt)(address >> shift);

	return ms_contend_maybe[ms_contend_hash(line)] >= ms_contend_since ||
	       ms_contend_maybe[ms_contend_hash(line + 1)] >= ms_contend_since;
}

/* Whether they do over a line that this execution touches. */
Bool ms_contend_is(const ULong *record);

#endif
