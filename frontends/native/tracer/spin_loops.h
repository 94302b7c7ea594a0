/*
 * spin_loops.h - loops in which a thread of a sampled program waits until another one writes
 * something. The number of iterations depends on how long the other thread takes, and so on the
 * tracer. Therefore references of such loops between windows are not counted.
 */
#ifndef MS_NATIVE_TRACER_SPIN_LOOPS_H
#define MS_NATIVE_TRACER_SPIN_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

struct ms_runtime_thread;

/* Whether the records from `from` to `to` read the same addresses over and over, and write nothing
 * in their last words. */
bool ms_tracer_is_spin_loop(const uint64_t *from, const uint64_t *to);
/* The same, whether they write or not. */
bool ms_tracer_is_repeating(const uint64_t *from, const uint64_t *to);
/* The thread is in such a loop: a block of it begins where the thread continues. */
void ms_tracer_add_spin_loop(const struct ms_runtime_thread *t);
/* Whether any loop was found so far. */
bool ms_tracer_have_spin_loops(void);
/* Whether the thread continues in a known loop. */
bool ms_tracer_is_in_spin_loop(const struct ms_runtime_thread *t);
/* In the loop where the thread continues, so many references were made that are not counted. */
void ms_tracer_skip_spin_refs(const struct ms_runtime_thread *t, uint64_t references);
/* At the program's end: reports the loops, and the references that were not counted. */
void ms_tracer_report_spin_loops(struct ms_runtime_thread *t);
/* In a forked child. */
void ms_tracer_forget_spin_loops(void);

#endif
