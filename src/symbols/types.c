/*
 * symbols/types.c - names of types, in the syntax of the language.
 *
 * C declarators grow around a name from the inside: "double (*)[100]" is a pointer, then an array
 * of 100, then double. `inner` is the part that is already written.
 */
#include <dwarf.h>
#include <string.h>

#include "symbols/dies_priv.h"
#include "symbols/module_priv.h"
#include "symbols/types_priv.h"
#include "symbols/units_priv.h"

enum { DEEPEST_TYPE = 32 };

#define WORD_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

struct naming {
	struct ms_symbols_module *module;
	int depth;
};

/* A type of a type unit (-fdebug-types-section) may be declared elsewhere by its signature only. */
static void follow_signature(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Die whole;

	if (dwarf_attr(type, DW_AT_signature, &attr) != NULL &&
	    dwarf_formref_die(&attr, &whole) != NULL)
		*type = whole;
}

bool ms_symbols_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, DW_AT_type, &attr) == NULL ||
	    dwarf_formref_die(&attr, type) == NULL)
		return false;
	follow_signature(type);
	return true;
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type ||
	       tag == DW_TAG_immutable_type || tag == DW_TAG_packed_type;
}

void ms_symbols_type_strip(Dwarf_Die *type, bool typedefs)
{
	for (int i = 0; i < DEEPEST_TYPE; i++) {
		int tag = dwarf_tag(type);
		Dwarf_Die next;

		if (!is_qualifier(tag) && !(typedefs && tag == DW_TAG_typedef))
			return;
		if (!ms_symbols_type_of(type, &next))
			return;
		*type = next;
	}
}

size_t ms_symbols_type_dimensions(Dwarf_Die *array, uint64_t counts[MS_MOST_DIMENSIONS])
{
	Dwarf_Die range;
	size_t n = 0;

	if (dwarf_child(array, &range) != 0)
		return 0;
	do {
		uint64_t count = 0;

		if (dwarf_tag(&range) != DW_TAG_subrange_type)
			continue;
		if (!ms_symbols_die_has_number(&range, DW_AT_count, &count) &&
		    ms_symbols_die_has_number(&range, DW_AT_upper_bound, &count))
			count++;
		counts[n++] = count;
	} while (n < MS_MOST_DIMENSIONS && ms_symbols_die_next(&range));
	return n;
}

static const uint64_t largest = UINT64_C(1) << 47;

/* libdw does not find element types that have a signature only. */
static uint64_t size_of_array(Dwarf_Die *array, int depth)
{
	uint64_t counts[MS_MOST_DIMENSIONS];
	size_t n = ms_symbols_type_dimensions(array, counts);
	Dwarf_Die element;
	Dwarf_Word size = 0;

	if (depth == 0 || !ms_symbols_type_of(array, &element))
		return 0;
	ms_symbols_type_strip(&element, true);
	if (dwarf_aggregate_size(&element, &size) != 0)
		size = dwarf_tag(&element) == DW_TAG_array_type ? size_of_array(&element, depth - 1)
								: 0;
	for (size_t i = 0; i < n; i++)
		size = counts[i] < largest && size < largest / (counts[i] + 1) ? size * counts[i]
									       : 0;
	return size;
}

bool ms_symbols_type_is_descriptor(const Dwarf_Die *type)
{
	Dwarf_Die plain = *type;

	ms_symbols_type_strip(&plain, true);
	return dwarf_tag(&plain) == DW_TAG_array_type &&
	       dwarf_hasattr(&plain, DW_AT_data_location) != 0;
}

uint64_t ms_symbols_type_size(Dwarf_Die *type)
{
	Dwarf_Word size;
	Dwarf_Die die = *type;

	if (dwarf_aggregate_size(&die, &size) == 0)
		return size < largest ? size : 0;
	ms_symbols_type_strip(&die, true);
	if (dwarf_tag(&die) == DW_TAG_array_type)
		return size_of_array(&die, DEEPEST_TYPE);
	return dwarf_aggregate_size(&die, &size) == 0 && size < largest ? size : 0;
}

static char *take(struct ms_text *text)
{
	return text->at != NULL ? text->at : ms_strdup("");
}

/* "base", "base *", "base[3]", "base (*)[3]": a space except before brackets. */
static char *around(const char *base, const char *inner)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_text_add(&text, base);
	if (inner[0] != '\0' && inner[0] != '[')
		ms_text_add(&text, " ");
	ms_text_add(&text, inner);
	return take(&text);
}

static char *name_type(struct naming *n, Dwarf_Die *type, const char *inner);

/* The name of the DIE's type attribute; void if it has none. */
static char *name_target(struct naming *n, Dwarf_Die *die, const char *inner)
{
	Dwarf_Die target;

	if (!ms_symbols_type_of(die, &target))
		return around("void", inner);
	return name_type(n, &target, inner);
}

/* "alloc::vec::Vec<core::option::Option<T>>" -> "Vec<Option<T>>": the names of Rust's prelude. */
static void drop_rust_paths(struct ms_text *text)
{
	static const char *const crates[] = { "alloc::", "core::", "std::" };
	const char *from = text->at;
	char *to = text->at;

	while (*from != '\0') {
		bool word = to == text->at || strchr(" <(&[*,", to[-1]) != NULL;

		for (size_t i = 0; word && i < MS_COUNT(crates); i++) {
			if (strncmp(from, crates[i], strlen(crates[i])) != 0)
				continue;
			size_t part = strspn(from, WORD_CHARS);
			while (part > 0 && strncmp(from + part, "::", 2) == 0) {
				from += part + 2;
				part = strspn(from, WORD_CHARS);
			}
		}
		if (*from != '\0')
			*to++ = *from++;
	}
	*to = '\0';
	text->n = (size_t)(to - text->at);
}

static char *name_named(struct naming *n, Dwarf_Die *die, const char *name, const char *inner)
{
	struct ms_text full = MS_TEXT_INIT, text = MS_TEXT_INIT;

	/* Names of base types belong to the language, in whatever scope their DIEs are. */
	if (dwarf_tag(die) != DW_TAG_base_type)
		ms_symbols_scope_names(n->module, die, &full);
	ms_text_add(&full, name);
	ms_symbols_shorten_name(full.at, &text);
	struct ms_symbols_unit *unit = ms_symbols_unit_of(n->module, die);
	if (unit != NULL && unit->lang == MS_LANG_RUST)
		drop_rust_paths(&text);
	char *result = around(text.at, inner);
	ms_text_free(&full);
	ms_text_free(&text);
	return result;
}

static char *name_pointer(struct naming *n, Dwarf_Die *die, const char *sign, const char *inner)
{
	struct ms_text text = MS_TEXT_INIT;
	Dwarf_Die target;
	bool grouped = false;

	if (ms_symbols_type_of(die, &target)) {
		ms_symbols_type_strip(&target, false);
		grouped = dwarf_tag(&target) == DW_TAG_array_type ||
			  dwarf_tag(&target) == DW_TAG_subroutine_type;
	}
	ms_text_addf(&text, grouped ? "(%s%s)" : "%s%s", sign, inner);
	char *result = name_target(n, die, text.at);
	ms_text_free(&text);
	return result;
}

static void add_dimension(Dwarf_Die *range, struct ms_text *out)
{
	Dwarf_Attribute attr;
	Dwarf_Sword lower = 0, upper;
	Dwarf_Word count;
	Dwarf_Die cu;

	if (dwarf_attr(range, DW_AT_count, &attr) != NULL && dwarf_formudata(&attr, &count) == 0) {
		ms_text_addf(out, "[%llu]", (unsigned long long)count);
		return;
	}
	if (dwarf_diecu(range, &cu, NULL, NULL) != NULL)
		dwarf_default_lower_bound(dwarf_srclang(&cu), &lower);
	if (dwarf_attr(range, DW_AT_lower_bound, &attr) != NULL)
		dwarf_formsdata(&attr, &lower);
	/* Upper bounds are often unsigned in one byte: sign extension would corrupt them. */
	if (dwarf_attr(range, DW_AT_upper_bound, &attr) == NULL ||
	    dwarf_hasform(&attr, DW_FORM_exprloc) || dwarf_formudata(&attr, &count) != 0) {
		ms_text_add(out, "[]");
		return;
	}
	upper = (Dwarf_Sword)count;
	if (upper >= lower)
		ms_text_addf(out, "[%lld]", (long long)(upper - lower + 1));
	else
		ms_text_add(out, "[]");
}

static char *name_array(struct naming *n, Dwarf_Die *die, const char *inner)
{
	struct ms_text text = MS_TEXT_INIT;
	Dwarf_Die range;

	ms_text_add(&text, inner);
	if (dwarf_child(die, &range) == 0) {
		do {
			if (dwarf_tag(&range) == DW_TAG_subrange_type)
				add_dimension(&range, &text);
		} while (ms_symbols_die_next(&range));
	} else {
		ms_text_add(&text, "[]");
	}
	char *result = name_target(n, die, ms_text_get(&text));
	ms_text_free(&text);
	return result;
}

static char *name_function(struct naming *n, Dwarf_Die *die, const char *inner)
{
	struct ms_text text = MS_TEXT_INIT;
	Dwarf_Die child;
	bool first = true;

	ms_text_addf(&text, "%s(", inner);
	if (dwarf_child(die, &child) == 0) {
		do {
			int tag = dwarf_tag(&child);

			if (tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters)
				continue;
			char *one = tag == DW_TAG_formal_parameter ? name_target(n, &child, "")
								   : ms_strdup("...");
			ms_text_addf(&text, "%s%s", first ? "" : ", ", one);
			ms_free(one);
			first = false;
		} while (ms_symbols_die_next(&child) && text.n < 4096);
	}
	ms_text_add(&text, ")");
	char *result = name_target(n, die, text.at);
	ms_text_free(&text);
	return result;
}

static char *name_qualified(struct naming *n, Dwarf_Die *die, const char *word, const char *inner)
{
	Dwarf_Die target;
	struct ms_text text = MS_TEXT_INIT;

	if (!ms_symbols_type_of(die, &target))
		target = *die;
	/* A constant array has constant elements, whose type already has the qualifier. */
	if (dwarf_tag(&target) == DW_TAG_array_type)
		return name_type(n, &target, inner);
	if (dwarf_tag(&target) == DW_TAG_pointer_type) {
		/* "char *const": the pointer is constant. */
		ms_text_addf(&text, "%s%s%s", word, inner[0] && inner[0] != '[' ? " " : "", inner);
		char *result = name_type(n, &target, text.at);
		ms_text_free(&text);
		return result;
	}
	char *base = name_target(n, die, inner);
	ms_text_addf(&text, "%s %s", word, base);
	ms_free(base);
	return take(&text);
}

static const char *anonymous(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return "(anonymous struct)";
	case DW_TAG_class_type:
		return "(anonymous class)";
	case DW_TAG_union_type:
		return "(anonymous union)";
	case DW_TAG_enumeration_type:
		return "(anonymous enum)";
	default:
		return "?";
	}
}

static char *name_string(Dwarf_Die *die, const char *inner)
{
	struct ms_text text = MS_TEXT_INIT;
	int size = dwarf_bytesize(die);

	if (size > 0)
		ms_text_addf(&text, "character(len=%d)", size);
	else
		ms_text_add(&text, "character(len=:)");
	char *result = around(text.at, inner);
	ms_text_free(&text);
	return result;
}

static char *name_by_tag(struct naming *n, Dwarf_Die *type, const char *inner)
{
	const char *name = dwarf_diename(type);
	int tag = dwarf_tag(type);

	switch (tag) {
	case DW_TAG_const_type:
		return name_qualified(n, type, "const", inner);
	case DW_TAG_volatile_type:
		return name_qualified(n, type, "volatile", inner);
	case DW_TAG_atomic_type:
		return name_qualified(n, type, "_Atomic", inner);
	case DW_TAG_restrict_type:
	case DW_TAG_immutable_type:
	case DW_TAG_packed_type:
		return name_target(n, type, inner);
	case DW_TAG_pointer_type: /* pointers of Rust have names */
		return name != NULL ? around(name, inner) : name_pointer(n, type, "*", inner);
	case DW_TAG_reference_type:
		return name_pointer(n, type, "&", inner);
	case DW_TAG_rvalue_reference_type:
		return name_pointer(n, type, "&&", inner);
	case DW_TAG_array_type:
		return name_array(n, type, inner);
	case DW_TAG_subroutine_type:
		return name_function(n, type, inner);
	case DW_TAG_string_type:
		return name_string(type, inner);
	default:
		return name != NULL ? name_named(n, type, name, inner)
				    : around(anonymous(tag), inner);
	}
}

static char *name_type(struct naming *n, Dwarf_Die *type, const char *inner)
{
	if (n->depth >= DEEPEST_TYPE || strlen(inner) > 4096)
		return around("...", inner);
	n->depth++;
	char *text = name_by_tag(n, type, inner);
	n->depth--;
	return text;
}

const char *ms_symbols_type_name(struct ms_symbols_module *m, Dwarf_Die *type)
{
	struct naming n = { m, 0 };
	char *text = name_type(&n, type, "");
	const char *name = text[0] != '\0' && text[0] != '?' ? ms_intern(&m->names, text) : NULL;

	ms_free(text);
	if (name != NULL)
		ms_symbols_type_record(m, name, type);
	return name;
}
