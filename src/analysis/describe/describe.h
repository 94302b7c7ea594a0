/*
 * analysis/describe/describe.h - what a run was, in words. Views see the heads of runs through this
 * header.
 */
#ifndef MS_ANALYSIS_DESCRIBE_DESCRIBE_H
#define MS_ANALYSIS_DESCRIBE_DESCRIBE_H

#include "base/text.h"
#include "run/run.h"

/* Adds "exit 0", "killed by SIGSEGV", "stopped by SIGINT", "incomplete", "end not seen". */
void ms_describe_end(struct ms_text *out, uint32_t end, int status);
/* Why nothing is known of it: ms_run_has_no_window(). */
const char *ms_describe_no_window(const struct ms_run *run);
/* Adds the command line, quoted for a shell; argv may begin with the program or not. */
void ms_describe_command(struct ms_text *out, const char *program, const char *const *argv,
			 size_t n);
/* Adds one word, quoted for a shell where needed. */
void ms_describe_shell_word(struct ms_text *out, const char *word);

/* Adds what is unusual about a level: " tree-plru write-through exclusive prefetch 16", or nothing.
 */
void ms_describe_level(struct ms_text *out, const struct ms_run_level *level);

/* Adds the functions of a sampled program that waited in loops; nothing if there are none. */
void ms_describe_waiting(struct ms_text *out, const struct ms_run *run);
/* Adds the share of references that the dynamic loader made before tracing began, beside so many
 * that were traced; nothing if they are few. */
void ms_describe_loader(struct ms_text *out, const struct ms_run *run, uint64_t references);
/* Adds how often and why the program, or its children, ran untraced; nothing if they did not. */
void ms_describe_untraced(struct ms_text *out, const struct ms_run *run, enum ms_run_who who);

/*
 * Why the timing model of an out-of-order core could not be used, or, if it was, why all misses
 * count as independent; NULL otherwise.
 */
const char *ms_describe_timing_limit(const struct ms_run *run);

/* Adds the key of data, by which rules and comparisons of runs identify it. */
void ms_describe_key(struct ms_text *out, const struct ms_run *run, uint32_t data);

/* The allocation call path of data: n frames, innermost first. */
const struct ms_run_frame *ms_describe_call_path(const struct ms_run *run, uint32_t data,
						 size_t *n);

/* Adds what was merged in a large run, and which figures stay exact; nothing if nothing was. */
void ms_describe_merged(struct ms_text *text, const struct ms_run *run);
/* Adds how heap data is shown in groups; nothing if it is not. share: of the stall time that
 * grouped data has. */
void ms_describe_grouping(struct ms_text *text, const struct ms_run *run, double share);
/* With this --max-paths no call paths would have been merged; 0: none were. */
uint64_t ms_describe_path_limit(const struct ms_run *run);

#endif
