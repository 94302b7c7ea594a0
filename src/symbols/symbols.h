/*
 * symbols/symbols.h - what ELF and DWARF say about one module (a program or a library).
 *
 * The only user of libdw. Addresses are the module's own (as in its ELF file: "offsets" here);
 * the caller subtracts the load bias. Nothing here fails hard because of bad debug information:
 * what cannot be read is unknown. Texts live as long as the module.
 * A module is read lazily, by one thread at a time: no locks inside.
 */
#ifndef MS_SYMBOLS_SYMBOLS_H
#define MS_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"

struct ms_module;

/* How much is known about a module. */
enum ms_debug_level { MS_DEBUG_NONE, MS_DEBUG_SYMTAB, MS_DEBUG_DWARF };

/*
 * Opens the ELF file at path. Separate debug files are found by build-id
 * (/usr/lib/debug/.build-id/xx/yyyy.debug, then .gnu_debuglink beside the file, in .debug/ and in
 * /usr/lib/debug/...). Fails only when the file cannot be opened or is no ELF file.
 */
int ms_module_open(struct ms_module **module, const char *path, struct ms_err *err);
/* The same with another folder than /usr/lib/debug as the root of separate debug files. */
int ms_module_open_in(struct ms_module **module, const char *path, const char *debug_root,
		      struct ms_err *err);
void ms_module_close(struct ms_module *module);

const char *ms_module_path(const struct ms_module *module);
/* Version of the library that reads DWARF. */
const char *ms_symbols_library(void);
/* Of an ELF file; nothing is added where it has none or is none. */
void ms_build_id_of(const char *path, struct ms_text *out);
const char *ms_module_build_id(const struct ms_module *module); /* hex; "" when there is none */
enum ms_debug_level ms_module_debug(const struct ms_module *module);
/*
 * Units of the module, as far as they were read, whose debug information was split off
 * (-gsplit-dwarf) and is not found; *file: the first such file, or the package beside the module.
 */
uint64_t ms_module_missing(const struct ms_module *module, const char **file);
/* The address, as the module itself has it, of the code that stands at an offset in its file. */
uint64_t ms_module_address(const struct ms_module *module, uint64_t file_offset);
/* Size and alignment of the PT_TLS segment; 0 when there is none. */
uint64_t ms_module_tls_size(const struct ms_module *module);
uint64_t ms_module_tls_align(const struct ms_module *module);

/* One source-level frame of an instruction: the function and the line in it. */
struct ms_frame {
	const char *function; /* demangled, without parameters; "malloc@plt" for a PLT stub */
	const char *file;     /* full path; NULL when unknown */
	uint32_t line;        /* 0 when unknown */
	uint32_t column;      /* 0 when unknown */
	uint64_t entry; /* offset of the function's (or the inlined block's) first instruction */
	const char *decl_file; /* where the function itself begins; NULL when unknown */
	uint32_t decl_line;
	bool inlined;  /* this function's code stands inside the next frame's */
	bool nameless; /* no symbol names it: function is the module and where it begins */
};

/*
 * Fills frames, innermost first, for the instruction at offset; the last one is the real function.
 * Returns how many (at most cap). Of a stripped module the unwind tables tell where functions
 * begin: "libfoo.so+0x1a40". 0: the offset is in no function that is known.
 */
size_t ms_module_frames(struct ms_module *module, uint64_t offset, struct ms_frame *frames,
			size_t cap);

/* A variable with a fixed place: global, static (also inside functions), or thread-local. */
struct ms_variable {
	const char *name; /* demangled; function statics as "function::name"; */
	const char *type; /* NULL when unknown; arrays as "double[100][100]" */
	const char *file; /* where it was declared; NULL when unknown */
	uint32_t line;
	uint64_t offset; /* thread-local: offset inside the module's TLS block */
	uint64_t size;   /* bytes, never 0 */
	bool tls;
	uint64_t type_die; /* for ms_module_member(); 0 when unknown */
};

/*
 * Every variable, sorted by (tls, offset), none overlapping another of the same kind: from DWARF
 * where it tells, from the symbol table (also .dynsym) for the rest.
 */
const struct ms_variable *ms_module_variables(struct ms_module *module, size_t *n);

/* A type that has been named so, for ms_module_member(); 0: not known, or several different ones.
 */
uint64_t ms_module_type(struct ms_module *module, const char *name);
/*
 * Adds what lies at an offset in an object of this type: ".head", "[3].count"; nothing where the
 * object has no parts, or only padding lies there. room is the size of memory that may hold several
 * of them, one behind the other; 0: there is just one. False: the type or the place is not known.
 */
bool ms_module_member(struct ms_module *module, uint64_t type, uint64_t offset, uint64_t room,
		      struct ms_text *out);

/* Relocations that the dynamic loader processes before the program starts: simple additions, and
 * those for which it looks a symbol up. */
struct ms_relocations {
	uint64_t simple, lookups;
};
/* Adds the module's. */
void ms_module_relocations(struct ms_module *module, struct ms_relocations *sum);

/* An allocated section that holds data (not code): ".data", ".bss", ".rodata", ".got", ... */
struct ms_section {
	const char *name;
	uint64_t offset;
	uint64_t size;
};
const struct ms_section *ms_module_sections(struct ms_module *module, size_t *n);

/*
 * What the source says about the value that the call just before return address `offset` gives
 * back: the variable that receives it. See symbols/receiver.c.
 *
 * returned is true when that variable is a local one that the function goes on to return (or the
 * call stands in a return statement): the receiver is then in the caller, and `expression` is what
 * stands behind the caller's variable ("" for the object itself, "->cells" for a member of it).
 */
struct ms_receiver {
	const char *expression; /* "X", "m->cells", "table[]", "" */
	const char *type;       /* the pointee's type: "Matrix", "double"; NULL when unknown */
	bool returned;
	/* returned: the local variable's own name ("m"); "" when there is none. Else NULL. */
	const char *root;
	/* The receiver is itself the object ("std::vector<int> v"), not a pointer to it. */
	bool object;
};

/* Returns false when nothing can be told about this call (no DWARF, no source, no assignment). */
bool ms_module_receiver(struct ms_module *module, uint64_t offset, struct ms_receiver *out);

/*
 * The same for one of the frames that ms_module_frames gives for offset - 1: level 0 is the
 * innermost; the call of level k is the one that was inlined as frame k - 1. callee, which may be
 * NULL, names the function that is called there: it helps where DWARF gives no column.
 * A constructor counts as returning its object: "->cells" for a member that it fills.
 */
bool ms_module_receiver_at(struct ms_module *module, uint64_t offset, unsigned level,
			   const char *callee, struct ms_receiver *out);

/*
 * Demangles C++, Rust and Fortran modules, without parameters and default template arguments;
 * returns malloc'ed text, or NULL when name is not mangled.
 */
char *ms_demangle(const char *name);

#endif
