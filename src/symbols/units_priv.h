/* symbols/units_priv.h - compilation units, each walked when it is first needed: functions, scopes,
 * variables, lines. */
#ifndef MS_SYMBOLS_UNITS_PRIV_H
#define MS_SYMBOLS_UNITS_PRIV_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"

struct ms_symbols_module;

enum ms_symbols_lang { MS_LANG_OTHER, MS_LANG_C, MS_LANG_CPP, MS_LANG_RUST, MS_LANG_FORTRAN };

enum { MS_NO_INDEX = UINT32_MAX, MS_MAX_DEPTH = 128 };

/* A function, an inlined call or a lexical block of one function; parents come before children. */
struct ms_symbols_block {
	Dwarf_Off off;
	uint32_t parent; /* MS_NO_INDEX for the function itself */
	int tag;
};

struct ms_symbols_block_range {
	uint64_t low, high;
	uint32_t block;
};

struct ms_symbols_function {
	Dwarf_Off off;
	bool walked; /* blocks and ranges are filled on first use */
	MS_VEC(struct ms_symbols_block) blocks;
	MS_VEC(struct ms_symbols_block_range) ranges;
};

struct ms_symbols_function_range {
	uint64_t low, high;
	uint32_t function; /* index into the unit's functions */
};

/* A namespace, type or function that qualifies the names inside it. */
struct ms_symbols_scope {
	Dwarf_Off start, end; /* DIE offsets: children are between them */
	uint32_t parent;
	const char *name; /* NULL for a function: it does not qualify names */
	bool function;
};

/* A variable DIE outside of types that is not a parameter. */
struct ms_symbols_var_die {
	Dwarf_Off off;
	Dwarf_Off function; /* the enclosing function's DIE; 0 at file scope */
};

struct ms_symbols_unit {
	Dwarf_Die die;  /* with its lines and ranges */
	Dwarf_Die body; /* with all its children: in a .dwo file if the unit is split */
	Dwarf_Off start, end;
	enum ms_symbols_lang lang;
	bool code; /* a compilation unit, not a partial or type unit */
	bool walked;
	MS_VEC(struct ms_symbols_function) functions;
	MS_VEC(struct ms_symbols_function_range) ranges;
	MS_VEC(struct ms_symbols_scope) scopes;
	MS_VEC(struct ms_symbols_var_die) vars;
};

struct ms_symbols_unit_range {
	uint64_t low, high;
	uint32_t unit;
};

void ms_symbols_units_read(struct ms_symbols_module *module);
void ms_symbols_unit_walk(struct ms_symbols_module *module, struct ms_symbols_unit *unit);
struct ms_symbols_unit *ms_symbols_unit_at(struct ms_symbols_module *module, uint64_t pc);
/* The unit that contains the DIE; NULL for a DIE in an alternate file. */
struct ms_symbols_unit *ms_symbols_unit_of(struct ms_symbols_module *module, Dwarf_Die *die);
struct ms_symbols_function *ms_symbols_unit_function(struct ms_symbols_module *module,
						     struct ms_symbols_unit *unit, uint64_t pc);
void ms_symbols_units_free(struct ms_symbols_module *module);
/* The part of a function that contains pc; NULL: none is known. */
const struct ms_symbols_function_range *
ms_symbols_unit_function_range(struct ms_symbols_module *module, struct ms_symbols_unit *unit,
			       uint64_t pc);
/* Adds the scopes around the DIE ("ns::Class::"), in languages that have them. */
void ms_symbols_scope_names(struct ms_symbols_module *module, Dwarf_Die *die, struct ms_text *out);

/* --- functions at a pc (frames.c) --- */

/* The blocks at pc, innermost first, as indices into function->blocks; returns their number. */
size_t ms_symbols_function_blocks(struct ms_symbols_module *module,
				  struct ms_symbols_function *function, uint64_t pc,
				  uint32_t *chain, size_t cap);
const char *ms_symbols_function_name(struct ms_symbols_module *module, Dwarf_Die *die);
/* outlined.c: the name of a part of a function that clang runs in parallel; NULL: it is none. */
const char *ms_symbols_outlined_name(struct ms_symbols_module *module, Dwarf_Die *die,
				     const char *name);
/* A file name of DWARF, made absolute with the unit's directory; interned. NULL stays NULL. */
const char *ms_symbols_unit_path(struct ms_symbols_module *module, struct ms_symbols_unit *unit,
				 const char *file);

#endif
