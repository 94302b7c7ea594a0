/* base/seconds.h - time that passes, in seconds, and moments. */
#ifndef MS_BASE_SECONDS_H
#define MS_BASE_SECONDS_H

#include <time.h>

/* Seconds since some fixed moment; not affected by changes of the time of day. */
double ms_seconds_now(void);

enum { MS_SECONDS_UTC_TEXT = 32 };

/* "2026-11-15T10:31:02Z": UTC, as runs and rules store moments; text that sorts by time. */
void ms_seconds_format_utc(time_t moment, char text[MS_SECONDS_UTC_TEXT]);

#endif
