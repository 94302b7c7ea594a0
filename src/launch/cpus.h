/* launch/cpus.h - which processor each thread of the program is on, as the user says. */
#ifndef MS_LAUNCH_CPUS_H
#define MS_LAUNCH_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

/* Threads that --cpus can map one by one; the map repeats for further threads. */
enum { MS_LAUNCH_MOST_MAPPED = 1024 };

/* Where several processors are simulated. */
struct ms_launch_cpus {
	const char *text;     /* as typed; NULL: round-robin */
	bool affinity;        /* as the program itself binds them */
	MS_VEC(uint32_t) map; /* for the first threads; it repeats for further ones */
};

/* text: "0,1,1,3" or "0-2,0", with processors below `processors`, or "affinity". */
int ms_launch_cpus_read(struct ms_launch_cpus *cpus, const char *text, uint32_t processors,
			struct ms_err *err);
void ms_launch_cpus_free(struct ms_launch_cpus *cpus);

#endif
