/*
 * cli/options/rules.h - the commands that make rules: rename, combine, split, hide. Their words
 * name data or code of a run as it is shown now; what is kept are patterns that will name them in
 * later runs.
 */
#ifndef MS_CLI_OPTIONS_RULES_H
#define MS_CLI_OPTIONS_RULES_H

#include "base/err.h"
#include "base/opt.h"
#include "cli/command.h"
#include "cli/options/report.h"
#include "store/rules.h"

struct ms_options_rules {
	struct ms_options_report report; /* db and rules */
	bool code;
	bool any;            /* for all programs */
	bool pattern;        /* words are patterns already */
	const char *program; /* NULL: the run's */
	const char *by;      /* split */
};

#define MS_OPTIONS_RULE_ROWS                                                                      \
	MS_OPTIONS_DB_ROW(struct ms_options_rules, report),                                       \
		MS_OPTIONS_RULES_ROW(struct ms_options_rules, report),                            \
		{ .kind = MS_OPT_FLAG,                                                            \
		  .name = "pattern",                                                              \
		  .offset = offsetof(struct ms_options_rules, pattern),                           \
		  .brief = "keep the words as patterns, whatever the run holds",                  \
		  .full = "By default, words name what is in the run. A pattern may hold * ? [, " \
			  "and is for keys ('Matrix.Y < NewMatrix < main', which 'memspy "        \
			  "fullname' shows) or names, file:NAME for all of a source file, or "    \
			  "lib:NAME for all of a library." },                                     \
		{ .kind = MS_OPT_TEXT,                                                            \
		  .name = "program",                                                              \
		  .value = "NAME",                                                                \
		  .offset = offsetof(struct ms_options_rules, program),                           \
		  .brief = "for runs of this program (default: the program of the run)" },        \
	{                                                                                         \
		.kind = MS_OPT_FLAG, .name = "any-program",                                       \
		.offset = offsetof(struct ms_options_rules, any),                                 \
		.brief = "for runs of all programs",                                              \
	}

#define MS_OPTIONS_RULE_CODE_ROW                                    \
	{                                                           \
		.kind = MS_OPT_FLAG, .letter = 'c', .name = "code", \
		.offset = offsetof(struct ms_options_rules, code),  \
		.brief = "the words name code, not data",           \
	}

/* Keeps the rules that the words ask for, @RUN among them; verbose: prints them.
 */
int ms_options_keep_rules(const struct ms_options_rules *options, enum ms_run_rule_verb verb,
			  const struct ms_words *words, bool verbose, struct ms_err *err);
/* What such a command does: run(argc, argv) of its struct ms_cli_command. */
int ms_options_make_rules(const struct ms_cli_command *cmd, enum ms_run_rule_verb verb, int argc,
			  char *const argv[]);

#endif
