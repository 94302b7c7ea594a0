/* launch/cpus.c - reads --cpus: "0,1,1,3", "0-2,0" or "affinity". */
#include "launch/cpus.h"

#include <stdlib.h>
#include <string.h>

/* Reads a processor's number; *end: the text after it; false: there is none. */
static bool read_processor(const char *at, char **end, unsigned long *processor)
{
	*processor = strtoul(at, end, 10);
	return at[0] >= '0' && at[0] <= '9';
}

/* "3", or "0-3" for one thread on each of them. */
static int read_some(struct ms_launch_cpus *cpus, const char *at, char **end, uint32_t processors,
		     struct ms_err *err)
{
	unsigned long first, last;
	bool good = read_processor(at, end, &first);

	last = first;
	if (good && **end == '-')
		good = read_processor(*end + 1, end, &last) && last >= first;
	if (!good || (**end != ',' && **end != '\0'))
		return ms_fail(err, MS_EUSAGE,
			       "--cpus %s: expected processors such as 0,1,1,3 or 0-3 (of the "
			       "first thread, the second ...), or affinity",
			       cpus->text);
	if (last >= processors || cpus->map.n + (last - first) >= MS_LAUNCH_MOST_MAPPED)
		return ms_fail(err, MS_EUSAGE,
			       "--cpus %s: processor %lu, expected 0 to %u as there are %u, "
			       "and at most %d threads",
			       cpus->text, last, processors - 1, processors, MS_LAUNCH_MOST_MAPPED);
	for (unsigned long i = first; i <= last; i++)
		*ms_vec_add(&cpus->map) = (uint32_t)i;
	return MS_OK;
}

int ms_launch_cpus_read(struct ms_launch_cpus *cpus, const char *text, uint32_t processors,
			struct ms_err *err)
{
	*cpus = (struct ms_launch_cpus){ .text = text };
	if (strcmp(text, "affinity") == 0) {
		cpus->affinity = true;
		return MS_OK;
	}
	for (const char *at = text;; at++) {
		char *end;
		int status = read_some(cpus, at, &end, processors, err);

		if (status != MS_OK) {
			ms_vec_free(&cpus->map);
			return status;
		}
		if (*end == '\0')
			return MS_OK;
		at = end;
	}
}

void ms_launch_cpus_free(struct ms_launch_cpus *cpus)
{
	ms_vec_free(&cpus->map);
}
