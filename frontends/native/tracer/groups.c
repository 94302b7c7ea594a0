/*
 * groups.c - with sampled sets: finds out whether the line of an address is simulated.
 *
 * Generated code reads a table of bytes: bit 0 is set if the line is simulated, bit 1 if the lines
 * of the next group are. If the table is small, its index is the address with all other bits masked
 * out, which saves a shift for each reference.
 */
#include "arch.h"
#include "runtime/config.h"
#include "tracer.h"
#include "tracer/block_descriptions.h"
#include "tracer/code_cache.h"

struct ms_groups ms_groups;

static uint32_t is_seen(uint32_t group)
{
	return ms_config.group_seen[group / 8] >> group % 8 & 1;
}

bool ms_groups_start(void)
{
	uint32_t shift = ms_config.group_shift;

	if (ms_config.groups == 0)
		return true;
	if ((uint64_t)ms_config.groups << shift > MS_GROUPS_WIDE)
		ms_groups.shift = shift;
	ms_groups.mask = (ms_config.groups - 1) << (shift - ms_groups.shift);
	ms_groups.table = ms_tracer_near(ms_groups.mask + 1);
	if (ms_groups.table == NULL || !ms_block_start_apart())
		return false;
	for (uint32_t group = 0; group < ms_config.groups; group++)
		ms_groups.table[group << (shift - ms_groups.shift)] =
			(uint8_t)(is_seen(group) | is_seen((group + 1) % ms_config.groups) << 1);
	return true;
}

bool ms_groups_see(uint64_t address)
{
	return ms_groups.table[address >> ms_groups.shift & ms_groups.mask] & 1;
}

bool ms_groups_see_any(uint64_t address, uint32_t size)
{
	return ms_groups_see(address) || (size > 1 && ms_groups_see(address + size - 1));
}
