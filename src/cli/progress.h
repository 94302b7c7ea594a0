/*
 * cli/progress.h - the progress of a run, on a terminal: in its title, or, if the program's input
 * is not the terminal, on a line. Not shown if the program's output is the terminal, too.
 */
#ifndef MS_CLI_PROGRESS_H
#define MS_CLI_PROGRESS_H

#include "collect/collect.h"
#include "serve/live.h"

struct ms_cli_progress_line {
	double shown_at; /* seconds */
	int width;       /* columns that are written now; 0: none */
	bool silent;     /* no progress is shown */
	bool in_title;
	bool sampled;              /* what is counted is a part of the program's references */
	struct ms_serve_live live; /* for memspy serve */
};

struct ms_cli_progress_line ms_cli_progress_begin(bool quiet, bool sampled);
/* For struct ms_collect_options; arg is a struct ms_cli_progress_line. */
void ms_cli_progress_show(const struct ms_collect_progress *progress, void *arg);
void ms_cli_progress_clear(struct ms_cli_progress_line *line);

#endif
