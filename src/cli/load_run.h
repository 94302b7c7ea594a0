/*
 * cli/load_run.h - runs as their user wants to see them: loaded, with the rules of the run database
 * and of the project's folder applied.
 */
#ifndef MS_CLI_LOAD_RUN_H
#define MS_CLI_LOAD_RUN_H

#include "analysis/user_rules/rules.h"
#include "base/err.h"
#include "cli/options/report.h"
#include "store/store.h"

#define MS_CLI_DEFAULT_RULES "memspy.rules"

/*
 * Adds the rules that hold: those of the file (--rules; by default memspy.rules in this folder,
 * if it exists), then those of the database, if there is a store. --rules none: none at all.
 */
int ms_cli_rules(const struct ms_options_report *opts, struct ms_store *store,
		 struct ms_run_rules *rules, struct ms_err *err);

/*
 * The run of that name (NULL: the one that is open in the shell, else the latest), with the rules
 * applied and heap data grouped as --group says. Errors in rules are reported on standard error.
 */
int ms_cli_load(const struct ms_options_report *opts, const char *name, struct ms_run *run,
		struct ms_err *err);
/* The one run of a database that lies beside that of opts, by the rules of that one, without
 * messages. It has no number. */
int ms_cli_load_beside(const struct ms_options_report *opts, const char *path, struct ms_run *run,
		       struct ms_err *err);
/* Groups heap data of several runs alike, which were loaded with --group none. Rules come first:
 * what they have named stays. */
void ms_cli_group(const struct ms_options_report *opts, struct ms_run *const *runs, size_t n);
/* The same as ms_cli_load() of a run that was just made: what cannot be read is reported, and is no
 * failure. */
void ms_cli_apply_rules(const struct ms_options_report *opts, struct ms_run *run);

/* Likewise, with the rules of a database that is open. */
void ms_cli_apply_rules_of(const struct ms_options_report *opts, struct ms_store *store,
			   struct ms_run *run);

/* Likewise, but heap data is not grouped. */
void ms_cli_apply_rules_alone(const struct ms_options_report *opts, struct ms_run *run);

/*
 * Words that name a run and words that name data or code of it stand side by side: @3, 3, and tags
 * of the database are runs, but a tag that is a name in the run that is shown is taken as that,
 * with a message. What remains of *words is the run; *names gets the others.
 */
int ms_cli_separate_words(const struct ms_options_report *opts, struct ms_words *words,
			  struct ms_words *names, struct ms_err *err);

/* The run that commands mean when they name none; NULL: the latest. */
extern const char *ms_cli_open_run;

#endif
