/*
 * analysis/evictions/evictions.h - which data evicts which from the caches, and at which source
 * lines: chapter 5 of the dissertation on data centric cache measurement.
 *
 * An eviction removes a line of one data structure (the victim) from a level because a reference to
 * a data structure (the evictor) brought in another line. A miss whose set was not full evicts
 * nothing.
 */
#ifndef MS_ANALYSIS_EVICTIONS_EVICTIONS_H
#define MS_ANALYSIS_EVICTIONS_EVICTIONS_H

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/summary/summary.h"

/* Of one level and one data. Intervals are those of a sampled run; else NaN. */
struct ms_evictions_data {
	uint64_t evicted; /* lines of it that were evicted */
	uint64_t evicts;  /* lines that references to it evicted */
	uint64_t itself;  /* of both: its own lines that it evicted */
	struct ms_intervals_bounds evicted_within;
	struct ms_intervals_bounds evicts_within;
};

/* Lines of victim that references of one source line to evictor evicted from a level. */
struct ms_evictions_row {
	uint32_t level;
	uint32_t victim;
	uint32_t evictor;
	uint32_t line; /* of the run; MS_NONE: of all code together */
	uint64_t count;
	struct ms_intervals_bounds within; /* of a sampled run: its interval; else NaN */
};

struct ms_evictions_level {
	uint64_t misses;
	uint64_t replaced; /* of the misses: what they wanted had been evicted */
	uint64_t evictions;
	uint64_t itself; /* evictions of data by itself */
	/* Cycles that its replacement misses wait longer than those that this level answers. */
	uint64_t stall;
	uint64_t of;     /* evictions of the data that was asked for */
	uint64_t chosen; /* of them: by the data, in the code that was asked for */
	/* Of evictions and stall; of a sampled run, else NaN. */
	struct ms_intervals_bounds within;
	struct ms_intervals_bounds stall_within;
};

struct ms_evictions_rows {
	MS_VEC(struct ms_evictions_row) at;
};

struct ms_evictions {
	struct ms_summary whole; /* of the run */
	uint32_t level;          /* that was asked for; MS_NONE: none in particular */
	uint32_t worst;          /* the one whose replacement misses cost the most */
	bool *of;                /* victims that were asked for; NULL: all */
	bool *by;                /* evictors likewise */
	bool *at;                /* code likewise */
	struct ms_evictions_level *levels;
	struct ms_evictions_data *data; /* levels x data of the run, level after level */
	/* What was asked for, in all levels or in the one asked for: by level, the most first. */
	struct ms_evictions_rows places;
	struct ms_evictions_rows pairs; /* the same by victim and evictor only */
	/* Of a sampled run: intervals of its misses. */
	struct ms_intervals by_data;
	struct ms_intervals total;
};

/* Names as select.h has them; none means all. level is a level's name, or NULL. */
struct ms_evictions_wanted {
	const char *const *of;
	size_t n_of;
	const char *const *by;
	size_t n_by;
	const char *const *at;
	size_t n_at;
	const char *level;
	struct ms_text *remarks; /* gets a line about each name that fits several; NULL: none */
};

int ms_evictions_make(struct ms_evictions *evictions, const struct ms_run *run,
		      const struct ms_evictions_wanted *wanted, const char *latency,
		      struct ms_err *err);
void ms_evictions_free(struct ms_evictions *evictions);

/* Of one data at a level. */
static inline const struct ms_evictions_data *ms_evictions_of(const struct ms_evictions *e,
							      uint32_t level, uint32_t data)
{
	return &e->data[level * e->whole.run->data.n + data];
}

/* Whether a level was requested, by name or because no level was named. */
bool ms_evictions_has_level(const struct ms_evictions *evictions, uint32_t level);

/*
 * The matrix: a column a victim, a row an evictor. Only of victims and code that were asked for; an
 * evictor that was not is among the others. Tenths of every column add up to MS_WHOLE.
 */
struct ms_evictions_matrix {
	uint64_t total;
	size_t rows; /* with the others, where there are any */
	size_t columns;
	uint32_t *evictors; /* data, one a row; MS_NONE: the others */
	uint32_t *victims;  /* one a column; MS_NONE: the others */
	size_t evictors_in_other;
	size_t victims_in_other;
	uint64_t *counts; /* rows x columns, row after row */
	uint32_t *tenths;
	uint32_t *row_tenths;    /* of all evictions; they add up too */
	uint32_t *column_tenths; /* likewise */
};

/* At most so many rows and columns beside the others, each with `threshold` of all (0 to 1). */
struct ms_evictions_limits {
	size_t rows;
	size_t columns;
	double threshold;
};

void ms_evictions_matrix_make(struct ms_evictions_matrix *matrix,
			      const struct ms_evictions *evictions, uint32_t level,
			      struct ms_evictions_limits limits);
void ms_evictions_matrix_free(struct ms_evictions_matrix *matrix);

#endif
