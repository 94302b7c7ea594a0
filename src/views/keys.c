#include "views/keys.h"

const char *const ms_views_cause_keys[MS_CAUSES] = { [MS_CAUSE_FIRST] = "first",
						     [MS_CAUSE_REPLACED] = "replacement",
						     [MS_CAUSE_INVALIDATED] = "invalidation" };

const char *const ms_views_presence_keys[] = {
	[MS_DIFF_BOTH] = "both", [MS_DIFF_APPEARED] = "appeared", [MS_DIFF_GONE] = "gone"
};

const char *const ms_views_monitor_keys[MS_MONITOR_LISTS] = {
	[MS_MONITOR_DATA] = "data",
	[MS_MONITOR_LINES] = "lines",
	[MS_MONITOR_EVICTIONS] = "evictions",
	[MS_MONITOR_EVICTION_LINES] = "eviction_lines",
};
