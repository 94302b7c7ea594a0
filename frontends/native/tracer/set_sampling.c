/*
 * set_sampling.c - with sampled sets: finds out whether the line of an address is simulated.
 *
 * Generated code reads a table of bytes: bit 0 is set if the line is simulated, bit 1 if the lines
 * of the next group are. If the table is small, its index is the address with all other bits masked
 * out, which saves a shift for each reference.
 */
#include "arch.h"
#include "runtime/config.h"
#include "tracer/block_descriptions.h"
#include "tracer/code_cache.h"
#include "tracer/tracer.h"

struct ms_tracer_sampled_sets ms_tracer_sampled_sets;

static uint32_t is_group_sampled(uint32_t group)
{
	return ms_runtime_config.sampled_groups[group / 8] >> group % 8 & 1;
}

bool ms_tracer_start_set_sampling(void)
{
	uint32_t shift = ms_runtime_config.group_shift;

	if (ms_runtime_config.set_groups == 0)
		return true;
	if ((uint64_t)ms_runtime_config.set_groups << shift > MS_TRACER_MAX_UNSHIFTED_TABLE)
		ms_tracer_sampled_sets.shift = shift;
	ms_tracer_sampled_sets.mask = (ms_runtime_config.set_groups - 1)
				      << (shift - ms_tracer_sampled_sets.shift);
	ms_tracer_sampled_sets.table = ms_tracer_map_near_code(ms_tracer_sampled_sets.mask + 1);
	if (ms_tracer_sampled_sets.table == NULL || !ms_tracer_start_ref_blocks())
		return false;
	for (uint32_t group = 0; group < ms_runtime_config.set_groups; group++)
		ms_tracer_sampled_sets.table[group << (shift - ms_tracer_sampled_sets.shift)] =
			(uint8_t)(is_group_sampled(group) |
				  is_group_sampled((group + 1) % ms_runtime_config.set_groups)
					  << 1);
	return true;
}

bool ms_tracer_is_line_sampled(uint64_t address)
{
	return ms_tracer_sampled_sets.table[address >> ms_tracer_sampled_sets.shift &
					    ms_tracer_sampled_sets.mask] &
	       1;
}

bool ms_tracer_is_reference_sampled(uint64_t address, uint32_t size)
{
	return ms_tracer_is_line_sampled(address) ||
	       (size > 1 && ms_tracer_is_line_sampled(address + size - 1));
}
