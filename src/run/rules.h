/*
 * run/rules.h - rules that rename, combine, split, hide or select data structures and code.
 *
 * A rule applies to the data or code that its pattern names, in runs of one program or of any.
 */
#ifndef MS_RUN_RULES_H
#define MS_RUN_RULES_H

#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

enum ms_run_rule_subject { MS_RULE_DATA, MS_RULE_CODE, MS_RULE_SUBJECTS };

enum ms_run_rule_verb {
	MS_RULE_RENAME,  /* call it `name` */
	MS_RULE_COMBINE, /* merge it with all others that are called `name` */
	MS_RULE_SPLIT,   /* count it separately by `name`: see analysis/user_rules/rules.h */
	MS_RULE_HIDE,    /* add it up as <hidden> */
	MS_RULE_ONLY,    /* when running: keep only these, add all others up as <rest> */
	MS_RULE_SKIP,    /* when running: add it up as <rest> */
	MS_RULE_VERBS,
};

/* How data is split while the program runs. */
enum ms_run_split {
	MS_SPLIT_SIZE = 1,   /* by size class of blocks */
	MS_SPLIT_THREAD = 2, /* by allocating thread */
	MS_SPLIT_FIELD = 4,  /* members of a structure */
	/* Not split, but observed: see name/splits.h. */
	MS_SPLIT_WATCH = 8,
};

struct ms_run_rule {
	int64_t id;          /* in the database; 0: it comes from a file */
	const char *program; /* base name; NULL: any */
	uint32_t subject;    /* enum ms_run_rule_subject */
	uint32_t verb;       /* enum ms_run_rule_verb */
	const char *pattern;
	const char *name;  /* NULL if the verb has none */
	const char *added; /* when, of those in the database; else NULL */
	const char *file;  /* it comes from, or NULL */
	uint32_t line;     /* of the file */
};

struct ms_run_rules {
	struct ms_arena arena; /* owns all strings */
	MS_VEC(struct ms_run_rule) at;
};

void ms_run_rules_free(struct ms_run_rules *rules);

/* "rename", "data": as users and the database write them. */
const char *ms_run_rule_verb_word(uint32_t verb);
const char *ms_run_rule_subject_word(uint32_t subject);
/* MS_RULE_SUBJECTS or MS_RULE_VERBS: there is no such word. */
uint32_t ms_run_rule_subject_of(const char *word);
uint32_t ms_run_rule_verb_of(const char *word);

#endif
