/*
 * wire/records.h - the records of a chunk.
 *
 * Freestanding, like wire.h, which includes it.
 */
#ifndef MS_WIRE_RECORDS_H
#define MS_WIRE_RECORDS_H

#include "wire/version.h"

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
	/* Since MS_WIRE_UNWOUND, before the thread's first execution in a window, and before its
	 * samples on the real machine: */
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
	uint32_t flags; /* MS_WIRE_MODULE_... */
};

/* Only the front-end needs it: its variables are not data of the program. */
enum { MS_WIRE_MODULE_OF_MEMSPY = 1 };

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

MS_WIRE_ASSERT(sizeof(struct ms_wire_ref) == 8);
MS_WIRE_ASSERT(sizeof(struct ms_wire_exit) == 8);
MS_WIRE_ASSERT(sizeof(struct ms_wire_block) == 8);
MS_WIRE_ASSERT(sizeof(struct ms_wire_module) == 32);
MS_WIRE_ASSERT(sizeof(struct ms_wire_map) == 24);
MS_WIRE_ASSERT(sizeof(struct ms_wire_name) == 24);
MS_WIRE_ASSERT(sizeof(struct ms_wire_policy) == 32);
MS_WIRE_ASSERT(MS_WIRE_MAX_REFS + 1 <= MS_WIRE_RESERVE_WORDS);
/* A block's description: head, counts, at most 256 instructions, its references and exits. A larger
 * one with operands is sent without them. */
MS_WIRE_ASSERT(2 + 256 + MS_WIRE_MAX_REFS + 256 <= MS_WIRE_RESERVE_WORDS);
MS_WIRE_ASSERT(2 + sizeof(struct ms_wire_module) / 8 + MS_WIRE_MAX_TEXT / 8 <=
	       MS_WIRE_RESERVE_WORDS);

#endif
