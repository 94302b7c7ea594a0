/* symbols/statement_priv.h - shared by statement.c and brackets.c. */
#ifndef MS_SYMBOLS_STATEMENT_PRIV_H
#define MS_SYMBOLS_STATEMENT_PRIV_H

#include "symbols/symbols_priv.h"

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

#endif
