/*
 * analysis/call_paths/call_paths.h - what misses cost by call path.
 *
 * The run has the misses of each line and data by path. The stall cycles of a line and data are
 * shared among its paths by the latencies of their misses; for in-order cores that is exact.
 */
#ifndef MS_ANALYSIS_CALL_PATHS_CALL_PATHS_H
#define MS_ANALYSIS_CALL_PATHS_CALL_PATHS_H

#include "analysis/source_lines/lines.h"
#include "analysis/summary/summary.h"

/* Cost of a line's references to data when its function was called by a path. */
struct ms_paths_row {
	uint32_t path; /* index into the run's paths */
	uint32_t line;
	uint32_t data;
	uint64_t stall;
	uint64_t *misses; /* by level */
};

struct ms_paths_rows {
	const struct ms_run *run; /* must outlive it */
	struct ms_arena arena;
	MS_VEC(struct ms_paths_row) at; /* by path, line, data */
	uint64_t stall;                 /* of all */
};

/* MS_EUSAGE: the run has no call paths. */
int ms_paths_make_rows(struct ms_paths_rows *rows, const struct ms_summary *summary,
		       struct ms_err *err);
void ms_paths_free_rows(struct ms_paths_rows *rows);
/* Whether the run has call paths. */
bool ms_paths_are_known(const struct ms_run *run);

/* --- inclusive costs --- */

/* Stall cycles of each code, or line, with all that it calls; as many as the run has of them. */
void ms_paths_sum_inclusive(const struct ms_paths_rows *rows, uint64_t *stall);
void ms_paths_sum_inclusive_lines(const struct ms_paths_rows *rows, uint64_t *stall);
/* Fills in the inclusive stall of the summary's code and lines; nothing without call paths. */
void ms_paths_add_inclusive(struct ms_summary *summary);
/* Likewise of lines of source. */
void ms_paths_add_inclusive_source(struct ms_lines *lines);

/* --- functions of the system --- */

/* Whether the code is of the C library, the dynamic loader or the C++ runtime. */
bool ms_paths_is_system(const struct ms_run *run, uint32_t code);

/*
 * A copy of a summary whose code and bins have stall cycles of system functions at their nearest
 * callers outside. Only stall is moved: for the matrix. The summary must outlive it.
 */
struct ms_paths_folded {
	struct ms_summary summary;
	struct ms_arena arena;
	uint64_t stall; /* that was moved; 0: nothing, also where paths are not known */
};

void ms_paths_fold_system(struct ms_paths_folded *folded, const struct ms_summary *summary);
void ms_paths_free_folded(struct ms_paths_folded *folded);

/* --- whole paths --- */

/* A function as it was called by one path. */
struct ms_paths_leaf {
	uint32_t path;
	uint32_t code;
	uint64_t stall;
	uint64_t *misses; /* by level */
	bool has_calls;   /* with small costs of what it calls */
};

struct ms_paths_leaves {
	struct ms_arena arena;
	MS_VEC(struct ms_paths_leaf) at; /* the most stall first */
};

/* data: a flag for each of the run; NULL: all. */
void ms_paths_list_leaves(struct ms_paths_leaves *leaves, const struct ms_paths_rows *rows,
			  const bool *data);
void ms_paths_sort_leaves(struct ms_paths_leaves *leaves);
/*
 * Adds leaves of less stall than `least` to their callers, and these likewise: many small ones show
 * as the function that led to them.
 */
void ms_paths_fold_leaves(struct ms_paths_leaves *leaves, const struct ms_run *run, uint64_t least);
void ms_paths_free_leaves(struct ms_paths_leaves *leaves);

/* --- all paths as one tree --- */

/* A function as it was called by one sequence of functions, whatever their lines. */
struct ms_paths_node {
	uint32_t parent; /* a lower number; MS_NONE: the outermost function */
	uint32_t code;   /* MS_NONE: paths that were too many to keep apart */
	uint64_t stall;  /* with all that it calls */
};

/* Cost of data in the function of a node itself. */
struct ms_paths_cost {
	uint32_t node;
	uint32_t data;
	uint64_t stall;
};

struct ms_paths_tree {
	MS_VEC(struct ms_paths_node) at;
	MS_VEC(struct ms_paths_cost) costs; /* the most stall first */
};

void ms_paths_make_tree(struct ms_paths_tree *tree, const struct ms_paths_rows *rows);
void ms_paths_free_tree(struct ms_paths_tree *tree);

/* --- callers --- */

/*
 * The callers of some functions, or the functions that use some data and their callers, as a tree:
 * the callers of a node follow it, one deeper.
 */
struct ms_paths_caller {
	uint32_t depth; /* from 0 */
	uint32_t line;  /* the line that calls, or uses the data; MS_NONE: see kind */
	uint32_t kind;  /* enum ms_run_path_kind: root has no caller that is known */
	uint64_t stall; /* of all that it leads to */
	uint64_t *misses;
};

struct ms_paths_callers {
	const struct ms_paths_rows *rows;
	struct ms_arena arena;
	uint64_t stall; /* inclusive */
	uint64_t self;  /* of that: in the functions themselves */
	uint64_t *misses;
	MS_VEC(struct ms_paths_caller) at; /* siblings: the most stall first */
};

/* code, data: a flag for each of the run; exactly one is not NULL. */
void ms_paths_find_callers(struct ms_paths_callers *callers, const struct ms_paths_rows *rows,
			   const bool *code, const bool *data);
void ms_paths_free_callers(struct ms_paths_callers *callers);

#endif
