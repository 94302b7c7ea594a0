/*
 * decode/loop.c - how the address of a reference changes from one iteration of its loop to the
 * next:
 *
 *   - by a constant, z[j]: only the first reference to a line can have waited for it,
 *   - by another load, y[col[i]]: no prefetcher predicts such an address, so a thread that is
 *     stopped after the reference has waited for it, whatever else the instruction computes.
 *
 * Not supported: addresses that a called function computes, and addresses in variables of the stack
 * frame. If the end of a loop lies beyond the code that came with the sample, the available part is
 * taken as the loop.
 */
#include "decode/decode_priv.h"

static void read_row(const struct ms_decode_code_around *code, uint32_t first, uint64_t pc,
		     struct ms_decode_row *row)
{
	uint64_t start = code->pc - code->before;
	uint32_t end = code->before + code->after;
	bool found = false;

	row->n = 0;
	for (uint32_t at = first; at < end && row->n < MS_DECODE_ROW;) {
		struct ms_decode_instruction *in = &row->at[row->n];

		if (!ms_decode_one(code->bytes + at, end - at, start + at, in))
			break;
		at += in->length;
		if (in->pc == pc) {
			row->here = row->n;
			found = true;
		}
		row->n++;
		if (in->flow == MS_FLOW_AWAY && found)
			break;
		if (in->flow == MS_FLOW_AWAY) /* control flow does not come from before it */
			row->n = 0;
	}
	if (!found)
		row->here = row->n;
}

static void find_loop(struct ms_decode_row *row)
{
	row->begin = 0;
	row->end = row->n;
	row->is_loop = false;
	for (uint32_t i = row->here; i < row->n; i++) {
		uint64_t target = row->at[i].target;

		if (row->at[i].flow != MS_FLOW_BRANCH || target > row->at[row->here].pc)
			continue;
		for (uint32_t k = 0; k <= row->here; k++) {
			if (row->at[k].pc != target)
				continue;
			row->begin = k;
			row->end = i + 1;
			row->is_loop = true;
			return;
		}
	}
}

static uint64_t bit_of(int8_t reg)
{
	return reg >= 0 ? UINT64_C(1) << reg : 0;
}

static uint64_t addressed_by(const struct ms_decode_instruction *in)
{
	return bit_of(in->operand.base) | bit_of(in->operand.index);
}

uint64_t ms_decode_results(const struct ms_decode_instruction *in)
{
	return in->moves != 0 ? in->writes & ~bit_of(in->operand.base) : in->writes;
}

static bool loads(const struct ms_decode_instruction *in)
{
	return in->memory && in->operand.kind != 1;
}

static uint64_t changed_in(const struct ms_decode_row *row)
{
	uint64_t changed = 0;

	for (uint32_t i = row->begin; i < row->end; i++)
		changed |= row->at[i].writes;
	return changed & ~(UINT64_C(1) << ms_decode_stack_pointer);
}

/*
 * One step backwards: the registers that determine, before `in`, the registers `wanted` after it.
 */
static uint64_t step_back(const struct ms_decode_instruction *in, uint64_t wanted, uint64_t changed,
			  bool *led)
{
	uint64_t found = ms_decode_results(in) & wanted;

	if (found == 0)
		return wanted;
	if (!loads(in))
		return (wanted & ~found) | in->reads;
	*led |= (addressed_by(in) & changed) != 0;
	return wanted & ~found;
}

bool ms_decode_read_row(const struct ms_decode_code_around *code, uint32_t first, uint64_t pc,
			struct ms_decode_row *row)
{
	read_row(code, first, pc, row);
	if (row->here == row->n)
		return false;
	find_loop(row);
	return true;
}

/* What one iteration of a loop adds to a register: a constant and the value of another one. */
struct added {
	int64_t constant;
	int8_t reg; /* MS_NO_REGISTER: none */
};

/* False: it changes in another way. */
static bool added_to(const struct ms_decode_row *row, int8_t reg, struct added *sum)
{
	*sum = (struct added){ 0, MS_NO_REGISTER };
	for (uint32_t i = row->begin; i < row->end; i++) {
		const struct ms_decode_instruction *in = &row->at[i];

		if ((in->writes & bit_of(reg)) == 0)
			continue;
		if ((ms_decode_results(in) & bit_of(reg)) == 0)
			sum->constant += in->moves;
		else if (in->adds != 0)
			sum->constant += in->adds;
		else if (in->adds_register != MS_NO_REGISTER && sum->reg == MS_NO_REGISTER &&
			 (changed_in(row) & bit_of(in->adds_register)) == 0)
			sum->reg = in->adds_register;
		else
			return false;
	}
	return true;
}

void ms_decode_find_stride(const struct ms_decode_code_around *code, uint32_t first,
			   const struct ms_decode_instruction *in,
			   struct ms_decode_operand *operand)
{
	struct ms_decode_row row;
	struct added base, index;

	operand->stride_register = MS_NO_REGISTER;
	if (!ms_decode_read_row(code, first, in->pc, &row) || !row.is_loop ||
	    in->operand.elements || !added_to(&row, in->operand.base, &base) ||
	    !added_to(&row, in->operand.index, &index))
		return;
	int64_t stride = base.constant + index.constant * in->operand.scale;
	if (base.reg != MS_NO_REGISTER || index.reg != MS_NO_REGISTER) {
		/* Both, or one and a constant: not supported. */
		if (stride != 0 || (base.reg != MS_NO_REGISTER && index.reg != MS_NO_REGISTER))
			return;
		operand->stride_register = base.reg != MS_NO_REGISTER ? base.reg : index.reg;
		operand->stride_scale = base.reg != MS_NO_REGISTER ? 1 : in->operand.scale;
		return;
	}
	operand->strides_far = stride <= -MS_DECODE_LINE || stride >= MS_DECODE_LINE;
	operand->stride = operand->strides_far ? 0 : (int8_t)stride;
}

bool ms_decode_is_led(const struct ms_decode_code_around *code, uint32_t first,
		      const struct ms_decode_instruction *in)
{
	struct ms_decode_row row;
	bool led = false;

	if (!ms_decode_read_row(code, first, in->pc, &row))
		return false;
	uint64_t changed = changed_in(&row), wanted = addressed_by(in);
	for (uint32_t i = row.here; i-- > row.begin && !led;)
		wanted = step_back(&row.at[i], wanted, changed, &led);
	for (uint32_t i = row.end; row.is_loop && i-- > row.here + 1 && !led;)
		wanted = step_back(&row.at[i], wanted, changed, &led);
	return led;
}
