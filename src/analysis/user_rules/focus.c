/*
 * analysis/user_rules/focus.c - merges data and code that are not selected into <rest>. They
 * were simulated like all others, so that the cache contents are right; here they are only summed.
 */
#include "analysis/user_rules/rules_priv.h"
#include "base/mem.h"

static bool is_focus(const struct ms_run_rule *rule, uint32_t subject, uint32_t verb,
		     const char *program)
{
	return rule->subject == subject && rule->verb == verb && ms_rules_is_for(rule, program);
}

/* Whether rules omit the item: a rule skips it, or there are `only` rules and none matches it. */
static bool is_left_out(const struct ms_run_rules *rules, uint32_t subject, const char *program,
			const struct ms_rules_item *thing, size_t *matches)
{
	bool only = false, chosen = false, skipped = false;

	for (size_t i = 0; i < rules->at.n; i++) {
		const struct ms_run_rule *rule = &rules->at.at[i];
		bool keeps = is_focus(rule, subject, MS_RULE_ONLY, program);

		if (!keeps && !is_focus(rule, subject, MS_RULE_SKIP, program))
			continue;
		bool match = ms_rules_match(rule, thing);
		matches[i] += match;
		only = only || keeps;
		chosen = chosen || (keeps && match);
		skipped = skipped || (!keeps && match);
	}
	return skipped || (only && !chosen);
}

/* The group of each; NULL: nothing is omitted. */
static uint32_t *group_rest(const bool *out, size_t n)
{
	uint32_t first = MS_NONE, *group = NULL;

	for (uint32_t i = 0; i < n; i++) {
		if (!out[i])
			continue;
		if (group == NULL) {
			group = ms_rules_single_groups(n);
			first = i;
		}
		group[i] = first;
	}
	return group;
}

/* Unattributed references remain: every report contains their reasons. References that were not
 * looked up cannot be judged. */
static void focus_data(struct ms_run *run, const struct ms_run_rules *rules,
		       const struct ms_rules_items *things, size_t *matches)
{
	bool *out = ms_alloc((run->data.n + 1) * sizeof(*out));

	for (size_t i = 0; i < run->data.n; i++)
		out[i] =
			is_left_out(rules, MS_RULE_DATA, run->program, &things->data[i], matches) &&
			run->data.at[i].kind != MS_DATA_UNKNOWN &&
			run->data.at[i].kind != MS_DATA_ANY;
	uint32_t *group = group_rest(out, run->data.n);
	if (group != NULL) {
		for (uint32_t i = 0; i < run->data.n; i++)
			if (out[i])
				run->data.at[i].name = run->data.at[i].full_name = MS_RULES_REST;
		ms_rules_combine_data(run, group);
	}
	ms_free(group);
	ms_free(out);
}

static void focus_code(struct ms_run *run, const struct ms_run_rules *rules,
		       const struct ms_rules_items *things, size_t *matches)
{
	bool *out = ms_alloc((run->codes.n + 1) * sizeof(*out));

	for (size_t i = 0; i < run->codes.n; i++)
		out[i] = is_left_out(rules, MS_RULE_CODE, run->program, &things->codes[i], matches);
	uint32_t *group = group_rest(out, run->codes.n);
	if (group != NULL) {
		for (uint32_t i = 0; i < run->codes.n; i++)
			if (out[i])
				run->codes.at[i] =
					(struct ms_run_code){ MS_RULES_REST, MS_RULES_REST, NULL, 0,
							      0 };
		ms_rules_combine_code(run, group, out);
	}
	ms_free(group);
	ms_free(out);
}

void ms_rules_focus(struct ms_run *run, const struct ms_run_rules *rules,
		    struct ms_rules_outcome *outcome)
{
	struct ms_rules_items things;

	*outcome = (struct ms_rules_outcome){ .matches = ms_alloc((rules->at.n + 1) *
								  sizeof(*outcome->matches)) };
	ms_rules_items_make(&things, run);
	focus_data(run, rules, &things, outcome->matches);
	focus_code(run, rules, &things, outcome->matches);
	ms_rules_items_free(&things);
}
