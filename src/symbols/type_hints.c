/* symbols/type_hints.c - types that the statement itself names: casts, sizeof, new. */
#include <string.h>

#include "symbols/statement_priv.h"

bool ms_symbols_stmt_looks_like_type(const struct ms_symbols_statement *s, size_t first,
				     size_t last)
{
	if (first > last || ms_symbols_stmt_at(s, first)->kind != MS_TOKEN_WORD)
		return false;
	for (size_t i = first; i <= last; i++)
		if (ms_symbols_stmt_at(s, i)->kind == MS_TOKEN_NUMBER ||
		    (ms_symbols_stmt_at(s, i)->kind == MS_TOKEN_PUNCT &&
		     !ms_symbols_stmt_is(s, i, "::") &&
		     strchr("*&<>,[]", *ms_symbols_stmt_at(s, i)->at) == NULL))
			return false;
	return true;
}

void ms_symbols_stmt_set_hint(const struct ms_symbols_statement *s, size_t first, size_t last,
			      struct ms_symbols_receipt *out)
{
	static const char *const noise[] = { "struct",   "union", "enum",     "const",
					     "volatile", "class", "typename", NULL };

	while (last > first &&
	       (ms_symbols_stmt_is(s, last, "*") || ms_symbols_stmt_is(s, last, "&") ||
		ms_symbols_stmt_is(s, last, "const")))
		last--;
	while (first < last && ms_symbols_token_any(ms_symbols_stmt_at(s, first), noise))
		first++;
	if (out->hint_n > 0 || ms_symbols_stmt_at(s, first)->kind != MS_TOKEN_WORD ||
	    ms_symbols_stmt_is(s, first, "void"))
		return;
	out->hint = ms_symbols_stmt_at(s, first)->at;
	out->hint_n = (size_t)(ms_symbols_stmt_at(s, last)->at + ms_symbols_stmt_at(s, last)->n -
			       out->hint);
}

void ms_symbols_stmt_hint_from_sizeof(const struct ms_symbols_statement *s, size_t first,
				      size_t last, struct ms_symbols_receipt *out)
{
	for (size_t i = first; i + 1 < last; i++) {
		size_t close;

		if (!ms_symbols_stmt_is(s, i, "sizeof") || !ms_symbols_stmt_is(s, i + 1, "("))
			continue;
		close = ms_symbols_stmt_close(s, i + 1);
		if (close == NOWHERE || !ms_symbols_stmt_looks_like_type(s, i + 2, close - 1))
			continue;
		char name[64];
		size_t n = ms_symbols_stmt_at(s, i + 2)->n;
		if (n < sizeof(name) && close == i + 3) {
			memcpy(name, ms_symbols_stmt_at(s, i + 2)->at, n);
			name[n] = '\0';
			if (s->is_variable(s->self, name))
				continue;
		}
		ms_symbols_stmt_set_hint(s, i + 2, close - 1, out);
	}
}

void ms_symbols_stmt_hint_from_new(const struct ms_symbols_statement *s, size_t i,
				   struct ms_symbols_receipt *out)
{
	size_t first = i + 1, last;

	if (ms_symbols_stmt_is(s, first, "::"))
		first++;
	if (ms_symbols_stmt_is(s, i, "::"))
		first = i + 2;
	if (ms_symbols_stmt_is(s, first, "("))
		first = ms_symbols_stmt_close(s, first) + 1;
	if (first >= s->tokens.n || ms_symbols_stmt_at(s, first)->kind != MS_TOKEN_WORD)
		return;
	last = first;
	while (ms_symbols_stmt_is(s, last + 1, "::") || ms_symbols_stmt_is(s, last + 1, "<") ||
	       ms_symbols_stmt_is(s, last + 1, ">") || ms_symbols_stmt_is(s, last + 1, ",") ||
	       ms_symbols_stmt_at(s, last + 1)->kind == MS_TOKEN_WORD)
		last++;
	ms_symbols_stmt_set_hint(s, first, last, out);
}
