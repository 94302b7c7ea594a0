/*
 * symbols/debug_info_receiver.c - finds the variable that receives the result of a call without the
 * source, which is missing or was generated.
 *
 * Two facts of DWARF show it. The location list of a variable begins after the call with the
 * register of the result, or with the one to which it is copied (optimised code).
 * Or the variable is declared on the line of the call, so that the call initialises it. What the
 * source alone shows is not found: members, elements of arrays, global variables.
 *
 * Automatic arrays of Fortran are found in this way, with the source, too: their allocation has the
 * position of their declaration.
 */
#include <dwarf.h>
#include <string.h>

#include "symbols/dies_priv.h"
#include "symbols/direct_call_priv.h"
#include "symbols/frame_size_priv.h"
#include "symbols/receiver_priv.h"
#include "symbols/types_priv.h"

/* The register of a function's result: RAX on x86-64, X0 on aarch64. */
enum { RESULT_REGISTER = 0, MOST_ON_A_LINE = 16 };
/* Bytes after a copy of the result within which a variable is known to be there: a few
 * instructions. Compilers note it late, or at the next statement. */
enum { LONGEST_DELAY = 16 };

struct receiver_search {
	struct ms_symbols_receiving *r;
	uint64_t return_address;
	int copy; /* the register that also has the result, from `copied` on; -1: none */
	uint64_t copied;
	bool found; /* in a register that has the result */
	Dwarf_Die var;
	Dwarf_Die declared[MOST_ON_A_LINE]; /* on the line of the call */
	size_t n;
};

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
		return lang == MS_LANG_CPP || lang == MS_LANG_RUST;
	case DW_TAG_array_type: /* an automatic array */
		return lang == MS_LANG_FORTRAN;
	default:
		return false;
	}
}

static bool is_in_register(Dwarf_Die *var, uint64_t pc, int number)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return dwarf_attr(var, DW_AT_location, &attr) != NULL &&
	       dwarf_getlocation_addr(&attr, pc, &ops, &n, 1) == 1 && n == 1 &&
	       (ops[0].atom == (uint8_t)(DW_OP_reg0 + number) ||
		(ops[0].atom == DW_OP_regx && ops[0].number == (Dwarf_Word)number));
}

static bool is_in_result(const struct receiver_search *s, Dwarf_Die *var)
{
	if (is_in_register(var, s->return_address, RESULT_REGISTER))
		return true;
	if (s->copy < 0 || is_in_register(var, s->return_address, s->copy))
		return false; /* what was in this register before the call */
	for (uint64_t pc = s->copied; pc <= s->copied + LONGEST_DELAY; pc++)
		if (is_in_register(var, pc, s->copy))
			return true;
	return false;
}

/* Compilers move it between the instructions that follow. */
static void find_copy(struct receiver_search *s)
{
	size_t n, length;
	const uint8_t *code = ms_symbols_code_at(s->r->module, s->return_address, &n);

	s->copy = -1;
	for (size_t i = 0; code != NULL && i < LONGEST_DELAY && i < n && s->copy < 0;
	     i += ms_symbols_call_alignment) {
		s->copy = ms_symbols_result_copy(code + i, n - i, &length);
		s->copied = s->return_address + i + length;
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
	if (dwarf_diename(var) == NULL || s->found || !can_receive(s->r, var))
		return;
	s->found = s->r->place.unit->lang != MS_LANG_FORTRAN && is_in_result(s, var);
	if (s->found)
		s->var = *var;
	else if (is_declared_at_call(s->r, var) && s->n < MOST_ON_A_LINE)
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

	if (s->n > 1 && !ms_symbols_call_order(s->r->module, &s->r->place, level, &rank, &count))
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

bool ms_symbols_debug_info_receiver(struct ms_symbols_receiving *r, unsigned level,
				    struct ms_symbols_receiver *out)
{
	struct receiver_search s = { .r = r, .return_address = r->place.pc + 1 };
	Dwarf_Die function, origin, type;

	if (!ms_symbols_place_function(r->module, &r->place, &function))
		return false;
	find_copy(&s);
	search_block(&s, &function, 0);
	if (!s.found && s.n == 0 && ms_symbols_die_ref(&function, DW_AT_abstract_origin, &origin))
		search_block(&s, &origin, 0);
	if (!s.found && !choose_declared(&s, level))
		return false;
	const char *name = ms_intern(&r->module->names, dwarf_diename(&s.var));

	if (ms_symbols_type_of(&s.var, &type))
		out->type = ms_symbols_pointee_name(r->module, &type, &out->object);
	out->returned = returns_pointer_of_same_type(r, &function, &s.var);
	out->root = out->returned ? name : NULL;
	out->expression = out->returned ? "" : name;
	return true;
}
