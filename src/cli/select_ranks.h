/* cli/select_ranks.h - some of the ranks of a merged run: --rank, --node, --cluster. */
#ifndef MS_CLI_SELECT_RANKS_H
#define MS_CLI_SELECT_RANKS_H

#include "cli/options/report.h"

/* *run becomes the sums over the ranks that are asked for, if any are; on failure it is freed. */
int ms_cli_select_ranks(const struct ms_options_report *opts, struct ms_run *run,
			struct ms_err *err);

#endif
