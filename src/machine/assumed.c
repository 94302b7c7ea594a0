/*
 * machine/assumed.c - default figures for what neither the system nor the user specifies: round
 * numbers in the middle of the range of current server processors. docs/formats/machine.md lists
 * them for users.
 */
#include <string.h>

#include "machine/machine_priv.h"

static const struct {
	const char *name;
	uint32_t cycles;
} latencies[] = {
	{ "L1", 0 }, { "L2", 14 }, { "L3", 50 }, { "L4", 100 }, { "LL", 50 },
};

uint32_t ms_machine_assumed_latency(const char *level)
{
	for (size_t i = 0; i < MS_COUNT(latencies); i++)
		if (strcmp(latencies[i].name, level) == 0)
			return latencies[i].cycles;
	return latencies[MS_COUNT(latencies) - 1].cycles;
}

void ms_machine_assume_memory(struct ms_machine *machine)
{
	machine->memory_latency = MS_ASSUMED_MEMORY_LATENCY;
	machine->remote_latency = MS_ASSUMED_MEMORY_LATENCY;
	machine->peer_latency = MS_ASSUMED_PEER_LATENCY;
	machine->memory_latency_origin = MS_ORIGIN_ASSUMED;
	machine->remote_latency_origin = MS_ORIGIN_MEMORY;
	machine->peer_latency_origin = MS_ORIGIN_ASSUMED;
}

static const struct ms_machine_generic levels[MS_GENERIC_LEVELS] = {
	{ 32 << 10, 8, 64 },
	{ 1 << 20, 16, 64 },
	{ 32 << 20, 16, 64 },
};

const struct ms_machine_generic *ms_machine_generic_level(unsigned number)
{
	return &levels[number <= MS_GENERIC_LEVELS ? number - 1 : MS_GENERIC_LEVELS - 1];
}
