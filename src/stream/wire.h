/*
 * stream/wire.h - what front-ends write and the memspy process reads, in shared memory.
 *
 * Freestanding: it is compiled inside a Valgrind tool and inside a user's program. Little-endian,
 * fixed widths, sizes asserted. The shared file (a memfd) looks so:
 *
 *    +--------------------+  0
 *    | ms_wire_stream     |  who writes, how large everything is
 *    +--------------------+  MS_WIRE_LANES_AT
 *    | ms_wire_lane 0     |  the ring's counters, where the writer stands
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
 *                                         that did not happen.
 *
 * No record crosses a chunk's end.
 */
#ifndef MS_STREAM_WIRE_H
#define MS_STREAM_WIRE_H

#include <stddef.h>
#include <stdint.h>

#define MS_WIRE_MAGIC UINT64_C(0x01007970736d656d) /* the bytes "memspy" 0 1 */

enum ms_wire_version {
	MS_WIRE_FIRST = 1,
	MS_WIRE_PROGRAM_TELLS = 2,  /* blocks inside blocks, names, phases, counting on and off */
	MS_WIRE_PARALLEL = 3,       /* waits, spinning, affinity, memory policies */
	MS_WIRE_SAMPLED = 4,        /* windows */
	MS_WIRE_HARDWARE = 5,       /* time stamps and samples of the real machine */
	MS_WIRE_STRATA = 6,         /* windows that lie closer, or farther apart, from here on */
	MS_WIRE_THINNED = 7,        /* some blocks only */
	MS_WIRE_COUNTED = 8,        /* executions between windows, by exit */
	MS_WIRE_UNTRACED_TOLD = 9,  /* how often, and why, the program ran unseen */
	MS_WIRE_PARTS_COUNTED = 10, /* between windows, some references only */
	MS_WIRE_HEAP_PACKED = 11,   /* blocks in a word each */
	MS_WIRE_GAPS_TIMED = 12,    /* how well the time between windows is known */
	MS_WIRE_WAIT_LOOPS = 13,    /* loops that wait, of which little is counted */

	MS_WIRE_OLDEST = MS_WIRE_FIRST,
	MS_WIRE_NEWEST = MS_WIRE_WAIT_LOOPS,
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
	uint32_t header_bytes; /* sizeof(struct ms_wire_stream) of who made it */
	uint64_t bytes;        /* of the whole shared file */
	uint64_t chunks_at;
	uint32_t chunk_bytes;
	uint32_t chunk_count; /* a lane; a power of two */
	uint32_t lane_count;
	uint32_t reader_pid;
	uint32_t writer_pid;  /* by the writer, as soon as it has mapped the stream */
	uint32_t writer_done; /* by the writer: 1 when it ended in good order */
	uint32_t exit_code; /* by the writer, then: what the program returned, or MS_WIRE_NO_EXIT */
	uint32_t merging;   /* by the writer: 1 from when it uses more lanes than the first */

	/* Lanes 1 .. lane_count - 1, for threads that run at the same time; all 0 where there is
	 * only lane 0. Each is a struct ms_wire_lane and the chunks' lengths, in a page, then the
	 * indexes, then the chunks. */
	uint64_t more_at;
	uint64_t more_bytes; /* of each lane */
	uint32_t more_chunk_bytes;
	uint32_t more_chunk_count; /* of each */
	uint64_t order_at;      /* MS_WIRE_ORDERED words: see ms_wire_turn(); then as many stamps */
	uint64_t handed_over;   /* by the writer: chunks of all these lanes */
	uint32_t merger_sleeps; /* as in struct ms_wire_lane */
	uint32_t merger_bell;
	uint64_t exits_at; /* by exit: instructions of an execution (MS_WIRE_EXITS of uint16_t) */
	uint64_t pace; /* by the reader: see ms_wire_pace(); 0: as the writer was told at its start
			*/

	/* Lanes 1 and up, behind their chunks: blocks with their stamps (wire_stamped.h). */
	uint32_t stamps;          /* enum ms_wire_stamps: where these come from */
	uint32_t stamping;        /* by the writer: 1, from when it hands a chunk of them over */
	uint32_t more_stamped;    /* blocks that a lane has room for; a power of two */
	uint32_t lanes_used;      /* by the writer: those from this number on were never used */
	uint64_t more_stamped_at; /* from the lane's start */

	/* By the writer, where children are followed: processes of its own that cannot ask for a
	 * stream; [1]: as they are in another network namespace. */
	uint32_t unreached[2];
	/* By the writer: 1 while it executes another program, which takes its place unless that
	 * fails. */
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
 * Chunks of lanes 1 and up are read in the order in which they were handed over: number n of them
 * is found by the word n % MS_WIRE_ORDERED, which is 0 until it is there. Lane 1 is no thread's: it
 * holds what all must know before they meet it (blocks, paths, modules), in the order of its
 * coming; what has been written to it is read before any chunk that was handed over later.
 */
enum { MS_WIRE_ORDERED = 65536, MS_WIRE_SHARED_LANE = 1, MS_WIRE_EXITS = 1 << 22 };

/* In such a word: the chunk ends with an event that others must not come before, or not after. */
#define MS_WIRE_IN_ORDER UINT32_C(0x80000000)

static inline uint64_t ms_wire_turn(uint32_t thread, uint32_t lane)
{
	return (uint64_t)thread << 32 | lane;
}

#define MS_WIRE_NO_EXIT UINT32_MAX /* a signal has ended it */

/* What a forked child, or memspy in the place of a program that is executed, asks memspy for. */
enum ms_wire_ask_kind {
	MS_WIRE_ASK_FORK = 1,
	MS_WIRE_ASK_EXEC = 2,
	/* No answer is expected: a process becomes the program whose path follows, and if that can
	 * be followed, will ask; no path: it has not become it. */
	MS_WIRE_ASK_BECOMES = 3,
};

struct ms_wire_ask {
	uint32_t kind;
	uint32_t parent; /* process; of the last kind: that becomes it */
};

/*
 * filled and freed count chunks and never wrap back to 0 on purpose (they are compared modulo
 * 2^32). Chunk k of the ring's life stands at index k % chunk_count. The chunk being written is
 * number `chunk`; its words so far reach up to the writer's own address `cursor`, so that even what
 * a killed program had written is read.
 */
struct ms_wire_lane {
	uint64_t cursor;      /* the writer's address of the next word to be written */
	uint64_t chunk_start; /* the writer's address of the chunk being written ... */
	uint32_t chunk;       /* ... and its number: `filled`, except between two chunks */
	uint32_t thread;      /* of lanes 1 and up: whose it is; 0: nobody's */
	uint32_t away;        /* likewise: the thread waits, or may; nothing comes meanwhile */
	/* Since MS_WIRE_HEAP_PACKED: the record that the writer is still adding words to ends at
	 * the cursor, whatever its head says. Where it stands in the chunk, plus 1; 0: none. */
	uint32_t open;
	uint32_t stamped; /* blocks that were told with a stamp (wire_stamped.h), ever; as filled */
	uint32_t pad0[7];
	uint32_t filled;
	uint32_t reader_sleeps; /* set by a reader about to sleep ... */
	uint32_t reader_bell;   /* ... on this futex; who clears it rings */
	uint32_t pad1[13];
	uint32_t freed; /* futex: the writer sleeps on it */
	uint32_t writer_sleeps;
	uint32_t closed;        /* by the reader, in the first lane for all: write no further */
	uint32_t stamped_taken; /* futex: of the blocks with a stamp, those that were read */
	uint32_t pad2[12];
	uint32_t words_at; /* from the file's start: the chunks' lengths (uint32_t each) ... */
	uint32_t index_at; /* ... and where their events stand (struct ms_wire_index each) */
	/* Since MS_WIRE_THINNED, where nothing is traced: nanoseconds that telling of blocks took.
	 */
	uint64_t telling;
	uint32_t pad3[12];
};

enum { MS_WIRE_INDEXED = 1023 };

/* Where the events of a chunk stand, so that nobody has to look for them: words from its start. */
struct ms_wire_index {
	uint32_t count; /* all of them; only the first MS_WIRE_INDEXED are told */
	uint32_t at[MS_WIRE_INDEXED];
};

enum ms_wire_kind {
	MS_WIRE_EXEC = 0,    /* struct drawn above */
	MS_WIRE_BLOCK,       /* struct ms_wire_block; arg: its number, counted up from 0 */
	MS_WIRE_MODULE,      /* struct ms_wire_module; arg: its number, counted up from 0 */
	MS_WIRE_MODULE_GONE, /* arg: the module's number */
	MS_WIRE_PATH,        /* return addresses, innermost first, and 0 at the end of one that was
				cut; arg: its number, from 0 */
	MS_WIRE_ALLOC,       /* address, size; arg: path. Since MS_WIRE_THINNED perhaps a third
				word: mean bytes between blocks that are told. 0 or none: all are */
	MS_WIRE_FREE,        /* address */
	MS_WIRE_HEAP_CALL,   /* arg: 1, the running thread enters the allocator; 0, it leaves it */
	MS_WIRE_MAP,         /* struct ms_wire_map; arg: path or MS_WIRE_NO_PATH */
	MS_WIRE_UNMAP,       /* address, size */
	MS_WIRE_THREAD,      /* stack's lowest address, stack's end, and since MS_WIRE_PARALLEL the
				thread that made it or MS_WIRE_NO_THREAD; arg: thread */
	MS_WIRE_THREAD_END, /* arg: thread; since MS_WIRE_PARALLEL enum ms_wire_end_kind, or nothing
			       where that is not known */
	MS_WIRE_SWITCH,     /* arg: the thread that made what follows */
	MS_WIRE_TLS,        /* thread pointer; arg: thread */
	/* Since MS_WIRE_PROGRAM_TELLS: */
	MS_WIRE_INNER_ALLOC, /* as MS_WIRE_ALLOC, by a private allocator: the block may lie inside
				another, or where blocks were that nobody has freed */
	MS_WIRE_INNER_FREE,  /* address: of such a block, not of one that it is the start of */
	MS_WIRE_NAME,        /* struct ms_wire_name */
	MS_WIRE_UNNAME,      /* address: where a named range starts */
	MS_WIRE_PHASE,       /* a name; arg: its bytes, at least 1 */
	MS_WIRE_COUNTING,    /* arg: 0, executions are not written from here on; 1, again */
	/* Since MS_WIRE_PARALLEL: */
	MS_WIRE_CLOCK, /* instructions that the thread has executed so far, those not counted too;
			  arg: thread. Told before threads begin, end, wait or go on, and before
			  another one takes its processor */
	MS_WIRE_THREAD_AT, /* path; arg: thread. Told a few times when it begins: its function
			      stands near the path's outer end */
	MS_WIRE_WAIT,      /* enum ms_wire_wait_reason, path or MS_WIRE_NO_PATH; arg: thread, which
			      does not run from here on */
	MS_WIRE_WAKE, /* the thread that made it runnable again, or MS_WIRE_NO_THREAD: what that
			 one did before came first; arg: thread */
	MS_WIRE_SPIN, /* instructions that were spun, which are neither written as executions nor
			 in the clock, path; arg: thread */
	MS_WIRE_AFFINITY, /* a bit for each processor that the thread may run on, at least one word;
			     arg: thread */
	MS_WIRE_POLICY,   /* struct ms_wire_policy; arg: the thread that asked for it */
	/* Since MS_WIRE_SAMPLED. A stream with windows has executions nowhere else: */
	MS_WIRE_WINDOW_OPEN,  /* struct ms_wire_window: what was left out since the last one, or
				 since the start; arg: its number, counted up from 0. Since
				 MS_WIRE_GAPS_TIMED, where that was estimated by its time, a
				 struct ms_wire_timed behind it */
	MS_WIRE_WINDOW_CLOSE, /* struct ms_wire_window: what was in it; arg: its number */
	/* Since MS_WIRE_HARDWARE, where nothing is traced: */
	MS_WIRE_TIME,   /* the processor's time stamp counter: when the next event of this thread
			   took effect */
	MS_WIRE_SAMPLE, /* struct ms_wire_sample; arg: thread */
	/* Since MS_WIRE_STRATA: */
	MS_WIRE_STRATUM, /* mean length of windows from here on, and of what each stands for, in
			    references; arg: its number, counted up from 1 */
	/* Since MS_WIRE_COUNTED, behind the last window, where executions between windows are
	 * met: */
	MS_WIRE_LEFT_OUT, /* how often in all a block was left so, in no window; arg: the exit */
	/* Since MS_WIRE_UNTRACED_TOLD: */
	MS_WIRE_UNTRACED, /* struct ms_wire_untraced; arg: enum ms_wire_untraced_reason */
	/* Since MS_WIRE_HEAP_PACKED: */
	MS_WIRE_PACKED, /* an address, then a word for each block that was allocated or freed near
			   it: see ms_wire_unpack() */
	/* Since MS_WIRE_WAIT_LOOPS, after the exits that were left out: */
	MS_WIRE_WAIT_LOOP, /* pc of a block in which threads wait for others, and how many
			      references of it between windows were not counted */
	MS_WIRE_KINDS,
};

#define MS_WIRE_NO_PATH   UINT32_MAX
#define MS_WIRE_NO_THREAD UINT32_MAX

enum ms_wire_end_kind {
	MS_WIRE_END_OWN,   /* it asked for it, or for the program's end */
	MS_WIRE_END_TAKEN, /* the program ended, and took it along */
	MS_WIRE_END_KINDS,
};

enum ms_wire_wait_reason {
	MS_WIRE_WAIT_FUTEX, /* mutexes, conditions, barriers, semaphores */
	MS_WIRE_WAIT_JOIN,  /* for a thread's end */
	MS_WIRE_WAIT_OTHER, /* another system call */
	MS_WIRE_WAIT_SPIN,  /* reads the same places over and over until one of them changes */
	MS_WIRE_WAIT_REASONS,
};

enum {
	MS_WIRE_MAX_PROCESSORS = 1024, /* that affinity is told of */
	MS_WIRE_MAX_NODES = 64,
};

/*
 * The processor of a thread that nothing binds. Threads count from 1: the first is on the map's
 * first processor, or on processor 0; when the map ends it begins again.
 */
static inline uint32_t ms_wire_processor(uint32_t thread, const uint32_t *map, uint32_t n,
					 uint32_t processors)
{
	uint32_t i = thread > 0 ? thread - 1 : 0;

	return n > 0 ? map[i % n] % processors : i % processors;
}

/*
 * And of one that its affinity binds: where it is if it may, else the lowest that it may run on.
 * One that the machine does not have is taken modulo those that it has.
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
	MS_WIRE_PACKED_UNIT = 4, /* by so many bits shifted */
	MS_WIRE_PACKED_SIZE_AT = 32,
	MS_WIRE_PACKED_PATH_AT = 45,
	MS_WIRE_PACKED_SIZES = 1 << (MS_WIRE_PACKED_PATH_AT - MS_WIRE_PACKED_SIZE_AT),
	MS_WIRE_PACKED_PATHS = 1 << (63 - MS_WIRE_PACKED_PATH_AT),
	MS_WIRE_UNPACKED = 3, /* words of a record, at most */
};

#define MS_WIRE_PACKED_ALLOC (UINT64_C(1) << 63)

/* The record that says the same; returns its length. */
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
	MS_WIRE_MODIFY, /* reads and writes the same place: one reference, as cachegrind counts it
			 */
};

/* One reference of a block, in the order of execution. */
struct ms_wire_ref {
	uint16_t instruction; /* index into the block's instructions */
	uint16_t size;        /* bytes */
	uint16_t kind;        /* enum ms_wire_ref_kind */
	uint16_t times;       /* where references are told apart: how many like this one the
				 instruction makes at a time; 0: one */
};

/* A way out of a block: how much of it had been executed there. */
struct ms_wire_exit {
	uint16_t refs;
	uint16_t instructions;
	uint32_t made; /* where sets are sampled, references are told apart: how many there were */
};

/* Followed by instructions (a 64-bit pc each), references and exits. */
struct ms_wire_block {
	uint16_t instructions;
	uint16_t refs;
	uint16_t exits;
	uint16_t pad;
};

/* Followed by the path's bytes, filled up with zeros to a whole word. */
struct ms_wire_module {
	uint64_t offset;    /* in the file, of the code that was mapped ... */
	uint64_t text;      /* ... to this address ... */
	uint64_t text_size; /* ... and how much of it */
	uint32_t path_bytes;
	uint32_t pad;
};

enum ms_wire_map_kind {
	MS_WIRE_MAP_ANON,  /* by the program; arg says from where */
	MS_WIRE_MAP_HEAP,  /* by an allocator, or brk */
	MS_WIRE_MAP_FILE,  /* a path follows */
	MS_WIRE_MAP_START, /* there when the program started, and none of the others */
};

struct ms_wire_map {
	uint64_t address;
	uint64_t size;
	uint32_t kind;       /* enum ms_wire_map_kind */
	uint32_t path_bytes; /* 0 unless a path follows, filled up to a whole word */
};

/* Followed by the name's bytes, at least one, filled up with zeros to a whole word. */
struct ms_wire_name {
	uint64_t address;
	uint64_t size;
	uint32_t text_bytes;
	uint32_t pad;
};

enum ms_wire_policy_kind {
	MS_WIRE_POLICY_TOUCH,      /* on the node of who touches it first */
	MS_WIRE_POLICY_NODES,      /* on the first of these nodes */
	MS_WIRE_POLICY_INTERLEAVE, /* page by page over these nodes */
	MS_WIRE_POLICIES,
};

/* Where pages that come into being from here on lie. */
struct ms_wire_policy {
	uint64_t start;
	uint64_t size; /* 0, and start 0: wherever nothing else is told */
	uint64_t policy;
	uint64_t nodes; /* a bit for each; none: all of them */
};

/* A window, or what lies between two, of all threads together; what the front-end does not know is
 * MS_WIRE_NOT_KNOWN. */
struct ms_wire_window {
	uint64_t references;
	uint64_t instructions;
	uint64_t nanoseconds; /* of processor time; or as if each reference took one, where those of
			       * windows are counted and the others estimated */
};
/* Between windows, since MS_WIRE_PARTS_COUNTED: where more nanoseconds than references are told,
 * these references were counted, and the others estimated. */

#define MS_WIRE_NOT_KNOWN UINT64_MAX

/* How it was found out how fast the program is between two windows: short stretches of it were
 * timed in code that counts. */
struct ms_wire_timed {
	uint64_t stretches;
	uint64_t undisturbed; /* of them: the tracer had not much to do meanwhile */
};

/* Why the program, or a thread of it, ran on unseen. */
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

/* What had gone by since the last one, when it was seen again, or ended. */
struct ms_wire_untraced {
	uint64_t times;
	uint64_t nanoseconds; /* of processor time; 0: not known, or between windows anyway */
	uint64_t of; /* processor time of the program up to here, with what tracing takes */
};

/*
 * How windows are to lie from here on: their mean length and distance, in thousands of references,
 * and the stratum that they belong to. In one word, as it is read while it is written.
 */
enum { MS_WIRE_PACE_UNIT = 1000, MS_WIRE_STRATA_MOST = 4 };

static inline uint64_t ms_wire_pace(uint32_t window, uint32_t period, uint32_t stratum)
{
	return (uint64_t)stratum << 56 | (uint64_t)window << 32 | period;
}

/*
 * Each period of references has one window; how long it is, and where in its period, is drawn. Who
 * counts references exactly draws here: the same seed gives the same windows, live and in a replay.
 */
enum { MS_WIRE_ALIKE = 128 }; /* windows, before they become twice as long */

struct ms_wire_period {
	uint64_t random;       /* at first the seed */
	uint64_t mean, period; /* references of a window, and from one to the next */
	/* At first they are so often half as long and as far apart; a short program has more. */
	uint32_t halved, drawn;
	/* Of the one that was drawn last: */
	uint64_t before, length, behind;
};

/* From `from` to `to`, all as likely. (SplitMix64.) */
static inline uint64_t ms_wire_drawn(uint64_t *random, uint64_t from, uint64_t to)
{
	uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return from + (z ^ z >> 31) % (to - from + 1);
}

/* Of a window's length, or of a period, when so many windows have been drawn. */
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
	p->behind = period - p->length - p->before;
}

/* Whether the pace is looked at: behind the head, then behind 8 windows, 16, 32 ... looked: how
 * many there were the last time, closed: how many there are. */
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
	MS_WIRE_SAMPLE_CODE = 256, /* bytes in front of pc, and likewise behind it, at most */
	/* Flags: */
	MS_WIRE_SAMPLE_IN_HEAP = 1, /* it was in a call of the allocator */
	MS_WIRE_SAMPLE_WATCHED = 2, /* the next execution of what it waited for will be told ... */
	MS_WIRE_SAMPLE_LEARNT = 4,  /* ... which this is: pc is about to be executed */
	MS_WIRE_SAMPLE_TICK = 8,    /* the clock goes by the scheduler's ticks */
};

/*
 * The reader may ask for the registers in front of an instruction, where a load overwrites what it
 * was addressed by: of samples that stop at `stop`, the next execution of `site` is wanted. Such
 * wishes stand at MS_WIRE_WANTED_AT of the file, each at one of the MS_WIRE_WANTED_NEAR places from
 * ms_wire_wanted_at() on; stop, 0 where there is none, is written last.
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
 * Where a thread was when a timer stopped it. Followed by the general registers, in the order of
 * their numbers (x86-64: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 ...; aarch64: x0 to x30, sp),
 * then by the code in front of pc and behind it, filled up with zeros to a whole word.
 */
struct ms_wire_sample {
	uint64_t pc;
	uint64_t nanoseconds; /* of processor time that it stands for */
	uint64_t thread_pointer;
	uint32_t lost; /* samples of the thread, since the last one, that could not be told ... */
	uint32_t cost; /* ... and nanoseconds that one takes the thread, on average */
	uint16_t regs;
	uint16_t before; /* bytes of code */
	uint16_t behind;
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
/* A block's description: head, counts, at most 256 instructions, its references and exits. */
MS_WIRE_ASSERT(2 + 256 + MS_WIRE_MAX_REFS + 256 <= MS_WIRE_RESERVE_WORDS);
MS_WIRE_ASSERT(2 + sizeof(struct ms_wire_module) / 8 + MS_WIRE_MAX_TEXT / 8 <=
	       MS_WIRE_RESERVE_WORDS);

#endif
