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

/* The length of a name without its parameters and subscripts: "Stack::push(int)", "K[][]". */
static size_t plain_length(const char *name)
{
	size_t n = strlen(name);

	while (n > 0 && (name[n - 1] == ')' || name[n - 1] == ']')) {
		const char open = name[n - 1] == ')' ? '(' : '[';
		size_t at = n - 1;

		while (at > 0 && name[at] != open)
			at--;
		if (at == 0)
			break;
		n = at;
		while (n > 0 && name[n - 1] == ' ')
			n--;
	}
	return n;
}

typedef int compare_function(const char *a, const char *b, size_t n);

/* "Y" for "Matrix.Y", "next" for "list->next", "push" for "Stack::push": a name's last word. */
static bool ends_so(const char *name, size_t n, const char *wanted, compare_function *compare)
{
	size_t k = strlen(wanted);

	if (k == 0 || n < k || compare(name + n - k, wanted, k) != 0)
		return false;
	return n == k || strchr(".>: *&", name[n - k - 1]) != NULL;
}

static bool ends_somehow(const char *name, const char *wanted, compare_function *compare)
{
	return ends_so(name, strlen(name), wanted, compare) ||
	       ends_so(name, plain_length(name), wanted, compare);
}

static bool is_last_word(const char *name, const char *wanted)
{
	return ends_somehow(name, wanted, strncmp);
}

static bool is_last_word_any_case(const char *name, const char *wanted)
{
	return ends_somehow(name, wanted, strncasecmp);
}

static bool is_part(const char *name, const char *wanted)
{
	return strstr(name, wanted) != NULL;
}

static bool is_part_any_case(const char *name, const char *wanted)
{
	return strcasestr(name, wanted) != NULL;
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

static uint64_t cost_of(const struct ms_summary_entry *entry)
{
	return ms_summary_rw_sum(entry->counts.stall);
}

static uint64_t cost_of_all(const struct ms_summary_entries *entries)
{
	uint64_t all = 0;

	for (size_t i = 0; i < entries->at.n; i++)
		all += cost_of(&entries->at.at[i]);
	return all;
}

/* What matches, the costliest first: entries are sorted so. */
struct matches {
	size_t names; /* different ones */
	const struct ms_summary_entry *best;
	bool tied; /* the next costs as much */
};

static struct matches find(const struct ms_summary_entries *entries, match_function *match,
			   const char *wanted)
{
	struct matches found = { 0, NULL, false };

	for (size_t i = 0; i < entries->at.n; i++) {
		const struct ms_summary_entry *entry = &entries->at.at[i];

		if (!match(entry->name, wanted) ||
		    (found.best != NULL && strcmp(entry->name, found.best->name) == 0))
			continue;
		found.names++;
		if (found.best == NULL)
			found.best = entry;
		else if (found.names == 2)
			found.tied = cost_of(entry) == cost_of(found.best);
	}
	return found;
}

static void choose(const struct ms_summary_entries *entries, match_function *match,
		   const char *wanted, bool *chosen)
{
	for (size_t i = 0; i < entries->at.n; i++)
		if (match(entries->at.at[i].name, wanted))
			chosen[index_of(&entries->at.at[i])] = true;
}

/* "a (41.2%), b (3.0%), c (0.0%) and 12 more" of what matches, without `but`; entries are sorted,
 * so the costliest come first. */
static void list(struct ms_text *out, const struct ms_summary_entries *entries,
		 match_function *match, const char *wanted, const char *but)
{
	uint64_t all = cost_of_all(entries);
	size_t n = 0;

	for (size_t i = 0; i < entries->at.n; i++) {
		const struct ms_summary_entry *entry = &entries->at.at[i];

		if (!match(entry->name, wanted) || (but != NULL && strcmp(entry->name, but) == 0))
			continue;
		if (n++ >= LISTED)
			continue;
		ms_text_addf(out, "%s%.100s", n > 1 ? ", " : "", entry->name);
		if (all > 0 && match != any)
			ms_text_addf(out, " (%.1f%%)",
				     100.0 * (double)cost_of(entry) / (double)all);
	}
	if (n > LISTED)
		ms_text_addf(out, " and %zu more", n - LISTED);
}

static int refuse(const struct ms_summary_entries *entries, const char *what, const char *wanted,
		  struct ms_err *err)
{
	struct ms_text names = MS_TEXT_INIT;

	list(&names, entries, any, wanted, NULL);
	int code = ms_fail(err, MS_ENOENT, "there is no %s \"%s\" in this run; there are %s", what,
			   wanted, names.n ? names.at : "none");
	ms_text_free(&names);
	return code;
}

static match_function *const matchers[] = {
	[MS_SELECT_EXACT] = is_exactly,
	[MS_SELECT_PATTERN] = is_like,
	[MS_SELECT_LAST_WORD] = is_last_word,
	[MS_SELECT_LAST_WORD_ANY_CASE] = is_last_word_any_case,
	[MS_SELECT_PART] = is_part,
	[MS_SELECT_PART_ANY_CASE] = is_part_any_case,
};

/* The best quality at which anything matches; MS_SELECT_NONE: nothing does. */
static enum ms_summary_match_quality find_quality(const struct ms_summary_entries *entries,
						  const char *name, struct matches *found)
{
	for (size_t quality = 0; name[0] != '\0' && quality < MS_COUNT(matchers); quality++) {
		*found = find(entries, matchers[quality], name);
		if (found->names > 0)
			return (enum ms_summary_match_quality)quality;
	}
	return MS_SELECT_NONE;
}

static bool is_partial(enum ms_summary_match_quality quality)
{
	return quality == MS_SELECT_PART || quality == MS_SELECT_PART_ANY_CASE;
}

enum ms_summary_match_quality ms_summary_match_quality(const struct ms_summary_entries *entries,
						       const char *name)
{
	struct matches found;
	enum ms_summary_match_quality quality = find_quality(entries, name, &found);

	return is_partial(quality) && found.names > 1 ? MS_SELECT_SEVERAL : quality;
}

static int refuse_several(const struct ms_summary_entries *entries, match_function *match,
			  const char *wanted, bool part, struct ms_err *err)
{
	const char *what = entries->are_data ? "data" : "code";
	struct ms_text names = MS_TEXT_INIT;

	list(&names, entries, match, wanted, NULL);
	int code = part ? ms_fail(err, MS_EUSAGE,
				  "\"%s\" is part of the names of several %s: %s; say which, or "
				  "\"*%s*\" for all",
				  wanted, what, names.at, wanted)
			: ms_fail(err, MS_EUSAGE, "\"%s\" fits several %s: %s; say which", wanted,
				  what, names.at);
	ms_text_free(&names);
	return code;
}

static void remark(const struct ms_summary_entries *entries, match_function *match,
		   const char *wanted, const char *taken, struct ms_text *remarks)
{
	if (remarks == NULL)
		return;
	ms_text_addf(remarks, "\"%s\" is taken as %.100s; it also fits ", wanted, taken);
	list(remarks, entries, match, wanted, taken);
	ms_text_add(remarks, "\n");
}

/* How names are understood. */
enum reading { WHOLE, SHORT, ONLY };

static int select_one(const struct ms_summary_entries *entries, const char *wanted,
		      enum reading reading, bool *chosen, struct ms_text *remarks,
		      struct ms_err *err)
{
	struct matches found;
	enum ms_summary_match_quality quality = find_quality(entries, wanted, &found);

	bool any_case =
		quality == MS_SELECT_LAST_WORD_ANY_CASE || quality == MS_SELECT_PART_ANY_CASE;
	if (quality == MS_SELECT_NONE || (any_case && reading == ONLY))
		return refuse(entries, entries->are_data ? "data" : "code", wanted, err);
	/* A name that is exactly so ends so, too. */
	if (quality == MS_SELECT_EXACT && reading == SHORT) {
		quality = MS_SELECT_LAST_WORD;
		found = find(entries, matchers[quality], wanted);
	}
	bool several =
		found.names > 1 && quality != MS_SELECT_EXACT && quality != MS_SELECT_PATTERN;
	if (several && (is_partial(quality) || reading == ONLY || found.tied))
		return refuse_several(entries, matchers[quality], wanted, is_partial(quality), err);
	if (!several) {
		choose(entries, matchers[quality], wanted, chosen);
		return MS_OK;
	}
	remark(entries, matchers[quality], wanted, found.best->name, remarks);
	choose(entries, is_exactly, found.best->name, chosen);
	return MS_OK;
}

/* "data a, b; code c": all that the name can stand for. */
static int refuse_both(const struct ms_summary_entries *data, const struct ms_summary_entries *code,
		       const char *name, match_function *match, struct ms_err *err)
{
	struct ms_text d = MS_TEXT_INIT, c = MS_TEXT_INIT;

	list(&d, data, match, name, NULL);
	list(&c, code, match, name, NULL);
	int failed = ms_fail(err, MS_EUSAGE,
			     "\"%s\" can be data: %s; or code: %s; say which, with --data or "
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

	list(&d, data, any, name, NULL);
	list(&c, code, any, name, NULL);
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
	enum ms_summary_match_quality better = d < c ? d : c, worse = d < c ? c : d;

	if (better == MS_SELECT_NONE)
		return refuse_either(data, code, name, err);
	if (better == worse || (better >= MS_SELECT_PART && worse != MS_SELECT_NONE))
		return refuse_both(data, code, name,
				   better < MS_SELECT_PART ? matchers[better] : is_part_any_case,
				   err);
	*is_code = c < d;
	return MS_OK;
}

int ms_summary_select(const struct ms_summary_entries *entries, const char *const *names, size_t n,
		      bool *chosen, struct ms_text *remarks, struct ms_err *err)
{
	for (size_t i = 0; i < n; i++)
		MS_TRY(select_one(entries, names[i], WHOLE, chosen, remarks, err));
	return MS_OK;
}

int ms_summary_select_short(const struct ms_summary_entries *entries, const char *name,
			    bool *chosen, struct ms_text *remarks, struct ms_err *err)
{
	return select_one(entries, name, SHORT, chosen, remarks, err);
}

int ms_summary_select_only(const struct ms_summary_entries *entries, const char *name, bool *chosen,
			   struct ms_err *err)
{
	return select_one(entries, name, ONLY, chosen, NULL, err);
}
