/*
 * collect/hardware.h - makes the cells of a run from samples of the real machine. Each source of
 * samples (perf's ring buffer, a timer in the program) passes them one by one, in the order of the
 * stream's events: an address must be looked up in the memory map at the time of its sample.
 */
#ifndef MS_COLLECT_HARDWARE_H
#define MS_COLLECT_HARDWARE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/map.h"
#include "base/vec.h"
#include "collect/collect.h"
#include "collect/timed.h"
#include "run/run.h"

struct collector;
struct ms_perf;
struct worker;
struct naming;

enum ms_hw_what {
	MS_HW_REFERENCE, /* an instruction that waited for memory */
	MS_HW_COMPUTE,   /* time at pc without a wait for memory */
	MS_HW_LOSS,      /* a sample that cannot be attributed; `reason` is the cause */
};

/* Reasons are string literals, compared by their text. */
struct ms_hw_sample {
	enum ms_hw_what what;
	uint64_t pc;
	uint64_t address;  /* of a reference; MS_HW_NO_ADDRESS: unknown because of `reason` */
	uint64_t events;   /* that it represents; timer: 1 */
	uint64_t latency;  /* of each event, in the source's unit; timer: ns of processor time */
	uint32_t answer;   /* enum ms_run_answer */
	uint32_t sureness; /* enum ms_run_sureness */
	uint32_t kind;     /* enum ms_run_site_kind */
	uint32_t size;     /* bytes; 0: not known */
	const char *reason;
};

#define MS_HW_NO_ADDRESS UINT64_MAX

struct hw_site {
	uint32_t module;
	uint64_t offset;
	uint32_t kind;
	uint32_t size;
};

/* Samples whose first five fields agree; compute samples have no data. */
struct hw_row {
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

struct hw_bucket {
	uint32_t site;
	uint32_t data;
	uint32_t bucket;
	uint64_t samples;
};

/* Samples that were taken in one phase. */
struct hw_phase {
	uint64_t samples;
	uint64_t figures[MS_PHASE_FIGURES];
};

struct hw_loss {
	const char *reason;
	uint64_t samples;
	uint64_t latency;
};

struct hardware {
	const struct ms_hardware_options *options;
	struct ms_perf *perf; /* NULL: the stream contains the samples */
	struct timed *timed;  /* samples of a timer; NULL: there were none */
	bool stopped;         /* the program has stopped counting */
	bool thinned;         /* only a sample of the heap blocks is recorded */
	/* The source's description of itself; samples are counted here. */
	struct ms_run_hardware about;
	struct ms_map site_of; /* (module, offset and kind) to sites */
	MS_VEC(struct hw_site) sites;
	struct ms_map row_of; /* (site, data and the other fields that identify a row) to rows */
	MS_VEC(struct hw_row) rows;
	struct ms_map bucket_of;
	MS_VEC(struct hw_bucket) buckets;
	MS_VEC(struct hw_loss) losses;
	MS_VEC(struct hw_phase) phases; /* by number */
	uint32_t phase;                 /* the present one */
};

/*
 * untold.c: where only some heap blocks are recorded, a sample may be in an unrecorded one.
 * ms_untold_near() checks for this while the program runs, and returns the data of a recorded block
 * near by. ms_untold_settle() attributes these samples to data at the end.
 */
uint32_t ms_untold_near(struct worker *worker, uint32_t data, uint64_t address);
void ms_untold_settle(struct collector *collector, const struct ms_run *run, struct naming *naming);
/* The row for samples like this one; added if there is none. */
struct hw_row *ms_hardware_row(struct hardware *hardware, const struct hw_row *alike);

void ms_hardware_open(struct hardware *hardware, const struct ms_hardware_options *options);
void ms_hardware_close(struct hardware *hardware);

/* Adds one sample. Only the first worker calls it, between two events of the stream. */
void ms_hardware_take(struct worker *worker, const struct ms_hw_sample *sample);
/* The number of samples so far; may be called while more are added. */
uint64_t ms_hardware_samples(const struct hardware *hardware);
/* Adds samples that cannot be attributed, for this reason. */
void ms_hardware_lose(struct hardware *hardware, const char *reason, uint64_t samples,
		      uint64_t latency);

/*
 * sources.c: samples of the kernel. ms_hardware_begin() is called before the process executes the
 * program. ms_hardware_until() adds the samples taken before this value of the time stamp counter.
 * ms_hardware_end() adds the rest when the workers have ended.
 */
int ms_hardware_begin(struct hardware *hardware, pid_t pid, struct ms_err *err);
void ms_hardware_until(struct worker *worker, uint64_t counter);
void ms_hardware_end(struct collector *collector);
/* The same for a running process, which has no stream. */
int ms_hardware_attach(struct hardware *hardware, pid_t pid, struct ms_err *err);
struct ms_perf_sample;
void ms_hardware_take_perf(struct worker *worker, const struct ms_perf_sample *sample);
/* After the last sample: counts lost samples and the cost of sampling. */
void ms_hardware_count(struct hardware *hardware);

/* Fills in the run's cells and their samples. */
void ms_result_hardware(struct collector *collector, struct ms_run *run, struct naming *naming);

#endif
