/* x86-64: rax, rcx, rdx, rbx, rsp, rbp. */
#include "bins/registers.h"

#include "wire/operands.h"

const uint32_t ms_bins_stack_pointer = MS_WIRE_INTEGER_REGISTER + 4;
const uint32_t ms_bins_frame_pointer = MS_WIRE_INTEGER_REGISTER + 5;
const uint32_t ms_bins_link_register = MS_WIRE_NO_REGISTER; /* calls push */
