/* bins/registers.h - registers of this architecture, as blocks describe them (wire/operands.h). */
#ifndef MS_BINS_REGISTERS_H
#define MS_BINS_REGISTERS_H

#include <stdint.h>

extern const uint32_t ms_bins_stack_pointer;
extern const uint32_t ms_bins_frame_pointer;
/* Every call writes it; MS_WIRE_NO_REGISTER: there is none. */
extern const uint32_t ms_bins_link_register;

#endif
