/* symbols/symtab_priv.h - functions and objects of the ELF symbol tables, and functions of the
 * unwind tables. */
#ifndef MS_SYMBOLS_SYMTAB_PRIV_H
#define MS_SYMBOLS_SYMTAB_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct ms_symbols_module;

struct ms_symbols_entry {
	uint64_t offset, size;
	const char *name; /* as in the ELF file, without @version; lives as long as the ELF file */
	const char *readable; /* NULL: not computed yet */
	unsigned char type, bind;
	bool sized; /* the size comes from the symbol table */
	bool plt;   /* a stub that jumps to the function `name` */
};

/* A function that only the unwind tables contain. */
struct ms_symbols_unwind_entry {
	uint64_t start;
	const char *name; /* NULL: not computed yet */
};

struct ms_symbols_list {
	MS_VEC(struct ms_symbols_entry) at;
};

void ms_symbols_symtab_read(struct ms_symbols_module *module);
struct ms_symbols_entry *ms_symbols_symtab_function(struct ms_symbols_module *module,
						    uint64_t offset);

/* The function that contains offset, for code without symbols. */
struct ms_symbols_unwind_entry *ms_symbols_unwind_function(struct ms_symbols_module *module,
							   uint64_t offset);

#endif
