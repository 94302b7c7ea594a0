/* cli/options/observed_lines.h - the options --observed-lines and --watch, for every command that
 * makes runs. */
#ifndef MS_CLI_OPTIONS_OBSERVED_LINES_H
#define MS_CLI_OPTIONS_OBSERVED_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/opt.h"
#include "run/run.h"

struct ms_options_observed_lines {
	const char *which;        /* NULL: it was not given */
	struct ms_opt_list watch; /* patterns for data */
};

#define MS_OPTIONS_OBSERVED_LINES_ROWS(type, field)                                               \
	{                                                                                         \
		.kind = MS_OPT_WORD,                                                              \
		.name = "observed-lines",                                                         \
		.value = "WHICH",                                                                 \
		.offset = offsetof(type, field.which),                                            \
		.choices = "auto|all|none",                                                       \
		.brief = "which cache lines are observed access by access: auto, all, none",      \
		.full = "The accesses to some lines show how many bytes of a line are used, "     \
			"and when a line is used again. auto, the default: one line in 8 at "     \
			"first, fewer in longer runs, down to one in 2048; figures have "         \
			"intervals. all: exact figures, but the run takes several times as "      \
			"long. none: there are no such figures, and replacement misses are "      \
			"not divided unless --conflicts does. None are observed with "            \
			"--sample, --sample-sets, --pmu and --misses-only.",                      \
	},                                                                                        \
	{                                                                                         \
		.kind = MS_OPT_LIST, .name = "watch", .value = "DATA",                            \
		.offset = offsetof(type, field.watch),                                            \
		.brief = "observe all cache lines of such data, no others; repeatable",           \
		.full = "Heap blocks and variables, by a name or key ('memspy fullname') "        \
			"with * ? [ in it; without a type: records for record.records. How many " \
			"bytes of its lines are used, which "                                     \
			"members, and where in it references and misses are: exact figures, "     \
			"faster than with --observed-lines all. There are none of other "         \
			"data, no misses by cache size, and no reuse.",                           \
	}

/* For ms_engine_select_lines(). */
uint32_t ms_options_find_line_rate(const struct ms_options_observed_lines *observed);

/* What excludes --watch. */
struct ms_options_unwatchable {
	bool is_sampled, misses_only, has_monitor, is_exact; /* --exact-3c */
};
int ms_options_check_watch(const struct ms_options_observed_lines *observed,
			   const struct ms_options_unwatchable *with, struct ms_err *err);
/* Names the patterns that match no data of the run. */
void ms_options_warn_unwatched(const struct ms_options_observed_lines *observed,
			       const struct ms_run *run);
void ms_options_free_watch(struct ms_options_observed_lines *observed);

#endif
