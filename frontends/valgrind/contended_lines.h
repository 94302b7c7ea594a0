/*
 * contended_lines.h - lines that several threads have recently touched. The inline functions note
 * what an execution touches, and whether that is contended.
 */
#ifndef MS_VG_CONTENDED_LINES_H
#define MS_VG_CONTENDED_LINES_H

#include "pub_tool_basics.h"

#include "spin_detection.h"

/* The size of the simulated machine's largest lines. */
void ms_vg_contended_set_line_size(UInt bytes);
void ms_vg_contended_start(void);
/* So many words have been noted. */
void ms_vg_contended_age(ULong words);
/* Whether any line was contended recently. */
Bool ms_vg_contended_any(void);
/* How often a line became contended that had not been for a while. */
extern ULong ms_vg_contended_found;

enum {
	MS_VG_CONTENDED_SET_BITS = 13,
	MS_VG_CONTENDED_HASH_BITS = 11,
	MS_VG_CONTENDED_LARGEST = 64, /* bytes of a reference: none is recorded as larger */
	MS_VG_CONTENDED_BY_MANY = 1,
	MS_VG_CONTENDED_WRITTEN = 2,
};

/* A line, or its low bits; and the marks above, the thread that touched it last, and when:
 * contended_lines.c. */
struct ms_vg_contended_line {
	UInt line;
	UInt marks;
};

extern struct ms_vg_contended_line (*ms_vg_contended_table)[2];
extern UInt ms_vg_contended_shift;

static inline struct ms_vg_contended_line *ms_vg_contended_set(UInt line)
{
	return ms_vg_contended_table[line * 0x9E3779B1u >> (32 - MS_VG_CONTENDED_SET_BITS)];
}

/* For any reference. */
void ms_vg_contended_touch(Addr address, UInt meaning, UInt mine);

/* Whether the next piece is noted. */
Bool ms_vg_contended_draw(void);

/* The marks of a thread that touches lines now. */
UInt ms_vg_contended_marks(ThreadId tid);

/* Notes what an execution touches; mine: as above. Nothing is done if that is known already. */
static inline void ms_vg_contended_note(const ULong *record, UInt mine)
{
	UInt refs, shift = ms_vg_contended_shift;
	const UShort *meaning = ms_vg_spin_refs(record, &refs);

	for (UInt i = 0; i < refs; i++) {
		Addr address = record[1 + i];
		UInt line = (UInt)(address >> shift);
		UInt last = (UInt)((address + (meaning[i] >> MS_SCHEDULE_BYTES_AT) - 1) >> shift);
		const struct ms_vg_contended_line *t = ms_vg_contended_set(line);
		UInt both = MS_VG_CONTENDED_BY_MANY | MS_VG_CONTENDED_WRITTEN;
		UInt lacks = (meaning[i] & MS_SCHEDULE_WRITES) << 1 & ~t->marks;

		if ((t->line ^ line) | ((t->marks & ~both) ^ mine) | lacks | (line ^ last))
			ms_vg_contended_touch(address, meaning[i], mine);
	}
}

/* By hash: the generation when such a line was last found to be contended; and the first generation
 * that counts. This rules out most lines. */
extern UInt *ms_vg_contended_maybe;
extern UInt ms_vg_contended_since;

static inline UInt ms_vg_contended_hash(UInt line)
{
	return line * 0x9E3779B1u >> (32 - MS_VG_CONTENDED_HASH_BITS);
}

/* Whether the line of this address may be contended, or the next one: a reference that begins in a
 * line may end there. */
static inline Bool ms_vg_contended_near(Addr address, UInt shift)
{
	UInt line = (UInt)(address >> shift);

	return ms_vg_contended_maybe[ms_vg_contended_hash(line)] >= ms_vg_contended_since ||
	       ms_vg_contended_maybe[ms_vg_contended_hash(line + 1)] >= ms_vg_contended_since;
}

/* Whether a line that this execution touches is contended. */
Bool ms_vg_contended_is(const ULong *record);

#endif
