/* instruction_operands.h - the registers that the instructions of a superblock read and write. */
#ifndef MS_VG_INSTRUCTION_OPERANDS_H
#define MS_VG_INSTRUCTION_OPERANDS_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/*
 * Finds the operands of each instruction of `in`, in the order of its instruction marks: words of
 * wire/operands.h. NULL: the superblock is too large.
 */
const ULong *ms_vg_operands_find(const IRSB *in);

#endif
