/*
 * x86-64/signal_frame.c - see signal_frame.h. A frame has, at ascending addresses: the handler's
 * return address, ucontext, siginfo, and the state of the floating-point unit (XSAVE), to which the
 * ucontext points.
 */
#include "signals/signal_frame.h"

#include "runtime/libc_substitutes.h"
#include "ucontext_layout.h"

enum { RETURN = 8, CONTEXT = 304, INFO = 128, FRAME = RETURN + CONTEXT + INFO, ALIGN = 16 };
enum { RDI = 13, RSI = 14, RDX = 17, RAX = 18, FLAGS = 22, FP_STATE = 28 };
/* Of that state: the size of the FXSAVE part, the offset of the kernel's fields with the total
 * size, and the alignment. */
enum { FP_PLAIN = 512, FP_SOFTWARE = 464, FP_ALIGN = 64 };
#define FP_MAGIC 0x46505853u
/* Trap, direction and resume flags: handlers begin with these cleared. */
static const uint64_t cleared_flags = 0x100 | 0x400 | 0x10000;

bool ms_signals_is_frame_size_checked(void)
{
	return true;
}

static uint64_t fp_size(const uint64_t *uc)
{
	const uint32_t *software = (const uint32_t *)(uc[FP_STATE] + FP_SOFTWARE);

	if (uc[FP_STATE] == 0)
		return 0;
	return software[0] == FP_MAGIC ? software[1] : FP_PLAIN;
}

static uint64_t fp_below(const uint64_t *uc, uint64_t top)
{
	return (top - fp_size(uc)) & -(uint64_t)FP_ALIGN;
}

uint64_t ms_signals_find_frame_start(const uint64_t *uc, uint64_t top)
{
	return ((fp_below(uc, top) - FRAME) & -(uint64_t)ALIGN) - RETURN;
}

uint64_t *ms_signals_copy_frame(const uint64_t *uc, uint64_t top, uint64_t ends)
{
	uint64_t start = ms_signals_find_frame_start(uc, top);
	uint64_t *copy = (uint64_t *)(start + RETURN);

	ms_runtime_copy_bytes((void *)start, (const uint8_t *)uc - RETURN, FRAME);
	*(uint64_t *)start = ends;
	if (uc[FP_STATE] != 0) {
		copy[FP_STATE] = fp_below(uc, top);
		ms_runtime_copy_bytes((void *)copy[FP_STATE], (const void *)uc[FP_STATE],
				      fp_size(uc));
	}
	return copy;
}

/* Handlers begin with the floating-point unit in its initial state: the frame has no state. */
void ms_signals_enter_copied_frame(uint64_t *uc, const uint64_t *copy, int signal, uint64_t handler,
				   uint64_t ends)
{
	(void)ends;
	uc[RDI] = (uint64_t)signal;
	uc[RSI] = (uint64_t)copy + CONTEXT;
	uc[RDX] = (uint64_t)copy;
	uc[RAX] = 0;
	uc[MS_SIGNALS_UCONTEXT_SP] = (uint64_t)copy - RETURN;
	uc[MS_SIGNALS_UCONTEXT_PC] = handler;
	uc[FLAGS] &= ~cleared_flags;
	uc[FP_STATE] = 0;
}
