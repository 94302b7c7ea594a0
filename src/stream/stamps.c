#include "stream/stamps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum ms_wire_stamps ms_stamps_by(const char *available)
{
	const size_t n = strlen(ms_stamps_clock);

	for (const char *at = available; *at != '\0'; at += strcspn(at, " \n")) {
		at += strspn(at, " \n");
		if (strcspn(at, " \n") == n && strncmp(at, ms_stamps_clock, n) == 0)
			return MS_WIRE_STAMPS_COUNTER;
	}
	return MS_WIRE_STAMPS_COUNTED;
}

enum ms_wire_stamps ms_stamps_here(void)
{
	static const char clocks[] =
		"/sys/devices/system/clocksource/clocksource0/available_clocksource";
	const char *wish = getenv("MEMSPY_NATIVE_STAMPS");
	char available[256] = "";

	if (wish != NULL)
		return strcmp(wish, "none") == 0 ? MS_WIRE_STAMPS_NONE : MS_WIRE_STAMPS_COUNTED;
	FILE *file = fopen(clocks, "re");
	if (file != NULL) {
		available[fread(available, 1, sizeof(available) - 1, file)] = '\0';
		fclose(file);
	}
	return ms_stamps_by(available);
}
