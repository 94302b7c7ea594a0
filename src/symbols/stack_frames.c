/*
 * symbols/stack_frames.c - where the variables of one function are on the stack, by address of its
 * code. A variable of a block or of an inlined function is there in the code of that block.
 *
 * Not listed: variables in several pieces, and those that a register or the frame holds the address
 * of, unless their size is known at run time only: such an object is often one of the caller.
 */
#include "symbols/stack_frames.h"

#include <dwarf.h>
#include <stdlib.h>

#include "symbols/dies_priv.h"
#include "symbols/frame_search_priv.h"
#include "symbols/frame_size_priv.h"
#include "symbols/module_priv.h"
#include "symbols/types_priv.h"
#include "symbols/units_priv.h"

enum { MOST_PLACES = 4096, MOST_RULES = 4096, MOST_DIES = 1 << 20 };

struct frame_reader {
	struct ms_symbols_frame_search search;
	struct ms_symbols_unit *unit;
	struct ms_symbols_stack_frame *frame;
	const struct ms_symbols_frame_limits *limits;
	uint32_t steps_left; /* DIEs: broken debug information may contain any number */
	bool base_read, base_known;
	int64_t base; /* of the frame, from the CFA */
};

/* A block of the function: its code, and the function of the source that it belongs to. */
struct scope {
	Dwarf_Die die, function;
	uint16_t depth;
};

/* --- types --- */

/* The size of each dimension's step, and how far the element of the indices 0 is from the first. */
static void measure_array(const struct frame_reader *r, Dwarf_Die *type,
			  struct ms_decode_stack_variable *v)
{
	uint64_t counts[MS_MOST_DIMENSIONS], step[MS_MOST_DIMENSIONS], size;
	size_t n = ms_symbols_type_dimensions(type, counts), k = 0;
	bool fortran = r->unit->lang == MS_LANG_FORTRAN;
	Dwarf_Die element, range;

	if (n == 0 || !ms_symbols_type_of(type, &element) || dwarf_child(type, &range) != 0)
		return;
	size = ms_symbols_type_size(&element);
	for (size_t i = 0; i < n; i++) {
		size_t at = fortran ? i : n - 1 - i; /* the fastest one first */

		step[at] = size;
		size *= counts[at];
	}
	v->row = step[fortran ? n - 1 : 0];
	do {
		uint64_t lowest = fortran;

		if (dwarf_tag(&range) != DW_TAG_subrange_type)
			continue;
		ms_symbols_die_has_number(&range, DW_AT_lower_bound, &lowest);
		v->origin += lowest * step[k++];
	} while (k < n && ms_symbols_die_next(&range));
	if (v->origin > v->size) /* a negative bound, or one far away */
		v->origin = 0;
}

/* False: it is none that is listed. */
static bool measure_variable(const struct frame_reader *r, Dwarf_Die *var,
			     struct ms_decode_stack_variable *v)
{
	Dwarf_Die type;

	if (!dwarf_hasattr(var, DW_AT_location) || !ms_symbols_type_of(var, &type) ||
	    !ms_symbols_frame_is_aggregate(&type))
		return false;
	ms_symbols_type_strip(&type, true);
	v->size = ms_symbols_type_size(&type);
	if (v->size > INT32_MAX)
		return false;
	if (dwarf_tag(&type) != DW_TAG_array_type)
		return v->size >= r->limits->least_object;
	if (v->size == 0) /* of a number of elements that is known at run time */
		return dwarf_tag(var) == DW_TAG_variable;
	measure_array(r, &type, v);
	return v->size >= r->limits->least_array;
}

/* --- locations --- */

static bool is_register(unsigned atom, unsigned first)
{
	return atom >= first && atom < first + 32;
}

/* The register and the distance that DW_OP_fbreg stands for. */
static bool set_frame_base(struct frame_reader *r, struct ms_decode_stack_place *place)
{
	Dwarf_Die function = r->search.function;
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!r->base_read)
		r->base_known = ms_symbols_frame_base(&r->search, &r->base);
	r->base_read = true;
	if (r->base_known) {
		place->base = MS_DECODE_CFA;
		place->offset += r->base;
		return true;
	}
	if (dwarf_attr(&function, DW_AT_frame_base, &attr) == NULL ||
	    dwarf_getlocation(&attr, &ops, &n) != 0 || n != 1)
		return false;
	if (is_register(ops[0].atom, DW_OP_reg0)) {
		place->base = ms_decode_register_of_dwarf(ops[0].atom - DW_OP_reg0);
	} else if (is_register(ops[0].atom, DW_OP_breg0)) {
		place->base = ms_decode_register_of_dwarf(ops[0].atom - DW_OP_breg0);
		place->offset += (int64_t)ops[0].number;
	}
	return place->base >= 0;
}

static bool set_base(struct frame_reader *r, const Dwarf_Op *op,
		     struct ms_decode_stack_place *place)
{
	int64_t distance;

	place->offset = (int64_t)op->number;
	place->base = -1;
	if (op->atom == DW_OP_fbreg)
		return set_frame_base(r, place);
	if (!is_register(op->atom, DW_OP_breg0))
		return false;
	if (ms_symbols_frame_distance(&r->search, op->atom - DW_OP_breg0, &distance)) {
		place->base = MS_DECODE_CFA;
		place->offset += distance;
		return true;
	}
	place->base = ms_decode_register_of_dwarf(op->atom - DW_OP_breg0);
	return place->base >= 0;
}

static bool is_near(int64_t offset)
{
	return offset >= INT32_MIN && offset <= INT32_MAX;
}

static void add_place(struct frame_reader *r, const struct ms_decode_stack_place *place,
		      uint64_t low, uint64_t high)
{
	if (low >= high || !is_near(place->offset) || r->frame->function.places.n >= MOST_PLACES)
		return;
	struct ms_decode_stack_place *added = ms_vec_add(&r->frame->function.places);
	*added = *place;
	added->from = low;
	added->to = high;
}

/* A location without a range holds in all code of its scope. */
static void add_in_scope(struct frame_reader *r, const struct ms_decode_stack_place *place,
			 const struct scope *scope)
{
	Dwarf_Die die = scope->die;
	Dwarf_Addr base, low, high;
	ptrdiff_t next = 0;
	bool any = false;

	while ((next = dwarf_ranges(&die, next, &base, &low, &high)) > 0) {
		add_place(r, place, low, high);
		any = true;
	}
	for (size_t i = 0; i < r->frame->function.code.n && !any; i++) {
		const struct ms_decode_stack_code *code = &r->frame->function.code.at[i];

		add_place(r, place, code->pc, code->pc + code->n);
	}
}

static void add_locations(struct frame_reader *r, Dwarf_Die *var, const struct scope *scope,
			  uint32_t number)
{
	bool dynamic = r->frame->function.variables.at[number].size == 0;
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;
	ptrdiff_t next = 0;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_attr(var, DW_AT_location, &attr) == NULL)
		return;
	while ((next = dwarf_getlocations(&attr, next, &base, &start, &end, &ops, &n)) > 0) {
		struct ms_decode_stack_place place = { .variable = number, .depth = scope->depth };

		if (n == 0 || n > 2 || (n == 2 && (ops[1].atom != DW_OP_deref || !dynamic)) ||
		    !set_base(r, &ops[0], &place))
			continue;
		place.kind = n == 2 ? MS_PLACE_THROUGH : MS_PLACE_AT;
		if (start == 0 && end == (Dwarf_Addr)-1)
			add_in_scope(r, &place, scope);
		else
			add_place(r, &place, start, end);
	}
}

static void add_variable(struct frame_reader *r, Dwarf_Die *var, struct scope *scope)
{
	struct ms_decode_stack_variable v = { 0 };
	struct ms_symbols_stack_frame *frame = r->frame;
	uint32_t number = (uint32_t)frame->variables.n;
	size_t places = frame->function.places.n;
	const char *name;

	if (!measure_variable(r, var, &v))
		return;
	*ms_vec_add(&frame->function.variables) = v;
	add_locations(r, var, scope, number);
	name = frame->function.places.n > places
		       ? ms_symbols_frame_variable_name(r->search.module, &scope->function, var)
		       : NULL;
	if (name == NULL) {
		frame->function.places.n = places;
		frame->function.variables.n--;
		return;
	}
	*ms_vec_add(&frame->variables) = (struct ms_symbols_frame_variable){ name, v.size };
}

static void search_scope(struct frame_reader *r, struct scope *scope)
{
	Dwarf_Die child;

	if (scope->depth > MS_MAX_DEPTH || dwarf_child(&scope->die, &child) != 0)
		return;
	do {
		if (r->steps_left == 0)
			return;
		r->steps_left--;
		int tag = dwarf_tag(&child);
		struct scope inner = { child, scope->function, (uint16_t)(scope->depth + 1) };

		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			add_variable(r, &child, scope);
		else if (tag == DW_TAG_inlined_subroutine)
			inner.function = child;
		if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
		    tag == DW_TAG_try_block || tag == DW_TAG_catch_block)
			search_scope(r, &inner);
	} while (ms_symbols_die_next(&child));
}

/* --- code and unwind tables --- */

static void add_code(struct frame_reader *r, uint64_t low, uint64_t high, uint64_t entry)
{
	struct ms_decode_stack_function *f = &r->frame->function;
	size_t n = 0;
	const uint8_t *bytes = ms_symbols_code_at(r->search.module, low, &n);

	if (bytes == NULL || high - low > n)
		return;
	*ms_vec_add(&f->code) = (struct ms_decode_stack_code){ low, bytes, high - low };
	if (entry >= low && entry < high) { /* the one with the entry comes first */
		struct ms_decode_stack_code first = f->code.at[0];

		f->code.at[0] = f->code.at[f->code.n - 1];
		f->code.at[f->code.n - 1] = first;
	}
}

static void add_rules(struct frame_reader *r, uint64_t low, uint64_t high)
{
	struct ms_decode_stack_function *f = &r->frame->function;
	Dwarf_CFI *tables[] = { r->search.cfi, r->search.debug_cfi };

	for (size_t i = 0; i < MS_COUNT(tables); i++) {
		Dwarf_Frame *frame = NULL;
		uint64_t pc = low;

		for (int n = 0; tables[i] != NULL && pc < high && n < MOST_RULES &&
				dwarf_cfi_addrframe(tables[i], pc, &frame) == 0;
		     n++) {
			Dwarf_Addr start, end;
			unsigned reg = 0;
			int64_t depth = 0;

			bool known = ms_symbols_frame_cfa(frame, &reg, &depth);
			int8_t number = known ? ms_decode_register_of_dwarf(reg) : -1;
			dwarf_frame_info(frame, &start, &end, NULL);
			free(frame);
			if (number >= 0 && is_near(depth))
				*ms_vec_add(&f->rules) =
					(struct ms_decode_stack_rule){ pc, end < high ? end : high,
								       depth, number };
			if (end <= pc)
				break;
			pc = end;
		}
		if (pc > low)
			return;
	}
}

static int by_from(const void *a, const void *b)
{
	const struct ms_decode_stack_rule *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static const struct ms_symbols_function_range *
find_range(struct ms_symbols_module *m, uint64_t offset, struct ms_symbols_unit **unit)
{
	*unit = m->dwarf != NULL ? ms_symbols_unit_at(m, offset) : NULL;
	return *unit != NULL ? ms_symbols_unit_function_range(m, *unit, offset) : NULL;
}

static void read_code(struct frame_reader *r, uint32_t function, uint64_t entry)
{
	for (size_t i = 0; i < r->unit->ranges.n; i++) {
		const struct ms_symbols_function_range *range = &r->unit->ranges.at[i];

		if (range->function != function)
			continue;
		if (entry >= range->low && entry < range->high) {
			r->search.low = range->low;
			r->search.high = range->high;
		}
		add_code(r, range->low, range->high, entry);
	}
}

static void read_rules(struct frame_reader *r)
{
	struct ms_decode_stack_function *f = &r->frame->function;

	for (size_t i = 0; i < f->code.n; i++)
		add_rules(r, f->code.at[i].pc, f->code.at[i].pc + f->code.at[i].n);
	if (f->rules.n > 1)
		qsort(f->rules.at, f->rules.n, sizeof(*f->rules.at), by_from);
}

/* --- functions --- */

uint64_t ms_symbols_module_frame_number(struct ms_symbols_module *m, uint64_t offset, uint64_t *low,
					uint64_t *high)
{
	struct ms_symbols_unit *unit;
	const struct ms_symbols_function_range *range = find_range(m, offset, &unit);

	if (range == NULL)
		return 0;
	*low = range->low;
	*high = range->high;
	return unit->functions.at[range->function].off + 1;
}

void ms_symbols_module_stack_frame(struct ms_symbols_module *m, uint64_t offset,
				   const struct ms_symbols_frame_limits *limits,
				   struct ms_symbols_stack_frame *frame)
{
	struct frame_reader r = { .frame = frame, .limits = limits, .steps_left = MOST_DIES };
	const struct ms_symbols_function_range *range = find_range(m, offset, &r.unit);
	Dwarf_Addr entry;
	Dwarf_Die die;

	*frame = (struct ms_symbols_stack_frame){ 0 };
	if (range == NULL ||
	    !ms_symbols_die_at(m, r.unit->functions.at[range->function].off, &die) ||
	    dwarf_entrypc(&die, &entry) != 0)
		return;
	ms_symbols_frame_open(m, &r.search);
	r.search.function = die;
	read_code(&r, range->function, entry);
	if (r.search.high == 0 || frame->function.code.n == 0)
		return;
	search_scope(&r, &(struct scope){ die, die, 0 });
	if (frame->variables.n > 0)
		read_rules(&r);
}

void ms_symbols_stack_frame_free(struct ms_symbols_stack_frame *frame)
{
	ms_decode_free_stack_function(&frame->function);
	ms_vec_free(&frame->variables);
}
