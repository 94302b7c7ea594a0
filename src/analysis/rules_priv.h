/* analysis/rules_priv.h - what the files about rules share. */
#ifndef MS_ANALYSIS_RULES_PRIV_H
#define MS_ANALYSIS_RULES_PRIV_H

#include "analysis/rules.h"
#include "run/key.h"

/* What a pattern can be about. */
struct ms_rule_thing {
	const char *key;
	const char *name;
	const char *plain; /* the name without its number */
	const char *file;  /* NULL when unknown; likewise the module */
	const char *module;
};

bool ms_rule_matches(const struct ms_rule *rule, const struct ms_rule_thing *thing);
/* Whether its pattern is about a name that another rule gave. */
bool ms_rule_matches_name(const struct ms_rule *rule, const char *name);

/* All data and code of a run, as rules see them. */
struct ms_rule_things {
	struct ms_keys keys;
	struct ms_names names;
	struct ms_rule_thing *data;
	struct ms_rule_thing *codes;
};

void ms_rule_things_make(struct ms_rule_things *things, const struct ms_run *run);
void ms_rule_things_free(struct ms_rule_things *things);

/* groups.c: combines data or code of a run. */

/* By index: the first member of its group, which is itself or one before it. */
uint32_t *ms_groups_alone(size_t n);
/* Combines the data of each group: adds up sizes; sets the name, and a full name that lists all. */
void ms_groups_data(struct ms_run *run, const uint32_t *group);
/* Combines lines and sites of code that is not to be distinguished: one of each kind remains. */
void ms_groups_code(struct ms_run *run, const uint32_t *group, const bool *whole);

#endif
