/*
 * analysis/measured/measured.h - figures and intervals of a run that was sampled on the real
 * machine.
 *
 * In the summary of such a run, stall is the latency of all events (with a timer: the time of waits
 * for memory, in nanoseconds), references are the events themselves, and instructions are
 * nanoseconds of compute time. A share is that of a sum of samples, each of which represents some
 * events. Its interval comes from the variance of what single samples add to it.
 */
#ifndef MS_ANALYSIS_MEASURED_MEASURED_H
#define MS_ANALYSIS_MEASURED_MEASURED_H

#include "analysis/summary/summary.h"

/* "PEBS", "timer": the source, for people. */
const char *ms_measured_source_name(uint32_t source);
/* "latency", "memory stall time", "page faults": what its shares are shares of. */
const char *ms_measured_quantity(const struct ms_run *run);
/* Whether its samples have the latency of an event. */
bool ms_measured_has_latency(const struct ms_run *run);
/* Whether all events were recorded: then shares are exact. */
bool ms_measured_is_complete(const struct ms_run *run);

/* A share and its 95 % interval; NaN: there is no sample. */
struct ms_measured_share {
	double share;
	double low;
	double high;
};

struct ms_measured_share ms_measured_stall_share(const struct ms_summary *whole,
						 const struct ms_summary_counts *part);
/* The same of events. */
struct ms_measured_share ms_measured_event_share(const struct ms_summary *whole,
						 const struct ms_summary_counts *part);
/* Wilson's interval of a share that is estimated from n samples of the same weight. */
struct ms_measured_share ms_measured_wilson_interval(double share, double n);

/* --- joined runs: measured and simulated time of an entry --- */

/* Nanoseconds of samples, and the sum of the squares of single ones. */
struct ms_measured_sum {
	double ns;
	double squares;
};

/* Measured nanoseconds with their 95 % interval; NaN: there is no sample. */
struct ms_measured_time {
	double ns;
	double low;
	double high;
};

/* Of a part of all time. */
struct ms_measured_time ms_measured_time_of(struct ms_measured_sum part,
					    struct ms_measured_sum all);
struct ms_measured_time ms_measured_stall_time(const struct ms_summary *whole,
					       const struct ms_summary_counts *part);
struct ms_measured_time ms_measured_compute_time(const struct ms_summary *whole,
						 const struct ms_summary_counts *part);

/* Whether the measured share lies outside of what the simulation makes likely. */
enum ms_measured_verdict { MS_MEASURED_AGREES, MS_MEASURED_MORE, MS_MEASURED_LESS };

struct ms_measured_comparison {
	struct ms_measured_share share; /* of the stall time, measured */
	double estimated;               /* the same share, simulated */
	enum ms_measured_verdict verdict;
};

/*
 * Compares the simulated share with the interval of the measured one, which is widened by the error
 * of the timing model (1.5 times either way). Shares below a per cent are not judged.
 */
struct ms_measured_comparison ms_measured_compare(const struct ms_summary *whole,
						  const struct ms_summary_counts *part);
/* "more", "less"; NULL: the two agree. */
const char *ms_measured_verdict_word(enum ms_measured_verdict verdict);

/* What is known of samples beside their sums. */
struct ms_measured_detail {
	uint64_t answers[MS_ANSWERS];        /* events, by answer */
	uint64_t answer_latency[MS_ANSWERS]; /* and what these waited */
	uint64_t sureness[MS_SURENESSES];    /* samples */
	uint64_t buckets[MS_RUN_BUCKETS];    /* samples, by latency */
	uint64_t samples;
	/* How sure that is; shares of what is above. A timer's stall time is a share of all time.
	 */
	struct ms_measured_share answer_shares[MS_ANSWERS];
	struct ms_measured_share answer_latency_shares[MS_ANSWERS];
	struct ms_measured_share stall_share;
};

/* Of the cells of this code and data, a flag for each of the run; NULL: all. */
void ms_measured_detail_make(struct ms_measured_detail *detail, const struct ms_run *run,
			     const bool *code, const bool *data);
/* The latency that half of the samples do not exceed, within their bucket evenly; 0: none known. */
double ms_measured_median_latency(const struct ms_measured_detail *detail);

/* A figure of a phase. */
uint64_t ms_measured_phase(const struct ms_run *run, size_t phase, enum ms_run_phase_figure figure);
/* Nanoseconds of page faults in a timer's run, which are estimated: their number times the time of
 * one. */
uint64_t ms_measured_page_fault_time(const struct ms_run *run);
/* The share of samples of references whose data is inferred from other heap blocks. */
double ms_measured_inferred_share(const struct ms_run *run);
/* Above this share, reports say so. */
#define MS_MEASURED_MUCH_INFERRED 0.3
/* Samples that belong to nothing. */
uint64_t ms_measured_lost_samples(const struct ms_run *run);
/* "a run sampled on the real machine has no evictions": for commands that need a simulation. */
int ms_measured_refuse(const struct ms_run *run, const char *what, struct ms_err *err);

#endif
