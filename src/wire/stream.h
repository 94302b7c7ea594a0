/*
 * wire/stream.h - the shared file: its header, its lanes, and the order of chunks.
 *
 * Freestanding, like wire.h, which includes it.
 */
#ifndef MS_WIRE_STREAM_H
#define MS_WIRE_STREAM_H

#include "wire/version.h"

/* Written by the reader before the program starts; the writer fills in the fields marked so. */
struct ms_wire_stream {
	uint64_t magic;
	uint32_t version;
	uint32_t header_bytes; /* sizeof(struct ms_wire_stream) of its creator */
	uint64_t bytes;        /* of the whole shared file */
	uint64_t chunks_at;
	uint32_t chunk_bytes;
	uint32_t chunk_count; /* of each lane; a power of two */
	uint32_t lane_count;
	uint32_t reader_pid;
	uint32_t writer_pid;  /* by the writer, as soon as it has mapped the stream */
	uint32_t writer_done; /* by the writer: 1 after a regular end */
	uint32_t exit_code;   /* by the writer, after that: the program's exit code, or
				 MS_WIRE_NO_EXIT */
	uint32_t merging;     /* by the writer: 1 as soon as it uses other lanes than the first */

	/*
	 * Lanes 1 .. lane_count - 1, for threads that run at the same time; all 0 if there is only
	 * lane 0. Each consists of a page with a struct ms_wire_lane and the lengths of chunks,
	 * then the indexes, then the chunks.
	 */
	uint64_t more_at;
	uint64_t more_bytes; /* of each lane */
	uint32_t more_chunk_bytes;
	uint32_t more_chunk_count; /* of each */
	uint64_t order_at; /* MS_WIRE_ORDERED words: see ms_wire_handover(); then as many stamps */
	uint64_t handed_over;   /* by the writer: number of chunks of all these lanes */
	uint32_t merger_sleeps; /* as in struct ms_wire_lane */
	uint32_t merger_bell;
	uint64_t exits_at; /* by exit: instructions of an execution (MS_WIRE_EXITS of uint16_t) */
	uint64_t pace; /* by the reader: see ms_wire_pace(); 0: as configured at the writer's start
			*/

	/* Lanes 1 and up, after their chunks: heap blocks with time stamps (stamped.h). */
	uint32_t stamps;          /* enum ms_wire_stamps: the source of stamps */
	uint32_t stamping;        /* by the writer: 1 as soon as it hands over a chunk of them */
	uint32_t more_stamped;    /* capacity of a lane in heap blocks; a power of two */
	uint32_t lanes_used;      /* by the writer: lanes from this number on were never used */
	uint64_t more_stamped_at; /* from the lane's start */

	/* By the writer, if children are followed: number of its processes that cannot request a
	 * stream; [1]: because they are in another network namespace. */
	uint32_t unreached[2];
	/* By the writer: 1 during execve(), which replaces the program unless it fails. */
	uint32_t executes;
	uint32_t pad[7];
	uint64_t stamp; /* MS_WIRE_STAMPS_COUNTED: the next one */
	uint32_t pad1[14];
};

/*
 * Whether the process that reads the stream is alive. At MS_WIRE_READER_AT it holds a robust lock
 * (robust_list(7) of Linux) for as long as it reads. The lower bits of the lock's word hold the
 * owner's thread id. The kernel clears them when that thread ends, also by SIGKILL. A writer needs
 * no system call for this, so it works after setuid() and chroot(), in other namespaces and without
 * file descriptors, where kill(reader_pid, 0) fails for other reasons.
 */
enum { MS_WIRE_OWNER = 0x3fffffff }; /* FUTEX_TID_MASK */

static inline uint32_t ms_wire_has_reader(const struct ms_wire_stream *stream)
{
	const uint8_t *lock = (const uint8_t *)stream + MS_WIRE_READER_AT;

	return (__atomic_load_n((const uint32_t *)lock, __ATOMIC_SEQ_CST) & MS_WIRE_OWNER) != 0;
}

/*
 * Chunks of lanes 1 and up are read in the order in which they were handed over. Number n of them
 * is described by word n % MS_WIRE_ORDERED, which is 0 until the chunk is handed over. Lane 1
 * belongs to no thread. It holds the records that others refer to (blocks, paths, modules), in
 * order of creation. Everything that was written to it is read before any chunk that was handed
 * over later.
 */
enum { MS_WIRE_ORDERED = 65536, MS_WIRE_SHARED_LANE = 1, MS_WIRE_EXITS = 1 << 22 };

/* In such a word: the chunk ends with an event whose order relative to other chunks
 * must be kept. */
#define MS_WIRE_IN_ORDER UINT32_C(0x80000000)

/* The word that describes a chunk which was handed over. */
static inline uint64_t ms_wire_handover(uint32_t thread, uint32_t lane)
{
	return (uint64_t)thread << 32 | lane;
}

#define MS_WIRE_NO_EXIT UINT32_MAX /* a signal ended the program */

/* Requests to memspy, from a forked child or from memspy itself when it replaces an executed
 * program. */
enum ms_wire_ask_kind {
	MS_WIRE_ASK_FORK = 1,
	MS_WIRE_ASK_EXEC = 2,
	/* Has no answer: the process is about to execute the program whose path follows, which
	 * sends a request if it can be followed. No path: execve() has failed. */
	MS_WIRE_ASK_BECOMES = 3,
};

struct ms_wire_ask {
	uint32_t kind;
	uint32_t parent; /* process; of the last kind: the process that executes */
};

/*
 * filled and freed count chunks; they are compared modulo 2^32 and are not reset. Chunk k of the
 * stream is at index k % chunk_count. The chunk being written has the number `chunk`. Its words
 * end at the writer's address `cursor`, so that the last records of a killed program can be read,
 * too.
 */
struct ms_wire_lane {
	uint64_t cursor;      /* the writer's address of the next word to be written */
	uint64_t chunk_start; /* the writer's address of the chunk being written */
	uint32_t chunk;       /* its number: `filled`, except between two chunks */
	uint32_t thread;      /* of lanes 1 and up: the owner; 0: none */
	uint32_t away;        /* likewise: the thread waits or may wait, and writes nothing */
	/* Since MS_WIRE_HEAP_PACKED: a record to which the writer still adds words. It ends at the
	 * cursor, whatever its head says. Its index in the chunk, plus 1; 0: none. */
	uint32_t open;
	uint32_t stamped; /* number of heap blocks with stamps (stamped.h) so far; counts like
			     `filled` */
	uint32_t pad0[7];
	uint32_t filled;
	uint32_t reader_sleeps; /* set by a reader before it sleeps */
	uint32_t reader_bell; /* futex of that reader; the one who clears reader_sleeps wakes it */
	uint32_t pad1[13];
	uint32_t freed; /* futex: the writer sleeps on it */
	uint32_t writer_sleeps;
	uint32_t closed; /* by the reader, in the first lane for all lanes: the writer must stop */
	uint32_t stamped_taken; /* futex: number of heap blocks with stamps that were read */
	uint32_t pad2[12];
	uint32_t words_at; /* offset in the file of the chunks' lengths (uint32_t each) */
	uint32_t index_at; /* offset in the file of the chunks' indexes (struct ms_wire_index each)
			    */
	/* Since MS_WIRE_THINNED, without tracing: nanoseconds spent on reporting heap blocks. */
	uint64_t telling;
	uint32_t pad3[12];
};

enum { MS_WIRE_INDEXED = 1023 };

/* The positions of a chunk's events, as words from its start, so that readers need not search
 * them. */
struct ms_wire_index {
	uint32_t count; /* of all events; only the first MS_WIRE_INDEXED are listed */
	uint32_t at[MS_WIRE_INDEXED];
};

MS_WIRE_ASSERT(sizeof(struct ms_wire_stream) == 256);
MS_WIRE_ASSERT(offsetof(struct ms_wire_stream, stamp) == 192);
MS_WIRE_ASSERT(sizeof(struct ms_wire_lane) == 256);
MS_WIRE_ASSERT(offsetof(struct ms_wire_lane, filled) == 64);
MS_WIRE_ASSERT(offsetof(struct ms_wire_lane, freed) == 128);
MS_WIRE_ASSERT(sizeof(struct ms_wire_index) == 4096);

#endif
