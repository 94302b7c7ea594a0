/* cli/list_command.h - memspy matrix, data, code: one list of a run, and nothing else. */
#ifndef MS_CLI_LIST_COMMAND_H
#define MS_CLI_LIST_COMMAND_H

#include "cli/command.h"
#include "cli/options/report.h"

struct ms_cli_list_command {
	struct ms_options_report report;
	struct ms_opt_list code;
	struct ms_opt_list data;
	struct ms_words names; /* of either */
};

#define MS_CLI_LIST_ROWS                                                            \
	MS_OPTIONS_DB_ROW(struct ms_cli_list_command, report),                      \
		MS_OPTIONS_RULES_ROW(struct ms_cli_list_command, report),           \
		MS_OPTIONS_FORMAT_ROWS(struct ms_cli_list_command, report),         \
		{ .kind = MS_OPT_REAL,                                              \
		  .name = "threshold",                                              \
		  .value = "PERCENT",                                               \
		  .offset = offsetof(struct ms_cli_list_command, report.threshold), \
		  .max = 100,                                                       \
		  .brief = "leave smaller shares of the stall time to the rest" },  \
		{ .kind = MS_OPT_TEXT,                                              \
		  .letter = 's',                                                    \
		  .name = "sort",                                                   \
		  .value = "KEY",                                                   \
		  .offset = offsetof(struct ms_cli_list_command, report.sort),      \
		  .brief = "order by a metric, largest first" },                    \
		{ .kind = MS_OPT_TEXT,                                              \
		  .name = "latency",                                                \
		  .value = "NAME=CYCLES,...",                                       \
		  .offset = offsetof(struct ms_cli_list_command, report.latency),   \
		  .brief = "other latencies than the run's: L2=12,memory=200" },    \
		MS_OPTIONS_COST_ROW(struct ms_cli_list_command, report),            \
		MS_OPTIONS_OUTPUT_ROW(struct ms_cli_list_command, report),          \
	{                                                                           \
		.name = NULL                                                        \
	}

#define MS_CLI_LIST_NAME_ROW(letter_, name_, field, brief_)                             \
	{                                                                               \
		.kind = MS_OPT_LIST, .letter = letter_, .name = name_, .value = "NAME", \
		.offset = offsetof(struct ms_cli_list_command, field), .brief = brief_, \
		.full = MS_OPTIONS_NAME_HELP,                                           \
	}

#define MS_CLI_LIST_RUN_SENTENCE "\n\nRUN is @3 or 3, @latest (the default), or a tag."

/* What such a command does; its name is what --by of a report would say. */
int ms_cli_list(const struct ms_cli_command *cmd, int argc, char *const argv[]);
/* memspy show: all about what is named, instead of a list of it. */
int ms_cli_show(const struct ms_cli_command *cmd, int argc, char *const argv[]);

#endif
