/* collect/checkpoint.h - saves a run from time to time while its program runs. */
#ifndef MS_COLLECT_CHECKPOINT_H
#define MS_COLLECT_CHECKPOINT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/process_id.h"
#include "run/run.h"

struct ms_collect_state;

struct ms_collect_checkpoints {
	double seconds;  /* from one to the next; 0: none */
	pid_t pid;       /* of the forked copy that saves; 0: none */
	double started;  /* the start of the run */
	double next;     /* the earliest time of the next one; 0: not known yet */
	double quiesced; /* how long workers waited for the last copy */
	double used;     /* processor time of all copies */
	double spent;    /* `used`, and the time in which workers were quiesced */
	struct ms_process_id collector;
	int unreleased; /* in the copy: closed when the collector may continue; 0: it does */
};

/*
 * Called a few times a second by the thread that started the workers. Saves the run so far when
 * the next checkpoint is due: keep() is called in a forked copy of this process.
 */
void ms_collect_checkpoint_if_due(struct ms_collect_state *collector, pid_t program, double started,
				  int (*keep)(struct ms_run *run, void *arg), void *arg);
/* Ends the checkpoints before the complete run is saved; returns their processor time. */
double ms_collect_checkpoint_finish(struct ms_collect_state *collector);

/*
 * The parts of ms_collect_checkpoint_if_due(), for several runs at a time. Returns true in the
 * copy, which has simulated all chunks that were read; it ends with _exit().
 */
bool ms_collect_checkpoint_fork(struct ms_collect_state *collector, double started);
/* In the copy: the large data that was copied is released, or does not exist; the collector may
 * continue. */
void ms_collect_checkpoint_release(struct ms_collect_state *collector);
void ms_collect_checkpoint_mark(const struct ms_collect_state *collector, struct ms_run *run,
				double seconds);

#endif
