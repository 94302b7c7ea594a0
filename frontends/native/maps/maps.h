/* maps.h - the memory mappings of the program and the modules in them. */
#ifndef MS_NATIVE_MAPS_MAPS_H
#define MS_NATIVE_MAPS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_runtime_thread;

/* Records all mappings and modules. */
void ms_maps_report_all(struct ms_runtime_thread *t);
/* Where the running thread's stack is. */
void ms_maps_find_stack(struct ms_runtime_thread *t);
/* The size to which the first thread's stack may grow; also the default size of the other threads'
 * stacks. */
uint64_t ms_maps_get_stack_limit(void);
/* Whether code at pc, [*start, *end), is mapped from a file and not writable. */
bool ms_maps_is_stable_code(uint64_t pc, uint64_t *start, uint64_t *end);
/* Whether code at pc, [*start, *end), may currently be executed and traced. */
bool ms_maps_find_code_range(uint64_t pc, uint64_t *start, uint64_t *end);
/* Whether the range contains code of a module. */
bool ms_maps_has_module_code(uint64_t start, uint64_t size);
/* Code there is writable from now on. */
void ms_maps_mark_code_writable(uint64_t start, uint64_t size);
/* Code there is never traced. */
void ms_maps_exclude_code(uint64_t start, uint64_t bytes);
/* The program maps or unmaps. A mapping that is no file's (fd is -1) is an allocator's, or is named
 * by the number of the call path. */
void ms_maps_add_mapping(struct ms_runtime_thread *t, uint64_t address, uint64_t size, int fd,
			 bool code, bool by_allocator, uint32_t path);
void ms_maps_remove_mapping(struct ms_runtime_thread *t, uint64_t address, uint64_t size);
void ms_maps_set_heap_end(struct ms_runtime_thread *t, uint64_t end);
/* The heap (brk) may have grown in untraced code. */
void ms_maps_check_heap_growth(struct ms_runtime_thread *t);
/* For a new stream: ms_maps_report_all() will record everything again. */
void ms_maps_forget_modules(void);

/* A module whose code is mapped, for the unwinder. */
struct ms_maps_loaded_module {
	uint64_t start, end; /* of its code */
	uint64_t bias;
	const uint8_t *frame_table; /* .eh_frame_hdr; NULL: none */
	uint64_t file;              /* identifies the file and the part of it */
	uint32_t number;
	bool is_memspy;
	bool is_mapped; /* still mapped at the last check */
};
/* Finds modules that untraced code has unmapped: records that, and invalidates their code. */
void ms_maps_check_unloaded_modules(struct ms_runtime_thread *t);
/* The module whose code is at pc, valid until code is unmapped; NULL: none. */
const struct ms_maps_loaded_module *ms_maps_find_module(uint64_t pc);
/* The same, for a module that untraced code may have mapped: then all new ones are recorded. */
const struct ms_maps_loaded_module *ms_maps_find_or_scan_module(struct ms_runtime_thread *t,
								uint64_t pc);

/* --- libraries that are being unloaded --- */

/* A call of dlclose() begins (1) or has been evaluated (-1). */
void ms_maps_count_unloads(uint32_t more);
/* Whether another thread is unloading a library: what is mapped at its address must not be traced
 * yet. */
bool ms_maps_is_other_unloading(const struct ms_runtime_thread *t);
/* In a forked child, which has one thread. */
void ms_maps_reset_unloading(const struct ms_runtime_thread *t);

#endif
