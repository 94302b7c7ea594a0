/* machine/room.c - the amount of memory to measure in, without pushing out other processes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine/calibrate.h"

/* The number after `key` in a system file; UINT64_MAX: there is none. */
static uint64_t read_after(const char *path, const char *key)
{
	FILE *in = fopen(path, "re");
	uint64_t value = UINT64_MAX;
	char line[256];

	while (in != NULL && fgets(line, sizeof(line), in) != NULL)
		if (strncmp(line, key, strlen(key)) == 0 &&
		    sscanf(line + strlen(key), "%" SCNu64, &value) == 1)
			break;
	if (in != NULL)
		fclose(in);
	return value;
}

static uint64_t available(void)
{
	uint64_t kilobytes = read_after("/proc/meminfo", "MemAvailable:");
	long pages = sysconf(_SC_AVPHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	if (kilobytes != UINT64_MAX)
		return kilobytes * 1024;
	return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

/* A quarter of the free memory, and of a container's limit: beyond that it would be killed. */
uint64_t ms_machine_calibrate_room(void)
{
	static const char *const limits[] = { "/sys/fs/cgroup/memory.max",
					      "/sys/fs/cgroup/memory/memory.limit_in_bytes" };
	uint64_t room = available();

	for (size_t i = 0; i < MS_COUNT(limits); i++) {
		uint64_t limit = read_after(limits[i], "");

		room = limit < room ? limit : room;
	}
	return room / 4;
}
