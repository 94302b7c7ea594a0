/*
 * symbols/stack_variables.c - arrays and objects that functions have on the stack.
 *
 * DWARF has their addresses relative to the frame base or to a register. With gcc the frame base is
 * the canonical frame address (CFA), the stack pointer before the call. With LLVM it is a register;
 * the unwind tables have its distance from the CFA in the body of the function.
 *
 * Does not find: variables whose address changes while the function runs, and those whose size is
 * not constant (alloca, variable-length arrays).
 */
#include "symbols/stack_variables.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/num.h"
#include "symbols/dies_priv.h"
#include "symbols/frame_search_priv.h"
#include "symbols/frame_size_priv.h"
#include "symbols/module_priv.h"
#include "symbols/types_priv.h"
#include "symbols/units_priv.h"

/* --- distances from the CFA --- */

void ms_symbols_frame_open(struct ms_symbols_module *m, struct ms_symbols_frame_search *s)
{
	if (!m->cfi_read) {
		m->cfi_read = true;
		m->cfi = dwarf_getcfi_elf(m->elf);
	}
	*s = (struct ms_symbols_frame_search){ .module = m,
					       .cfi = m->cfi,
					       .debug_cfi = dwarf_getcfi(m->dwarf) };
}

bool ms_symbols_frame_cfa(Dwarf_Frame *frame, unsigned *reg, int64_t *depth)
{
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_frame_cfa(frame, &ops, &n) != 0 || n != 1)
		return false;
	if (ops[0].atom == DW_OP_bregx) {
		*reg = (unsigned)ops[0].number;
		*depth = (int64_t)ops[0].number2;
		return true;
	}
	*reg = ops[0].atom - DW_OP_breg0;
	*depth = (int64_t)ops[0].number;
	return ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31;
}

/* The distance of the register from the CFA at pc. */
static bool distance_at(Dwarf_CFI *cfi, uint64_t pc, unsigned reg, int64_t *distance)
{
	Dwarf_Frame *frame = NULL;
	unsigned base;
	int64_t depth;

	if (cfi == NULL || dwarf_cfi_addrframe(cfi, pc, &frame) != 0)
		return false;
	bool ok = ms_symbols_frame_cfa(frame, &base, &depth) && base == reg;
	if (ok)
		*distance = -depth;
	free(frame);
	return ok;
}

/*
 * The same in the body of the function, where prologue and epilogue do not change it. If the unwind
 * tables use another register there, the prologue shows the distance of the stack pointer.
 */
bool ms_symbols_frame_distance(const struct ms_symbols_frame_search *s, unsigned reg,
			       int64_t *distance)
{
	enum { PLACES = 8 };
	uint64_t size;

	for (uint64_t i = PLACES / 2; i < PLACES; i++) {
		uint64_t pc = s->low + (s->high - s->low) / PLACES * i / 4 * 4;

		if (distance_at(s->cfi, pc, reg, distance) ||
		    distance_at(s->debug_cfi, pc, reg, distance))
			return true;
	}
	if (reg != ms_symbols_stack_register || !ms_symbols_frame_size(s->module, s->low, &size))
		return false;
	*distance = -(int64_t)size;
	return true;
}

bool ms_symbols_frame_distance_at(const struct ms_symbols_frame_search *s, uint64_t pc,
				  unsigned reg, int64_t *distance)
{
	return distance_at(s->cfi, pc, reg, distance) ||
	       distance_at(s->debug_cfi, pc, reg, distance) ||
	       ms_symbols_frame_distance(s, reg, distance);
}

/* The distance of the frame base. */
bool ms_symbols_frame_base(const struct ms_symbols_frame_search *s, int64_t *distance)
{
	Dwarf_Die function = s->function;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	*distance = 0;
	if (dwarf_attr(&function, DW_AT_frame_base, &attr) == NULL ||
	    dwarf_getlocation(&attr, &ops, &n) != 0 || n != 1)
		return false;
	if (ops[0].atom == DW_OP_call_frame_cfa)
		return true;
	if (ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
		return ms_symbols_frame_distance(s, (unsigned)(ops[0].atom - DW_OP_reg0), distance);
	if (ops[0].atom < DW_OP_breg0 || ops[0].atom > DW_OP_breg31 ||
	    !ms_symbols_frame_distance(s, (unsigned)(ops[0].atom - DW_OP_breg0), distance))
		return false;
	*distance += (int64_t)ops[0].number;
	return true;
}

/* --- variables --- */

/* The only operation of all locations of the variable in memory. */
static bool find_location(Dwarf_Die *var, Dwarf_Op *location)
{
	Dwarf_Attribute attr;
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;
	Dwarf_Op *ops;
	size_t n;
	bool found = false;

	if (dwarf_attr(var, DW_AT_location, &attr) == NULL)
		return false;
	while ((next = dwarf_getlocations(&attr, next, &base, &start, &end, &ops, &n)) > 0) {
		if (n != 1 ||
		    (found && (location->number != ops[0].number || location->atom != ops[0].atom)))
			return false;
		*location = ops[0];
		found = true;
	}
	return found;
}

static bool find_offset(const struct ms_symbols_frame_search *s, Dwarf_Die *var, int64_t *offset)
{
	Dwarf_Op op;

	if (!find_location(var, &op))
		return false;
	if (op.atom == DW_OP_fbreg) {
		if (!ms_symbols_frame_base(s, offset))
			return false;
	} else if (op.atom < DW_OP_breg0 || op.atom > DW_OP_breg31 ||
		   !ms_symbols_frame_distance(s, (unsigned)(op.atom - DW_OP_breg0), offset)) {
		return false;
	}
	*offset += (int64_t)op.number;
	return true;
}

bool ms_symbols_frame_is_aggregate(Dwarf_Die *type)
{
	Dwarf_Die t = *type;

	ms_symbols_type_strip(&t, true);
	int tag = dwarf_tag(&t);
	return tag == DW_TAG_array_type || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

const char *ms_symbols_frame_variable_name(struct ms_symbols_module *m, Dwarf_Die *scope,
					   Dwarf_Die *var)
{
	const char *function = ms_symbols_function_name(m, scope), *name = dwarf_diename(var);
	struct ms_text text = MS_TEXT_INIT;

	if (name == NULL || name[0] == '\0')
		return NULL;
	ms_text_addf(&text, "%s.%s", function != NULL ? function : "?", name);
	name = ms_intern(&m->names, text.at);
	ms_text_free(&text);
	return name;
}

static void add_variable(const struct ms_symbols_frame_search *s, Dwarf_Die *scope, Dwarf_Die *var)
{
	struct ms_symbols_stack_variable v = { 0 };
	Dwarf_Die type;

	if (!dwarf_hasattr(var, DW_AT_location) || !ms_symbols_type_of(var, &type) ||
	    !ms_symbols_frame_is_aggregate(&type))
		return;
	v.size = ms_symbols_type_size(&type);
	if (v.size < s->least || v.size > INT32_MAX || !find_offset(s, var, &v.offset))
		return;
	v.name = ms_symbols_frame_variable_name(s->module, scope, var);
	if (v.name != NULL)
		*ms_vec_add(&s->out->variables) = v;
}

static void search_scope(const struct ms_symbols_frame_search *s, Dwarf_Die *scope,
			 Dwarf_Die *block, int depth)
{
	Dwarf_Die child;

	if (depth > MS_MAX_DEPTH || dwarf_child(block, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			add_variable(s, scope, &child);
		else if (tag == DW_TAG_lexical_block)
			search_scope(s, scope, &child, depth + 1);
		else if (tag == DW_TAG_inlined_subroutine)
			search_scope(s, &child, &child, depth + 1);
	} while (ms_symbols_die_next(&child));
}

/* The largest first; of the same size, by offset. */
static int compare_sizes(const void *a, const void *b)
{
	const struct ms_symbols_stack_variable *x = a, *y = b;
	int order = ms_cmp_u64(y->size, x->size);

	return order != 0 ? order : (x->offset > y->offset) - (x->offset < y->offset);
}

static bool overlap(const struct ms_symbols_stack_variable *a,
		    const struct ms_symbols_stack_variable *b)
{
	return a->offset < b->offset + (int64_t)b->size && b->offset < a->offset + (int64_t)a->size;
}

/*
 * Variables of different scopes may share memory: the largest has the name. What is above the CFA
 * belongs to the caller's frame.
 */
static void drop_overlapping(struct ms_symbols_stack_list *list, size_t first)
{
	size_t kept = first;

	if (list->variables.n == first)
		return;
	qsort(list->variables.at + first, list->variables.n - first, sizeof(*list->variables.at),
	      compare_sizes);
	for (size_t i = first; i < list->variables.n; i++) {
		const struct ms_symbols_stack_variable *v = &list->variables.at[i];
		bool free =
			kept - first < MS_SYMBOLS_STACK_MOST && v->offset + (int64_t)v->size <= 0;

		for (size_t k = first; k < kept && free; k++)
			free = !overlap(&list->variables.at[k], v);
		if (free)
			list->variables.at[kept++] = list->variables.at[i];
	}
	list->variables.n = kept;
}

static void search_function(struct ms_symbols_frame_search *s, Dwarf_Off die, uint64_t low,
			    uint64_t high)
{
	size_t first = s->out->variables.n;
	Dwarf_Addr entry;

	/* Of a function in several parts (hot and cold), the one that it begins with. */
	if (!ms_symbols_die_at(s->module, die, &s->function) ||
	    dwarf_entrypc(&s->function, &entry) != 0 || entry < low || entry >= high)
		return;
	s->low = low;
	s->high = high;
	Dwarf_Die scope = s->function;
	search_scope(s, &scope, &scope, 0);
	drop_overlapping(s->out, first);
	if (s->out->variables.n == first)
		return;
	*ms_vec_add(&s->out->functions) =
		(struct ms_symbols_stack_function){ entry, low, high, first,
						    s->out->variables.n - first };
}

void ms_symbols_module_stack_variables(struct ms_symbols_module *m, uint64_t least,
				       struct ms_symbols_stack_list *out)
{
	struct ms_symbols_frame_search s;

	if (m->dwarf == NULL)
		return;
	ms_symbols_frame_open(m, &s);
	s.least = least;
	s.out = out;
	ms_symbols_units_read(m);
	for (size_t i = 0; i < m->units.n; i++) {
		struct ms_symbols_unit *unit = &m->units.at[i];

		ms_symbols_unit_walk(m, unit);
		for (size_t k = 0; k < unit->ranges.n; k++) {
			const struct ms_symbols_function_range *r = &unit->ranges.at[k];

			search_function(&s, unit->functions.at[r->function].off, r->low, r->high);
		}
	}
}

void ms_symbols_stack_free(struct ms_symbols_stack_list *list)
{
	ms_vec_free(&list->functions);
	ms_vec_free(&list->variables);
}
