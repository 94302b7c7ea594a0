/*
 * collect/still.h - a moment in which no worker is in the midst of anything.
 *
 * A worker moves, or rests: between chunks, and while it waits for something. Who wants all of them
 * at rest says so, and waits; none moves on before that one is done.
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

/* For workers: each begins with going and ends with resting. */
void ms_still_go(struct still *still);
void ms_still_rest(struct still *still);
/* Whether somebody waits for this one to rest; costs nothing to ask. */
bool ms_still_is_wanted(const struct still *still);

/* Returns when all are at rest; they are until it ends. */
void ms_still_begin(struct still *still);
void ms_still_end(struct still *still);

#endif
