/*
 * symbols/debug_info_receiver.c - finds the variable that receives the result of a call without the
 * source, which is missing or was generated.
 *
 * Two facts show it. The code stores the result in a register or in memory that DWARF has as a
 * variable, or as a member or an element of one (stored_result.c).
 * Or the variable is declared on the line of the call, so that the call initialises it.
 *
 * Automatic arrays of Fortran are found in this way, with the source, too: their allocation has the
 * position of their declaration.
 */
#include <dwarf.h>
#include <string.h>

#include "symbols/dies_priv.h"
#include "symbols/receiver_priv.h"
#include "symbols/stored_result_priv.h"
#include "symbols/types_priv.h"

enum { MOST_ON_A_LINE = 16 };

struct receiver_search {
	struct ms_symbols_receiving *r;
	Dwarf_Die var;
	Dwarf_Die declared[MOST_ON_A_LINE]; /* on the line of the call */
	size_t n;
};

static bool is_tuple(Dwarf_Die *type)
{
	const char *name = dwarf_diename(type);

	return name != NULL && name[0] == '(';
}

/* Pointers, and objects of classes that allocate memory themselves. */
static bool can_receive(const struct ms_symbols_receiving *r, Dwarf_Die *var)
{
	enum ms_symbols_lang lang = r->place.unit->lang;
	Dwarf_Die type, target;

	if (!ms_symbols_type_of(var, &type))
		return false;
	ms_symbols_type_strip(&type, true);
	switch (dwarf_tag(&type)) {
	case DW_TAG_pointer_type:
		if (!ms_symbols_type_of(&type, &target))
			return true;
		ms_symbols_type_strip(&target, true);
		return dwarf_tag(&target) != DW_TAG_subroutine_type;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
		/* Rust's macros have tuples of their arguments. */
		return lang == MS_LANG_CPP || (lang == MS_LANG_RUST && !is_tuple(&type));
	case DW_TAG_array_type: /* an automatic array */
		return lang == MS_LANG_FORTRAN;
	default:
		return false;
	}
}

static bool is_declared_at_call(const struct ms_symbols_receiving *r, Dwarf_Die *var)
{
	int line;

	if (dwarf_tag(var) != DW_TAG_variable || dwarf_decl_line(var, &line) != 0 ||
	    line != (int)r->place.line)
		return false;
	const char *file = ms_symbols_unit_path(r->module, r->place.unit, ms_symbols_die_file(var));
	return file != NULL && strcmp(file, r->place.file) == 0;
}

static void visit(struct receiver_search *s, Dwarf_Die *var)
{
	if (dwarf_diename(var) != NULL && can_receive(s->r, var) &&
	    is_declared_at_call(s->r, var) && s->n < MOST_ON_A_LINE)
		s->declared[s->n++] = *var;
}

static void search_block(struct receiver_search *s, Dwarf_Die *block, int depth)
{
	Dwarf_Die child;

	if (depth > MS_MAX_DEPTH || dwarf_child(block, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_lexical_block)
			search_block(s, &child, depth + 1);
		else if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			visit(s, &child);
	} while (ms_symbols_die_next(&child));
}

/* Of several variables declared on the line, the calls initialise one after the other. */
static bool choose_declared(struct receiver_search *s, unsigned level)
{
	unsigned rank = 0, count = 1;

	if (s->n > 1 &&
	    !ms_symbols_call_order(s->r->module, &s->r->place, level, NULL, &rank, &count))
		return false;
	if (s->n == 0 || count != s->n)
		return false;
	s->var = s->declared[rank];
	return true;
}

static bool returns_pointer_of_same_type(struct ms_symbols_receiving *r, Dwarf_Die *function,
					 Dwarf_Die *var)
{
	Dwarf_Die x, y;

	if (!ms_symbols_type_of(function, &x) || !ms_symbols_type_of(var, &y))
		return false;
	ms_symbols_type_strip(&x, true);
	ms_symbols_type_strip(&y, true);
	const char *left = ms_symbols_type_name(r->module, &x);
	return left != NULL && left == ms_symbols_type_name(r->module, &y);
}

/* A function of the program that allocates for any variable returns void *. */
static bool returns_any_pointer(Dwarf_Die *function)
{
	Dwarf_Die type, target;

	if (!ms_symbols_type_of(function, &type))
		return false;
	ms_symbols_type_strip(&type, true);
	return dwarf_tag(&type) == DW_TAG_pointer_type &&
	       (!ms_symbols_type_of(&type, &target) ||
		dwarf_tag(&target) == DW_TAG_unspecified_type);
}

/* Where the code after the call stores the result. */
static bool receive_stored(struct ms_symbols_receiving *r, uint64_t return_address,
			   Dwarf_Die *function, struct ms_symbols_receiver *out)
{
	struct ms_symbols_stored_result stored;
	struct ms_names *names = &r->module->names;
	struct ms_text text = MS_TEXT_INIT;
	Dwarf_Die type;

	if (!ms_symbols_find_stored_result(r, return_address, &stored))
		return false;
	if (stored.returned) {
		out->root = out->expression = "";
		if (ms_symbols_type_of(function, &type))
			out->type = ms_symbols_pointee_name(r->module, &type, &out->object);
		out->returned = true;
		return true;
	}
	const char *path = ms_text_get(&stored.path);
	out->type = ms_symbols_pointee_name(r->module, &stored.type, &out->object);
	out->returned = stored.local && !stored.deref &&
			(returns_pointer_of_same_type(r, function, &stored.var) ||
			 (path[0] == '\0' && returns_any_pointer(function)));
	out->root = out->returned ? stored.name : NULL;
	ms_text_addf(&text, "%s%s%s", stored.deref ? "*" : "", out->returned ? "" : stored.name,
		     path);
	out->expression = ms_intern(names, ms_text_get(&text));
	ms_text_free(&text);
	ms_text_free(&stored.path);
	return true;
}

bool ms_symbols_debug_info_receiver(struct ms_symbols_receiving *r, unsigned level,
				    struct ms_symbols_receiver *out)
{
	struct receiver_search s = { .r = r };
	Dwarf_Die function, origin, type;

	if (!ms_symbols_place_function(r->module, &r->place, &function))
		return false;
	if (receive_stored(r, r->place.pc + 1, &function, out))
		return true;
	search_block(&s, &function, 0);
	if (s.n == 0 && ms_symbols_die_ref(&function, DW_AT_abstract_origin, &origin))
		search_block(&s, &origin, 0);
	if (!choose_declared(&s, level))
		return false;
	const char *name = ms_intern(&r->module->names, dwarf_diename(&s.var));

	if (ms_symbols_type_of(&s.var, &type))
		out->type = ms_symbols_pointee_name(r->module, &type, &out->object);
	out->returned = returns_pointer_of_same_type(r, &function, &s.var);
	out->root = out->returned ? name : NULL;
	out->expression = out->returned ? "" : name;
	return true;
}
