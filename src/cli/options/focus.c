#include "cli/options/focus.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/load_run.h"

static void add(struct ms_run_rules *rules, const struct ms_opt_list *list, uint32_t subject,
		uint32_t verb)
{
	for (size_t i = 0; i < list->words.n; i++)
		*ms_vec_add(&rules->at) = (struct ms_run_rule){ .subject = subject,
								.verb = verb,
								.pattern = list->words.at[i] };
}

/* A --skip is for code and data; it has missed only where it is about neither. */
static void warn_unused_rules(const struct ms_run_rules *rules, const size_t *matches, size_t given)
{
	for (size_t i = given; i < rules->at.n; i++) {
		const struct ms_run_rule *rule = &rules->at.at[i];
		bool skip = rule->verb == MS_RULE_SKIP;

		if (matches[i] > 0 || (skip && rule->subject == MS_RULE_CODE))
			continue;
		if (skip && matches[i + 1] > 0)
			continue;
		fprintf(stderr,
			"memspy: --%s%s '%s' matches nothing in this run; a pattern is for a whole "
			"name, and * stands for any part of one\n",
			ms_run_rule_verb_word(rule->verb),
			skip                            ? ""
			: rule->subject == MS_RULE_CODE ? "-code"
							: "-data",
			rule->pattern);
	}
}

static void read_rules(const struct ms_options_report *report, struct ms_store *store,
		       struct ms_run_rules *rules)
{
	struct ms_store *opened = NULL;
	struct ms_err err;

	/* If the database cannot be read, saving the run fails, too, and reports it. */
	if (store == NULL && access(report->db, F_OK) == 0)
		ms_store_open(&opened, report->db, MS_STORE_READ, NULL);
	if (ms_cli_rules(report, store != NULL ? store : opened, rules, &err) != MS_OK)
		fprintf(stderr, "memspy: %s\n", err.text);
	ms_store_close(opened);
}

static bool has_focus(const struct ms_run_rules *rules, const char *program)
{
	for (size_t i = 0; i < rules->at.n; i++)
		if (rules->at.at[i].verb >= MS_RULE_ONLY &&
		    ms_rules_is_for(&rules->at.at[i], program))
			return true;
	return false;
}

bool ms_options_apply_focus(const struct ms_options_focus *focus,
			    const struct ms_options_report *report, struct ms_store *store,
			    struct ms_run *run)
{
	struct ms_run_rules rules = { 0 };
	struct ms_rules_outcome outcome;

	read_rules(report, store, &rules);
	size_t given = rules.at.n;

	add(&rules, &focus->only_code, MS_RULE_CODE, MS_RULE_ONLY);
	add(&rules, &focus->only_data, MS_RULE_DATA, MS_RULE_ONLY);
	for (size_t i = 0; i < focus->skip.words.n; i++) {
		struct ms_run_rule rule = { .verb = MS_RULE_SKIP,
					    .pattern = focus->skip.words.at[i] };

		rule.subject = MS_RULE_DATA;
		*ms_vec_add(&rules.at) = rule;
		rule.subject = MS_RULE_CODE;
		*ms_vec_add(&rules.at) = rule;
	}
	bool focused = has_focus(&rules, run->program);

	if (focused) {
		ms_rules_focus(run, &rules, &outcome);
		warn_unused_rules(&rules, outcome.matches, given);
		ms_rules_outcome_free(&outcome);
	}
	ms_run_rules_free(&rules);
	return focused;
}

int ms_options_check_misses_only(bool misses_only, bool samples, bool monitors, struct ms_err *err)
{
	if (misses_only && monitors)
		return ms_fail(err, MS_EUSAGE,
			       "--misses-only: what a monitor samples may be data that hits "
			       "without it; omit --misses-only or --pmu");
	if (misses_only && samples)
		return ms_fail(err, MS_EUSAGE,
			       "--misses-only: estimates from windows or sets need the hits, too; "
			       "omit --misses-only, or --sample and --sample-sets");
	return MS_OK;
}

void ms_options_focus_free(struct ms_options_focus *focus)
{
	ms_vec_free(&focus->only_code.words);
	ms_vec_free(&focus->only_data.words);
	ms_vec_free(&focus->skip.words);
}

static bool applies(const struct ms_options_splits *splits, const struct ms_run_rule *rule)
{
	return rule->verb == MS_RULE_SPLIT && strncmp(rule->name, "caller=", 7) != 0 &&
	       (splits->program == NULL || ms_rules_is_for(rule, splits->program));
}

bool ms_options_splits_read(struct ms_options_splits *splits,
			    const struct ms_options_report *report, const struct ms_opt_list *watch,
			    struct ms_store *store)
{
	bool any = false;

	splits->rules = (struct ms_run_rules){ 0 };
	read_rules(report, store, &splits->rules);
	for (size_t i = 0; i < watch->words.n; i++)
		*ms_vec_add(&splits->rules.at) =
			(struct ms_run_rule){ .subject = MS_RULE_DATA,
					      .verb = MS_RULE_SPLIT,
					      .pattern = watch->words.at[i],
					      .name = MS_RULES_WATCH };
	for (size_t i = 0; i < splits->rules.at.n; i++)
		any |= applies(splits, &splits->rules.at.at[i]);
	return any;
}

unsigned ms_options_split(const char *key, const char *name, const void *arg)
{
	const struct ms_options_splits *splits = arg;

	return ms_rules_split(&splits->rules, splits->program, key, name);
}

void ms_options_splits_free(struct ms_options_splits *splits)
{
	ms_run_rules_free(&splits->rules);
}
