/* decode/stack_blocks.c - divides the code of a function into basic blocks. */
#include <stdlib.h>

#include "base/num.h"
#include "decode/stack_addresses_priv.h"

enum { MOST_CODE = 1 << 20, MOST_BLOCKS = 1 << 14, MOST_FILLING = 64 };

static bool is_call(const struct ms_decode_instruction *in)
{
	return in->effect.kind == MS_EFFECT_CALL;
}

/*
 * Bytes that are no instruction, as the tables of a switch, are skipped; so is what fills the space
 * before a loop or a function, which execution jumps over.
 */
static void decode_range(const struct ms_decode_stack_code *code,
			 struct ms_decode_stack_blocks *blocks)
{
	bool left = false;

	for (size_t at = 0; at < code->n;) {
		struct ms_decode_instruction in;

		if (!ms_decode_one(code->bytes + at, code->n - at, code->pc + at, &in)) {
			at += ms_decode_step;
			continue;
		}
		at += in.length;
		if (left && in.effect.kind == MS_EFFECT_NOTHING)
			continue;
		*ms_vec_add(&blocks->code) = in;
		left = in.flow == MS_FLOW_AWAY && !is_call(&in);
	}
}

/* The instruction at this address, or after what is skipped there; their number: there is none. */
static uint32_t find_instruction(const struct ms_decode_stack_blocks *blocks, uint64_t pc)
{
	uint32_t n = (uint32_t)blocks->code.n, low = 0, high = n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (blocks->code.at[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || low == n || blocks->code.at[low].pc == pc)
		return low < n && blocks->code.at[low].pc == pc ? low : n;
	const struct ms_decode_instruction *before = &blocks->code.at[low - 1];
	return pc >= before->pc + before->length && blocks->code.at[low].pc - pc < MOST_FILLING
		       ? low
		       : n;
}

static bool ends_block(const struct ms_decode_instruction *in)
{
	return in->flow == MS_FLOW_BRANCH || (in->flow == MS_FLOW_AWAY && !is_call(in));
}

/* Whether the next instruction in memory is executed after this one. */
static bool goes_on(const struct ms_decode_stack_blocks *blocks, uint32_t i)
{
	const struct ms_decode_instruction *in = &blocks->code.at[i];

	return (in->flow != MS_FLOW_AWAY || is_call(in)) && i + 1 < blocks->code.n &&
	       blocks->code.at[i + 1].pc == in->pc + in->length;
}

static void mark_leaders(const struct ms_decode_stack_blocks *blocks, bool *leads)
{
	uint32_t n = (uint32_t)blocks->code.n;

	leads[0] = true;
	for (uint32_t i = 0; i < n; i++) {
		const struct ms_decode_instruction *in = &blocks->code.at[i];

		if (!is_call(in) && in->target != 0)
			leads[find_instruction(blocks, in->target)] = true;
		if (ends_block(in) || !goes_on(blocks, i))
			leads[i + 1] = true;
	}
}

/* The block that begins with this instruction; all begin where `leads` is set. */
static uint32_t block_of(const struct ms_decode_stack_blocks *blocks, uint32_t instruction)
{
	uint32_t low = 0, high = (uint32_t)blocks->at.n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (blocks->at.at[middle].first < instruction)
			low = middle + 1;
		else
			high = middle;
	}
	return low < blocks->at.n && blocks->at.at[low].first == instruction ? low : MS_NO_BLOCK;
}

static void link_block(const struct ms_decode_stack_blocks *blocks, uint32_t number)
{
	struct ms_decode_stack_block *block = &blocks->at.at[number];
	const struct ms_decode_instruction *last = &blocks->code.at[block->end - 1];

	block->next = goes_on(blocks, block->end - 1) ? number + 1 : MS_NO_BLOCK;
	block->target = MS_NO_BLOCK;
	if (!ends_block(last))
		return;
	if (last->target != 0)
		block->target = block_of(blocks, find_instruction(blocks, last->target));
	else
		block->jumps = last->effect.kind == MS_EFFECT_JUMP;
}

static int by_pc(const void *a, const void *b)
{
	const struct ms_decode_instruction *x = a, *y = b;

	return ms_cmp_u64(x->pc, y->pc);
}

bool ms_decode_make_blocks(const struct ms_decode_stack_function *f,
			   struct ms_decode_stack_blocks *blocks)
{
	size_t bytes = 0;

	for (size_t i = 0; i < f->code.n; i++)
		bytes += f->code.at[i].n;
	if (bytes > MOST_CODE)
		return false;
	for (size_t i = 0; i < f->code.n; i++)
		decode_range(&f->code.at[i], blocks);
	if (blocks->code.n == 0)
		return false;
	qsort(blocks->code.at, blocks->code.n, sizeof(*blocks->code.at), by_pc);
	bool *leads = ms_alloc((blocks->code.n + 1) * sizeof(*leads));
	mark_leaders(blocks, leads);
	for (uint32_t i = 0; i < blocks->code.n; i++) {
		if (leads[i])
			*ms_vec_add(&blocks->at) = (struct ms_decode_stack_block){ .first = i };
		blocks->at.at[blocks->at.n - 1].end = i + 1;
	}
	ms_free(leads);
	for (uint32_t i = 0; i < blocks->at.n; i++)
		link_block(blocks, i);
	return blocks->at.n <= MOST_BLOCKS;
}

void ms_decode_free_blocks(struct ms_decode_stack_blocks *blocks)
{
	ms_vec_free(&blocks->code);
	ms_vec_free(&blocks->at);
}
