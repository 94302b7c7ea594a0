/* run/hardware.h - runs that were sampled on the real machine; part of run/run.h. */
#ifndef MS_RUN_HARDWARE_H
#define MS_RUN_HARDWARE_H

#include <stdint.h>

/* The source of the samples of a run on the real machine; enum_words.h has the words, here and
 * below. */
enum ms_run_source {
	MS_RUN_PEBS,   /* Intel's load latency facility */
	MS_RUN_IBS,    /* AMD's instruction based sampling */
	MS_RUN_SPE,    /* Arm's statistical profiling extension */
	MS_RUN_TIMER,  /* a timer of each thread's processor time */
	MS_RUN_FAULTS, /* page faults */
	MS_RUN_SOURCES,
};

/* The unit of its latencies; without one, samples are only counted. */
enum ms_run_unit { MS_RUN_NO_UNIT, MS_RUN_CYCLES, MS_RUN_NANOSECONDS, MS_RUN_UNITS };

/*
 * How a run on the real machine was sampled; a simulated run has none. A measured run has no levels
 * and no references: the figures of its cells are in hardware_samples.
 *
 * A joined run has both: all of a simulated run, and samples of a timer of the same program. Cells,
 * lines and data that only the timer has seen have no references and no instructions. Its samples
 * are in nanoseconds.
 */
struct ms_run_hardware {
	uint32_t source;    /* enum ms_run_source */
	const char *event;  /* as perf or libpfm4 names it */
	uint32_t unit;      /* enum ms_run_unit */
	double period;      /* mean events (timer: nanoseconds) between samples */
	uint32_t adaptive;  /* 1: the period followed `wish`, 0: it was given */
	double wish;        /* adaptive: time that sampling may cost, as a share of the program's */
	double overhead;    /* the actual cost; below 0: not known */
	uint64_t samples;   /* all: those of cells, of compute time, and lost ones */
	uint64_t throttled; /* how often the kernel paused it */
	uint64_t cpu_ns;    /* processor time of the program */
	uint64_t threads;   /* that were sampled */
	double covered; /* share of the program's own time in which samples could be taken, above
			   0 to 1; what samples represent is extrapolated to all of it */
};

/* With fewer samples, reports of a joined run show the simulated time: intervals are too wide. */
enum { MS_RUN_SAMPLES_LEAST = 100 };

/* Which part of a joined run came from a run of its own. */
enum ms_run_origin_part { MS_RUN_SIMULATED_PART, MS_RUN_MEASURED_PART, MS_RUN_ORIGIN_PARTS };

/* One of the two runs that `memspy join` made a run of. */
struct ms_run_origin {
	uint32_t part; /* enum ms_run_origin_part */
	const char *uid;
	const char *tag; /* NULL when none */
	const char *started;
};

/* Which part of the memory system answered a sampled reference, if the hardware records it. */
enum ms_run_answer {
	MS_ANSWER_UNKNOWN,
	MS_ANSWER_L1,
	MS_ANSWER_BUFFER, /* a line that was already being fetched */
	MS_ANSWER_L2,
	MS_ANSWER_L3,
	MS_ANSWER_PEER, /* another processor's cache on this node */
	MS_ANSWER_LOCAL,
	MS_ANSWER_REMOTE,
	MS_ANSWER_REMOTE_PEER, /* a cache of another node */
	MS_ANSWER_OTHER,       /* I/O, uncached memory */
	MS_ANSWERS,
};

/* How certain it is that a sample belongs to its cell. */
enum ms_run_sureness {
	MS_SURE_EXACT,   /* the hardware recorded the address, or the registers still held it */
	MS_SURE_LEARNT,  /* the address was overwritten; the data was found in another way */
	MS_SURE_GUESSED, /* the instruction is a neighbour of the one that waited */
	MS_SURE_ALIKE, /* a block that was not reported, taken for the data that the same code used
			  in others */
	MS_SURENESSES,
};

/*
 * Samples of a cell. events: the number of events of the source that they represent; latency: the
 * sum of their waits. The sums of the samples' squares are for confidence intervals.
 */
struct ms_run_hardware_sample {
	uint32_t cell;
	uint32_t answer;   /* enum ms_run_answer */
	uint32_t sureness; /* enum ms_run_sureness */
	uint64_t samples;
	uint64_t events;
	double events_squares;
	uint64_t latency;
	double latency_squares;
};

/* Samples of a cell whose latency has its highest bit at this position; bucket 0: 0 and 1. */
struct ms_run_hardware_latency {
	uint32_t cell;
	uint32_t bucket;
	uint64_t samples;
};

enum { MS_RUN_BUCKETS = 64 };

/* Samples at instructions that do not access memory: compute time of a line. */
struct ms_run_hardware_compute {
	uint32_t line;
	uint64_t samples;
	uint64_t time; /* nanoseconds */
	double time_squares;
};

/*
 * Samples that belong to no cell and no line, by reason. For these reasons nothing is known about
 * them:
 */
#define MS_LOST_IN_KERNEL "the kernel's buffer was full"
struct ms_run_hardware_loss {
	const char *reason;
	uint64_t samples;
	uint64_t latency;
};

#endif
