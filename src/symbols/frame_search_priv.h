/* symbols/frame_search_priv.h - the frame of a function, for stack_variables.c and stack_frames.c.
 */
#ifndef MS_SYMBOLS_FRAME_SEARCH_PRIV_H
#define MS_SYMBOLS_FRAME_SEARCH_PRIV_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct ms_symbols_module;
struct ms_symbols_stack_list;

struct ms_symbols_frame_search {
	struct ms_symbols_module *module;
	Dwarf_CFI *cfi, *debug_cfi;
	/* The present function, and a range of its code. */
	Dwarf_Die function;
	uint64_t low, high;
	/* stack_variables.c: the result, and the least bytes of a variable. */
	uint64_t least;
	struct ms_symbols_stack_list *out;
};

/* The unwind tables, which are read once. */
void ms_symbols_frame_open(struct ms_symbols_module *module,
			   struct ms_symbols_frame_search *search);
/* A register of DWARF that the row of the tables has the CFA relative to; false: none. */
bool ms_symbols_frame_cfa(Dwarf_Frame *frame, unsigned *reg, int64_t *depth);
/* The distance of the register from the CFA in the body of the function. */
bool ms_symbols_frame_distance(const struct ms_symbols_frame_search *search, unsigned reg,
			       int64_t *distance);
/* The same at pc. */
bool ms_symbols_frame_distance_at(const struct ms_symbols_frame_search *search, uint64_t pc,
				  unsigned reg, int64_t *distance);
/* That of the frame base. */
bool ms_symbols_frame_base(const struct ms_symbols_frame_search *search, int64_t *distance);
bool ms_symbols_frame_is_aggregate(Dwarf_Die *type);
/* "solve.lower"; NULL: it has no name. */
const char *ms_symbols_frame_variable_name(struct ms_symbols_module *module, Dwarf_Die *scope,
					   Dwarf_Die *variable);

#endif
