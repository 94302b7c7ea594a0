/* decode/stack_values.c - what is known of registers and of places in the stack frame. */
#include "decode/stack_addresses_priv.h"

#include <string.h>

static const struct ms_decode_value unknown = { .kind = MS_VALUE_UNKNOWN };

struct ms_decode_value ms_decode_make_address(uint32_t symbol, int64_t offset)
{
	return (struct ms_decode_value){ .kind = MS_VALUE_ADDRESS,
					 .symbol = symbol,
					 .offset = offset };
}

bool ms_decode_is_exact_address(const struct ms_decode_value *v)
{
	return v->kind == MS_VALUE_ADDRESS && v->shift == 0 && !v->varies && !v->vague;
}

/* --- arithmetic --- */

/* Offsets wrap around as registers do. */
static int64_t plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* No variable is there; so sums of a few offsets do not overflow. */
static bool is_far(int64_t offset)
{
	const int64_t most = INT64_C(1) << 40;

	return offset < -most || offset > most;
}

static struct ms_decode_value shift_left(struct ms_decode_value v, unsigned shift)
{
	if (shift == 0)
		return v;
	if (v.kind == MS_VALUE_NUMBER && shift < 64) {
		v.offset = (int64_t)((uint64_t)v.offset << shift);
		return v;
	}
	if (v.kind != MS_VALUE_ADDRESS || v.shift < shift)
		return unknown;
	v.shift = (uint8_t)(v.shift - shift);
	return v;
}

static struct ms_decode_value add_to_address(struct ms_decode_value a, struct ms_decode_value b)
{
	if (a.shift != 0 || b.kind == MS_VALUE_ADDRESS)
		return unknown;
	if (b.kind == MS_VALUE_NUMBER) {
		a.offset = plus(a.offset, b.offset);
		a.varies |= b.varies;
	} else {
		a.varies = a.vague = true;
	}
	return a;
}

struct ms_decode_value ms_decode_add_values(struct ms_decode_value a, struct ms_decode_value b,
					    unsigned shift, int64_t constant)
{
	struct ms_decode_value sum;

	b = shift_left(b, shift);
	if (a.kind == MS_VALUE_ADDRESS)
		sum = add_to_address(a, b);
	else if (b.kind == MS_VALUE_ADDRESS)
		sum = add_to_address(b, a);
	else if (a.kind != MS_VALUE_NUMBER || b.kind != MS_VALUE_NUMBER)
		return unknown;
	else
		sum = (struct ms_decode_value){ .kind = MS_VALUE_NUMBER,
						.offset = plus(a.offset, b.offset),
						.varies = a.varies || b.varies };
	if (constant != 0 && sum.shift != 0)
		return unknown;
	sum.offset = plus(sum.offset, constant);
	return sum.kind == MS_VALUE_ADDRESS && is_far(sum.offset) ? unknown : sum;
}

/* An address less something unknown may get that added again: it stays an address. */
struct ms_decode_value ms_decode_subtract_values(struct ms_decode_value a, struct ms_decode_value b,
						 unsigned shift)
{
	if (b.kind == MS_VALUE_NUMBER)
		b.offset = (int64_t)(0 - (uint64_t)b.offset);
	else if (b.kind == MS_VALUE_ADDRESS || a.kind != MS_VALUE_ADDRESS)
		return unknown;
	return ms_decode_add_values(a, b, shift, 0);
}

/* The stack pointer is a multiple of 16 where functions are called, and so is each symbol. */
static void clear_bits(struct ms_decode_value *v, int64_t mask)
{
	enum { ALIGNED = -16 };

	if (mask < ALIGNED)
		v->vague = v->varies = true;
	else
		v->offset &= mask;
}

struct ms_decode_value ms_decode_align_value(struct ms_decode_value v, int64_t mask)
{
	if (v.kind == MS_VALUE_NUMBER)
		v.offset &= mask;
	else if (v.kind == MS_VALUE_ADDRESS && v.shift == 0)
		clear_bits(&v, mask);
	else
		return unknown;
	return v;
}

struct ms_decode_value ms_decode_shift_value(struct ms_decode_value v, unsigned shift)
{
	if (v.kind == MS_VALUE_NUMBER) {
		v.offset >>= shift & 63;
		return v;
	}
	if (v.kind != MS_VALUE_ADDRESS || v.shift + shift > 6)
		return unknown;
	v.shift = (uint8_t)(v.shift + shift);
	clear_bits(&v, -(INT64_C(1) << v.shift));
	return v;
}

/* --- several paths --- */

static bool make_unknown(struct ms_decode_value *v)
{
	bool changes = v->kind != MS_VALUE_UNKNOWN;

	*v = unknown;
	return changes;
}

static bool make_vary(struct ms_decode_value *v)
{
	bool changes = !v->varies;

	v->varies = true;
	return changes;
}

/* NULL, or what a call has returned: such a pointer does not point to another variable here. */
static bool is_no_stack_address(const struct ms_decode_value *v)
{
	return v->kind == MS_VALUE_RESULT || (v->kind == MS_VALUE_NUMBER && v->offset == 0);
}

static bool join_addresses(struct ms_decode_value *into, const struct ms_decode_value *from,
			   ms_decode_same_variable *same, const void *arg)
{
	if (into->symbol != from->symbol || into->shift != from->shift)
		return make_unknown(into);
	if (into->offset == from->offset)
		return from->varies ? make_vary(into) : false;
	if ((into->origin != 0 && into->origin == from->origin) ||
	    (same(arg, into->symbol, into->offset, from->offset)))
		return make_vary(into);
	return make_unknown(into);
}

bool ms_decode_join_value(struct ms_decode_value *into, const struct ms_decode_value *from,
			  ms_decode_same_variable *same, const void *arg)
{
	if (into->kind == MS_VALUE_UNKNOWN)
		return false;
	if (into->kind == MS_VALUE_ADDRESS && from->kind == MS_VALUE_ADDRESS)
		return join_addresses(into, from, same, arg);
	if (into->kind == MS_VALUE_ADDRESS && is_no_stack_address(from))
		return false;
	if (is_no_stack_address(into) && from->kind == MS_VALUE_ADDRESS) {
		*into = *from;
		return true;
	}
	if (into->kind != from->kind)
		return make_unknown(into);
	if (into->kind == MS_VALUE_RESULT)
		return false;
	return into->offset != from->offset || from->varies ? make_vary(into) : false;
}

static bool join_slots(struct ms_decode_values *into, const struct ms_decode_values *from,
		       ms_decode_same_variable *same, const void *arg)
{
	bool changed = false;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < into->slot_count; i++) {
		struct ms_decode_slot slot = into->slots[i];
		struct ms_decode_value address = ms_decode_make_address(slot.symbol, slot.offset);
		const struct ms_decode_value *other = ms_decode_find_slot(from, &address);

		changed |= other == NULL ? make_unknown(&slot.value)
					 : ms_decode_join_value(&slot.value, other, same, arg);
		if (slot.value.kind != MS_VALUE_UNKNOWN)
			into->slots[kept++] = slot;
	}
	into->slot_count = kept;
	return changed;
}

bool ms_decode_join_values(struct ms_decode_values *into, const struct ms_decode_values *from,
			   ms_decode_same_variable *same, const void *arg)
{
	bool changed = false;

	if (!into->reached) {
		*into = *from;
		into->reached = true;
		return true;
	}
	for (unsigned i = 0; i < ms_decode_registers; i++)
		changed |= ms_decode_join_value(&into->of[i], &from->of[i], same, arg);
	return join_slots(into, from, same, arg) || changed;
}

/* --- places in the frame --- */

const struct ms_decode_value *ms_decode_find_slot(const struct ms_decode_values *values,
						  const struct ms_decode_value *address)
{
	if (!ms_decode_is_exact_address(address))
		return NULL;
	for (uint32_t i = 0; i < values->slot_count; i++)
		if (values->slots[i].offset == address->offset &&
		    values->slots[i].symbol == address->symbol)
			return &values->slots[i].value;
	return NULL;
}

void ms_decode_set_slot(struct ms_decode_values *values, const struct ms_decode_value *address,
			uint64_t size, const struct ms_decode_value *value)
{
	enum { BYTES = 8 };
	uint32_t kept = 0;

	if (!ms_decode_is_exact_address(address))
		return;
	for (uint32_t i = 0; i < values->slot_count; i++) {
		const struct ms_decode_slot *slot = &values->slots[i];

		if (slot->symbol != address->symbol ||
		    slot->offset >= plus(address->offset, (int64_t)size) ||
		    plus(slot->offset, BYTES) <= address->offset)
			values->slots[kept++] = *slot;
	}
	values->slot_count = kept;
	if (value != NULL && kept < MS_DECODE_SLOTS &&
	    (value->kind == MS_VALUE_ADDRESS || value->kind == MS_VALUE_RESULT))
		values->slots[values->slot_count++] =
			(struct ms_decode_slot){ address->offset, address->symbol, *value };
}
