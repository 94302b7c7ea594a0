/*
 * engine/add_processors.h - an engine of one processor gets several, when the program starts its
 * first thread. Until then a program costs what one processor costs.
 *
 * The first processor keeps its caches, and what is known of each line: a line that was used before
 * is no first reference. Counts so far stay, as those of the first processor. Modified lines count
 * as written back at that time, because one processor does not record which lines it has written.
 * The parts of misses that an out-of-order processor waits for are dropped, as they are not
 * modelled for several processors.
 */
#ifndef MS_ENGINE_ADD_PROCESSORS_H
#define MS_ENGINE_ADD_PROCESSORS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_engine;
struct ms_machine;

/* Whether an engine of one such processor can get more: its levels are LRU and write back. */
bool ms_engine_can_add_processors(const struct ms_machine *machine);
/*
 * machine: the engine's machine with several processors. thread: the counts so far are those of
 * this thread (see ms_engine_set_processor()). Call it when all batches are finished; the engine
 * has neither windows, nor a monitor, nor call paths. Returns the instructions so far.
 */
uint64_t ms_engine_add_processors(struct ms_engine *engine, const struct ms_machine *machine,
				  uint32_t thread);

#endif
