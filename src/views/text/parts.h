/* views/text/parts.h - parts of text that several reports have. */
#ifndef MS_VIEWS_TEXT_PARTS_H
#define MS_VIEWS_TEXT_PARTS_H

#include "base/table.h"
#include "views/text/page.h"

void ms_views_text_run(const struct ms_views_text_page *page, const struct ms_summary *summary);
/* Whether no window of a sampled run opened; then prints a message instead of figures. */
bool ms_views_text_no_windows(const struct ms_views_text_page *page, const struct ms_run *run);
/* Whether the run is the sum of others, and so does not have this: then it says so. */
bool ms_views_text_is_of_single_runs(const struct ms_views_text_page *page,
				     const struct ms_run *run, const char *what);
/* Of a sampled run, a line: between what each level's miss rate lies. For views without totals. */
void ms_views_text_miss_rates(const struct ms_views_text_page *page, const struct ms_run *run);
/* References, and misses of every level with their causes; code, data: whose the counts are, a flag
 * for each of the run; NULL: all. whole: of the run. */
void ms_views_text_counts(const struct ms_views_text_page *page, const struct ms_summary *whole,
			  const bool *code, const bool *data,
			  const struct ms_summary_counts *counts);
/* Compute and stall cycles: "WHAT: 649.0M cycles" and the two parts of it; of this code (a flag for
 * each of the run; NULL: all). */
void ms_views_text_cycles(const struct ms_views_text_page *page, const struct ms_summary *whole,
			  const bool *code, const char *what, uint64_t compute, uint64_t stall);
/* The same divided by the processors that were busy; nothing where there is only one. */
void ms_views_text_normalised(const struct ms_views_text_page *page, const struct ms_run *run,
			      const struct ms_summary_counts *counts);
/* timing.c: of an out-of-order core, why it costs what it costs; of others nothing. */
void ms_views_text_timing(const struct ms_views_text_page *page, const struct ms_summary *whole,
			  const struct ms_summary_counts *counts);
/*
 * line_use.c: how much of the lines is used that this code fetched for this data (a flag for each
 * of the run; NULL: all), and how it accesses it; nothing where that was not observed.
 */
void ms_views_text_line_use(const struct ms_views_text_page *page, const struct ms_run *run,
			    const bool *code, const bool *data);
/* intrinsic.c: which misses of this data nothing avoids; NULL: of all. */
void ms_views_text_intrinsic(const struct ms_views_text_page *page, const struct ms_run *run,
			     const bool *data);
/* cache_sets.c: where most replacement misses of this data are in few sets, which; else nothing. */
void ms_views_text_cache_sets(const struct ms_views_text_page *page, const struct ms_run *run,
			      const bool *data);
/* ", 52.1 ms" where cycles are estimated and the clock is known; else "". */
const char *ms_views_text_milliseconds(struct ms_arena *arena, const struct ms_run *run,
				       uint64_t cycles);
/* "cycles", or "ns" of measured time where the clock is not known. */
const char *ms_views_text_time_unit(const struct ms_run *run);
/* "2 processors were never used.", where some were not. */
void ms_views_text_unused_processors(const struct ms_views_text_page *page,
				     const struct ms_summary *summary);
/* The paper's Figure 2: shares of code and data, with its title. */
void ms_views_text_matrix(const struct ms_views_text_page *page, const struct ms_summary *summary,
			  const struct ms_views_options *options);
/*
 * advise.c: a line for each finding about the shown code and data (NULL: all), and the command that
 * has all about them; or a sentence that there is none. whole: of the run.
 */
void ms_views_text_findings(const struct ms_views_text_page *page, const struct ms_summary *whole,
			    const struct ms_summary_selection *shown,
			    const struct ms_views_options *options);
/* The same of all code and data, where a report has no summary of the run. */
void ms_views_text_run_findings(const struct ms_views_text_page *page, const struct ms_run *run,
				const struct ms_views_options *options);
void ms_views_text_reasons(const struct ms_views_text_page *page, const struct ms_summary *summary);

/* hardware.c: runs sampled on the real machine. How it was sampled; instead of the machine that was
 * simulated. */
void ms_views_text_hardware(const struct ms_views_text_page *page, const struct ms_run *run);
/* "Measured: by timer ...": the line alone, also of a joined run. */
void ms_views_text_samples(const struct ms_views_text_page *page, const struct ms_run *run,
			   const char *label);
/* What a phase of such a run has: its columns, and the figures of one. */
void ms_views_text_phase_columns(struct ms_table *table, const struct ms_run *run);
void ms_views_text_phase(struct ms_table *table, const struct ms_run *run, size_t phase);
/* Of the whole run, or of the cells of some code and data (a flag each; NULL: all). */
void ms_views_text_hardware_counts(const struct ms_views_text_page *page,
				   const struct ms_summary *whole,
				   const struct ms_summary_counts *counts, const bool *code,
				   const bool *data);
/*
 * joined.c: runs with measured time and simulated causes. Where their parts are from; nothing of
 * other runs.
 */
void ms_views_text_joined(const struct ms_views_text_page *page, const struct ms_run *run);
/* "WHAT (measured): 1.35 s" with compute and stall time and what the simulation estimates. */
void ms_views_text_measured_time(const struct ms_views_text_page *page,
				 const struct ms_summary *whole, const char *what,
				 const struct ms_summary_counts *counts);
/* Of a part of a joined run: measured stall, its share and the estimated one; else nothing. */
void ms_views_text_measured_share(const struct ms_views_text_page *page,
				  const struct ms_summary *whole,
				  const struct ms_summary_counts *counts);
/* The parts of measured stall, or of estimated stall. */
void ms_views_text_stall_parts(const struct ms_views_text_page *page,
			       const struct ms_summary *whole,
			       const struct ms_summary_counts *counts);
/* Which entries have a measured share that the simulation does not explain; none: nothing. */
void ms_views_text_disagreements(const struct ms_views_text_page *page,
				 const struct ms_summary *whole,
				 const struct ms_summary_entries *entries);
/* How sure the shares of a matrix are, which has no room for each. */
void ms_views_text_widest_interval(const struct ms_views_text_page *page,
				   const struct ms_summary *summary);
/* How long events waited, as bars. */
void ms_views_text_histogram(const struct ms_views_text_page *page, const struct ms_run *run,
			     const bool *code, const bool *data);

#endif
