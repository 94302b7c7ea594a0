/* collect/naming.h - the state while a run's numbers get their names: result.c, unique_names.c. */
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
	struct ms_map times;        /* (line, processor) to line_times */
	struct sampled_scale scale; /* of a sampled run; likewise: */
	uint64_t seen;              /* references */
	struct ms_engine_windows_totals sampled;
	uint32_t *data;             /* by binder's data: the run's, or MS_NONE */
	MS_VEC(uint32_t) numbered;  /* the other way round */
	MS_VEC(const char *) plain; /* likewise: the name that others may have, too */
	size_t named;               /* of them */
	uint32_t *site_groups;      /* sites that count as one; NULL: none do */
};

/* The names that the program's source or its files give; the name may be that of other data, too.
 */
void ms_naming_describe(struct naming *naming, const struct ms_bound_data *bound,
			struct ms_run_data *data);
enum ms_data_kind ms_naming_kind(const struct ms_bound_data *bound);
/* Data of the same name gets different names: "X", "X#2". */
void ms_naming_make_unique(struct naming *naming);

#endif
