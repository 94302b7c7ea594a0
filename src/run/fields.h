/*
 * run/fields.h - describes the arrays of struct ms_run and the fields of their elements, each with
 * the name of its table and column. Saving, loading, checking and regrouping read these tables, so
 * a new field is one row.
 */
#ifndef MS_RUN_FIELDS_H
#define MS_RUN_FIELDS_H

#include "base/err.h"
#include "run/run.h"

/* How a field of a struct in run.h is represented in its column. */
enum ms_run_field_kind {
	MS_FIELD_U32,
	MS_FIELD_U64,
	MS_FIELD_INT,
	MS_FIELD_ID, /* int64_t, of a run; 0 is null */
	MS_FIELD_REAL,
	MS_FIELD_TEXT,         /* const char * */
	MS_FIELD_MAYBE_TEXT,   /* likewise; NULL is null */
	MS_FIELD_STRING,       /* const char *, kept once in the table string */
	MS_FIELD_MAYBE_STRING, /* likewise; NULL is null */
	MS_FIELD_WORD,         /* uint32_t enum, kept as one of `words` */
	MS_FIELD_INDEX,        /* uint32_t index into the array at `target` of struct ms_run */
	MS_FIELD_MAYBE_INDEX,  /* likewise; MS_NONE is null */
	MS_FIELD_MAYBE_U64,    /* uint64_t; MS_NO_OFFSET is null */
};

struct ms_run_field {
	const char *column;
	enum ms_run_field_kind kind;
	size_t offset;
	size_t target;
	const char *const *words; /* ends with NULL */
};

/* An array of struct ms_run and its table. */
struct ms_run_table {
	const char *table;
	const char *number; /* the column with the element's index; NULL: ordered by the key */
	const char *order;  /* columns by which it is read back */
	size_t array;       /* offset of the MS_VEC in struct ms_run */
	size_t size;        /* of an element */
	const struct ms_run_field *fields; /* ends with a NULL column */
	bool counts; /* numbers only, and most rows: can be saved before names are known */
	/*
	 * store/packed_evictions.h: the column that holds the last two fields of all elements of a
	 * row. The fields before them are the key of the row. NULL: each element has a row.
	 */
	const char *packed;
	bool apart; /* rows with the same key are not added up: they are no counts */
};

extern const struct ms_run_table ms_run_tables[]; /* ends with a NULL table */
extern const struct ms_run_field ms_run_fields[]; /* the run's own row */

/* fields_pmu.c: elements of three of the arrays, and checks of their consistency. */
extern const struct ms_run_field ms_run_pmu_fields[];
extern const struct ms_run_field ms_run_pmu_level_fields[];
extern const struct ms_run_field ms_run_pmu_sample_fields[];
int ms_run_check_pmus(const struct ms_run *run, struct ms_err *err);

/* fields_sampled.c: likewise for sampled runs. */
extern const struct ms_run_field ms_run_sampling_fields[];
extern const struct ms_run_field ms_run_sampled_level_fields[];
extern const struct ms_run_field ms_run_sampled_life_fields[];
extern const struct ms_run_field ms_run_sampled_reference_fields[];
extern const struct ms_run_field ms_run_sampled_miss_fields[];
int ms_run_check_sampled(const struct ms_run *run, struct ms_err *err);

/* fields_hardware.c: likewise for runs that were sampled on the real machine. */
extern const struct ms_run_field ms_run_hardware_fields[];
extern const struct ms_run_field ms_run_hardware_sample_fields[];
extern const struct ms_run_field ms_run_hardware_latency_fields[];
extern const struct ms_run_field ms_run_hardware_compute_fields[];
extern const struct ms_run_field ms_run_hardware_loss_fields[];
extern const struct ms_run_field ms_run_origin_fields[];
int ms_run_check_hardware(const struct ms_run *run, struct ms_err *err);

/* fields_spatial.c: likewise for the use of lines, and of members. */
extern const struct ms_run_field ms_run_line_use_fields[];
extern const struct ms_run_field ms_run_stride_fields[];
extern const struct ms_run_field ms_run_curve_fields[];
extern const struct ms_run_field ms_run_reuse_fields[];
extern const struct ms_run_field ms_run_member_fields[];
extern const struct ms_run_field ms_run_member_access_fields[];
extern const struct ms_run_field ms_run_member_thread_fields[];
extern const struct ms_run_field ms_run_member_pair_fields[];
extern const struct ms_run_field ms_run_address_range_fields[];

/* fields_timeline.c: likewise for misses over time. */
extern const struct ms_run_field ms_run_slice_fields[];
extern const struct ms_run_field ms_run_slice_miss_fields[];
extern const struct ms_run_field ms_run_slice_line_fields[];
extern const struct ms_run_field ms_run_slice_sum_fields[];
extern const struct ms_run_field ms_run_slice_thread_fields[];
extern const struct ms_run_field ms_run_set_slice_fields[];

/* fields_ranks.c: likewise for merged runs. */
extern const struct ms_run_field ms_run_rank_cluster_fields[];
extern const struct ms_run_field ms_run_rank_fields[];
extern const struct ms_run_field ms_run_rank_bin_fields[];
extern const struct ms_run_field ms_run_rank_data_fields[];
extern const char *const ms_run_end_words[]; /* ends with NULL */

/* A MS_VEC of any type, by its memory layout. */
struct ms_run_any_vec {
	char *at;
	size_t n;
	size_t cap;
};

struct ms_run_any_vec ms_run_vec(const struct ms_run *run, size_t offset);

/* MS_EBUG if an index of the run is invalid or an enum value has no word. */
int ms_run_check(const struct ms_run *run, struct ms_err *err);

#endif
