#include "analysis/select.h"

#include <fnmatch.h>
#include <string.h>

#include "base/text.h"

enum { LISTED = 8 };

typedef bool match_function(const char *name, const char *wanted);

static bool is_exactly(const char *name, const char *wanted)
{
	return strcmp(name, wanted) == 0;
}

static bool is_like(const char *name, const char *wanted)
{
	return strpbrk(wanted, "*?[") != NULL && fnmatch(wanted, name, 0) == 0;
}

/* "Y" for "Matrix.Y", "next" for "list->next", "push" for "Stack::push": a name's last word. */
static bool is_last_word(const char *name, const char *wanted)
{
	size_t n = strlen(name), k = strlen(wanted);

	return k > 0 && n > k && strcmp(name + n - k, wanted) == 0 &&
	       strchr(".>:", name[n - k - 1]) != NULL;
}

static bool is_part(const char *name, const char *wanted)
{
	return strstr(name, wanted) != NULL;
}

static bool any(const char *name, const char *wanted)
{
	(void)name;
	(void)wanted;
	return true;
}

static uint32_t index_of(const struct ms_entry *entry)
{
	return entry->kind == MS_ENTRY_DATA ? entry->data : entry->code;
}

/* How many different names match: 0, 1, or 2 for any more. */
static size_t count(const struct ms_entries *entries, match_function *match, const char *wanted)
{
	const char *first = NULL;

	for (size_t i = 0; i < entries->at.n; i++) {
		const char *name = entries->at.at[i].name;

		if (!match(name, wanted))
			continue;
		if (first != NULL && strcmp(name, first) != 0)
			return 2;
		first = name;
	}
	return first != NULL;
}

static void choose(const struct ms_entries *entries, match_function *match, const char *wanted,
		   bool *chosen)
{
	for (size_t i = 0; i < entries->at.n; i++)
		if (match(entries->at.at[i].name, wanted))
			chosen[index_of(&entries->at.at[i])] = true;
}

/* "a, b, c and 12 more" of what matches; entries are sorted, so the weightiest come first. */
static void list(struct ms_text *out, const struct ms_entries *entries, match_function *match,
		 const char *wanted)
{
	size_t n = 0;

	for (size_t i = 0; i < entries->at.n; i++) {
		if (!match(entries->at.at[i].name, wanted))
			continue;
		if (n++ < LISTED)
			ms_text_addf(out, "%s%.100s", n > 1 ? ", " : "", entries->at.at[i].name);
	}
	if (n > LISTED)
		ms_text_addf(out, " and %zu more", n - LISTED);
}

static int refuse(const struct ms_entries *entries, const char *what, const char *wanted,
		  bool ambiguous, struct ms_err *err)
{
	struct ms_text names = MS_TEXT_INIT;
	int code;

	list(&names, entries, ambiguous ? is_part : any, wanted);
	if (ambiguous)
		code = ms_fail(err, MS_EUSAGE,
			       "\"%s\" is part of the names of several %s: %s; say which, or "
			       "\"*%s*\" for all",
			       wanted, what, names.at, wanted);
	else
		code = ms_fail(err, MS_ENOENT, "there is no %s \"%s\" in this run; there are %s",
			       what, wanted, names.n ? names.at : "none");
	ms_text_free(&names);
	return code;
}

static int select_one(const struct ms_entries *entries, const char *what, const char *wanted,
		      bool *chosen, struct ms_err *err)
{
	static match_function *const ways[] = { is_exactly, is_like };

	for (size_t i = 0; i < MS_COUNT(ways); i++) {
		if (count(entries, ways[i], wanted) > 0) {
			choose(entries, ways[i], wanted, chosen);
			return MS_OK;
		}
	}
	if (count(entries, is_last_word, wanted) == 1) {
		choose(entries, is_last_word, wanted, chosen);
		return MS_OK;
	}
	size_t n = wanted[0] != '\0' ? count(entries, is_part, wanted) : 0;
	if (n != 1)
		return refuse(entries, what, wanted, n > 1, err);
	choose(entries, is_part, wanted, chosen);
	return MS_OK;
}

int ms_select(const struct ms_entries *entries, const char *const *names, size_t n, bool *chosen,
	      struct ms_err *err)
{
	for (size_t i = 0; i < n; i++)
		MS_TRY(select_one(entries, entries->are_data ? "data" : "code", names[i], chosen,
				  err));
	return MS_OK;
}
