/*
 * symbols/tokens.c - the tokens of the statement around a position of a source file.
 *
 * This is not a parser: statements end at ';' and at the braces of blocks. Braces of initialisers
 * ("x{new T}", "p = { malloc(n) }") belong to the statement.
 */
#include <ctype.h>
#include <string.h>

#include "symbols/statement_priv.h"
#include "symbols/stripped_source_priv.h"
#include "symbols/units_priv.h"

enum { LONGEST_STATEMENT = 16 * 1024 };

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

bool ms_symbols_token_is(const struct ms_symbols_token *t, const char *text)
{
	return strlen(text) == t->n && memcmp(t->at, text, t->n) == 0;
}

/* The word that ends before p, ignoring blanks, or the single character there. */
static struct ms_symbols_token before(const char *text, const char *p)
{
	struct ms_symbols_token t = { MS_TOKEN_PUNCT, p, 0 };

	while (p > text && isspace((unsigned char)p[-1]))
		p--;
	if (p == text)
		return t;
	const char *end = p--;
	if (is_word_char(*p)) {
		t.kind = MS_TOKEN_WORD;
		while (p > text && is_word_char(p[-1]))
			p--;
	}
	t.at = p;
	t.n = (size_t)(end - p);
	return t;
}

static bool is_any(const struct ms_symbols_token *t, const char *const *words)
{
	for (; *words != NULL; words++)
		if (ms_symbols_token_is(t, *words))
			return true;
	return false;
}

/* Whether the name before a '{' belongs to a class or similar, or ends a condition. */
static bool names_block(const char *text, const struct ms_symbols_token *name)
{
	static const char *const words[] = { "struct",    "class", "union", "namespace", "enum",
					     "impl",      "trait", "mod",   "match",     "if",
					     "while",     "in",    "for",   "public",    "private",
					     "protected", NULL };
	struct ms_symbols_token t = before(text, name->at);

	if (is_any(&t, words))
		return true;
	if (ms_symbols_token_is(&t, ">"))
		return t.at > text && t.at[-1] == '-'; /* -> Type { */
	if (!ms_symbols_token_is(&t, ":") && !ms_symbols_token_is(&t, ","))
		return false;
	/* "class A : B, C {" has names where "A(int n) : b{n}, c{n}" has brackets. */
	t = before(text, t.at);
	return t.kind == MS_TOKEN_WORD && !ms_symbols_token_is(&t, "noexcept");
}

/* Whether the '{' at p begins values, and not statements or members. */
static bool is_initialiser(const char *text, const char *p, enum ms_symbols_lang lang)
{
	static const char *const block_words[] = { "else",     "do",        "try",    "const",
						   "noexcept", "override",  "final",  "loop",
						   "unsafe",   "mutable",   "extern", "async",
						   "move",     "union",     "struct", "enum",
						   "class",    "namespace", NULL };
	struct ms_symbols_token t = before(text, p);

	if (t.n == 0 || ms_symbols_token_is(&t, "\""))
		return false;
	if (t.kind == MS_TOKEN_PUNCT && strchr("=,(", *t.at) != NULL)
		return lang != MS_LANG_RUST || *t.at != '=';
	if (ms_symbols_token_is(&t, "return"))
		return true;
	if (lang == MS_LANG_CPP && ms_symbols_token_is(&t, ">"))
		return t.at == text || t.at[-1] != '-';
	if (t.kind != MS_TOKEN_WORD || is_any(&t, block_words) || names_block(text, &t))
		return false;
	return lang == MS_LANG_CPP || (lang == MS_LANG_RUST && isupper((unsigned char)*t.at));
}

static const char *open_brace(const char *text, const char *p)
{
	int depth = 0;

	for (;; p--) {
		depth += (*p == '}') - (*p == '{');
		if (depth == 0)
			return p;
		if (p == text)
			return NULL;
	}
}

static const char *statement_start(const char *text, const char *pos, enum ms_symbols_lang lang)
{
	int depth = 0;

	for (const char *p = pos; p > text; p--) {
		char c = p[-1];

		if (pos - p > LONGEST_STATEMENT)
			return p;
		if (c == ')' || c == ']')
			depth++;
		else if ((c == '(' || c == '[') && depth > 0)
			depth--;
		if (depth > 0)
			continue;
		if (c == ';' || (c == '{' && !is_initialiser(text, p - 1, lang)))
			return p;
		if (c == '}') {
			const char *open = open_brace(text, p - 1);

			if (open == NULL || !is_initialiser(text, open, lang))
				return p;
			p = open + 1;
		}
	}
	return text;
}

static const char *statement_end(const char *text, const char *pos, const char *end,
				 enum ms_symbols_lang lang)
{
	int depth = *pos == '}'; /* the compiler points at the end of an initialiser */

	for (const char *p = pos; p < end && p - pos < LONGEST_STATEMENT; p++) {
		if (*p == '(' || *p == '[')
			depth++;
		else if (*p == ')' || *p == ']')
			depth--;
		else if (*p == '{' && depth <= 0 && is_initialiser(text, p, lang))
			depth++;
		else if (*p == '}' && depth > 0)
			depth--;
		else if (depth <= 0 && strchr(";{}", *p) != NULL && *p != '\0')
			return p;
	}
	return end - pos < LONGEST_STATEMENT ? end : pos + LONGEST_STATEMENT;
}

static size_t punct_length(const char *p, const char *end)
{
	static const char *const two[] = { "->", "::", "==", "!=", "<=", ">=", "&&",
					   "||", "+=", "-=", "*=", "/=", "|=", "&=",
					   "^=", "%=", "=>", "..", "<<" };

	for (size_t i = 0; i < MS_COUNT(two) && end - p >= 2; i++)
		if (p[0] == two[i][0] && p[1] == two[i][1])
			return 2;
	return 1;
}

static void tokenize(struct ms_symbols_statement *s, const char *p, const char *end)
{
	while (p < end) {
		struct ms_symbols_token t = { MS_TOKEN_PUNCT, p, 1 };

		if (isspace((unsigned char)*p) || *p == '\\') {
			p++;
			continue;
		}
		if (is_word_char(*p)) {
			t.kind = isdigit((unsigned char)*p) ? MS_TOKEN_NUMBER : MS_TOKEN_WORD;
			while (p + t.n < end && (is_word_char(p[t.n])))
				t.n++;
		} else if (*p == '"' || *p == '\'') {
			const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));

			t.kind = MS_TOKEN_NUMBER;
			if (close != NULL && (*p == '"' || close - p < 12))
				t.n = (size_t)(close - p) + 1;
		} else {
			t.n = punct_length(p, end);
		}
		*ms_vec_add(&s->tokens) = t;
		p += t.n;
	}
}

/* Without a column: the callee by its name, else an allocation, else any call. */
static size_t guess_call(const struct ms_symbols_statement *s, const char *callee)
{
	static const char *const allocators[] = { "malloc", "calloc", "realloc",
						  "new",    "vec",    "aligned_alloc",
						  "strdup", "mmap",   NULL };
	size_t best = MS_NO_INDEX;
	int rank = 0;

	for (size_t i = 0; i + 1 < s->tokens.n; i++) {
		const struct ms_symbols_token *t = &s->tokens.at[i];
		int mine = 0;

		if (t->kind != MS_TOKEN_WORD)
			continue;
		bool called = ms_symbols_token_is(t + 1, "(");
		if (callee != NULL && called && ms_symbols_token_is(t, callee))
			mine = 4;
		else if (is_any(t, allocators))
			mine = 3;
		else if (called && i > 0 && ms_symbols_token_is(t - 1, "="))
			mine = 2;
		else if (called)
			mine = 1;
		if (mine > rank) {
			rank = mine;
			best = i;
		}
	}
	return best;
}

static size_t token_at(const struct ms_symbols_statement *s, const char *pos)
{
	for (size_t i = 0; i < s->tokens.n; i++)
		if (s->tokens.at[i].at + s->tokens.at[i].n > pos)
			return i;
	return MS_NO_INDEX;
}

/* The last part of "geo::Grid<double>::fill<int>": "fill". */
static struct ms_symbols_token last_part(const char *name)
{
	struct ms_symbols_token t = { MS_TOKEN_WORD, name, 0 };
	int depth = 0;

	for (const char *p = name; *p != '\0'; p++) {
		depth += (*p == '<') - (*p == '>');
		if (depth == 0 && p[0] == ':' && p[1] == ':')
			t.at = p + 2;
	}
	while (is_word_char(t.at[t.n]))
		t.n++;
	return t;
}

/* Whether token i is among the arguments of the call at s->call. */
static bool is_argument(const struct ms_symbols_statement *s, size_t i)
{
	size_t open = s->call + !ms_symbols_token_is(&s->tokens.at[s->call], "(");
	int depth = 0;

	if (open >= i || !ms_symbols_token_is(&s->tokens.at[open], "("))
		return false;
	for (size_t k = open; k < i; k++) {
		depth += ms_symbols_token_is(&s->tokens.at[k], "(") -
			 ms_symbols_token_is(&s->tokens.at[k], ")");
		if (depth == 0)
			return false;
	}
	return true;
}

/* Whether "(" or template arguments and "(" follow the word. */
static bool is_called(const struct ms_symbols_statement *s, size_t i)
{
	size_t next = i + 1;

	if (ms_symbols_token_is(&s->tokens.at[next], "<"))
		next = ms_symbols_stmt_close_angle(s, next);
	return next == i + 1 ? ms_symbols_token_is(&s->tokens.at[next], "(")
			     : next != NOWHERE && ms_symbols_stmt_is(s, next + 1, "(");
}

/*
 * For "f(malloc(n))" some compilers emit one column for both calls. The name of the callee, or the
 * name of an allocator if the callee is not known, identifies the call, if it occurs there once.
 */
static void correct_call(struct ms_symbols_statement *s, const char *callee)
{
	static const char *const allocators[] = {
		"malloc", "calloc", "realloc", "aligned_alloc", "memalign", "posix_memalign", NULL
	};
	struct ms_symbols_token wanted =
		callee != NULL ? last_part(callee) : (struct ms_symbols_token){ 0 };
	size_t found = MS_NO_INDEX, times = 0;

	for (size_t i = 0; i + 1 < s->tokens.n; i++) {
		const struct ms_symbols_token *t = &s->tokens.at[i];

		if (t->kind != MS_TOKEN_WORD || !is_called(s, i))
			continue;
		if (callee != NULL ? t->n == wanted.n && memcmp(t->at, wanted.at, t->n) == 0
				   : is_any(t, allocators)) {
			found = i;
			times++;
		}
	}
	if (times == 1 && s->call != found + 1 && (callee != NULL || is_argument(s, found)))
		s->call = found;
}

bool ms_symbols_statement_find(struct ms_symbols_statement *s,
			       const struct ms_symbols_source *source, enum ms_symbols_lang lang,
			       uint32_t line, uint32_t column, const char *callee)
{
	if (line == 0 || line > source->lines.n)
		return false;
	const char *from = source->text + source->lines.at[line - 1];
	const char *end = source->text + source->size;
	const char *stop = line < source->lines.n ? source->text + source->lines.at[line] : end;
	const char *pos = column > 0 ? from + column - 1 : from;

	if (column == 0) {
		/* The call is somewhere on this line. */
		tokenize(s, from, stop);
		size_t guess = guess_call(s, callee);
		if (guess != MS_NO_INDEX)
			pos = s->tokens.at[guess].at;
	}
	if (pos >= stop)
		pos = from;
	while (pos < stop && isspace((unsigned char)*pos))
		pos++;
	if (pos >= stop)
		return false;
	const char *start = statement_start(source->text, pos, lang);
	const char *last = statement_end(source->text, pos, end, lang);

	s->source = source;
	s->lang = lang;
	s->tokens.n = 0;
	s->tail = last < end && *last == '}';
	tokenize(s, start, last);
	s->call = token_at(s, pos);
	if (s->call != MS_NO_INDEX)
		correct_call(s, callee);
	return s->call != MS_NO_INDEX;
}

void ms_symbols_statement_free(struct ms_symbols_statement *s)
{
	ms_vec_free(&s->tokens);
}
