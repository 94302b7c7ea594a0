/*
 * cli/options/machine.h - the options that say which machine to simulate, for every command that
 * simulates one:
 *
 *    struct run_options { struct ms_options_machine machine; ... };
 *    static const struct ms_opt options[] = {
 *            MS_OPTIONS_MACHINE_ROWS(struct run_options, machine),
 *            ...
 */
#ifndef MS_CLI_OPTIONS_MACHINE_H
#define MS_CLI_OPTIONS_MACHINE_H

#include "base/err.h"
#include "base/opt.h"
#include "machine/machine.h"

/* NULL: not given. */
struct ms_options_machine {
	const char *machine;
	const char *l1;
	const char *l2;
	const char *l3;
	const char *ll;
};

#define MS_OPTIONS_LEVEL_ROW(type, field, level, which)                                          \
	{                                                                                        \
		.kind = MS_OPT_TEXT, .name = #level, .value = "SIZE,WAYS,LINE",                  \
		.offset = offsetof(type, field.level),                                           \
		.brief = which " (such as 32K,8,64; a latency in cycles may follow)",            \
		.full = "Without --machine, the machine has just the levels that are given so; " \
			"with it, they replace levels of that machine or join it.",              \
	}

/* --l1, --l2, --l3, --ll alone */
#define MS_OPTIONS_LEVEL_ROWS(type, field)                                       \
	MS_OPTIONS_LEVEL_ROW(type, field, l1, "the first-level cache"),          \
		MS_OPTIONS_LEVEL_ROW(type, field, l2, "the second-level cache"), \
		MS_OPTIONS_LEVEL_ROW(type, field, l3, "the third-level cache"),  \
		MS_OPTIONS_LEVEL_ROW(type, field, ll, "the last-level cache")

#define MS_OPTIONS_MACHINE_ROWS(type, field)                                                     \
	{                                                                                        \
		.kind = MS_OPT_TEXT,                                                             \
		.letter = 'm',                                                                   \
		.name = "machine",                                                               \
		.value = "MACHINE",                                                              \
		.offset = offsetof(type, field.machine),                                         \
		.brief = "simulate this machine: host (the default), a preset, or a file",       \
		.full = "'memspy machine list' shows the presets. A file's name contains a '/' " \
			"or ends in .ini.",                                                      \
	},                                                                                       \
		MS_OPTIONS_LEVEL_ROWS(type, field)

/* Builds the machine that the options ask for; on failure *machine needs no free. */
int ms_options_read_machine(const struct ms_options_machine *options, struct ms_machine *machine,
			    struct ms_err *err);

#endif
