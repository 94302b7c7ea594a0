/*
 * tests/engine/refsim_timing.c - a part of refsim.c: the time of an out-of-order processor, as
 * docs/design/timing.md describes it. The instructions of a batch stand in one array with their
 * times, its misses in one list, its stores in another; each question is answered by a search.
 */
#include "base/map.h"
#include "engine/engine.h"
#include "wire/operands.h"
#include "wire/wire.h"

enum { TICKS = 64, TIMING_LEVELS = 8 };
#define START (UINT64_C(1) << 40)

/* A value in a register or in memory: when it is ready, and the loads that it depends on. */
struct timing_value {
	uint64_t ready;
	uint32_t latest, earlier; /* site; NONE */
	bool is_late;             /* it waits for a miss */
};

struct timing_instruction {
	uint64_t dispatched; /* or the time at which the window had room for it */
	uint64_t ready;      /* its operands */
	uint64_t done;
	uint64_t retires;
	bool is_late; /* it loads a line that is on its way */
};

struct timing_store {
	uint64_t address;
	uint64_t written; /* when it leaves the store buffer */
	struct timing_value value;
};

struct timing_flight {
	uint64_t line;
	uint32_t site, data, missed;
	uint64_t start, begin, end;
	uint64_t charged, latency, walk;
	bool is_store, is_prefetched, is_walk, is_pair;
};

struct timing_miss {
	uint64_t line;
	uint32_t site, data, missed;
	bool is_taken;
};

struct timing_level {
	uint64_t misses, exposed, prefetched;
};

struct timing_cell {
	uint32_t site, data;
	uint64_t walks, exposed_walks, waited;
	uint64_t dependences[MS_ENGINE_DEPENDENCES];
	struct timing_level level[TIMING_LEVELS];
};

struct timing_resource {
	MS_VEC(uint64_t) served; /* interval of each request */
};

struct timing_page {
	uint64_t page, used;
};

struct timing_tlb {
	MS_VEC(struct timing_page) entries;
};

struct timing_stream {
	uint32_t site; /* NONE: unused */
	uint32_t run, returns, batch;
	uint64_t line, interval;
	int64_t stride;
	MS_VEC(uint64_t) times; /* of all misses of the batch, after those before it */
};

/* A far miss of a site in a region of 64 lines. */
struct timing_region {
	uint32_t site;
	uint64_t number;
};

struct timing_prediction {
	uint32_t outcome, confidence;
};

struct timing_execution {
	const struct ms_engine_block *block;
	uint32_t number, exit;
	size_t addresses; /* the first one */
};

struct timing_compute {
	uint64_t instructions, ticks;
};

enum { PREDICTIONS = 1 << 14, TIMING_BLOCKS = 16 };

struct refsim_timing {
	const struct ms_machine *machine;
	uint32_t levels, window, store_buffer, distance;
	uint64_t dispatch, line, page, small_page;
	/* Of all batches: */
	MS_VEC(struct timing_cell) cells;
	struct timing_compute compute[TIMING_BLOCKS];
	MS_VEC(uint32_t) chained; /* sites */
	struct timing_tlb first, second;
	uint64_t now_tlb;
	MS_VEC(struct timing_stream) streams;
	uint32_t replays;
	struct timing_prediction by_branch[PREDICTIONS], by_history[PREDICTIONS];
	uint64_t history;
	/* Of this batch: */
	uint64_t number;
	size_t words;
	MS_VEC(struct timing_execution) executions;
	MS_VEC(uint64_t) addresses;
	MS_VEC(struct timing_miss) misses;
	MS_VEC(struct timing_instruction) instructions;
	MS_VEC(struct timing_flight) flights;
	MS_VEC(struct timing_store) stores;
	MS_VEC(uint64_t) demand_ends;
	MS_VEC(struct timing_region) regions;
	struct timing_resource walkers, divider;
	struct timing_value registers[MS_WIRE_REGISTERS];
	uint64_t now, waited;
	uint64_t jump; /* the indirect branch before this block; 0: none */
};

/* All of the first 32 batches are observed, then one of each 32. */
static bool is_chosen(uint64_t number)
{
	return number < 32 || ms_hash(number / 32, 0) % 32 == number % 32;
}

static bool is_any_chosen(uint64_t from, uint64_t n)
{
	return n > 0 && (is_chosen(from) || is_any_chosen(from + 1, n - 1));
}

static uint64_t latency_of(const struct refsim_timing *t, uint32_t missed)
{
	return (uint64_t)TICKS * (missed < t->levels ? t->machine->levels.at[missed].latency
						     : t->machine->memory_latency);
}

#include "engine/refsim_timing_memory.c"

static uint32_t or_assumed(uint32_t value, uint32_t assumed)
{
	return value != 0 ? value : assumed;
}

struct refsim_timing *refsim_time(struct refsim *refsim)
{
	const struct ms_machine_core *core = &refsim->machine->core;
	struct refsim_timing *t = ms_alloc(sizeof(*t));

	t->machine = refsim->machine;
	t->levels = (uint32_t)t->machine->levels.n;
	t->window = or_assumed(core->window, 256);
	t->store_buffer = or_assumed(core->store_buffer, 64);
	t->distance = at_most(core->prefetch_distance, 63);
	t->dispatch = TICKS * 1000 / or_assumed(core->ipc_milli, 4000);
	t->line = t->machine->levels.at[0].line;
	t->small_page = or_assumed(core->page, 4096);
	t->page = core->huge_pages == MS_HUGE_PAGES_ALWAYS ? or_assumed(core->huge_page, core->page)
							   : t->small_page;
	t->now_tlb = 1;
	refsim->timing = t;
	return t;
}

static void close_timing(struct refsim_timing *t)
{
	if (t == NULL)
		return;
	for (size_t i = 0; i < t->streams.n; i++)
		ms_vec_free(&t->streams.at[i].times);
	ms_vec_free(&t->streams);
	ms_vec_free(&t->cells);
	ms_vec_free(&t->chained);
	ms_vec_free(&t->first.entries);
	ms_vec_free(&t->second.entries);
	ms_vec_free(&t->executions);
	ms_vec_free(&t->addresses);
	ms_vec_free(&t->misses);
	ms_vec_free(&t->instructions);
	ms_vec_free(&t->flights);
	ms_vec_free(&t->stores);
	ms_vec_free(&t->demand_ends);
	ms_vec_free(&t->regions);
	ms_vec_free(&t->walkers.served);
	ms_vec_free(&t->divider.served);
	ms_free(t);
}

/* --- the processor --- */

static void wait_until(struct refsim_timing *t, uint64_t until, bool for_memory, bool stores)
{
	if (until <= t->now)
		return;
	if (for_memory)
		t->waited += charge_flights(t, t->now, until, stores);
	t->now = until;
}

/* The window has room for the instruction with this number when one a window before it retires. */
static void wait_for_window(struct refsim_timing *t, size_t number)
{
	if (number < t->window || number - t->window >= t->instructions.n)
		return;
	const struct timing_instruction *i = &t->instructions.at[number - t->window];

	wait_until(t, i->retires, i->is_late, false);
}

static void add_operand(struct timing_value *to, const struct timing_value *value)
{
	if (value->ready > to->ready) {
		to->ready = value->ready;
		to->is_late = value->is_late;
	}
	if (to->latest == NONE) {
		to->latest = value->latest;
		to->earlier = value->earlier;
	}
}

/* What an instruction reads; of that only the address, or all. */
static struct timing_value read_operands(const struct refsim_timing *t, uint64_t operands,
					 bool only_address)
{
	struct timing_value value = { .ready = t->now, .latest = NONE, .earlier = NONE };

	for (uint32_t i = 0; i < MS_WIRE_READS; i++)
		if (ms_wire_read_register(operands, i) != 0 &&
		    (!only_address || ms_wire_is_address(operands, i)))
			add_operand(&value, &t->registers[ms_wire_read_register(operands, i)]);
	return value;
}

/* --- references --- */

/* An instruction of an execution. */
struct timing_step {
	struct refsim_timing *t;
	const struct timing_execution *e;
	uint32_t number; /* of the instruction */
	struct timing_value all, address, result;
	bool is_late;
};

static bool is_in_chain(const struct refsim_timing *t, uint32_t site)
{
	for (size_t i = 0; i < t->chained.n; i++)
		if (t->chained.at[i] == site)
			return true;
	return false;
}

static bool depends_on(const struct timing_value *value, uint32_t site)
{
	return value->latest == site || value->earlier == site;
}

static enum ms_engine_dependence dependence_of(struct timing_step *s, uint32_t site)
{
	if (s->e->block->operands == NULL)
		return MS_ENGINE_DEPENDENCE_UNKNOWN;
	if (s->address.latest == NONE)
		return MS_ENGINE_DEPENDENCE_AFFINE;
	if (depends_on(&s->address, site)) {
		*ms_vec_add(&s->t->chained) = site;
		return MS_ENGINE_DEPENDENCE_CHAINED;
	}
	return is_in_chain(s->t, s->address.latest) ? MS_ENGINE_DEPENDENCE_CHAINED
						    : MS_ENGINE_DEPENDENCE_LED;
}

/* Of the misses of a line that are left, the first one has to be of this site. */
static struct timing_miss *take_miss(struct refsim_timing *t, uint64_t line, uint32_t site)
{
	for (size_t i = 0; i < t->misses.n; i++) {
		struct timing_miss *miss = &t->misses.at[i];

		if (miss->line != line || miss->is_taken)
			continue;
		miss->is_taken = miss->site == site;
		return miss->is_taken ? miss : NULL;
	}
	return NULL;
}

/* The load of a modify takes its miss; the store after it hits. */
static bool can_miss(const struct ms_engine_block_ref *ref, bool is_store)
{
	return ref->kind != MS_WIRE_MODIFY || !is_store;
}

static uint64_t touch_line(struct timing_step *s, uint64_t line,
			   const struct ms_engine_block_ref *ref, uint64_t start, bool is_store)
{
	struct refsim_timing *t = s->t;
	uint32_t site = ref->site;
	const struct timing_miss *miss = can_miss(ref, is_store) ? take_miss(t, line, site) : NULL;

	if (miss == NULL)
		return hit_line(t, line, start);
	/* A line that enters the first level takes the place of one instruction. */
	t->now += t->dispatch;
	t->waited += t->dispatch;
	timing_cell_of(t, site, miss->data)->dependences[dependence_of(s, site)]++;
	return miss_line(t, miss, start, is_store);
}

static uint64_t touch_lines(struct timing_step *s, const struct ms_engine_block_ref *ref,
			    uint64_t address, uint64_t start, bool is_store)
{
	uint64_t done = start, last = (address + ref->size - 1) / s->t->line;

	for (uint64_t line = address / s->t->line; line <= last; line++) {
		uint64_t at = touch_line(s, line, ref, start, is_store);

		done = at > done ? at : done;
	}
	return done;
}

/* The latest store of the batch at this place, of 256; NULL if it wrote something else. */
static const struct timing_store *find_store(const struct refsim_timing *t, uint64_t address)
{
	for (size_t i = t->stores.n; i-- > 0;) {
		uint64_t written = t->stores.at[i].address / 8;

		if (written % 256 == address / 8 % 256)
			return written == address / 8 ? &t->stores.at[i] : NULL;
	}
	return NULL;
}

static struct timing_value load_value(struct timing_step *s, const struct ms_engine_block_ref *ref,
				      uint64_t address)
{
	enum { FORWARDED = 5 * TICKS };
	uint64_t hit = (uint64_t)TICKS * or_assumed(s->t->machine->core.load_latency, 4);
	uint64_t arrives = touch_lines(s, ref, address, s->address.ready, false);
	const struct timing_store *store = find_store(s->t, address);
	bool is_late = arrives > s->address.ready;

	s->is_late = s->is_late || is_late;
	if (store != NULL) {
		struct timing_value value = store->value;

		value.ready = value.ready > s->address.ready ? value.ready : s->address.ready;
		value.ready += FORWARDED;
		return value;
	}
	if (depends_on(&s->address, ref->site))
		*ms_vec_add(&s->t->chained) = ref->site;
	return (struct timing_value){ .ready = arrives + hit,
				      .latest = ref->site,
				      .earlier = s->address.latest,
				      .is_late = is_late || s->address.is_late };
}

/* Stores leave the store buffer in order. */
static void store_value(struct timing_step *s, const struct ms_engine_block_ref *ref,
			uint64_t address)
{
	struct refsim_timing *t = s->t;
	size_t n = t->stores.n;

	if (n >= t->store_buffer)
		wait_until(t, t->stores.at[n - t->store_buffer].written, true, true);
	uint64_t start = s->address.ready > t->now ? s->address.ready : t->now;
	uint64_t written = touch_lines(s, ref, address, start, true);

	written = s->all.ready > written ? s->all.ready : written;
	if (n > 0 && t->stores.at[n - 1].written > written)
		written = t->stores.at[n - 1].written;
	*ms_vec_add(&t->stores) = (struct timing_store){ address, written, s->all };
}

/* Without instructions, each reference is one. */
static uint32_t instruction_of(const struct ms_engine_block *block, uint32_t ref)
{
	return block->exit_instructions != NULL ? block->ref[ref].instruction : ref;
}

/* Returns whether the instruction has references. */
static bool make_references(struct timing_step *s)
{
	const struct ms_engine_block *block = s->e->block;
	bool any_made = false;

	for (uint32_t i = 0; i < block->exit_refs[s->e->exit]; i++) {
		const struct ms_engine_block_ref *ref = &block->ref[i];
		uint64_t address = s->t->addresses.at[s->e->addresses + i];

		if (instruction_of(block, i) != s->number)
			continue;
		any_made = true;
		if (address != 0 && ref->kind != MS_WIRE_WRITE) {
			struct timing_value value = load_value(s, ref, address);

			s->result = value.ready >= s->result.ready ? value : s->result;
		}
		if (address != 0 && ref->kind != MS_WIRE_READ)
			store_value(s, ref, address);
	}
	return any_made;
}

/* --- branches --- */

/* A prediction changes when it is wrong and not trusted. */
static bool was_predicted(struct timing_prediction *p, uint32_t outcome)
{
	bool is_right = p->outcome == outcome;

	if (is_right)
		p->confidence = at_most(p->confidence + 1, 3);
	else if (p->confidence > 0)
		p->confidence--;
	else
		p->outcome = outcome;
	return is_right;
}

static void resolve_branch(struct refsim_timing *t, uint64_t branch, uint32_t outcome,
			   const struct timing_value *value)
{
	enum { MISPREDICTED = 12 * TICKS };
	bool alone = was_predicted(&t->by_branch[ms_hash(branch, 0) % PREDICTIONS], outcome);
	bool after = was_predicted(&t->by_history[ms_hash(branch, t->history + 1) % PREDICTIONS],
				   outcome);

	t->history = t->history * 16 ^ outcome % 16;
	if (alone || after)
		return;
	wait_until(t, value->ready, value->is_late, false);
	wait_until(t, value->ready + MISPREDICTED, false, false);
}

/* --- instructions --- */

static uint64_t compute_result(struct refsim_timing *t, uint32_t operation, uint64_t ready)
{
	enum { BETWEEN_DIVISIONS = 4 * TICKS };
	const struct ms_machine_core *core = &t->machine->core;

	switch (operation) {
	case MS_WIRE_OP_DIVIDE:
	case MS_WIRE_OP_FLOAT_DIVIDE:
		return serve(&t->divider, ready, BETWEEN_DIVISIONS, 1) - BETWEEN_DIVISIONS +
		       UINT64_C(12) * TICKS;
	case MS_WIRE_OP_MULTIPLY:
		return ready + UINT64_C(3) * TICKS;
	case MS_WIRE_OP_FLOAT_MULTIPLY:
		return ready + (uint64_t)TICKS * or_assumed(core->float_multiply_latency, 4);
	case MS_WIRE_OP_FLOAT_ADD:
		return ready + (uint64_t)TICKS * or_assumed(core->float_add_latency, 3);
	case MS_WIRE_OP_VECTOR:
		return ready + UINT64_C(2) * TICKS;
	case MS_WIRE_OP_ATOMIC:
		return ready + UINT64_C(5) * TICKS;
	default:
		return ready + TICKS;
	}
}

static void write_results(const struct timing_step *s, uint64_t operands)
{
	for (uint32_t i = 0; i < MS_WIRE_WRITTEN; i++) {
		struct timing_value *reg = &s->t->registers[ms_wire_written_register(operands, i)];

		if (ms_wire_written_register(operands, i) == 0)
			continue;
		*reg = s->result;
		if (!ms_wire_is_write_back(operands, i))
			continue;
		*reg = s->address;
		reg->ready += TICKS;
	}
}

static void retire(struct timing_step *s, uint64_t dispatched)
{
	struct refsim_timing *t = s->t;
	size_t n = t->instructions.n;
	struct timing_instruction i = { .dispatched = dispatched,
					.ready = s->all.ready,
					.done = s->result.ready,
					.retires = s->result.ready,
					.is_late = s->is_late };

	if (n > 0 && t->instructions.at[n - 1].retires > i.retires)
		i.retires = t->instructions.at[n - 1].retires;
	*ms_vec_add(&t->instructions) = i;
	t->now += t->dispatch;
}

static void step(struct refsim_timing *t, const struct timing_execution *e, uint32_t number,
		 bool is_last)
{
	uint64_t operands = e->block->operands != NULL ? e->block->operands[number] : 0;
	uint32_t operation = ms_wire_operation_of(operands);
	uint64_t branch = ((uint64_t)e->number * 65536 | number) + 1;

	wait_for_window(t, t->instructions.n);
	uint64_t dispatched = t->now;
	struct timing_step s = { .t = t,
				 .e = e,
				 .number = number,
				 .all = read_operands(t, operands, false),
				 .address = read_operands(t, operands, true) };
	s.result = s.all;
	if (!make_references(&s))
		s.result.ready = compute_result(t, operation, s.result.ready);
	write_results(&s, operands);
	retire(&s, dispatched);
	if (operation == MS_WIRE_OP_CONDITIONAL_BRANCH)
		resolve_branch(t, branch, is_last ? e->exit + 1 : 0, &s.result);
	if (operation == MS_WIRE_OP_INDIRECT_BRANCH && is_last)
		t->jump = branch;
}

static void execute_block(struct refsim_timing *t, const struct timing_execution *e)
{
	const struct ms_engine_block *block = e->block;
	uint32_t n = block->exit_instructions != NULL ? block->exit_instructions[e->exit]
						      : block->exit_refs[e->exit];
	uint64_t began = t->now - t->waited;

	if (t->jump != 0)
		resolve_branch(t, t->jump, e->number, &(struct timing_value){ .ready = t->now });
	t->jump = 0;
	for (uint32_t i = 0; i < n; i++)
		step(t, e, i, i + 1 == n);
	t->compute[e->number].instructions += n;
	t->compute[e->number].ticks += t->now - t->waited - began;
}

/* --- batches --- */

void refsim_begin_batch(struct refsim_timing *t, uint64_t number)
{
	t->number = number;
	t->words = 0;
	t->executions.n = t->addresses.n = t->misses.n = 0;
}

/* The beginning of an observed batch is kept: 1024 words, two and the addresses per execution. */
void refsim_keep_execution(struct refsim_timing *t, const struct ms_engine_block *block,
			   uint32_t number, uint32_t exit, const uint64_t *addresses)
{
	if (t->words >= 1024)
		return;
	*ms_vec_add(&t->executions) =
		(struct timing_execution){ block, number, exit, t->addresses.n };
	for (uint32_t i = 0; i < block->exit_refs[exit]; i++)
		*ms_vec_add(&t->addresses) = addresses[i];
	t->words += 2 + block->exit_refs[exit];
}

/* A line of a reference has missed so many levels. */
static void time_miss(struct refsim_timing *t, uint64_t address, uint32_t site, uint32_t data,
		      uint32_t missed)
{
	if (t != NULL && missed > 0)
		*ms_vec_add(&t->misses) =
			(struct timing_miss){ address / t->line, site, data, missed, false };
}

static void replay(struct refsim_timing *t)
{
	t->replays++;
	t->now = START;
	t->waited = t->jump = 0;
	t->instructions.n = t->flights.n = t->stores.n = t->demand_ends.n = 0;
	t->regions.n = 0;
	t->walkers.served.n = t->divider.served.n = 0;
	for (uint32_t i = 0; i < MS_WIRE_REGISTERS; i++)
		t->registers[i] = (struct timing_value){ .latest = NONE, .earlier = NONE };
	for (size_t i = 0; i < t->executions.n; i++)
		execute_block(t, &t->executions.at[i]);
	for (size_t i = 0; i < t->window; i++) {
		wait_for_window(t, t->instructions.n + i);
		t->now += t->dispatch;
	}
	add_flights(t);
	apply_bandwidth(t, t->now - START);
	t->now_tlb++;
}

void refsim_end_batch(struct refsim_timing *t)
{
	if (is_chosen(t->number))
		replay(t);
	else
		touch_pages(t);
}

#include "engine/refsim_timing_totals.c"
