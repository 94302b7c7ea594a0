/*
 * collect/quiesce.h - quiesces the workers, so that their state is consistent (to fork a copy).
 *
 * A worker is moving, or at rest: between chunks, and while it waits for something. A thread that
 * wants to quiesce the workers sets a flag and waits until all are at rest. No worker moves again
 * before that thread has finished.
 */
#ifndef MS_COLLECT_QUIESCE_H
#define MS_COLLECT_QUIESCE_H

#include <pthread.h>
#include <stdbool.h>

struct ms_collect_quiesce {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned moving;
	bool wanted;
};

void ms_collect_quiesce_open(struct ms_collect_quiesce *still);
void ms_collect_quiesce_close(struct ms_collect_quiesce *still);

/* For workers: each first calls ms_collect_quiesce_resume() and last ms_collect_quiesce_rest(). */
void ms_collect_quiesce_resume(struct ms_collect_quiesce *still);
void ms_collect_quiesce_rest(struct ms_collect_quiesce *still);
/* Whether a thread waits for the workers to rest; costs only a relaxed load. */
bool ms_collect_quiesce_is_wanted(const struct ms_collect_quiesce *still);

/* Returns when all workers are at rest; they stay at rest until ms_collect_quiesce_end(). */
void ms_collect_quiesce_begin(struct ms_collect_quiesce *still);
void ms_collect_quiesce_end(struct ms_collect_quiesce *still);

#endif
