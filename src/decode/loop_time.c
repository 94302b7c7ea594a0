/*
 * decode/loop_time.c - how long an iteration of a loop takes if all its data is in the first-level
 * cache: the number of its instructions, and its recurrence, the cycles by which dependent
 * instructions delay the next iteration (x = x * a + b, p = p->next).
 *
 * Execution is modelled with an unlimited number of units: an instruction starts when its operands
 * are there. After some iterations, the time of one more is constant. Branches are predicted. But a
 * branch that depends on a load that misses is taken for one that no predictor can know, as in a
 * binary search: what follows waits for it.
 *
 * Not supported: dependences through memory; inner loops count as one iteration, and of both sides
 * of a branch each counts.
 */
#include "decode/decode_priv.h"

enum { REGISTERS = 64, WARM = 4, MEASURED = 4 };
/* The additional latency of a load that shows which loads a recurrence consists of. */
enum { SLOW = 1000 };

struct core_state {
	uint32_t ready[REGISTERS]; /* the cycle in which the register has its value */
	uint32_t flags;            /* likewise */
	uint32_t fetched;          /* the cycle in which the next instruction is known */
	uint32_t last;             /* cycle of the last result so far */
};

static uint32_t ready_at(const struct core_state *core, uint64_t registers)
{
	uint32_t at = 0;

	for (; registers != 0; registers &= registers - 1) {
		uint32_t one = core->ready[__builtin_ctzll(registers)];

		at = one > at ? one : at;
	}
	return at;
}

static void set_ready(struct core_state *core, uint64_t registers, uint32_t at)
{
	for (; registers != 0; registers &= registers - 1)
		core->ready[__builtin_ctzll(registers)] = at;
	core->last = at > core->last ? at : core->last;
}

static bool loads(const struct ms_decode_instruction *in)
{
	return in->memory && in->operand.kind != 1;
}

static uint64_t data_of(const struct ms_decode_instruction *in)
{
	return in->memory ? in->data : in->reads;
}

static uint32_t later(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* slow: the additional latency of its load. */
static void execute(struct core_state *core, const struct ms_decode_instruction *in, uint32_t slow)
{
	uint64_t results = ms_decode_results(in);
	uint32_t address = later(core->fetched, ready_at(core, in->reads & ~data_of(in))),
		 data = later(core->fetched, ready_at(core, data_of(in)));

	if (in->uses_flags)
		data = later(data, core->flags);
	if (loads(in))
		data = later(data, address + ms_decode_load_cycles + slow);
	set_ready(core, in->writes & ~results, address + 1);
	set_ready(core, results, data + in->latency);
	if (in->sets_flags)
		core->flags = data + in->latency;
}

/* A branch within the loop whose condition was not known for long. */
static void branch(struct core_state *core, const struct ms_decode_instruction *in, uint32_t begun)
{
	uint32_t known = in->uses_flags ? core->flags : ready_at(core, in->reads);

	if (known > core->fetched && known - begun >= SLOW)
		core->fetched = known;
}

static void iterate(struct core_state *core, const struct ms_decode_row *row, uint32_t slow_load,
		    bool all_slow)
{
	uint32_t begun = core->fetched;

	for (uint32_t i = row->begin; i < row->end; i++) {
		const struct ms_decode_instruction *in = &row->at[i];
		bool slow = (all_slow || i == slow_load) && loads(in);

		execute(core, in, slow ? SLOW : 0);
		if (in->flow == MS_FLOW_BRANCH && i + 1 < row->end)
			branch(core, in, begun);
	}
}

/* Cycles of one iteration. */
static uint32_t recurrence_of(const struct ms_decode_row *row, uint32_t slow_load, bool all_slow)
{
	struct core_state core = { .last = 0 };

	for (uint32_t i = 0; i < WARM; i++)
		iterate(&core, row, slow_load, all_slow);
	uint32_t before = core.last;
	for (uint32_t i = 0; i < MEASURED; i++)
		iterate(&core, row, slow_load, all_slow);
	return (core.last - before) / MEASURED;
}

void ms_decode_time_loop(const struct ms_decode_code_around *code, uint32_t first, uint64_t pc,
			 struct ms_decode_loop *loop)
{
	struct ms_decode_row row;

	*loop = (struct ms_decode_loop){ .begin = 0 };
	if (!ms_decode_read_row(code, first, pc, &row) || !row.is_loop)
		return;
	const struct ms_decode_instruction *in = &row.at[row.here];
	*loop = (struct ms_decode_loop){ .begin = row.at[row.begin].pc,
					 .instructions = row.end - row.begin,
					 .recurrence = recurrence_of(&row, row.n, false) };
	if (!in->memory)
		return;
	loop->chained =
		recurrence_of(&row, row.here, false) >= SLOW / 2 ||
		(recurrence_of(&row, row.n, true) >= SLOW / 2 && ms_decode_is_led(code, first, in));
}
