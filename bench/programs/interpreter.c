/*
 * interpreter.c [ROUNDS] - an interpreter of a small Lisp: expressions are lists of cells that are
 * read from text, variables are found in linked environments, and cells are collected by mark and
 * sweep. The program that it runs sorts lists and counts in a table of associations.
 */
#include <ctype.h>
#include <string.h>

#include "number.h"

enum kind { NUMBER, SYMBOL, PAIR, BUILTIN, CLOSURE };

struct cell {
	enum kind kind;
	int marked;
	union {
		long number;
		char name[16];
		struct {
			struct cell *first, *rest;
		} pair;
		struct cell *(*builtin)(struct cell *arguments);
		struct {
			struct cell *code, *environment;
		} closure;
	} is;
};

enum { CELLS = 60000, SYMBOLS = 256, ROOTS = 4096 };

static struct cell *heap, *unused;
static struct cell *symbols[SYMBOLS], *global;
static struct cell *roots[ROOTS];
static int root_count, symbol_count, collections;
static struct cell *word_if, *word_lambda, *word_define, *truth;

static void mark(struct cell *c)
{
	while (c != NULL && !c->marked) {
		c->marked = 1;
		if (c->kind == PAIR) {
			mark(c->is.pair.first);
			c = c->is.pair.rest;
		} else if (c->kind == CLOSURE) {
			mark(c->is.closure.code);
			c = c->is.closure.environment;
		} else {
			return;
		}
	}
}

static __attribute__((noinline)) void collect(void)
{
	mark(global);
	for (int i = 0; i < symbol_count; i++)
		mark(symbols[i]);
	for (int i = 0; i < root_count; i++)
		mark(roots[i]);
	for (int i = 0; i < CELLS; i++) {
		if (!heap[i].marked) {
			heap[i].kind = PAIR;
			heap[i].is.pair.rest = unused;
			unused = &heap[i];
		}
		heap[i].marked = 0;
	}
	collections++;
}

static void keep(struct cell *c)
{
	if (root_count == ROOTS)
		exit(3);
	roots[root_count++] = c;
}

static struct cell *take(enum kind kind)
{
	if (unused == NULL)
		collect();
	if (unused == NULL)
		exit(3);
	struct cell *c = unused;

	unused = c->is.pair.rest;
	memset(c, 0, sizeof(*c));
	c->kind = kind;
	return c;
}

static struct cell *cons(struct cell *first, struct cell *rest)
{
	keep(first);
	keep(rest);
	struct cell *c = take(PAIR);

	root_count -= 2;
	c->is.pair.first = first;
	c->is.pair.rest = rest;
	return c;
}

static struct cell *make_number(long value)
{
	struct cell *c = take(NUMBER);

	c->is.number = value;
	return c;
}

static struct cell *intern(const char *name, size_t n)
{
	for (int i = 0; i < symbol_count; i++)
		if (strncmp(symbols[i]->is.name, name, n) == 0 && symbols[i]->is.name[n] == '\0')
			return symbols[i];
	struct cell *c = take(SYMBOL);

	if (symbol_count == SYMBOLS || n >= sizeof(c->is.name))
		exit(3);
	memcpy(c->is.name, name, n);
	return symbols[symbol_count++] = c;
}

/* --- reading --- */

static struct cell *read_one(const char **at);

static struct cell *read_list(const char **at)
{
	while (isspace((unsigned char)**at))
		(*at)++;
	if (**at == ')') {
		(*at)++;
		return NULL;
	}
	struct cell *first = read_one(at);

	keep(first);
	struct cell *list = cons(first, read_list(at));

	root_count--;
	return list;
}

static struct cell *read_one(const char **at)
{
	while (isspace((unsigned char)**at))
		(*at)++;
	if (**at == '(') {
		(*at)++;
		return read_list(at);
	}
	const char *from = *at;

	while (**at != '\0' && !isspace((unsigned char)**at) && **at != '(' && **at != ')')
		(*at)++;
	if (isdigit((unsigned char)*from))
		return make_number(strtol(from, NULL, 10));
	return intern(from, (size_t)(*at - from));
}

/* --- evaluation --- */

static struct cell *find(struct cell *environment, const struct cell *name)
{
	for (struct cell *e = environment; e != NULL; e = e->is.pair.rest)
		if (e->is.pair.first->is.pair.first == name)
			return e->is.pair.first;
	exit(4);
}

static struct cell *evaluate(struct cell *code, struct cell *environment);

static struct cell *evaluate_all(struct cell *codes, struct cell *environment)
{
	if (codes == NULL)
		return NULL;
	struct cell *value = evaluate(codes->is.pair.first, environment);

	keep(value);
	struct cell *values = cons(value, evaluate_all(codes->is.pair.rest, environment));

	root_count--;
	return values;
}

static struct cell *bind(struct cell *names, struct cell *values, struct cell *environment)
{
	int before = root_count;

	keep(values);
	for (; names != NULL; names = names->is.pair.rest, values = values->is.pair.rest) {
		keep(environment);
		environment = cons(cons(names->is.pair.first, values->is.pair.first), environment);
	}
	root_count = before;
	return environment;
}

static struct cell *define(struct cell *code, struct cell *environment)
{
	struct cell *value = evaluate(code->is.pair.rest->is.pair.first, environment);

	global = cons(cons(code->is.pair.first, value), global);
	return value;
}

static struct cell *make_closure(struct cell *code, struct cell *environment)
{
	struct cell *c = take(CLOSURE);

	c->is.closure.code = code;
	c->is.closure.environment = environment;
	return c;
}

/* A function that was defined globally sees all global definitions when it is called. */
static struct cell *evaluate(struct cell *code, struct cell *environment)
{
	int before = root_count;

	for (;;) {
		if (code == NULL || code->kind == NUMBER)
			return code;
		if (code->kind == SYMBOL)
			return find(environment != NULL ? environment : global, code)->is.pair.rest;
		struct cell *head = code->is.pair.first, *rest = code->is.pair.rest;

		keep(code);
		keep(environment);
		if (head == word_if) {
			struct cell *test = evaluate(rest->is.pair.first, environment);
			struct cell *ways = rest->is.pair.rest;

			code = test != NULL ? ways->is.pair.first
					    : ways->is.pair.rest->is.pair.first;
			root_count = before;
			continue;
		}
		if (head == word_lambda || head == word_define) {
			struct cell *made = head == word_define ? define(rest, environment)
								: make_closure(rest, environment);
			root_count = before;
			return made;
		}
		struct cell *function = evaluate(head, environment);

		keep(function);
		struct cell *values = evaluate_all(rest, environment);

		keep(values);
		if (function->kind == BUILTIN) {
			struct cell *value = function->is.builtin(values);

			root_count = before;
			return value;
		}
		struct cell *base = function->is.closure.environment;

		environment = bind(function->is.closure.code->is.pair.first, values,
				   base != NULL ? base : global);
		code = function->is.closure.code->is.pair.rest->is.pair.first;
		root_count = before;
	}
}

/* --- what the program can call --- */

static struct cell *first_of(const struct cell *arguments)
{
	return arguments->is.pair.first;
}

static struct cell *second_of(const struct cell *arguments)
{
	return arguments->is.pair.rest->is.pair.first;
}

static struct cell *call_cons(struct cell *a)
{
	return cons(first_of(a), second_of(a));
}

static struct cell *call_first(struct cell *a)
{
	return first_of(a)->is.pair.first;
}

static struct cell *call_rest(struct cell *a)
{
	return first_of(a)->is.pair.rest;
}

static struct cell *call_add(struct cell *a)
{
	return make_number(first_of(a)->is.number + second_of(a)->is.number);
}

static struct cell *call_subtract(struct cell *a)
{
	return make_number(first_of(a)->is.number - second_of(a)->is.number);
}

static struct cell *call_multiply(struct cell *a)
{
	return make_number(first_of(a)->is.number * second_of(a)->is.number);
}

static struct cell *call_remainder(struct cell *a)
{
	return make_number(first_of(a)->is.number % second_of(a)->is.number);
}

static struct cell *call_less(struct cell *a)
{
	return first_of(a)->is.number < second_of(a)->is.number ? truth : NULL;
}

static struct cell *call_is_empty(struct cell *a)
{
	return first_of(a) == NULL ? truth : NULL;
}

static const struct {
	const char *name;
	struct cell *(*call)(struct cell *arguments);
} builtins[] = {
	{ "cons", call_cons },   { "first", call_first }, { "rest", call_rest },
	{ "+", call_add },       { "-", call_subtract },  { "*", call_multiply },
	{ "%", call_remainder }, { "<", call_less },      { "empty", call_is_empty },
};

static void prepare(void)
{
	heap = calloc(CELLS, sizeof(*heap));
	if (heap == NULL)
		exit(1);
	collect();
	word_if = intern("if", 2);
	word_lambda = intern("lambda", 6);
	word_define = intern("define", 6);
	truth = intern("true", 4);
	for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++) {
		struct cell *c = take(BUILTIN);

		c->is.builtin = builtins[i].call;
		global = cons(cons(intern(builtins[i].name, strlen(builtins[i].name)), c), global);
	}
}

static const char program[] =
	"(define nil ()) "
	"(define random (lambda (x) (% (+ (* x 16807) 7) 65537))) "
	"(define numbers (lambda (n x) (if (< n 1) nil (cons x (numbers (- n 1) (random x)))))) "
	"(define insert (lambda (x l) (if (empty l) (cons x nil) (if (< x (first l)) (cons x l) "
	"(cons (first l) (insert x (rest l))))))) "
	"(define sort (lambda (l) (if (empty l) nil (insert (first l) (sort (rest l)))))) "
	"(define sum (lambda (l) (if (empty l) 0 (+ (first l) (sum (rest l)))))) "
	"(define find (lambda (k t) (if (empty t) 0 (if (< (first (first t)) k) (find k (rest t)) "
	"(if (< k (first (first t))) (find k (rest t)) (rest (first t))))))) "
	"(define count (lambda (l t) (if (empty l) t (count (rest l) (cons (cons (% (first l) 17) "
	"(+ 1 (find (% (first l) 17) t))) t))))) ";

int main(int argc, char **argv)
{
	uint64_t rounds = number(argc, argv, 1, 12);
	const char *at = program, *end = program + strlen(program);
	long sum = 0;

	prepare();
	while (at < end - 1)
		evaluate(read_one(&at), NULL);
	for (uint64_t i = 0; i < rounds; i++) {
		char text[96];
		const char *code = text;

		snprintf(text, sizeof(text), "(sum (sort (numbers 90 %d)))", (int)(i % 1000) + 1);
		sum += evaluate(read_one(&code), NULL)->is.number;
		snprintf(text, sizeof(text), "(find 3 (count (numbers 150 %d) nil))",
			 (int)(i % 1000) + 1);
		code = text;
		sum += evaluate(read_one(&code), NULL)->is.number;
	}
	printf("%ld, %d collections\n", sum, collections);
	free(heap);
	return 0;
}
