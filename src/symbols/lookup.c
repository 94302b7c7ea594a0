/*
 * symbols/lookup.c - finds the variable to which a name refers at a position of the program.
 *
 * Optimised code has fewer blocks and variables than the source, and its blocks do not contain
 * every instruction that belongs to them. So the search visits the blocks around the pc first, then
 * the whole function, then its abstract origin, where it takes the latest declaration before the
 * line.
 */
#include <dwarf.h>
#include <string.h>
#include <strings.h>

#include "symbols/dies_priv.h"
#include "symbols/lookup_priv.h"
#include "symbols/module_priv.h"
#include "symbols/types_priv.h"
#include "symbols/units_priv.h"

bool ms_symbols_place_at(struct ms_symbols_module *m, uint64_t pc, unsigned level,
			 struct ms_symbols_place *place)
{
	struct ms_symbols_frame frames[MS_MAX_DEPTH];
	size_t n = ms_symbols_module_frames(m, pc, frames, MS_COUNT(frames)), blocks, i;
	uint32_t chain[MS_MAX_DEPTH];
	unsigned at = 0;

	*place = (struct ms_symbols_place){ .pc = pc };
	if (level >= n || frames[level].file == NULL || frames[level].line == 0)
		return false;
	place->file = frames[level].file;
	place->line = frames[level].line;
	place->column = frames[level].column;
	place->unit = ms_symbols_unit_at(m, pc);
	place->function = place->unit != NULL ? ms_symbols_unit_function(m, place->unit, pc) : NULL;
	if (place->function == NULL)
		return false;

	blocks = ms_symbols_function_blocks(m, place->function, pc, chain, MS_COUNT(chain));
	for (i = 0; i < blocks && at <= level; i++) {
		const struct ms_symbols_block *b = &place->function->blocks.at[chain[i]];

		if (at == level)
			place->chain[place->n++] = chain[i];
		if (b->tag == DW_TAG_inlined_subroutine || b->parent == MS_NO_INDEX)
			at++;
	}
	return place->n > 0;
}

static bool place_die(struct ms_symbols_module *m, const struct ms_symbols_place *place, size_t i,
		      Dwarf_Die *die)
{
	return ms_symbols_die_at(m, place->function->blocks.at[place->chain[i]].off, die);
}

bool ms_symbols_place_function(struct ms_symbols_module *m, const struct ms_symbols_place *place,
			       Dwarf_Die *die)
{
	return place_die(m, place, place->n - 1, die);
}

struct variable_search {
	const char *name;
	bool any_case;
	bool deep; /* nested blocks, too */
	int line;  /* the latest declaration up to this line */
	int best;  /* the line of the result so far; -1: none */
	Dwarf_Die found;
};

static bool same_name(const struct variable_search *s, const char *name)
{
	if (name == NULL)
		return false;
	return s->any_case ? strcasecmp(name, s->name) == 0 : strcmp(name, s->name) == 0;
}

static void search_block(struct variable_search *s, Dwarf_Die *block, int depth)
{
	Dwarf_Die child;

	if (depth > MS_MAX_DEPTH || dwarf_child(block, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child), line = 0;

		if (tag == DW_TAG_lexical_block && s->deep)
			search_block(s, &child, depth + 1);
		if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) ||
		    !same_name(s, dwarf_diename(&child)))
			continue;
		if (dwarf_decl_line(&child, &line) != 0)
			line = 0;
		if (line > s->line || line < s->best)
			continue;
		s->best = line;
		s->found = child;
	} while (ms_symbols_die_next(&child));
}

static bool search_function(struct ms_symbols_module *m, const struct ms_symbols_place *place,
			    struct variable_search *s)
{
	Dwarf_Die die, origin;

	for (size_t i = 0; i < place->n && s->best < 0; i++)
		if (place_die(m, place, i, &die))
			search_block(s, &die, 0);
	if (s->best >= 0 || !ms_symbols_place_function(m, place, &die))
		return s->best >= 0;
	s->deep = true;
	search_block(s, &die, 0);
	if (s->best < 0 && ms_symbols_die_ref(&die, DW_AT_abstract_origin, &origin))
		search_block(s, &origin, 0);
	return s->best >= 0;
}

static enum ms_symbols_var_kind kind_of(Dwarf_Die *die)
{
	Dwarf_Die origin;
	uint64_t offset;
	bool tls;

	if (dwarf_tag(die) == DW_TAG_formal_parameter)
		return MS_VAR_PARAMETER;
	if (ms_symbols_die_place(die, &offset, &tls) ||
	    dwarf_hasattr_integrate(die, DW_AT_external))
		return MS_VAR_STATIC;
	if (ms_symbols_die_ref(die, DW_AT_abstract_origin, &origin) &&
	    ms_symbols_die_place(&origin, &offset, &tls))
		return MS_VAR_STATIC;
	return MS_VAR_LOCAL;
}

static bool find_member(Dwarf_Die *type, const char *name, bool any_case, Dwarf_Die *member,
			int depth)
{
	Dwarf_Die child, base;

	if (depth > 16 || dwarf_child(type, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);
		const char *called = dwarf_diename(&child);

		if (tag == DW_TAG_member && called != NULL &&
		    (any_case ? strcasecmp(called, name) : strcmp(called, name)) == 0) {
			*member = child;
			return true;
		}
		/* Members of base classes and of unnamed structs are also members. */
		if ((tag == DW_TAG_inheritance || (tag == DW_TAG_member && called == NULL)) &&
		    ms_symbols_type_of(&child, &base)) {
			ms_symbols_type_strip(&base, true);
			if (find_member(&base, name, any_case, member, depth + 1))
				return true;
		}
	} while (ms_symbols_die_next(&child));
	return false;
}

bool ms_symbols_lookup_member(Dwarf_Die *type, const char *name, Dwarf_Die *member)
{
	Dwarf_Die t = *type, whole;
	Dwarf_Attribute attr;

	ms_symbols_type_strip(&t, true);
	/* This is a declaration: the signature of the type leads to the definition. */
	if (dwarf_attr(&t, DW_AT_signature, &attr) != NULL &&
	    dwarf_formref_die(&attr, &whole) != NULL)
		t = whole;
	/* Fortran ignores the case of names, and no two names differ only in case. */
	return find_member(&t, name, false, member, 0) || find_member(&t, name, true, member, 0);
}

static bool this_member(struct ms_symbols_module *m, const struct ms_symbols_place *place,
			const char *name, Dwarf_Die *member)
{
	struct variable_search s = { .name = "this", .line = INT32_MAX, .best = -1 };
	Dwarf_Die pointer, object;

	if (place->unit->lang != MS_LANG_CPP || !search_function(m, place, &s) ||
	    !ms_symbols_type_of(&s.found, &pointer))
		return false;
	ms_symbols_type_strip(&pointer, true);
	return ms_symbols_type_of(&pointer, &object) &&
	       ms_symbols_lookup_member(&object, name, member);
}

static bool unit_variable(struct ms_symbols_module *m, struct ms_symbols_unit *unit,
			  const struct variable_search *s, Dwarf_Die *var)
{
	bool found = false;

	ms_symbols_unit_walk(m, unit);
	for (size_t i = 0; i < unit->vars.n; i++) {
		Dwarf_Die die;

		if (unit->vars.at[i].function != 0 ||
		    !ms_symbols_die_at(m, unit->vars.at[i].off, &die) ||
		    !same_name(s, dwarf_diename(&die)))
			continue;
		*var = die;
		found = true;
		if (dwarf_hasattr(&die, DW_AT_location))
			break;
	}
	return found;
}

bool ms_symbols_lookup(struct ms_symbols_module *m, const struct ms_symbols_place *place,
		       const char *name, Dwarf_Die *var, enum ms_symbols_var_kind *kind)
{
	struct variable_search s = { .name = name, .line = (int)place->line, .best = -1 };

	s.any_case = place->unit->lang == MS_LANG_FORTRAN;
	if (search_function(m, place, &s)) {
		*var = s.found;
		*kind = kind_of(var);
		return true;
	}
	if (this_member(m, place, name, var)) {
		*kind = MS_VAR_MEMBER;
		return true;
	}
	*kind = MS_VAR_STATIC;
	return unit_variable(m, place->unit, &s, var);
}
