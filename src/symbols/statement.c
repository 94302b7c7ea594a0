/*
 * symbols/statement.c - finds the expression of a statement that receives the value of a call.
 *
 * The search goes from the call outwards. Casts, parentheses, conditions and similar syntax pass
 * the value on. The first '=', return or constructed variable receives it. The value is lost if it
 * is an argument of another call. If the value of a method call is not used, the call has changed
 * its object: v.push_back(x).
 *
 * Compilers point at different tokens of a call: its name (C), its '(' (C++), the ')' of a
 * constructor, the ']' of "new T[n]" and of operator[], the last token of operator=.
 */
#include <string.h>

#include "symbols/statement_priv.h"
#include "symbols/units_priv.h"

/* Methods that store memory in their object, whatever they return. */
static const char *const mutators[] = {
	"push_back",
	"emplace_back",
	"push_front",
	"emplace_front",
	"push",
	"insert",
	"emplace",
	"try_emplace",
	"insert_or_assign",
	"resize",
	"reserve",
	"reserve_exact",
	"assign",
	"append",
	"extend",
	"extend_from_slice",
	"push_str",
	"shrink_to_fit",
	"entry",
	"or_insert_with",
	"or_default",
	"resize_with",
	"merge",
	"rehash",
	NULL,
};

/* Those that store their arguments. */
static const char *const inserters[] = {
	"push_back", "emplace_back", "push_front",  "emplace_front",    "push",
	"insert",    "emplace",      "try_emplace", "insert_or_assign", NULL,
};

/* Those of pointers, which take over their argument. */
static const char *const owners[] = { "reset", NULL };

/* Templates that allocate an object of their first argument. */
static const char *const makers[] = { "make_unique", "make_shared", "allocate_shared", NULL };

/* Calls that return their first argument. */
static const char *const transparent[] = {
	"unique_ptr",
	"shared_ptr",
	"move",
	"forward",
	"Some",
	"Ok",
	"static_cast",
	"const_cast",
	"reinterpret_cast",
	"dynamic_cast",
	"__builtin_assume_aligned",
	"memset",
	"memcpy",
	"memmove",
	"strcpy",
	"strncpy",
	"strcat",
	NULL,
};

/* Calls that return their result through an argument. */
static const struct {
	const char *name;
	unsigned argument; /* from 0 */
} by_argument[] = {
	{ "posix_memalign", 0 },   { "asprintf", 0 },
	{ "vasprintf", 0 },        { "getline", 0 },
	{ "getdelim", 0 },         { "MPI_Alloc_mem", 2 },
	{ "MPI_Win_allocate", 4 }, { "MPI_Win_allocate_shared", 4 },
};

/* --- from the call outwards --- */

struct climb {
	const struct ms_symbols_statement *s;
	struct ms_symbols_receipt *out;
	size_t first;  /* where the expression with the value begins */
	size_t object; /* the last token of the object whose method is called, or NOWHERE */
};

static bool is_variable(const struct ms_symbols_statement *s, size_t i)
{
	char name[128];

	if (!ms_symbols_stmt_is_name(s, i) || ms_symbols_stmt_at(s, i)->n >= sizeof(name))
		return false;
	memcpy(name, ms_symbols_stmt_at(s, i)->at, ms_symbols_stmt_at(s, i)->n);
	name[ms_symbols_stmt_at(s, i)->n] = '\0';
	return s->is_variable(s->self, name);
}

/* Whether the '*' at i is part of a declaration ("double *x", "int *a = f(), *b = g()"). */
static bool is_declarator_star(const struct ms_symbols_statement *s, size_t i)
{
	while (i > 0 &&
	       (ms_symbols_stmt_is(s, i - 1, "*") || ms_symbols_stmt_is(s, i - 1, "const")))
		i--;
	if (i == 0)
		return false;
	if (ms_symbols_stmt_is(s, i - 1, ","))
		return ms_symbols_stmt_enclosing(s, i) == NOWHERE &&
		       ms_symbols_stmt_is_name(s, 0) && !is_variable(s, 0);
	return ms_symbols_stmt_is_name(s, i - 1) || ms_symbols_stmt_is(s, i - 1, ">");
}

/* False: there are too many levels. */
static bool add_member(struct ms_symbols_receipt *out, size_t first, size_t last)
{
	if (out->member_count == MS_MOST_MEMBERS)
		return false;
	out->members[out->member_count++] = (struct ms_symbols_token_range){ first, last };
	return true;
}

static void receive(struct climb *c, size_t last)
{
	const struct ms_symbols_statement *s = c->s;
	size_t first = ms_symbols_stmt_postfix(s, last), open;

	if (first > last)
		return;
	/* "x = { .next = f() }": the member of x receives the value. */
	if (ms_symbols_stmt_is(s, first, ".") &&
	    (open = ms_symbols_stmt_enclosing(s, first)) != NOWHERE &&
	    ms_symbols_stmt_is(s, open, "{") && open > 1 && ms_symbols_stmt_is(s, open - 1, "=") &&
	    add_member(c->out, first, last)) {
		receive(c, open - 2);
		return;
	}
	c->out->kind = MS_RECEIPT_EXPRESSION;
	c->out->first = first;
	c->out->last = last;
	c->out->deref = first > 0 && ms_symbols_stmt_is(s, first - 1, "*") &&
			!is_declarator_star(s, first - 1);
}

/* The left side of '='. In Rust a type may follow the variable ("let v: Vec<f64> ="). */
static void receive_assigned(struct climb *c, size_t equals)
{
	size_t last = equals - 1, declared = NOWHERE;

	if (equals > 0 && (declared = ms_symbols_stmt_declared_pointer(c->s, last)) != NOWHERE)
		last = declared;
	if (c->s->lang == MS_LANG_RUST)
		for (size_t i = 0; i + 1 < equals; i++)
			if (ms_symbols_stmt_is(c->s, i, "let"))
				last = ms_symbols_stmt_is(c->s, i + 1, "mut") ? i + 2 : i + 1;
	if (equals > 0)
		receive(c, last);
	if (declared != NOWHERE)
		c->out->deref = false;
}

/* Where the operands of an operator begin: after '=', '(', ',', return, or at the start. */
static size_t operands_start(const struct ms_symbols_statement *s, size_t i)
{
	while (i > 0) {
		const struct ms_symbols_token *t = ms_symbols_stmt_at(s, i - 1);

		if (t->n == 1 && strchr(")]}", *t->at) != NULL) {
			size_t open = ms_symbols_stmt_open(s, i - 1);

			if (open == NOWHERE)
				return i;
			i = open;
			continue;
		}
		if ((t->n == 1 && strchr("=(,{[;", *t->at) != NULL) ||
		    ms_symbols_token_is(t, "return"))
			return i;
		i--;
	}
	return 0;
}

/* "a + b" of C++ objects: the result is a new object, for which the operator allocates. */
static bool is_binary_operator(const struct ms_symbols_statement *s, size_t i)
{
	static const char *const operators[] = { "+", "-", "*",  "/",  "%", "&",
						 "|", "^", "<<", ">>", NULL };

	if (s->lang != MS_LANG_CPP || i == 0 ||
	    !ms_symbols_token_any(ms_symbols_stmt_at(s, i), operators))
		return false;
	const struct ms_symbols_token *before = ms_symbols_stmt_at(s, i - 1);

	return before->kind != MS_TOKEN_PUNCT ? !ms_symbols_stmt_is_keyword(s, i - 1)
					      : before->n == 1 && strchr(")]", *before->at) != NULL;
}

/* The '?' that matches the ':' at i; NOWHERE for a label. */
static size_t question_of(const struct ms_symbols_statement *s, size_t i)
{
	size_t start = operands_start(s, i);

	while (i-- > start)
		if (ms_symbols_stmt_is(s, i, "?"))
			return i;
	return NOWHERE;
}

/* "v.push_back(": whether the bracket has the arguments of such a method of an object. */
static bool is_call_of(const struct ms_symbols_statement *s, size_t open,
		       const char *const *methods)
{
	return s->lang != MS_LANG_C && open > 2 && ms_symbols_stmt_is(s, open, "(") &&
	       ms_symbols_token_any(ms_symbols_stmt_at(s, open - 1), methods) &&
	       (ms_symbols_stmt_is(s, open - 2, ".") || ms_symbols_stmt_is(s, open - 2, "->"));
}

/*
 * The value is inside the bracket at `open`: continue outside of it; false if the search ends
 * there.
 */
static bool leave_bracket(struct climb *c, size_t open, bool only_one)
{
	const struct ms_symbols_statement *s = c->s;
	size_t p = open - 1;

	if (is_call_of(s, open, inserters) || is_call_of(s, open, owners)) {
		receive(c, p - 2);
		c->out->element = is_call_of(s, open, inserters);
		return false;
	}
	if (open == 0 || (ms_symbols_stmt_at(s, p)->kind == MS_TOKEN_PUNCT &&
			  strchr(")]>", *ms_symbols_stmt_at(s, p)->at) == NULL)) {
		if (ms_symbols_stmt_is(s, open, "{") && ms_symbols_stmt_is(s, p, "="))
			open = p + 1;
		else if (ms_symbols_stmt_is(s, open, "[") || !only_one)
			return false;
		c->first = open;
		return true;
	}
	if (ms_symbols_stmt_is(s, p, "return")) {
		c->first = open;
		return true;
	}
	if (ms_symbols_stmt_is(s, p, ">")) {
		size_t angle = ms_symbols_stmt_open_angle(s, p);

		if (angle == NOWHERE || angle == 0 || !only_one ||
		    !ms_symbols_token_any(ms_symbols_stmt_at(s, angle - 1), transparent))
			return false;
		ms_symbols_stmt_set_hint(s, angle + 1, p - 1, c->out);
		c->first = ms_symbols_stmt_postfix(s, p);
		return true;
	}
	if (ms_symbols_stmt_is(s, p, ")") && only_one && ms_symbols_stmt_is(s, open, "(")) {
		c->first = open;
		return true;
	}
	if (ms_symbols_stmt_is(s, open, "(") &&
	    ms_symbols_token_any(ms_symbols_stmt_at(s, p), transparent) && only_one) {
		c->first = ms_symbols_stmt_postfix(s, p);
		return true;
	}
	/* Box::new(x), Rc::new(x): the new box holds the value. */
	if (s->lang == MS_LANG_RUST && ms_symbols_stmt_is(s, p, "new") && p > 1 &&
	    ms_symbols_stmt_is(s, p - 1, "::")) {
		c->first = p - 2;
		return true;
	}
	if (!ms_symbols_stmt_is(s, open, "[") && s->lang == MS_LANG_CPP && is_variable(s, p) &&
	    !(p > 0 && (ms_symbols_stmt_is(s, p - 1, ".") || ms_symbols_stmt_is(s, p - 1, "->") ||
			ms_symbols_stmt_is(s, p - 1, "::"))))
		receive(c, p);
	return false;
}

/* The ')' at `close` ends a cast, or the condition of an if, after which a statement begins. */
static bool leave_cast(struct climb *c, size_t close, bool *statement_begins)
{
	const struct ms_symbols_statement *s = c->s;
	size_t open = ms_symbols_stmt_open(s, close);

	if (open == NOWHERE)
		return false;
	if (open > 0 && ms_symbols_stmt_is_keyword(s, open - 1) &&
	    !ms_symbols_stmt_is(s, open - 1, "return")) {
		*statement_begins = true;
		return false;
	}
	if (!ms_symbols_stmt_looks_like_type(s, open + 1, close - 1))
		return false;
	ms_symbols_stmt_set_hint(s, open + 1, close - 1, c->out);
	c->first = open;
	return true;
}

/* Rust: the field whose ':' is at colon gets the value, and the structure goes on. */
static bool leave_field(struct climb *c, size_t colon)
{
	size_t first;

	if (!ms_symbols_stmt_is_field(c->s, colon, &first) ||
	    !add_member(c->out, colon - 1, colon - 1))
		return false;
	c->first = first;
	c->object = NOWHERE;
	return true;
}

/* One step outwards; false if the receiver is found, or if there is none. */
static bool step(struct climb *c, bool *statement_begins)
{
	const struct ms_symbols_statement *s = c->s;
	size_t left = c->first - 1, other;
	const struct ms_symbols_token *t = ms_symbols_stmt_at(s, left);

	*statement_begins = c->first == 0;
	if (c->first == 0)
		return false;
	if (ms_symbols_token_is(t, "return") || ms_symbols_token_is(t, "co_return")) {
		c->out->kind = MS_RECEIPT_RETURN;
		return false;
	}
	if (ms_symbols_token_is(t, "=") ||
	    (s->lang == MS_LANG_CPP && ms_symbols_token_is(t, "+="))) {
		receive_assigned(c, left);
		return false;
	}
	if (ms_symbols_token_is(t, "(") || ms_symbols_token_is(t, "{") ||
	    ms_symbols_token_is(t, "["))
		return leave_bracket(c, left, true);
	if (ms_symbols_token_is(t, ",")) {
		other = ms_symbols_stmt_enclosing(s, left);
		*statement_begins = other == NOWHERE;
		return other != NOWHERE && leave_bracket(c, other, false);
	}
	if (ms_symbols_token_is(t, ")"))
		return leave_cast(c, left, statement_begins);
	if (ms_symbols_token_is(t, "?") || ms_symbols_token_is(t, "+") ||
	    ms_symbols_token_is(t, "-") || is_binary_operator(s, left)) {
		c->first = operands_start(s, left);
		return true;
	}
	if (s->lang == MS_LANG_RUST && ms_symbols_token_is(t, ":"))
		return leave_field(c, left);
	if (ms_symbols_token_is(t, ":")) {
		other = question_of(s, left);
		*statement_begins = other == NOWHERE;
		if (other != NOWHERE)
			c->first = operands_start(s, other);
		return other != NOWHERE;
	}
	if (s->lang == MS_LANG_RUST && ms_symbols_stmt_is_closure(s, left)) {
		c->out->kind = MS_RECEIPT_RETURN;
		return false;
	}
	if (s->lang == MS_LANG_RUST &&
	    (ms_symbols_token_is(t, "&") || ms_symbols_token_is(t, "mut"))) {
		c->first = left;
		return true;
	}
	*statement_begins = ms_symbols_token_is(t, "else") || ms_symbols_token_is(t, "do") ||
			    ms_symbols_token_is(t, "=>");
	return false;
}

/* Finds "new" before the type that begins at first, with or without placement. */
static size_t with_new(const struct ms_symbols_statement *s, size_t first)
{
	size_t p = first;

	if (p > 0 && ms_symbols_stmt_is(s, p - 1, ")")) {
		size_t open = ms_symbols_stmt_open(s, p - 1);

		if (open != NOWHERE && open > 0 && ms_symbols_stmt_is_new(s, open - 1))
			p = open;
	}
	if (p > 0 && ms_symbols_stmt_is_new(s, p - 1)) {
		p--;
		return p > 0 && ms_symbols_stmt_is(s, p - 1, "::") ? p - 1 : p;
	}
	return first;
}

/* "x = a * b", "return a & b": whether the token at i is an operand, and no declared name. */
static bool is_operand(const struct ms_symbols_statement *s, size_t i)
{
	if (!is_binary_operator(s, i - 1))
		return false;
	size_t start = operands_start(s, i - 1);

	return is_variable(s, i - 2) || (start > 0 && (ms_symbols_stmt_is(s, start - 1, "=") ||
						       ms_symbols_stmt_is(s, start - 1, "return")));
}

/* "Foo x(n)", "vector<int> v{1, 2}", ", m(n)": whether the token at i is constructed. */
static bool is_constructed(const struct ms_symbols_statement *s, size_t i)
{
	if (s->lang != MS_LANG_CPP || !ms_symbols_stmt_is_name(s, i))
		return false;
	if (i == 0)
		return is_variable(s, i);
	if (ms_symbols_stmt_is_name(s, i - 1) || ms_symbols_stmt_is(s, i - 1, ">"))
		return true;
	if (is_operand(s, i))
		return false;
	return (ms_symbols_stmt_is(s, i - 1, ",") || ms_symbols_stmt_is(s, i - 1, ":") ||
		ms_symbols_stmt_is(s, i - 1, "*") || ms_symbols_stmt_is(s, i - 1, "&")) &&
	       is_variable(s, i);
}

/* The first token of an argument; the last token if there are not so many. */
static size_t find_argument(const struct ms_symbols_statement *s, size_t open, unsigned argument)
{
	size_t i = open + 1;

	for (; argument > 0 && i < s->tokens.n; i++) {
		if (ms_symbols_stmt_is(s, i, "(") && ms_symbols_stmt_close(s, i) != NOWHERE)
			i = ms_symbols_stmt_close(s, i);
		else if (ms_symbols_stmt_is(s, i, ","))
			argument--;
	}
	return i;
}

/* "posix_memalign((void **)&p, ...)": the expression after '&', or the target of an argument. */
static void receive_argument(struct climb *c, size_t open, unsigned argument)
{
	const struct ms_symbols_statement *s = c->s;
	size_t i = find_argument(s, open, argument), end;

	if (ms_symbols_stmt_is(s, i, "(") && ms_symbols_stmt_close(s, i) != NOWHERE)
		i = ms_symbols_stmt_close(s, i) + 1;
	for (end = i; end < s->tokens.n && !ms_symbols_stmt_is(s, end, ",") &&
		      !ms_symbols_stmt_is(s, end, ")");
	     end++)
		if (ms_symbols_stmt_is(s, end, "[") && ms_symbols_stmt_close(s, end) != NOWHERE)
			end = ms_symbols_stmt_close(s, end);
	if (end == i || end >= s->tokens.n)
		return;
	receive(c, end - 1);
	c->out->deref = !ms_symbols_stmt_is(s, i, "&");
}

/* From a name to the end of "a.b.c(", "f<T>(", "vec![", where the call is. */
static size_t find_bracket(const struct ms_symbols_statement *s, size_t name, size_t *open)
{
	size_t i = name + 1;

	for (;;) {
		size_t angle =
			ms_symbols_stmt_is(s, i, "<") ? ms_symbols_stmt_close_angle(s, i) : NOWHERE;

		if (angle != NOWHERE) {
			i = angle + 1;
		} else if ((ms_symbols_stmt_is(s, i, "::") || ms_symbols_stmt_is(s, i, ".") ||
			    ms_symbols_stmt_is(s, i, "->")) &&
			   ms_symbols_stmt_at(s, i + 1)->kind == MS_TOKEN_WORD) {
			name = i + 1;
			i += 2;
		} else if (ms_symbols_stmt_is(s, i, "::") && ms_symbols_stmt_is(s, i + 1, "<")) {
			i++;
			if (ms_symbols_stmt_close_angle(s, i) == NOWHERE)
				return name;
		} else {
			break;
		}
	}
	if (s->lang == MS_LANG_RUST && ms_symbols_stmt_is(s, i, "!"))
		i++;
	if (ms_symbols_stmt_is(s, i, "(") || ms_symbols_stmt_is(s, i, "{") ||
	    (ms_symbols_stmt_is(s, i, "[") && ms_symbols_stmt_is(s, i - 1, "!")))
		*open = i;
	return name;
}

/* The call at which the compiler points: its last name and its bracket (NOWHERE: it has none). */
static size_t locate(const struct ms_symbols_statement *s, size_t i, size_t *open)
{
	*open = NOWHERE;
	if (ms_symbols_stmt_is(s, i, ")") || ms_symbols_stmt_is(s, i, "]") ||
	    ms_symbols_stmt_is(s, i, "}"))
		*open = ms_symbols_stmt_open(s, i);
	else if (ms_symbols_stmt_is(s, i, "(") || ms_symbols_stmt_is(s, i, "{"))
		*open = i;
	else
		return find_bracket(s, i, open);
	if (*open == NOWHERE || *open == 0)
		return NOWHERE;
	size_t name = *open - 1;

	/* "new T *[n]" */
	while (name > 0 && ms_symbols_stmt_is(s, *open, "[") && ms_symbols_stmt_is(s, name, "*"))
		name--;
	return name;
}

/* Calls whose own syntax shows where their memory goes; true if this is one of them. */
static bool receive_at_once(struct climb *c, size_t name, size_t open)
{
	const struct ms_symbols_statement *s = c->s;

	if (ms_symbols_stmt_is(s, name, "=") || /* operator=, or "x = { ... }" */
	    (s->lang == MS_LANG_CPP && ms_symbols_stmt_is(s, name, "+="))) {
		receive_assigned(c, name);
		return true;
	}
	/* "Foo x;", "Foo x, y;": the compiler points at the variable. */
	if (open == NOWHERE && is_constructed(s, name) &&
	    (name + 1 >= s->tokens.n || ms_symbols_stmt_is(s, name + 1, ","))) {
		receive(c, name);
		return true;
	}
	if (open == NOWHERE) { /* operator[]: some compilers point at the object */
		if (s->lang != MS_LANG_CPP || !ms_symbols_stmt_is(s, name + 1, "[") ||
		    !is_variable(s, name))
			return false;
		receive(c, name);
		return true;
	}
	if (ms_symbols_stmt_is(s, open, "[") && !ms_symbols_stmt_is(s, open - 1, "!")) {
		size_t first = with_new(s, ms_symbols_stmt_postfix(s, name));

		if (ms_symbols_stmt_is_new(s, first) || ms_symbols_stmt_is(s, first, "::"))
			return false;
		receive(c, name); /* operator[] */
		return true;
	}
	for (size_t i = 0; i < MS_COUNT(by_argument); i++)
		if (ms_symbols_token_is(ms_symbols_stmt_at(s, name), by_argument[i].name)) {
			receive_argument(c, open, by_argument[i].argument);
			return true;
		}
	if (!ms_symbols_stmt_is(s, open, "[") && is_constructed(s, name)) {
		receive(c, name);
		return true;
	}
	return false;
}

/* Where "operator new" begins whose "new" is at i: "::operator new", "std::operator new". */
static size_t operator_start(const struct ms_symbols_statement *s, size_t i)
{
	size_t first = i - 1;

	if (first > 0 && ms_symbols_stmt_is(s, first - 1, "::"))
		first--;
	return first;
}

/* Finds the expression of the call and its object; false if there is nothing to search. */
static bool find_call(struct climb *c)
{
	const struct ms_symbols_statement *s = c->s;
	if (is_binary_operator(s, s->call)) { /* clang points at the operator */
		c->first = operands_start(s, s->call);
		return true;
	}
	size_t open, name = locate(s, s->call, &open);

	if (name == NOWHERE || receive_at_once(c, name, open))
		return false;
	if (ms_symbols_stmt_is_new(s, name) && name > 0 &&
	    ms_symbols_stmt_is(s, name - 1, "operator")) {
		c->first = operator_start(s, name);
		return true;
	}
	if (ms_symbols_stmt_is_new(s, name)) {
		c->first = name;
		ms_symbols_stmt_hint_from_new(s, name, c->out);
		return true;
	}
	c->first = with_new(s, ms_symbols_stmt_postfix(s, name));
	if (c->first > name)
		c->first = name;
	if (ms_symbols_stmt_is_new(s, c->first) ||
	    (ms_symbols_stmt_is(s, c->first, "::") && ms_symbols_stmt_is_new(s, c->first + 1)))
		ms_symbols_stmt_hint_from_new(s, c->first, c->out);
	if (ms_symbols_token_any(ms_symbols_stmt_at(s, name), makers) &&
	    ms_symbols_stmt_is(s, name + 1, "<") &&
	    ms_symbols_stmt_close_angle(s, name + 1) != NOWHERE)
		ms_symbols_stmt_set_hint(s, name + 2, ms_symbols_stmt_close_angle(s, name + 1) - 1,
					 c->out);
	if (open != NOWHERE) {
		size_t close = ms_symbols_stmt_close(s, open);

		ms_symbols_stmt_hint_from_sizeof(s, open + 1,
						 close != NOWHERE ? close : s->tokens.n, c->out);
	}
	/* C has no methods: there the call goes through a function pointer in a member. */
	if (s->lang != MS_LANG_C && name > 1 &&
	    (ms_symbols_stmt_is(s, name - 1, ".") || ms_symbols_stmt_is(s, name - 1, "->")) &&
	    name - 2 >= c->first)
		c->object = name - 2;
	if (c->object != NOWHERE && ms_symbols_token_any(ms_symbols_stmt_at(s, name), mutators)) {
		receive(c, c->object);
		return false;
	}
	return true;
}

void ms_symbols_statement_receipt(const struct ms_symbols_statement *s,
				  struct ms_symbols_receipt *out)
{
	struct climb c = { s, out, 0, NOWHERE };
	bool begins = false;

	*out = (struct ms_symbols_receipt){ 0 };
	if (!find_call(&c))
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
