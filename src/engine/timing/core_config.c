/* engine/timing/core_config.c - the figures of a machine in ticks: see core_config.h. */
#include "engine/timing/core_config.h"

#include "base/mem.h"
#include "engine/timing/stride_prefetcher.h"
#include "machine/machine.h"

/* Figures that a description omits, or that are out of the model's range. */
static uint32_t bounded(uint32_t value, uint32_t omitted, uint32_t most)
{
	value = value == 0 ? omitted : value;
	return value < most ? value : most;
}

/* With a larger stride each line is in another page, and prefetchers do not wait for walks. */
static uint32_t smaller(uint32_t stride, uint32_t page)
{
	return stride < page ? stride : page;
}

/* Cycles. 0: a figure of the machine. */
static const uint8_t operation_cycles[MS_WIRE_OPERATIONS] = {
	[MS_WIRE_OP_INTEGER] = 1,
	[MS_WIRE_OP_MULTIPLY] = 3,
	[MS_WIRE_OP_DIVIDE] = 12,
	[MS_WIRE_OP_FLOAT_ADD] = 0,
	[MS_WIRE_OP_FLOAT_MULTIPLY] = 0,
	[MS_WIRE_OP_FLOAT_DIVIDE] = 12,
	[MS_WIRE_OP_VECTOR] = 2,
	[MS_WIRE_OP_BRANCH] = 1,
	[MS_WIRE_OP_CONDITIONAL_BRANCH] = 1,
	[MS_WIRE_OP_INDIRECT_BRANCH] = 1,
	[MS_WIRE_OP_CALL] = 1,
	[MS_WIRE_OP_RETURN] = 1,
	[MS_WIRE_OP_ATOMIC] = 5,
	[MS_WIRE_OP_OTHER] = 1,
};

static void set_operations(struct ms_timing_config *config, const struct ms_machine_core *core)
{
	enum { LOAD = 4, ADD = 3, MULTIPLY = 4 };
	const uint32_t most = MS_OPERATION_LATENCY_MOST;

	for (unsigned i = 0; i < MS_WIRE_OPERATIONS; i++)
		config->operations[i] = (uint64_t)operation_cycles[i] * MS_TIMING_TICKS;
	config->hit = (uint64_t)bounded(core->load_latency, LOAD, most) * MS_TIMING_TICKS;
	config->operations[MS_WIRE_OP_FLOAT_ADD] =
		(uint64_t)bounded(core->float_add_latency, ADD, most) * MS_TIMING_TICKS;
	config->operations[MS_WIRE_OP_FLOAT_MULTIPLY] =
		(uint64_t)bounded(core->float_multiply_latency, MULTIPLY, most) * MS_TIMING_TICKS;
}

static uint64_t transfer_ticks(uint32_t line, uint32_t bytes_milli)
{
	return bytes_milli == 0 ? 0 : (uint64_t)line * 1000 * MS_TIMING_TICKS / bytes_milli;
}

static void set_latencies(struct ms_timing_config *config, const struct ms_machine *machine)
{
	config->latency = ms_alloc((config->levels + 1) * sizeof(*config->latency));
	for (uint32_t missed = 1; missed <= config->levels; missed++)
		config->latency[missed] =
			(uint64_t)MS_TIMING_TICKS * (missed < config->levels
							     ? machine->levels.at[missed].latency
							     : machine->memory_latency);
}

void ms_timing_open_config(struct ms_timing_config *config, const struct ms_machine *machine)
{
	enum { WINDOW = 256, STORES = 64, MOST = 4096, PAGE = 4096, IPC_MILLI = 4000 };
	const struct ms_machine_core *core = &machine->core;
	const struct ms_machine_level *first = &machine->levels.at[0];
	const struct ms_machine_level *last = &machine->levels.at[machine->levels.n - 1];

	*config = (struct ms_timing_config){
		.levels = (uint32_t)machine->levels.n,
		.line_shift = (uint32_t)__builtin_ctz(first->line),
		.window = bounded(core->window, WINDOW, MOST),
		.dispatch = MS_TIMING_TICKS * 1000 / bounded(core->ipc_milli, IPC_MILLI, 64000),
		.outstanding = bounded(core->outstanding, MS_ASSUMED_OUTSTANDING, MOST),
		.store_buffer = bounded(core->store_buffer, STORES, MOST),
		.prefetch_distance =
			bounded(core->prefetch_distance, 0, MS_TIMING_MAX_DISTANCE - 1),
		.prefetch_stride = smaller(core->prefetch_stride, core->page) / first->line,
		.prefetch_crosses_pages = core->prefetch_crosses_pages != 0,
		.streams = bounded(core->prefetch_streams, 1, MOST),
		.page_shift = (uint32_t)__builtin_ctz(bounded(core->page, PAGE, 1u << 30)),
		.tlb_entries = core->tlb_entries,
		.second_entries = core->tlb_second_entries,
		.second_latency = (uint64_t)core->tlb_second_latency * MS_TIMING_TICKS,
		.walk_latency = (uint64_t)core->walk_latency * MS_TIMING_TICKS,
		.walks = bounded(core->walks, 1, MOST),
		.transfer_line = last->line,
		.read_transfer = transfer_ticks(last->line, core->bandwidth_milli),
		.write_transfer = transfer_ticks(last->line, core->write_bandwidth_milli),
	};
	if (config->page_shift < config->line_shift)
		config->page_shift = config->line_shift;
	config->small_page_shift = config->page_shift;
	if (core->huge_pages == MS_HUGE_PAGES_ALWAYS && core->huge_page != 0)
		config->page_shift = (uint32_t)__builtin_ctz(core->huge_page);
	set_operations(config, core);
	set_latencies(config, machine);
}

void ms_timing_close_config(struct ms_timing_config *config)
{
	ms_free(config->latency);
}
