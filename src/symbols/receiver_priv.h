/* symbols/receiver_priv.h - shared by receiver.c, expression.c and fortran.c. */
#ifndef MS_SYMBOLS_RECEIVER_PRIV_H
#define MS_SYMBOLS_RECEIVER_PRIV_H

#include "symbols/lookup_priv.h"
#include "symbols/module_priv.h"
#include "symbols/statement_priv.h"
#include "symbols/stripped_source_priv.h"

struct ms_symbols_receiving {
	struct ms_symbols_module *module;
	struct ms_symbols_place place;
	const struct ms_symbols_source *source;
	unsigned level;     /* inline level of the place */
	const char *callee; /* the function that was called there; NULL: not known */
};

/* A receiving expression: its root variable, and the path from there to the value. */
struct ms_symbols_expression {
	struct ms_text root;   /* "m" */
	struct ms_text suffix; /* "->cells", "[]" */
	bool rooted;           /* the root was found in DWARF */
	Dwarf_Die var;
	enum ms_symbols_var_kind kind;
	bool typed; /* type is known */
	Dwarf_Die type;
};

/* Reads the tokens of the receipt; false if they are not an expression that has a name. */
bool ms_symbols_expression_read(struct ms_symbols_receiving *r,
				const struct ms_symbols_statement *s,
				const struct ms_symbols_receipt *receipt,
				struct ms_symbols_expression *e);
/* Appends the members of initialisers, `Grid { cells: ... }`, to the expression and its type. */
void ms_symbols_expression_add_members(struct ms_symbols_receiving *r,
				       const struct ms_symbols_statement *s,
				       const struct ms_symbols_receipt *receipt,
				       struct ms_symbols_expression *e);
/*
 * The type of a value or of its target: "double" for double *, "Matrix" for Matrix *,
 * "std::vector<int>" for itself (then *object), "Foo" for unique_ptr<Foo>. NULL for void *.
 */
const char *ms_symbols_pointee_name(struct ms_symbols_module *module, Dwarf_Die *type,
				    bool *object);

/* debug_info_receiver.c: the receiver where there is no source. */
bool ms_symbols_debug_info_receiver(struct ms_symbols_receiving *r, unsigned level,
				    struct ms_symbols_receiver *out);

/*
 * call_order.c: of the calls of the same function from this line and inline level, the one before
 * the place is number *rank of *count, in the order of the code. False: it is not a direct call.
 * inlined: calls in another function that was inlined into this level do not count; NULL: any.
 */
bool ms_symbols_call_order(struct ms_symbols_module *module, const struct ms_symbols_place *place,
			   unsigned level, const char *inlined, unsigned *rank, unsigned *count);

/*
 * member_initializer.c: the member of the constructor's class that is initialised by the callee
 * where it is declared. named: the type of the member that the text at the call initialises. False:
 * it is that one, or not known.
 */
bool ms_symbols_initialized_member(struct ms_symbols_receiving *r, Dwarf_Die *class,
				   const struct ms_symbols_statement *s, Dwarf_Die *named,
				   Dwarf_Die *member);

/*
 * fortran.c: the object that the allocate statement at the line allocates with call `rank` of
 * `count`, or that an assignment there allocates; fills *s with its tokens.
 */
bool ms_symbols_fortran_find(struct ms_symbols_statement *s, const struct ms_symbols_source *source,
			     uint32_t line, unsigned rank, unsigned count,
			     struct ms_symbols_receipt *out);

#endif
