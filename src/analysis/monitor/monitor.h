/*
 * analysis/monitor/monitor.h - compares the samples of a virtual performance monitor with the
 * actual events: rank and share of data, of lines, of pairs of evictor and victim; the monitor's
 * error, precision and cost.
 *
 * "Actual" is the simulation without the monitor, "sampled" the samples of the handler in the
 * simulation with it. A sample represents a period. With a fixed period all samples have the same
 * weight; with an adaptive one the weight is the number of events since the previous sample. Shares
 * are of all events; those of evictions are of the victim's, as in an eviction matrix.
 *
 * Intervals are Wilson's, of 95 %, with the effective number of samples where weights differ. They
 * assume independent samples and do not include the monitor's own effect on the program; the error
 * includes it.
 */
#ifndef MS_ANALYSIS_MONITOR_MONITOR_H
#define MS_ANALYSIS_MONITOR_MONITOR_H

#include "analysis/summary/summary.h"

struct ms_monitor_row {
	uint32_t data;   /* that was referenced: of evictions, the evictor */
	uint32_t victim; /* MS_NONE: the row is not of evictions */
	uint32_t line;   /* of the run; MS_NONE: the row is of all lines */
	uint64_t actual; /* events */
	uint64_t samples;
	uint64_t sampled; /* events that the samples represent */
	double actual_share;
	double sampled_share;
	double low; /* 95 % interval of the sampled share */
	double high;
	uint32_t actual_rank; /* from 1; equals share one; 0: there were none */
	uint32_t sampled_rank;
	bool has_samples; /* of its victim, or any; without them shares are meaningless */
	bool wanted;      /* requested; the others only count for the rest of a list */
	bool judged;      /* large enough for its error to matter: see ms_monitor_accuracy */
};

/*
 * The accuracy of a list. Only rows of data (in lists of evictions: of victims) with a tenth of the
 * events and at least one sample count. Of these, only rows with a hundredth count, actual or
 * sampled. Smaller ones do not matter to a programmer at first.
 */
struct ms_monitor_accuracy {
	size_t judged; /* rows */
	double error;  /* the largest difference of shares among them */
	size_t inside; /* rows whose actual share lies in their interval */
	/* Pairs in the wrong order of all rows of one list, or of one victim, though their actual
	 * shares differ by more than a hundredth of the whole. */
	size_t misplaced;
};

enum ms_monitor_list_kind {
	MS_MONITOR_DATA,           /* by data */
	MS_MONITOR_LINES,          /* by data and line of source */
	MS_MONITOR_EVICTIONS,      /* by victim and evictor */
	MS_MONITOR_EVICTION_LINES, /* by victim, evictor and line of source */
	MS_MONITOR_LISTS,
};

/* Victims with the most events first; then data; then lines; of equals, by name. */
struct ms_monitor_list {
	MS_VEC(struct ms_monitor_row) rows;
	uint64_t actual; /* events of all rows */
	uint64_t sampled;
	struct ms_monitor_accuracy accuracy;
};

struct ms_monitor {
	uint32_t number;              /* index into the run's */
	const struct ms_run_pmu *pmu; /* likewise */
	const char *level;            /* name; NULL: it counts at none */
	double effective; /* number of samples of equal weight with the same precision */
	double precision; /* a share is known to this much, up or down, in 95 of 100 cases */
	double overhead;  /* cycles that it added, as a share of the program's own */
	struct ms_monitor_list lists[MS_MONITOR_LISTS]; /* latency has no evictions */
};

struct ms_monitor_report {
	struct ms_summary whole;
	MS_VEC(struct ms_monitor) at;
};

/* None of a kind: all of them. */
struct ms_monitor_wanted {
	const char *const *data; /* as select.h has it: rows where one of them is data or victim */
	size_t n_data;
	uint64_t number;         /* of one monitor, from 1; 0: all */
	struct ms_text *remarks; /* gets a line about each name that fits several; NULL: none */
};

int ms_monitor_report_make(struct ms_monitor_report *monitors, const struct ms_run *run,
			   const struct ms_monitor_wanted *wanted, struct ms_err *err);
void ms_monitor_report_free(struct ms_monitor_report *monitors);

/* Misses of the undisturbed run at a level. */
uint64_t ms_monitor_clean_misses(const struct ms_monitor_report *monitors, size_t level);
/* "L1 misses", "stall cycles": what a monitor counts. */
const char *ms_monitor_event_text(const struct ms_monitor *monitor, struct ms_arena *arena);

#endif
