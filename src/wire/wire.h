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

#include <stddef.h>
#include <stdint.h>

#define MS_WIRE_MAGIC UINT64_C(0x01007970736d656d) /* the bytes "memspy" 0 1 */

enum ms_wire_version {
	MS_WIRE_FIRST = 1,
	MS_WIRE_PROGRAM_TELLS = 2,  /* private allocators, names, phases, counting on and off */
	MS_WIRE_PARALLEL = 3,       /* waits, spinning, affinity, memory policies */
	MS_WIRE_SAMPLED = 4,        /* windows */
	MS_WIRE_HARDWARE = 5,       /* time stamps and samples of the real machine */
	MS_WIRE_STRATA = 6,         /* strata: windows whose density changes */
	MS_WIRE_THINNED = 7,        /* sampled allocations */
	MS_WIRE_COUNTED = 8,        /* executions between windows, by exit */
	MS_WIRE_UNTRACED_TIME = 9,  /* untraced time, with its reasons */
	MS_WIRE_PARTS_COUNTED = 10, /* between windows, a part of the references is counted */
	MS_WIRE_HEAP_PACKED = 11,   /* allocations in one word each */
	MS_WIRE_GAPS_TIMED = 12,    /* precision of the time between windows */
	MS_WIRE_SPIN_LOOPS = 13,    /* spin loops, which are counted in part only */
	MS_WIRE_OPERANDS = 14,      /* registers that instructions read and write */
	MS_WIRE_UNWOUND = 15,       /* calls that have not returned, where a window begins */

	MS_WIRE_OLDEST = MS_WIRE_FIRST,
	MS_WIRE_NEWEST = MS_WIRE_UNWOUND,
};

enum {
	MS_WIRE_READER_AT = 2048, /* see ms_wire_has_reader() */
	MS_WIRE_LANES_AT = 4096,
	/* A writer starts no record with less room than this before the end of its chunk. */
	MS_WIRE_RESERVE_WORDS = 1024,
	/* So a block may have this many references (its head word needs one more) ... */
	MS_WIRE_MAX_REFS = 500,
	/* ... and a text in an event this many bytes. */
	MS_WIRE_MAX_TEXT = 4096,
	MS_WIRE_MAX_PATH = 256,
	MS_WIRE_MAX_NAME = 255, /* bytes of a name that the program gives */
	MS_WIRE_MIN_CHUNK = 2 * MS_WIRE_RESERVE_WORDS * 8,
};

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

enum ms_wire_kind {
	MS_WIRE_EXEC = 0,    /* drawn above */
	MS_WIRE_BLOCK,       /* struct ms_wire_block; arg: its number, from 0 upwards */
	MS_WIRE_MODULE,      /* struct ms_wire_module; arg: its number, from 0 upwards */
	MS_WIRE_MODULE_GONE, /* arg: the module's number */
	MS_WIRE_PATH,  /* return addresses, innermost first, and 0 at the end of a truncated path;
			  arg: its number, from 0 */
	MS_WIRE_ALLOC, /* address, size; arg: path. Since MS_WIRE_THINNED optionally a third word:
			  mean bytes between reported blocks. 0 or none: all are reported */
	MS_WIRE_FREE,  /* address */
	MS_WIRE_HEAP_CALL,  /* arg: 1, the running thread enters the allocator; 0, it leaves it */
	MS_WIRE_MAP,        /* struct ms_wire_map; arg: path or MS_WIRE_NO_PATH */
	MS_WIRE_UNMAP,      /* address, size */
	MS_WIRE_THREAD,     /* lowest address and end of the stack, and since MS_WIRE_PARALLEL the
			       creating thread or MS_WIRE_NO_THREAD; arg: thread */
	MS_WIRE_THREAD_END, /* arg: thread; since MS_WIRE_PARALLEL enum ms_wire_end_kind, or nothing
			       if unknown */
	MS_WIRE_SWITCH,     /* arg: the thread that executed what follows */
	MS_WIRE_TLS,        /* thread pointer; arg: thread */
	/* Since MS_WIRE_PROGRAM_TELLS: */
	MS_WIRE_INNER_ALLOC, /* like MS_WIRE_ALLOC, by a private allocator: the block may lie inside
				another one, or where blocks were that were never freed */
	MS_WIRE_INNER_FREE,  /* address of such a block, not of one that it is the start of */
	MS_WIRE_NAME,        /* struct ms_wire_name */
	MS_WIRE_UNNAME,      /* address: where a named range starts */
	MS_WIRE_PHASE,       /* a name; arg: its bytes, at least 1 */
	MS_WIRE_COUNTING, /* arg: 0, executions are omitted from here on; 1, they are written again
			   */
	/* Since MS_WIRE_PARALLEL: */
	MS_WIRE_CLOCK, /* instructions that the thread has executed so far, including those that are
			  not counted; arg: thread. Written before threads begin, end, wait or
			  continue, and before another thread takes its processor */
	MS_WIRE_THREAD_AT, /* path; arg: thread. Written a few times when it begins: its function is
			      near the path's outer end */
	MS_WIRE_WAIT, /* enum ms_wire_wait_reason, path or MS_WIRE_NO_PATH; arg: thread, which does
			 not run from here on */
	MS_WIRE_WAKE, /* the thread that made it runnable, or MS_WIRE_NO_THREAD; earlier records of
			 that thread happened before; arg: thread */
	MS_WIRE_SPIN, /* instructions of a spin loop, which are neither written as executions nor in
			 the clock, path; arg: thread */
	MS_WIRE_AFFINITY, /* a bit for each processor that the thread may run on, at least one word;
			     arg: thread */
	MS_WIRE_POLICY,   /* struct ms_wire_policy; arg: the thread that set it */
	/* Since MS_WIRE_SAMPLED. A stream with windows has executions only inside windows: */
	MS_WIRE_WINDOW_OPEN, /* struct ms_wire_window: what was omitted since the last one, or since
				the start; arg: its number, from 0 upwards. Since
				MS_WIRE_GAPS_TIMED, followed by a struct ms_wire_timed if that was
				estimated from time */
	MS_WIRE_WINDOW_CLOSE, /* struct ms_wire_window: what was in it; arg: its number */
	/* Since MS_WIRE_HARDWARE, without tracing: */
	MS_WIRE_TIME,   /* the processor's time stamp counter: when the next event of this thread
			   took effect */
	MS_WIRE_SAMPLE, /* struct ms_wire_sample; arg: thread. Also of a sampled program, between
			   its windows */
	/* Since MS_WIRE_STRATA: */
	MS_WIRE_STRATUM, /* from here on, the mean length of windows and of the part that each
			    represents, in references; arg: its number, from 1 upwards */
	/* Since MS_WIRE_COUNTED, after the last window, if executions between windows
	 * are counted: */
	MS_WIRE_LEFT_OUT, /* number of executions of this exit outside of windows; arg: the exit */
	/* Since MS_WIRE_UNTRACED_TIME: */
	MS_WIRE_UNTRACED, /* struct ms_wire_untraced; arg: enum ms_wire_untraced_reason */
	/* Since MS_WIRE_HEAP_PACKED: */
	MS_WIRE_PACKED, /* an address, then a word for each heap block that was allocated or freed
			   near it: see ms_wire_unpack() */
	/* Since MS_WIRE_SPIN_LOOPS, after the omitted exits: */
	MS_WIRE_SPIN_LOOP, /* pc of a block in which threads wait for others, and number of its
			      references between windows that were not counted */
	/* Since MS_WIRE_UNWOUND, before the thread's first execution in a window: */
	MS_WIRE_CALLS, /* return addresses of the calls that have not returned, innermost first; of
			  deep stacks some in the middle are missing; arg: thread */
	MS_WIRE_KINDS,
};

#define MS_WIRE_NO_PATH   UINT32_MAX
#define MS_WIRE_NO_THREAD UINT32_MAX

enum ms_wire_end_kind {
	MS_WIRE_END_OWN,   /* it ended itself, or the program */
	MS_WIRE_END_TAKEN, /* the program's end ended it */
	MS_WIRE_END_KINDS,
};

enum ms_wire_wait_reason {
	MS_WIRE_WAIT_FUTEX, /* mutexes, conditions, barriers, semaphores */
	MS_WIRE_WAIT_JOIN,  /* for a thread's end */
	MS_WIRE_WAIT_OTHER, /* another system call */
	MS_WIRE_WAIT_SPIN,  /* reads the same locations repeatedly until one of them changes */
	MS_WIRE_WAIT_REASONS,
};

enum {
	MS_WIRE_MAX_PROCESSORS = 1024, /* limit of affinity masks */
	MS_WIRE_MAX_NODES = 64,
};

/*
 * Returns the processor of a thread without affinity. Threads are numbered from 1: the first is on
 * the map's first processor, or on processor 0. At its end, the map starts over.
 */
static inline uint32_t ms_wire_processor(uint32_t thread, const uint32_t *map, uint32_t n,
					 uint32_t processors)
{
	uint32_t i = thread > 0 ? thread - 1 : 0;

	return n > 0 ? map[i % n] % processors : i % processors;
}

/*
 * Returns the processor of a thread with an affinity mask: the present one if the mask allows it,
 * else the lowest allowed one. Processors that the machine does not have are taken modulo its
 * number of processors.
 */
static inline uint32_t ms_wire_bound_processor(uint32_t now, const uint64_t *mask, uint32_t words,
					       uint32_t processors)
{
	uint32_t lowest = UINT32_MAX;

	for (uint32_t i = 0; i < words * 64; i++) {
		if ((mask[i / 64] >> i % 64 & 1) == 0)
			continue;
		if (i == now)
			return now;
		if (lowest == UINT32_MAX)
			lowest = i;
	}
	return lowest == UINT32_MAX ? now : lowest % processors;
}

static inline uint64_t ms_wire_head(uint32_t kind, uint32_t words, uint32_t arg)
{
	return (uint64_t)arg << 32 | (uint64_t)words << 16 | kind;
}

static inline uint32_t ms_wire_kind_of(uint64_t head)
{
	return head & 0xffff;
}

static inline uint32_t ms_wire_words_of(uint64_t head)
{
	return (head >> 16) & 0xffff;
}

static inline uint32_t ms_wire_arg_of(uint64_t head)
{
	return (uint32_t)(head >> 32);
}

/*
 * A word of MS_WIRE_PACKED says what a MS_WIRE_FREE or, where the highest bit is set, a
 * MS_WIRE_ALLOC would:
 *
 *    63 62       45 44       32 31          0
 *    +-+-----------+-----------+-------------+
 *    |1| path      | size      | address     |    the address: in units of 16 bytes from the one
 *    +-+-----------+-----------+-------------+    that the record begins with
 */
enum {
	MS_WIRE_PACKED_UNIT = 4, /* log2 of the unit of addresses */
	MS_WIRE_PACKED_SIZE_AT = 32,
	MS_WIRE_PACKED_PATH_AT = 45,
	MS_WIRE_PACKED_SIZES = 1 << (MS_WIRE_PACKED_PATH_AT - MS_WIRE_PACKED_SIZE_AT),
	MS_WIRE_PACKED_PATHS = 1 << (63 - MS_WIRE_PACKED_PATH_AT),
	MS_WIRE_UNPACKED = 3, /* largest length of a record, in words */
};

#define MS_WIRE_PACKED_ALLOC (UINT64_C(1) << 63)

/* Writes the equivalent record; returns its length. */
static inline uint32_t ms_wire_unpack(uint64_t base, uint64_t word,
				      uint64_t record[MS_WIRE_UNPACKED])
{
	uint32_t path = (uint32_t)(word >> MS_WIRE_PACKED_PATH_AT) & (MS_WIRE_PACKED_PATHS - 1);

	record[1] = base + ((word & UINT32_MAX) << MS_WIRE_PACKED_UNIT);
	record[2] = word >> MS_WIRE_PACKED_SIZE_AT & (MS_WIRE_PACKED_SIZES - 1);
	if ((word & MS_WIRE_PACKED_ALLOC) == 0) {
		record[0] = ms_wire_head(MS_WIRE_FREE, 2, 0);
		return 2;
	}
	record[0] = ms_wire_head(MS_WIRE_ALLOC, 3, path);
	return 3;
}

enum ms_wire_ref_kind {
	MS_WIRE_READ,
	MS_WIRE_WRITE,
	MS_WIRE_MODIFY, /* reads and writes the same location: one reference, as in cachegrind */
};

/* One reference of a block, in the order of execution. */
struct ms_wire_ref {
	uint16_t instruction; /* index into the block's instructions */
	uint16_t size;        /* bytes */
	uint16_t kind;        /* enum ms_wire_ref_kind */
	uint16_t times; /* if references have blocks of their own: number of identical ones that the
			   instruction makes at a time; 0: one */
};

/* An exit of a block: how much of the block is executed before it. */
struct ms_wire_exit {
	uint16_t refs;
	uint16_t instructions;
	uint32_t made; /* if sets are sampled, references have blocks of their own: their number */
};

/* Followed by instructions (a 64-bit pc each), references, exits, and operands (operands.h). */
struct ms_wire_block {
	uint16_t instructions;
	uint16_t refs;
	uint16_t exits;
	uint16_t operands; /* since MS_WIRE_OPERANDS: 1, a word for each instruction follows the
			      exits; 0: none */
};

/* The words of a description, with the struct itself. */
static inline uint32_t ms_wire_count_block_words(const struct ms_wire_block *block)
{
	return 1u + block->instructions + block->refs + block->exits +
	       (block->operands != 0 ? block->instructions : 0);
}

/* Followed by the path's bytes, padded with zeros to a whole word. */
struct ms_wire_module {
	uint64_t offset;    /* in the file, of the mapped code */
	uint64_t text;      /* address of that code */
	uint64_t text_size; /* size of that code */
	uint32_t path_bytes;
	uint32_t pad;
};

enum ms_wire_map_kind {
	MS_WIRE_MAP_ANON,  /* by the program; arg is the call path */
	MS_WIRE_MAP_HEAP,  /* by an allocator, or brk */
	MS_WIRE_MAP_FILE,  /* a path follows */
	MS_WIRE_MAP_START, /* present when the program started, and none of the others */
};

struct ms_wire_map {
	uint64_t address;
	uint64_t size;
	uint32_t kind;       /* enum ms_wire_map_kind */
	uint32_t path_bytes; /* 0 unless a path follows, padded to a whole word */
};

/* Followed by the name's bytes, at least one, padded with zeros to a whole word. */
struct ms_wire_name {
	uint64_t address;
	uint64_t size;
	uint32_t text_bytes;
	uint32_t flags; /* enum ms_wire_name_flags */
};

enum ms_wire_name_flags {
	MS_WIRE_NAME_STACK = 1, /* a variable on the stack, not a name that the program gave */
	MS_WIRE_NAME_FLAGS = 1, /* all of them */
};

enum ms_wire_policy_kind {
	MS_WIRE_POLICY_TOUCH,      /* on the node of the first processor that touches it */
	MS_WIRE_POLICY_NODES,      /* on the first of these nodes */
	MS_WIRE_POLICY_INTERLEAVE, /* page by page over these nodes */
	MS_WIRE_POLICIES,
};

/* The placement of pages that are created from here on. */
struct ms_wire_policy {
	uint64_t start;
	uint64_t size; /* 0, and start 0: the default for all other memory */
	uint64_t policy;
	uint64_t nodes; /* one bit for each; none: all nodes */
};

/* A window, or the gap between two, of all threads together. Values that the front-end does not
 * have are MS_WIRE_NOT_KNOWN. */
struct ms_wire_window {
	uint64_t references;
	uint64_t instructions;
	uint64_t nanoseconds; /* of processor time; or one for each reference, if those of windows
				 are counted and the others are estimated */
};
/* Between windows, since MS_WIRE_PARTS_COUNTED: if there are more nanoseconds than references,
 * these references were counted, and the others are estimated. */

#define MS_WIRE_NOT_KNOWN UINT64_MAX

/* The basis of the program's estimated speed between two windows: short parts were timed in code
 * that counts references. */
struct ms_wire_timed {
	uint64_t stretches;
	uint64_t undisturbed; /* of them: those with little work for the tracer meanwhile */
};

/* Why the program, or one of its threads, ran untraced. */
enum ms_wire_untraced_reason {
	MS_WIRE_UNTRACED_CODE,
	MS_WIRE_UNTRACED_INSTRUCTION,
	MS_WIRE_UNTRACED_REGISTER,
	MS_WIRE_UNTRACED_CACHE,
	MS_WIRE_UNTRACED_FAULT,
	MS_WIRE_UNTRACED_BELOW,
	MS_WIRE_UNTRACED_CALLS,
	MS_WIRE_UNTRACED_THREADS,
	MS_WIRE_UNTRACED_REASONS,
};

/* The untraced time since the last such record, written when tracing resumes or the
 * program ends. */
struct ms_wire_untraced {
	uint64_t times;
	uint64_t nanoseconds; /* of processor time; 0: unknown, or between windows anyway */
	uint64_t of;          /* processor time of the program up to here, tracing included */
};

/*
 * The plan of the windows that follow: their mean length and distance, in thousands of references,
 * and their stratum. It is one word, because the writer reads it while the reader changes it.
 */
enum { MS_WIRE_PACE_UNIT = 1000, MS_WIRE_STRATA_MOST = 4 };

static inline uint64_t ms_wire_pace(uint32_t window, uint32_t period, uint32_t stratum)
{
	return (uint64_t)stratum << 56 | (uint64_t)window << 32 | period;
}

/*
 * Each period of references has one window, whose length and position in the period are random.
 * All components that count references exactly draw windows by ms_wire_draw(): the same seed gives
 * the same windows, live and in a replay.
 */
enum { MS_WIRE_ALIKE = 128 }; /* windows, before their length doubles */

struct ms_wire_period {
	uint64_t random;       /* initially the seed */
	uint64_t mean, period; /* references of a window, and from one to the next */
	/* Initially, length and distance are halved so many times: a short program gets more
	 * windows. */
	uint32_t halved, drawn;
	/* Of the window that was drawn last: */
	uint64_t before, length, after;
};

/* Returns a number from `from` to `to`, uniformly distributed. (SplitMix64.) */
static inline uint64_t ms_wire_drawn(uint64_t *random, uint64_t from, uint64_t to)
{
	uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return from + (z ^ z >> 31) % (to - from + 1);
}

/* Returns the mean length of a window, or of a period, after so many drawn windows. */
static inline uint64_t ms_wire_shorter(uint64_t mean, uint32_t halved, uint32_t drawn)
{
	const uint32_t times = drawn / MS_WIRE_ALIKE;

	return mean >> (halved > times ? halved - times : 0);
}

static inline void ms_wire_draw(struct ms_wire_period *p)
{
	const uint64_t shortest = 64;
	const uint64_t mean = ms_wire_shorter(p->mean, p->halved, p->drawn);
	const uint64_t period = ms_wire_shorter(p->period, p->halved, p->drawn);

	p->drawn++;
	p->length = ms_wire_drawn(&p->random, mean - mean / 2, mean + mean / 2);
	if (p->length < shortest)
		p->length = shortest;
	if (p->length > period)
		p->length = period;
	p->before = ms_wire_drawn(&p->random, 0, period - p->length);
	p->after = period - p->length - p->before;
}

/* Returns whether the plan of windows is read again: after the head, then after 8 windows, 16, 32
 * ... looked: number of windows at the last time, closed: number of windows now. */
static inline int ms_wire_is_look(uint32_t looked, uint32_t closed, int head)
{
	uint32_t next = 8;

	if (head && looked == 0)
		return closed > 0;
	looked -= looked > 0 && head ? 1 : 0;
	closed -= closed > 0 && head ? 1 : 0;
	while (next <= looked)
		next *= 2;
	return closed >= next;
}

static inline uint64_t ms_wire_pace_window(uint64_t pace)
{
	return (pace >> 32 & 0xffffff) * MS_WIRE_PACE_UNIT;
}

static inline uint64_t ms_wire_pace_period(uint64_t pace)
{
	return (pace & 0xffffffff) * MS_WIRE_PACE_UNIT;
}

static inline uint32_t ms_wire_pace_stratum(uint64_t pace)
{
	return (uint32_t)(pace >> 56);
}

enum {
	MS_WIRE_SAMPLE_REGS = 32,  /* at most */
	MS_WIRE_SAMPLE_CODE = 256, /* bytes before pc, and likewise after it, at most */
	/* Flags: */
	MS_WIRE_SAMPLE_IN_HEAP = 1, /* inside a call of the allocator */
	MS_WIRE_SAMPLE_WATCHED = 2, /* the next execution of what it waited for is reported */
	MS_WIRE_SAMPLE_LEARNT = 4,  /* this is that report: pc is about to be executed */
	MS_WIRE_SAMPLE_TICK = 8,    /* the clock has the resolution of the scheduler's ticks */
	MS_WIRE_SAMPLE_KERNEL = 16, /* `lost` samples in the kernel, without registers and code */
	MS_WIRE_SAMPLE_FAULT = 32,  /* `lost` page faults, the last by the instruction at pc; their
				       time is estimated */
};

/*
 * The reader may request the registers before an instruction, if a load overwrites its own address
 * register: for samples that stop at `stop`, it requests the next execution of `site`. Requests
 * are at MS_WIRE_WANTED_AT of the file, each at one of the MS_WIRE_WANTED_NEAR slots from
 * ms_wire_wanted_at() on. `stop` is 0 in an empty slot, and is written last.
 */
struct ms_wire_wanted {
	uint64_t stop;
	uint64_t site;
};

enum { MS_WIRE_WANTED_AT = 2048, MS_WIRE_WANTED = 64, MS_WIRE_WANTED_NEAR = 4 };

static inline uint32_t ms_wire_wanted_at(uint64_t stop)
{
	return (uint32_t)((stop * UINT64_C(0x9e3779b97f4a7c15)) >> 58) % MS_WIRE_WANTED;
}

/*
 * The state of a thread when a timer stopped it. Followed by the general registers, in the order
 * of their numbers (x86-64: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 ...; aarch64: x0 to x30,
 * sp), then by the code before and after pc, padded with zeros to a whole word.
 */
struct ms_wire_sample {
	uint64_t pc;
	uint64_t nanoseconds; /* of processor time that it represents */
	uint64_t thread_pointer;
	uint32_t lost; /* samples of the thread since the last one that could not be written */
	uint32_t cost; /* mean nanoseconds that a sample costs the thread */
	uint16_t regs;
	uint16_t before; /* bytes of code */
	uint16_t after;
	uint16_t flags;
};

#if defined(__cplusplus)
#define MS_WIRE_ASSERT(x) static_assert(x, "wire layout")
#else
#define MS_WIRE_ASSERT(x) _Static_assert(x, "wire layout")
#endif
MS_WIRE_ASSERT(sizeof(struct ms_wire_stream) == 256);
MS_WIRE_ASSERT(offsetof(struct ms_wire_stream, stamp) == 192);
MS_WIRE_ASSERT(sizeof(struct ms_wire_lane) == 256);
MS_WIRE_ASSERT(offsetof(struct ms_wire_lane, filled) == 64);
MS_WIRE_ASSERT(offsetof(struct ms_wire_lane, freed) == 128);
MS_WIRE_ASSERT(sizeof(struct ms_wire_index) == 4096);
MS_WIRE_ASSERT(sizeof(struct ms_wire_ref) == 8);
MS_WIRE_ASSERT(sizeof(struct ms_wire_exit) == 8);
MS_WIRE_ASSERT(sizeof(struct ms_wire_block) == 8);
MS_WIRE_ASSERT(sizeof(struct ms_wire_module) == 32);
MS_WIRE_ASSERT(sizeof(struct ms_wire_map) == 24);
MS_WIRE_ASSERT(sizeof(struct ms_wire_name) == 24);
MS_WIRE_ASSERT(sizeof(struct ms_wire_policy) == 32);
MS_WIRE_ASSERT(sizeof(struct ms_wire_sample) == 40);
MS_WIRE_ASSERT(MS_WIRE_WANTED_AT +
		       (MS_WIRE_WANTED + MS_WIRE_WANTED_NEAR) * sizeof(struct ms_wire_wanted) <=
	       MS_WIRE_LANES_AT);
MS_WIRE_ASSERT(sizeof(struct ms_wire_window) == 24);
MS_WIRE_ASSERT(sizeof(struct ms_wire_timed) == 16);
MS_WIRE_ASSERT(MS_WIRE_MAX_REFS + 1 <= MS_WIRE_RESERVE_WORDS);
/* A block's description: head, counts, at most 256 instructions, its references and exits. A larger
 * one with operands is sent without them. */
MS_WIRE_ASSERT(2 + 256 + MS_WIRE_MAX_REFS + 256 <= MS_WIRE_RESERVE_WORDS);
MS_WIRE_ASSERT(2 + sizeof(struct ms_wire_module) / 8 + MS_WIRE_MAX_TEXT / 8 <=
	       MS_WIRE_RESERVE_WORDS);

#endif
