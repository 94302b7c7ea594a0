/* cli/live_view.h - snapshots of a run that continues, for memspy serve. */
#ifndef MS_CLI_LIVE_VIEW_H
#define MS_CLI_LIVE_VIEW_H

#include "cli/options/focus.h"
#include "cli/options/report.h"
#include "collect/collect.h"
#include "serve/live.h"

struct ms_cli_live_view {
	const struct ms_options_focus *focus;
	const struct ms_options_report *report;
	const struct ms_serve_live *live;
};

/* Draws on `look` as long as the run goes on. */
struct ms_collect_snapshot ms_cli_live_view_snapshot(struct ms_cli_live_view *look);

#endif
