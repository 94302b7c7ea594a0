/* cli/live_view.h - a run as somebody sees it in memspy serve while it goes on. */
#ifndef MS_CLI_LIVE_VIEW_H
#define MS_CLI_LIVE_VIEW_H

#include "cli/options/focus.h"
#include "cli/options/report.h"
#include "collect/collect.h"
#include "serve/live.h"

struct ms_look {
	const struct ms_focus_options *focus;
	const struct ms_report_options *report;
	const struct ms_live *live;
};

/* Draws on `look` as long as the run goes on. */
struct ms_snapshot ms_look_snapshot(struct ms_look *look);

#endif
