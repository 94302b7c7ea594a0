/* symbols/brackets.c - the structure of a statement: its brackets, and where its parts begin. */
#include <string.h>

#include "symbols/statement_priv.h"
#include "symbols/units_priv.h"

static const char *const c_keywords[] = {
	"return", "new",       "delete",   "sizeof",   "else",   "case",
	"throw",  "do",        "goto",     "if",       "while",  "for",
	"switch", "co_return", "co_await", "co_yield", "typeof", NULL,
};

static const char *const rust_keywords[] = {
	"return", "else",  "if",    "while", "for",  "in",     "mut", "let",
	"match",  "break", "await", "loop",  "move", "unsafe", NULL,
};

bool ms_symbols_token_any(const struct ms_symbols_token *t, const char *const *words)
{
	for (; *words != NULL; words++)
		if (ms_symbols_token_is(t, *words))
			return true;
	return false;
}

const struct ms_symbols_token *ms_symbols_stmt_at(const struct ms_symbols_statement *s, size_t i)
{
	static const struct ms_symbols_token none = { MS_TOKEN_PUNCT, "", 0 };

	return i < s->tokens.n ? &s->tokens.at[i] : &none;
}

bool ms_symbols_stmt_is(const struct ms_symbols_statement *s, size_t i, const char *text)
{
	return ms_symbols_token_is(ms_symbols_stmt_at(s, i), text);
}

bool ms_symbols_stmt_is_keyword(const struct ms_symbols_statement *s, size_t i)
{
	return ms_symbols_token_any(ms_symbols_stmt_at(s, i),
				    s->lang == MS_LANG_RUST ? rust_keywords : c_keywords);
}

bool ms_symbols_stmt_is_name(const struct ms_symbols_statement *s, size_t i)
{
	return ms_symbols_stmt_at(s, i)->kind == MS_TOKEN_WORD && !ms_symbols_stmt_is_keyword(s, i);
}

bool ms_symbols_stmt_is_new(const struct ms_symbols_statement *s, size_t i)
{
	return s->lang == MS_LANG_CPP && ms_symbols_stmt_is(s, i, "new");
}

/* The bracket that matches the closing one at i; NOWHERE if it is outside of the statement. */
size_t ms_symbols_stmt_open(const struct ms_symbols_statement *s, size_t i)
{
	int depth = 0;

	for (;; i--) {
		const struct ms_symbols_token *t = ms_symbols_stmt_at(s, i);

		if (t->n == 1 && strchr(")]}", *t->at) != NULL)
			depth++;
		else if (t->n == 1 && strchr("([{", *t->at) != NULL && --depth == 0)
			return i;
		if (i == 0)
			return NOWHERE;
	}
}

size_t ms_symbols_stmt_close(const struct ms_symbols_statement *s, size_t i)
{
	int depth = 0;

	for (; i < s->tokens.n; i++) {
		const struct ms_symbols_token *t = ms_symbols_stmt_at(s, i);

		if (t->n == 1 && strchr("([{", *t->at) != NULL)
			depth++;
		else if (t->n == 1 && strchr(")]}", *t->at) != NULL && --depth == 0)
			return i;
	}
	return NOWHERE;
}

/* The innermost open bracket around token i; NOWHERE if there is none. */
size_t ms_symbols_stmt_enclosing(const struct ms_symbols_statement *s, size_t i)
{
	int depth = 0;

	while (i-- > 0) {
		const struct ms_symbols_token *t = ms_symbols_stmt_at(s, i);

		if (t->n == 1 && strchr(")]}", *t->at) != NULL)
			depth++;
		else if (t->n == 1 && strchr("([{", *t->at) != NULL && --depth < 0)
			return i;
	}
	return NOWHERE;
}

/* The '<' of the template arguments that end at i; NOWHERE if they are not template arguments. */
size_t ms_symbols_stmt_open_angle(const struct ms_symbols_statement *s, size_t i)
{
	int depth = 0;

	for (;; i--) {
		const struct ms_symbols_token *t = ms_symbols_stmt_at(s, i);

		if (ms_symbols_token_is(t, ">"))
			depth++;
		else if (ms_symbols_token_is(t, "<") && --depth == 0)
			return i > 0 && (ms_symbols_stmt_is_name(s, i - 1) ||
					 ms_symbols_stmt_is(s, i - 1, "::"))
				       ? i
				       : NOWHERE;
		else if (t->kind == MS_TOKEN_PUNCT && !ms_symbols_token_is(t, "<") &&
			 !ms_symbols_token_is(t, "::") && strchr(",*&[]():", *t->at) == NULL)
			return NOWHERE;
		if (i == 0)
			return NOWHERE;
	}
}

/* The '>' of the template arguments that begin at i; NOWHERE if they are not template arguments. */
size_t ms_symbols_stmt_close_angle(const struct ms_symbols_statement *s, size_t i)
{
	for (size_t end = i + 1; end < s->tokens.n; end++) {
		const struct ms_symbols_token *t = ms_symbols_stmt_at(s, end);

		if (ms_symbols_token_is(t, ">") && ms_symbols_stmt_open_angle(s, end) == i)
			return end;
		if (t->kind == MS_TOKEN_PUNCT && !ms_symbols_token_is(t, "::") &&
		    strchr("<>,*&[]():", *t->at) == NULL)
			return NOWHERE;
	}
	return NOWHERE;
}

/* Where the postfix expression ("a.b[i]->c", "ns::f<T>", "(x)", "v!") that ends at i begins. */
size_t ms_symbols_stmt_postfix(const struct ms_symbols_statement *s, size_t i)
{
	for (;;) {
		const struct ms_symbols_token *t = ms_symbols_stmt_at(s, i);
		size_t open = i;

		if (t->n == 1 && strchr(")]}", *t->at) != NULL)
			open = ms_symbols_stmt_open(s, i);
		else if (ms_symbols_token_is(t, ">"))
			open = ms_symbols_stmt_open_angle(s, i);
		else if (!ms_symbols_stmt_is_name(s, i) && t->kind != MS_TOKEN_NUMBER)
			return i + 1;
		if (open == NOWHERE)
			return i + 1;
		if (open == 0)
			return 0;

		const struct ms_symbols_token *p = ms_symbols_stmt_at(s, open - 1);
		bool bracket = open != i;
		if (ms_symbols_token_is(p, ".") || ms_symbols_token_is(p, "->") ||
		    ms_symbols_token_is(p, "::") || ms_symbols_token_is(p, "%") ||
		    (bracket && ms_symbols_token_is(p, "!"))) {
			if (open < 2)
				return open - 1;
			/* "::f" and ".field" begin here; everything else continues to the left. */
			const struct ms_symbols_token *q = ms_symbols_stmt_at(s, open - 2);
			if (!(q->kind == MS_TOKEN_WORD && ms_symbols_stmt_is_name(s, open - 2)) &&
			    !(q->n == 1 && strchr(")]>", *q->at) != NULL))
				return open - 1;
			i = open - 2;
		} else if (bracket &&
			   (ms_symbols_stmt_is_name(s, open - 1) || ms_symbols_token_is(p, ")") ||
			    ms_symbols_token_is(p, "]") || ms_symbols_token_is(p, ">"))) {
			/* "(T *)f(x)": the parentheses before this bracket may be a cast. */
			if (ms_symbols_token_is(p, ")") && ms_symbols_stmt_is(s, i, ")"))
				return open;
			i = open - 1;
		} else {
			return open;
		}
	}
}

size_t ms_symbols_stmt_declared_pointer(const struct ms_symbols_statement *s, size_t i)
{
	size_t close = i, open;

	while (ms_symbols_stmt_is(s, close, "]") && (open = ms_symbols_stmt_open(s, close)) > 0 &&
	       open != NOWHERE)
		close = open - 1;
	if (close == i || !ms_symbols_stmt_is(s, close, ")"))
		return NOWHERE;
	open = ms_symbols_stmt_open(s, close);
	if (open == NOWHERE || open == 0 || close < open + 3 ||
	    !ms_symbols_stmt_is(s, open + 1, "*") || !ms_symbols_stmt_is_name(s, close - 1))
		return NOWHERE;
	/* A type before it: "(*m)[3] = f()" is an assignment. */
	return ms_symbols_stmt_is_name(s, open - 1) || ms_symbols_stmt_is(s, open - 1, "*") ||
			       ms_symbols_stmt_is(s, open - 1, ">")
		       ? close - 1
		       : NOWHERE;
}
