/*
 * vectors.c - vector registers that are longer than system calls keep them (SVE).
 *
 * Of each register a system call keeps the low 16 bytes; the rest, the predicates and the register
 * of first faults are lost. The program reckons with that at its own calls, but C makes calls too
 * where the program has none. So enter.S puts them all aside before C runs and takes them back
 * behind it; and where the kernel is to go on with the program (the window ends, a held signal is
 * delivered), they must be in the frame that it goes on by. That is made anew from the one of a
 * signal of our own: the same records but for theirs.
 *
 * In streaming mode, and while there is a matrix (SME), nothing is traced: a system call ends the
 * mode, and the matrix is too large for our frame.
 */
#include "tracer_priv.h"

enum { DELIVERING = 3 }; /* as t->traced: our next signal is to deliver the program's */
enum { GET_LENGTH = 51, LENGTH = 0xffff };
/* Of the kernel's frame, in bytes. */
enum { INFO = 128, RECORDS = 464, RECORD_ALIGN = 16 };
enum { RECORD_VECTORS = 0x53564501, RECORD_MORE = 0x45585401, RECORD_MATRIX = 0x54366345 };
enum { LONGEST = 256, REGISTERS = 32, PREDICATES = 17, STREAMING = 1 };

struct record {
	uint32_t magic, size;
};

struct vectors { /* what comes first of RECORD_VECTORS, then the registers */
	struct record head;
	uint16_t length, flags, reserved[2];
};

struct more { /* RECORD_MORE: records that stand elsewhere */
	struct record head;
	uint64_t at;
	uint32_t size, reserved[3];
};

struct frame {
	uint8_t context[INFO + RECORDS];
	struct more more;
	struct record end[2];
	uint8_t records[16 + LONGEST * REGISTERS + LONGEST / 8 * PREDICATES + 2048];
} __attribute__((aligned(16)));

_Static_assert(sizeof(struct ms_window) <= MS_AT_VECTORS - MS_AT_REGS, "layout.h");
_Static_assert(sizeof(struct vectors) == MS_VECTORS_HEAD, "layout.h");
_Static_assert(offsetof(struct vectors, length) == MS_AT_VECTORS_LENGTH - MS_AT_VECTORS,
	       "layout.h");

bool ms_vectors_scale; /* there are such registers */

_Noreturn void ms_sigreturn_by(struct frame *frame);
_Noreturn void ms_vectors_deliver(struct ms_thread *t);

static long length(void)
{
	return ms_sys(__NR_prctl, GET_LENGTH, 0, 0, 0, 0, 0);
}

void ms_vectors_start(void)
{
	ms_vectors_scale = length() > 0;
}

static struct vectors *vectors_of(struct ms_window *w)
{
	return (struct vectors *)((uint8_t *)w + MS_AT_VECTORS - MS_AT_REGS);
}

static uint32_t size_of(uint32_t of)
{
	uint32_t size = MS_VECTORS_HEAD + of * REGISTERS + of / 8 * PREDICATES;

	return (size + RECORD_ALIGN - 1) & -(uint32_t)RECORD_ALIGN;
}

/* --- frames --- */

/* The record, or the first of those that it says stand elsewhere. */
static const struct record *here(const struct record *r)
{
	return r->magic == RECORD_MORE ? (const struct record *)((const struct more *)r)->at : r;
}

static const struct record *first(const uint64_t *uc)
{
	return here((const struct record *)((const uint8_t *)uc + RECORDS));
}

static const struct record *next(const struct record *r)
{
	return here((const struct record *)((const uint8_t *)r + r->size));
}

bool ms_vectors_can_go(const uint64_t *uc)
{
	for (const struct record *r = first(uc); r->magic != 0; r = next(r)) {
		if (r->magic == RECORD_VECTORS && ((const struct vectors *)r)->flags & STREAMING)
			return false;
		if (r->magic == RECORD_MATRIX && r->size > sizeof(struct vectors))
			return false;
	}
	return true;
}

/* Goes on by the same frame, with the vector registers as C found them. */
void ms_vectors_leave(struct ms_window *w, uint64_t *uc)
{
	static const struct record end[2];
	struct vectors *v = vectors_of(w);
	struct frame frame;
	uint8_t *at = frame.records, *room = at + sizeof(frame.records) - sizeof(end);

	if (!ms_vectors_scale || (length() & LENGTH) != v->length)
		return; /* the program has changed it, and given them up */
	v->head = (struct record){ RECORD_VECTORS, size_of(v->length) };
	ms_copy(at, v, v->head.size);
	at += v->head.size;
	for (const struct record *r = first(uc); r->magic != 0; r = next(r)) {
		if (r->magic == RECORD_VECTORS || r->size > (size_t)(room - at))
			continue;
		ms_copy(at, r, r->size);
		at += r->size;
	}
	ms_copy(at, end, sizeof(end));
	at += sizeof(end);
	ms_copy(frame.context, (uint8_t *)uc - INFO, sizeof(frame.context));
	frame.more = (struct more){ { RECORD_MORE, sizeof(frame.more) },
				    (uint64_t)frame.records,
				    (uint32_t)(at - frame.records),
				    { 0 } };
	ms_copy(frame.end, end, sizeof(end));
	ms_sigreturn_by(&frame);
}

/* --- a signal that was held --- */

/* By ms_deliver_program: not by a change of the mask, as the frame that the program's handler finds
 * must have all that the program had. */
_Noreturn void ms_vectors_deliver(struct ms_thread *t)
{
	ms_leave_by(t, DELIVERING);
}

void ms_vectors_arrived(struct ms_thread *t, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);

	if (t->traced != DELIVERING)
		return;
	t->traced = 1;
	uc[MS_UC_PC] = (uint64_t)ms_deliver_done;
	uc[MS_UC_SP] = w->regs[SP];
	uc[MS_UC_MASK] = w->mask;
	ms_vectors_leave(w, uc);
}
