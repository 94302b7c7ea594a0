/*
 * analysis/evidence/bins.h - what each bin (code x data) waits for, as far as advice needs it: one
 * small record a bin, whatever the run contains.
 */
#ifndef MS_ANALYSIS_EVIDENCE_BINS_H
#define MS_ANALYSIS_EVIDENCE_BINS_H

#include "analysis/line_use/access_kind.h"
#include "analysis/summary/summary.h"

struct ms_evidence_bin {
	uint32_t code, data; /* of the run */
	uint32_t line;       /* of the run: that stalls the most, then refers the most ... */
	uint32_t site;       /* ... and its instruction */
	uint32_t first_cell; /* of ms_evidence_bins, and ... */
	uint32_t n_cells;    /* ... how many of them are its own */
	/* Cycles: of all stall, and its parts. */
	double stall;
	double latency;       /* exposed latency of misses */
	double walks;         /* page walks */
	double bandwidth;     /* waiting for transfers */
	double reads;         /* of all: stall of loads */
	double compute;       /* of the code, with all its data */
	double whole_latency; /* of all misses, with what the processor hid ... */
	double prefetched;    /* ... by prefetching */
	double references;
	double writes;       /* of these */
	double bytes;        /* that they accessed, each time it was accessed */
	double first_misses; /* of the first level */
	double last_misses;  /* of the last level ... */
	double first_uses;   /* ... and those of lines that nothing had used before */
	double least_misses; /* of the second level or a further one: the fewest above 0 */
	double conflicts;    /* share of first_misses that are certainly conflicts; 0: not known */
	/* Shares of first_misses; 0: not observed. Invalidations are in none: what another
	 * processor writes is fetched again in any order of accesses. */
	double dependences[MS_RUN_DEPENDENCES];
};

/* A cell of the run, and where its rows begin. */
struct ms_evidence_cell {
	size_t cell;
	struct ms_summary_rows rows;
};

struct ms_evidence_bins {
	const struct ms_summary *summary;  /* must outlive it */
	struct ms_evidence_cell *cells;    /* those of a bin together, in the order of the run */
	MS_VEC(struct ms_evidence_bin) at; /* the most stall first */
	double compute;                    /* cycles of the run */
	double stall;
};

void ms_evidence_bins_make(struct ms_evidence_bins *bins, const struct ms_summary *summary);
void ms_evidence_bins_free(struct ms_evidence_bins *bins);

/* All bins of one data as one; its code and line are those that stall the most. */
struct ms_evidence_bin ms_evidence_of_data(const struct ms_evidence_bins *bins, uint32_t data);

/* In which order the code of a bin accesses its data. */
struct ms_line_use_access ms_evidence_find_access(const struct ms_evidence_bins *bins,
						  const struct ms_evidence_bin *bin);

/*
 * Whether both are in one loop: in one function, or with instructions nearby. Compilers attribute a
 * part of an inlined loop to the calling function.
 */
bool ms_evidence_is_near(const struct ms_evidence_bins *bins, const struct ms_evidence_bin *a,
			 const struct ms_evidence_bin *b);

/*
 * The part of a bin whose lines of code miss the first level at least so often for each reference.
 * Its line and site are the worst of them (MS_NONE: no line does).
 */
struct ms_evidence_bin ms_evidence_of_missing_lines(const struct ms_evidence_bins *bins,
						    const struct ms_evidence_bin *bin,
						    double misses);

/* Bytes of all lines of a data structure that were used at all. */
double ms_evidence_touched(const struct ms_evidence_bins *bins, uint32_t data);
double ms_evidence_touched_entry(const struct ms_run *run, const struct ms_summary_entry *entry);

/*
 * page_faults.c: cycles that the kernel takes for the first uses of pages of a data structure;
 * MS_NONE: of all data. 0 if they are part of the run's times, or not known.
 */
double ms_evidence_page_faults(const struct ms_evidence_bins *bins, uint32_t data);

/*
 * Stall cycles that a bin would have if its bytes were accessed one after the other: prefetching
 * hides latencies then, and transfers remain that take longer than the code computes. In-order
 * cores wait for each line.
 */
double ms_evidence_streamed(const struct ms_evidence_bins *bins, const struct ms_evidence_bin *bin,
			    double bytes);

/*
 * Stall cycles that remain if nothing but the latencies of misses is waited for, and these overlap
 * as far as the processor can.
 */
double ms_evidence_overlapped(const struct ms_evidence_bins *bins,
			      const struct ms_evidence_bin *bin);

#endif
