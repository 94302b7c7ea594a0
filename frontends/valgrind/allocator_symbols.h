/* allocator_symbols.h - finds the functions of the malloc family by their symbols. */
#ifndef MS_VG_ALLOCATOR_SYMBOLS_H
#define MS_VG_ALLOCATOR_SYMBOLS_H

#include "pub_tool_basics.h"

#include "allocators.h"

/* A function that the user named: "T,SIZE,TIMES,BLOCK,BYTES,NAME"; T: takes, F: frees, R: resizes.
 */
Bool ms_vg_allocators_add_private(const HChar *text);
/* Reports those that were not found. */
void ms_vg_allocators_note_private_call(const struct ms_allocator_function *call);
void ms_vg_allocators_report_missing(void);
/* Reads the symbols of newly mapped modules; called before each translation. */
void ms_vg_allocators_read_new_modules(void);
/* Code is unmapped. */
void ms_vg_allocators_forget(Addr start, SizeT size);
/* Which function of the malloc family starts at pc; NULL when none does. */
const struct ms_allocator_function *ms_vg_allocators_find_at(Addr pc);
/* Whether returns of code at pc may be returns from such a function. */
Bool ms_vg_allocators_may_return_at(Addr pc);
/* Whether pc is in the C library's allocator: when a thread ends, that frees again the blocks that
 * the thread had freed and that it had cached for it. */
Bool ms_vg_allocators_contain(Addr pc);

#endif
