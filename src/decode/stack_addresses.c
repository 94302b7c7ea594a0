#include "decode/stack_addresses.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "decode/stack_addresses_priv.h"

/* A variable that is at an offset from a symbol. */
struct binding {
	uint32_t symbol, variable;
	int64_t offset;
};

struct address_search {
	const struct ms_decode_stack_function *function;
	struct ms_decode_stack_blocks blocks;
	struct ms_decode_values *at; /* by block: before it */
	bool *changed;               /* by block */
	MS_VEC(struct binding) bindings;
	MS_VEC(int64_t) escaped; /* offsets from the CFA whose addresses are in registers */
	MS_VEC(uint32_t) places; /* those that depend on a register or on the frame's contents */
	struct ms_decode_values jumping; /* where addresses are jumped to that are not known */
};

/* --- variables --- */

static uint32_t symbol_of_instruction(const struct address_search *s, uint32_t instruction)
{
	return MS_SYMBOL_VARIABLES + (uint32_t)s->function->variables.n + instruction;
}

static bool is_dynamic(const struct address_search *s, uint32_t variable)
{
	return s->function->variables.at[variable].size == 0;
}

/* Whether a variable of this size at `start` has the byte at `offset`. 0: it has all. */
static bool covers(uint64_t size, int64_t start, int64_t offset)
{
	return size == 0 || (offset >= start && (uint64_t)(offset - start) < size);
}

static bool is_same_variable(const void *arg, uint32_t symbol, int64_t a, int64_t b)
{
	const struct address_search *s = arg;
	const struct ms_decode_stack_function *f = s->function;

	for (size_t i = 0; i < f->places.n && symbol == MS_SYMBOL_CFA; i++) {
		const struct ms_decode_stack_place *p = &f->places.at[i];
		uint64_t size = f->variables.at[p->variable].size;

		if (p->base == MS_DECODE_CFA && p->kind == MS_PLACE_AT &&
		    covers(size, p->offset, a) && covers(size, p->offset, b))
			return true;
	}
	for (size_t i = 0; i < s->bindings.n; i++) {
		const struct binding *known = &s->bindings.at[i];
		uint64_t size = f->variables.at[known->variable].size;

		if (known->symbol == symbol && covers(size, known->offset, a) &&
		    covers(size, known->offset, b))
			return true;
	}
	return false;
}

static void bind(struct address_search *s, uint32_t variable, uint32_t symbol, int64_t offset)
{
	for (size_t i = 0; i < s->bindings.n; i++) {
		const struct binding *b = &s->bindings.at[i];

		if (b->variable == variable && b->symbol == symbol && b->offset == offset)
			return;
	}
	*ms_vec_add(&s->bindings) = (struct binding){ symbol, variable, offset };
}

/* --- places that depend on registers --- */

static struct ms_decode_value base_value(const struct ms_decode_values *v, int8_t base)
{
	if (base == MS_DECODE_CFA)
		return ms_decode_make_address(MS_SYMBOL_CFA, 0);
	if (base < 0 || base >= (int)ms_decode_registers)
		return (struct ms_decode_value){ .kind = MS_VALUE_UNKNOWN };
	return v->of[base];
}

static bool is_allocated(const struct address_search *s, const struct ms_decode_value *v)
{
	return v->kind == MS_VALUE_ADDRESS &&
	       v->symbol >= MS_SYMBOL_VARIABLES + s->function->variables.n;
}

static void see_address(struct address_search *s, const struct ms_decode_stack_place *p,
			const struct ms_decode_value *value, int64_t offset)
{
	if (value->shift != 0)
		return;
	if (!value->varies)
		bind(s, p->variable, value->symbol, value->offset + offset);
	else if (is_dynamic(s, p->variable) && is_allocated(s, value)) /* aligned */
		bind(s, p->variable, value->symbol, 0);
}

/* The debug information has a variable where the register points to. */
static void see_variable(struct address_search *s, const struct ms_decode_stack_place *p,
			 struct ms_decode_values *v)
{
	struct ms_decode_value base = base_value(v, p->base);

	if (base.kind == MS_VALUE_ADDRESS) {
		see_address(s, p, &base, p->offset);
	} else if (is_dynamic(s, p->variable) && p->base >= 0 &&
		   p->base < (int)ms_decode_registers) {
		uint32_t symbol = MS_SYMBOL_VARIABLES + p->variable;

		v->of[p->base] = ms_decode_make_address(symbol, -p->offset);
		bind(s, p->variable, symbol, 0);
	}
}

static void see_place(struct address_search *s, const struct ms_decode_stack_place *p,
		      struct ms_decode_values *v)
{
	struct ms_decode_value base;
	const struct ms_decode_value *stored;

	if (p->kind == MS_PLACE_AT) {
		see_variable(s, p, v);
		return;
	}
	base = base_value(v, p->base);
	if (base.kind == MS_VALUE_ADDRESS)
		base.offset += p->offset;
	stored = ms_decode_find_slot(v, &base);
	if (stored != NULL && stored->kind == MS_VALUE_ADDRESS)
		see_address(s, p, stored, 0);
}

/* The address of a variable that is loaded from where the debug information has it. */
static struct ms_decode_value loaded_address(struct address_search *s, uint64_t pc,
					     const struct ms_decode_values *v,
					     const struct ms_decode_value *from)
{
	for (size_t i = 0; i < s->places.n && ms_decode_is_exact_address(from); i++) {
		const struct ms_decode_stack_place *p = &s->function->places.at[s->places.at[i]];
		struct ms_decode_value base = base_value(v, p->base);
		uint32_t symbol = MS_SYMBOL_VARIABLES + p->variable;

		if (p->kind != MS_PLACE_THROUGH || pc < p->from || pc >= p->to ||
		    !ms_decode_is_exact_address(&base) || base.symbol != from->symbol ||
		    base.offset + p->offset != from->offset)
			continue;
		bind(s, p->variable, symbol, 0);
		return ms_decode_make_address(symbol, 0);
	}
	return (struct ms_decode_value){ .kind = MS_VALUE_UNKNOWN };
}

/* --- one instruction --- */

static struct ms_decode_value value_of(const struct ms_decode_values *v, int8_t reg)
{
	if (reg == MS_NO_REGISTER)
		return (struct ms_decode_value){ .kind = MS_VALUE_NUMBER };
	if (reg < 0)
		return (struct ms_decode_value){ .kind = MS_VALUE_UNKNOWN };
	return v->of[reg];
}

static struct ms_decode_value operand_address(const struct ms_decode_values *v,
					      const struct ms_decode_operand *o)
{
	struct ms_decode_value base = value_of(v, o->base), index = value_of(v, o->index);
	unsigned shift = o->scale > 1 ? (unsigned)__builtin_ctz(o->scale) : 0;

	if (o->thread || o->elements)
		return (struct ms_decode_value){ .kind = MS_VALUE_UNKNOWN };
	if (o->narrow != MS_INDEX_WHOLE && index.kind != MS_VALUE_NUMBER)
		index.kind = MS_VALUE_UNKNOWN;
	return ms_decode_add_values(base, index, shift, (int64_t)o->constant);
}

static struct ms_decode_value result_of(const struct address_search *s,
					const struct ms_decode_values *v,
					const struct ms_decode_effect *e)
{
	struct ms_decode_value from = value_of(v, e->from), other = value_of(v, e->other);

	switch ((enum ms_decode_effect_kind)e->kind) {
	case MS_EFFECT_SUM:
		return ms_decode_add_values(from, other, e->shift, e->constant);
	case MS_EFFECT_DIFFERENCE:
		return ms_decode_subtract_values(from, other, e->shift);
	case MS_EFFECT_PRODUCT:
		if (from.kind != MS_VALUE_NUMBER)
			break;
		from.offset = (int64_t)((uint64_t)from.offset * (uint64_t)e->constant);
		return from;
	case MS_EFFECT_SHIFT:
		return ms_decode_shift_value(from, e->shift);
	case MS_EFFECT_ALIGN:
		return ms_decode_align_value(from, e->constant);
	case MS_EFFECT_SELECT:
		ms_decode_join_value(&from, &other, is_same_variable, s);
		return from;
	case MS_EFFECT_OTHER:
	case MS_EFFECT_LOAD:
	case MS_EFFECT_STORE:
	case MS_EFFECT_CALL:
	case MS_EFFECT_JUMP:
	case MS_EFFECT_NOTHING:
		break;
	}
	return (struct ms_decode_value){ .kind = MS_VALUE_UNKNOWN };
}

/* An address in a register other than the stack pointer may be passed on. */
static void note_escape(struct address_search *s, const struct ms_decode_value *v)
{
	if (!ms_decode_is_exact_address(v) || v->symbol != MS_SYMBOL_CFA)
		return;
	for (size_t i = 0; i < s->escaped.n; i++)
		if (s->escaped.at[i] == v->offset)
			return;
	*ms_vec_add(&s->escaped) = v->offset;
}

static bool is_same_value(const struct ms_decode_value *a, const struct ms_decode_value *b)
{
	return a->kind == b->kind && a->symbol == b->symbol && a->offset == b->offset &&
	       a->origin == b->origin && a->shift == b->shift && a->varies == b->varies &&
	       a->vague == b->vague;
}

/*
 * The stack pointer gets a value that is not known: memory of a size that is known at run time
 * only, or aligned. That is a frame of its own. The value may be in other registers already.
 */
static void set_stack_pointer(struct address_search *s, struct ms_decode_values *v, uint32_t number,
			      const struct ms_decode_value *value)
{
	struct ms_decode_value frame = ms_decode_make_address(symbol_of_instruction(s, number), 0);

	for (unsigned i = 0; i < ms_decode_registers && value->kind == MS_VALUE_ADDRESS; i++)
		if (is_same_value(&v->of[i], value))
			v->of[i] = frame;
	for (uint32_t i = 0; i < v->slot_count && value->kind == MS_VALUE_ADDRESS; i++)
		if (is_same_value(&v->slots[i].value, value))
			v->slots[i].value = frame;
	v->of[ms_decode_stack_pointer] = frame;
}

static void set_result(struct address_search *s, struct ms_decode_values *v, uint32_t number,
		       const struct ms_decode_effect *e)
{
	struct ms_decode_value result = result_of(s, v, e);

	if (e->narrow && result.kind != MS_VALUE_NUMBER)
		result = (struct ms_decode_value){ .kind = MS_VALUE_UNKNOWN };
	if (e->to < 0)
		return;
	if (e->to == (int)ms_decode_stack_pointer && !ms_decode_is_exact_address(&result)) {
		set_stack_pointer(s, v, number, &result);
		return;
	}
	if (result.kind == MS_VALUE_ADDRESS && result.origin == 0 &&
	    e->to != (int)ms_decode_stack_pointer) {
		result.origin = number + 1;
		note_escape(s, &result);
	}
	v->of[e->to] = result;
}

/* Registers that the instruction writes in a way that is not followed. */
static void forget_registers(struct ms_decode_values *v, uint64_t written)
{
	for (unsigned i = 0; i < ms_decode_registers; i++)
		if (written >> i & 1)
			v->of[i] = (struct ms_decode_value){ .kind = MS_VALUE_UNKNOWN };
}

/* The called function may change variables that it has the address of. */
static void call(struct address_search *s, struct ms_decode_values *v)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < v->slot_count; i++) {
		const struct ms_decode_slot *slot = &v->slots[i];
		bool escapes = slot->symbol != MS_SYMBOL_CFA;

		for (size_t k = 0; k < s->escaped.n && !escapes; k++)
			escapes = s->escaped.at[k] == slot->offset ||
				  is_same_variable(s, slot->symbol, s->escaped.at[k], slot->offset);
		if (!escapes)
			v->slots[kept++] = *slot;
	}
	v->slot_count = kept;
	forget_registers(v, ms_decode_call_clobbers);
	v->of[0].kind = MS_VALUE_RESULT;
}

static void load(struct address_search *s, struct ms_decode_values *v,
		 const struct ms_decode_instruction *in, struct ms_decode_value address)
{
	enum { BYTES = 8 };
	const int8_t to[] = { in->effect.to, in->effect.other };
	struct ms_decode_value loaded[MS_COUNT(to)];

	for (size_t i = 0; i < MS_COUNT(to); i++, address.offset += BYTES) {
		const struct ms_decode_value *slot = ms_decode_find_slot(v, &address);

		loaded[i] = slot != NULL ? *slot : loaded_address(s, in->pc, v, &address);
	}
	for (size_t i = 0; i < MS_COUNT(to); i++)
		if (to[i] >= 0)
			v->of[to[i]] = loaded[i];
}

static void store(struct ms_decode_values *v, const struct ms_decode_instruction *in,
		  struct ms_decode_value address)
{
	enum { BYTES = 8 };
	struct ms_decode_value from = value_of(v, in->effect.from),
			       other = value_of(v, in->effect.other);

	ms_decode_set_slot(v, &address, BYTES, &from);
	if (in->operand.size <= BYTES)
		return;
	address.offset += BYTES;
	ms_decode_set_slot(v, &address, BYTES, &other);
}

/* The values after the instruction. */
static void execute(struct address_search *s, struct ms_decode_values *v, uint32_t number)
{
	const struct ms_decode_instruction *in = &s->blocks.code.at[number];
	const struct ms_decode_effect *e = &in->effect;
	struct ms_decode_value address = { .kind = MS_VALUE_UNKNOWN }, base;
	bool moves = in->memory && in->moves != 0 && in->operand.base >= 0;

	if (in->memory)
		address = operand_address(v, &in->operand);
	base = moves ? v->of[in->operand.base] : address;
	if (in->memory && in->operand.kind != 0 && e->kind != MS_EFFECT_STORE)
		ms_decode_set_slot(v, &address, in->operand.size, NULL);
	if (e->kind == MS_EFFECT_NOTHING)
		return;
	if (e->kind == MS_EFFECT_CALL)
		call(s, v);
	else if (e->kind == MS_EFFECT_LOAD)
		load(s, v, in, address);
	else if (e->kind == MS_EFFECT_STORE)
		store(v, in, address);
	else if (e->kind == MS_EFFECT_OTHER || e->kind == MS_EFFECT_JUMP || e->to < 0)
		forget_registers(v, in->writes);
	else
		set_result(s, v, number, e);
	if (moves && e->to != in->operand.base)
		v->of[in->operand.base] = ms_decode_add_values(
			base, (struct ms_decode_value){ .kind = MS_VALUE_NUMBER }, 0, in->moves);
}

/* What the unwind tables and the debug information have for this address. */
static void apply_facts(struct address_search *s, struct ms_decode_values *v, uint64_t pc,
			bool first, size_t *rule)
{
	const struct ms_decode_stack_function *f = s->function;

	while (*rule < f->rules.n && f->rules.at[*rule].to <= pc)
		++*rule;
	if (*rule < f->rules.n && pc >= f->rules.at[*rule].from &&
	    (first || pc == f->rules.at[*rule].from)) {
		const struct ms_decode_stack_rule *r = &f->rules.at[*rule];

		v->of[r->reg] = ms_decode_make_address(MS_SYMBOL_CFA, -r->depth);
	}
	for (size_t i = 0; i < s->places.n; i++) {
		const struct ms_decode_stack_place *p = &f->places.at[s->places.at[i]];

		if (pc >= p->from && pc < p->to)
			see_place(s, p, v);
	}
}

static size_t first_rule(const struct address_search *s, uint64_t pc)
{
	size_t low = 0, high = s->function->rules.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->function->rules.at[middle].to <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* --- all blocks --- */

static void flow_into(struct address_search *s, uint32_t block, const struct ms_decode_values *v)
{
	if (block == MS_NO_BLOCK)
		return;
	if (ms_decode_join_values(&s->at[block], v, is_same_variable, s))
		s->changed[block] = true;
}

static void run_block(struct address_search *s, uint32_t number)
{
	const struct ms_decode_stack_block *block = &s->blocks.at.at[number];
	struct ms_decode_values v = s->at[number];
	size_t rule = first_rule(s, s->blocks.code.at[block->first].pc);

	s->changed[number] = false;
	for (uint32_t i = block->first; i < block->end; i++) {
		apply_facts(s, &v, s->blocks.code.at[i].pc, i == block->first, &rule);
		execute(s, &v, i);
	}
	flow_into(s, block->next, &v);
	flow_into(s, block->target, &v);
	if (block->jumps)
		ms_decode_join_values(&s->jumping, &v, is_same_variable, s);
}

/* Joins end in finitely many steps; the bound is for the time only. */
static bool run_changed(struct address_search *s, uint64_t *steps)
{
	bool again = true;

	while (again) {
		again = false;
		for (uint32_t i = 0; i < s->blocks.at.n; i++) {
			const struct ms_decode_stack_block *block = &s->blocks.at.at[i];

			if (!s->changed[i])
				continue;
			if (*steps < block->end - block->first)
				return false;
			*steps -= block->end - block->first;
			run_block(s, i);
			again = true;
		}
	}
	return true;
}

/*
 * Code that no path leads to is reached by exceptions, or by jumps to addresses that are not known.
 */
static bool run_all(struct address_search *s)
{
	enum { PASSES = 64 };
	uint64_t steps = (uint64_t)s->blocks.code.n * PASSES;
	const struct ms_decode_value sp =
		ms_decode_make_address(MS_SYMBOL_CFA, -ms_decode_entry_depth);

	s->at[0].reached = s->changed[0] = true;
	for (uint32_t i = 0; i < s->blocks.at.n; i++)
		if (s->blocks.code.at[s->blocks.at.at[i].first].pc == s->function->code.at[0].pc) {
			s->at[i].reached = s->changed[i] = true;
			s->at[i].of[ms_decode_stack_pointer] = sp;
		}
	for (uint32_t i = 0; i < s->blocks.at.n; i++) {
		if (!run_changed(s, &steps))
			return false;
		if (s->at[i].reached)
			continue;
		s->at[i] = s->jumping;
		s->at[i].reached = s->changed[i] = true;
	}
	return run_changed(s, &steps);
}

/* --- which variable an address belongs to --- */

struct choice {
	uint32_t variable; /* UINT32_MAX: none yet */
	bool ambiguous;
	bool in_scope;
	uint16_t depth;
	uint64_t distance; /* from where its indices begin */
};

/*
 * Of a variable whose size is not known, where the stack continues on both sides. If a compiler has
 * found the size, the variable is in the function's frame, where saved registers follow it.
 */
static uint64_t distance_of_dynamic(int64_t start, const struct ms_decode_value *address)
{
	if (!address->vague && address->offset < start)
		return UINT64_MAX;
	if (address->symbol == MS_SYMBOL_CFA && !address->varies)
		return UINT64_MAX;
	return address->offset > start ? (uint64_t)(address->offset - start) : 0;
}

/*
 * How near the offset is to the variable's element with the indices 0; UINT64_MAX: it does not
 * belong to it. An offset that is vague misses a part that is not known, mostly an index: code such
 * as a[i - 1] has it before the variable.
 */
static uint64_t distance_of(const struct ms_decode_stack_variable *is, int64_t start,
			    const struct ms_decode_value *address)
{
	enum { LEAST_BEFORE = 32 };
	int64_t origin = start - (int64_t)is->origin;
	uint64_t before = 2 * is->row > LEAST_BEFORE ? 2 * is->row : LEAST_BEFORE;

	if (is->size == 0)
		return distance_of_dynamic(start, address);
	if (!address->vague && !covers(is->size, start, address->offset))
		return UINT64_MAX;
	if (address->offset >= start + (int64_t)is->size ||
	    address->offset < origin - (int64_t)before)
		return UINT64_MAX;
	return (uint64_t)(address->offset > origin ? address->offset - origin
						   : origin - address->offset);
}

static void consider(const struct address_search *s, struct choice *best, uint32_t variable,
		     int64_t start, const struct ms_decode_value *address, bool in_scope,
		     uint16_t depth)
{
	uint64_t distance = distance_of(&s->function->variables.at[variable], start, address);
	bool better = in_scope && !best->in_scope;

	if (distance == UINT64_MAX || (best->in_scope && !in_scope))
		return;
	if (best->variable == variable && !better)
		return;
	if (best->variable != UINT32_MAX && !better) {
		/* Out of their scopes, the memory of several variables belongs to none of them. */
		best->ambiguous |= !in_scope;
		if (!address->vague && depth < best->depth)
			return;
		if ((address->vague || depth == best->depth) && distance >= best->distance)
			return;
	}
	*best = (struct choice){ variable, best->ambiguous && !better, in_scope, depth, distance };
}

static void consider_bindings(const struct address_search *s, struct choice *best,
			      const struct ms_decode_value *address)
{
	for (size_t i = 0; i < s->bindings.n; i++) {
		const struct binding *b = &s->bindings.at[i];

		if (b->symbol == address->symbol)
			consider(s, best, b->variable, b->offset, address, true, 0);
	}
}

static uint32_t choose_variable(const struct address_search *s, uint64_t pc,
				const struct ms_decode_value *address)
{
	struct choice best = { .variable = UINT32_MAX };

	if (address->kind != MS_VALUE_ADDRESS || address->shift != 0)
		return UINT32_MAX;
	for (size_t i = 0; i < s->function->places.n && address->symbol == MS_SYMBOL_CFA; i++) {
		const struct ms_decode_stack_place *p = &s->function->places.at[i];

		if (p->base == MS_DECODE_CFA && p->kind == MS_PLACE_AT)
			consider(s, &best, p->variable, p->offset, address,
				 pc >= p->from && pc < p->to, p->depth);
	}
	consider_bindings(s, &best, address);
	return best.ambiguous ? UINT32_MAX : best.variable;
}

static void add_access(const struct address_search *s, uint64_t pc, uint8_t kind,
		       const struct ms_decode_value *address, struct ms_decode_stack_accesses *out)
{
	uint32_t variable = choose_variable(s, pc, address);

	if (variable != UINT32_MAX)
		*ms_vec_add(&out->at) = (struct ms_decode_stack_access){ pc, variable, kind };
}

static void list_accesses(struct address_search *s, uint32_t number,
			  struct ms_decode_stack_accesses *out)
{
	enum { WRITTEN = 1 };
	const struct ms_decode_stack_block *block = &s->blocks.at.at[number];
	struct ms_decode_values v = s->at[number];
	size_t rule = first_rule(s, s->blocks.code.at[block->first].pc);

	for (uint32_t i = block->first; i < block->end; i++) {
		const struct ms_decode_instruction *in = &s->blocks.code.at[i];

		apply_facts(s, &v, in->pc, i == block->first, &rule);
		if (in->memory) {
			struct ms_decode_value address = operand_address(&v, &in->operand);

			add_access(s, in->pc, in->operand.kind, &address, out);
		}
		if (in->copied_to >= 0)
			add_access(s, in->pc, WRITTEN, &v.of[in->copied_to], out);
		execute(s, &v, i);
	}
}

void ms_decode_find_stack_accesses(const struct ms_decode_stack_function *f,
				   struct ms_decode_stack_accesses *out)
{
	struct address_search s = { .function = f };

	for (uint32_t i = 0; i < f->places.n; i++)
		if (f->places.at[i].base != MS_DECODE_CFA || f->places.at[i].kind != MS_PLACE_AT)
			*ms_vec_add(&s.places) = i;
	if (f->variables.n > 0 && ms_decode_make_blocks(f, &s.blocks)) {
		s.at = ms_alloc(s.blocks.at.n * sizeof(*s.at));
		s.changed = ms_alloc(s.blocks.at.n * sizeof(*s.changed));
		if (run_all(&s))
			for (uint32_t i = 0; i < s.blocks.at.n; i++)
				list_accesses(&s, i, out);
	}
	ms_decode_free_blocks(&s.blocks);
	ms_free(s.at);
	ms_free(s.changed);
	ms_vec_free(&s.bindings);
	ms_vec_free(&s.escaped);
	ms_vec_free(&s.places);
}

void ms_decode_free_stack_function(struct ms_decode_stack_function *f)
{
	ms_vec_free(&f->code);
	ms_vec_free(&f->rules);
	ms_vec_free(&f->places);
	ms_vec_free(&f->variables);
}
