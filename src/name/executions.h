/* name/executions.h - how often code was executed, by site. */
#ifndef MS_NAME_EXECUTIONS_H
#define MS_NAME_EXECUTIONS_H

#include "base/map.h"
#include "bins/binder.h"
#include "engine/engine.h"
#include "estimate/extrapolate.h"

/* outside: by exit, executions between windows. The caller frees the result, as of the next. */
struct ms_estimate_executions *
ms_name_executions_by_site(const struct ms_bins *binder, const struct ms_engine *engine,
			   uint32_t processors, const uint64_t *outside, size_t outside_count);
/* With sampled sets: references, by site. */
double *ms_name_refs_by_site(const struct ms_bins *binder, const struct ms_engine *engine);
/* The sum of the numbers that the exits have; 0 where the front-end gives exits no number. */
uint64_t ms_name_total_refs(const struct ms_bins *binder, const struct ms_engine *engine,
			    uint32_t processors);

#endif
