/* run/call_paths.h - call paths of a run, and the misses of each; part of run/run.h. */
#ifndef MS_RUN_CALL_PATHS_H
#define MS_RUN_CALL_PATHS_H

#include <stdint.h>

enum ms_run_path_kind {
	MS_PATH_ROOT,  /* no caller is known */
	MS_PATH_OTHER, /* paths that were too many to keep apart */
	MS_PATH_CALL,
};

/*
 * A call path: a line that makes a call, and the path to the function of that line. The first two
 * have no line and no parent: the root, and all others. The function that is called is not part of
 * the path: it is that of the lines whose misses have this path.
 */
struct ms_run_path {
	uint32_t parent; /* a lower number; MS_NONE: none */
	uint32_t line;   /* index into lines; MS_NONE: none */
	uint32_t kind;   /* enum ms_run_path_kind */
};

/*
 * Misses of a line on data at one level, by the path to the line's function. Runs sampled on the
 * real machine have no levels, but one figure: enum ms_run_path_figure.
 */
struct ms_run_path_miss {
	uint32_t path;
	uint32_t line;
	uint32_t data;
	uint32_t level;
	uint64_t misses;
};

enum ms_run_path_figure {
	MS_PATH_LATENCY, /* of samples, in the source's unit; page faults: their number */
	MS_PATH_FIGURES,
};

#endif
