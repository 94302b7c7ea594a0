/*
 * collect/still.h - quiesces the workers, so that their state is consistent (to fork a copy).
 *
 * A worker is moving, or at rest: between chunks, and while it waits for something. A thread that
 * wants to quiesce the workers sets a flag and waits until all are at rest. No worker moves again
 * before that thread has finished.
 */
#ifndef MS_COLLECT_STILL_H
#define MS_COLLECT_STILL_H

#include <pthread.h>
#include <stdbool.h>

struct still {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned moving;
	bool wanted;
};

void ms_still_open(struct still *still);
void ms_still_close(struct still *still);

/* For workers: each first calls ms_still_go() and last ms_still_rest(). */
void ms_still_go(struct still *still);
void ms_still_rest(struct still *still);
/* Whether a thread waits for the workers to rest; costs only a relaxed load. */
bool ms_still_is_wanted(const struct still *still);

/* Returns when all workers are at rest; they stay at rest until ms_still_end(). */
void ms_still_begin(struct still *still);
void ms_still_end(struct still *still);

#endif
