/*
 * wire/stack_table.h - the arrays and objects that functions of the program have on the stack, for
 * the front-ends. memspy reads them from the debug information before the program starts. A
 * front-end names the memory (MS_WIRE_NAME) when such a function begins, and ends the names when it
 * returns. The table is a file in memory: this head, functions, variables, text. Freestanding.
 */
#ifndef MS_WIRE_STACK_TABLE_H
#define MS_WIRE_STACK_TABLE_H

#include <stdint.h>

#define MS_WIRE_STACK_TABLE_MAGIC UINT64_C(0x6b63617473796d6d)

struct ms_wire_stack_table {
	uint64_t magic;
	uint64_t bytes; /* of the whole table */
	uint32_t functions;
	uint32_t variables;
	uint32_t path; /* of the program's file, without symbolic links; in the text, ends with 0 */
	uint32_t pad;
};

struct ms_wire_stack_function { /* in the order of entries */
	uint64_t entry, end;    /* of its code, in the file's addresses */
	uint32_t first, n;      /* its variables */
};

struct ms_wire_stack_variable {
	uint64_t below; /* its distance below the stack pointer before the call */
	uint64_t size;
	uint32_t name; /* in the text */
	uint32_t name_bytes;
};

enum { MS_WIRE_STACK_VARIABLES = 16, MS_WIRE_STACK_FUNCTIONS = 4096 }; /* the most; of a function */

#endif
