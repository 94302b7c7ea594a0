/*
 * collect/gaps.c - how many references a program has made natively between windows.
 *
 * Two things are known of a gap. Its processor time, and how fast the program was in sprints beside
 * it: the front-end makes a number of references of that. It is only as good as sprints are, which
 * are slower than the program where code is called and returns all the time, where it allocates,
 * and where it is met for the first time. And how many blocks it has allocated, which are told in
 * windows and between them: windows tell how many references there are for each. That has nothing
 * to do with time, and how much windows differ in it says how good it is; but a program need not
 * allocate, or not evenly.
 *
 * Gaps are taken by groups, one behind the other, as programs have phases. Of each group both
 * numbers count by how well they are known. docs/design/sampling.md has the figures.
 */
#include "collect/gaps.h"

#include <math.h>

enum {
	GROUP = 16,      /* gaps */
	FEW_BLOCKS = 10, /* fewer say nothing */
	FEW_WINDOWS = 3, /* nor do these say how much they differ */
};

/*
 * What was told by time, over the programs of `make bench`, for each reference that there is; and
 * both ends are farther away where stretches were disturbed, as far as this where all of them were.
 */
static const double most_told = 1.5, disturbed_less = 2, disturbed_more = 2;
static const double usually_clean = 0.8; /* of stretches: the first ones of a sprint never are */
/* By what factor it is off, as the standard deviation of its logarithm. */
static const double told_error = 0.2, told_error_disturbed = 0.6;
/* The same of blocks, beside what windows differ by: windows are drawn by time, and where it is
 * wrong about one kind of code more than about another, that has too many of them. Where all
 * windows are alike it does not matter. */
static const double blocks_error = 0.03, blocks_error_uneven = 0.15;
/* Threads that a window is open for, and that have not come yet, allocate as if they were in it. */
static const double blocks_error_threads = 0.35;
/* Below this part of what time says blocks are not all told: an allocator of the program's own is
 * seen in windows only. (They never are too many.) */
static const double least_by_blocks = 0.4;
/* A gap with so many times as many blocks for its time as the others is another phase, of which
 * windows may have seen nothing. */
static const double other_phase = 3;
static const double quantile = 2.2; /* of 95 %, and something, as there are few windows */

static double square(double x)
{
	return x * x;
}

struct by_blocks {
	double references; /* 0: they tell nothing */
	double differ;     /* standard error, as a part of it, by what windows differ */
	double error;      /* and beside that */
};

/* References of a window, beyond what its blocks say. */
static double off(const struct gap *gap, double each)
{
	return gap->counted ? 0 : gap->references - each * gap->taken_in;
}

/* The part of all blocks between windows that came where the program did something else. */
static double of_other_phases(const struct gap *gaps, size_t n, double told, double taken)
{
	double others = 0;

	for (size_t i = 0; i < n; i++)
		if (!gaps[i].counted && gaps[i].taken * told > other_phase * taken * gaps[i].told)
			others += gaps[i].taken;
	return others / taken;
}

/* told: by time. Where some were counted nobody knows which blocks are theirs. */
static struct by_blocks by_blocks(const struct gap *gaps, size_t n, double told, bool threads)
{
	struct by_blocks b = { 0, 0, 0 };
	double references = 0, in = 0, taken = 0, squares = 0, windows = 0, each;

	for (size_t i = 0; i < n; i++) {
		if (gaps[i].counted)
			continue;
		references += gaps[i].references;
		in += gaps[i].taken_in;
		taken += gaps[i].taken;
		windows += gaps[i].references > 0;
	}
	if (in < FEW_BLOCKS || taken < FEW_BLOCKS || windows < FEW_WINDOWS)
		return b;
	each = references / in;
	if (each * taken < least_by_blocks * told)
		return b;
	for (size_t i = 0; i < n; i++)
		squares += square(off(&gaps[i], each));
	b.references = each * taken;
	b.differ = sqrt(squares * windows / (windows - 1)) / references;
	b.error = blocks_error + blocks_error_uneven * fmin(1, b.differ * sqrt(windows)) +
		  (threads ? blocks_error_threads : 0) + of_other_phases(gaps, n, told, taken);
	return b;
}

/* 0: as usual; 1: all stretches were. */
static double disturbed(const struct gap *gaps, size_t n)
{
	double stretches = 0, clean = 0;

	for (size_t i = 0; i < n; i++) {
		stretches += (double)gaps[i].timed.stretches;
		clean += (double)gaps[i].timed.undisturbed;
	}
	return stretches > 0 ? 1 - fmin(1, clean / stretches / usually_clean) : 0;
}

/* By time alone. */
static struct gaps_estimate by_time(const struct gap *gaps, size_t n,
				    const struct gaps_range *range)
{
	double bad = disturbed(gaps, n), told = 0;

	for (size_t i = 0; i < n; i++)
		told += gaps[i].counted ? 0 : gaps[i].told;
	return (struct gaps_estimate){
		told,
		range->least / range->few / (1 + disturbed_less * bad) * told,
		most_told * range->few * (1 + disturbed_more * bad) * told,
	};
}

/* Both together; where they do not agree the truth may be at either, and time, if it was
 * disturbed, counts the less the farther it is away. noise: the square of what
 * windows make it differ by is added there. */
static struct gaps_estimate by_both(struct gaps_estimate time, struct by_blocks b, double bad,
				    double *noise)
{
	double apart = fabs(log(b.references / time.references));
	double for_time =
		1 / square(fmax(told_error + told_error_disturbed * bad, bad * apart / 2));
	double for_blocks = 1 / (square(b.differ) + square(b.error));
	double part = for_blocks / (for_blocks + for_time);
	double estimate = exp(part * log(b.references) + (1 - part) * log(time.references));
	double error = 2 * part * b.error * estimate;
	struct gaps_estimate both = {
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
 * Code that ran natively because it cannot be translated, beside code that was counted, has not
 * been timed: it may have had none.
 */
static double untimed(const struct gap *gaps, size_t n)
{
	double told = 0;

	for (size_t i = 0; i < n; i++)
		told += gaps[i].counted ? gaps[i].told : 0;
	return told;
}

static void add_group(struct gaps_estimate *sum, double *noise, const struct gap *gaps, size_t n,
		      const struct gaps_range *range)
{
	struct gaps_estimate group = by_time(gaps, n, range);
	struct by_blocks b = by_blocks(gaps, n, group.references, range->threads);
	double beside = untimed(gaps, n);

	if (b.references > 0 && group.references > 0)
		group = by_both(group, b, disturbed(gaps, n), noise);
	sum->references += group.references + beside;
	sum->low += group.low;
	sum->high += group.high + most_told * range->few * beside;
}

struct gaps_estimate ms_gaps_estimate(const struct gap *gaps, size_t n,
				      const struct gaps_range *range)
{
	struct gaps_estimate sum = { 0, 0, 0 };
	size_t groups = n / GROUP > 0 ? n / GROUP : n > 0;
	double noise = 0;

	for (size_t i = 0; i < groups; i++)
		add_group(&sum, &noise, gaps + i * n / groups,
			  (i + 1) * n / groups - i * n / groups, range);
	sum.low = fmax(0, sum.low - quantile * sqrt(noise));
	sum.high += quantile * sqrt(noise);
	return sum;
}
