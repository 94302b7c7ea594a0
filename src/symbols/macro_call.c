/*
 * symbols/macro_call.c - the receivers of a call that a macro makes.
 *
 * Compilers give the code of a macro the position where it is used. "NEW(p, n);" and
 * "ARRAY_2D(A, double, N, N);" show neither an assignment nor the allocator, but the variable is
 * one of the arguments: the caller takes the first one of which DWARF says that it can hold memory.
 */
#include <ctype.h>
#include <string.h>

#include "symbols/statement_priv.h"

/* Macros of headers are recognised by their capital letters. */
static bool looks_like_macro(const struct ms_symbols_token *t)
{
	bool letter = false;

	for (size_t i = 0; i < t->n; i++) {
		if (islower((unsigned char)t->at[i]))
			return false;
		letter = letter || isupper((unsigned char)t->at[i]);
	}
	return letter && t->n > 1;
}

static bool is_macro(const struct ms_symbols_statement *s, size_t i)
{
	const struct ms_symbols_token *t = ms_symbols_stmt_at(s, i);

	if (t->kind != MS_TOKEN_WORD || !ms_symbols_stmt_is(s, i + 1, "("))
		return false;
	for (size_t k = 0; k < s->source->macros.n; k++)
		if (ms_symbols_token_is(t, s->source->macros.at[k]))
			return true;
	return looks_like_macro(t);
}

/* Where the argument that begins at i ends: at its ',' or at the ')' of the list. */
static size_t argument_end(const struct ms_symbols_statement *s, size_t i, size_t close)
{
	while (i < close && !ms_symbols_stmt_is(s, i, ",")) {
		size_t inner = NOWHERE;

		if (ms_symbols_stmt_is(s, i, "(") || ms_symbols_stmt_is(s, i, "[") ||
		    ms_symbols_stmt_is(s, i, "{"))
			inner = ms_symbols_stmt_close(s, i);
		i = inner != NOWHERE && inner < close ? inner + 1 : i + 1;
	}
	return i;
}

static bool is_variable(const struct ms_symbols_statement *s, size_t i)
{
	const struct ms_symbols_token *t = ms_symbols_stmt_at(s, i);
	char name[128];

	if (!ms_symbols_stmt_is_name(s, i) || t->n >= sizeof(name))
		return false;
	memcpy(name, t->at, t->n);
	name[t->n] = '\0';
	return s->is_variable(s->self, name);
}

/* Whether the tokens are an expression that can be assigned to: "p", "*p", "&p", "m->cells[i]". */
static bool read_argument(const struct ms_symbols_statement *s, size_t first, size_t end,
			  struct ms_symbols_receipt *out)
{
	bool deref = ms_symbols_stmt_is(s, first, "*");

	if (deref || ms_symbols_stmt_is(s, first, "&"))
		first++;
	if (first >= end || !is_variable(s, first) || ms_symbols_stmt_postfix(s, end - 1) != first)
		return false;
	*out = (struct ms_symbols_receipt){
		.kind = MS_RECEIPT_EXPRESSION, .first = first, .last = end - 1, .deref = deref
	};
	return true;
}

bool ms_symbols_macro_argument(const struct ms_symbols_statement *s, unsigned number,
			       struct ms_symbols_receipt *out)
{
	size_t close;

	if ((s->lang != MS_LANG_C && s->lang != MS_LANG_CPP) || !is_macro(s, s->call))
		return false;
	close = ms_symbols_stmt_close(s, s->call + 1);
	if (close == NOWHERE)
		return false;
	for (size_t i = s->call + 2, end; i < close; i = end + 1) {
		end = argument_end(s, i, close);
		if (read_argument(s, i, end, out) && number-- == 0)
			return true;
	}
	return false;
}
