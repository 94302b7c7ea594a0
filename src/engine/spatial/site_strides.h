/* engine/spatial/site_strides.h - the strides of each site: see site_strides.c. */
#ifndef MS_ENGINE_SPATIAL_SITE_STRIDES_H
#define MS_ENGINE_SPATIAL_SITE_STRIDES_H

#include <stdint.h>

#include "base/vec.h"

struct ms_engine;
struct ms_engine_totals;

/* Different strides of a site that are counted separately. */
enum { MS_SPATIAL_STRIDES = 8 };

struct ms_spatial_stride {
	int32_t stride;
	uint32_t count; /* 0: the entry is free */
};

struct ms_spatial_site {
	uint64_t last;   /* address ... */
	uint64_t replay; /* ... of this replay; other replays are not continued */
	uint64_t others; /* strides that are too many, or too large */
	struct ms_spatial_stride strides[MS_SPATIAL_STRIDES];
};

struct ms_spatial_strides {
	uint64_t replay;
	MS_VEC(struct ms_spatial_site) sites; /* by number */
};

void ms_spatial_close_strides(struct ms_spatial_strides *strides);
/* The batch has been replayed, or was not observed. */
void ms_spatial_observe_strides(struct ms_engine *engine, unsigned batch_index);
void ms_spatial_list_strides(const struct ms_spatial_strides *strides, const uint32_t *group,
			     struct ms_engine_totals *totals);

#endif
