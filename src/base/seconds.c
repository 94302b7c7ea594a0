#include "base/seconds.h"

double ms_seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void ms_seconds_format_utc(time_t moment, char text[MS_SECONDS_UTC_TEXT])
{
	struct tm utc;

	strftime(text, MS_SECONDS_UTC_TEXT, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&moment, &utc));
}
