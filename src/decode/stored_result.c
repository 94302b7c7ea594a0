/* decode/stored_result.c - follows the result of a call through registers to its stores. */
#include "decode/stored_result.h"

#include "decode/decode_priv.h"

enum { RESULT_REGISTER = 0, REGISTERS = 32, MOST_STEPS = 48 };

enum value_source {
	UNKNOWN,
	RESULT,
	ADDRESS, /* `place` itself: what a register had, or a number, and an offset */
	LOADED,  /* the pointer that is in `place`, plus `target` */
};

struct result_value {
	enum value_source kind;
	uint64_t pc; /* LOADED: of the load */
	struct ms_decode_result_place place, target;
};

struct result_follower {
	struct result_value of[REGISTERS];
	struct ms_decode_stored_results *out;
};

static struct result_value find(const struct result_follower *f, int8_t reg)
{
	if (reg == MS_NO_REGISTER)
		return (struct result_value){ ADDRESS, 0, { 0, MS_NO_REGISTER, false }, { 0 } };
	return reg >= 0 && reg < REGISTERS ? f->of[reg] : (struct result_value){ 0 };
}

/* The value plus a constant, and something unknown if it is indexed. */
static struct result_value add(struct result_value value, int64_t constant, bool indexed)
{
	struct ms_decode_result_place *place = value.kind == LOADED ? &value.target : &value.place;

	if (value.kind == RESULT && (constant != 0 || indexed))
		value.kind = UNKNOWN;
	place->offset += constant;
	place->indexed |= indexed;
	return value;
}

/* The address of a memory operand. An index may be the pointer, and the base the distance. */
static struct result_value find_operand(const struct result_follower *f,
					const struct ms_decode_operand *o)
{
	if (o->thread || o->elements)
		return (struct result_value){ 0 };
	return add(find(f, o->base), (int64_t)o->constant, o->index != MS_NO_REGISTER);
}

static struct result_value find_sum(const struct result_follower *f,
				    const struct ms_decode_effect *e)
{
	struct result_value from = find(f, e->from), other = find(f, e->other);

	if (e->narrow && e->from != MS_NO_REGISTER)
		return (struct result_value){ 0 };
	if (e->other == MS_NO_REGISTER)
		return add(from, e->constant, false);
	/* "index * 8 + pointer": the pointer is what came from a variable. */
	if (from.kind != LOADED && other.kind == LOADED && e->shift == 0)
		return add(other, e->constant, true);
	return from.kind == LOADED || from.place.base != MS_NO_REGISTER
		       ? add(from, e->constant, true)
		       : (struct result_value){ 0 };
}

static struct result_value find_loaded(const struct result_follower *f,
				       const struct ms_decode_instruction *in)
{
	struct result_value at = find_operand(f, &in->operand);

	if (!in->memory || at.kind != ADDRESS || in->effect.narrow)
		return (struct result_value){ 0 };
	return (struct result_value){ LOADED, in->pc, at.place, { 0, MS_NO_REGISTER, false } };
}

static void add_store(struct result_follower *f, const struct ms_decode_instruction *in,
		      int64_t distance)
{
	struct result_value at = add(find_operand(f, &in->operand), distance, false);

	if (!in->memory || (at.kind != ADDRESS && at.kind != LOADED) ||
	    f->out->n == MS_DECODE_STORED_RESULTS)
		return;
	f->out->at[f->out->n++] = (struct ms_decode_stored_result){
		.kind = at.kind == LOADED ? MS_STORED_THROUGH : MS_STORED_IN_PLACE,
		.pc = at.kind == LOADED ? at.pc : in->pc,
		.place = at.place,
		.target = at.target,
	};
}

static void add_register(struct result_follower *f, int8_t reg, uint64_t pc)
{
	if (f->out->n < MS_DECODE_STORED_RESULTS)
		f->out->at[f->out->n++] = (struct ms_decode_stored_result){
			.kind = MS_STORED_IN_REGISTER, .pc = pc, .place = { .base = reg }
		};
}

static void forget(struct result_follower *f, uint64_t registers)
{
	for (unsigned i = 0; i < REGISTERS; i++)
		if (registers >> i & 1)
			f->of[i] = (struct result_value){ 0 };
}

static void apply(struct result_follower *f, const struct ms_decode_instruction *in)
{
	const struct ms_decode_effect *e = &in->effect;
	struct result_value value = { 0 };

	if (e->kind == MS_EFFECT_NOTHING)
		return;
	if (e->kind == MS_EFFECT_CALL) { /* the stack pointer is what it was before */
		forget(f, ms_decode_call_clobbers);
		return;
	}
	if (e->kind == MS_EFFECT_STORE && find(f, e->from).kind == RESULT && e->from >= 0)
		add_store(f, in, 0);
	if (e->kind == MS_EFFECT_STORE && e->other >= 0 && find(f, e->other).kind == RESULT)
		add_store(f, in, 8);
	if (e->kind == MS_EFFECT_SUM)
		value = find_sum(f, e);
	else if (e->kind == MS_EFFECT_LOAD && e->other < 0)
		value = find_loaded(f, in);
	forget(f, in->writes);
	if (e->kind == MS_EFFECT_OTHER || e->to < 0 || e->to >= REGISTERS)
		return; /* a comparison has operands, too */
	f->of[e->to] = value;
	if (value.kind == RESULT)
		add_register(f, e->to, in->pc + in->length);
}

/* The next instruction; 0: there is none to follow. */
static uint64_t find_next(struct result_follower *f, const struct ms_decode_instruction *in)
{
	if (in->flow != MS_FLOW_AWAY || in->effect.kind == MS_EFFECT_CALL)
		return in->pc + in->length;
	if (in->target == 0 && in->effect.kind != MS_EFFECT_JUMP)
		f->out->returned = f->of[RESULT_REGISTER].kind == RESULT;
	return in->target;
}

void ms_decode_find_stored_results(const uint8_t *bytes, size_t n, uint64_t pc,
				   struct ms_decode_stored_results *out)
{
	struct result_follower f = { .out = out };
	struct ms_decode_instruction in;
	uint64_t at = pc;

	*out = (struct ms_decode_stored_results){ .n = 0 };
	for (unsigned i = 0; i < REGISTERS; i++)
		f.of[i] = (struct result_value){ ADDRESS, 0, { 0, (int8_t)i, false }, { 0 } };
	f.of[RESULT_REGISTER] = (struct result_value){ .kind = RESULT };
	add_register(&f, RESULT_REGISTER, pc);
	for (int i = 0; i < MOST_STEPS && at >= pc && at - pc < n; i++) {
		if (!ms_decode_one(bytes + (at - pc), n - (at - pc), at, &in))
			return;
		apply(&f, &in);
		at = find_next(&f, &in);
	}
}
