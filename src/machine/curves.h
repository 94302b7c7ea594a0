/*
 * machine/curves.h - turns series of measurements into figures: where a curve rises, how much of a
 * latency overlaps, how large a TLB is. No measuring: tests use synthetic and recorded curves.
 */
#ifndef MS_MACHINE_CURVES_H
#define MS_MACHINE_CURVES_H

#include <stdbool.h>
#include <stddef.h>

/* x grows from point to point; y is a time. */
struct ms_machine_point {
	double x;
	double y;
};

/*
 * Where the curve rises to `level` and stays there: interpolated between the two points. The last x
 * if it does not rise so far, the first if it begins there.
 */
double ms_machine_curve_rise(const struct ms_machine_point *curve, size_t n, double level);
/* The largest x up to which all y are below `level`; 0: not even the first. */
double ms_machine_curve_below(const struct ms_machine_point *curve, size_t n, double level);
/*
 * x: chains at a time, from 1; y: time of an access. How many accesses are in flight when the time
 * no longer shrinks.
 */
double ms_machine_curve_overlap(const struct ms_machine_point *curve, size_t n);
/*
 * x: bytes of a random walk; y: time of an access; memory: its time in memory. The percentage of
 * `size` bytes of cache that the walk finds there.
 */
double ms_machine_curve_usable(const struct ms_machine_point *curve, size_t n, double memory,
			       double size);

struct ms_machine_tlb_curve {
	double entries;
	double second_entries; /* 0: no second level was found */
	double second_latency; /* cycles */
	double walk_latency;   /* cycles; 0: no page walk was found */
};

/*
 * x: pages, one line of each of which is read; y: cycles of an access. dense: the same lines next
 * to each other, in few pages; its x are those of `spread`. first_lines: lines that the first level
 * of cache holds.
 */
struct ms_machine_tlb_curve ms_machine_curve_tlb(const struct ms_machine_point *spread,
						 const struct ms_machine_point *dense, size_t n,
						 double first_lines);

#endif
