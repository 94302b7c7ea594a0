/* cli/commands/commands.h - every command: a file of its name each. */
#ifndef MS_CLI_COMMANDS_COMMANDS_H
#define MS_CLI_COMMANDS_COMMANDS_H

#include "cli/command.h"

extern const struct ms_cli_command ms_commands_run;
extern const struct ms_cli_command ms_commands_sample;
extern const struct ms_cli_command ms_commands_report;
extern const struct ms_cli_command ms_commands_advise;
extern const struct ms_cli_command ms_commands_verify;
extern const struct ms_cli_command ms_commands_matrix;
extern const struct ms_cli_command ms_commands_data;
extern const struct ms_cli_command ms_commands_code;
extern const struct ms_cli_command ms_commands_show;
extern const struct ms_cli_command ms_commands_lines;
extern const struct ms_cli_command ms_commands_evictions;
extern const struct ms_cli_command ms_commands_sharing;
extern const struct ms_cli_command ms_commands_fields;
extern const struct ms_cli_command ms_commands_pmu;
extern const struct ms_cli_command ms_commands_accuracy;
extern const struct ms_cli_command ms_commands_compare_sources;
extern const struct ms_cli_command ms_commands_threads;
extern const struct ms_cli_command ms_commands_shell;
extern const struct ms_cli_command ms_commands_callers;
extern const struct ms_cli_command ms_commands_fullname;
extern const struct ms_cli_command ms_commands_rename;
extern const struct ms_cli_command ms_commands_combine;
extern const struct ms_cli_command ms_commands_split;
extern const struct ms_cli_command ms_commands_hide;
extern const struct ms_cli_command ms_commands_rules;
extern const struct ms_cli_command ms_commands_html;
extern const struct ms_cli_command ms_commands_join;
extern const struct ms_cli_command ms_commands_merge;
extern const struct ms_cli_command ms_commands_ranks;
extern const struct ms_cli_command ms_commands_serve;
extern const struct ms_cli_command ms_commands_runs;
extern const struct ms_cli_command ms_commands_diff;
extern const struct ms_cli_command ms_commands_export;
extern const struct ms_cli_command ms_commands_note;
extern const struct ms_cli_command ms_commands_tag;
extern const struct ms_cli_command ms_commands_replay;
extern const struct ms_cli_command ms_commands_check;
extern const struct ms_cli_command ms_commands_machine;
extern const struct ms_cli_command ms_commands_doctor;
extern const struct ms_cli_command ms_commands_help;

#endif
