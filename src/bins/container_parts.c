#include "bins/container_parts.h"

#include <ctype.h>
#include <string.h>

#include "base/compiler.h"
#include "base/text.h"

/*
 * Containers allocate several kinds of blocks. A function of the library that begins with `scope`
 * (after its namespaces) and contains `function` allocates a part.
 * run/key.c has the parts, too.
 */
static const struct {
	const char *scope, *function, *part;
} container_parts[] = {
	{ "_Vector_base<", "::_M_allocate", "vector" },
	{ "std::string::", "", "string" },
	{ "std::basic_string<", "", "string" },
	{ "_Deque_base<", "::_M_allocate_map", "map" },
	{ "_Deque_base<", "::_M_allocate_node", "chunks" },
	{ "_Hashtable", "::_M_allocate_buckets", "buckets" },
	{ "_Hashtable", "::_M_allocate_node", "nodes" },
	{ "_Rb_tree<", "::_M_get_node", "nodes" },
	{ "_Rb_tree<", "::_M_create_node", "nodes" },
	{ "_List_base<", "::_M_get_node", "nodes" },
	{ "_Fwd_list_base<", "::_M_get_node", "nodes" },
	{ "_Fwd_list_base<", "::_M_create_node", "nodes" },
	{ "__shared_count<", "*", "control block" }, /* of an object that new has allocated */
	{ "__hash_table<", "rehash", "buckets" },
	{ "__hash_table<", "::__construct_node", "nodes" },
	{ "__tree<", "::__construct_node", "nodes" },
	{ "alloc::boxed::Box<", "::new", "box" },
	{ "btree::node::", "LeafNode", "leaves" },
	{ "btree::node::", "InternalNode", "nodes" },
};

/* Functions of Rust's library whose names have no types of their object, or begin with it. */
static const char *const rust_strings[] = {
	"alloc::fmt::format",     "alloc::string::", "alloc::str::<impl ",
	"<alloc::string::String", "<str as alloc::",
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

const char *ms_bins_container_part(const char *function)
{
	for (size_t i = 0; function != NULL && i < MS_COUNT(rust_strings); i++)
		if (begins(function, rust_strings[i]))
			return "string";
	for (size_t i = 0; function != NULL && i < MS_COUNT(container_parts); i++) {
		const char *scope = strstr(function, container_parts[i].scope);

		if (scope != NULL && strstr(scope, container_parts[i].function) != NULL)
			return container_parts[i].part;
	}
	return NULL;
}

const char *ms_bins_part_of_type(const char *type)
{
	if (begins(type, "Vec<"))
		return "vector";
	return strcmp(type, "String") == 0 ? "string" : NULL;
}

/* "4", "4ul" and "4UL" in "std::array<double, 4>": the length of a suffix at `at`. */
static size_t literal_suffix(const char *type, size_t at)
{
	size_t digits = at;

	while (digits > 0 && isdigit((unsigned char)type[digits - 1]))
		digits--;
	bool number = digits < at && (digits == 0 || strchr("<, -", type[digits - 1]) != NULL);
	return number ? strspn(type + at, "uUlL") : 0;
}

/* Types by DWARF and by demangled names: "long unsigned int" is "unsigned long". */
static void add_plain_type(struct ms_text *out, const char *type, size_t n)
{
	static const char *const spellings[][2] = {
		{ "long long unsigned int", "unsigned long long" },
		{ "long unsigned int", "unsigned long" },
		{ "short unsigned int", "unsigned short" },
		{ "long long int", "long long" },
		{ "long int", "long" },
		{ "short int", "short" },
		{ " >", ">" },
	};

	for (size_t i = 0; i < n;) {
		size_t k = 0;

		while (k < MS_COUNT(spellings) && !begins(type + i, spellings[k][0]))
			k++;
		size_t suffix = literal_suffix(type, i);

		if (k < MS_COUNT(spellings)) {
			ms_text_add(out, spellings[k][1]);
			i += strlen(spellings[k][0]);
		} else if (suffix > 0) {
			i += suffix;
		} else {
			ms_text_add_n(out, type + i++, 1);
		}
	}
}

/* "std::_Vector_base<int>::_M_allocate" is a function of "std::vector<int>". */
static bool is_vector_of(const char *function, const char *type)
{
	static const char base[] = "_Vector_base<", whole[] = "vector<";
	const char *from = strstr(function, base), *to = strstr(type, whole);
	struct ms_text x = MS_TEXT_INIT, y = MS_TEXT_INIT;

	if (from == NULL || to == NULL)
		return false;
	from += strlen(base);
	to += strlen(whole);
	add_plain_type(&x, from, strlen(from));
	add_plain_type(&y, to, strlen(to));
	bool same = begins(x.at, y.at) && begins(x.at + y.n, "::");
	ms_text_free(&x);
	ms_text_free(&y);
	return same;
}

/* Whether a block that is inside of such an object is one of its elements. */
static bool has_elements(const char *type)
{
	static const char *const containers[] = {
		"std::vector<",        "std::map<",   "std::multimap<",
		"std::deque<",         "std::list<",  "std::forward_list<",
		"std::unordered_map<", "std::array<", "Vec<",
		"VecDeque<",           "HashMap<",    "BTreeMap<"
	};

	for (size_t i = 0; i < MS_COUNT(containers); i++)
		if (begins(type, containers[i]))
			return true;
	return false;
}

bool ms_bins_is_whole_container(const char *part, const char *function, const char *type,
				bool object)
{
	bool vector = strcmp(part, "vector") == 0, box = strcmp(part, "box") == 0;

	if (type == NULL)
		return vector || box;
	if (strcmp(part, "string") == 0)
		return object && (strcmp(type, "std::string") == 0 || strcmp(type, "String") == 0);
	if (vector)
		return is_vector_of(function, type) ? object : !has_elements(type);
	return box && (!has_elements(type) || strstr(type, "Box<") == NULL);
}
