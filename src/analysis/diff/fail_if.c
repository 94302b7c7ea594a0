#include "analysis/diff/fail_if.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"

struct fail_condition {
	const char *text;
	char *copy; /* in which these point: */
	char *metric;
	char *data; /* NULL: all */
	char *code;
	char *limit;
	bool below;    /* < instead of > */
	bool or_equal; /* <= or >= */
	bool relative; /* the limit has a sign or is a share: it is about the change */
	bool share;
	double value; /* of a share: 0.05 is 5 % */
};

static int malformed(const struct fail_condition *c, struct ms_err *err)
{
	return ms_fail(
		err, MS_EUSAGE,
		"not a condition: '%s'; expected METRIC [of DATA] [in CODE] > LIMIT, such as "
		"'stall > +5%%' or 'L1_misses of Y > 10M'",
		c->text);
}

static char *trim(char *text)
{
	size_t n;

	while (isspace((unsigned char)*text))
		text++;
	for (n = strlen(text); n > 0 && isspace((unsigned char)text[n - 1]);)
		n--;
	text[n] = '\0';
	return text;
}

/* Cuts at the last " WORD " and returns the text after it; NULL: there is none. */
static char *cut_at(char *text, const char *word)
{
	char *found = NULL;

	for (char *at = text; (at = strstr(at, word)) != NULL; at++)
		found = at;
	if (found == NULL)
		return NULL;
	*found = '\0';
	return trim(found + strlen(word));
}

/* "+5%", "-3.5%", "10M", "+1e6" */
static bool read_limit(struct fail_condition *c)
{
	static const struct {
		char letter;
		double factor;
	} units[] = { { 'K', 1e3 }, { 'M', 1e6 }, { 'G', 1e9 }, { 'T', 1e12 } };
	char *end;

	c->value = strtod(c->limit, &end);
	if (end == c->limit)
		return false;
	c->relative = c->limit[0] == '+' || c->limit[0] == '-';
	for (size_t i = 0; i < MS_COUNT(units); i++)
		if (toupper((unsigned char)*end) == units[i].letter) {
			c->value *= units[i].factor;
			end++;
			break;
		}
	c->share = *end == '%';
	if (c->share) {
		c->value /= 100;
		c->relative = true;
		end++;
	}
	return *end == '\0' && isfinite(c->value);
}

/* The sign of comparison nearest to the end: names of C++ code and data hold them too. */
static int parse(struct fail_condition *c, struct ms_err *err)
{
	char *sign = NULL;

	for (char *at = c->copy; *at != '\0'; at++)
		if (*at == '<' || *at == '>')
			sign = at;
	if (sign == NULL || sign == c->copy)
		return malformed(c, err);
	c->below = *sign == '<';
	c->or_equal = sign[1] == '=';
	c->limit = trim(sign + 1 + c->or_equal);
	*sign = '\0';
	if (!read_limit(c))
		return malformed(c, err);
	c->code = cut_at(c->copy, " in ");
	c->data = cut_at(c->copy, " of ");
	c->metric = trim(c->copy);
	return *c->metric != '\0' ? MS_OK : malformed(c, err);
}

/* The name itself, or the last word of it ("Y" of "Matrix.Y"). */
static bool is_called(const char *name, const char *asked)
{
	size_t n = strlen(name), m = strlen(asked);

	if (asked[0] == '\0' || n < m || strcmp(name + n - m, asked) != 0)
		return false;
	return n == m || (!isalnum((unsigned char)name[n - m - 1]) && name[n - m - 1] != '_');
}

static const struct ms_diff_row *find_row(const struct ms_diff *diff,
					  const struct fail_condition *c)
{
	enum ms_diff_list_kind by = c->data == NULL   ? MS_DIFF_CODE
				    : c->code == NULL ? MS_DIFF_DATA
						      : MS_DIFF_BIN;

	if (c->data == NULL && c->code == NULL)
		return &diff->total;
	for (size_t i = 0; i < diff->lists[by].at.n; i++) {
		const struct ms_diff_row *row = &diff->lists[by].at.at[i];

		if ((c->data == NULL || is_called(row->data, c->data)) &&
		    (c->code == NULL || is_called(row->code, c->code)))
			return row;
	}
	return NULL;
}

static bool is_met(const struct fail_condition *c, const struct ms_diff_change *change)
{
	double found = c->relative ? ms_diff_change_amount(change) : change->after;
	double limit = c->share ? c->value * change->before : c->value;

	if (c->relative && !change->clear)
		return false;
	if (c->or_equal && found == limit)
		return !c->relative || found != 0;
	return c->below ? found < limit : found > limit;
}

static void explain(const struct fail_condition *c, const struct ms_diff_change *change,
		    struct ms_text *why)
{
	char before[MS_NUM_TEXT], after[MS_NUM_TEXT];

	ms_text_addf(why, "%s", c->metric);
	if (c->data != NULL)
		ms_text_addf(why, " of %s", c->data);
	if (c->code != NULL)
		ms_text_addf(why, " in %s", c->code);
	ms_text_addf(why, ": %s before, %s after",
		     ms_format_count(ms_round_u64(change->before), before),
		     ms_format_count(ms_round_u64(change->after), after));
	if (change->before > 0)
		ms_text_addf(why, " (%+.1f%%)", 100 * ms_diff_change_rate(change));
	ms_text_addf(why, "; the limit was %s%s %s", c->below ? "<" : ">", c->or_equal ? "=" : "",
		     c->limit);
}

static int judge(const struct ms_diff *diff, struct fail_condition *c, bool *met,
		 struct ms_text *why, struct ms_err *err)
{
	MS_TRY(parse(c, err));
	size_t metric = ms_diff_find_metric(diff, c->metric);
	if (metric == SIZE_MAX)
		return ms_fail(err, MS_EUSAGE,
			       "'%s': there is no metric '%s', expected cycles, stall, compute, "
			       "references, or LEVEL_misses",
			       c->text, c->metric);
	const struct ms_diff_row *row = find_row(diff, c);
	if (row == NULL)
		return ms_fail(err, MS_EUSAGE,
			       "'%s': neither side has %s%s%s%s; memspy diff --by bin lists them",
			       c->text, c->data != NULL ? c->data : "",
			       c->data != NULL && c->code != NULL ? " in " : "",
			       c->code != NULL ? c->code : "",
			       c->data != NULL && c->code != NULL ? " together" : "");
	if (!ms_diff_has(diff, row, metric))
		return ms_fail(
			err, MS_EUSAGE,
			"'%s': a run was made with --misses-only, which does not count %s of "
			"data; take misses",
			c->text, c->metric);
	*met = is_met(c, &row->changes[metric]);
	if (*met)
		explain(c, &row->changes[metric], why);
	return MS_OK;
}

int ms_diff_fail_if(const struct ms_diff *diff, const char *condition, bool *met,
		    struct ms_text *why, struct ms_err *err)
{
	struct fail_condition c = { .text = condition, .copy = ms_strdup(condition) };

	*met = false;
	int code = judge(diff, &c, met, why, err);
	ms_free(c.copy);
	return code;
}

void ms_diff_fail_if_data(struct ms_text *out, const char *condition)
{
	struct fail_condition c = { .text = condition, .copy = ms_strdup(condition) };

	if (parse(&c, NULL) == MS_OK && c.data != NULL)
		ms_text_add(out, c.data);
	ms_free(c.copy);
}
