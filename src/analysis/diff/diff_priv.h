/* analysis/diff/diff_priv.h - what the files of diff share while they put two sides together. */
#ifndef MS_ANALYSIS_DIFF_DIFF_PRIV_H
#define MS_ANALYSIS_DIFF_DIFF_PRIV_H

#include "analysis/diff/diff.h"
#include "base/map.h"
#include "run/key.h"

/* Figures of an entry: these, then misses by common level, then by common level and cause. */
enum { MS_DIFF_CYCLES, MS_DIFF_STALL, MS_DIFF_COMPUTE, MS_DIFF_REFERENCES, MS_DIFF_FIXED };
/* After them: the variances of stall and references, for a run that was sampled on the real
 * machine; then the error of each figure, for a run that was simulated in windows. */
enum { MS_DIFF_STALL_VARIANCE, MS_DIFF_REFERENCES_VARIANCE, MS_DIFF_VARIANCES };

/* Something that runs of either side have: a code, a data, a bin, or a line. */
struct ms_diff_item {
	const char *keys[3]; /* interned: what it is known by, the surest first; NULL: no such */
	const char *name[2]; /* as a side calls it; NULL: that side does not have it */
	const char *type;
	const char *file;
	const char *group; /* of lines: as file, but "" for the function's own */
	uint32_t line[2];
	uint32_t code; /* items; MS_NONE: none */
	uint32_t data;
	uint32_t same_as;    /* the item of the other side that it belongs to; MS_NONE: none */
	bool is_mpi_waiting; /* of code */
	bool counted[2];     /* a run of the side has figures of it */
	uint64_t signature;  /* of lines: the data that it uses */
	uint32_t relative;   /* of lines: the distance from the beginning of its function */
	double *values;      /* by run of both sides, then figure */
};

struct ms_diff_items {
	struct ms_map map;
	MS_VEC(struct ms_diff_item) at;
};

/* A run, and which items its codes, data and lines are. */
struct ms_diff_run {
	const struct ms_run *run;
	unsigned side;
	MS_VEC(uint32_t) codes;
	MS_VEC(uint32_t) data;
	MS_VEC(uint32_t) lines;
	MS_VEC(uint32_t) levels; /* numbers of the common levels */
};

struct ms_diff_builder {
	struct ms_diff *diff;
	struct ms_names names;
	MS_VEC(struct ms_diff_run) runs; /* those of both sides */
	struct ms_diff_items codes, data, bins, lines;
	double *total;  /* as the values of an item */
	size_t plain;   /* metrics, then misses by level and cause */
	size_t figures; /* these, and how much they may be off */
};

/* The item itself, or the one that it belongs to. */
uint32_t ms_diff_resolve(const struct ms_diff_items *items, uint32_t i);
/* Where (a, b) stands; it is made, with room for its values, where it is new. */
uint32_t ms_diff_item(struct ms_diff_builder *differ, struct ms_diff_items *items, uint64_t a,
		      uint64_t b);

/* changes.c: the change of one figure of an item, from its values. */
struct ms_diff_change ms_diff_make_change(const struct ms_diff_builder *differ,
					  const double *values, size_t figure);
/* match_items.c: items for the codes and data of all runs, those of both sides put together. */
void ms_diff_match_items(struct ms_diff_builder *differ);
/* match_lines.c: likewise for lines; after ms_diff_match_items(). */
void ms_diff_match_lines(struct ms_diff_builder *differ);
/* remarks.c: what makes the two sides hard to compare. */
void ms_diff_add_remarks(struct ms_diff *diff);

#endif
