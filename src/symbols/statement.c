/*
 * symbols/statement.c - which expression of a statement receives the value of a call in it.
 *
 * From the call outwards: casts, parentheses, conditions and the like hand the value on; the first
 * '=', return or constructed variable receives it; an argument of another call is lost. Where the
 * value of a method call is not used, the object is what changed: v.push_back(x).
 *
 * Compilers point at different tokens of a call: its name (C), its '(' (C++), the ')' of a
 * constructor, the ']' of "new T[n]" and of operator[], the last token of operator=.
 */
#include <string.h>

#include "symbols/symbols_priv.h"

#define NOWHERE SIZE_MAX

/* Methods whose pointer stays in the object, whatever they give back. */
static const char *const mutators[] = {
	"push_back", "emplace_back", "push_front", "emplace_front", "push", "insert", "emplace",
	"try_emplace", "insert_or_assign", "resize", "reserve", "reserve_exact", "assign", "append",
	"extend", "extend_from_slice", "push_str", "shrink_to_fit", "entry", "or_insert_with",
	"or_default", "resize_with", "merge", "rehash", NULL,
};

/* Calls that hand on their first argument. */
static const char *const transparent[] = {
	"unique_ptr", "shared_ptr", "move", "forward", "Some", "Ok", "static_cast", "const_cast",
	"reinterpret_cast", "dynamic_cast", "__builtin_assume_aligned", "memset", "memcpy", "memmove",
	"strcpy", "strncpy", "strcat", NULL,
};

/* Calls that give their result through their first argument. */
static const char *const by_argument[] = { "posix_memalign", "asprintf", "vasprintf", "getline",
					   "getdelim", NULL };

static const char *const c_keywords[] = {
	"return", "new", "delete", "sizeof", "else", "case", "throw", "do", "goto", "if", "while",
	"for", "switch", "co_return", "co_await", "co_yield", "typeof", NULL,
};

static const char *const rust_keywords[] = {
	"return", "else", "if", "while", "for", "in", "mut", "let", "match", "break", "await",
	"loop", "move", "unsafe", NULL,
};

static bool is_any(const struct ms_token *t, const char *const *words)
{
	for (; *words != NULL; words++)
		if (ms_token_is(t, *words))
			return true;
	return false;
}

static const struct ms_token *at(const struct ms_statement *s, size_t i)
{
	static const struct ms_token none = { MS_TOKEN_PUNCT, "", 0 };

	return i < s->tokens.n ? &s->tokens.at[i] : &none;
}

static bool is(const struct ms_statement *s, size_t i, const char *text)
{
	return ms_token_is(at(s, i), text);
}

static bool is_keyword(const struct ms_statement *s, size_t i)
{
	return is_any(at(s, i), s->lang == MS_LANG_RUST ? rust_keywords : c_keywords);
}

static bool is_name(const struct ms_statement *s, size_t i)
{
	return at(s, i)->kind == MS_TOKEN_WORD && !is_keyword(s, i);
}

static bool is_new(const struct ms_statement *s, size_t i)
{
	return s->lang == MS_LANG_CPP && is(s, i, "new");
}

/* The bracket that opens what the one at i closes; NOWHERE when it stands outside. */
static size_t open_of(const struct ms_statement *s, size_t i)
{
	int depth = 0;

	for (;; i--) {
		const struct ms_token *t = at(s, i);

		if (t->n == 1 && strchr(")]}", *t->at) != NULL)
			depth++;
		else if (t->n == 1 && strchr("([{", *t->at) != NULL && --depth == 0)
			return i;
		if (i == 0)
			return NOWHERE;
	}
}

static size_t close_of(const struct ms_statement *s, size_t i)
{
	int depth = 0;

	for (; i < s->tokens.n; i++) {
		const struct ms_token *t = at(s, i);

		if (t->n == 1 && strchr("([{", *t->at) != NULL)
			depth++;
		else if (t->n == 1 && strchr(")]}", *t->at) != NULL && --depth == 0)
			return i;
	}
	return NOWHERE;
}

/* The bracket around token i that is still open; NOWHERE when there is none. */
static size_t enclosing(const struct ms_statement *s, size_t i)
{
	int depth = 0;

	while (i-- > 0) {
		const struct ms_token *t = at(s, i);

		if (t->n == 1 && strchr(")]}", *t->at) != NULL)
			depth++;
		else if (t->n == 1 && strchr("([{", *t->at) != NULL && --depth < 0)
			return i;
	}
	return NOWHERE;
}

/* The '<' of the template arguments that end at i; NOWHERE when it is no such thing. */
static size_t open_angle(const struct ms_statement *s, size_t i)
{
	int depth = 0;

	for (;; i--) {
		const struct ms_token *t = at(s, i);

		if (ms_token_is(t, ">"))
			depth++;
		else if (ms_token_is(t, "<") && --depth == 0)
			return i > 0 && (is_name(s, i - 1) || is(s, i - 1, "::")) ? i : NOWHERE;
		else if (t->kind == MS_TOKEN_PUNCT && !ms_token_is(t, "<") && !ms_token_is(t, "::") &&
			 strchr(",*&[]():", *t->at) == NULL)
			return NOWHERE;
		if (i == 0)
			return NOWHERE;
	}
}

/* The '>' of the template arguments that begin at i; NOWHERE when it is no such thing. */
static size_t close_angle(const struct ms_statement *s, size_t i)
{
	for (size_t end = i + 1; end < s->tokens.n; end++) {
		const struct ms_token *t = at(s, end);

		if (ms_token_is(t, ">") && open_angle(s, end) == i)
			return end;
		if (t->kind == MS_TOKEN_PUNCT && !ms_token_is(t, "::") &&
		    strchr("<>,*&[]():", *t->at) == NULL)
			return NOWHERE;
	}
	return NOWHERE;
}

/* Where the postfix expression ("a.b[i]->c", "ns::f<T>", "(x)", "v!") that ends at i begins. */
static size_t postfix_start(const struct ms_statement *s, size_t i)
{
	for (;;) {
		const struct ms_token *t = at(s, i);
		size_t open = i;

		if (t->n == 1 && strchr(")]}", *t->at) != NULL)
			open = open_of(s, i);
		else if (ms_token_is(t, ">"))
			open = open_angle(s, i);
		else if (!is_name(s, i) && t->kind != MS_TOKEN_NUMBER)
			return i + 1;
		if (open == NOWHERE)
			return i + 1;
		if (open == 0)
			return 0;

		const struct ms_token *p = at(s, open - 1);
		bool bracket = open != i;
		if (ms_token_is(p, ".") || ms_token_is(p, "->") || ms_token_is(p, "::") ||
		    ms_token_is(p, "%") || (bracket && ms_token_is(p, "!"))) {
			if (open < 2)
				return open - 1;
			/* "::f" and ".field" begin here; everything else goes on to the left. */
			const struct ms_token *q = at(s, open - 2);
			if (!(q->kind == MS_TOKEN_WORD && is_name(s, open - 2)) &&
			    !(q->n == 1 && strchr(")]>", *q->at) != NULL))
				return open - 1;
			i = open - 2;
		} else if (bracket && (is_name(s, open - 1) || ms_token_is(p, ")") ||
				       ms_token_is(p, "]") || ms_token_is(p, ">"))) {
			/* "(T *)f(x)": what stands in front of this bracket may be a cast. */
			if (ms_token_is(p, ")") && is(s, i, ")"))
				return open;
			i = open - 1;
		} else {
			return open;
		}
	}
}

/* --- hints about the type --- */

static bool looks_like_type(const struct ms_statement *s, size_t first, size_t last)
{
	if (first > last || at(s, first)->kind != MS_TOKEN_WORD)
		return false;
	for (size_t i = first; i <= last; i++)
		if (at(s, i)->kind == MS_TOKEN_NUMBER ||
		    (at(s, i)->kind == MS_TOKEN_PUNCT && !is(s, i, "::") &&
		     strchr("*&<>,[]", *at(s, i)->at) == NULL))
			return false;
	return true;
}

/* Takes the tokens as a type, without stars behind it and words such as "struct" before it. */
static void set_hint(const struct ms_statement *s, size_t first, size_t last,
		     struct ms_receipt *out)
{
	static const char *const noise[] = { "struct", "union", "enum", "const", "volatile",
					     "class", "typename", NULL };

	while (last > first && (is(s, last, "*") || is(s, last, "&") || is(s, last, "const")))
		last--;
	while (first < last && is_any(at(s, first), noise))
		first++;
	if (out->hint_n > 0 || at(s, first)->kind != MS_TOKEN_WORD || is(s, first, "void"))
		return;
	out->hint = at(s, first)->at;
	out->hint_n = (size_t)(at(s, last)->at + at(s, last)->n - out->hint);
}

/* sizeof(T) in the arguments between two tokens. */
static void hint_from_sizeof(const struct ms_statement *s, size_t first, size_t last,
			     struct ms_receipt *out)
{
	for (size_t i = first; i + 1 < last; i++) {
		size_t close;

		if (!is(s, i, "sizeof") || !is(s, i + 1, "("))
			continue;
		close = close_of(s, i + 1);
		if (close == NOWHERE || !looks_like_type(s, i + 2, close - 1))
			continue;
		char name[64];
		size_t n = at(s, i + 2)->n;
		if (n < sizeof(name) && close == i + 3) {
			memcpy(name, at(s, i + 2)->at, n);
			name[n] = '\0';
			if (s->is_variable(s->self, name))
				continue;
		}
		set_hint(s, i + 2, close - 1, out);
	}
}

/* --- from the call outwards --- */

struct climb {
	const struct ms_statement *s;
	struct ms_receipt *out;
	size_t first;  /* where the expression that holds the value begins */
	size_t object; /* the object of the method that is called: its last token, or NOWHERE */
};

static bool is_variable(const struct ms_statement *s, size_t i)
{
	char name[128];

	if (!is_name(s, i) || at(s, i)->n >= sizeof(name))
		return false;
	memcpy(name, at(s, i)->at, at(s, i)->n);
	name[at(s, i)->n] = '\0';
	return s->is_variable(s->self, name);
}

/* Is the '*' at i part of a declaration ("double *x", "int *a = f(), *b = g()")? */
static bool is_declarator_star(const struct ms_statement *s, size_t i)
{
	while (i > 0 && (is(s, i - 1, "*") || is(s, i - 1, "const")))
		i--;
	if (i == 0)
		return false;
	if (is(s, i - 1, ","))
		return enclosing(s, i) == NOWHERE && is_name(s, 0) && !is_variable(s, 0);
	return is_name(s, i - 1) || is(s, i - 1, ">");
}

static void receive(struct climb *c, size_t last)
{
	const struct ms_statement *s = c->s;
	size_t first = postfix_start(s, last), open;

	if (first > last)
		return;
	/* "x = { .next = f() }": the member of x. */
	if (is(s, first, ".") && (open = enclosing(s, first)) != NOWHERE && is(s, open, "{") &&
	    open > 1 && is(s, open - 1, "=") && c->out->tail_n == 0) {
		c->out->tail = first;
		c->out->tail_n = last - first + 1;
		receive(c, open - 2);
		return;
	}
	c->out->kind = MS_RECEIPT_EXPRESSION;
	c->out->first = first;
	c->out->last = last;
	c->out->deref = first > 0 && is(s, first - 1, "*") && !is_declarator_star(s, first - 1);
}

/* The left side of '=': a variable with a type behind it in Rust ("let v: Vec<f64> ="). */
static void receive_assigned(struct climb *c, size_t equals)
{
	size_t last = equals - 1;

	if (c->s->lang == MS_LANG_RUST)
		for (size_t i = 0; i + 1 < equals; i++)
			if (is(c->s, i, "let"))
				last = is(c->s, i + 1, "mut") ? i + 2 : i + 1;
	if (equals > 0)
		receive(c, last);
}

/* Where the operand list of an operator begins: behind '=', '(', ',', return or the start. */
static size_t operands_start(const struct ms_statement *s, size_t i)
{
	while (i > 0) {
		const struct ms_token *t = at(s, i - 1);

		if (t->n == 1 && strchr(")]}", *t->at) != NULL) {
			size_t open = open_of(s, i - 1);

			if (open == NOWHERE)
				return i;
			i = open;
			continue;
		}
		if ((t->n == 1 && strchr("=(,{[;", *t->at) != NULL) || ms_token_is(t, "return"))
			return i;
		i--;
	}
	return 0;
}

/* The '?' of the ':' at i; NOWHERE for a label. */
static size_t question_of(const struct ms_statement *s, size_t i)
{
	size_t start = operands_start(s, i);

	while (i-- > start)
		if (is(s, i, "?"))
			return i;
	return NOWHERE;
}

/* The value is inside the bracket at `open`: go on outside of it; false when that is the end. */
static bool leave_bracket(struct climb *c, size_t open, bool only_one)
{
	const struct ms_statement *s = c->s;
	size_t p = open - 1;

	if (open == 0 || (at(s, p)->kind == MS_TOKEN_PUNCT && strchr(")]>", *at(s, p)->at) == NULL)) {
		if (is(s, open, "{") && is(s, p, "="))
			open = p + 1;
		else if (is(s, open, "[") || !only_one)
			return false;
		c->first = open;
		return true;
	}
	if (is(s, p, "return")) {
		c->first = open;
		return true;
	}
	if (is(s, p, ">")) {
		size_t angle = open_angle(s, p);

		if (angle == NOWHERE || angle == 0 || !only_one || !is_any(at(s, angle - 1), transparent))
			return false;
		set_hint(s, angle + 1, p - 1, c->out);
		c->first = postfix_start(s, p);
		return true;
	}
	if (is(s, p, ")") && only_one && is(s, open, "(")) {
		c->first = open;
		return true;
	}
	if (is(s, open, "(") && is_any(at(s, p), transparent) && only_one) {
		c->first = postfix_start(s, p);
		return true;
	}
	/* Box::new(x), Rc::new(x): the new box is what holds the value. */
	if (s->lang == MS_LANG_RUST && is(s, p, "new") && p > 1 && is(s, p - 1, "::")) {
		c->first = p - 2;
		return true;
	}
	if (!is(s, open, "[") && s->lang == MS_LANG_CPP && is_variable(s, p) &&
	    !(p > 0 && (is(s, p - 1, ".") || is(s, p - 1, "->") || is(s, p - 1, "::"))))
		receive(c, p);
	return false;
}

/* One step outwards; false when the receiver is found, or that there is none. */
static bool step(struct climb *c, bool *statement_begins)
{
	const struct ms_statement *s = c->s;
	size_t left = c->first - 1, other;
	const struct ms_token *t = at(s, left);

	*statement_begins = c->first == 0;
	if (c->first == 0)
		return false;
	if (ms_token_is(t, "return") || ms_token_is(t, "co_return")) {
		c->out->kind = MS_RECEIPT_RETURN;
		return false;
	}
	if (ms_token_is(t, "=")) {
		receive_assigned(c, left);
		return false;
	}
	if (ms_token_is(t, "(") || ms_token_is(t, "{") || ms_token_is(t, "["))
		return leave_bracket(c, left, true);
	if (ms_token_is(t, ",")) {
		other = enclosing(s, left);
		*statement_begins = other == NOWHERE;
		return other != NOWHERE && leave_bracket(c, other, false);
	}
	if (ms_token_is(t, ")")) {
		other = open_of(s, left);
		if (other == NOWHERE)
			return false;
		if (other > 0 && at(s, other - 1)->kind == MS_TOKEN_WORD &&
		    is_keyword(s, other - 1) && !is(s, other - 1, "return")) {
			*statement_begins = true;
			return false;
		}
		if (!looks_like_type(s, other + 1, left - 1))
			return false;
		set_hint(s, other + 1, left - 1, c->out);
		c->first = other;
		return true;
	}
	if (ms_token_is(t, "?") || ms_token_is(t, "+") || ms_token_is(t, "-")) {
		c->first = operands_start(s, left);
		return true;
	}
	if (ms_token_is(t, ":")) {
		other = question_of(s, left);
		*statement_begins = other == NOWHERE;
		if (other != NOWHERE)
			c->first = operands_start(s, other);
		return other != NOWHERE;
	}
	if (s->lang == MS_LANG_RUST && (ms_token_is(t, "&") || ms_token_is(t, "mut"))) {
		c->first = left;
		return true;
	}
	*statement_begins = ms_token_is(t, "else") || ms_token_is(t, "do") || ms_token_is(t, "=>");
	return false;
}

/* "new" before the type that begins at first, with or without placement. */
static size_t with_new(const struct ms_statement *s, size_t first)
{
	size_t p = first;

	if (p > 0 && is(s, p - 1, ")")) {
		size_t open = open_of(s, p - 1);

		if (open != NOWHERE && open > 0 && is_new(s, open - 1))
			p = open;
	}
	if (p > 0 && is_new(s, p - 1)) {
		p--;
		return p > 0 && is(s, p - 1, "::") ? p - 1 : p;
	}
	return first;
}

/* The type that stands behind the "new" at i. */
static void hint_from_new(const struct ms_statement *s, size_t i, struct ms_receipt *out)
{
	size_t first = i + 1, last;

	if (is(s, first, "::"))
		first++;
	if (is(s, i, "::"))
		first = i + 2;
	if (is(s, first, "("))
		first = close_of(s, first) + 1;
	if (first >= s->tokens.n || at(s, first)->kind != MS_TOKEN_WORD)
		return;
	last = first;
	while (is(s, last + 1, "::") || is(s, last + 1, "<") || is(s, last + 1, ">") ||
	       is(s, last + 1, ",") || at(s, last + 1)->kind == MS_TOKEN_WORD)
		last++;
	set_hint(s, first, last, out);
}

/* "Foo x(n)", "vector<int> v{1, 2}", ", m(n)": the token at i is what is constructed. */
static bool is_constructed(const struct ms_statement *s, size_t i)
{
	if (s->lang != MS_LANG_CPP || !is_name(s, i))
		return false;
	if (i == 0)
		return is_variable(s, i);
	if (is_name(s, i - 1) || is(s, i - 1, ">"))
		return true;
	return (is(s, i - 1, ",") || is(s, i - 1, ":") || is(s, i - 1, "*") || is(s, i - 1, "&")) &&
	       is_variable(s, i);
}

/* "posix_memalign((void **)&p, ...)": the expression behind '&', or what an argument points to. */
static void receive_argument(struct climb *c, size_t open)
{
	const struct ms_statement *s = c->s;
	size_t i = open + 1, end;

	if (is(s, i, "(") && close_of(s, i) != NOWHERE)
		i = close_of(s, i) + 1;
	for (end = i; end < s->tokens.n && !is(s, end, ",") && !is(s, end, ")"); end++)
		if (is(s, end, "[") && close_of(s, end) != NOWHERE)
			end = close_of(s, end);
	if (end == i || end >= s->tokens.n)
		return;
	receive(c, end - 1);
	c->out->deref = !is(s, i, "&");
}

/* From a name to the end of "a.b.c(", "f<T>(", "vec![", where the call is. */
static size_t find_bracket(const struct ms_statement *s, size_t name, size_t *open)
{
	size_t i = name + 1;

	for (;;) {
		size_t angle = is(s, i, "<") ? close_angle(s, i) : NOWHERE;

		if (angle != NOWHERE) {
			i = angle + 1;
		} else if ((is(s, i, "::") || is(s, i, ".") || is(s, i, "->")) &&
			   at(s, i + 1)->kind == MS_TOKEN_WORD) {
			name = i + 1;
			i += 2;
		} else if (is(s, i, "::") && is(s, i + 1, "<")) {
			i++;
			if (close_angle(s, i) == NOWHERE)
				return name;
		} else {
			break;
		}
	}
	if (s->lang == MS_LANG_RUST && is(s, i, "!"))
		i++;
	if (is(s, i, "(") || is(s, i, "{") || (is(s, i, "[") && is(s, i - 1, "!")))
		*open = i;
	return name;
}

/* Finds the call's expression and whose method it is; false when a receiver is already known. */
static bool find_call(struct climb *c, size_t i)
{
	const struct ms_statement *s = c->s;
	size_t name, open = NOWHERE;

	if (is(s, i, ")") || is(s, i, "]") || is(s, i, "}")) {
		open = open_of(s, i);
		if (open == NOWHERE || open == 0)
			return false;
		name = open - 1;
	} else if (is(s, i, "(") || is(s, i, "{")) {
		open = i;
		name = i > 0 ? i - 1 : 0;
	} else if (is(s, i, "=")) {
		receive_assigned(c, i);
		return false;
	} else if (is_new(s, i)) {
		c->first = i;
		hint_from_new(s, i, c->out);
		return true;
	} else {
		name = find_bracket(s, i, &open);
		/* operator[] again: some compilers point at the object. */
		if (open == NOWHERE && s->lang == MS_LANG_CPP && is(s, name + 1, "[") &&
		    is_variable(s, name)) {
			receive(c, name);
			return false;
		}
	}
	if (open != NOWHERE && is(s, open, "[") && !is(s, open - 1, "!")) {
		size_t first = with_new(s, postfix_start(s, name));

		if (!is_new(s, first) && !is(s, first, "::")) { /* operator[] */
			receive(c, name);
			return false;
		}
	}
	if (open != NOWHERE && is_any(at(s, name), by_argument)) {
		receive_argument(c, open);
		return false;
	}
	if (open != NOWHERE && !is(s, open, "[") && is_constructed(s, name)) {
		receive(c, name);
		return false;
	}
	c->first = with_new(s, postfix_start(s, name));
	if (c->first > name)
		c->first = name;
	if (is_new(s, c->first) || (is(s, c->first, "::") && is_new(s, c->first + 1)))
		hint_from_new(s, c->first, c->out);
	if (open != NOWHERE) {
		size_t close = close_of(s, open);

		hint_from_sizeof(s, open + 1, close != NOWHERE ? close : s->tokens.n, c->out);
	}
	if (name > 1 && (is(s, name - 1, ".") || is(s, name - 1, "->")) && name - 2 >= c->first)
		c->object = name - 2;
	if (c->object != NOWHERE && is_any(at(s, name), mutators)) {
		receive(c, c->object);
		return false;
	}
	return true;
}

void ms_statement_receipt(const struct ms_statement *s, struct ms_receipt *out)
{
	struct climb c = { s, out, 0, NOWHERE };
	bool begins = false;

	*out = (struct ms_receipt){ 0 };
	if (!find_call(&c, s->call))
		return;
	for (int i = 0; i < 64 && step(&c, &begins); i++)
		continue;
	if (out->kind != MS_RECEIPT_NONE || !begins)
		return;
	if (c.object != NOWHERE)
		receive(&c, c.object);
	else if (s->lang == MS_LANG_RUST && s->tail)
		out->kind = MS_RECEIPT_RETURN;
}
