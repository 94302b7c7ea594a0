/* analysis/pmu_priv.h - what pmu.c has done by pmu_judge.c. */
#ifndef MS_ANALYSIS_PMU_PRIV_H
#define MS_ANALYSIS_PMU_PRIV_H

#include "analysis/pmu.h"

/* Shares, intervals, ranks, order and accuracy of a list whose events are added up. */
void ms_monitor_judge(struct ms_monitor_list *list, const struct ms_run *run, double effective);
/* Half the interval of a share of one half, which has the widest. */
double ms_monitor_precision(double effective);

#endif
