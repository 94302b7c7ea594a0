/* block_description.h - the description of the block being instrumented. */
#ifndef MS_VG_BLOCK_DESCRIPTION_H
#define MS_VG_BLOCK_DESCRIPTION_H

#include "pub_tool_basics.h"

/* Everything that follows belongs to a new block, until ms_vg_block_send(). */
void ms_vg_block_start(void);
/* operands: a word of wire/operands.h; NULL: unknown, and so for the whole block. */
void ms_vg_block_add_instruction(Addr pc, const ULong *operands);
/* False when the block is full: send it, start another. */
Bool ms_vg_block_has_room(void);
/* Returns the word of the execution's record that takes the address (the head is word 0). */
UInt ms_vg_block_add_ref(UInt kind, UInt size);
/* The last reference is conditional. */
void ms_vg_block_make_conditional(void);
/* Makes the last reference, a read, a modify. */
void ms_vg_block_make_modify(void);
/* Returns the exit's number, as an execution's head word names it. */
UInt ms_vg_block_add_exit(void);
UInt ms_vg_block_count_refs(void);
UInt ms_vg_block_count_instructions(void);
/* pauses: its last exit is a spin hint to the processor. */
void ms_vg_block_send(Bool pauses);
/* Another stream: numbers begin again. */
void ms_vg_block_restart(void);

#endif
