/* symbols/lookup_priv.h - finds a name in the scopes of a pc. */
#ifndef MS_SYMBOLS_LOOKUP_PRIV_H
#define MS_SYMBOLS_LOOKUP_PRIV_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/units_priv.h"

struct ms_symbols_module;

enum ms_symbols_var_kind { MS_VAR_LOCAL, MS_VAR_PARAMETER, MS_VAR_STATIC, MS_VAR_MEMBER };

/* The position of a call: its source position, and the scopes that contain it. */
struct ms_symbols_place {
	struct ms_symbols_unit *unit;
	struct ms_symbols_function *function;
	uint32_t chain[MS_MAX_DEPTH]; /* blocks up to the frame's own function, inclusive */
	size_t n;
	uint64_t pc;
	const char *file;
	uint32_t line, column;
};

/* Fills *place for inline level `level` of the instruction at pc; false if there is none. */
bool ms_symbols_place_at(struct ms_symbols_module *module, uint64_t pc, unsigned level,
			 struct ms_symbols_place *place);
/* The function that contains the position: a subprogram or an inlined subroutine. */
bool ms_symbols_place_function(struct ms_symbols_module *module,
			       const struct ms_symbols_place *place, Dwarf_Die *die);
bool ms_symbols_lookup(struct ms_symbols_module *module, const struct ms_symbols_place *place,
		       const char *name, Dwarf_Die *var, enum ms_symbols_var_kind *kind);
bool ms_symbols_lookup_member(Dwarf_Die *type, const char *name, Dwarf_Die *member);

#endif
