/* symbols/receiver_priv.h - shared by receiver.c, expression.c and fortran.c. */
#ifndef MS_SYMBOLS_RECEIVER_PRIV_H
#define MS_SYMBOLS_RECEIVER_PRIV_H

#include "symbols/symbols_priv.h"

struct ms_receiving {
	struct ms_module *module;
	struct ms_place place;
	const struct ms_source *source;
};

/* A receiving expression: its root variable, and the path from there to the value. */
struct ms_expression {
	struct ms_text root;   /* "m" */
	struct ms_text suffix; /* "->cells", "[]" */
	bool rooted;           /* the root was found in DWARF */
	Dwarf_Die var;
	enum ms_var_kind kind;
	bool typed; /* type is known */
	Dwarf_Die type;
};

/* Reads the tokens of the receipt; false if they are not an expression that has a name. */
bool ms_expression_read(struct ms_receiving *r, const struct ms_statement *s,
			const struct ms_receipt *receipt, struct ms_expression *e);
/*
 * The type of a value or of its target: "double" for double *, "Matrix" for Matrix *,
 * "std::vector<int>" for itself (then *object), "Foo" for unique_ptr<Foo>. NULL for void *.
 */
const char *ms_pointee_name(struct ms_module *module, Dwarf_Die *type, bool *object);

/* fortran.c: the object of an allocate statement at the line; fills *s with its tokens. */
bool ms_fortran_find(struct ms_statement *s, const struct ms_source *source, uint32_t line,
		     struct ms_receipt *out);

#endif
