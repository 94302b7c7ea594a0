/*
 * hardware/hardware.h - makes the cells of a run from samples of the real machine. Each source of
 * samples (perf's ring buffer, a timer in the program) passes them one by one, in the order of the
 * stream's events: an address must be looked up in the memory map at the time of its sample.
 */
#ifndef MS_HARDWARE_HARDWARE_H
#define MS_HARDWARE_HARDWARE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/map.h"
#include "base/vec.h"
#include "bins/binder.h"
#include "engine/engine.h"
#include "estimate/windows.h"
#include "hardware/options.h"
#include "hardware/sample_paths.h"
#include "hardware/working_set.h"
#include "name/name.h"
#include "name/program.h"
#include "run/run.h"

struct ms_perf;
struct ms_stream_ring;
struct ms_hardware_timer;

enum ms_hardware_sample_kind {
	MS_HARDWARE_REFERENCE, /* an instruction that waited for memory */
	MS_HARDWARE_COMPUTE,   /* time at pc without a wait for memory */
	MS_HARDWARE_LOSS,      /* a sample that cannot be attributed; `reason` is the cause */
};

/* Reasons are string literals, compared by their text. */
struct ms_hardware_sample {
	enum ms_hardware_sample_kind what;
	uint64_t pc;
	uint64_t address;  /* of a reference; MS_HARDWARE_NO_ADDRESS: unknown because of `reason` */
	uint64_t events;   /* that it represents; timer: 1 */
	uint64_t latency;  /* of each event, in the source's unit; timer: ns of processor time */
	uint32_t answer;   /* enum ms_run_answer */
	uint32_t sureness; /* enum ms_run_sureness */
	uint32_t kind;     /* enum ms_run_site_kind */
	uint32_t size;     /* bytes; 0: not known */
	uint32_t context;  /* of a reference: the calls that led to it */
	const char *reason;
	const struct ms_hardware_sample_loop *in; /* the timer's; NULL: of another source */
	/* Where pc is, if the stream's order of events decides that; not is_bound: looked up now.
	 */
	bool is_bound;
	struct ms_bins_bound_pc bound;
};

#define MS_HARDWARE_NO_ADDRESS UINT64_MAX

struct ms_hardware_site {
	uint32_t module;
	uint64_t offset;
	uint32_t kind;
	uint32_t size;
};

/* Samples whose first five fields agree; compute samples have no data. */
struct ms_hardware_row {
	uint32_t site;
	uint32_t data; /* MS_NONE: compute */
	uint32_t near; /* memory of no block: data of a recorded block near by; else MS_NONE */
	uint32_t answer;
	uint32_t sureness;
	uint64_t samples;
	uint64_t events;
	double events_squares;
	uint64_t latency;
	double latency_squares;
};

struct ms_hardware_bucket {
	uint32_t site;
	uint32_t data;
	uint32_t bucket;
	uint64_t samples;
};

/* Samples that were taken in one phase. */
struct ms_hardware_phase {
	uint64_t samples;
	uint64_t figures[MS_PHASE_FIGURES];
};

struct ms_hardware_loss {
	const char *reason;
	uint64_t samples;
	uint64_t latency;
};

/* Where addresses are looked up: the memory of the program at the time of a sample. */
struct ms_hardware_memory {
	struct ms_bins *binder;
	struct ms_engine_shard *shard;
	const struct ms_name_program *program;
	const struct ms_stream_ring *ring; /* for the runtime that takes samples */
};

struct ms_hardware {
	const struct ms_hardware_options *options;
	struct ms_hardware_memory memory;
	struct ms_perf *perf;            /* NULL: the stream contains the samples */
	struct ms_hardware_timer *timed; /* samples of a timer; NULL: there were none */
	bool finished;                   /* the last sample has been added */
	bool stopped;                    /* the program has stopped counting */
	bool thinned;                    /* only a sample of the heap blocks is recorded */
	/* The source's description of itself; samples are counted here. */
	struct ms_run_hardware about;
	struct ms_map site_of; /* (module, offset and kind) to sites */
	MS_VEC(struct ms_hardware_site) sites;
	struct ms_map row_of; /* (site, data and the other fields that identify a row) to rows */
	MS_VEC(struct ms_hardware_row) rows;
	struct ms_map bucket_of;
	MS_VEC(struct ms_hardware_bucket) buckets;
	MS_VEC(struct ms_hardware_loss) losses;
	MS_VEC(struct ms_hardware_phase) phases;    /* by number */
	uint32_t phase;                             /* the present one */
	struct ms_hardware_working_set working_set; /* of the timer's samples */
	struct ms_hardware_paths paths;
};

/*
 * unrecorded_allocs.c: where only some heap blocks are recorded, a sample may be in an unrecorded
 * one. ms_hardware_near_block() checks for this while the program runs, and returns the data of a
 * recorded block near by. ms_hardware_attribute_unrecorded() attributes these samples to data at
 * the end.
 */
uint32_t ms_hardware_near_block(const struct ms_hardware *hardware, uint32_t data,
				uint64_t address);
void ms_hardware_attribute_unrecorded(struct ms_hardware *hardware, struct ms_name_state *naming);
/* The row for samples like this one; added if there is none. */
struct ms_hardware_row *ms_hardware_row(struct ms_hardware *hardware,
					const struct ms_hardware_row *alike);
void ms_hardware_add_to_row(struct ms_hardware_row *row, const struct ms_hardware_row *more);
void ms_hardware_subtract_from_row(struct ms_hardware_row *row, const struct ms_hardware_row *less);

void ms_hardware_open(struct ms_hardware *hardware, const struct ms_hardware_options *options);
void ms_hardware_close(struct ms_hardware *hardware);

/* Adds one sample. Only the first worker calls it, between two events of the stream. */
void ms_hardware_take(struct ms_hardware *hardware, const struct ms_hardware_sample *sample);
/* The number of samples so far; may be called while more are added. */
uint64_t ms_hardware_samples(const struct ms_hardware *hardware);
/* Adds samples that cannot be attributed, for this reason. */
void ms_hardware_lose(struct ms_hardware *hardware, const char *reason, uint64_t samples,
		      uint64_t latency);

/*
 * kernel_samples.c: samples of the kernel. ms_hardware_begin() is called before the process
 * executes the program. ms_hardware_until() adds the samples taken before this value of the time
 * stamp counter. ms_hardware_end() adds the rest when the workers have ended.
 */
int ms_hardware_begin(struct ms_hardware *hardware, pid_t pid, struct ms_err *err);
void ms_hardware_until(struct ms_hardware *hardware, uint64_t counter);
void ms_hardware_end(struct ms_hardware *hardware);
/* The same for a running process, which has no stream. */
int ms_hardware_attach(struct ms_hardware *hardware, pid_t pid, struct ms_err *err);
struct ms_perf_sample;
void ms_hardware_take_perf(struct ms_hardware *hardware, const struct ms_perf_sample *sample);
/* After the last sample: counts lost samples and the cost of sampling. */
void ms_hardware_count(struct ms_hardware *hardware);

/* Fills in the run's cells and their samples. */
void ms_hardware_add_rows(struct ms_hardware *hardware, struct ms_name_state *naming);
/* Adds the samples of a timer to a run that was simulated: a joined run. Their times are
 * extrapolated to all of the program. */
void ms_hardware_join_rows(struct ms_hardware *hardware, struct ms_name_state *naming,
			   const struct ms_estimate_covered *covered);

#endif
