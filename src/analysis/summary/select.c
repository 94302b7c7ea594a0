#include "analysis/summary/select.h"

#include <string.h>

#include "analysis/describe/describe.h"
#include "analysis/summary/name_match.h"
#include "base/text.h"

enum { LISTED = 8 };

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

static struct matches find(const struct ms_summary_entries *entries,
			   ms_summary_match_function *match, const char *wanted)
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

static void choose(const struct ms_summary_entries *entries, ms_summary_match_function *match,
		   const char *wanted, bool *chosen)
{
	for (size_t i = 0; i < entries->at.n; i++)
		if (match(entries->at.at[i].name, wanted))
			chosen[index_of(&entries->at.at[i])] = true;
}

/* "a (41.2%), b (3.0%), c (0.0%) and 12 more" of what matches, without `but`; entries are sorted,
 * so the costliest come first. */
static void list(struct ms_text *out, const struct ms_summary_entries *entries,
		 ms_summary_match_function *match, const char *wanted, const char *but)
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

/* The best quality at which anything matches; MS_MATCH_NONE: nothing does. */
static enum ms_summary_match find_quality(const struct ms_summary_entries *entries,
					  const char *name, struct matches *found)
{
	for (size_t quality = 0; name[0] != '\0' && quality < MS_MATCH_NONE; quality++) {
		*found = find(entries, ms_summary_matchers[quality], name);
		if (found->names > 0)
			return (enum ms_summary_match)quality;
	}
	return MS_MATCH_NONE;
}

static bool is_partial(enum ms_summary_match quality)
{
	return quality == MS_MATCH_PART || quality == MS_MATCH_PART_ANY_CASE;
}

/* Patterns, and whole names, are for all that they fit. */
static bool is_for_all(enum ms_summary_match quality)
{
	return quality == MS_MATCH_EXACT || quality == MS_MATCH_PATTERN ||
	       quality == MS_MATCH_PATTERN_END || quality == MS_MATCH_PATTERN_END_ANY_CASE;
}

/* What a word means among the entries: those of the best quality, the costliest first. A name that
 * is exactly so is but one of those with this last component; of two that cost the same it is
 * taken. */
static enum ms_summary_match rank(const struct ms_summary_entries *entries, const char *wanted,
				  struct matches *found)
{
	enum ms_summary_match quality = find_quality(entries, wanted, found);

	if (quality != MS_MATCH_EXACT || wanted[0] == '=')
		return quality;
	struct matches exact = *found;

	*found = find(entries, ms_summary_is_last_word, wanted);
	if (found->tied && cost_of(exact.best) == cost_of(found->best)) {
		found->best = exact.best;
		found->tied = false;
	}
	return MS_MATCH_LAST_WORD;
}

static int refuse_several(const struct ms_summary_entries *entries,
			  ms_summary_match_function *match, const char *wanted, bool part,
			  struct ms_err *err)
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

static void remark(const struct ms_summary_entries *entries, ms_summary_match_function *match,
		   const char *wanted, const char *taken, struct ms_text *remarks)
{
	if (remarks == NULL)
		return;
	ms_text_addf(remarks, "\"%s\" is taken as %.100s; it also fits ", wanted, taken);
	list(remarks, entries, match, wanted, taken);
	ms_text_add(remarks, "\n");
}

static bool is_in_any_case(enum ms_summary_match quality)
{
	return quality == MS_MATCH_LAST_WORD_ANY_CASE || quality == MS_MATCH_PATTERN_END_ANY_CASE ||
	       quality == MS_MATCH_PART_ANY_CASE;
}

static int select_ranked(const struct ms_summary_entries *entries, const char *wanted, bool *chosen,
			 struct ms_text *remarks, struct ms_err *err)
{
	struct matches found;
	enum ms_summary_match quality = rank(entries, wanted, &found);

	if (quality == MS_MATCH_NONE)
		return refuse(entries, entries->are_data ? "data" : "code", wanted, err);
	if (found.names == 1 || is_for_all(quality)) {
		choose(entries, ms_summary_matchers[quality], wanted, chosen);
		return MS_OK;
	}
	if (is_partial(quality) || found.tied)
		return refuse_several(entries, ms_summary_matchers[quality], wanted,
				      is_partial(quality), err);
	remark(entries, ms_summary_matchers[quality], wanted, found.best->name, remarks);
	choose(entries, ms_summary_is_exactly, found.best->name, chosen);
	return MS_OK;
}

/* "data a, b; code c": all that the name can stand for. */
static int refuse_both(const struct ms_summary_entries *data, const struct ms_summary_entries *code,
		       const char *name, ms_summary_match_function *match, struct ms_err *err)
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

static void remark_either(const struct ms_summary_entries *other, const struct matches *fits,
			  const char *name, bool is_code, struct ms_text *remarks)
{
	uint64_t all = cost_of_all(other);

	if (remarks == NULL)
		return;
	ms_text_addf(remarks, "\"%s\" is taken as %s; it is also the %s %.100s", name,
		     is_code ? "code" : "data", is_code ? "data" : "code", fits->best->name);
	if (all > 0)
		ms_text_addf(remarks, " (%.1f%%)",
			     100.0 * (double)cost_of(fits->best) / (double)all);
	ms_text_addf(remarks, ": %s says so\n", is_code ? "--data" : "--code");
}

int ms_summary_select_either(const struct ms_summary_entries *data,
			     const struct ms_summary_entries *code, const char *name, bool *is_code,
			     struct ms_text *remarks, struct ms_err *err)
{
	struct matches in_data, in_code;
	enum ms_summary_match d = rank(data, name, &in_data), c = rank(code, name, &in_code);
	enum ms_summary_match better = d < c ? d : c, worse = d < c ? c : d;

	if (better == MS_MATCH_NONE)
		return refuse_either(data, code, name, err);
	*is_code = c < d;
	if (worse == MS_MATCH_NONE)
		return MS_OK;
	if (is_partial(better))
		return refuse_both(data, code, name, ms_summary_is_part_any_case, err);
	if (better != worse)
		return MS_OK;
	uint64_t cost[2] = { cost_of(in_data.best), cost_of(in_code.best) };

	if (is_for_all(better) || cost[0] == cost[1])
		return refuse_both(data, code, name, ms_summary_matchers[better], err);
	*is_code = cost[1] > cost[0];
	remark_either(*is_code ? data : code, *is_code ? &in_data : &in_code, name, *is_code,
		      remarks);
	return MS_OK;
}

enum ms_summary_match ms_summary_rank(const struct ms_summary_entries *entries, const char *name)
{
	struct matches found;

	return rank(entries, name, &found);
}

int ms_summary_select(const struct ms_summary_entries *entries, const char *const *names, size_t n,
		      bool *chosen, struct ms_text *remarks, struct ms_err *err)
{
	for (size_t i = 0; i < n; i++)
		MS_TRY(select_ranked(entries, names[i], chosen, remarks, err));
	return MS_OK;
}

int ms_summary_select_only(const struct ms_summary_entries *entries, const char *name, bool *chosen,
			   struct ms_err *err)
{
	struct matches found;
	enum ms_summary_match quality = find_quality(entries, name, &found);

	if (quality == MS_MATCH_NONE || is_in_any_case(quality))
		return refuse(entries, entries->are_data ? "data" : "code", name, err);
	if (found.names > 1 && !is_for_all(quality))
		return refuse_several(entries, ms_summary_matchers[quality], name,
				      is_partial(quality), err);
	choose(entries, ms_summary_matchers[quality], name, chosen);
	return MS_OK;
}

/* Whether the name, typed as it is, could be taken as another one. */
static bool is_ambiguous(const char *name, const char *other)
{
	return strcmp(name, other) != 0 && ms_summary_is_last_word(other, name);
}

void ms_summary_add_data_word(struct ms_text *out, const struct ms_run *run, const char *name)
{
	bool ambiguous = false;

	for (size_t i = 0; i < run->data.n && !ambiguous; i++)
		ambiguous = is_ambiguous(name, run->data.at[i].name);
	ms_text_add(out, ambiguous ? "=" : "");
	ms_describe_shell_word(out, name);
}

void ms_summary_add_code_word(struct ms_text *out, const struct ms_run *run, const char *name)
{
	bool ambiguous = false;

	for (size_t i = 0; i < run->codes.n && !ambiguous; i++)
		ambiguous = is_ambiguous(name, run->codes.at[i].name);
	ms_text_add(out, ambiguous ? "=" : "");
	ms_describe_shell_word(out, name);
}
