/*
 * vectors.c - vector registers that are longer than the part that system calls preserve (SVE).
 *
 * A system call preserves the low 16 bytes of each register. The rest, the predicates and the
 * first-fault register are lost. The program expects that at its own calls, but C makes calls where
 * the program has none. So enter.S saves all of them before C runs and restores them after it.
 * Where the kernel resumes the program (the window ends, a held signal is delivered), they must be
 * in the frame through which it resumes. That frame is built from the frame of a signal of memspy:
 * the same records, except for the vector registers.
 *
 * In streaming mode, and while the matrix of SME is in use, nothing is traced: a system call ends
 * the mode, and the matrix is too large for memspy's frame.
 */
#include "arch.h"
#include "layout.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "sys.h"
#include "tracer/arch_priv.h"
#include "tracer/signal_delivery.h"
#include "tracer/window.h"
#include "ucontext.h"

enum { DELIVERING = 3 }; /* value of t->traced: our next signal delivers the program's */
enum { GET_LENGTH = 51, LENGTH = 0xffff };
/* Offsets in the kernel's frame, in bytes. */
enum { INFO = 128, RECORDS = 464, RECORD_ALIGN = 16 };
enum { RECORD_VECTORS = 0x53564501, RECORD_MORE = 0x45585401, RECORD_MATRIX = 0x54366345 };
enum { LONGEST = 256, REGISTERS = 32, PREDICATES = 17, STREAMING = 1 };

struct record {
	uint32_t magic, size;
};

struct vectors { /* the beginning of RECORD_VECTORS, before the registers */
	struct record head;
	uint16_t length, flags, reserved[2];
};

struct more { /* RECORD_MORE: records at another address */
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

bool ms_vectors_scale; /* the processor has such registers */

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

/* The record, or the first of those at the address that it names. */
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

/* Resumes through the same frame, with the vector registers that the program had before C ran. */
void ms_vectors_leave(struct ms_window *w, uint64_t *uc)
{
	static const struct record end[2];
	struct vectors *v = vectors_of(w);
	struct frame frame;
	uint8_t *at = frame.records, *room = at + sizeof(frame.records) - sizeof(end);

	if (!ms_vectors_scale || (length() & LENGTH) != v->length)
		return; /* the program has changed the length, and so discarded them */
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

/* Called by ms_deliver_program. A change of the mask is not enough, as the frame that the program's
 * handler gets must have all registers of the program. */
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
	uc[MS_UCONTEXT_PC] = (uint64_t)ms_deliver_done;
	uc[MS_UCONTEXT_SP] = w->regs[SP];
	uc[MS_UCONTEXT_MASK] = w->mask;
	ms_vectors_leave(w, uc);
}
