/*
 * symbols/stored_result.c - the variable in which the code after a call stores its result.
 *
 * decode/stored_result.c finds the places. DWARF has variables at addresses, at distances from the
 * frame and in registers; their types have the members and elements at the place. A result that is
 * stored several times has the name of the first place that is known: `node = list->head = new()`.
 */
#include "symbols/stored_result_priv.h"

#include <dwarf.h>
#include <string.h>

#include "decode/stack_addresses.h"
#include "decode/stored_result.h"
#include "symbols/dies_priv.h"
#include "symbols/frame_search_priv.h"
#include "symbols/frame_size_priv.h"
#include "symbols/types_priv.h"

enum { DEEPEST_PATH = 16, NO_REGISTER = -1, MOST_REGISTERS = 32 };
/* Bytes after the instruction within which a variable is known to be there: a few instructions.
 * Compilers note it late, or at the next statement. */
enum { LONGEST_DELAY = 16 };

enum place_kind {
	IN_FRAME,    /* at `distance` from the CFA */
	IN_REGISTER, /* the result itself */
	POINTED,     /* a register has the pointer to it */
};

struct place_search {
	struct ms_symbols_receiving *r;
	struct ms_symbols_frame_search frame;
	uint64_t pc;
	uint64_t return_address;
	enum place_kind kind;
	int64_t distance;
	int reg; /* of DWARF */
	bool found;
	int64_t offset; /* of the place in the variable */
	Dwarf_Die var;
};

static int dwarf_register(int8_t number)
{
	for (unsigned i = 0; i < MOST_REGISTERS; i++)
		if (ms_decode_register_of_dwarf(i) == number)
			return (int)i;
	return NO_REGISTER;
}

/* The distance of the variable from the CFA. */
static bool find_distance(const struct place_search *s, const Dwarf_Op *op, int64_t *distance)
{
	bool ok = op->atom == DW_OP_fbreg ? ms_symbols_frame_base(&s->frame, distance)
		  : op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31
			  ? ms_symbols_frame_distance_at(&s->frame, s->pc, op->atom - DW_OP_breg0,
							 distance)
			  : false;

	*distance += ok ? (int64_t)op->number : 0;
	return ok;
}

static bool is_pointer(Dwarf_Die *type)
{
	Dwarf_Die plain = *type;

	ms_symbols_type_strip(&plain, true);
	return dwarf_tag(&plain) == DW_TAG_pointer_type;
}

/* Whether this part of a variable, `size` bytes from `from` on, is the place. */
static bool is_part(struct place_search *s, const Dwarf_Op *op, uint64_t from, uint64_t size)
{
	int64_t at = 0;

	if (s->kind != IN_FRAME) {
		s->offset = (int64_t)from;
		return op->atom == (uint8_t)(DW_OP_reg0 + s->reg);
	}
	if (!find_distance(s, op, &at) || s->distance < at || (uint64_t)(s->distance - at) >= size)
		return false;
	s->offset = s->distance - at + (int64_t)from;
	return true;
}

/* A variable in several parts: each is a location, or none, and DW_OP_piece. */
static bool is_any_part(struct place_search *s, const Dwarf_Op *ops, size_t n, uint64_t size)
{
	uint64_t from = 0;

	if (n == 1)
		return is_part(s, ops, 0, size);
	for (size_t i = 0; i < n; i++) {
		if (ops[i].atom == DW_OP_piece)
			from += ops[i].number;
		else if (i + 1 < n && ops[i + 1].atom == DW_OP_piece &&
			 is_part(s, &ops[i], from, ops[i + 1].number))
			return true;
	}
	return false;
}

static bool is_there_at(struct place_search *s, Dwarf_Die *var, uint64_t size, uint64_t pc)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return dwarf_attr(var, DW_AT_location, &attr) != NULL &&
	       dwarf_getlocation_addr(&attr, pc, &ops, &n, 1) == 1 && is_any_part(s, ops, n, size);
}

/* Whether the variable is the place, or has the pointer in the register. */
static bool is_there(struct place_search *s, Dwarf_Die *var)
{
	Dwarf_Die type;

	if (!ms_symbols_type_of(var, &type))
		return false;
	uint64_t size = ms_symbols_type_is_descriptor(&type) ? sizeof(uint64_t)
							     : ms_symbols_type_size(&type);
	if (s->kind == POINTED)
		return is_pointer(&type) && is_there_at(s, var, size, s->return_address);
	if (s->kind == IN_REGISTER && s->pc == s->return_address)
		return is_there_at(s, var, size, s->pc);
	/* What was there before the call is another value. */
	if (s->kind == IN_REGISTER && is_there_at(s, var, size, s->return_address))
		return false;
	for (uint64_t pc = s->pc; pc <= s->pc + LONGEST_DELAY; pc++)
		if (is_there_at(s, var, size, pc))
			return true;
	return false;
}

/* Inner blocks first: of variables that share memory, theirs are used at the place. */
static void search_block(struct place_search *s, Dwarf_Die *block, int depth)
{
	Dwarf_Die child;

	for (int inner = 1; inner >= 0 && !s->found; inner--) {
		if (depth > MS_MAX_DEPTH || dwarf_child(block, &child) != 0)
			return;
		do {
			int tag = dwarf_tag(&child);
			bool variable = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;

			if (inner && tag == DW_TAG_lexical_block && dwarf_haspc(&child, s->pc) == 1)
				search_block(s, &child, depth + 1);
			else if (!inner && variable && dwarf_diename(&child) != NULL && !s->found &&
				 is_there(s, &child)) {
				s->found = true;
				s->var = child;
			}
		} while (!s->found && ms_symbols_die_next(&child));
	}
}

static bool find_local(struct place_search *s, const struct ms_decode_stored_result *stored)
{
	int64_t distance;
	Dwarf_Die function;

	s->reg = dwarf_register(stored->place.base);
	if (s->reg == NO_REGISTER ||
	    !ms_symbols_place_function(s->r->module, &s->r->place, &function))
		return false;
	if (stored->kind == MS_STORED_IN_REGISTER) {
		s->kind = IN_REGISTER;
	} else if (ms_symbols_frame_distance_at(&s->frame, s->pc, (unsigned)s->reg, &distance)) {
		s->kind = IN_FRAME;
		s->distance = stored->place.offset + distance;
	} else {
		s->kind = POINTED;
	}
	search_block(s, &function, 0);
	return s->found;
}

static const char *last_component(const char *name)
{
	for (const char *at; (at = strstr(name, "::")) != NULL;)
		name = at + 2;
	return name;
}

static bool find_static(struct place_search *s, const struct ms_decode_result_place *place,
			struct ms_symbols_stored_result *out)
{
	struct ms_symbols_module *m = s->r->module;
	enum ms_symbols_lang lang = s->r->place.unit->lang;
	uint64_t address = (uint64_t)place->offset;
	size_t n;
	const struct ms_symbols_variable *v = ms_symbols_module_variables(m, &n);

	for (size_t i = 0; i < n; i++) {
		if (v[i].tls || address < v[i].offset || address - v[i].offset >= v[i].size)
			continue;
		s->offset = (int64_t)(address - v[i].offset);
		out->name = lang == MS_LANG_C || lang == MS_LANG_FORTRAN ? last_component(v[i].name)
									 : v[i].name;
		return v[i].type_die != 0 && ms_symbols_die_at(m, v[i].type_die, &out->type);
	}
	return false;
}

/* Names of members of C++'s and Rust's containers are not the user's. */
static bool is_of_library(struct ms_symbols_receiving *r, Dwarf_Die *type)
{
	Dwarf_Die plain = *type;

	ms_symbols_type_strip(&plain, true);
	if (dwarf_tag(&plain) != DW_TAG_structure_type && dwarf_tag(&plain) != DW_TAG_class_type)
		return false;
	const char *name = ms_symbols_type_name(r->module, &plain);
	if (name == NULL)
		return false;
	if (r->place.unit->lang == MS_LANG_RUST)
		return strchr(name, '<') != NULL || strcmp(name, "String") == 0;
	return strncmp(name, "std::", 5) == 0 || strncmp(name, "__gnu_cxx::", 11) == 0;
}

static void add_step(const struct ms_symbols_receiving *r, const char *step, struct ms_text *names)
{
	bool member = r->place.unit->lang == MS_LANG_FORTRAN && step[0] == '.';

	ms_text_addf(names, "%s%s", member ? "%" : "", step + member);
}

/*
 * Enters members and elements up to the result, which is a pointer, a descriptor or an object of a
 * library; adds their names.
 */
static bool enter(struct ms_symbols_receiving *r, Dwarf_Die *type, int64_t distance, bool indexed,
		  struct ms_text *names)
{
	struct ms_text step = MS_TEXT_INIT;
	uint64_t offset = (uint64_t)distance;
	Dwarf_Die inner = *type;

	for (int depth = 0; depth < DEEPEST_PATH && distance >= 0; depth++) {
		ms_text_clear(&step);
		if (is_of_library(r, &inner) || !ms_symbols_type_enter(&inner, &offset, &step))
			break;
		bool element = indexed && ms_text_get(&step)[0] == '[';
		add_step(r, element ? "[]" : ms_text_get(&step), names);
		indexed = indexed && !element;
		if (step.n > 0) /* a base class has no name */
			*type = inner;
	}
	ms_text_free(&step);
	if (distance < 0 || indexed)
		return false;
	return is_of_library(r, &inner) ||
	       (offset == 0 && (is_pointer(type) || ms_symbols_type_is_descriptor(type)));
}

/* The result is where the pointer points to: "->next", "[2]", "[].next", or a star before it. */
static bool follow_pointer(struct ms_symbols_receiving *r, struct ms_symbols_stored_result *out,
			   const struct ms_decode_result_place *target)
{
	struct ms_text names = MS_TEXT_INIT;
	Dwarf_Die type = out->type;

	ms_symbols_type_strip(&type, true);
	if (dwarf_tag(&type) != DW_TAG_pointer_type || !ms_symbols_type_of(&type, &out->type))
		return false;
	uint64_t size = ms_symbols_type_size(&out->type), offset = (uint64_t)target->offset;
	if (size == 0 || target->offset < 0)
		return false;
	bool ok = enter(r, &out->type, (int64_t)(offset % size), false, &names);
	const char *rest = ms_text_get(&names);
	if (target->indexed)
		ms_text_addf(&out->path, "[]%s", rest);
	else if (offset >= size)
		ms_text_addf(&out->path, "[%llu]%s", (unsigned long long)(offset / size), rest);
	else if (rest[0] == '.')
		ms_text_addf(&out->path, "->%s", rest + 1);
	else
		out->deref = true;
	ms_text_free(&names);
	return ok;
}

/* The variable at the place, and its type. */
static bool find_variable(struct place_search *s, const struct ms_decode_stored_result *stored,
			  struct ms_symbols_stored_result *out)
{
	s->pc = stored->pc;
	s->found = false;
	s->kind = IN_FRAME;
	if (stored->place.base < 0)
		return find_static(s, &stored->place, out);
	if (!find_local(s, stored) || !ms_symbols_type_of(&s->var, &out->type))
		return false;
	out->var = s->var;
	out->local = true;
	out->name = ms_intern(&s->r->module->names, dwarf_diename(&s->var));
	return true;
}

static bool describe(struct place_search *s, const struct ms_decode_stored_result *stored,
		     struct ms_symbols_stored_result *out)
{
	bool through = stored->kind == MS_STORED_THROUGH;

	if (!find_variable(s, stored, out))
		return false;
	if (s->kind == POINTED)
		return !through && follow_pointer(s->r, out, &stored->place);
	return enter(s->r, &out->type, s->offset, stored->place.indexed, &out->path) &&
	       (!through || follow_pointer(s->r, out, &stored->target));
}

static bool open_frame(struct place_search *s)
{
	struct ms_symbols_module *m = s->r->module;
	const struct ms_symbols_place *place = &s->r->place;
	const struct ms_symbols_function_range *range =
		ms_symbols_unit_function_range(m, place->unit, place->pc);

	ms_symbols_frame_open(m, &s->frame);
	if (range == NULL || !ms_symbols_die_at(m, place->unit->functions.at[range->function].off,
						&s->frame.function))
		return false;
	s->frame.low = range->low;
	s->frame.high = range->high;
	return true;
}

bool ms_symbols_find_stored_result(struct ms_symbols_receiving *r, uint64_t return_address,
				   struct ms_symbols_stored_result *out)
{
	struct place_search s = { .r = r, .return_address = return_address };
	struct ms_decode_stored_results results;
	size_t n;
	const uint8_t *code = ms_symbols_code_at(r->module, return_address, &n);

	*out = (struct ms_symbols_stored_result){ 0 };
	if (code == NULL || !open_frame(&s))
		return false;
	if (n > s.frame.high - return_address)
		n = s.frame.high - return_address;
	ms_decode_find_stored_results(code, n, return_address, &results);
	for (size_t i = 0; i < results.n; i++) {
		if (describe(&s, &results.at[i], out))
			return true;
		ms_text_free(&out->path);
		*out = (struct ms_symbols_stored_result){ 0 };
	}
	out->returned = results.returned;
	return results.returned;
}
