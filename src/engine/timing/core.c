/* engine/timing/core.c - see core.h. */
#include "engine/timing/core.h"

#include <string.h>

#include "base/mem.h"
#include "engine/timing/replay.h"
#include "wire/wire.h"

void ms_timing_open_core(struct ms_timing_core *core, const struct ms_timing_config *config,
			 struct ms_timing_sums *sums)
{
	core->config = config;
	ms_timing_open_path(&core->path, config, sums);
	ms_timing_open_resource(&core->divider, MS_TIMING_DIVIDER_CYCLES * MS_TIMING_TICKS, 1);
	core->window = ms_alloc(config->window * sizeof(*core->window));
	core->stores = ms_alloc(config->store_buffer * sizeof(*core->stores));
}

void ms_timing_close_core(struct ms_timing_core *core)
{
	ms_timing_close_path(&core->path);
	ms_free(core->window);
	ms_free(core->stores);
	ms_free(core->chained);
}

void ms_timing_restart_core(struct ms_timing_core *core)
{
	ms_timing_restart_path(&core->path);
	ms_timing_restart_resource(&core->divider);
	memset(core->values, 0, sizeof(core->values));
	memset(core->written, 0, sizeof(core->written));
	memset(core->window, 0, core->config->window * sizeof(*core->window));
	memset(core->stores, 0, core->config->store_buffer * sizeof(*core->stores));
	core->now = core->retired = core->drained = MS_TIMING_START;
	core->waited = 0;
	core->jump = 0;
}

/* --- waiting --- */

/* Nothing is dispatched until `until`. for_memory: because of misses, if any are in flight. */
static void wait_until(struct ms_timing_core *core, uint64_t until, bool for_memory, bool stores)
{
	if (until <= core->now)
		return;
	if (for_memory)
		core->waited += ms_timing_charge(&core->path.exposure, core->now, until, stores);
	core->now = until;
}

/* The instruction enters the window when the one that is a window before it has retired. */
static struct ms_timing_slot *enter_window(struct ms_timing_core *core)
{
	struct ms_timing_slot *slot = &core->window[core->instructions % core->config->window];

	wait_until(core, slot->retires, slot->is_late, false);
	return slot;
}

static void leave(struct ms_timing_core *core, struct ms_timing_slot *slot, uint64_t done,
		  bool is_late)
{
	core->retired = ms_timing_later(core->retired, done);
	*slot = (struct ms_timing_slot){ core->retired, is_late };
	core->instructions++;
	core->now += core->config->dispatch;
}

/* --- operands --- */

/* The registers that an instruction reads. */
struct operands {
	struct ms_timing_value all;     /* when all are ready */
	struct ms_timing_value address; /* likewise, of those for addresses */
};

/* The later one counts; loads on which either depends are kept. */
static void join(struct ms_timing_value *into, const struct ms_timing_value *value)
{
	if (value->ready > into->ready) {
		into->ready = value->ready;
		into->is_late = value->is_late;
	}
	if (into->latest == 0) {
		into->latest = value->latest;
		into->earlier = value->earlier;
	}
}

static void read_registers(const struct ms_timing_core *core, uint64_t operands,
			   struct operands *read)
{
	*read = (struct operands){ .all.ready = core->now, .address.ready = core->now };
	for (uint32_t i = 0; i < MS_WIRE_READS; i++) {
		uint32_t reg = ms_wire_read_register(operands, i);

		if (reg == 0)
			break;
		join(&read->all, &core->values[reg]);
		if (ms_wire_is_address(operands, i))
			join(&read->address, &core->values[reg]);
	}
}

static void write_registers(struct ms_timing_core *core, uint64_t operands,
			    const struct operands *read, const struct ms_timing_value *result)
{
	for (uint32_t i = 0; i < MS_WIRE_WRITTEN; i++) {
		uint32_t reg = ms_wire_written_register(operands, i);

		if (reg == 0)
			return;
		core->values[reg] = *result;
		if (ms_wire_is_write_back(operands, i)) {
			core->values[reg] = read->address;
			core->values[reg].ready += MS_TIMING_TICKS;
		}
	}
}

/* --- dependence --- */

static bool descends(const struct ms_timing_value *value, uint32_t site)
{
	return value->latest == site + 1 || value->earlier == site + 1;
}

static bool is_chained(const struct ms_timing_core *core, uint32_t site)
{
	return site < core->chained_size && core->chained[site] != 0;
}

static void set_chained(struct ms_timing_core *core, uint32_t site)
{
	if (site >= core->chained_size) {
		size_t size = ((size_t)site + 1) * 2;

		core->chained = ms_realloc(core->chained, size);
		memset(core->chained + core->chained_size, 0, size - core->chained_size);
		core->chained_size = size;
	}
	core->chained[site] = 1;
}

/* A load whose address depends on a chain is part of its iteration: it counts as chained. */
static enum ms_engine_dependence classify(struct ms_timing_core *core,
					  const struct ms_timing_value *address, uint32_t site,
					  bool is_known)
{
	if (!is_known)
		return MS_ENGINE_DEPENDENCE_UNKNOWN;
	if (address->latest == 0)
		return MS_ENGINE_DEPENDENCE_AFFINE;
	if (descends(address, site)) {
		set_chained(core, site);
		return MS_ENGINE_DEPENDENCE_CHAINED;
	}
	return is_chained(core, address->latest - 1) ? MS_ENGINE_DEPENDENCE_CHAINED
						     : MS_ENGINE_DEPENDENCE_LED;
}

/* --- one execution of a block --- */

struct execution {
	struct ms_timing_core *core;
	struct ms_timing_replay *replay;
	const struct ms_engine_block *block;
	uint32_t number;
	uint32_t exit;
	uint32_t refs;         /* made before the exit */
	uint32_t instructions; /* likewise */
	const uint64_t *addresses;
	uint32_t next_ref;
	/* Of the present instruction: */
	struct operands read;
	bool is_late; /* it loads a line that is on its way */
};

/* Traces without instructions: each reference is one. */
static bool makes_reference(const struct execution *e, uint32_t instruction)
{
	if (e->next_ref >= e->refs)
		return false;
	return (e->block->exit_instructions != NULL ? e->block->ref[e->next_ref].instruction
						    : e->next_ref) <= instruction;
}

/* --- memory --- */

static struct ms_timing_written *find_written(struct ms_timing_core *core, uint64_t address)
{
	return &core->written[(address >> 3) % MS_TIMING_WRITTEN];
}

static bool is_written(const struct ms_timing_written *written, uint64_t address)
{
	return written->address == (address >> 3) + 1;
}

/*
 * A line that enters the first level needs its port for a moment: it takes the place of one
 * instruction, also where all of its latency is hidden. memory_path.c charges the miss for it.
 */
static void take_fill_slot(struct ms_timing_core *core)
{
	core->now += core->config->dispatch;
	core->waited += core->config->dispatch;
}

static void set_miss(struct execution *e, const struct ms_timing_miss *miss,
		     struct ms_timing_access *access)
{
	struct ms_timing_sums *sums = e->core->path.exposure.sums;

	take_fill_slot(e->core);
	access->missed = miss->missed;
	access->cell = ms_timing_get_cell(sums, miss->site, miss->data);
	sums->cells.at[access->cell].dependences[classify(e->core, &e->read.address, miss->site,
							  e->block->operands != NULL)]++;
}

/* A modify is one access to the caches: its load takes the miss, and its store finds the line. */
static bool takes_miss(const struct ms_engine_block_ref *ref, bool is_store)
{
	return !is_store || ref->kind == MS_WIRE_WRITE;
}

/* Returns when all lines of the reference are in the first level. */
static uint64_t access_lines(struct execution *e, const struct ms_engine_block_ref *ref,
			     uint64_t address, uint64_t start, bool is_store)
{
	uint32_t shift = e->core->config->line_shift;
	uint64_t done = start, last = (address + ref->size - 1) >> shift;

	for (uint64_t line = address >> shift; line <= last; line++) {
		const struct ms_timing_miss *miss =
			takes_miss(ref, is_store) ? ms_timing_take_miss(e->replay, line, ref->site)
						  : NULL;
		struct ms_timing_access access = {
			.line = line, .start = start, .is_store = is_store, .site = ref->site
		};

		if (miss != NULL)
			set_miss(e, miss, &access);
		done = ms_timing_later(done, ms_timing_access_line(&e->core->path, &access));
	}
	return done;
}

/* What a load reads: memory, or what a store before it has left in the store buffer. */
static struct ms_timing_value load(struct execution *e, const struct ms_engine_block_ref *ref,
				   uint64_t address)
{
	const struct ms_timing_written *written = find_written(e->core, address);
	const struct ms_timing_value *from = &e->read.address;
	uint64_t arrives = access_lines(e, ref, address, from->ready, false);
	struct ms_timing_value value = {
		.ready = arrives + e->core->config->hit,
		.latest = ref->site + 1,
		.earlier = from->latest & INT32_MAX,
		.is_late = arrives > from->ready || from->is_late,
	};

	e->is_late |= arrives > from->ready;
	if (is_written(written, address)) {
		value = written->value;
		value.ready = ms_timing_later(value.ready, from->ready) +
			      MS_TIMING_FORWARD_CYCLES * MS_TIMING_TICKS;
		return value;
	}
	if (descends(from, ref->site))
		set_chained(e->core, ref->site);
	return value;
}

/* A store waits in the store buffer until its line is there, after all stores before it. */
static void store(struct execution *e, const struct ms_engine_block_ref *ref, uint64_t address)
{
	struct ms_timing_core *core = e->core;
	uint64_t *entry = &core->stores[core->stores_made++ % core->config->store_buffer];

	wait_until(core, *entry, true, true);
	uint64_t arrives = access_lines(e, ref, address,
					ms_timing_later(core->now, e->read.address.ready), true);

	core->drained = ms_timing_later(ms_timing_later(core->drained, arrives), e->read.all.ready);
	*entry = core->drained;
	*find_written(core, address) =
		(struct ms_timing_written){ (address >> 3) + 1, e->read.all };
}

static void make_references(struct execution *e, uint32_t instruction,
			    struct ms_timing_value *result)
{
	do {
		const struct ms_engine_block_ref *ref = &e->block->ref[e->next_ref];
		uint64_t address = e->addresses[e->next_ref++];

		if (address == 0)
			continue; /* conditional, and not executed */
		if (ref->kind != MS_WIRE_WRITE) {
			struct ms_timing_value value = load(e, ref, address);

			if (value.ready >= result->ready)
				*result = value;
		}
		if (ref->kind != MS_WIRE_READ)
			store(e, ref, address);
	} while (makes_reference(e, instruction));
}

/* --- branches --- */

static void resolve_branch(struct ms_timing_core *core, const struct ms_timing_value *result,
			   bool is_predicted)
{
	if (is_predicted)
		return;
	wait_until(core, result->ready, result->is_late, false);
	wait_until(core, result->ready + MS_TIMING_MISPREDICTION_CYCLES * MS_TIMING_TICKS, false,
		   false);
}

/* The block after an indirect branch is its outcome. */
static void resolve_jump(struct ms_timing_core *core, uint32_t block)
{
	struct ms_timing_value at_once = { .ready = core->now };

	if (core->jump == 0)
		return;
	resolve_branch(core, &at_once, ms_timing_predict(&core->predictor, core->jump, block));
	core->jump = 0;
}

static uint64_t branch_key(const struct execution *e, uint32_t instruction)
{
	return ((uint64_t)e->number << 16 | instruction) + 1;
}

/* The last branch leaves the block; those before it stayed in it. */
static void branch(const struct execution *e, uint32_t instruction, uint32_t operation,
		   const struct ms_timing_value *result)
{
	struct ms_timing_core *core = e->core;
	bool is_last = instruction + 1 == e->instructions;

	if (operation == MS_WIRE_OP_CONDITIONAL_BRANCH)
		resolve_branch(core, result,
			       ms_timing_predict(&core->predictor, branch_key(e, instruction),
						 is_last ? e->exit + 1 : 0));
	else if (operation == MS_WIRE_OP_INDIRECT_BRANCH && is_last)
		core->jump = branch_key(e, instruction);
}

/* --- instructions --- */

/* An operation that is neither a load nor a store, on operands that are ready at this time. */
static uint64_t compute(struct ms_timing_core *core, uint32_t operation, uint64_t ready)
{
	if (operation == MS_WIRE_OP_DIVIDE || operation == MS_WIRE_OP_FLOAT_DIVIDE)
		ready = ms_timing_serve(&core->divider, ready, core->divider.cost) -
			core->divider.cost;
	return ready + core->config->operations[operation];
}

static void execute(struct execution *e, uint32_t instruction)
{
	struct ms_timing_core *core = e->core;
	uint64_t operands = e->block->operands != NULL ? e->block->operands[instruction] : 0;
	uint32_t operation = ms_wire_operation_of(operands);
	struct ms_timing_slot *slot = enter_window(core);

	read_registers(core, operands, &e->read);
	struct ms_timing_value result = e->read.all;
	e->is_late = false;
	if (makes_reference(e, instruction))
		make_references(e, instruction, &result);
	else
		result.ready = compute(core, operation, result.ready);
	write_registers(core, operands, &e->read, &result);
	leave(core, slot, result.ready, e->is_late);
	branch(e, instruction, operation, &result);
}

void ms_timing_execute_block(struct ms_timing_core *core, struct ms_timing_replay *replay,
			     const struct ms_engine_block *block, uint32_t number, uint32_t exit,
			     const uint64_t *addresses)
{
	struct execution e = { .core = core,
			       .replay = replay,
			       .block = block,
			       .number = number,
			       .exit = exit,
			       .refs = block->exit_refs[exit],
			       .addresses = addresses };

	e.instructions = block->exit_instructions != NULL ? block->exit_instructions[exit] : e.refs;
	resolve_jump(core, number);
	for (uint32_t i = 0; i < e.instructions; i++)
		execute(&e, i);
}

void ms_timing_drain_core(struct ms_timing_core *core)
{
	for (uint32_t i = 0; i < core->config->window; i++)
		leave(core, enter_window(core), core->now, false);
	ms_timing_end_flights(&core->path.exposure);
	core->waited += ms_timing_apply_bandwidth(&core->path, core->now - MS_TIMING_START);
}
