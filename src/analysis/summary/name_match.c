#include "analysis/summary/name_match.h"

#include <fnmatch.h>
#include <string.h>

bool ms_summary_is_exactly(const char *name, const char *wanted)
{
	return strcmp(name, wanted) == 0 || (wanted[0] == '=' && strcmp(name, wanted + 1) == 0);
}

bool ms_summary_is_like(const char *name, const char *wanted)
{
	return strpbrk(wanted, "*?[") != NULL && fnmatch(wanted, name, 0) == 0;
}

/* The components of a name begin after these. */
static const char separators[] = ".>: *&";

/* A call path is part of the name of data: "array_new (module.so) < call". Patterns are for names.
 */
static size_t length_without_path(const char *name)
{
	const char *place = strstr(name, " ("), *caller = strstr(name, " < ");

	if (place == NULL || (caller != NULL && caller < place))
		place = caller;
	return place != NULL ? (size_t)(place - name) : strlen(name);
}

static bool has_end_like(const char *name, const char *wanted, int flags)
{
	size_t n = length_without_path(name);

	if (strpbrk(wanted, "*?") == NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((i == 0 || strchr(separators, name[i - 1]) != NULL) &&
		    fnmatch(wanted, name + i, flags) == 0)
			return true;
	return false;
}

bool ms_summary_has_end_like(const char *name, const char *wanted)
{
	return has_end_like(name, wanted, 0);
}

bool ms_summary_has_end_like_any_case(const char *name, const char *wanted)
{
	return has_end_like(name, wanted, FNM_CASEFOLD);
}

/* The length of a name without its parameters and subscripts: "Stack::push(int)", "K[][]". A
 * section is no subscript: "stream[.dynsym]" is not called "stream". */
static size_t plain_length(const char *name)
{
	size_t n = strlen(name);

	while (n > 0 && (name[n - 1] == ')' || name[n - 1] == ']')) {
		const char open = name[n - 1] == ')' ? '(' : '[';
		size_t at = n - 1;

		while (at > 0 && name[at] != open)
			at--;
		if (at == 0 || strncmp(name + at, "[.", 2) == 0)
			break;
		n = at;
		while (n > 0 && name[n - 1] == ' ')
			n--;
	}
	return n;
}

typedef int compare_function(const char *a, const char *b, size_t n);

static bool ends_so(const char *name, size_t n, const char *wanted, compare_function *compare)
{
	size_t k = strlen(wanted);

	if (k == 0 || n < k || compare(name + n - k, wanted, k) != 0)
		return false;
	return n == k || strchr(separators, name[n - k - 1]) != NULL;
}

/* "__memset_avx2_unaligned_erms", "__GI_memcpy" and "__libc_malloc" are the C library's memset,
 * memcpy and malloc. */
static bool is_library_variant(const char *name, const char *wanted, compare_function *compare)
{
	size_t k = strlen(wanted);

	if (k == 0 || wanted[0] == '_' || strncmp(name, "__", 2) != 0)
		return false;
	name += 2;
	if (strncmp(name, "GI_", 3) == 0)
		name += 3 + strspn(name + 3, "_");
	if (strncmp(name, "libc_", 5) == 0)
		name += 5;
	return compare(name, wanted, k) == 0 && (name[k] == '\0' || strchr("_.@", name[k]) != NULL);
}

static bool ends_somehow(const char *name, const char *wanted, compare_function *compare)
{
	return ends_so(name, strlen(name), wanted, compare) ||
	       ends_so(name, plain_length(name), wanted, compare) ||
	       is_library_variant(name, wanted, compare);
}

bool ms_summary_is_last_word(const char *name, const char *wanted)
{
	return ends_somehow(name, wanted, strncmp);
}

bool ms_summary_is_last_word_any_case(const char *name, const char *wanted)
{
	return ends_somehow(name, wanted, strncasecmp);
}

bool ms_summary_is_part(const char *name, const char *wanted)
{
	return strstr(name, wanted) != NULL;
}

bool ms_summary_is_part_any_case(const char *name, const char *wanted)
{
	return strcasestr(name, wanted) != NULL;
}

ms_summary_match_function *const ms_summary_matchers[MS_MATCH_NONE] = {
	[MS_MATCH_EXACT] = ms_summary_is_exactly,
	[MS_MATCH_PATTERN] = ms_summary_is_like,
	[MS_MATCH_LAST_WORD] = ms_summary_is_last_word,
	[MS_MATCH_LAST_WORD_ANY_CASE] = ms_summary_is_last_word_any_case,
	[MS_MATCH_PATTERN_END] = ms_summary_has_end_like,
	[MS_MATCH_PATTERN_END_ANY_CASE] = ms_summary_has_end_like_any_case,
	[MS_MATCH_PART] = ms_summary_is_part,
	[MS_MATCH_PART_ANY_CASE] = ms_summary_is_part_any_case,
};
