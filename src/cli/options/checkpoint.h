/* cli/options/checkpoint.h - the option that saves runs from time to time while they go on. */
#ifndef MS_CLI_OPTIONS_CHECKPOINT_H
#define MS_CLI_OPTIONS_CHECKPOINT_H

#include "cli/options/focus.h"
#include "cli/options/job.h"
#include "cli/options/report.h"
#include "collect/collect.h"

#define MS_OPTIONS_CHECKPOINT_SECONDS 60

#define MS_OPTIONS_CHECKPOINT_ROW(type, field)                                                \
	{                                                                                     \
		.kind = MS_OPT_REAL, .name = "checkpoint", .value = "SECONDS",                \
		.offset = offsetof(type, field), .min = 0, .max = 1e9,                        \
		.brief = "save the figures so far every so many seconds (default: 60; 0: "    \
			 "never)",                                                            \
		.full = "If memspy is killed (kill -9, or for lack of memory), the run "      \
			"database holds the run as it was at the last checkpoint, marked as " \
			"incomplete. At the end of the run the complete one takes its "       \
			"place. Where saving takes long, checkpoints are farther apart: "     \
			"they take at most 10% of the run's time. A run that is shorter "     \
			"than the first interval has none.",                                  \
	}

/* What checkpoints of one command's runs have in common. */
struct ms_options_checkpoint {
	const struct ms_options_focus *focus;
	const struct ms_options_report *report;
	const char *tag; /* NULL: none; likewise: */
	const char *note;
	const struct ms_options_job *job;
};

/* usable: the database can be written. Draws on `checkpoint` as long as the run goes on. */
struct ms_collect_checkpoint_options
ms_options_checkpoint_collect(struct ms_options_checkpoint *checkpoint, double seconds,
			      bool usable);

#endif
