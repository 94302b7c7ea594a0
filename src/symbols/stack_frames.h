/*
 * symbols/stack_frames.h - a function with the arrays and objects that it has on the stack, and
 * with all that the debug information says about where they are.
 */
#ifndef MS_SYMBOLS_STACK_FRAMES_H
#define MS_SYMBOLS_STACK_FRAMES_H

#include "base/vec.h"
#include "decode/stack_addresses.h"
#include "symbols/symbols.h"

struct ms_symbols_frame_variable {
	const char *name; /* "solve.lower"; lives as long as the module */
	uint64_t size;    /* 0: known at run time only */
};

struct ms_symbols_stack_frame {
	struct ms_decode_stack_function function;
	MS_VEC(struct ms_symbols_frame_variable) variables; /* as those of the function */
};

/*
 * A number of the function that contains offset; 0: none is known. [*low, *high) is the part of its
 * code around offset.
 */
uint64_t ms_symbols_module_frame_number(struct ms_symbols_module *module, uint64_t offset,
					uint64_t *low, uint64_t *high);
/* Variables of fewer bytes are omitted. */
struct ms_symbols_frame_limits {
	uint64_t least_array;
	uint64_t least_object; /* structures, classes and unions */
};
/* The function that contains offset. If it has no variables, nothing else is filled in. */
void ms_symbols_module_stack_frame(struct ms_symbols_module *module, uint64_t offset,
				   const struct ms_symbols_frame_limits *limits,
				   struct ms_symbols_stack_frame *frame);
void ms_symbols_stack_frame_free(struct ms_symbols_stack_frame *frame);

#endif
