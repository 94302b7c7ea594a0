/* analysis/user_rules/rules_priv.h - what the files about rules share. */
#ifndef MS_ANALYSIS_USER_RULES_RULES_PRIV_H
#define MS_ANALYSIS_USER_RULES_RULES_PRIV_H

#include "analysis/user_rules/rules.h"
#include "run/key.h"

/* What a pattern can be about. */
struct ms_rules_item {
	const char *key;
	const char *name;
	const char *plain; /* the name without its number */
	const char *file;  /* NULL when unknown; likewise the module */
	const char *module;
};

bool ms_rules_match(const struct ms_run_rule *rule, const struct ms_rules_item *thing);
/* Whether its pattern is about a name that another rule gave. */
bool ms_rules_match_name(const struct ms_run_rule *rule, const char *name);

/* All data and code of a run, as rules see them. */
struct ms_rules_items {
	struct ms_run_keys keys;
	struct ms_names names;
	struct ms_rules_item *data;
	struct ms_rules_item *codes;
};

void ms_rules_items_make(struct ms_rules_items *things, const struct ms_run *run);
void ms_rules_items_free(struct ms_rules_items *things);

/*
 * small_data.c: whether the heap data of some of the runs is too much to read. Then
 * apart[run][data] is set for what matters by itself in any of them.
 */
bool ms_rules_find_large(struct ms_run *const *runs, size_t n, bool *const *apart);

/* combine_groups.c: combines data or code of a run. */

/* By index: the first member of its group, which is itself or one before it. */
uint32_t *ms_rules_single_groups(size_t n);
/* Combines the data of each group: adds up sizes; sets the name, and a full name that lists all. */
void ms_rules_combine_data(struct ms_run *run, const uint32_t *group);
/* Combines lines and sites of code that is not to be distinguished: one of each kind remains. */
void ms_rules_combine_code(struct ms_run *run, const uint32_t *group, const bool *whole);

#endif
