/* dwarf_cfi.h - the contents of a module's unwind tables (.eh_frame) for one pc. */
#ifndef MS_NATIVE_UNWIND_DWARF_CFI_H
#define MS_NATIVE_UNWIND_DWARF_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "callee_saved.h"

struct ms_maps_loaded_module;

enum ms_unwind_cfi_rule_kind {
	MS_UNWIND_CFI_SAME,       /* unchanged */
	MS_UNWIND_CFI_OFFSET,     /* saved at the CFA (canonical frame address) plus `offset` */
	MS_UNWIND_CFI_VALUE,      /* its value is the CFA plus `offset` */
	MS_UNWIND_CFI_EXPRESSION, /* saved at the address that an expression yields */
	MS_UNWIND_CFI_REGISTER,   /* in another register, number `offset` */
	MS_UNWIND_CFI_UNDEFINED,
};

struct ms_unwind_cfi_rule {
	uint8_t how;
	int32_t offset;
	const uint8_t *expression; /* begins with its length (LEB128) */
};

/* How to find the registers of a function's caller, by DWARF register numbers. */
struct ms_unwind_cfi_row {
	int32_t base; /* register that the CFA is relative to; -1: expression */
	int64_t offset;
	const uint8_t *expression;
	bool is_signal; /* return from a signal handler: its caller was interrupted, and made no
			   call */
	struct ms_unwind_cfi_rule rule[MS_UNWIND_CFI_REGS];
};

/* Work space to find a row: too large for the stack of a coroutine. */
enum { MS_UNWIND_CFI_MAX_SAVED_ROWS = 8 };
struct ms_unwind_cfi_state {
	struct ms_unwind_cfi_row row, first;
	struct ms_unwind_cfi_row saved_rows[MS_UNWIND_CFI_MAX_SAVED_ROWS];
	uint32_t depth;
	uint64_t pc;
};

/* The row for pc, in `work`; NULL: the tables have none. */
const struct ms_unwind_cfi_row *ms_unwind_find_cfi_row(const struct ms_maps_loaded_module *module,
						       uint64_t pc,
						       struct ms_unwind_cfi_state *work);
/* Evaluates an expression over registers; read: reads a word, false if the memory is not readable:
 * then the result is 0. */
uint64_t ms_unwind_evaluate_expression(const uint8_t *expression,
				       const uint64_t regs[MS_UNWIND_CFI_REGS], uint64_t first,
				       bool (*read)(uint64_t at, uint64_t *word));

#endif
