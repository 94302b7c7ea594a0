/*
 * store/rules.h - what people want to see under other names, put together, apart, or not at all;
 * and the rules about it that the run database keeps.
 *
 * A rule is about data or code that its pattern names, in runs of one program or of any.
 */
#ifndef MS_STORE_RULES_H
#define MS_STORE_RULES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "store/store.h"

enum ms_rule_subject { MS_RULE_DATA, MS_RULE_CODE, MS_RULE_SUBJECTS };

enum ms_rule_verb {
	MS_RULE_RENAME,  /* call it `name` */
	MS_RULE_COMBINE, /* it is one thing with all others that are called `name` */
	MS_RULE_SPLIT,   /* keep it apart by `name`: see analysis/rules.h */
	MS_RULE_HIDE,    /* add it up as <hidden> */
	MS_RULE_ONLY,    /* when running: keep only such, add all others up as <rest> */
	MS_RULE_SKIP,    /* when running: add it up as <rest> */
	MS_RULE_VERBS,
};

/* How data is kept apart while the program runs. */
enum ms_split {
	MS_SPLIT_SIZE = 1,   /* blocks of other size classes */
	MS_SPLIT_THREAD = 2, /* blocks of other threads */
	MS_SPLIT_FIELD = 4,  /* members of a structure */
};

struct ms_rule {
	int64_t id;          /* in the database; 0: it comes from a file */
	const char *program; /* base name; NULL: any */
	uint32_t subject;    /* enum ms_rule_subject */
	uint32_t verb;       /* enum ms_rule_verb */
	const char *pattern;
	const char *name;  /* NULL where the verb has none */
	const char *added; /* when, of those in the database; else NULL */
	const char *file;  /* it comes from, or NULL */
	uint32_t line;     /* of the file */
};

struct ms_rules {
	struct ms_arena arena; /* owns every text */
	MS_VEC(struct ms_rule) at;
};

void ms_rules_free(struct ms_rules *rules);

/* Adds those of the database to *rules, oldest first. */
int ms_store_rules(struct ms_store *store, struct ms_rules *rules, struct ms_err *err);
/*
 * Keeps a rule and sets its id. One that already says something else of the same pattern goes: it
 * cannot have two names, nor be hidden and shown. The store must have been opened to write.
 */
int ms_store_add_rule(struct ms_store *store, struct ms_rule *rule, struct ms_err *err);
/* MS_ENOENT when there is none such. */
int ms_store_remove_rule(struct ms_store *store, int64_t id, struct ms_err *err);
/*
 * From here on nobody else changes the database, until ms_store_end_change(): rules are checked
 * against those that are there, then kept. Kept whole, or not at all.
 */
int ms_store_begin_change(struct ms_store *store, struct ms_err *err);
int ms_store_end_change(struct ms_store *store, bool keep, struct ms_err *err);

/* "rename", "data": as users and the database write them. */
const char *ms_rule_verb_word(uint32_t verb);
const char *ms_rule_subject_word(uint32_t subject);
/* MS_RULE_VERBS: it is none. */
uint32_t ms_rule_verb_of(const char *word);

#endif
