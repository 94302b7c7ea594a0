/* symbols/dies_priv.h - DWARF entries (DIEs) by offset, in .dwo files too, and their attributes. */
#ifndef MS_SYMBOLS_DIES_PRIV_H
#define MS_SYMBOLS_DIES_PRIV_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct ms_symbols_module;

/* Offsets are stored and compared in this form, which is unique across files. */
Dwarf_Off ms_symbols_die_off(const struct ms_symbols_module *module, Dwarf_Die *die);
bool ms_symbols_die_at(const struct ms_symbols_module *module, Dwarf_Off off, Dwarf_Die *die);
/* Whether the DIE can be found by its offset. A DIE in an alternate file cannot. */
bool ms_symbols_die_is_known(const struct ms_symbols_module *module, Dwarf_Die *die);
/* Whether the DIE is in .debug_types, the DWARF 4 section with its own offsets. */
bool ms_symbols_die_in_types(Dwarf_Die *die);
void ms_symbols_split_add(struct ms_symbols_module *module, Dwarf *dwarf);
/* Records a split unit whose .dwo file is missing. */
void ms_symbols_split_missing(struct ms_symbols_module *module, Dwarf_Die *unit);
void ms_symbols_split_free(struct ms_symbols_module *module);

/* --- attributes (units.c) --- */

/* As dwarf_siblingof; false at the end, and for siblings that are not later in the file. */
bool ms_symbols_die_next(Dwarf_Die *die);
/* The value of the numeric attribute `name` of the DIE or of its origin. */
bool ms_symbols_die_has_number(Dwarf_Die *die, unsigned int name, uint64_t *value);
/* The DIE that attribute `name` refers to. */
bool ms_symbols_die_ref(Dwarf_Die *die, unsigned int name, Dwarf_Die *out);
uint64_t ms_symbols_die_number(Dwarf_Die *die, unsigned int name, uint64_t otherwise);
/* The file of the declaration, as the debug information has it; NULL if unknown. */
const char *ms_symbols_die_file(Dwarf_Die *die);
/* The fixed address, if the location is one address or one offset in the TLS block. */
bool ms_symbols_die_place(Dwarf_Die *die, uint64_t *offset, bool *tls);

#endif
