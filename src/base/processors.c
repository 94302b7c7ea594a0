/* base/processors.c - counts the processors that memspy may use. */
#include "base/processors.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* Supports any number of processors of the kernel: the kernel refuses a set that is too small. */
static unsigned affinity(void)
{
	enum { MOST = 1 << 16 };

	for (int n = CPU_SETSIZE; n <= MOST; n *= 2) {
		cpu_set_t *set = CPU_ALLOC((size_t)n);
		size_t size = CPU_ALLOC_SIZE((size_t)n);
		int count = 0;

		if (set != NULL && sched_getaffinity(0, size, set) == 0)
			count = CPU_COUNT_S(size, set);
		CPU_FREE(set);
		if (count > 0)
			return (unsigned)count;
	}
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (unsigned)online : 1;
}

unsigned ms_processors_quota(const char *text)
{
	uint64_t quota, period;

	if (sscanf(text, "%" SCNu64 " %" SCNu64, &quota, &period) != 2 || quota == 0 || period == 0)
		return 0;
	uint64_t worth = quota / period + (quota % period != 0);
	return worth > INT32_MAX ? 0 : (unsigned)worth;
}

/* A container sees its own control group as the root. */
static unsigned container_quota(void)
{
	FILE *in = fopen("/sys/fs/cgroup/cpu.max", "re");
	char line[64] = "";
	unsigned quota = 0;

	if (in == NULL)
		return 0;
	if (fgets(line, sizeof(line), in) != NULL)
		quota = ms_processors_quota(line);
	fclose(in);
	return quota;
}

unsigned ms_processors_allowed(void)
{
	unsigned allowed = affinity(), quota = container_quota();

	return quota != 0 && quota < allowed ? quota : allowed;
}
