/*
 * symbols/member_initializer.c - finds the member that a constructor initialises where the member
 * is declared: `Grid cells{300, 300};`, `std::unique_ptr<T[]> weights = std::make_unique<T[]>(n);`.
 *
 * g++ gives these calls the position of the constructor, where the text may be the initialiser of
 * another member. What is called does not occur there: neither its name nor an object of its class.
 * Members are initialised in the order of their declarations, and so are the calls.
 */
#include <dwarf.h>
#include <string.h>

#include "symbols/dies_priv.h"
#include "symbols/receiver_priv.h"
#include "symbols/types_priv.h"

enum { MOST_MEMBERS = 64 };

/* "Grid<double>::Grid": its last name, and the class if this is the class's name. */
struct callee {
	const char *name; /* the text before its arguments */
	size_t n;
	const char *class; /* NULL: it is no constructor; class_n bytes */
	size_t class_n;
};

/* The last "::" outside of template arguments and parentheses; NULL: none. */
static const char *last_separator(const char *text, size_t n)
{
	const char *found = NULL;
	int depth = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		depth += (strchr("<(", text[i]) != NULL) - (strchr(">)", text[i]) != NULL);
		if (depth == 0 && text[i] == ':' && text[i + 1] == ':')
			found = text + i;
	}
	return found;
}

static struct callee read_callee(const char *function)
{
	size_t n = strlen(function);
	const char *separator = last_separator(function, n);
	const char *name = separator != NULL ? separator + 2 : function;
	struct callee c = { .name = name, .n = strcspn(name, "<(") };

	if (separator == NULL)
		return c;
	size_t class_n = (size_t)(separator - function);
	const char *outer = last_separator(function, class_n);
	const char *class = outer != NULL ? outer + 2 : function;
	size_t plain = strcspn(class, "<:");
	if (plain == c.n && strncmp(class, c.name, c.n) == 0) {
		c.class = function;
		c.class_n = class_n;
	}
	return c;
}

static bool is_of_class(struct ms_symbols_module *m, Dwarf_Die *type, const struct callee *c)
{
	const char *name = ms_symbols_type_name(m, type);

	return c->class != NULL && name != NULL && strlen(name) == c->class_n &&
	       strncmp(name, c->class, c->class_n) == 0;
}

static bool occurs_in(const struct ms_symbols_statement *s, const char *name, size_t n)
{
	for (size_t i = 0; i < s->tokens.n; i++)
		if (s->tokens.at[i].n == n && strncmp(s->tokens.at[i].at, name, n) == 0)
			return true;
	return false;
}

/* Whether the text of the member's declaration calls the function. */
static bool declaration_calls(const struct ms_symbols_receiving *r, Dwarf_Die *member,
			      const struct callee *c)
{
	const struct ms_symbols_source *s = r->source;
	const char *file =
		ms_symbols_unit_path(r->module, r->place.unit, ms_symbols_die_file(member));
	int line;

	if (file == NULL || strcmp(file, r->place.file) != 0 ||
	    dwarf_decl_line(member, &line) != 0 || line < 1 || (size_t)line > s->lines.n)
		return false;
	const char *from = s->text + s->lines.at[line - 1];
	const char *end = memchr(from, ';', (size_t)(s->text + s->size - from));
	const char *at = end != NULL ? memmem(from, (size_t)(end - from), c->name, c->n) : NULL;
	return at != NULL && strchr("<({", at[c->n]) != NULL;
}

/* Members without an initialiser in the text at the call that the callee may make. */
static size_t find_candidates(struct ms_symbols_receiving *r, const struct ms_symbols_statement *s,
			      Dwarf_Die *class, const struct callee *c, Dwarf_Die *found)
{
	Dwarf_Die member, type;
	size_t n = 0;

	if (dwarf_child(class, &member) != 0)
		return 0;
	do {
		const char *name = dwarf_diename(&member);

		if (dwarf_tag(&member) != DW_TAG_member || name == NULL ||
		    !ms_symbols_type_of(&member, &type) || occurs_in(s, name, strlen(name)))
			continue;
		if ((is_of_class(r->module, &type, c) ||
		     (c->class == NULL && declaration_calls(r, &member, c))) &&
		    n < MOST_MEMBERS)
			found[n++] = member;
	} while (ms_symbols_die_next(&member));
	return n;
}

bool ms_symbols_initialized_member(struct ms_symbols_receiving *r, Dwarf_Die *class,
				   const struct ms_symbols_statement *s, Dwarf_Die *named,
				   Dwarf_Die *member)
{
	Dwarf_Die candidates[MOST_MEMBERS];
	unsigned rank = 0, count = 1;

	if (r->callee == NULL || r->place.unit->lang != MS_LANG_CPP)
		return false;
	struct callee c = read_callee(r->callee);
	if (c.n == 0 || occurs_in(s, c.name, c.n) || is_of_class(r->module, named, &c))
		return false;
	size_t n = find_candidates(r, s, class, &c, candidates);
	if (n == 0 || (n > 1 && (!ms_symbols_call_order(r->module, &r->place, r->level, r->callee,
							&rank, &count) ||
				 count != n)))
		return false;
	*member = candidates[rank];
	return true;
}
