/* symbols/stack_variables.h - arrays and objects that functions have on the stack. */
#ifndef MS_SYMBOLS_STACK_VARIABLES_H
#define MS_SYMBOLS_STACK_VARIABLES_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "symbols/symbols.h"

/*
 * At a constant distance from the canonical frame address (CFA), which is the stack pointer before
 * the call.
 */
struct ms_symbols_stack_variable {
	const char *name; /* "solve.lower": with the function of the source, which may be inlined */
	int64_t offset;   /* from the CFA, below 0 */
	uint64_t size;
};

struct ms_symbols_stack_function {
	uint64_t entry;     /* offset of its first instruction */
	uint64_t low, high; /* a range of its code */
	size_t first, n;    /* its variables, which do not overlap */
};

enum { MS_SYMBOLS_STACK_MOST = 16 }; /* variables of a function */

struct ms_symbols_stack_list {
	MS_VEC(struct ms_symbols_stack_function) functions;
	MS_VEC(struct ms_symbols_stack_variable) variables;
};

/* Adds functions with variables of at least so many bytes. Names live as long as the module. */
void ms_symbols_module_stack_variables(struct ms_symbols_module *module, uint64_t least,
				       struct ms_symbols_stack_list *out);
void ms_symbols_stack_free(struct ms_symbols_stack_list *list);

#endif
