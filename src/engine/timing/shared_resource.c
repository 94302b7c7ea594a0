/* engine/timing/shared_resource.c - see shared_resource.h. */
#include "engine/timing/shared_resource.h"

#include <string.h>

void ms_timing_open_resource(struct ms_timing_resource *resource, uint64_t cost, uint32_t servers)
{
	enum { REQUESTS = 8 }; /* in an interval, at least */

	*resource = (struct ms_timing_resource){ .cost = cost, .servers = servers };
	while (UINT64_C(1) << resource->shift < cost * REQUESTS)
		resource->shift++;
}

void ms_timing_restart_resource(struct ms_timing_resource *resource)
{
	memset(resource->intervals, 0, sizeof(resource->intervals));
}

uint64_t ms_timing_serve(struct ms_timing_resource *resource, uint64_t at, uint64_t cost)
{
	uint64_t number = at >> resource->shift, room = resource->servers;
	struct ms_timing_interval *interval;

	if (resource->cost == 0 || cost == 0)
		return at + cost;
	for (room <<= resource->shift;; number++) {
		interval = &resource->intervals[number % MS_TIMING_INTERVALS];
		if (interval->number > number)
			return at + cost; /* requests of a much later time are known already */
		if (interval->number < number)
			*interval = (struct ms_timing_interval){ .number = number };
		if (interval->used + cost <= room)
			break;
	}
	interval->used += cost;
	uint64_t served = (number << resource->shift) + interval->used / resource->servers;
	return served > at + cost ? served : at + cost;
}
