/*
 * advise/snippets.c - declarations in the language of the source, with the program's own names:
 * members and their types as debug information has them.
 *
 * Attributes are not known.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "advise/advise_priv.h"
#include "base/text.h"

/* Of a declaration; the others are counted. */
enum { MOST_MEMBERS = 6 };
#define INDENT "        "

enum ms_advise_language ms_advise_find_language(const struct ms_run *run, uint32_t line)
{
	static const struct {
		const char *ending;
		enum ms_advise_language language;
	} endings[] = {
		{ ".f", MS_ADVISE_FORTRAN },   { ".for", MS_ADVISE_FORTRAN },
		{ ".f77", MS_ADVISE_FORTRAN }, { ".f90", MS_ADVISE_FORTRAN },
		{ ".f95", MS_ADVISE_FORTRAN }, { ".f03", MS_ADVISE_FORTRAN },
		{ ".f08", MS_ADVISE_FORTRAN }, { ".cc", MS_ADVISE_CXX },
		{ ".cpp", MS_ADVISE_CXX },     { ".cxx", MS_ADVISE_CXX },
		{ ".c++", MS_ADVISE_CXX },     { ".hpp", MS_ADVISE_CXX },
		{ ".hh", MS_ADVISE_CXX },      { ".tcc", MS_ADVISE_CXX },
		{ ".rs", MS_ADVISE_RUST },
	};
	const char *file = line != MS_NONE ? run->lines.at[line].file : NULL;
	const char *ending = file != NULL ? strrchr(file, '.') : NULL;

	for (size_t i = 0; i < MS_COUNT(endings) && ending != NULL; i++)
		if (strcasecmp(ending, endings[i].ending) == 0)
			return endings[i].language;
	return MS_ADVISE_C;
}

/* "pos.x" -> "pos_x", "at[1]" -> "at_1", "Base::x" -> "Base_x": a name of its own. */
static const char *make_identifier(struct ms_arena *arena, const char *member)
{
	char *name = ms_arena_strdup(arena, member);
	size_t n = 0;

	for (size_t i = 0; name[i] != '\0'; i++)
		if (name[i] != ']' && !(name[i] == ':' && name[i + 1] == ':'))
			name[n++] = isalnum((unsigned char)name[i]) ? name[i] : '_';
	name[n] = '\0';
	return name;
}

/* "char[12][4]": the type of an element, and its dimensions; those of Rust stay in the type.
 * "unsigned int:4": its bits stand for dimensions. */
struct split_type {
	const char *element;
	int length; /* of element */
	const char *dimensions;
};

/* Where ":4" begins; NULL: it is no bit-field. */
static const char *find_bits(const char *type)
{
	const char *colon = strrchr(type, ':');

	return colon != NULL && isdigit((unsigned char)colon[1]) ? colon : NULL;
}

static struct split_type divide_type(const char *type)
{
	if (type == NULL)
		return (struct split_type){ "T", 1, "" };
	const char *bits = find_bits(type);
	size_t n = bits != NULL     ? (size_t)(bits - type)
		   : type[0] == '[' ? strlen(type)
				    : strcspn(type, "[");

	return (struct split_type){ type, (int)n, type + n };
}

/* "12, 4" of "[12][4]". */
static void add_dimensions(struct ms_text *text, const char *dimensions)
{
	for (const char *at = dimensions; *at == '['; at += strcspn(at, "]") + 1)
		ms_text_addf(text, "%s%.*s", at == dimensions ? "" : ", ",
			     (int)strcspn(at + 1, "]"), at + 1);
}

/* A member as it is. */
static void add_member(struct ms_text *text, enum ms_advise_language language, const char *type,
		       const char *name)
{
	struct split_type t = divide_type(type);
	bool pointer = t.length > 0 && t.element[t.length - 1] == '*';

	if (language == MS_ADVISE_RUST) {
		ms_text_addf(text, "%s: %.*s,", name, t.length, t.element);
	} else if (language == MS_ADVISE_FORTRAN) {
		ms_text_addf(text, "%.*s :: %s", t.length, t.element, name);
		if (*t.dimensions != '\0') {
			ms_text_add(text, "(");
			add_dimensions(text, t.dimensions);
			ms_text_add(text, ")");
		}
	} else {
		ms_text_addf(text, "%.*s%s%s%s;", t.length, t.element, pointer ? "" : " ", name,
			     t.dimensions);
	}
}

/* An array that has the member of all elements. */
static void add_array(struct ms_text *text, enum ms_advise_language language, const char *type,
		      const char *name)
{
	struct split_type t = divide_type(type);
	bool pointer = t.length > 0 && t.element[t.length - 1] == '*',
	     array = *t.dimensions == '['; /* of bit-fields: of whole ones */

	switch (language) {
	case MS_ADVISE_RUST:
		ms_text_addf(text, "%s: Vec<%.*s>,", name, t.length, t.element);
		break;
	case MS_ADVISE_FORTRAN:
		ms_text_addf(text, "%.*s, allocatable :: %s(%s:)", t.length, t.element, name,
			     array ? ":, " : "");
		break;
	case MS_ADVISE_CXX:
		if (strncmp(t.element, "bool", 4) == 0 && t.length == 4)
			t.element = "char"; /* std::vector<bool> has bits */
		ms_text_add(text, array ? "std::vector<std::array<" : "std::vector<");
		ms_text_addf(text, "%.*s%s", t.length, t.element, array ? ", " : "");
		if (array)
			add_dimensions(text, t.dimensions);
		ms_text_addf(text, "%s %s;", array ? ">>" : ">", name);
		break;
	case MS_ADVISE_C:
		ms_text_addf(text, "%.*s%s%s*%s%s%s;", t.length, t.element, pointer ? "" : " ",
			     array ? "(" : "", name, array ? ")" : "", array ? t.dimensions : "");
		break;
	}
}

typedef void member_writer(struct ms_text *text, enum ms_advise_language language, const char *type,
			   const char *name);

static const char *comment_of(enum ms_advise_language language)
{
	return language == MS_ADVISE_FORTRAN ? "! " : language == MS_ADVISE_C ? "/* " : "// ";
}

static const char *comment_end(enum ms_advise_language language)
{
	return language == MS_ADVISE_C ? " */" : "";
}

bool ms_advise_is_movable(const char *member)
{
	return member != NULL && member[0] != '(' && strncmp(member, "_vptr", 5) != 0 &&
	       strstr(member, "._vptr") == NULL && strstr(member, "::_vptr") == NULL;
}

bool ms_advise_can_declare(struct ms_advise_search *search, uint32_t data)
{
	const char *record = ms_advise_record_name(search, data);

	return *record != '\0' && strncmp(record, "std::", 5) != 0;
}

/* "(anonymous union)" has no name. */
static bool can_write(const struct ms_members_row *row)
{
	return row->type == NULL || strchr(row->type, '(') == NULL ||
	       strncmp(row->type, "real(", 5) == 0 || strncmp(row->type, "integer(", 8) == 0 ||
	       strncmp(row->type, "complex(", 8) == 0;
}

/* "Base::x", not "at.Base::x": a declaration of the record does not have it. */
static bool is_inherited(const struct ms_members_row *row)
{
	const char *base = row->name != NULL ? strstr(row->name, "::") : NULL;
	const char *dot = row->name != NULL ? strchr(row->name, '.') : NULL;

	return base != NULL && (dot == NULL || base < dot);
}

/* Of a structure with a flexible array: the elements have another type than the data. */
static bool has_typed_header(const struct ms_members *members)
{
	return members->header > 0 && ms_advise_is_movable(members->rows.at[0].name);
}

/* Whether all hot members have types with names, and the others are the record's own. */
static bool can_write_record(struct ms_advise_search *search, const struct ms_advise_layout *layout)
{
	for (size_t i = 0; i < layout->members->rows.n; i++) {
		const struct ms_members_row *row = &layout->members->rows.at[i];

		if ((layout->hot[i] && !can_write(row)) || is_inherited(row))
			return false;
	}
	return ms_advise_can_declare(search, layout->members->data) &&
	       !has_typed_header(layout->members);
}

static bool can_write_arrays(const struct ms_advise_layout *layout)
{
	if (has_typed_header(layout->members))
		return false;
	for (size_t i = 0; i < layout->members->rows.n; i++)
		if (layout->hot[i] && !can_write(&layout->members->rows.at[i]))
			return false;
	return true;
}

/* Which members are written, and what stands before all of them and before the first one. */
struct snippet_members {
	bool hot; /* those that are not: false */
	member_writer *write;
	const char *indent, *before_first;
};

static void add_members(struct ms_advise_search *search, struct ms_text *text,
			const struct ms_advise_layout *layout, const struct snippet_members *list)
{
	size_t n = 0, more = 0;

	for (size_t i = 0; i < layout->members->rows.n; i++) {
		const struct ms_members_row *row = &layout->members->rows.at[i];

		if (!ms_advise_is_movable(row->name) || layout->hot[i] != list->hot)
			continue;
		if (n == MOST_MEMBERS || !can_write(row)) {
			more++;
			continue;
		}
		ms_text_addf(text, "%s%s", list->indent, n++ == 0 ? list->before_first : "");
		list->write(text, layout->language, row->type,
			    make_identifier(search->arena, row->name));
		ms_text_add(text, "\n");
	}
	if (more > 0)
		ms_text_addf(text, "%s%s%zu more%s\n", list->indent, comment_of(layout->language),
			     more, comment_end(layout->language));
}

/* Parts of data without a known type are named after their offsets. */
static bool is_named(const char *name)
{
	return name != NULL && (isalpha((unsigned char)name[0]) || name[0] == '_');
}

/* The first hot one: its name in an example. */
static const struct ms_members_row *first_hot(const struct ms_advise_layout *layout)
{
	for (size_t i = 0; i < layout->members->rows.n; i++)
		if (layout->hot[i])
			return &layout->members->rows.at[i];
	return NULL;
}

static size_t count_hot(const struct ms_advise_layout *layout)
{
	size_t n = 0;

	for (size_t i = 0; i < layout->members->rows.n; i++)
		n += layout->hot[i] && is_named(layout->members->rows.at[i].name);
	return n;
}

static const char *take_text(struct ms_advise_search *search, struct ms_text *text)
{
	const char *copy = ms_arena_strdup(search->arena, ms_text_get(text));

	ms_text_free(text);
	return copy;
}

/* "particle.x[i], not particle[i].x" */
static const char *name_uses(struct ms_advise_search *search, const struct ms_advise_layout *layout,
			     const char *owner)
{
	const struct ms_members_row *row = first_hot(layout);
	const char *variable = ms_advise_variable(search, layout->members->data);
	const char *name = make_identifier(search->arena, row->name);

	if (layout->language == MS_ADVISE_FORTRAN)
		return ms_arena_printf(search->arena, "%s(i), not %s(i)%%%s", name, variable,
				       row->name);
	return ms_arena_printf(search->arena, "%s%s[i], not %s[i].%s", owner, name, variable,
			       row->name);
}

const char *ms_advise_soa_snippet(struct ms_advise_search *search,
				  const struct ms_advise_layout *layout)
{
	const char *variable = ms_advise_variable(search, layout->members->data);
	const char *record = ms_advise_record_name(search, layout->members->data);
	enum ms_advise_language language = layout->language;
	struct ms_text text = MS_TEXT_INIT;
	size_t n = count_hot(layout);

	if (n == 0)
		return ms_arena_printf(search->arena,
				       "struct { T *first, *second; } %s; /* %s.first[i], not "
				       "%s[i].first */\n",
				       variable, variable, variable);
	if (!can_write_arrays(layout))
		return NULL;
	bool single = n == 1 || language == MS_ADVISE_FORTRAN;
	const char *uses = name_uses(search, layout,
				     single ? "" : ms_arena_printf(search->arena, "%s.", variable));

	if (!single)
		ms_text_addf(&text,
			     language == MS_ADVISE_RUST ? "struct %sArrays {\n" : "struct {\n",
			     record);
	add_members(search, &text, layout,
		    &(struct snippet_members){ true, add_array, single ? "" : INDENT, "" });
	if (!single)
		ms_text_add(&text, language == MS_ADVISE_RUST ? "}" : "} ");
	if (!single && language != MS_ADVISE_RUST)
		ms_text_addf(&text, "%s;", variable);
	ms_text_addf(&text, "%s%s%s%s\n", single ? "" : " ", comment_of(language), uses,
		     comment_end(language));
	return take_text(search, &text);
}

/* The declaration of a record up to its first member, and after the last one. */
static void begin_record(struct ms_text *text, enum ms_advise_language language, const char *name)
{
	ms_text_addf(text, language == MS_ADVISE_FORTRAN ? "type :: %s\n" : "struct %s {\n", name);
}

static void end_record(struct ms_text *text, enum ms_advise_language language)
{
	ms_text_add(text, language == MS_ADVISE_FORTRAN ? "end type\n"
			  : language == MS_ADVISE_RUST  ? "}\n"
							: "};\n");
}

static void add_hot_cold_arrays(struct ms_text *text, enum ms_advise_language language,
				const char *record)
{
	switch (language) {
	case MS_ADVISE_C:
		ms_text_addf(text, "struct %s_hot *hot; struct %s_cold *cold; /* same index */\n",
			     record, record);
		break;
	case MS_ADVISE_CXX:
		ms_text_addf(text,
			     "std::vector<%s_hot> hot; std::vector<%s_cold> cold; // same index\n",
			     record, record);
		break;
	case MS_ADVISE_FORTRAN:
		ms_text_addf(text,
			     "type(%s_hot), allocatable :: hot(:)  ! same index\n"
			     "type(%s_cold), allocatable :: cold(:)\n",
			     record, record);
		break;
	case MS_ADVISE_RUST:
		ms_text_addf(text, "// hot: Vec<%s_hot>, cold: Vec<%s_cold>: same index\n", record,
			     record);
		break;
	}
}

const char *ms_advise_split_snippet(struct ms_advise_search *search,
				    const struct ms_advise_layout *layout)
{
	const char *record = ms_advise_record_name(search, layout->members->data);
	struct ms_text text = MS_TEXT_INIT;

	if (count_hot(layout) == 0)
		return "struct hot { /* what the loop uses */ };\n"
		       "struct cold { /* the rest */ };\n"
		       "struct hot *hot; struct cold *cold; /* same index */\n";
	if (!can_write_record(search, layout))
		return NULL;
	for (int hot = 1; hot >= 0; hot--) {
		begin_record(&text, layout->language,
			     ms_arena_printf(search->arena, "%s_%s", record, hot ? "hot" : "cold"));
		add_members(search, &text, layout,
			    &(struct snippet_members){ hot, add_member, INDENT, "" });
		end_record(&text, layout->language);
	}
	add_hot_cold_arrays(&text, layout->language, record);
	return take_text(search, &text);
}

const char *ms_advise_order_snippet(struct ms_advise_search *search,
				    const struct ms_advise_layout *layout, unsigned line)
{
	enum ms_advise_language language = layout->language;
	bool aligns = language == MS_ADVISE_C || language == MS_ADVISE_CXX;
	const char *aligned = aligns ? ms_arena_printf(search->arena, "alignas(%u) ", line) : "";
	struct ms_text text = MS_TEXT_INIT;

	if (!can_write_record(search, layout))
		return NULL;
	if (language == MS_ADVISE_RUST)
		ms_text_addf(&text, "#[repr(C, align(%u))]\n", line);
	begin_record(&text, language, ms_advise_record_name(search, layout->members->data));
	ms_text_addf(&text, INDENT "%swhat each visit uses%s\n", comment_of(language),
		     comment_end(language));
	add_members(search, &text, layout,
		    &(struct snippet_members){ true, add_member, INDENT, aligned });
	ms_text_addf(&text, INDENT "%sthe rest%s\n", comment_of(language), comment_end(language));
	add_members(search, &text, layout,
		    &(struct snippet_members){ false, add_member, INDENT, "" });
	end_record(&text, language);
	return take_text(search, &text);
}

/* "at[3].count": the member of the record itself is "at". */
static const struct ms_members_row *find_member(const struct ms_members *members, const char *field)
{
	for (size_t i = 0; i < members->rows.n; i++)
		if (members->rows.at[i].name != NULL &&
		    strcmp(members->rows.at[i].name, field) == 0)
			return &members->rows.at[i];
	return NULL;
}

const char *ms_advise_aligned_snippet(struct ms_advise_search *search,
				      const struct ms_advise_finding *f, const char *field,
				      unsigned line)
{
	enum ms_advise_language language = ms_advise_find_language(search->run, f->line);
	struct ms_text text = MS_TEXT_INIT;
	struct ms_members members;

	ms_members_make(&members, search->summary, f->data);
	const struct ms_members_row *row = find_member(&members, field);

	begin_record(&text, language, ms_advise_record_name(search, f->data));
	ms_text_addf(&text, INDENT "alignas(%u) ", line);
	add_member(&text, language, row != NULL ? row->type : NULL,
		   make_identifier(search->arena, field));
	ms_text_addf(&text, "\n" INDENT "alignas(%u) %swhat other threads use%s\n", line,
		     comment_of(language), comment_end(language));
	end_record(&text, language);
	ms_members_free(&members);
	return take_text(search, &text);
}

const char *ms_advise_element_type(struct ms_advise_search *search, uint32_t data, uint32_t line)
{
	const char *type = search->run->data.at[data].type;

	if (type == NULL)
		return "T";
	type = ms_advise_skip_containers(type);
	/* A name without members may be a typedef of a scalar. */
	if (!ms_advise_is_scalar(type))
		return ms_arena_printf(search->arena, "%s%s",
				       ms_advise_find_language(search->run, line) == MS_ADVISE_C &&
						       strchr(type, ' ') == NULL &&
						       strchr(type, '*') == NULL &&
						       ms_members_are_known(search->run, data)
					       ? "struct "
					       : "",
				       ms_advise_record_name(search, data));
	return ms_arena_printf(search->arena, "%.*s", (int)strcspn(type, "[<>,"), type);
}

const char *ms_advise_shared_type(struct ms_advise_search *search, uint32_t data, uint32_t line)
{
	static const char *const qualifiers[] = { "volatile ", "_Atomic " };
	const char *type = search->run->data.at[data].type, *found = "";

	/* Those of what "volatile char *" points to are not the element's. */
	for (size_t i = 0; i < MS_COUNT(qualifiers) && type != NULL; i++)
		if (strchr(type, '*') == NULL &&
		    strncmp(type, qualifiers[i], strlen(qualifiers[i])) == 0)
			found = qualifiers[i];
	return ms_arena_printf(search->arena, "%s%s", found,
			       ms_advise_element_type(search, data, line));
}
