/*
 * symbols/expression.c - the text of a receiving expression, and its type from DWARF.
 *
 * "m->rows[i].cells" is the root m with the suffix "->rows[].cells". An index into an object that
 * has operator[] ends the expression: the value is stored in that object.
 */
#include <dwarf.h>
#include <string.h>

#include "symbols/dies_priv.h"
#include "symbols/lookup_priv.h"
#include "symbols/module_priv.h"
#include "symbols/receiver_priv.h"
#include "symbols/statement_priv.h"
#include "symbols/types_priv.h"

/* Smart pointers: their first template argument is the type of their target. */
static const char *const smart_pointers[] = { "unique_ptr<", "shared_ptr<", "Box<", "Rc<", "Arc<" };

static bool is_object(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type;
}

static bool smart_target(Dwarf_Die *type, Dwarf_Die *target)
{
	const char *name = dwarf_diename(type);
	Dwarf_Die child;

	for (size_t i = 0; i < MS_COUNT(smart_pointers); i++) {
		if (name == NULL ||
		    strncmp(name, smart_pointers[i], strlen(smart_pointers[i])) != 0)
			continue;
		if (dwarf_child(type, &child) != 0)
			return false;
		do {
			if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
				return ms_symbols_type_of(&child, target);
		} while (ms_symbols_die_next(&child));
	}
	return false;
}

static void strip_references(Dwarf_Die *type)
{
	Dwarf_Die next;

	ms_symbols_type_strip(type, false);
	while ((dwarf_tag(type) == DW_TAG_reference_type ||
		dwarf_tag(type) == DW_TAG_rvalue_reference_type) &&
	       ms_symbols_type_of(type, &next)) {
		*type = next;
		ms_symbols_type_strip(type, false);
	}
}

/* The name of a pointer's target, without const and other qualifiers. */
static const char *target_name(struct ms_symbols_module *m, Dwarf_Die *target)
{
	ms_symbols_type_strip(target, false);
	if (dwarf_tag(target) == DW_TAG_array_type) {
		Dwarf_Die element;

		if (ms_symbols_type_of(target, &element)) {
			ms_symbols_type_strip(&element, false);
			return ms_symbols_type_name(m, &element);
		}
	}
	return ms_symbols_type_name(m, target);
}

const char *ms_symbols_pointee_name(struct ms_symbols_module *m, Dwarf_Die *given, bool *object)
{
	Dwarf_Die named = *given, type, target;

	*object = false;
	strip_references(&named);
	type = named;
	ms_symbols_type_strip(&type, true);
	switch (dwarf_tag(&type)) {
	case DW_TAG_pointer_type:
		if (!ms_symbols_type_of(&type, &target) ||
		    dwarf_tag(&target) == DW_TAG_unspecified_type)
			return NULL;
		return target_name(m, &target);
	case DW_TAG_array_type:
		return target_name(m, &type);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		if (smart_target(&type, &target))
			return target_name(m, &target);
		*object = true;
		return ms_symbols_type_name(m, &named);
	default:
		/* An integer that holds an address: its type does not describe the target. */
		return NULL;
	}
}

/* --- reading --- */

struct expression_reader {
	struct ms_symbols_receiving *r;
	const struct ms_symbols_statement *s;
	struct ms_symbols_expression *e;
	size_t i, last;
	unsigned indices; /* dimensions of an array that were indexed so far */
};

static const struct ms_symbols_token *tok(const struct expression_reader *p, size_t i)
{
	return &p->s->tokens.at[i];
}

static bool is(const struct expression_reader *p, size_t i, const char *text)
{
	return i <= p->last && ms_symbols_token_is(tok(p, i), text);
}

/* The bracket that closes the one at p->i; the last token if there is none. */
static size_t skip_bracket(const struct expression_reader *p)
{
	int depth = 0;

	for (size_t i = p->i; i <= p->last; i++) {
		const struct ms_symbols_token *t = tok(p, i);

		if (t->n == 1 && strchr("([{", *t->at) != NULL)
			depth++;
		else if (t->n == 1 && strchr(")]}", *t->at) != NULL && --depth == 0)
			return i;
	}
	return p->last;
}

static void read_root_name(struct expression_reader *p)
{
	struct ms_symbols_expression *e = p->e;
	size_t name = p->i;

	while (is(p, name + 1, "::") && name + 2 <= p->last)
		name += 2;
	ms_text_add_n(&e->root, tok(p, p->i)->at,
		      (size_t)(tok(p, name)->at + tok(p, name)->n - tok(p, p->i)->at));

	char *plain = ms_strndup(tok(p, name)->at, tok(p, name)->n);
	e->rooted = ms_symbols_lookup(p->r->module, &p->r->place, plain, &e->var, &e->kind);
	ms_free(plain);
	e->typed = e->rooted && ms_symbols_type_of(&e->var, &e->type);
	p->i = name + 1;
}

static void dereference(struct ms_symbols_expression *e)
{
	Dwarf_Die target;

	if (!e->typed)
		return;
	strip_references(&e->type);
	ms_symbols_type_strip(&e->type, true);
	e->typed = (dwarf_tag(&e->type) == DW_TAG_pointer_type ||
		    dwarf_tag(&e->type) == DW_TAG_array_type) &&
		   ms_symbols_type_of(&e->type, &target);
	if (e->typed)
		e->type = target;
}

/*
 * "(*p)" keeps its star; in "((T *)p)" and other parenthesised expressions the last name is the
 * root.
 */
static bool read_parenthesis(struct expression_reader *p)
{
	size_t close = skip_bracket(p), name = close;

	while (name > p->i && tok(p, name)->kind != MS_TOKEN_WORD)
		name--;
	if (name == p->i)
		return false;
	bool star = is(p, p->i + 1, "*") && name == p->i + 2;
	size_t last = p->last;
	p->i = name;
	p->last = name;
	read_root_name(p);
	p->last = last;
	p->i = close + 1;
	if (star) {
		struct ms_text root = MS_TEXT_INIT;

		ms_text_addf(&root, "(*%s)", ms_text_get(&p->e->root));
		ms_text_free(&p->e->root);
		p->e->root = root;
		dereference(p->e);
	}
	return true;
}

/*
 * In an object, in what a pointer points to, in an element of an array (Fortran's tokens have no
 * indices), or, as in Result<T, E>, in a type of the arguments.
 */
static bool find_member(const Dwarf_Die *given, const char *name, Dwarf_Die *member, int depth)
{
	Dwarf_Die type = *given, target;

	strip_references(&type);
	ms_symbols_type_strip(&type, true);
	if (dwarf_tag(&type) == DW_TAG_pointer_type && ms_symbols_type_of(&type, &target))
		type = target;
	else if (dwarf_tag(&type) == DW_TAG_array_type && ms_symbols_type_of(&type, &target))
		type = target;
	else if (smart_target(&type, &target))
		type = target;
	if (ms_symbols_lookup_member(&type, name, member))
		return true;
	if (depth == 0 || dwarf_child(&type, &target) != 0)
		return false;
	do {
		Dwarf_Die inner = target; /* a variant of an enumeration of Rust */

		if (dwarf_tag(&target) == DW_TAG_template_type_parameter
			    ? ms_symbols_type_of(&target, &inner)
			    : dwarf_tag(&target) == DW_TAG_structure_type)
			if (find_member(&inner, name, member, depth - 1))
				return true;
	} while (ms_symbols_die_next(&target));
	return false;
}

static void add_member(struct ms_symbols_expression *e, const char *operator, const char * name,
		       int depth)
{
	Dwarf_Die member;

	ms_text_addf(&e->suffix, "%s%s", operator, name);
	if (e->typed)
		e->typed = find_member(&e->type, name, &member, depth) &&
			   ms_symbols_type_of(&member, &e->type);
}

static void read_member(struct expression_reader *p)
{
	char *operator= ms_strndup(tok(p, p->i)->at, tok(p, p->i)->n);
	char *name = ms_strndup(tok(p, p->i + 1)->at, tok(p, p->i + 1)->n);

	add_member(p->e, operator, name, 0);
	p->i += 2;
	p->indices = 0;
	ms_free(operator);
	ms_free(name);
}

static unsigned dimensions(Dwarf_Die *array)
{
	Dwarf_Die child;
	unsigned n = 0;

	if (dwarf_child(array, &child) == 0) {
		do {
			n += dwarf_tag(&child) == DW_TAG_subrange_type;
		} while (ms_symbols_die_next(&child));
	}
	return n;
}

/* False if the index ends the expression. */
static bool read_index(struct expression_reader *p)
{
	struct ms_symbols_expression *e = p->e;
	const struct ms_symbols_token *index = tok(p, p->i + 1);
	size_t close = skip_bracket(p);
	/* Elements with constant indices are different data; those of a loop are one. */
	bool constant = close == p->i + 2 && index->kind == MS_TOKEN_NUMBER;

	p->i = close + 1;
	if (e->typed) {
		Dwarf_Die type = e->type;

		strip_references(&type);
		ms_symbols_type_strip(&type, true);
		if (is_object(dwarf_tag(&type)))
			return false;
		if (dwarf_tag(&type) != DW_TAG_array_type || ++p->indices >= dimensions(&type)) {
			p->indices = 0;
			dereference(e);
		}
	}
	ms_text_addf(&e->suffix, "[%.*s]", constant ? (int)index->n : 0, index->at);
	return true;
}

static bool read_suffixes(struct expression_reader *p)
{
	while (p->i <= p->last) {
		if ((is(p, p->i, ".") || is(p, p->i, "->") || is(p, p->i, "%")) && p->i < p->last) {
			read_member(p);
		} else if (is(p, p->i, "[")) {
			if (!read_index(p))
				return true;
		} else if (is(p, p->i, "(")) {
			p->i = skip_bracket(p) + 1;
			ms_text_add(&p->e->suffix, "()");
			p->e->typed = false;
		} else {
			return p->e->root.n > 0;
		}
	}
	return true;
}

void ms_symbols_expression_add_members(struct ms_symbols_receiving *r,
				       const struct ms_symbols_statement *s,
				       const struct ms_symbols_receipt *receipt,
				       struct ms_symbols_expression *e)
{
	enum { ARGUMENTS_OF_ARGUMENTS = 2 };

	if (receipt->element && receipt->member_count > 0)
		ms_text_add(&e->suffix, "[]");
	for (size_t i = receipt->member_count; i-- > 0;) {
		const struct ms_symbols_token_range *m = &receipt->members[i];
		struct expression_reader p = { r, s, e, m->first, m->last, 0 };

		if (tok(&p, p.i)->kind == MS_TOKEN_PUNCT) {
			read_suffixes(&p);
			continue;
		}
		char *name = ms_strndup(tok(&p, p.i)->at, tok(&p, p.i)->n);
		add_member(e, ".", name, ARGUMENTS_OF_ARGUMENTS);
		ms_free(name);
	}
}

bool ms_symbols_expression_read(struct ms_symbols_receiving *r,
				const struct ms_symbols_statement *s,
				const struct ms_symbols_receipt *receipt,
				struct ms_symbols_expression *e)
{
	struct expression_reader p = { r, s, e, receipt->first, receipt->last, 0 };

	*e = (struct ms_symbols_expression){ 0 };
	if (is(&p, p.i, "::"))
		p.i++;
	/* "this->x" and "x" are the same member. */
	if (is(&p, p.i, "this") && is(&p, p.i + 1, "->") && p.i + 2 <= p.last)
		p.i += 2;
	if (p.i > p.last)
		return false;
	if (is(&p, p.i, "(")) {
		if (!read_parenthesis(&p))
			return false;
	} else if (tok(&p, p.i)->kind == MS_TOKEN_WORD) {
		read_root_name(&p);
	} else {
		return false;
	}
	if (!read_suffixes(&p))
		return false;
	ms_symbols_expression_add_members(r, s, receipt, e);
	if (receipt->deref)
		dereference(e);
	return true;
}
