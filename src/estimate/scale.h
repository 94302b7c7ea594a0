/* estimate/scale.h - the factors by which the simulated part is extrapolated to the whole program.
 */
#ifndef MS_ESTIMATE_SCALE_H
#define MS_ESTIMATE_SCALE_H

#include "engine/windows/windows.h"
#include "estimate/windows.h"

/* The parts that windows of a stratum are added to: all parts where the sampling never changes. */
struct ms_estimate_parts {
	uint32_t first, n;
};

struct ms_estimate_parts ms_estimate_find_parts(const struct ms_stream_sampling *sampling,
						uint32_t stratum);

/* The factors by which the simulated part is extrapolated to the whole program. */
struct ms_estimate_scale {
	double counts;
	double references; /* of simulated references: sampled sets are not proportional to them */
	double time;       /* of instructions */
	double total;      /* references of the program ... */
	double low, high;  /* ... and their interval */
	bool exact;
	/* Windows that were drawn at the same density: */
	unsigned strata;
	struct ms_estimate_stratum {
		struct ms_estimate_parts parts;
		uint64_t window;
		uint64_t seen; /* simulated references */
		double total, low, high, counts, time;
	} stratum[MS_WIRE_STRATA_MOST];
	double by_part[MS_ENGINE_WINDOWS_PARTS]; /* `counts` of the part's stratum */
};

/* References of the program in a stratum, of which `seen` were simulated. */
double ms_estimate_total_refs(const struct ms_estimate_sums *sums,
			      const struct ms_stream_sampling *sampling, double seen);

/* sampled: what the engine has simulated; seen: simulated references. */
struct ms_estimate_scale ms_estimate_find_scale(const struct ms_estimate_windows *windows,
						const struct ms_stream_sampling *sampling,
						const struct ms_engine_windows_totals *sampled,
						uint64_t seen);

/* n times the factor, rounded. */
uint64_t ms_estimate_scale_count(uint64_t n, double factor);

#endif
