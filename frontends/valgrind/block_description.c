/* block_description.c - the description of the block being instrumented, sent when it is complete.
 */
#include "block_description.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"

#include "lane.h"
#include "spin_detection.h"
#include "time_slices.h"
#include "windows.h"

enum { MAX_INSTRUCTIONS = 255, MAX_EXITS = 255 };

static UInt next_number; /* of blocks */
static UInt next_exit;
static struct ms_wire_block block;
static Bool conditional; /* some of its references */
static ULong instructions[MAX_INSTRUCTIONS];
static ULong operands[MAX_INSTRUCTIONS];
static struct ms_wire_ref refs[MS_WIRE_MAX_REFS];
static struct ms_wire_exit exits[MAX_EXITS];

void ms_vg_block_start(void)
{
	block = (struct ms_wire_block){ .operands = 1 };
	conditional = False;
}

void ms_vg_block_add_instruction(Addr pc, const ULong *words)
{
	if (words == NULL)
		block.operands = 0;
	else
		operands[block.instructions] = *words;
	instructions[block.instructions++] = pc;
}

Bool ms_vg_block_has_room(void)
{
	/* One instruction makes at most a few dozen references and a few exits. */
	return block.instructions < MAX_INSTRUCTIONS && block.refs < MS_WIRE_MAX_REFS - 64 &&
	       block.exits < MAX_EXITS - 64;
}

UInt ms_vg_block_add_ref(UInt kind, UInt size)
{
	tl_assert(block.refs < MS_WIRE_MAX_REFS && block.instructions > 0);
	refs[block.refs] = (struct ms_wire_ref){ block.instructions - 1, size, kind, 0 };
	return ++block.refs;
}

void ms_vg_block_make_conditional(void)
{
	conditional = True;
}

void ms_vg_block_make_modify(void)
{
	refs[block.refs - 1].kind = MS_WIRE_MODIFY;
}

UInt ms_vg_block_add_exit(void)
{
	tl_assert(block.exits < MAX_EXITS);
	exits[block.exits++] = (struct ms_wire_exit){ block.refs, block.instructions, 0 };
	return next_exit++;
}

UInt ms_vg_block_count_refs(void)
{
	return block.refs;
}

UInt ms_vg_block_count_instructions(void)
{
	return block.instructions;
}

void ms_vg_block_restart(void)
{
	next_number = 0;
	next_exit = 0;
	ms_vg_spin_restart();
}

void ms_vg_block_send(Bool pauses)
{
	static ULong words[MS_WIRE_RESERVE_WORDS];
	UInt n = 0;

	if (ms_vg_windows_on)
		ms_vg_windows_add_block(exits, block.exits, next_exit - block.exits, refs,
					block.refs, conditional);
	if (ms_vg_processors > 1)
		ms_vg_spin_add_block(refs, block.refs, block.operands != 0 ? operands : NULL, exits,
				     block.exits, next_exit - block.exits, pauses);
	/* The largest blocks have no room for them. */
	if (1 + ms_wire_count_block_words(&block) > MS_WIRE_RESERVE_WORDS)
		block.operands = 0;
	VG_(memcpy)(&words[n], &block, 8);
	n += 1;
	VG_(memcpy)(&words[n], instructions, block.instructions * 8);
	n += block.instructions;
	VG_(memcpy)(&words[n], refs, block.refs * 8);
	n += block.refs;
	VG_(memcpy)(&words[n], exits, block.exits * 8);
	n += block.exits;
	if (block.operands) {
		VG_(memcpy)(&words[n], operands, block.instructions * 8);
		n += block.instructions;
	}
	ms_vg_lane_write_event(MS_WIRE_BLOCK, next_number++, words, n, NULL, 0);
}
