/* collect/naming.h - the state of naming a run's code and data: result.c, unique_names.c. */
#ifndef MS_COLLECT_NAMING_H
#define MS_COLLECT_NAMING_H

#include "base/map.h"
#include "base/vec.h"
#include "collect/codes.h"
#include "collect/collect_priv.h"

struct naming {
	struct collector *c;
	struct ms_engine *engine;
	struct ms_run *run;
	struct ms_names names;
	struct ms_codes code;
	struct ms_map times;            /* (line, processor) to line_times */
	struct ms_estimate_scale scale; /* of a sampled run, as the next two */
	uint64_t seen;                  /* simulated references */
	struct ms_engine_windows_totals sampled;
	uint32_t *data;             /* by binder's data: the run's, or MS_NONE */
	MS_VEC(uint32_t) numbered;  /* by the run's data: the binder's */
	MS_VEC(const char *) plain; /* by the run's data: its name before it is made unique */
	size_t named;               /* data that have their unique names */
	uint32_t *site_groups;      /* sites that are merged; NULL: none are */
};

/* Fills in the names from the program's source or its files; other data may have the same name. */
void ms_naming_describe(struct naming *naming, const struct ms_bins_bound_data *bound,
			struct ms_run_data *data);
enum ms_run_data_kind ms_naming_kind(const struct ms_bins_bound_data *bound);
/* Makes the names of data unique: "X", "X#2". */
void ms_naming_make_unique(struct naming *naming);

#endif
