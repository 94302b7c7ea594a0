#include "stream/timestamps.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum ms_wire_stamps ms_stream_timestamps_by_clock(const char *available)
{
	const size_t n = strlen(ms_stream_timestamps_clock);

	for (const char *at = available; *at != '\0'; at += strcspn(at, " \n")) {
		at += strspn(at, " \n");
		if (strcspn(at, " \n") == n && strncmp(at, ms_stream_timestamps_clock, n) == 0)
			return MS_WIRE_STAMPS_COUNTER;
	}
	return MS_WIRE_STAMPS_COUNTED;
}

/* Overrides the kernel's choice. */
static bool is_requested(const char *request, enum ms_wire_stamps *stamps)
{
	static const char *const names[] = {
		[MS_WIRE_STAMPS_NONE] = "none",
		[MS_WIRE_STAMPS_COUNTER] = "counter",
		[MS_WIRE_STAMPS_COUNTED] = "counted",
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (request != NULL && strcmp(request, names[i]) == 0) {
			*stamps = i;
			return true;
		}
	return false;
}

enum ms_wire_stamps ms_stream_timestamps_of_machine(void)
{
	static const char clocks[] =
		"/sys/devices/system/clocksource/clocksource0/available_clocksource";
	enum ms_wire_stamps requested;
	char available[256] = "";

	if (is_requested(getenv("MEMSPY_NATIVE_STAMPS"), &requested))
		return requested;
	FILE *file = fopen(clocks, "re");
	if (file != NULL) {
		available[fread(available, 1, sizeof(available) - 1, file)] = '\0';
		fclose(file);
	}
	return ms_stream_timestamps_by_clock(available);
}
