/* analysis/describe/checkpoint.h - runs that were saved before their programs had ended, in words.
 */
#ifndef MS_ANALYSIS_DESCRIBE_CHECKPOINT_H
#define MS_ANALYSIS_DESCRIBE_CHECKPOINT_H

#include "base/text.h"
#include "run/run.h"
#include "run/run_list.h"

/*
 * "running": the process that collects the run still exists; "interrupted": it ended without saving
 * the complete run; "unknown": it ran on another boot, machine or container.
 */
const char *ms_describe_checkpoint_state(const struct ms_run_checkpoint *checkpoint);

/* Adds how a run ended, or "interrupted; figures until 00:03:00" and the like. */
void ms_describe_run_end(struct ms_text *out, const struct ms_run *run);
/* The same for a list, in fewer words: the list has the time in another column. */
void ms_describe_head_end(struct ms_text *out, const struct ms_run_list_entry *head);

#endif
