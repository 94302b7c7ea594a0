/*
 * wire/wire.h - the wire format: front-ends write it and the memspy process reads it, in shared
 * memory.
 *
 * Freestanding: it is compiled inside a Valgrind tool and inside a user's program. Little-endian,
 * fixed widths, sizes asserted. The layout of the shared file (a memfd):
 *
 *    +--------------------+  0
 *    | ms_wire_stream     |  the writer, and all sizes
 *    +--------------------+  MS_WIRE_LANES_AT
 *    | ms_wire_lane 0     |  the ring's counters, the writer's position
 *    | ...                |
 *    +--------------------+  chunks_at
 *    | lane 0: chunk 0    |  words
 *    |         chunk 1 .. |
 *    | lane 1: ...        |
 *    +--------------------+
 *
 * A lane is a ring of chunks with one writer. A front-end whose threads take turns (Valgrind) sends
 * them all through one lane, in the order in which they ran, with a MS_WIRE_SWITCH between them; a
 * front-end whose threads run at the same time gives each its own.
 *
 * A chunk is a sequence of records. A record starts with a head word:
 *
 *    63        32 31     16 15      0
 *    +-----------+---------+---------+
 *    | arg       | words   | kind    |    an event: `words` counts the head word too
 *    +-----------+---------+---------+
 *    +-----------+---------+---------+
 *    | exit      | words   | 0       |    an execution (MS_WIRE_EXEC) of a block, left by `exit`,
 *    +-----------+---------+---------+    and then one word for each reference on the way there.
 *    | address of reference 0        |    Exits are counted up over all blocks, in the order of
 *    | address of reference 1 ...    |    their description. Address 0: a conditional reference
 *                                         that was not executed.
 *
 * No record crosses a chunk's end.
 */
#ifndef MS_WIRE_WIRE_H
#define MS_WIRE_WIRE_H

#include "wire/processors.h"
#include "wire/records.h"
#include "wire/samples.h"
#include "wire/stream.h"
#include "wire/version.h"
#include "wire/windows.h"

#endif
