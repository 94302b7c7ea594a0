/* aarch64: sp has the number 31, after x0 to x30; x29 is the frame pointer, x30 the link register.
 */
#include "bins/registers.h"

#include "wire/operands.h"

const uint32_t ms_bins_stack_pointer = MS_WIRE_INTEGER_REGISTER + 31;
const uint32_t ms_bins_frame_pointer = MS_WIRE_INTEGER_REGISTER + 29;
const uint32_t ms_bins_link_register = MS_WIRE_INTEGER_REGISTER + 30;
