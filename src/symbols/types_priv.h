/* symbols/types_priv.h - names, sizes and dimensions of types. */
#ifndef MS_SYMBOLS_TYPES_PRIV_H
#define MS_SYMBOLS_TYPES_PRIV_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct ms_symbols_module;

/*
 * Fortran's allocatable and pointer arrays. The address of their memory is at the beginning of the
 * descriptor, whose size DWARF does not have.
 */
bool ms_symbols_type_is_descriptor(const Dwarf_Die *type);

/* All texts are interned in the module. NULL if the type has no name. */
const char *ms_symbols_type_name(struct ms_symbols_module *module, Dwarf_Die *type);
bool ms_symbols_type_of(Dwarf_Die *die, Dwarf_Die *type);
/* Strips const, volatile and other qualifiers; with `typedefs`, typedefs too. */
void ms_symbols_type_strip(Dwarf_Die *type, bool typedefs);
uint64_t ms_symbols_type_size(Dwarf_Die *type);
/* The number of elements per dimension, 0 if unknown; returns the number of dimensions. */
enum { MS_MOST_DIMENSIONS = 8 };
size_t ms_symbols_type_dimensions(Dwarf_Die *array, uint64_t counts[MS_MOST_DIMENSIONS]);

/* --- types by name (members.c) --- */

/* The offset of a type, or 0; records that it has this (interned) name. */
uint64_t ms_symbols_type_offset(struct ms_symbols_module *module, Dwarf_Die *type);
void ms_symbols_type_record(struct ms_symbols_module *module, const char *name, Dwarf_Die *type);

/* The bytes of a member or base class (members.c); false: it has no fixed location. */
bool ms_symbols_type_member_place(Dwarf_Die *member, uint64_t *start, uint64_t *size,
				  Dwarf_Die *type);

/*
 * Enters the member or the element of the type that has the offset, which is relative to it then;
 * adds its name, ".head", "[3]"; of a base class, nothing. False: the type has none, or there is
 * only padding.
 */
bool ms_symbols_type_enter(Dwarf_Die *type, uint64_t *offset, struct ms_text *out);

/* "Base::", which tells members of a base class from those of others; of library classes: nothing.
 */
void ms_symbols_type_add_base(struct ms_symbols_module *module, Dwarf_Die *base,
			      struct ms_text *out);

/* --- names (demangle.c) --- */

/* Drops allocators and other default template arguments, and inline namespaces. */
void ms_symbols_shorten_name(const char *name, struct ms_text *out);

#endif
