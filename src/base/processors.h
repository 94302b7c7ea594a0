/*
 * base/processors.h - how many processors of this machine are ours to use: those that the process
 * may run on, and no more than a container's share of time is worth.
 */
#ifndef MS_BASE_PROCESSORS_H
#define MS_BASE_PROCESSORS_H

/* At least 1. */
unsigned ms_processors_allowed(void);

/* What `cpu.max` of a control group is worth, rounded up; 0: it sets no limit, or is none. */
unsigned ms_processors_quota(const char *text);

#endif
