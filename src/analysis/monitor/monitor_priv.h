/* analysis/monitor/monitor_priv.h - what monitor.c has done by sample_accuracy.c. */
#ifndef MS_ANALYSIS_MONITOR_MONITOR_PRIV_H
#define MS_ANALYSIS_MONITOR_MONITOR_PRIV_H

#include "analysis/monitor/monitor.h"

/* Shares, intervals, ranks, order and accuracy of a list whose events are added up. */
void ms_monitor_compute_accuracy(struct ms_monitor_list *list, const struct ms_run *run,
				 double effective);
/* Half the interval of a share of one half, which has the widest. */
double ms_monitor_precision(double effective);

#endif
