/*
 * contend.h - the hot half of contend.c: notes what an execution touches, and whether that is
 * contended.
 */
#ifndef MS_VG_CONTEND_H
#define MS_VG_CONTEND_H

#include "turns.h"

enum {
	MS_CONTEND_SET_BITS = 13,
	MS_CONTEND_HASH_BITS = 11,
	MS_CONTEND_LARGEST = 64, /* bytes of a reference: none is recorded as larger */
	MS_CONTEND_BY_MANY = 1,
	MS_CONTEND_WRITTEN = 2,
};

/* A line, or its low bits; and the marks above, the thread that touched it last, and when:
 * contend.c. */
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

/* For any reference. */
void ms_contend_touch(Addr address, UInt meaning, UInt mine);

/* Whether the next piece is noted. */
Bool ms_contend_draws(void);

/* The marks of a thread that touches lines now. */
UInt ms_contend_marks(ThreadId tid);

/* Notes what an execution touches; mine: as above. Nothing is done if that is known already. */
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

/* By hash: the generation when such a line was last found to be contended; and the first generation
 * that counts. This rules out most lines. */
extern UInt *ms_contend_maybe;
extern UInt ms_contend_since;

static inline UInt ms_contend_hash(UInt line)
{
	return line * 0x9E3779B1u >> (32 - MS_CONTEND_HASH_BITS);
}

/* Whether the line of this address may be contended, or the next one: a reference that begins in a
 * line may end there. */
static inline Bool ms_contend_near(Addr address, UInt shift)
{
	UInt line = (UInt)(address >> shift);

	return ms_contend_maybe[ms_contend_hash(line)] >= ms_contend_since ||
	       ms_contend_maybe[ms_contend_hash(line + 1)] >= ms_contend_since;
}

/* Whether a line that this execution touches is contended. */
Bool ms_contend_is(const ULong *record);

#endif
