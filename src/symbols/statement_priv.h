/* symbols/statement_priv.h - the receiver of a call's value, from the text of the statement. */
#ifndef MS_SYMBOLS_STATEMENT_PRIV_H
#define MS_SYMBOLS_STATEMENT_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "symbols/stripped_source_priv.h"
#include "symbols/units_priv.h"

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

enum { MS_MOST_MEMBERS = 4 };

struct ms_symbols_receipt {
	enum ms_symbols_receipt_kind kind;
	size_t first, last; /* MS_RECEIPT_EXPRESSION: the tokens of the receiving expression */
	/* Members of initialisers, outermost last: tokens ".next" in C and C++, "next" in Rust. */
	struct ms_symbols_token_range {
		size_t first, last;
	} members[MS_MOST_MEMBERS];
	size_t member_count;
	bool deref;   /* a '*' precedes it */
	bool array;   /* it must be an array: only these are allocated by assignments */
	bool element; /* the expression is a container that gets the value as an element */
	/* A type named by a cast, sizeof or new in the statement; n == 0 if there is none. */
	const char *hint;
	size_t hint_n;
};

bool ms_symbols_statement_find(struct ms_symbols_statement *s,
			       const struct ms_symbols_source *source, enum ms_symbols_lang lang,
			       uint32_t line, uint32_t column, const char *callee);
void ms_symbols_statement_receipt(const struct ms_symbols_statement *s,
				  struct ms_symbols_receipt *out);
/*
 * macro_call.c: argument `number`, from 0 on, of those of the macro at the call that are variables
 * or parts of them; false if there is none, or if the call is not made by a macro.
 */
bool ms_symbols_macro_argument(const struct ms_symbols_statement *s, unsigned number,
			       struct ms_symbols_receipt *out);
void ms_symbols_statement_free(struct ms_symbols_statement *s);

/* --- hints about the type (type_hints.c) --- */

bool ms_symbols_stmt_looks_like_type(const struct ms_symbols_statement *s, size_t first,
				     size_t last);
/* Takes the tokens as a type, without trailing stars and leading words such as "struct". */
void ms_symbols_stmt_set_hint(const struct ms_symbols_statement *s, size_t first, size_t last,
			      struct ms_symbols_receipt *out);
/* Finds sizeof(T) in the arguments between two tokens. */
void ms_symbols_stmt_hint_from_sizeof(const struct ms_symbols_statement *s, size_t first,
				      size_t last, struct ms_symbols_receipt *out);
/* Takes the type after the "new" at i. */
void ms_symbols_stmt_hint_from_new(const struct ms_symbols_statement *s, size_t i,
				   struct ms_symbols_receipt *out);

/* --- Rust (rust_statement.c) --- */

/*
 * Whether the ':' is that of a field, `Grid { cells: ...`; then *first is where the literal of the
 * structure begins.
 */
bool ms_symbols_stmt_is_field(const struct ms_symbols_statement *s, size_t colon, size_t *first);
/* Whether the parameters of a closure end at i: its value follows. */
bool ms_symbols_stmt_is_closure(const struct ms_symbols_statement *s, size_t i);

bool ms_symbols_token_is(const struct ms_symbols_token *t, const char *text);

/* --- tokens (statement.c, brackets.c) --- */

#define NOWHERE SIZE_MAX

bool ms_symbols_token_any(const struct ms_symbols_token *t, const char *const *words);
/* Token i; an empty token after the end. */
const struct ms_symbols_token *ms_symbols_stmt_at(const struct ms_symbols_statement *s, size_t i);
bool ms_symbols_stmt_is(const struct ms_symbols_statement *s, size_t i, const char *text);
bool ms_symbols_stmt_is_keyword(const struct ms_symbols_statement *s, size_t i);
bool ms_symbols_stmt_is_name(const struct ms_symbols_statement *s, size_t i);
bool ms_symbols_stmt_is_new(const struct ms_symbols_statement *s, size_t i);
/* The bracket that matches the closing one at i; NOWHERE if it is outside of the statement. */
size_t ms_symbols_stmt_open(const struct ms_symbols_statement *s, size_t i);
size_t ms_symbols_stmt_close(const struct ms_symbols_statement *s, size_t i);
/* The innermost open bracket around token i; NOWHERE if there is none. */
size_t ms_symbols_stmt_enclosing(const struct ms_symbols_statement *s, size_t i);
/* The other end of the template arguments that end or begin at i; NOWHERE if there are none. */
size_t ms_symbols_stmt_open_angle(const struct ms_symbols_statement *s, size_t i);
size_t ms_symbols_stmt_close_angle(const struct ms_symbols_statement *s, size_t i);
/* Where the postfix expression ("a.b[i]->c", "ns::f<T>", "(x)", "v!") that ends at i begins. */
size_t ms_symbols_stmt_postfix(const struct ms_symbols_statement *s, size_t i);
/* The name in a declaration of a pointer to arrays that ends at i: "double (*m)[4][5]"; else
 * NOWHERE. */
size_t ms_symbols_stmt_declared_pointer(const struct ms_symbols_statement *s, size_t i);

#endif
