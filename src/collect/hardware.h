/*
 * collect/hardware.h - a program that is sampled on the real machine: samples in, cells of a run
 * out. Whatever takes the samples (perf's ring, a timer in the program) hands them over one by one,
 * in the order of the stream's events, so that an address is looked up in the memory of its time.
 */
#ifndef MS_COLLECT_HARDWARE_H
#define MS_COLLECT_HARDWARE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/map.h"
#include "base/vec.h"
#include "collect/collect.h"
#include "run/run.h"

struct collector;
struct ms_perf;
struct worker;
struct naming;

enum ms_hw_what {
	MS_HW_REFERENCE, /* an instruction that waited for memory */
	MS_HW_COMPUTE,   /* time at pc, where nothing waits for memory */
	MS_HW_LOSS,      /* a sample that can be given to nobody: reason says why */
};

/* Reasons are compared by their text; all are literals. */
struct ms_hw_sample {
	enum ms_hw_what what;
	uint64_t pc;
	uint64_t address;  /* reference: of its data; MS_HW_NO_ADDRESS: reason says why not known */
	uint64_t events;   /* that it stands for; timer: 1 */
	uint64_t latency;  /* of each of them, in the source's unit; timer: ns of processor time */
	uint32_t answer;   /* enum ms_run_answer */
	uint32_t sureness; /* enum ms_run_sureness */
	uint32_t kind;     /* enum ms_site_kind */
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

/* Samples of a site and data (or of a site that computes) that are alike. */
struct hw_row {
	uint32_t site;
	uint32_t data; /* MS_NONE: it computes */
	uint32_t near; /* memory of no block: data of a block near by that was told; else MS_NONE */
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

/* What was sampled while the program was in a phase. */
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
	struct ms_perf *perf; /* NULL: the samples come by the stream */
	bool stopped;         /* the program does not want to be counted now */
	bool thinned;         /* not all blocks of the heap are told */
	/* What the source tells of itself; samples are counted here. */
	struct ms_run_hardware about;
	struct ms_map site_of; /* (module, offset and kind) to sites */
	MS_VEC(struct hw_site) sites;
	struct ms_map row_of; /* (site, data and what makes them alike) to rows */
	MS_VEC(struct hw_row) rows;
	struct ms_map bucket_of;
	MS_VEC(struct hw_bucket) buckets;
	MS_VEC(struct hw_loss) losses;
	MS_VEC(struct hw_phase) phases; /* by number */
	uint32_t phase;                 /* that the program is in */
};

/*
 * untold.c: where only some blocks are told, a sample may have met one that was not. near: whether
 * it looks like that, and what lies around it. settle: when all is known, they are given to data.
 */
uint32_t ms_untold_near(struct worker *worker, uint32_t data, uint64_t address);
void ms_untold_settle(struct collector *collector, const struct ms_run *run, struct naming *naming);
/* Samples of a site and data that are alike: a row of their own. */
struct hw_row *ms_hardware_row(struct hardware *hardware, const struct hw_row *alike);

void ms_hardware_open(struct hardware *hardware, const struct ms_hardware_options *options);
void ms_hardware_close(struct hardware *hardware);

/* One sample. Only the first worker calls it, between two events of the stream. */
void ms_hardware_take(struct worker *worker, const struct ms_hw_sample *sample);
/* So far; may be asked while there are more. */
uint64_t ms_hardware_samples(const struct hardware *hardware);
/* Samples of which nothing is known but why. */
void ms_hardware_lose(struct hardware *hardware, const char *reason, uint64_t samples,
		      uint64_t latency);

/*
 * sources.c: samples that the kernel takes. begin() is told of the process before it executes the
 * program; until() takes all that were taken before the processor's counter stood so; end() what is
 * left, when the workers have ended.
 */
int ms_hardware_begin(struct hardware *hardware, pid_t pid, struct ms_err *err);
void ms_hardware_until(struct worker *worker, uint64_t counter);
void ms_hardware_end(struct collector *collector);
/* The same of a process that runs already; there is no stream then. */
int ms_hardware_attach(struct hardware *hardware, pid_t pid, struct ms_err *err);
struct ms_perf_sample;
void ms_hardware_take_perf(struct worker *worker, const struct ms_perf_sample *sample);
/* What was lost, and what it cost: when all samples have been taken. */
void ms_hardware_count(struct hardware *hardware);

/* The run's cells, and what was sampled of them. */
void ms_result_hardware(struct collector *collector, struct ms_run *run, struct naming *naming);

#endif
