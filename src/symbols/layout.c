/*
 * symbols/layout.c - lists the members of a type with their offsets.
 *
 * Structures within structures, short arrays of structures ("at[2].x") and base classes are
 * entered; members of these have the name of the base class as a prefix ("Base::x"). Unions and
 * other arrays are one member each; a union without a name has those of its members ("low|whole").
 * Bit fields have the bytes that they touch, and their width in their type ("unsigned int:4").
 */
#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "symbols/dies_priv.h"
#include "symbols/module_priv.h"
#include "symbols/types_priv.h"

/* A type with more members, or deeper ones, is listed in part. */
enum { MOST_MEMBERS = 512, DEEPEST = 16 };
/* Longer arrays of structures are one member. */
enum { MOST_ELEMENTS = 8 };
/* Of a union without a name. */
enum { MOST_NAMES = 4 };

struct member_list {
	struct ms_symbols_module *module;
	struct ms_symbols_layout *layout;
	const char *flexible; /* "items[]": the array without a length; NULL: there is none ... */
	Dwarf_Die item;       /* ... the type of its elements ... */
	uint64_t start;       /* ... and where they begin */
};

static bool is_struct(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

static void list_members(struct member_list *l, Dwarf_Die *type, uint64_t base, const char *prefix,
			 int depth);

/* What stands before the names of the members of a member or base class. */
static const char *make_prefix(struct member_list *l, Dwarf_Die *member, Dwarf_Die *type,
			       const char *prefix)
{
	const char *own = dwarf_tag(member) == DW_TAG_member ? dwarf_diename(member) : NULL;
	struct ms_text text = MS_TEXT_INIT;

	ms_text_add(&text, prefix);
	if (own != NULL)
		ms_text_addf(&text, "%s.", own);
	else if (dwarf_tag(member) == DW_TAG_inheritance)
		ms_symbols_type_add_base(l->module, type, &text);
	const char *made = ms_intern(&l->module->names, ms_text_get(&text));

	ms_text_free(&text);
	return made;
}

/* "low|high|whole": the members of a union without a name, and of structures without one in it. */
static void add_names(Dwarf_Die *type, struct ms_text *text, unsigned *n, int depth)
{
	Dwarf_Die member, inner;

	if (depth == DEEPEST || dwarf_child(type, &member) != 0)
		return;
	do {
		const char *own = dwarf_diename(&member);

		if (dwarf_tag(&member) != DW_TAG_member || *n > MOST_NAMES)
			continue;
		if (own == NULL && ms_symbols_type_of(&member, &inner)) {
			ms_symbols_type_strip(&inner, true);
			add_names(&inner, text, n, depth + 1);
		} else if (own != NULL) {
			ms_text_addf(text, "%s%s", *n > 0 ? "|" : "",
				     *n < MOST_NAMES ? own : "...");
			++*n;
		}
	} while (ms_symbols_die_next(&member));
}

/* type: without qualifiers. */
static void add_member(struct member_list *l, Dwarf_Die *member, Dwarf_Die *type,
		       const char *prefix, const struct ms_symbols_member *place)
{
	const char *own = dwarf_diename(member);
	struct ms_text name = MS_TEXT_INIT;
	unsigned n = 0;

	ms_text_add(&name, prefix);
	if (own != NULL)
		ms_text_add(&name, own);
	else
		add_names(type, &name, &n, 0);
	if (own == NULL && n == 0)
		ms_text_add(&name, "(unnamed)");
	struct ms_symbols_member *added = ms_vec_add(&l->layout->members);

	*added = *place;
	added->name = ms_intern(&l->module->names, ms_text_get(&name));
	ms_text_free(&name);
}

/* "unsigned int:4" */
static const char *name_type(struct member_list *l, Dwarf_Die *member, Dwarf_Die *type)
{
	const char *name = ms_symbols_type_name(l->module, type);
	uint64_t bits;

	if (name == NULL || !ms_symbols_die_has_number(member, DW_AT_bit_size, &bits))
		return name;
	struct ms_text text = MS_TEXT_INIT;

	ms_text_addf(&text, "%s:%" PRIu64, name, bits);
	name = ms_intern(&l->module->names, ms_text_get(&text));
	ms_text_free(&text);
	return name;
}

/* Lists the members of an array's elements; false: they are no structures, or too many. */
static bool list_elements(struct member_list *l, Dwarf_Die *member, Dwarf_Die *type, uint64_t start,
			  const char *prefix, int depth)
{
	uint64_t counts[MS_MOST_DIMENSIONS], size;
	const char *own = dwarf_diename(member);
	Dwarf_Die element;

	if (dwarf_tag(type) != DW_TAG_array_type || ms_symbols_type_is_descriptor(type) ||
	    own == NULL || ms_symbols_type_dimensions(type, counts) != 1 ||
	    counts[0] > MOST_ELEMENTS || !ms_symbols_type_of(type, &element))
		return false;
	ms_symbols_type_strip(&element, true);
	size = ms_symbols_type_size(&element);
	if (!is_struct(&element) || size == 0)
		return false;
	for (uint64_t i = 0; i < counts[0]; i++) {
		struct ms_text text = MS_TEXT_INIT;

		ms_text_addf(&text, "%s%s[%" PRIu64 "].", prefix, own, i);
		list_members(l, &element, start + i * size,
			     ms_intern(&l->module->names, ms_text_get(&text)), depth + 1);
		ms_text_free(&text);
	}
	return true;
}

/* An array without a length, or of length 0. */
static void note_flexible(struct member_list *l, Dwarf_Die *member, uint64_t start,
			  const char *prefix)
{
	uint64_t counts[MS_MOST_DIMENSIONS];
	const char *own = dwarf_diename(member);
	Dwarf_Die type, item;

	if (own == NULL || !ms_symbols_type_of(member, &type))
		return;
	ms_symbols_type_strip(&type, true);
	if (dwarf_tag(&type) != DW_TAG_array_type || ms_symbols_type_is_descriptor(&type) ||
	    ms_symbols_type_dimensions(&type, counts) == 0 || !ms_symbols_type_of(&type, &item))
		return;
	struct ms_text text = MS_TEXT_INIT;

	ms_text_addf(&text, "%s%s[]", prefix, own);
	l->flexible = ms_intern(&l->module->names, ms_text_get(&text));
	l->item = item;
	l->start = start;
	ms_text_free(&text);
}

static void list_member(struct member_list *l, Dwarf_Die *member, uint64_t base, const char *prefix,
			int depth)
{
	Dwarf_Die type;
	uint64_t start, size;

	if (!ms_symbols_type_member_place(member, &start, &size, &type) ||
	    l->layout->members.n >= MOST_MEMBERS)
		return;
	if (size == 0) {
		note_flexible(l, member, base + start, prefix);
		return;
	}
	const char *type_name = name_type(l, member, &type);

	ms_symbols_type_strip(&type, true);
	if (is_struct(&type) && depth < DEEPEST)
		list_members(l, &type, base + start, make_prefix(l, member, &type, prefix),
			     depth + 1);
	else if (depth == DEEPEST || !list_elements(l, member, &type, base + start, prefix, depth))
		add_member(l, member, &type, prefix,
			   &(struct ms_symbols_member){ base + start, size, NULL, type_name });
}

static void list_members(struct member_list *l, Dwarf_Die *type, uint64_t base, const char *prefix,
			 int depth)
{
	Dwarf_Die member;

	if (dwarf_child(type, &member) != 0)
		return;
	do
		list_member(l, &member, base, prefix, depth);
	while (ms_symbols_die_next(&member));
}

static int by_offset(const void *a, const void *b)
{
	const struct ms_symbols_member *x = a, *y = b;

	return x->offset != y->offset ? ms_cmp_u64(x->offset, y->offset)
				      : ms_cmp_u64(x->size, y->size);
}

static bool has_members_from(const struct ms_symbols_layout *layout, uint64_t start)
{
	for (size_t i = 0; i < layout->members.n; i++)
		if (layout->members.at[i].offset + layout->members.at[i].size > start)
			return true;
	return false;
}

/* Makes the elements of a flexible array those of the layout. */
static void enter_flexible(struct member_list *l)
{
	struct ms_symbols_layout *layout = l->layout;
	const char *type = ms_symbols_type_name(l->module, &l->item), *name = l->flexible;
	uint64_t size = ms_symbols_type_size(&l->item);

	if (name == NULL || l->start == 0 || size == 0 || has_members_from(layout, l->start))
		return;
	for (size_t i = 0; i < layout->members.n; i++)
		*ms_vec_add(&layout->header_members) = layout->members.at[i];
	layout->header = l->start;
	layout->members.n = 0;
	layout->element = size;
	ms_symbols_type_strip(&l->item, true);
	if (is_struct(&l->item)) {
		struct ms_text text = MS_TEXT_INIT;

		ms_text_addf(&text, "%s.", name);
		list_members(l, &l->item, 0, ms_intern(&l->module->names, ms_text_get(&text)), 0);
		ms_text_free(&text);
	} else {
		*ms_vec_add(&layout->members) = (struct ms_symbols_member){ 0, size, name, type };
	}
}

static void sort_members(struct ms_symbols_member *at, size_t n)
{
	if (n > 0)
		qsort(at, n, sizeof(*at), by_offset);
}

uint64_t ms_symbols_module_type_argument(struct ms_symbols_module *module, uint64_t type)
{
	Dwarf_Die at, child, argument;

	if (type == 0 || !ms_symbols_die_at(module, type, &at))
		return 0;
	ms_symbols_type_strip(&at, true);
	if (dwarf_child(&at, &child) != 0)
		return 0;
	do
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
			return ms_symbols_type_of(&child, &argument)
				       ? ms_symbols_type_offset(module, &argument)
				       : 0;
	while (ms_symbols_die_next(&child));
	return 0;
}

bool ms_symbols_module_layout(struct ms_symbols_module *module, uint64_t type,
			      struct ms_symbols_layout *layout)
{
	struct member_list l = { .module = module, .layout = layout };
	Dwarf_Die at, element;

	*layout = (struct ms_symbols_layout){ .element = 0 };
	if (type == 0 || !ms_symbols_die_at(module, type, &at))
		return false;
	ms_symbols_type_strip(&at, true);
	for (int i = 0; i < DEEPEST && dwarf_tag(&at) == DW_TAG_array_type &&
			ms_symbols_type_of(&at, &element);
	     i++) {
		at = element;
		ms_symbols_type_strip(&at, true);
	}
	layout->element = ms_symbols_type_size(&at);
	if (layout->element == 0)
		return false;
	if (is_struct(&at)) {
		list_members(&l, &at, 0, "", 0);
		enter_flexible(&l);
	}
	sort_members(layout->members.at, layout->members.n);
	sort_members(layout->header_members.at, layout->header_members.n);
	return true;
}
