/* symbols/rust_statement.c - what only statements of Rust have. */
#include <ctype.h>
#include <string.h>

#include "symbols/statement_priv.h"

/* Types begin with a capital; the braces of blocks follow other words. */
static bool is_type(const struct ms_symbols_token *t)
{
	return t->kind == MS_TOKEN_WORD && isupper((unsigned char)*t->at);
}

bool ms_symbols_stmt_is_field(const struct ms_symbols_statement *s, size_t colon, size_t *first)
{
	size_t open = colon > 0 ? ms_symbols_stmt_enclosing(s, colon) : NOWHERE;

	if (open == NOWHERE || open == 0 || !ms_symbols_stmt_is(s, open, "{") ||
	    !ms_symbols_stmt_is_name(s, colon - 1))
		return false;
	if (!ms_symbols_stmt_is(s, colon - 2, ",") && colon - 2 != open)
		return false;
	*first = ms_symbols_stmt_postfix(s, open - 1);
	return is_type(ms_symbols_stmt_at(s, open - 1)) || ms_symbols_stmt_is(s, open - 1, ">");
}

/* What may precede a closure's parameters. An operand before '|' makes it an operator. */
static bool may_precede_closure(const struct ms_symbols_statement *s, size_t i)
{
	static const char *const before[] = { "(", ",", "=", "{", "[", "=>", "move", NULL };

	return i == 0 || ms_symbols_token_any(ms_symbols_stmt_at(s, i - 1), before);
}

bool ms_symbols_stmt_is_closure(const struct ms_symbols_statement *s, size_t i)
{
	if (ms_symbols_stmt_is(s, i, "||"))
		return may_precede_closure(s, i);
	if (!ms_symbols_stmt_is(s, i, "|"))
		return false;
	size_t around = ms_symbols_stmt_enclosing(s, i);

	for (size_t k = i; k-- > (around != NOWHERE ? around + 1 : 0);)
		if (ms_symbols_stmt_is(s, k, "|"))
			return may_precede_closure(s, k);
	return false;
}
