/*
 * base/processors.h - the number of processors of this machine that memspy may use: those in the
 * affinity mask of the process, limited by the CPU quota of a container.
 */
#ifndef MS_BASE_PROCESSORS_H
#define MS_BASE_PROCESSORS_H

/* At least 1. */
unsigned ms_processors_allowed(void);

/*
 * The quota in `cpu.max` of a control group, rounded up; 0: there is no limit, or the text is
 * invalid.
 */
unsigned ms_processors_quota(const char *text);

#endif
