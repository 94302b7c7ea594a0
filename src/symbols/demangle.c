/* symbols/demangle.c - demangles names and shortens them to the form of the source. */
#include <ctype.h>
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "symbols/symbols.h"
#include "symbols/types_priv.h"

enum { LONGEST_NAME = 64 * 1024, DEEPEST = 64 };

/* "__solver_MOD_step" (gfortran) -> "solver::step". */
static char *demangle_fortran(const char *name)
{
	const char *mod = strstr(name, "_MOD_");

	if (strncmp(name, "__", 2) != 0 || mod == NULL || mod == name + 2 || mod[5] == '\0')
		return NULL;

	struct ms_text out = MS_TEXT_INIT;
	ms_text_add_n(&out, name + 2, (size_t)(mod - name - 2));
	ms_text_add(&out, "::");
	ms_text_add(&out, mod + 5);
	return out.at;
}

/*
 * Where the part of the name begins that compilers add for a part of the function that OpenMP runs
 * in parallel: compilers mangle the function only. NULL: there is none.
 */
static const char *outlined_suffix(const char *name)
{
	static const char *const suffixes[] = { "._omp_fn.", ".omp_outlined" };

	for (size_t i = 0; i < MS_COUNT(suffixes); i++) {
		const char *found = strstr(name, suffixes[i]);

		if (found != NULL)
			return found;
	}
	return NULL;
}

/* clang: "f.omp_outlined_debug__.1" has the code of "f.omp_outlined.1". */
static void add_suffix(struct ms_text *out, const char *suffix)
{
	static const char mark[] = "_debug__";
	const char *found = strstr(suffix, mark);
	size_t n = found != NULL ? (size_t)(found - suffix) : strlen(suffix);

	ms_text_add_n(out, suffix, n);
	if (found != NULL)
		ms_text_add(out, found + strlen(mark));
}

static char *demangle_outlined(const char *name, const char *suffix)
{
	char *mangled = ms_strndup(name, (size_t)(suffix - name));
	char *plain = ms_symbols_demangle(mangled);
	struct ms_text out = MS_TEXT_INIT;

	if (plain != NULL) {
		ms_text_add(&out, plain);
		add_suffix(&out, suffix);
	}
	ms_free(mangled);
	ms_free(plain);
	return out.at;
}

char *ms_symbols_demangle(const char *name)
{
	if (name == NULL || strlen(name) > LONGEST_NAME)
		return NULL;
	const char *outlined = outlined_suffix(name);
	if (outlined != NULL)
		return demangle_outlined(name, outlined);
	if (strncmp(name, "_Z", 2) != 0 && strncmp(name, "_R", 2) != 0)
		return demangle_fortran(name);

	/*
	 * Without DMGL_PARAMS: the name identifies a function, and its line distinguishes
	 * overloads.
	 */
	char *plain = cplus_demangle(name, DMGL_AUTO | DMGL_ANSI);
	if (plain == NULL)
		return NULL;

	struct ms_text out = MS_TEXT_INIT;
	ms_symbols_shorten_name(plain, &out);
	free(plain);
	return out.at;
}

/* Default template arguments, which the source does not write. */
static const char *const default_arguments[] = {
	"std::allocator<",
	"std::char_traits<",
	"std::less<",
	"std::hash<",
	"std::equal_to<",
	"std::default_delete<",
	"std::regex_traits<",
	"alloc::alloc::Global",
	"std::hash::random::RandomState",
	"std::collections::hash::map::RandomState",
};

/* Inline namespaces, which only the ABI of the library needs. */
static const char *const inline_namespaces[] = { "__cxx11::", "__1::", "_V2::" };

static bool is_default(const char *arg, size_t n)
{
	for (size_t i = 0; i < MS_COUNT(default_arguments); i++) {
		size_t len = strlen(default_arguments[i]);

		if (n >= len && memcmp(arg, default_arguments[i], len) == 0)
			return true;
	}
	return false;
}

static void shorten(const char *p, size_t n, struct ms_text *out, int depth);

/* Whether this '<' opens template arguments, and is not part of "operator<", "->" or "<impl". */
static bool opens(const char *start, const char *p)
{
	if (p == start || !(isalnum((unsigned char)p[-1]) || p[-1] == '_'))
		return false;
	return !(p - start >= 8 && memcmp(p - 8, "operator", 8) == 0);
}

/* The '>' that matches the '<' at p; NULL if there is none before end. */
static const char *closing(const char *p, const char *end)
{
	int angle = 0, round = 0;

	for (; p < end; p++) {
		if (*p == '(' || *p == '[' || *p == '{')
			round++;
		else if (*p == ')' || *p == ']' || *p == '}')
			round--;
		else if (*p == '<' && round == 0)
			angle++;
		else if (*p == '>' && round == 0 && p[-1] != '-' && --angle == 0)
			return p;
	}
	return NULL;
}

/* Adds the arguments between p and end, without trailing default arguments. */
static void shorten_arguments(const char *p, const char *end, struct ms_text *out, int depth)
{
	struct {
		const char *at;
		size_t n;
	} args[32];
	size_t n = 0;
	int nested = 0;
	const char *start = p;

	for (; p <= end && n < MS_COUNT(args); p++) {
		if (p == end || (*p == ',' && nested == 0)) {
			while (start < p && *start == ' ')
				start++;
			size_t len = (size_t)(p - start);
			while (len > 0 && start[len - 1] == ' ')
				len--;
			args[n].at = start;
			args[n++].n = len;
			start = p + 1;
		} else if (strchr("<([{", *p) != NULL) {
			nested++;
		} else if (strchr(">)]}", *p) != NULL && p[-1] != '-') {
			nested--;
		}
	}
	while (n > 1 && is_default(args[n - 1].at, args[n - 1].n))
		n--;
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			ms_text_add(out, ", ");
		shorten(args[i].at, args[i].n, out, depth + 1);
	}
}

static void shorten(const char *p, size_t n, struct ms_text *out, int depth)
{
	const char *start = p, *end = p + n;

	while (p < end) {
		bool word = p == start || !(isalnum((unsigned char)p[-1]) || p[-1] == '_');
		bool skipped = false;

		for (size_t i = 0; word && i < MS_COUNT(inline_namespaces); i++) {
			size_t len = strlen(inline_namespaces[i]);

			if ((size_t)(end - p) > len && memcmp(p, inline_namespaces[i], len) == 0) {
				p += len;
				skipped = true;
			}
		}
		if (skipped)
			continue;

		const char *close =
			*p == '<' && depth < DEEPEST && opens(start, p) ? closing(p, end) : NULL;
		if (close == NULL) {
			ms_text_add_n(out, p++, 1);
			continue;
		}
		ms_text_add(out, "<");
		shorten_arguments(p + 1, close, out, depth);
		ms_text_add(out, ">");
		p = close + 1;
	}
}

void ms_symbols_shorten_name(const char *name, struct ms_text *out)
{
	struct ms_text whole = MS_TEXT_INIT;

	shorten(name, strlen(name), &whole, 0);

	const char *text = ms_text_get(&whole);
	const char *found;
	while ((found = strstr(text, "std::basic_string<char>")) != NULL) {
		ms_text_add_n(out, text, (size_t)(found - text));
		ms_text_add(out, "std::string");
		text = found + strlen("std::basic_string<char>");
	}
	ms_text_add(out, text);
	ms_text_free(&whole);
}
