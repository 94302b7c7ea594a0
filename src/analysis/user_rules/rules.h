/*
 * analysis/user_rules/rules.h - applies the user's rules to a run.
 *
 * A pattern is a glob (* ? [, which a backslash escapes). It matches data by key (run/key.h:
 * "Matrix.Y < NewMatrix < main") or name, and code by name. After "file:" or "lib:" it matches all
 * code or data of a source file or module. The new name that a rule assigns can match the pattern
 * of another rule: rules are applied until none matches. If several match, the last in the list is
 * applied.
 *
 * A split "caller=N" is by the N innermost functions of the allocation's call path. The other
 * splits ("size", "thread", "field") must be known when the program runs, and change nothing here.
 */
#ifndef MS_ANALYSIS_USER_RULES_RULES_H
#define MS_ANALYSIS_USER_RULES_RULES_H

#include <stdio.h>

#include "analysis/summary/summary.h"
#include "base/err.h"
#include "base/map.h"
#include "base/text.h"
#include "run/rules.h"
#include "run/run.h"

#define MS_RULES_HIDDEN "<hidden>"
#define MS_RULES_REST   "<rest>"

/* What came of applying rules to a run. */
struct ms_rules_outcome {
	struct ms_arena arena;
	size_t *matches; /* of each rule: how many data or code it is about in this run */
	MS_VEC(const char *)
	messages; /* for the user: rules that lead in a circle, names given twice */
	/* Of each data and code that the run has now: its key; NULL: rules have made it of several.
	 */
	const char **data_keys;
	const char **code_keys;
};

/* Renames, combines, splits and hides. */
void ms_rules_apply(struct ms_run *run, const struct ms_run_rules *rules,
		    struct ms_rules_outcome *outcome);
/* Adds up as <rest> what the rules "only" and "skip" leave out. */
void ms_rules_focus(struct ms_run *run, const struct ms_run_rules *rules,
		    struct ms_rules_outcome *outcome);
void ms_rules_outcome_free(struct ms_rules_outcome *outcome);

/*
 * group_heap.c: how heap data is grouped that is too much to read: "Node.*" is all data of a type,
 * "insert()" all data that a function allocates; the latter also of data whose type is not known.
 */
enum ms_rules_group { MS_RULES_BY_TYPE, MS_RULES_BY_FUNCTION };

struct ms_rules_grouping {
	enum ms_rules_group by;
	/* Only data with little of the stall time, and only where much such data has much of it. */
	bool automatic;
	const char *const *apart; /* names of data that the user asks for: it is not grouped */
	size_t apart_n;
};

/*
 * Combines the heap data of each group that has several, except data that rules have named. Several
 * runs are grouped alike, so that they can be compared. Sets run->grouping where data was grouped.
 */
void ms_rules_group_heap(struct ms_run *const *runs, size_t n, const struct ms_rules_grouping *how);

/*
 * group_mpi.c: adds up functions of MPI's libraries. apart: words by which the user asks for code;
 * functions that they name are not grouped.
 */
void ms_rules_group_mpi(struct ms_run *run, const char *const *apart, size_t apart_n);
/* The share of the time that these groups take; nothing where there are none. */
void ms_rules_describe_mpi(struct ms_text *out, const struct ms_summary *summary);

/* Whether a rule is about runs of this program, which may be a path. */
bool ms_rules_is_for(const struct ms_run_rule *rule, const char *program);
/* Whether some rules lead in a circle by their names alone; *out gets the sentence. */
bool ms_rules_loop(const struct ms_run_rules *rules, struct ms_text *out);

/* Whether a pattern for data names this one, with or without its type, or the whole of which it is
 * a part. */
bool ms_rules_match_data(const char *pattern, const char *key, const char *name);
/* The name of rules to split that only mark data as watched (MS_SPLIT_WATCH). Users have none. */
#define MS_RULES_WATCH "watch"
/* How rules for this program (NULL: for any) want data of that key and name to be kept apart while
 * it runs: enum ms_run_split, or'ed. */
unsigned ms_rules_split(const struct ms_run_rules *rules, const char *program, const char *key,
			const char *name);

/* Adds the pattern that means just this text. */
void ms_rules_escape(struct ms_text *out, const char *text);

/* --- rules as text: docs/formats/rules.md --- */

/* Adds one rule as a line, without the line's end. */
void ms_rules_write(struct ms_text *out, const struct ms_run_rule *rule);
/* Reads a file of rules; they are added to *rules. */
int ms_rules_read(struct ms_run_rules *rules, FILE *in, const char *name, struct ms_err *err);
/* Whether a word says how to split: size, thread, field, caller=N. */
bool ms_rules_is_split(const char *by);

#endif
