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

enum { MOST = 96 };

/* Consecutive instructions, of which [begin, end) may be a loop. */
struct loop_row {
	struct ms_decode_instruction at[MOST];
	uint32_t n;
	uint32_t here; /* the instruction in question; n: it is not among them */
	uint32_t begin, end;
	bool is_loop; /* the first one follows the last */
};

static void read_row(const struct ms_decode_code_around *code, uint32_t first, uint64_t pc,
		     struct loop_row *row)
{
	uint64_t start = code->pc - code->before;
	uint32_t end = code->before + code->after;
	bool found = false;

	row->n = 0;
	for (uint32_t at = first; at < end && row->n < MOST;) {
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

static void find_loop(struct loop_row *row)
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

/* The registers that receive computed values, without those that only advance with the address. */
static uint64_t results(const struct ms_decode_instruction *in)
{
	return in->moves != 0 ? in->writes & ~bit_of(in->operand.base) : in->writes;
}

static bool loads(const struct ms_decode_instruction *in)
{
	return in->memory && in->operand.kind != 1;
}

static uint64_t changed_in(const struct loop_row *row)
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
	uint64_t found = results(in) & wanted;

	if (found == 0)
		return wanted;
	if (!loads(in))
		return (wanted & ~found) | in->reads;
	*led |= (addressed_by(in) & changed) != 0;
	return wanted & ~found;
}

static bool read_loop(const struct ms_decode_code_around *code, uint32_t first,
		      const struct ms_decode_instruction *in, struct loop_row *row)
{
	read_row(code, first, in->pc, row);
	if (row->here == row->n)
		return false;
	find_loop(row);
	return true;
}

/* What one iteration of the loop adds to a register; false: not a constant. */
static bool added_to(const struct loop_row *row, int8_t reg, int64_t *sum)
{
	*sum = 0;
	for (uint32_t i = row->begin; i < row->end; i++) {
		const struct ms_decode_instruction *in = &row->at[i];

		if ((results(in) & bit_of(reg)) != 0 && in->adds == 0)
			return false;
		if ((results(in) & bit_of(reg)) != 0)
			*sum += in->adds;
		else if ((in->writes & bit_of(reg)) != 0)
			*sum += in->moves;
	}
	return true;
}

int8_t ms_decode_stride(const struct ms_decode_code_around *code, uint32_t first,
			const struct ms_decode_instruction *in)
{
	struct loop_row row;
	int64_t base, index;

	if (!read_loop(code, first, in, &row) || !row.is_loop || in->operand.elements ||
	    !added_to(&row, in->operand.base, &base) || !added_to(&row, in->operand.index, &index))
		return 0;
	int64_t stride = base + index * in->operand.scale;
	return stride > -MS_DECODE_LINE && stride < MS_DECODE_LINE ? (int8_t)stride : 0;
}

bool ms_decode_is_led(const struct ms_decode_code_around *code, uint32_t first,
		      const struct ms_decode_instruction *in)
{
	struct loop_row row;
	bool led = false;

	if (!read_loop(code, first, in, &row))
		return false;
	uint64_t changed = changed_in(&row), wanted = addressed_by(in);
	for (uint32_t i = row.here; i-- > row.begin && !led;)
		wanted = step_back(&row.at[i], wanted, changed, &led);
	for (uint32_t i = row.end; row.is_loop && i-- > row.here + 1 && !led;)
		wanted = step_back(&row.at[i], wanted, changed, &led);
	return led;
}
