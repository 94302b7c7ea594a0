/* cfi.h - what the unwind tables (.eh_frame) of a module say about one place in its code. */
#ifndef MS_NATIVE_CFI_H
#define MS_NATIVE_CFI_H

#include "runtime.h"

enum ms_cfi_how {
	MS_CFI_SAME,       /* as it is */
	MS_CFI_AT,         /* at the frame's address plus `offset` */
	MS_CFI_VALUE,      /* is the frame's address plus `offset` */
	MS_CFI_EXPRESSION, /* at what an expression gives */
	MS_CFI_REGISTER,   /* in another one, `offset` */
	MS_CFI_UNDEFINED,
};

struct ms_cfi_rule {
	uint8_t how;
	int32_t offset;
	const uint8_t *expression; /* its length (LEB128) first */
};

/* How the registers of a function's caller are found: DWARF's numbers. */
struct ms_cfi_row {
	int32_t base; /* register that the frame's address is counted from; -1: expression */
	int64_t offset;
	const uint8_t *expression;
	bool is_signal; /* a handler's return: its caller was interrupted, it did not call */
	struct ms_cfi_rule rule[MS_CFI_REGS];
};

/* What it takes to find a row: too much for the stack of a program's coroutine. */
enum { MS_CFI_REMEMBERED = 8 };
struct ms_cfi_work {
	struct ms_cfi_row row, first;
	struct ms_cfi_row kept[MS_CFI_REMEMBERED];
	uint32_t depth;
	uint64_t pc;
};

/* In `work`; NULL: the tables do not say. */
const struct ms_cfi_row *ms_cfi_find(const struct ms_module *module, uint64_t pc,
				     struct ms_cfi_work *work);
/* An expression over registers; read: memory that may be read, 0 elsewhere. */
uint64_t ms_cfi_evaluate(const uint8_t *expression, const uint64_t regs[MS_CFI_REGS],
			 uint64_t first, bool (*read)(uint64_t at, uint64_t *word));

#endif
