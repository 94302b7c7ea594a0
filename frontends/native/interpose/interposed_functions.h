/* interposed_functions.h - which functions are interposed, and what interpose.S calls. */
#ifndef MS_NATIVE_INTERPOSE_INTERPOSED_FUNCTIONS_H
#define MS_NATIVE_INTERPOSE_INTERPOSED_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_interpose_frame;

/* Finds the real functions that are not known yet. */
void ms_interpose_find_real_functions(void);
/* Switches the recording of allocations. While it is off, an allocation costs one jump more. */
void ms_interpose_set_alloc_recording(bool on);
/* Updates whether the functions that create processes or execute programs are wrapped. */
void ms_interpose_update_process_entries(void);
/* Called by interpose.S; fifth and sixth are the arguments that the frame does not hold. */
uint64_t ms_interpose_call_mapping_function(uint64_t function, struct ms_interpose_frame *frame,
					    uint64_t fifth, uint64_t sixth);

/* --- client_request_entry.c --- */

/* Reads the notes of a module: if its sources include memspy.h, its client requests are enabled. */
void ms_interpose_install_request_entry(uint64_t bias, const void *headers, uint32_t count);
extern const uint8_t ms_interpose_request_entry[];

#endif
