/* engine/spatial/residency_sums.h - adds what was observed of selected lines to the sums. */
#ifndef MS_ENGINE_SPATIAL_RESIDENCY_SUMS_H
#define MS_ENGINE_SPATIAL_RESIDENCY_SUMS_H

#include <stdbool.h>

#include "engine/spatial/spatial_state.h"

/* One line in so many is selected now: each stands for all of them. */
static inline uint64_t ms_spatial_get_weight(const struct ms_spatial *spatial)
{
	return (UINT64_C(1) << 32) / spatial->threshold;
}

static inline unsigned ms_spatial_find_group(uint64_t line)
{
	return (unsigned)(ms_hash(line, 1) % MS_ENGINE_LINE_GROUPS);
}

void ms_spatial_close_sums(struct ms_spatial_sums *sums);
/* Index of the cell. */
uint32_t ms_spatial_get_cell(struct ms_spatial_sums *sums, const struct ms_count_cell *cell);
/* The residency of the line in a level, if there is one, ends. */
void ms_spatial_add_residency(struct ms_spatial_sums *sums, const struct ms_spatial_line *line,
			      unsigned k, uint64_t weight);
/* A thread accesses data of the cell. */
struct ms_spatial_thread_access {
	uint32_t cell;
	uint32_t thread;
	uint32_t size;
	uint64_t weight;
	uint64_t address;
	uint64_t object; /* MS_SPATIAL_NO_OBJECT: unknown */
	bool missed[MS_SPATIAL_LEVELS];
};
void ms_spatial_add_access(struct ms_spatial_sums *sums,
			   const struct ms_spatial_thread_access *access);

/* An access to bytes of the line that nothing had accessed: a bit for each. */
void ms_spatial_add_touched(struct ms_spatial_sums *sums, uint32_t cell,
			    const struct ms_spatial_line *line, uint64_t bytes, uint64_t weight);

/* An access to a selected line. */
struct ms_spatial_reuse_access {
	uint64_t line;
	uint64_t line_bytes;
	uint32_t from_cell; /* of the access before by the same cache; MS_MAP_NONE: none */
	uint32_t to_cell;
	uint64_t weight;
	uint64_t distance; /* bytes used since; UINT64_MAX: the line is new */
	/* The mean of the bytes used since, if any number of lines is as likely as any other. */
	uint64_t between;
	/* The smallest caches of the curve that may hit and that certainly hit. */
	unsigned shortest, longest;
	bool missed; /* the first level */
};
void ms_spatial_add_reuse(struct ms_spatial_sums *sums,
			  const struct ms_spatial_reuse_access *access);

#endif
