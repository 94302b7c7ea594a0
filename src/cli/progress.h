/* cli/progress.h - the progress line of a run, on a terminal. */
#ifndef MS_CLI_PROGRESS_H
#define MS_CLI_PROGRESS_H

#include "collect/collect.h"
#include "serve/live.h"

struct ms_cli_progress_line {
	double shown_at;           /* seconds */
	int width;                 /* columns that are written now */
	bool silent;               /* no progress line is shown */
	bool sampled;              /* what is counted is a part of the program's references */
	struct ms_serve_live live; /* for memspy serve */
};

/* For struct ms_collect_options; arg is a struct ms_cli_progress_line. */
void ms_cli_progress_show(const struct ms_collect_progress *progress, void *arg);
void ms_cli_progress_clear(struct ms_cli_progress_line *line);

#endif
