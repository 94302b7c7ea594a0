/*
 * symbols/module_priv.h - the state of a module, for src/symbols/ only.
 *
 *    module.c     opens and closes; sections, TLS, build-id
 *    debugfile.c  separate debug files
 *    unwind.c     where functions without a name begin
 *    symtab.c     functions and objects of the ELF symbol tables, PLT stubs
 *    split.c      DIEs by offset, in .dwo files too
 *    units.c      one walk over each compilation unit, made when it is first needed
 *    frames.c     pc -> functions and lines        variables.c  variables with a fixed address
 *    outlined.c   names of parts of functions that clang runs in parallel
 *    types.c      names of types                   demangle.c   C++, Rust and Fortran names
 *    lookup.c     a name in the scopes of a pc     source.c     source files without comments
 *    statement.c  the receiver of a call's value, from the text of the statement
 *    receiver.c   the same, with types, from DWARF
 *    debug_info_receiver.c the same without source
 *    call_order.c which of the calls of one source line it is, from the machine code
 *    stack_variables.c arrays and objects on the stack, by frame
 *    stack_frames.c    the same for one function, with all locations and its code
 */
#ifndef MS_SYMBOLS_MODULE_PRIV_H
#define MS_SYMBOLS_MODULE_PRIV_H

#include <elfutils/libdw.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "symbols/stripped_source_priv.h"
#include "symbols/symbols.h"
#include "symbols/symtab_priv.h"
#include "symbols/units_priv.h"

struct ms_symbols_source;

struct ms_symbols_module {
	const char *path;
	const char *build_id;
	enum ms_symbols_debug_level debug;
	uint64_t tls_start, tls_size, tls_align;

	int fd;
	Elf *elf;
	int debug_fd; /* -1 when there is no separate debug file */
	Elf *debug_elf;
	Dwarf *dwarf;              /* NULL when there is none */
	MS_VEC(Dwarf *) splits;    /* .dwo files; `dwarf` closes them */
	struct ms_map split_files; /* Dwarf * -> index into splits, from 1 on */
	uint64_t unsplit;          /* units of which the .dwo file is not found, or not read ... */
	const char *unsplit_name;  /* ... and the first of these files */

	struct ms_arena arena;
	struct ms_names names;

	bool units_read;
	MS_VEC(struct ms_symbols_unit) units;
	MS_VEC(struct ms_symbols_unit_range) unit_ranges;
	struct ms_map function_names; /* DIE offset -> index into function_name_list */
	MS_VEC(const char *) function_name_list;

	bool symtab_read;
	struct ms_symbols_list functions; /* sorted, not overlapping */
	size_t last_function;             /* the result of the last lookup */
	struct ms_symbols_list objects;   /* unsorted; with TLS symbols */

	bool cfi_read;
	Dwarf_CFI *cfi; /* of the unwind tables; NULL: none */

	bool unwind_read;
	MS_VEC(struct ms_symbols_unwind_entry) unwound; /* sorted */
	uint64_t code_start, code_size;                 /* the code segment of the last lookup */

	bool variables_read;
	MS_VEC(struct ms_symbols_variable) variables;
	bool sections_read;
	MS_VEC(struct ms_symbols_section) sections;
	struct ms_map type_names; /* interned name -> type_dies */
	MS_VEC(uint64_t) type_dies;

	MS_VEC(struct ms_symbols_source *) sources;
};

/* --- ELF files (debugfile.c) --- */

/* The separate debug file of module, or -1; `root` is "/usr/lib/debug". */
int ms_symbols_debugfile_find(const struct ms_symbols_module *module, const char *root);
/* The build-id of an ELF file as hex text in `out`; "" when there is none. */
void ms_symbols_elf_build_id(Elf *elf, struct ms_text *out);
/* The section called `name` that has bytes in this file; NULL if there is none. */
Elf_Scn *ms_symbols_elf_section(Elf *elf, const char *name);

#endif
