/* name/name_priv.h - parts of the run, by file. */
#ifndef MS_NAME_NAME_PRIV_H
#define MS_NAME_NAME_PRIV_H

#include "name/name.h"

/* data_names.c: names from the program's source or its files; other data may have the same name. */
void ms_name_describe_data(struct ms_name_state *naming, const struct ms_bins_bound_data *bound,
			   struct ms_run_data *data);
enum ms_run_data_kind ms_name_data_kind(const struct ms_bins_bound_data *bound);
/* The number of a data structure in the run; its name can wait until ms_name_all_data(). */
uint32_t ms_name_number_data(struct ms_name_state *naming, uint32_t bound);
void ms_name_all_data(struct ms_name_state *naming);
/* unique_names.c: makes the names of data unique: "X (a.c:8)", "X (b.c)". */
void ms_name_make_unique(struct ms_name_state *naming);

/* extrapolated.c: extrapolates the simulated part to the whole program. */
void ms_name_extrapolate(struct ms_name_state *naming, struct ms_engine_totals *totals);
/* sampled_rows.c: rows about sampling: first the counts, which need no names, then the rest. */
void ms_name_add_sampled_counts(struct ms_name_state *naming);
void ms_name_add_sampling(struct ms_name_state *naming);

/* line_instructions.c: what each source line executed, and its compute time. */
void ms_name_count_instructions(struct ms_name_state *naming,
				const struct ms_engine_totals *totals);
/* call_paths.c: which calls led to the misses; the run's sites and misses must exist. */
void ms_name_add_call_paths(struct ms_name_state *naming, const struct ms_engine_totals *totals);
/* line_use.c: how lines are used; the run's cells must exist, and data be numbered. */
void ms_name_add_optimal(struct ms_name_state *n, const struct ms_engine_totals *t);
void ms_name_add_line_use(struct ms_name_state *naming, const struct ms_engine_totals *totals);
/* data_types.c: the type of data; its name in the run must be known. bound: the binder's number. */
struct ms_name_type {
	struct ms_symbols_module *module; /* NULL: the type is not known */
	uint64_t type;                    /* for ms_symbols_module_member() */
	uint64_t room;                    /* of heap memory: the largest object's bytes; else 0 */
};
struct ms_name_type ms_name_find_type(struct ms_bins *binder, uint32_t bound,
				      const struct ms_run_data *data);
/* untyped_elements.c: elements of data whose type is not known. */
struct ms_name_untyped {
	uint64_t divisor; /* of all distances between accesses of one instruction; 0: none */
	uint64_t end;     /* of the last access in an object */
	MS_VEC(const struct ms_engine_total_offsets *) cells;
};
void ms_name_add_untyped_offsets(struct ms_name_untyped *untyped,
				 const struct ms_engine_total_offsets *offsets);
/* Leaves the layout as it is if there are no elements. Names are in the arena. */
void ms_name_make_untyped_layout(const struct ms_name_untyped *untyped, struct ms_arena *arena,
				 struct ms_symbols_layout *layout);
/* object_headers.c: where elements of a known type begin in the objects of data. */
struct ms_name_objects {
	uint64_t largest; /* heap object; 0: no heap memory */
	uint32_t node;    /* of the binder: the path to its allocation */
	MS_VEC(const struct ms_engine_total_offsets *) cells;
};
/* Adds the header to the layout; removes the members if it is not known. */
void ms_name_find_header(const struct ms_name_objects *objects, struct ms_bins *binder,
			 struct ms_symbols_layout *layout);
/* members.c: what is before the first element in objects of data of the run. */
struct ms_name_header {
	uint32_t bytes;
	bool is_typed; /* it is part of the type: of a structure with a flexible array */
	bool is_known;
};
struct ms_name_header ms_name_get_header(const struct ms_name_state *naming, uint32_t data);
/* struct_copies.c: cells of instructions that copy whole structures. */
struct ms_name_copy_access;
struct ms_name_copies {
	MS_VEC(struct ms_name_copy_access) accesses;
	struct ms_map cells;
	struct ms_map lines; /* and sizes of structures that are copied from there */
};
void ms_name_add_copy_offsets(struct ms_name_copies *copies, const struct ms_run *run,
			      const struct ms_symbols_layout *layout,
			      const struct ms_engine_total_offsets *offsets);
/* When all are added. */
void ms_name_find_copies(struct ms_name_copies *copies);
bool ms_name_is_copy(const struct ms_name_copies *copies, uint32_t cell);
void ms_name_free_copies(struct ms_name_copies *copies);
/* members.c: which members of data are used; the names of data must be known. */
void ms_name_add_members(struct ms_name_state *naming, const struct ms_engine_totals *totals);
/* sharing.c: which code invalidated whose lines; the run's cells must exist. */
void ms_name_add_sharing(struct ms_name_state *naming, const struct ms_engine_totals *totals);
/* threads.c: what each thread did, and what it waited for. */
void ms_name_add_threads(struct ms_name_state *naming, const struct ms_engine_totals *totals);
/* occupancy.c: the share of each level that each data structure occupied. */
void ms_name_add_occupancy(const struct ms_engine_totals *totals, struct ms_run *run,
			   struct ms_name_state *naming);
/* timeline.c: misses over time; the run's lines must exist. */
void ms_name_add_timeline(struct ms_name_state *naming, const struct ms_engine_totals *totals);
/* monitors.c: the samples and the cost of each monitor; totals: of the engine without monitors. */
void ms_name_add_pmus(struct ms_name_state *naming, const struct ms_engine_totals *totals);
/* merge_sites.c: merges sites where the run has too many cells. */
void ms_name_merge_sites(const struct ms_name_state *naming);
/* untraced.c: the untraced parts of the execution. */
void ms_name_add_untraced(struct ms_name_state *naming);
/* loader.c: references of the dynamic loader that were not traced, where they are many. */
void ms_name_add_loader(const struct ms_name_state *naming);

#endif
