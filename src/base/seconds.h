/* base/seconds.h - time that passes, in seconds. */
#ifndef MS_BASE_SECONDS_H
#define MS_BASE_SECONDS_H

/* Seconds since some fixed moment; not affected by changes of the time of day. */
double ms_seconds_now(void);

#endif
