/*
 * symbols/symbols_priv.h - the internals of a module, for src/symbols/ only.
 *
 *    module.c     opens and closes; sections, TLS, build-id
 *    debugfile.c  separate debug files
 *    unwind.c     where functions without a name begin
 *    symtab.c     functions and objects of the ELF symbol tables, PLT stubs
 *    split.c      DIEs by offset, in .dwo files too
 *    units.c      one walk over each compilation unit, made when it is first needed
 *    frames.c     pc -> functions and lines        variables.c  variables with a fixed address
 *    types.c      names of types                   demangle.c   C++, Rust and Fortran names
 *    lookup.c     a name in the scopes of a pc     source.c     source files without comments
 *    statement.c  the receiver of a call's value, from the text of the statement
 *    receiver.c   the same, with types, from DWARF
 */
#ifndef MS_SYMBOLS_PRIV_H
#define MS_SYMBOLS_PRIV_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <libelf.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "symbols/symbols.h"

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

/* debugfile.c: the separate debug file of module, or -1; `root` is "/usr/lib/debug". */
int ms_symbols_debugfile_find(const struct ms_symbols_module *module, const char *root);
/* The build-id of an ELF file as hex text in `out`; "" when there is none. */
void ms_symbols_elf_build_id(Elf *elf, struct ms_text *out);
/* The section called `name` that has bytes in this file; NULL if there is none. */
Elf_Scn *ms_symbols_elf_section(Elf *elf, const char *name);

/* symtab.c */
void ms_symbols_symtab_read(struct ms_symbols_module *module);
struct ms_symbols_entry *ms_symbols_symtab_function(struct ms_symbols_module *module,
						    uint64_t offset);

/* members.c: the offset of a type, or 0; records that it has this (interned) name. */
uint64_t ms_symbols_type_offset(struct ms_symbols_module *module, Dwarf_Die *type);
void ms_symbols_type_record(struct ms_symbols_module *module, const char *name, Dwarf_Die *type);

/* unwind.c: the function that contains offset, for code without symbols. */
struct ms_symbols_unwind_entry *ms_symbols_unwind_function(struct ms_symbols_module *module,
							   uint64_t offset);

/* split.c: offsets are stored and compared in this form, which is unique across files. */
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

/* units.c */
void ms_symbols_units_read(struct ms_symbols_module *module);
void ms_symbols_unit_walk(struct ms_symbols_module *module, struct ms_symbols_unit *unit);
struct ms_symbols_unit *ms_symbols_unit_at(struct ms_symbols_module *module, uint64_t pc);
/* The unit that contains the DIE; NULL for a DIE in an alternate file. */
struct ms_symbols_unit *ms_symbols_unit_of(struct ms_symbols_module *module, Dwarf_Die *die);
struct ms_symbols_function *ms_symbols_unit_function(struct ms_symbols_module *module,
						     struct ms_symbols_unit *unit, uint64_t pc);
void ms_symbols_units_free(struct ms_symbols_module *module);
/* As dwarf_siblingof; false at the end, and for siblings that are not later in the file. */
bool ms_symbols_die_next(Dwarf_Die *die);
/* The value of the numeric attribute `name` of the DIE or of its origin. */
bool ms_symbols_die_has_number(Dwarf_Die *die, unsigned int name, uint64_t *value);
/* The DIE that attribute `name` refers to. */
bool ms_symbols_die_ref(Dwarf_Die *die, unsigned int name, Dwarf_Die *out);
uint64_t ms_symbols_die_number(Dwarf_Die *die, unsigned int name, uint64_t otherwise);
/* The file of the declaration, as the debug information has it; NULL if unknown. */
const char *ms_symbols_die_file(Dwarf_Die *die);
/* Adds the scopes around the DIE ("ns::Class::"), in languages that have them. */
void ms_symbols_scope_names(struct ms_symbols_module *module, Dwarf_Die *die, struct ms_text *out);

/* frames.c */
/* The blocks at pc, innermost first, as indices into function->blocks; returns their number. */
size_t ms_symbols_function_blocks(struct ms_symbols_module *module,
				  struct ms_symbols_function *function, uint64_t pc,
				  uint32_t *chain, size_t cap);
const char *ms_symbols_function_name(struct ms_symbols_module *module, Dwarf_Die *die);
/* A file name of DWARF, made absolute with the unit's directory; interned. NULL stays NULL. */
const char *ms_symbols_unit_path(struct ms_symbols_module *module, struct ms_symbols_unit *unit,
				 const char *file);

/*
 * variables.c: the fixed address from a location that is one address or one offset in the TLS
 * block.
 */
bool ms_symbols_die_place(Dwarf_Die *die, uint64_t *offset, bool *tls);

/* types.c: all texts are interned in the module. NULL if the type has no name. */
const char *ms_symbols_type_name(struct ms_symbols_module *module, Dwarf_Die *type);
bool ms_symbols_type_of(Dwarf_Die *die, Dwarf_Die *type);
/* Strips const, volatile and other qualifiers; with `typedefs`, typedefs too. */
void ms_symbols_type_strip(Dwarf_Die *type, bool typedefs);
uint64_t ms_symbols_type_size(Dwarf_Die *type);
/* The number of elements per dimension, 0 if unknown; returns the number of dimensions. */
enum { MS_MOST_DIMENSIONS = 8 };
size_t ms_symbols_type_dimensions(Dwarf_Die *array, uint64_t counts[MS_MOST_DIMENSIONS]);

/* demangle.c */
/* Drops allocators and other default template arguments, and inline namespaces. */
void ms_symbols_shorten_name(const char *name, struct ms_text *out);

/* lookup.c */
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

/* source.c */
struct ms_symbols_source {
	const char *path;
	char *text; /* the file with comments, strings and preprocessor lines blanked out */
	size_t size;
	MS_VEC(size_t) lines; /* where each line starts; lines.at[0] is line 1 */
};

/* NULL if the file cannot be read. The module owns it. */
const struct ms_symbols_source *ms_symbols_source_get(struct ms_symbols_module *module,
						      const char *path, enum ms_symbols_lang lang);
void ms_symbols_sources_free(struct ms_symbols_module *module);

/* statement.c */
enum ms_symbols_token_kind { MS_TOKEN_WORD, MS_TOKEN_NUMBER, MS_TOKEN_PUNCT };

struct ms_symbols_token {
	enum ms_symbols_token_kind kind;
	const char *at;
	size_t n;
};

struct ms_symbols_statement {
	const struct ms_symbols_source *source;
	enum ms_symbols_lang lang;
	MS_VEC(struct ms_symbols_token) tokens;
	size_t call; /* the token of the call */
	bool tail;   /* no ';' after it: the value of a Rust block */
	/* Whether this word is a variable that is visible here. */
	bool (*is_variable)(void *self, const char *name);
	void *self;
};

enum ms_symbols_receipt_kind { MS_RECEIPT_NONE, MS_RECEIPT_EXPRESSION, MS_RECEIPT_RETURN };

struct ms_symbols_receipt {
	enum ms_symbols_receipt_kind kind;
	size_t first, last;  /* MS_RECEIPT_EXPRESSION: the tokens of the receiving expression */
	size_t tail, tail_n; /* tokens from elsewhere that follow: ".next" of an initialiser */
	bool deref;          /* a '*' precedes it */
	/* A type named by a cast, sizeof or new in the statement; n == 0 if there is none. */
	const char *hint;
	size_t hint_n;
};

bool ms_symbols_statement_find(struct ms_symbols_statement *s,
			       const struct ms_symbols_source *source, enum ms_symbols_lang lang,
			       uint32_t line, uint32_t column, const char *callee);
void ms_symbols_statement_receipt(const struct ms_symbols_statement *s,
				  struct ms_symbols_receipt *out);
void ms_symbols_statement_free(struct ms_symbols_statement *s);
bool ms_symbols_token_is(const struct ms_symbols_token *t, const char *text);

#endif
