/*
 * cli/options/report.h - the options that all reporting commands share, and printing as they ask:
 *
 *    struct run_options { struct ms_options_report report; ... };
 *    struct run_options o = { .report = MS_OPTIONS_REPORT_DEFAULTS };
 *    static const struct ms_opt options[] = {
 *            MS_OPTIONS_DB_ROW(struct run_options, report),
 *            MS_OPTIONS_REPORT_ROWS(struct run_options, report),
 *            MS_OPTIONS_OUTPUT_ROW(struct run_options, report),
 *            ...
 */
#ifndef MS_CLI_OPTIONS_REPORT_H
#define MS_CLI_OPTIONS_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/opt.h"
#include "run/run.h"
#include "store/store.h"
#include "views/views.h"

#define MS_OPTIONS_DEFAULT_DB "memspy.db"

/* How options and words that name data or code are understood: analysis/summary/select.h. */
#define MS_OPTIONS_NAME_HELP                                                                 \
	"A name, or its last component in any case (y of Matrix.Y): the one that waits the " \
	"most is taken, and named. =NAME is exactly this one; a pattern (* ? [) means all "  \
	"whose names or last components match; else it is a part of just one name."

struct ms_options_report {
	const char *db;
	const char *rules; /* NULL: memspy.rules, if it is there */
	const char *group; /* "auto", "type", "function", "none"; NULL: as none */
	/* The words by which the user asks for data, which is then not grouped; NULL: none. */
	const struct ms_words *asked_names; /* of data or code */
	const struct ms_opt_list *asked_data[2];
	const struct ms_opt_list *asked_code; /* likewise, of functions of MPI; NULL: none */
	bool json;
	bool csv;
	const char *color; /* auto, always, never */
	uint64_t width;    /* 0: the terminal's */
	uint64_t top;      /* 0: the view's own */
	double threshold;  /* per cent; below 0: the view's own */
	const char *by;
	bool fold_system; /* takes precedence */
	bool no_fold_system;
	const char *sort;
	const char *latency;
	const char *cost;   /* "latency", "exposed", "measured"; NULL: the last that the run has */
	const char *output; /* NULL: standard output */
	const char *rank;   /* of a merged run only these ranks; NULL: all; likewise: */
	const char *node;
	const char *cluster;
};

#define MS_OPTIONS_REPORT_DEFAULTS                                                              \
	{                                                                                       \
		.db = MS_OPTIONS_DEFAULT_DB, .group = "auto", .color = "auto", .threshold = -1, \
		.by = "matrix",                                                                 \
	}

#define MS_OPTIONS_DB_ROW(type, field)                                            \
	{                                                                         \
		.kind = MS_OPT_TEXT, .name = "db", .value = "FILE",               \
		.offset = offsetof(type, field.db),                               \
		.brief = "the run database (default: " MS_OPTIONS_DEFAULT_DB ")", \
	}

/* For commands that show a run as its user wants to see it. */
#define MS_OPTIONS_RULES_ROW(type, field)                                                         \
	{                                                                                         \
		.kind = MS_OPT_TEXT,                                                              \
		.name = "rules",                                                                  \
		.value = "FILE",                                                                  \
		.offset = offsetof(type, field.rules),                                            \
		.brief = "rules for names and groups (default: memspy.rules); none: no rules",    \
		.full = "Those of 'memspy rename', 'combine', 'split' and 'hide' are in the run " \
			"database; a file of them is read as well, if there is one. "             \
			"'memspy rules' shows both. With none, the run is shown as it was "       \
			"made.",                                                                  \
	},                                                                                        \
	{                                                                                         \
		.kind = MS_OPT_WORD, .name = "group", .value = "WHAT",                            \
		.offset = offsetof(type, field.group), .choices = "auto|none|type|function",      \
		.brief = "group heap data by type or by allocating function (default: auto)",     \
		.full = "For programs with thousands of allocation call paths: heap data of one " \
			"type is one group (Node.*), or all that one function allocates "         \
			"(insert()); likewise with type, if the type is not known. Groups of "    \
			"one and data that rules have named keep their names. auto groups by "    \
			"type where at least 100 heap data structures with less than 1% of the "  \
			"stall time each have 20% of it together, and only these; data that is "  \
			"asked for by its own name is not grouped. Functions of MPI's libraries " \
			"are <MPI waiting>, those that poll for other ranks, and <MPI>. With "    \
			"none, the default of export, accuracy and pmu, each is shown.",          \
	}

/* For commands that show the matrix. */
#define MS_OPTIONS_FOLD_ROWS(type, field)                                                          \
	{                                                                                          \
		.kind = MS_OPT_FLAG,                                                               \
		.name = "fold-system",                                                             \
		.offset = offsetof(type, field.fold_system),                                       \
		.brief = "show functions of the C library at their callers (the default)",         \
		.full = "Takes precedence over --no-fold-system and MEMSPY_NO_FOLD_SYSTEM.",       \
	},                                                                                         \
	{                                                                                          \
		.kind = MS_OPT_FLAG, .name = "no-fold-system",                                     \
		.offset = offsetof(type, field.no_fold_system),                                    \
		.brief = "list functions of the C library in the matrix, not their callers",       \
		.full = "In a run with call paths (--call-paths), the stall time of functions of " \
			"the C library and the C++ runtime is shown for their nearest callers "    \
			"outside; a line below the matrix says how much that is.",                 \
	}

#define MS_OPTIONS_OUTPUT_ROW(type, field)                                             \
	{                                                                              \
		.kind = MS_OPT_TEXT, .letter = 'o', .name = "output", .value = "FILE", \
		.offset = offsetof(type, field.output),                                \
		.brief = "write to FILE, not to the terminal",                         \
	}

/* How it is written: what every reporting command has. */
#define MS_OPTIONS_FORMAT_ROWS(type, field)                                                      \
	{                                                                                        \
		.kind = MS_OPT_FLAG,                                                             \
		.name = "json",                                                                  \
		.offset = offsetof(type, field.json),                                            \
		.brief = "write one JSON object",                                                \
	},                                                                                       \
		{                                                                                \
			.kind = MS_OPT_FLAG,                                                     \
			.name = "csv",                                                           \
			.offset = offsetof(type, field.csv),                                     \
			.brief = "write comma-separated values with exact figures",              \
		},                                                                               \
		{                                                                                \
			.kind = MS_OPT_WORD,                                                     \
			.name = "color",                                                         \
			.value = "WHEN",                                                         \
			.offset = offsetof(type, field.color),                                   \
			.choices = "auto|always|never",                                          \
			.brief = "colour the text: auto, always, never",                         \
			.full = "auto colours what goes to a terminal, unless NO_COLOR is set.", \
		},                                                                               \
		{                                                                                \
			.kind = MS_OPT_NUMBER,                                                   \
			.name = "width",                                                         \
			.value = "N",                                                            \
			.offset = offsetof(type, field.width),                                   \
			.min = 20,                                                               \
			.max = 10000,                                                            \
			.brief = "columns of text (default: the terminal's, else 100)",          \
		},                                                                               \
	{                                                                                        \
		.kind = MS_OPT_NUMBER, .letter = 'n', .name = "top", .value = "N",               \
		.offset = offsetof(type, field.top), .min = 1, .max = 1000000,                   \
		.brief = "show at most N rows and N columns; runs: the newest N",                \
		.full = "Text shows 12 by default and adds the others up as the "                \
			"rest; JSON and CSV hold everything.",                                   \
	}

/* For commands that show a run that may be merged from ranks. */
#define MS_OPTIONS_RANK_ROWS(type, field)                                                          \
	{                                                                                          \
		.kind = MS_OPT_TEXT,                                                               \
		.name = "rank",                                                                    \
		.value = "LIST",                                                                   \
		.offset = offsetof(type, field.rank),                                              \
		.brief = "of a merged run show the sums over these ranks (3, or 0,16:32/4)",       \
		.full = "Their databases are read, which must still be in the folder of the job.", \
	},                                                                                         \
		{                                                                                  \
			.kind = MS_OPT_TEXT,                                                       \
			.name = "node",                                                            \
			.value = "HOST",                                                           \
			.offset = offsetof(type, field.node),                                      \
			.brief = "of a merged run show the sums over the ranks of this node",      \
		},                                                                                 \
	{                                                                                          \
		.kind = MS_OPT_TEXT, .name = "cluster", .value = "N",                              \
		.offset = offsetof(type, field.cluster),                                           \
		.brief = "of a merged run show the sums over this cluster of ranks",               \
	}

/* What is shown of a run. */
#define MS_OPTIONS_REPORT_ROWS(type, field)                                                        \
	MS_OPTIONS_FORMAT_ROWS(type, field),                                                       \
		{                                                                                  \
			.kind = MS_OPT_REAL,                                                       \
			.name = "threshold",                                                       \
			.value = "PERCENT",                                                        \
			.offset = offsetof(type, field.threshold),                                 \
			.min = 0,                                                                  \
			.max = 100,                                                                \
			.brief = "leave smaller shares to the rest",                               \
			.full = "Of the total stall time, in per cent. Text leaves out what is "   \
				"below "                                                           \
				"0.1 by default; JSON and CSV hold everything. It has "            \
				"no "                                                              \
				"effect together with --sort.",                                    \
		},                                                                                 \
		{                                                                                  \
			.kind = MS_OPT_WORD,                                                       \
			.name = "by",                                                              \
			.value = "WHAT",                                                           \
			.offset = offsetof(type, field.by),                                        \
			.choices = "matrix|code|data|line|bin|processor|path",                     \
			.brief = "list by matrix, code, data, line, bin, processor or call path",  \
		},                                                                                 \
		{                                                                                  \
			.kind = MS_OPT_TEXT,                                                       \
			.letter = 's',                                                             \
			.name = "sort",                                                            \
			.value = "KEY",                                                            \
			.offset = offsetof(type, field.sort),                                      \
			.brief = "order a list by a metric, largest first",                        \
			.full = "The keys are the columns of --csv; those of misses may name a "   \
				"level "                                                           \
				"(L2_misses). An unknown key lists them all.",                     \
		},                                                                                 \
		{                                                                                  \
			.kind = MS_OPT_TEXT,                                                       \
			.name = "latency",                                                         \
			.value = "NAME=CYCLES,...",                                                \
			.offset = offsetof(type, field.latency),                                   \
			.brief = "other latencies than the run's: L2=12,L3=40,memory=200",         \
			.full = "Events are counted when the program runs; cycles are made of "    \
				"them "                                                            \
				"when it is reported. In runs of several processors, peer is the " \
				"latency of another processor's cache, remote that of another "    \
				"node's "                                                          \
				"memory.",                                                         \
		},                                                                                 \
		MS_OPTIONS_COST_ROW(type, field)

/* For commands with --latency. */
#define MS_OPTIONS_COST_ROW(type, field)                                                           \
	{                                                                                          \
		.kind = MS_OPT_WORD, .name = "cost", .value = "WHAT",                              \
		.offset = offsetof(type, field.cost), .choices = "latency|exposed|measured",       \
		.brief = "cost misses by latency, by the part exposed, or as measured",            \
		.full = "exposed: the part of a miss's latency that the processor waited for, by " \
			"the timing model; the default for runs of an out-of-order core. "         \
			"latency: the whole latency of each miss, and one cycle an instruction; "  \
			"the only choice for runs of an in-order core. measured: the time that "   \
			"was measured beside the simulation; the default for joined runs.",        \
	}

/* Applies --cost to a run. */
int ms_options_apply_cost(const struct ms_options_report *opts, struct ms_run *run,
			  struct ms_err *err);

/* Prints the report of a run as the options ask; *out is flushed, errors of writing are found. */
int ms_options_print_report(const struct ms_run *run, const struct ms_options_report *opts,
			    FILE *out, struct ms_err *err);

/* --- for the reporting commands themselves --- */

/* The format, and the options of the view; out shows whether there is a terminal. */
int ms_options_read_view(const struct ms_options_report *opts, FILE *out,
			 enum ms_views_format *format, struct ms_views_options *view_options,
			 struct ms_err *err);
/* Standard output, or the file of --output, which replaces an older one when it is closed. */
int ms_options_open_output(const struct ms_options_report *opts, FILE **out, struct ms_err *err);
/* Fails where `path`, which `option` asks to write, is a file that is needed: what says which. Each
 * may be NULL. */
int ms_options_check_overwrite(const char *option, const char *path, const char *needed,
			       const char *what, struct ms_err *err);
/* The same for what all commands have: a report must not be written over the database. */
int ms_options_check_output(const struct ms_options_report *opts, struct ms_err *err);
/* Whether the output could be opened. */
int ms_options_try_output(const struct ms_options_report *opts, struct ms_err *err);
/* Flushes; fails if something could not be written, except to a pipe without a reader. */
int ms_options_flush_output(const char *name, FILE *out, struct ms_err *err);
/*
 * Flushes; closes what ms_options_open_output() opened. A reader that has gone away (EPIPE) is no
 * error. code: how the command that wrote it ended; unless MS_OK, it is returned, and an older file
 * stays.
 */
int ms_options_close_output(const struct ms_options_report *opts, FILE *out, int code,
			    struct ms_err *err);
/*
 * Loads the run that the words name (none: the latest) and has it printed where the options say:
 * what a command that shows one run does. arg is the command's own.
 */
int ms_options_show_report(const struct ms_options_report *opts, const struct ms_words *words,
			   int (*print)(const void *arg, const struct ms_run *run, FILE *out,
					struct ms_err *err),
			   const void *arg, struct ms_err *err);

#endif
