/*
 * symbols/units.c - finds the compilation unit of a pc, and walks each unit once, when it is first
 * needed, to record its functions, named scopes and variables.
 *
 * Corrupt input may contain DIE trees with cycles. So a walk only goes forward in the file, has a
 * limited depth, and makes no more steps than the unit has bytes.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "symbols/dies_priv.h"
#include "symbols/module_priv.h"
#include "symbols/units_priv.h"

bool ms_symbols_die_next(Dwarf_Die *die)
{
	Dwarf_Off before = dwarf_dieoffset(die);
	Dwarf_Die next;

	if (dwarf_siblingof(die, &next) != 0 || dwarf_dieoffset(&next) <= before)
		return false;
	*die = next;
	return true;
}

bool ms_symbols_die_has_number(Dwarf_Die *die, unsigned int name, uint64_t *value)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, name, &attr) != NULL && dwarf_formudata(&attr, value) == 0;
}

bool ms_symbols_die_ref(Dwarf_Die *die, unsigned int name, Dwarf_Die *out)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, name, &attr) != NULL && dwarf_formref_die(&attr, out) != NULL;
}

uint64_t ms_symbols_die_number(Dwarf_Die *die, unsigned int name, uint64_t otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (dwarf_attr_integrate(die, name, &attr) == NULL || dwarf_formudata(&attr, &value) != 0)
		return otherwise;
	return value;
}

/* Not libdw's function: it aborts the program for a split unit. */
const char *ms_symbols_die_file(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word file;
	Dwarf_Die unit;
	Dwarf_Files *files;
	size_t n;

	if (dwarf_attr_integrate(die, DW_AT_decl_file, &attr) == NULL ||
	    dwarf_formudata(&attr, &file) != 0 ||
	    dwarf_cu_die(attr.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) == NULL ||
	    dwarf_getsrcfiles(&unit, &files, &n) != 0 || file >= n)
		return NULL;
	return dwarf_filesrc(files, file, NULL, NULL);
}

static enum ms_symbols_lang language(Dwarf_Die *cu)
{
	switch (dwarf_srclang(cu)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
		return MS_LANG_C;
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return MS_LANG_CPP;
	case DW_LANG_Rust:
		return MS_LANG_RUST;
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return MS_LANG_FORTRAN;
	default:
		break;
	}
	/* Newer than libdw's list: C17 and C23, C++17 to C++23, Fortran 2018 and 2023. */
	switch (dwarf_srclang(cu)) {
	case 0x2c:
	case 0x3e:
		return MS_LANG_C;
	case 0x2a:
	case 0x2b:
	case 0x3a:
		return MS_LANG_CPP;
	case 0x2d:
	case 0x3b:
		return MS_LANG_FORTRAN;
	default:
		return MS_LANG_OTHER;
	}
}

struct walk {
	const struct ms_symbols_module *module;
	struct ms_symbols_unit *unit;
	Dwarf_Off function; /* the innermost function around; 0: none */
	uint64_t steps_left;
};

static void note_function(struct walk *w, Dwarf_Die *die)
{
	ptrdiff_t next = 0;
	Dwarf_Addr base, low, high;
	uint32_t function = MS_NO_INDEX;

	while ((next = dwarf_ranges(die, next, &base, &low, &high)) > 0) {
		/* Address 0: the linker discarded the function. */
		if (low == 0 || high <= low)
			continue;
		if (function == MS_NO_INDEX) {
			function = (uint32_t)w->unit->functions.n;
			ms_vec_add(&w->unit->functions)->off = ms_symbols_die_off(w->module, die);
		}
		*ms_vec_add(&w->unit->ranges) =
			(struct ms_symbols_function_range){ low, high, function };
	}
}

static uint32_t open_scope(struct walk *w, Dwarf_Die *die, uint32_t parent, bool function)
{
	uint32_t index = (uint32_t)w->unit->scopes.n;
	struct ms_symbols_scope *scope = ms_vec_add(&w->unit->scopes);

	scope->start = ms_symbols_die_off(w->module, die);
	scope->parent = parent;
	scope->function = function;
	if (!function)
		scope->name = dwarf_diename(die);
	if (!function && scope->name == NULL)
		scope->name = dwarf_tag(die) == DW_TAG_namespace ? "(anonymous namespace)"
								 : "(anonymous)";
	return index;
}

static void walk_children(struct walk *w, Dwarf_Die *die, uint32_t parent, int depth);

static void walk_scope(struct walk *w, Dwarf_Die *die, uint32_t parent, int depth, bool function)
{
	Dwarf_Off outer = w->function;
	uint32_t scope = open_scope(w, die, parent, function);

	if (function)
		w->function = ms_symbols_die_off(w->module, die);
	walk_children(w, die, scope, depth);
	w->function = outer;

	/* The last sibling ends where its parent ends, which is not known yet. */
	Dwarf_Die after = *die;
	if (ms_symbols_die_next(&after))
		w->unit->scopes.at[scope].end = ms_symbols_die_off(w->module, &after);
}

static void close_scopes(struct ms_symbols_unit *unit)
{
	for (size_t i = 0; i < unit->scopes.n; i++) {
		struct ms_symbols_scope *s = &unit->scopes.at[i];
		Dwarf_Off end =
			s->parent != MS_NO_INDEX ? unit->scopes.at[s->parent].end : unit->end;

		if (s->end == 0 || s->end > end)
			s->end = end;
	}
}

static void walk_die(struct walk *w, Dwarf_Die *die, uint32_t parent, int depth)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		note_function(w, die);
		walk_scope(w, die, parent, depth, true);
		break;
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_common_block:
	case DW_TAG_catch_block:
	case DW_TAG_try_block:
	case DW_TAG_with_stmt:
		walk_children(w, die, parent, depth);
		break;
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_interface_type:
		walk_scope(w, die, parent, depth, false);
		break;
	case DW_TAG_variable:
		*ms_vec_add(&w->unit->vars) =
			(struct ms_symbols_var_die){ ms_symbols_die_off(w->module, die),
						     w->function };
		break;
	default:
		break;
	}
}

static void walk_children(struct walk *w, Dwarf_Die *die, uint32_t parent, int depth)
{
	Dwarf_Die child;

	if (depth > MS_MAX_DEPTH || dwarf_child(die, &child) != 0)
		return;
	do {
		if (w->steps_left == 0)
			return;
		w->steps_left--;
		walk_die(w, &child, parent, depth + 1);
	} while (ms_symbols_die_next(&child));
}

static int compare_function_ranges(const void *a, const void *b)
{
	const struct ms_symbols_function_range *x = a, *y = b;
	int order = ms_cmp_u64(x->low, y->low);

	return order != 0 ? order : ms_cmp_u64(x->function, y->function);
}

void ms_symbols_unit_walk(struct ms_symbols_module *module, struct ms_symbols_unit *unit)
{
	struct walk w = { module, unit, 0, unit->end - unit->start };

	if (unit->walked)
		return;
	unit->walked = true;
	walk_children(&w, &unit->body, MS_NO_INDEX, 0);
	close_scopes(unit);
	if (unit->ranges.n > 0)
		qsort(unit->ranges.at, unit->ranges.n, sizeof(*unit->ranges.at),
		      compare_function_ranges);
}

static void add_unit_ranges(struct ms_symbols_module *m, uint32_t index)
{
	struct ms_symbols_unit *unit = &m->units.at[index];
	ptrdiff_t next = 0;
	Dwarf_Addr base, low, high;
	size_t before = m->unit_ranges.n;

	while ((next = dwarf_ranges(&unit->die, next, &base, &low, &high)) > 0)
		if (low != 0 && high > low)
			*ms_vec_add(&m->unit_ranges) =
				(struct ms_symbols_unit_range){ low, high, index };
	if (m->unit_ranges.n != before)
		return;
	/* The unit has no address ranges: its functions have them. */
	ms_symbols_unit_walk(m, unit);
	for (size_t i = 0; i < unit->ranges.n; i++)
		*ms_vec_add(&m->unit_ranges) =
			(struct ms_symbols_unit_range){ unit->ranges.at[i].low,
							unit->ranges.at[i].high, index };
}

static int compare_unit_ranges(const void *a, const void *b)
{
	const struct ms_symbols_unit_range *x = a, *y = b;
	int order = ms_cmp_u64(x->low, y->low);

	return order != 0 ? order : ms_cmp_u64(x->unit, y->unit);
}

static int compare_units(const void *a, const void *b)
{
	const struct ms_symbols_unit *x = a, *y = b;

	return ms_cmp_u64(x->start, y->start);
}

static void add_unit(struct ms_symbols_module *m, Dwarf_Die *die, Dwarf_Die *split, uint8_t type)
{
	/* For a type unit, libdw returns its type there. */
	Dwarf_Die *body = type == DW_UT_skeleton && split->addr != NULL ? split : die;
	Dwarf *dwarf = dwarf_cu_getdwarf(body->cu);
	Dwarf_Off start, end;
	size_t head;
	uint64_t signature;
	struct ms_symbols_unit *unit;

	start = dwarf_dieoffset(body) - dwarf_cuoffset(body);
	/* dwarf_next_unit() reads .debug_types if it gets a pointer for a signature. */
	if (dwarf_next_unit(dwarf, start, &end, &head, NULL, NULL, NULL, NULL,
			    ms_symbols_die_in_types(body) ? &signature : NULL, NULL) != 0 ||
	    end <= start)
		return;
	if (body == split)
		ms_symbols_split_add(m, dwarf);
	else if (type == DW_UT_skeleton)
		ms_symbols_split_missing(m, die);
	unit = ms_vec_add(&m->units);
	unit->die = *die;
	unit->body = *body;
	unit->start = ms_symbols_die_off(m, body) - dwarf_cuoffset(body);
	unit->end = unit->start + (end - start);
	unit->lang = language(body);
	unit->code = type == DW_UT_compile || type == DW_UT_skeleton;
}

void ms_symbols_units_read(struct ms_symbols_module *m)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;
	Dwarf_Die die, split;

	if (m->units_read)
		return;
	m->units_read = true;
	while (m->dwarf != NULL &&
	       dwarf_get_units(m->dwarf, cu, &cu, NULL, &type, &die, &split) == 0)
		if (die.addr != NULL)
			add_unit(m, &die, &split, type);
	/* Split units have different offsets. */
	if (m->units.n > 0)
		qsort(m->units.at, m->units.n, sizeof(*m->units.at), compare_units);
	for (size_t i = 0; i < m->units.n; i++)
		if (m->units.at[i].code)
			add_unit_ranges(m, (uint32_t)i);
	if (m->unit_ranges.n > 0)
		qsort(m->unit_ranges.at, m->unit_ranges.n, sizeof(*m->unit_ranges.at),
		      compare_unit_ranges);
}

struct ms_symbols_unit *ms_symbols_unit_at(struct ms_symbols_module *m, uint64_t pc)
{
	size_t low = 0, high;

	ms_symbols_units_read(m);
	high = m->unit_ranges.n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (m->unit_ranges.at[mid].low <= pc)
			low = mid + 1;
		else
			high = mid;
	}
	/* Ranges should not overlap; if a few do, the nearest that contains pc is used. */
	for (size_t tries = 0; tries < 8 && low > tries; tries++) {
		const struct ms_symbols_unit_range *r = &m->unit_ranges.at[low - 1 - tries];

		if (pc < r->high)
			return &m->units.at[r->unit];
	}
	return NULL;
}

struct ms_symbols_unit *ms_symbols_unit_of(struct ms_symbols_module *m, Dwarf_Die *die)
{
	size_t low = 0, high;

	ms_symbols_units_read(m);
	if (!ms_symbols_die_is_known(m, die))
		return NULL;
	Dwarf_Off off = ms_symbols_die_off(m, die);
	high = m->units.n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (m->units.at[mid].start <= off)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == 0 || off >= m->units.at[low - 1].end)
		return NULL;
	return &m->units.at[low - 1];
}

const struct ms_symbols_function_range *ms_symbols_unit_function_range(struct ms_symbols_module *m,
								       struct ms_symbols_unit *unit,
								       uint64_t pc)
{
	size_t low = 0, high;

	ms_symbols_unit_walk(m, unit);
	high = unit->ranges.n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (unit->ranges.at[mid].low <= pc)
			low = mid + 1;
		else
			high = mid;
	}
	for (size_t tries = 0; tries < 8 && low > tries; tries++) {
		const struct ms_symbols_function_range *r = &unit->ranges.at[low - 1 - tries];

		if (pc < r->high)
			return r;
	}
	return NULL;
}

struct ms_symbols_function *ms_symbols_unit_function(struct ms_symbols_module *m,
						     struct ms_symbols_unit *unit, uint64_t pc)
{
	const struct ms_symbols_function_range *r = ms_symbols_unit_function_range(m, unit, pc);

	return r != NULL ? &unit->functions.at[r->function] : NULL;
}

static uint32_t scope_around(const struct ms_symbols_unit *unit, Dwarf_Off off)
{
	size_t low = 0, high = unit->scopes.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (unit->scopes.at[mid].start < off)
			low = mid + 1;
		else
			high = mid;
	}
	/* Scopes are in the order of their DIEs: the last one before `off`, or one around it. */
	uint32_t i = low > 0 ? (uint32_t)low - 1 : MS_NO_INDEX;
	while (i != MS_NO_INDEX && unit->scopes.at[i].end <= off)
		i = unit->scopes.at[i].parent;
	return i;
}

static void add_scope(const struct ms_symbols_unit *unit, uint32_t scope, struct ms_text *out,
		      int depth)
{
	if (scope == MS_NO_INDEX || depth > MS_MAX_DEPTH)
		return;
	const struct ms_symbols_scope *s = &unit->scopes.at[scope];
	add_scope(unit, s->parent, out, depth + 1);
	/* Names inside a function are not qualified. */
	if (s->function)
		return;
	ms_text_add(out, s->name);
	ms_text_add(out, "::");
}

void ms_symbols_scope_names(struct ms_symbols_module *m, Dwarf_Die *die, struct ms_text *out)
{
	struct ms_symbols_unit *unit = ms_symbols_unit_of(m, die);

	if (unit == NULL || (unit->lang != MS_LANG_CPP && unit->lang != MS_LANG_RUST))
		return;
	ms_symbols_unit_walk(m, unit);
	add_scope(unit, scope_around(unit, ms_symbols_die_off(m, die)), out, 0);
}

void ms_symbols_units_free(struct ms_symbols_module *m)
{
	for (size_t i = 0; i < m->units.n; i++) {
		struct ms_symbols_unit *unit = &m->units.at[i];

		for (size_t k = 0; k < unit->functions.n; k++) {
			ms_vec_free(&unit->functions.at[k].blocks);
			ms_vec_free(&unit->functions.at[k].ranges);
		}
		ms_vec_free(&unit->functions);
		ms_vec_free(&unit->ranges);
		ms_vec_free(&unit->scopes);
		ms_vec_free(&unit->vars);
	}
	ms_vec_free(&m->units);
	ms_vec_free(&m->unit_ranges);
}
