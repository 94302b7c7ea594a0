/*
 * symbols/symbols.h - what the ELF and DWARF data of one module (a program or a library) contain.
 *
 * The only user of libdw. Addresses are those of the module's ELF file (called "offsets" here); the
 * caller subtracts the load bias. Bad debug information does not cause errors: what cannot be read
 * is unknown. Texts live as long as the module. A module is read lazily, by one thread at a time,
 * without locks.
 */
#ifndef MS_SYMBOLS_SYMBOLS_H
#define MS_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"

struct ms_symbols_module;

/* How much debug information a module has. */
enum ms_symbols_debug_level { MS_DEBUG_NONE, MS_DEBUG_SYMTAB, MS_DEBUG_DWARF };

/*
 * Opens the ELF file at path. Separate debug files are found by build-id
 * (/usr/lib/debug/.build-id/xx/yyyy.debug, then .gnu_debuglink next to the file, in .debug/ and in
 * /usr/lib/debug/...). Fails only if the file cannot be opened or is not an ELF file.
 */
int ms_symbols_module_open(struct ms_symbols_module **module, const char *path, struct ms_err *err);
/* The same with another root of separate debug files than /usr/lib/debug. */
int ms_symbols_module_open_in(struct ms_symbols_module **module, const char *path,
			      const char *debug_root, struct ms_err *err);
void ms_symbols_module_close(struct ms_symbols_module *module);

const char *ms_symbols_module_path(const struct ms_symbols_module *module);
/* Version of the library that reads DWARF. */
const char *ms_symbols_library(void);
/* The build-id of an ELF file; adds nothing if the file has none or is not an ELF file. */
void ms_symbols_build_id_of(const char *path, struct ms_text *out);
const char *
ms_symbols_module_build_id(const struct ms_symbols_module *module); /* hex; "" when there is none */
enum ms_symbols_debug_level ms_symbols_module_debug(const struct ms_symbols_module *module);
/*
 * The number of units read so far whose split debug information (-gsplit-dwarf) is not found;
 * *file: the first such file, or the package next to the module.
 */
uint64_t ms_symbols_module_missing(const struct ms_symbols_module *module, const char **file);
/*
 * The number of source files that names were looked for in, and that are missing; *file: the first.
 */
uint64_t ms_symbols_module_missing_sources(const struct ms_symbols_module *module,
					   const char **file);
/* The module's address of the code at an offset in its file. */
uint64_t ms_symbols_module_address(const struct ms_symbols_module *module, uint64_t file_offset);
/* Size and alignment of the PT_TLS segment; 0 when there is none. */
uint64_t ms_symbols_module_tls_size(const struct ms_symbols_module *module);
uint64_t ms_symbols_module_tls_align(const struct ms_symbols_module *module);

/* One source-level frame of an instruction: the function and the line in it. */
struct ms_symbols_frame {
	const char *function; /* demangled, without parameters; "malloc@plt" for a PLT stub */
	const char *file;     /* full path; NULL when unknown */
	uint32_t line;        /* 0 when unknown */
	uint32_t column;      /* 0 when unknown */
	uint64_t entry; /* offset of the function's (or the inlined block's) first instruction */
	const char *decl_file; /* where the function itself begins; NULL when unknown */
	uint32_t decl_line;
	bool inlined;  /* this function's code is inside the code of the next frame */
	bool nameless; /* there is no symbol: function is the module and the start address */
};

/*
 * Fills frames, innermost first, for the instruction at offset; the last one is the real function.
 * Returns their number (at most cap). In a stripped module the unwind tables show where functions
 * begin: "libfoo.so+0x1a40". 0: the offset is in no known function.
 */
size_t ms_symbols_module_frames(struct ms_symbols_module *module, uint64_t offset,
				struct ms_symbols_frame *frames, size_t cap);

/*
 * Offset of the first instruction of the function that contains offset; of a cold part (f.cold),
 * that of the whole function. UINT64_MAX: unknown. Fast: debug information is not read.
 */
uint64_t ms_symbols_module_function(struct ms_symbols_module *module, uint64_t offset);

/* A variable with a fixed address: global, static (also inside functions), or thread-local. */
struct ms_symbols_variable {
	const char *name; /* demangled; function statics as "function::name"; */
	const char *type; /* NULL when unknown; arrays as "double[100][100]" */
	const char *file; /* where it was declared; NULL when unknown */
	uint32_t line;
	uint64_t offset; /* thread-local: offset inside the module's TLS block */
	uint64_t size;   /* bytes, never 0 */
	bool tls;
	uint64_t type_die; /* for ms_symbols_module_member(); 0 when unknown */
};

/*
 * All variables, sorted by (tls, offset); variables of one kind do not overlap. DWARF is used where
 * it has the variable, the symbol table (also .dynsym) for the rest.
 */
const struct ms_symbols_variable *ms_symbols_module_variables(struct ms_symbols_module *module,
							      size_t *n);

/* The type with this name, for ms_symbols_module_member(); 0: not known, or ambiguous. */
uint64_t ms_symbols_module_type(struct ms_symbols_module *module, const char *name);
/*
 * Adds the member at an offset in an object of this type: ".head", "[3].count"; nothing if the
 * object has no members, or the offset is in padding. room is the size of memory that may hold
 * several consecutive objects; 0: there is only one. False: the type or the offset is not known.
 */
bool ms_symbols_module_member(struct ms_symbols_module *module, uint64_t type, uint64_t offset,
			      uint64_t room, struct ms_text *out);

/* A member of a type: of members that are structures themselves, their members. */
struct ms_symbols_member {
	uint64_t offset;
	uint64_t size;
	const char *name; /* "position.x" */
	const char *type; /* NULL: it has no name */
};

/* The members of an element of this type, which is the element of arrays; layout.c. */
struct ms_symbols_layout {
	uint64_t element;                         /* its size */
	MS_VEC(struct ms_symbols_member) members; /* by offset; none: it has none */
	/* A structure with a flexible array member: elements are those of the array, whose members
	 * are named "items[].x"; these bytes and members are before the first one. */
	uint64_t header;
	MS_VEC(struct ms_symbols_member) header_members;
};
/* The first type that a template has as its argument; 0: none, or not known. */
uint64_t ms_symbols_module_type_argument(struct ms_symbols_module *module, uint64_t type);
/* False: the type is not known. Free the vectors of members with ms_vec_free(). */
bool ms_symbols_module_layout(struct ms_symbols_module *module, uint64_t type,
			      struct ms_symbols_layout *layout);

/*
 * Relocations that the dynamic loader processes before the program starts: simple additions, and
 * those that need a symbol lookup.
 */
struct ms_symbols_relocations {
	uint64_t simple, lookups;
};
/* Adds the relocations of the module. */
void ms_symbols_module_relocations(struct ms_symbols_module *module,
				   struct ms_symbols_relocations *sum);

/* An allocated section that holds data (not code): ".data", ".bss", ".rodata", ".got", ... */
struct ms_symbols_section {
	const char *name;
	uint64_t offset;
	uint64_t size;
};
const struct ms_symbols_section *ms_symbols_module_sections(struct ms_symbols_module *module,
							    size_t *n);

/*
 * The variable that receives the value of the call just before return address `offset`, from the
 * source. See symbols/receiver.c.
 *
 * returned is true if that variable is local and the function returns it later (or if the call is
 * part of a return statement). Then the receiver is in the caller, and `expression` is the suffix
 * of the caller's variable ("" for the object itself, "->cells" for a member of it).
 */
struct ms_symbols_receiver {
	const char *expression; /* "X", "m->cells", "table[]", "" */
	const char *type;       /* the pointee's type: "Matrix", "double"; NULL when unknown */
	bool returned;
	/* returned: the name of the local variable ("m"); "" if there is none. Otherwise NULL. */
	const char *root;
	/* The receiver is the object itself ("std::vector<int> v"), not a pointer to it. */
	bool object;
	/* That object is a container, and the value is one of its elements. */
	bool element;
};

/* Returns false if the receiver cannot be found (no DWARF, no source, no assignment). */
bool ms_symbols_module_receiver(struct ms_symbols_module *module, uint64_t offset,
				struct ms_symbols_receiver *out);

/*
 * The same for one of the frames that ms_symbols_module_frames returns for offset - 1: level 0 is
 * the innermost; the call of level k is the one that was inlined as frame k - 1. callee, which may
 * be NULL, names the called function: it helps where DWARF has no column. A constructor counts as
 * returning its object: "->cells" for a member that it fills.
 */
bool ms_symbols_module_receiver_at(struct ms_symbols_module *module, uint64_t offset,
				   unsigned level, const char *callee,
				   struct ms_symbols_receiver *out);

/*
 * Demangles C++ and Rust names and names of Fortran modules, without parameters and default
 * template arguments; returns malloc'ed text, or NULL if name is not mangled.
 */
char *ms_symbols_demangle(const char *name);

#endif
