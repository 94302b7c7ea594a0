/*
 * aarch64/signal_frame.c - see signal_frame.h. A frame has, at ascending addresses: siginfo,
 * ucontext with records (floating point, SVE, ...), and the record of the frame pointer and the
 * link register by which debuggers find the caller. If the records do not fit into the ucontext,
 * one of them (RECORD_MORE) has the address at which they continue, which is right after it.
 */
#include "signals/signal_frame.h"

#include "runtime/libc_substitutes.h"
#include "ucontext_layout.h"

enum { INFO = 128, RECORDS = 464, CONTEXT = RECORDS + 4096, CALLER = 16, ALIGN = 16 };
enum { RECORD_MORE = 0x45585401 };
enum { X0 = 23, X29 = X0 + 29, X30 = X0 + 30, STATE = 56 };
static const uint64_t state_branch = 0xc00; /* the type of the last indirect branch (BTYPE) */

struct frame_record {
	uint32_t magic, size;
};

struct frame_extension { /* RECORD_MORE */
	struct frame_record head;
	uint64_t at;
	uint32_t size;
};

bool ms_signals_is_frame_size_checked(void)
{
	return false;
}

static struct frame_extension *more_of(const uint64_t *uc)
{
	const uint8_t *at = (const uint8_t *)uc + RECORDS;
	const struct frame_record *r = (const struct frame_record *)at;

	while (r->magic != 0 && r->magic != RECORD_MORE) {
		at += r->size;
		r = (const struct frame_record *)at;
	}
	return r->magic == RECORD_MORE ? (struct frame_extension *)at : NULL;
}

/* From siginfo to the caller's record. */
static uint64_t size_of(const uint64_t *uc)
{
	const struct frame_extension *more = more_of(uc);
	uint64_t size = INFO + CONTEXT;

	if (more != NULL && more->at + more->size - (uint64_t)uc > CONTEXT)
		size = more->at + more->size - (uint64_t)uc + INFO;
	return (size + ALIGN - 1) & -(uint64_t)ALIGN;
}

uint64_t ms_signals_find_frame_start(const uint64_t *uc, uint64_t top)
{
	return ((top - CALLER) & -(uint64_t)ALIGN) - size_of(uc);
}

uint64_t *ms_signals_copy_frame(const uint64_t *uc, uint64_t top, uint64_t ends)
{
	uint64_t start = ms_signals_find_frame_start(uc, top);
	uint64_t *copy = (uint64_t *)(start + INFO);
	struct frame_extension *more;

	(void)ends;
	ms_runtime_copy_bytes((void *)start, (const uint8_t *)uc - INFO, size_of(uc) + CALLER);
	more = more_of(copy);
	if (more != NULL)
		more->at += (uint64_t)copy - (uint64_t)uc;
	return copy;
}

void ms_signals_enter_copied_frame(uint64_t *uc, const uint64_t *copy, int signal, uint64_t handler,
				   uint64_t ends)
{
	uint64_t start = (uint64_t)copy - INFO;

	uc[X0] = (uint64_t)signal;
	uc[X0 + 1] = start;
	uc[X0 + 2] = (uint64_t)copy;
	uc[X29] = start + size_of(copy);
	uc[X30] = ends;
	uc[MS_SIGNALS_UCONTEXT_SP] = start;
	uc[MS_SIGNALS_UCONTEXT_PC] = handler;
	uc[STATE] &= ~state_branch;
}
