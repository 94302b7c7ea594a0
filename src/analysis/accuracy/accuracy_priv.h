/* analysis/accuracy/accuracy_priv.h - what the files of accuracy.h share. */
#ifndef MS_ANALYSIS_ACCURACY_ACCURACY_PRIV_H
#define MS_ANALYSIS_ACCURACY_ACCURACY_PRIV_H

#include "analysis/accuracy/accuracy.h"

struct ms_accuracy_matcher;

struct ms_accuracy_matcher *ms_accuracy_matcher_open(const struct ms_summary *whole,
						     const struct ms_summary *sampled);
/* The index of the sampled run's bin that is this one of the whole run; MS_MAP_NONE: it has none.
 */
uint32_t ms_accuracy_matcher_find(const struct ms_accuracy_matcher *matcher,
				  const struct ms_summary_entry *entry);
void ms_accuracy_matcher_close(struct ms_accuracy_matcher *matcher);

/* Counts the pairs of bins in the wrong order, when bins are listed. */
void ms_accuracy_judge_order(struct ms_accuracy *accuracy);

#endif
