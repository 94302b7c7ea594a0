#include "analysis/summary/select.h"

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

static uint32_t index_of(const struct ms_summary_entry *entry)
{
	return entry->kind == MS_ENTRY_DATA ? entry->data : entry->code;
}

/* How many different names match: 0, 1, or 2 for any more. */
static size_t count(const struct ms_summary_entries *entries, match_function *match,
		    const char *wanted)
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

static void choose(const struct ms_summary_entries *entries, match_function *match,
		   const char *wanted, bool *chosen)
{
	for (size_t i = 0; i < entries->at.n; i++)
		if (match(entries->at.at[i].name, wanted))
			chosen[index_of(&entries->at.at[i])] = true;
}

/* "a, b, c and 12 more" of what matches; entries are sorted, so the weightiest come first. */
static void list(struct ms_text *out, const struct ms_summary_entries *entries,
		 match_function *match, const char *wanted)
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

static int refuse(const struct ms_summary_entries *entries, const char *what, const char *wanted,
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

static match_function *const ways[] = { [MS_SELECT_EXACT] = is_exactly,
					[MS_SELECT_PATTERN] = is_like,
					[MS_SELECT_LAST_WORD] = is_last_word,
					[MS_SELECT_PART] = is_part };

enum ms_summary_match_quality ms_summary_match_quality(const struct ms_summary_entries *entries,
						       const char *name)
{
	if (name[0] == '\0')
		return MS_SELECT_NONE;
	if (count(entries, is_exactly, name) > 0)
		return MS_SELECT_EXACT;
	if (count(entries, is_like, name) > 0)
		return MS_SELECT_PATTERN;
	if (count(entries, is_last_word, name) == 1)
		return MS_SELECT_LAST_WORD;
	size_t n = count(entries, is_part, name);
	return n == 0 ? MS_SELECT_NONE : n == 1 ? MS_SELECT_PART : MS_SELECT_SEVERAL;
}

static int select_one(const struct ms_summary_entries *entries, const char *what,
		      const char *wanted, bool *chosen, struct ms_err *err)
{
	enum ms_summary_match_quality way = ms_summary_match_quality(entries, wanted);

	if (way >= MS_SELECT_SEVERAL)
		return refuse(entries, what, wanted, way == MS_SELECT_SEVERAL, err);
	choose(entries, ways[way], wanted, chosen);
	return MS_OK;
}

/* "data a, b; code c": all that the name can stand for. */
static int refuse_both(const struct ms_summary_entries *data, const struct ms_summary_entries *code,
		       const char *name, struct ms_err *err)
{
	struct ms_text d = MS_TEXT_INIT, c = MS_TEXT_INIT;

	list(&d, data, is_part, name);
	list(&c, code, is_part, name);
	int failed = ms_fail(err, MS_EUSAGE,
			     "\"%s\" can be data (%s) or code (%s); say which, with --data or "
			     "--code",
			     name, d.at, c.at);
	ms_text_free(&d);
	ms_text_free(&c);
	return failed;
}

static int refuse_either(const struct ms_summary_entries *data,
			 const struct ms_summary_entries *code, const char *name,
			 struct ms_err *err)
{
	struct ms_text d = MS_TEXT_INIT, c = MS_TEXT_INIT;

	list(&d, data, any, name);
	list(&c, code, any, name);
	int failed = ms_fail(err, MS_ENOENT,
			     "there is no data and no code \"%s\" in this run; there are data %s; "
			     "code %s",
			     name, d.n ? d.at : "none", c.n ? c.at : "none");
	ms_text_free(&d);
	ms_text_free(&c);
	return failed;
}

int ms_summary_select_either(const struct ms_summary_entries *data,
			     const struct ms_summary_entries *code, const char *name, bool *is_code,
			     struct ms_err *err)
{
	enum ms_summary_match_quality d = ms_summary_match_quality(data, name),
				      c = ms_summary_match_quality(code, name);

	if (d == MS_SELECT_NONE && c == MS_SELECT_NONE)
		return refuse_either(data, code, name, err);
	if (d == c || (d >= MS_SELECT_PART && c >= MS_SELECT_PART && d != MS_SELECT_NONE &&
		       c != MS_SELECT_NONE))
		return refuse_both(data, code, name, err);
	*is_code = c < d;
	return MS_OK;
}

int ms_summary_select(const struct ms_summary_entries *entries, const char *const *names, size_t n,
		      bool *chosen, struct ms_err *err)
{
	for (size_t i = 0; i < n; i++)
		MS_TRY(select_one(entries, entries->are_data ? "data" : "code", names[i], chosen,
				  err));
	return MS_OK;
}
