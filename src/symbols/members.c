/*
 * symbols/members.c - names the member at an offset in an object of a type: ".head", "[3].count",
 * ".Base::id".
 *
 * Limits: it does not enter unions, because DWARF does not show which member is active. Of two bit
 * fields that share a byte, it names the first.
 */
#include "symbols/dies_priv.h"
#include "symbols/module_priv.h"
#include "symbols/types_priv.h"
#include "symbols/units_priv.h"

#include <dwarf.h>
#include <string.h>

enum { DEEPEST_MEMBER = 32 };

static bool type_at(struct ms_symbols_module *m, uint64_t off, Dwarf_Die *type)
{
	return off != 0 && ms_symbols_die_at(m, off, type);
}

/* 0 for a type that cannot be found by its offset: it is in an alternate file, or broken. */
uint64_t ms_symbols_type_offset(struct ms_symbols_module *m, Dwarf_Die *type)
{
	Dwarf_Off off = ms_symbols_die_off(m, type);
	Dwarf_Die same;

	return type_at(m, off, &same) && same.addr == type->addr ? off : 0;
}

/* If two different types have one name, the name is ambiguous and refers to no type. */
void ms_symbols_type_record(struct ms_symbols_module *m, const char *name, Dwarf_Die *type)
{
	uint32_t *slot = ms_map_at(&m->type_names, (uintptr_t)name, 0);
	Dwarf_Die known;

	if (*slot == MS_MAP_NONE) {
		*slot = (uint32_t)m->type_dies.n;
		*ms_vec_add(&m->type_dies) = ms_symbols_type_offset(m, type);
		return;
	}
	uint64_t *die = &m->type_dies.at[*slot];
	if (type_at(m, *die, &known) && ms_symbols_type_size(&known) != ms_symbols_type_size(type))
		*die = 0;
}

uint64_t ms_symbols_module_type(struct ms_symbols_module *m, const char *name)
{
	uint32_t slot = ms_map_get(&m->type_names, (uintptr_t)ms_intern(&m->names, name), 0);

	return slot != MS_MAP_NONE ? m->type_dies.at[slot] : 0;
}

/*
 * The first bit of a bit field, from *start on: older DWARF counts from the other end of its unit.
 */
static bool bits_of(Dwarf_Die *member, uint64_t unit, uint64_t *start, uint64_t *first)
{
	uint64_t count, before;

	if (ms_symbols_die_has_number(member, DW_AT_data_bit_offset, first)) {
		*start = 0;
		return true;
	}
	if (!ms_symbols_die_has_number(member, DW_AT_bit_offset, &before) ||
	    !ms_symbols_die_has_number(member, DW_AT_bit_size, &count) || before + count > unit * 8)
		return false;
	*first = unit * 8 - before - count;
	return true;
}

bool ms_symbols_type_member_place(Dwarf_Die *member, uint64_t *start, uint64_t *size,
				  Dwarf_Die *type)
{
	uint64_t first, count;
	int tag = dwarf_tag(member);

	if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
	    dwarf_hasattr(member, DW_AT_external) || dwarf_hasattr(member, DW_AT_declaration) ||
	    !ms_symbols_type_of(member, type))
		return false;
	*size = ms_symbols_type_size(type);
	*start = 0;
	if (!ms_symbols_die_has_number(member, DW_AT_data_member_location, start) &&
	    dwarf_hasattr(member, DW_AT_data_member_location))
		return false; /* computed: a virtual base */
	if (!ms_symbols_die_has_number(member, DW_AT_bit_size, &count) ||
	    !bits_of(member, *size, start, &first))
		return true;
	*start += first / 8;
	*size = (first % 8 + count + 7) / 8;
	return true;
}

struct member_place {
	Dwarf_Die member, type;
	uint64_t start;
};

static bool find_member(Dwarf_Die *type, uint64_t offset, struct member_place *found)
{
	struct member_place at;
	bool descriptor = false; /* of unknown size: the last one before the offset */
	uint64_t size;

	if (dwarf_child(type, &at.member) != 0)
		return false;
	do {
		if (!ms_symbols_type_member_place(&at.member, &at.start, &size, &at.type) ||
		    offset < at.start)
			continue;
		bool inside = offset - at.start < size;
		if (!inside && (!ms_symbols_type_is_descriptor(&at.type) ||
				(descriptor && at.start < found->start)))
			continue;
		*found = at;
		if (inside)
			return true;
		descriptor = true;
	} while (ms_symbols_die_next(&at.member));
	return descriptor;
}

static bool is_of_library(struct ms_symbols_module *m, Dwarf_Die *class, const char *name)
{
	struct ms_text scope = MS_TEXT_INIT;

	ms_symbols_scope_names(m, class, &scope);
	bool standard = name[0] == '_' || strncmp(ms_text_get(&scope), "std::", 5) == 0;

	ms_text_free(&scope);
	return standard;
}

void ms_symbols_type_add_base(struct ms_symbols_module *module, Dwarf_Die *base,
			      struct ms_text *out)
{
	Dwarf_Die class = *base;

	ms_symbols_type_strip(&class, true);
	const char *name = dwarf_diename(&class);
	if (name != NULL && !is_of_library(module, &class, name))
		ms_text_addf(out, "%s::", name);
}

static bool ends_with_base(const struct ms_text *text)
{
	return text->n >= 2 && strcmp(text->at + text->n - 2, "::") == 0;
}

static void add_base(struct ms_symbols_module *m, Dwarf_Die *base, struct ms_text *out)
{
	struct ms_text name = MS_TEXT_INIT;

	ms_symbols_type_add_base(m, base, &name);
	if (name.n > 0)
		ms_text_addf(out, "%s%s", ends_with_base(out) ? "" : ".", name.at);
	ms_text_free(&name);
}

/* Enters the member at *offset; false: there is only padding. Without a module, base classes have
 * no names. */
static bool enter_struct(struct ms_symbols_module *m, Dwarf_Die *type, uint64_t *offset,
			 struct ms_text *out)
{
	struct member_place found;

	if (!find_member(type, *offset, &found))
		return false;
	const char *name = dwarf_diename(&found.member);
	if (dwarf_tag(&found.member) == DW_TAG_member && name != NULL)
		ms_text_addf(out, "%s%s", ends_with_base(out) ? "" : ".", name);
	if (dwarf_tag(&found.member) == DW_TAG_inheritance && m != NULL)
		add_base(m, &found.type, out);
	*offset -= found.start;
	*type = found.type;
	return true;
}

static bool enter_array(Dwarf_Die *type, uint64_t *offset, struct ms_text *out)
{
	uint64_t counts[MS_MOST_DIMENSIONS], index[MS_MOST_DIMENSIONS];
	size_t n = ms_symbols_type_dimensions(type, counts);
	Dwarf_Die element;

	if (n == 0 || !ms_symbols_type_of(type, &element))
		return false;
	uint64_t size = ms_symbols_type_size(&element);
	if (size == 0)
		return false;
	uint64_t at = *offset / size;
	for (size_t i = n; i-- > 0;) {
		index[i] = i > 0 && counts[i] > 0 ? at % counts[i] : at;
		at = i > 0 && counts[i] > 0 ? at / counts[i] : 0;
	}
	for (size_t i = 0; i < n; i++)
		ms_text_addf(out, "[%llu]", (unsigned long long)index[i]);
	*offset %= size;
	*type = element;
	return true;
}

static bool enter(struct ms_symbols_module *m, Dwarf_Die *type, uint64_t *offset,
		  struct ms_text *out)
{
	Dwarf_Die plain = *type;

	ms_symbols_type_strip(&plain, true);
	int tag = dwarf_tag(&plain);
	bool inside = ms_symbols_type_is_descriptor(&plain) ? false
		      : tag == DW_TAG_array_type            ? enter_array(&plain, offset, out)
		      : tag == DW_TAG_structure_type || tag == DW_TAG_class_type
			      ? enter_struct(m, &plain, offset, out)
			      : false;
	if (inside)
		*type = plain;
	return inside;
}

bool ms_symbols_type_enter(Dwarf_Die *type, uint64_t *offset, struct ms_text *out)
{
	return enter(NULL, type, offset, out);
}

/* Padding of a base class has no name. */
static void drop_empty_base(struct ms_text *out)
{
	char *dot = out->at != NULL ? strrchr(out->at, '.') : NULL;

	if (dot != NULL && ends_with_base(out)) {
		out->n = (size_t)(dot - out->at);
		*dot = '\0';
	}
}

bool ms_symbols_module_member(struct ms_symbols_module *m, uint64_t type, uint64_t offset,
			      uint64_t room, struct ms_text *out)
{
	Dwarf_Die at;

	if (!type_at(m, type, &at))
		return false;
	uint64_t size = ms_symbols_type_size(&at);
	if (size == 0 || (room == 0 && offset >= size))
		return false;
	if (room >= 2 * size || offset >= size)
		ms_text_addf(out, "[%llu]", (unsigned long long)(offset / size));
	offset %= size;
	for (int depth = 0; depth < DEEPEST_MEMBER; depth++)
		if (!enter(m, &at, &offset, out))
			break;
	drop_empty_base(out);
	return true;
}
