/*
 * estimate/between_windows.c - estimates how many references a natively running program makes
 * between windows.
 *
 * There are two estimates for a gap:
 *
 *  - By processor time. The front-end measures the program's speed in speed probes next to the gap,
 *    and multiplies it by the gap's processor time. Probes are slower than the program where code
 *    calls and returns frequently, where it allocates, and where it is executed for the first time.
 *  - By allocations. Heap blocks are recorded in windows and between them, and windows contain the
 *    number of references for each block. This is independent of time, and the variation between
 *    windows gives its error. But a program may not allocate, or not evenly.
 *
 * Gaps are grouped in the order of time, because programs have phases. In each group the two
 * estimates are weighted by their errors. docs/design/sampling.md has the figures.
 */
#include "estimate/between_windows.h"

#include <math.h>

enum {
	GROUP = 16,      /* gaps */
	FEW_BLOCKS = 10, /* fewer give no estimate */
	FEW_WINDOWS = 3, /* fewer give no variation */
};

/*
 * The largest ratio of the true number to the estimate by time, over the programs of `make bench`.
 * Both bounds move away where stretches of probes were disturbed: by these factors where all were.
 */
static const double most_by_time = 1.5, disturbed_less = 2, disturbed_more = 2;
static const double usually_clean = 0.8; /* of stretches: the first of a probe never are */
/* The error of the estimate by time: the standard deviation of its logarithm. */
static const double time_error = 0.2, time_error_disturbed = 0.6;
/* The same by allocations, besides the variation between windows. Windows are drawn by time. If the
 * time is more wrong for one kind of code than for another, that code gets too many windows. This
 * has no effect where all windows are alike. */
static const double blocks_error = 0.03, blocks_error_uneven = 0.15;
/* Threads that have not entered an open window yet allocate as if they were in it. */
static const double blocks_error_threads = 0.35;
/* If the estimate by allocations is below this part of that by time, not all blocks are recorded: a
 * private allocator is visible in windows only. (Blocks are never too many.) */
static const double least_by_blocks = 0.4;
/* A gap with this many times as many blocks per time as the others is another phase, which windows
 * may have missed. */
static const double other_phase = 3;
static const double quantile = 2.2; /* of 95 %, larger than 1.96 as there are few windows */

static double square(double x)
{
	return x * x;
}

struct by_blocks {
	double references; /* 0: no estimate */
	double differ;     /* relative standard error by the variation between windows */
	double error;      /* the other relative errors */
};

/* References of a window minus the number that its blocks predict. */
static double off(const struct ms_estimate_gap *gap, double each)
{
	return gap->counted ? 0 : gap->references - each * gap->blocks_in;
}

/* The share of the blocks between windows that were allocated in other phases. */
static double of_other_phases(const struct ms_estimate_gap *gaps, size_t n, double by_time_refs,
			      double blocks)
{
	double others = 0;

	for (size_t i = 0; i < n; i++)
		if (!gaps[i].counted &&
		    gaps[i].blocks * by_time_refs > other_phase * blocks * gaps[i].by_time)
			others += gaps[i].blocks;
	return others / blocks;
}

/* by_time_refs: the estimate by time. Skips gaps with counted references: it is not known which
 * blocks belong to these. */
static struct by_blocks by_blocks(const struct ms_estimate_gap *gaps, size_t n, double by_time_refs,
				  bool threads)
{
	struct by_blocks b = { 0, 0, 0 };
	double references = 0, in = 0, blocks = 0, squares = 0, windows = 0, each;

	for (size_t i = 0; i < n; i++) {
		if (gaps[i].counted)
			continue;
		references += gaps[i].references;
		in += gaps[i].blocks_in;
		blocks += gaps[i].blocks;
		windows += gaps[i].references > 0;
	}
	if (in < FEW_BLOCKS || blocks < FEW_BLOCKS || windows < FEW_WINDOWS)
		return b;
	each = references / in;
	if (each * blocks < least_by_blocks * by_time_refs)
		return b;
	for (size_t i = 0; i < n; i++)
		squares += square(off(&gaps[i], each));
	b.references = each * blocks;
	b.differ = sqrt(squares * windows / (windows - 1)) / references;
	b.error = blocks_error + blocks_error_uneven * fmin(1, b.differ * sqrt(windows)) +
		  (threads ? blocks_error_threads : 0) +
		  of_other_phases(gaps, n, by_time_refs, blocks);
	return b;
}

/* The share of disturbed stretches, 0: the usual one, 1: all. */
static double disturbed(const struct ms_estimate_gap *gaps, size_t n)
{
	double stretches = 0, clean = 0;

	for (size_t i = 0; i < n; i++) {
		stretches += (double)gaps[i].timed.stretches;
		clean += (double)gaps[i].timed.undisturbed;
	}
	return stretches > 0 ? 1 - fmin(1, clean / stretches / usually_clean) : 0;
}

/* The estimate by time alone. */
static struct ms_estimate_interval by_time(const struct ms_estimate_gap *gaps, size_t n,
					   const struct ms_estimate_gap_range *range)
{
	double bad = disturbed(gaps, n), by_time_refs = 0;

	for (size_t i = 0; i < n; i++)
		by_time_refs += gaps[i].counted ? 0 : gaps[i].by_time;
	return (struct ms_estimate_interval){
		by_time_refs,
		range->least / range->few / (1 + disturbed_less * bad) * by_time_refs,
		most_by_time * range->few * (1 + disturbed_more * bad) * by_time_refs,
	};
}

/* Combines both estimates. Where they disagree, the interval contains both, and a disturbed time
 * has less weight the farther away it is. *noise: the variance between windows is added. */
static struct ms_estimate_interval by_both(struct ms_estimate_interval time, struct by_blocks b,
					   double bad, double *noise)
{
	double apart = fabs(log(b.references / time.references));
	double for_time =
		1 / square(fmax(time_error + time_error_disturbed * bad, bad * apart / 2));
	double for_blocks = 1 / (square(b.differ) + square(b.error));
	double part = for_blocks / (for_blocks + for_time);
	double estimate = exp(part * log(b.references) + (1 - part) * log(time.references));
	double error = 2 * part * b.error * estimate;
	struct ms_estimate_interval both = {
		estimate,
		estimate - (1 - part) * (time.references - time.low) - error,
		estimate + (1 - part) * (time.high - time.references) + error,
	};

	*noise += square(part * b.references * b.differ);
	if (b.references < time.low || b.references > time.high) {
		both.low = fmin(both.low, time.references);
		both.high = fmax(both.high, time.references);
	}
	return both;
}

/*
 * Code that runs natively because it cannot be translated, next to counted code, is not timed: it
 * may have made no references at all.
 */
static double untimed(const struct ms_estimate_gap *gaps, size_t n)
{
	double by_time_refs = 0;

	for (size_t i = 0; i < n; i++)
		by_time_refs += gaps[i].counted ? gaps[i].by_time : 0;
	return by_time_refs;
}

static void add_group(struct ms_estimate_interval *sum, double *noise,
		      const struct ms_estimate_gap *gaps, size_t n,
		      const struct ms_estimate_gap_range *range)
{
	struct ms_estimate_interval group = by_time(gaps, n, range);
	struct by_blocks b = by_blocks(gaps, n, group.references, range->threads);
	double beside = untimed(gaps, n);

	if (b.references > 0 && group.references > 0)
		group = by_both(group, b, disturbed(gaps, n), noise);
	sum->references += group.references + beside;
	sum->low += group.low;
	sum->high += group.high + most_by_time * range->few * beside;
}

struct ms_estimate_interval ms_estimate_between_windows(const struct ms_estimate_gap *gaps,
							size_t n,
							const struct ms_estimate_gap_range *range)
{
	struct ms_estimate_interval sum = { 0, 0, 0 };
	size_t groups = n / GROUP > 0 ? n / GROUP : n > 0;
	double noise = 0;

	for (size_t i = 0; i < groups; i++)
		add_group(&sum, &noise, gaps + i * n / groups,
			  (i + 1) * n / groups - i * n / groups, range);
	sum.low = fmax(0, sum.low - quantile * sqrt(noise));
	sum.high += quantile * sqrt(noise);
	return sum;
}
