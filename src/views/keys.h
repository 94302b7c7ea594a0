/* views/keys.h - keys that JSON and CSV share. */
#ifndef MS_VIEWS_KEYS_H
#define MS_VIEWS_KEYS_H

#include "analysis/diff/diff.h"
#include "analysis/monitor/monitor.h"
#include "run/run.h"

extern const char *const ms_views_cause_keys[MS_CAUSES];
extern const char *const ms_views_presence_keys[]; /* by enum ms_diff_presence */
extern const char *const ms_views_monitor_keys[MS_MONITOR_LISTS];

#endif
