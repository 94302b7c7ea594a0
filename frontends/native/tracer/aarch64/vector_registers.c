/*
 * vector_registers.c - vector registers that are longer than the part that system calls preserve
 * (SVE).
 *
 * A system call preserves the low 16 bytes of each register. The rest, the predicates and the
 * first-fault register are lost. The program expects that at its own calls, but C makes calls where
 * the program has none. So context_switch.S saves all of them before C runs and restores them after
 * it. Where the kernel resumes the program (the window ends, a held signal is delivered), they must
 * be in the frame through which it resumes. That frame is built from the frame of a signal of
 * memspy: the same records, except for the vector registers.
 *
 * In streaming mode, and while the matrix of SME is in use, nothing is traced: a system call ends
 * the mode, and the matrix is too large for memspy's frame.
 */
#include "arch.h"
#include "raw_syscall.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "thread_layout.h"
#include "tracer/arch_priv.h"
#include "tracer/signal_delivery.h"
#include "tracer/window.h"
#include "ucontext_layout.h"

enum { DELIVERING = 3 }; /* value of t->traced: our next signal delivers the program's */
enum { GET_LENGTH = 51, LENGTH = 0xffff };
/* Offsets in the kernel's frame, in bytes. */
enum { INFO = 128, RECORDS = 464, RECORD_ALIGN = 16 };
enum { RECORD_VECTORS = 0x53564501, RECORD_MORE = 0x45585401, RECORD_MATRIX = 0x54366345 };
enum { LONGEST = 256, REGISTERS = 32, PREDICATES = 17, STREAMING = 1 };

struct context_record {
	uint32_t magic, size;
};

struct vectors { /* the beginning of RECORD_VECTORS, before the registers */
	struct context_record head;
	uint16_t length, flags, reserved[2];
};

struct context_extension { /* RECORD_MORE: records at another address */
	struct context_record head;
	uint64_t at;
	uint32_t size, reserved[3];
};

struct frame {
	uint8_t context[INFO + RECORDS];
	struct context_extension more;
	struct context_record end[2];
	uint8_t records[16 + LONGEST * REGISTERS + LONGEST / 8 * PREDICATES + 2048];
} __attribute__((aligned(16)));

_Static_assert(sizeof(struct ms_tracer_window) <= MS_TRACER_AT_VECTORS - MS_TRACER_AT_REGS,
	       "thread_layout.h");
_Static_assert(sizeof(struct vectors) == MS_TRACER_VECTORS_HEADER_BYTES, "thread_layout.h");
_Static_assert(offsetof(struct vectors, length) ==
		       MS_TRACER_AT_VECTORS_LENGTH - MS_TRACER_AT_VECTORS,
	       "thread_layout.h");

bool ms_tracer_vector_scale; /* the processor has such registers */

_Noreturn void ms_tracer_call_sigreturn_at(struct frame *frame);
_Noreturn void ms_tracer_deliver_with_vectors(struct ms_runtime_thread *t);

static long length(void)
{
	return ms_runtime_syscall(__NR_prctl, GET_LENGTH, 0, 0, 0, 0, 0);
}

void ms_tracer_start_vectors(void)
{
	ms_tracer_vector_scale = length() > 0;
}

static struct vectors *vectors_of(struct ms_tracer_window *w)
{
	return (struct vectors *)((uint8_t *)w + MS_TRACER_AT_VECTORS - MS_TRACER_AT_REGS);
}

static uint32_t size_of(uint32_t of)
{
	uint32_t size = MS_TRACER_VECTORS_HEADER_BYTES + of * REGISTERS + of / 8 * PREDICATES;

	return (size + RECORD_ALIGN - 1) & -(uint32_t)RECORD_ALIGN;
}

/* --- frames --- */

/* The record, or the first of those at the address that it names. */
static const struct context_record *here(const struct context_record *r)
{
	return r->magic == RECORD_MORE
		       ? (const struct context_record *)((const struct context_extension *)r)->at
		       : r;
}

static const struct context_record *first(const uint64_t *uc)
{
	return here((const struct context_record *)((const uint8_t *)uc + RECORDS));
}

static const struct context_record *next(const struct context_record *r)
{
	return here((const struct context_record *)((const uint8_t *)r + r->size));
}

bool ms_tracer_can_trace_vectors(const uint64_t *uc)
{
	for (const struct context_record *r = first(uc); r->magic != 0; r = next(r)) {
		if (r->magic == RECORD_VECTORS && ((const struct vectors *)r)->flags & STREAMING)
			return false;
		if (r->magic == RECORD_MATRIX && r->size > sizeof(struct vectors))
			return false;
	}
	return true;
}

/* Resumes through the same frame, with the vector registers that the program had before C ran. */
void ms_tracer_restore_vectors(struct ms_tracer_window *w, uint64_t *uc)
{
	static const struct context_record end[2];
	struct vectors *v = vectors_of(w);
	struct frame frame;
	uint8_t *at = frame.records, *room = at + sizeof(frame.records) - sizeof(end);

	if (!ms_tracer_vector_scale || (length() & LENGTH) != v->length)
		return; /* the program has changed the length, and so discarded them */
	v->head = (struct context_record){ RECORD_VECTORS, size_of(v->length) };
	ms_runtime_copy_bytes(at, v, v->head.size);
	at += v->head.size;
	for (const struct context_record *r = first(uc); r->magic != 0; r = next(r)) {
		if (r->magic == RECORD_VECTORS || r->size > (size_t)(room - at))
			continue;
		ms_runtime_copy_bytes(at, r, r->size);
		at += r->size;
	}
	ms_runtime_copy_bytes(at, end, sizeof(end));
	at += sizeof(end);
	ms_runtime_copy_bytes(frame.context, (uint8_t *)uc - INFO, sizeof(frame.context));
	frame.more = (struct context_extension){ { RECORD_MORE, sizeof(frame.more) },
						 (uint64_t)frame.records,
						 (uint32_t)(at - frame.records),
						 { 0 } };
	ms_runtime_copy_bytes(frame.end, end, sizeof(end));
	ms_tracer_call_sigreturn_at(&frame);
}

/* --- a signal that was held --- */

/* Called by ms_tracer_deliver_pending. A change of the mask is not enough, as the frame that the
 * program's handler gets must have all registers of the program. */
_Noreturn void ms_tracer_deliver_with_vectors(struct ms_runtime_thread *t)
{
	ms_tracer_send_leave_signal(t, DELIVERING);
}

void ms_tracer_handle_vector_signal(struct ms_runtime_thread *t, uint64_t *uc)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);

	if (t->traced != DELIVERING)
		return;
	t->traced = 1;
	uc[MS_SIGNALS_UCONTEXT_PC] = (uint64_t)ms_tracer_deliver_done;
	uc[MS_SIGNALS_UCONTEXT_SP] = w->regs[SP];
	uc[MS_SIGNALS_UCONTEXT_MASK] = w->mask;
	ms_tracer_restore_vectors(w, uc);
}
