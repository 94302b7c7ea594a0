#include "cli/early.h"

#include "base/thread.h"

static void *keep_counts(void *arg)
{
	struct ms_early *early = arg;

	if (ms_store_open(&early->store, early->db, MS_STORE_WRITE, NULL) == MS_OK &&
	    ms_store_begin(early->store, early->run, NULL) != MS_OK) {
		ms_store_close(early->store);
		early->store = NULL;
	}
	return NULL;
}

void ms_early_begin(const struct ms_run *run, void *arg)
{
	struct ms_early *early = arg;

	early->run = run;
	early->begun = ms_thread_start(&early->thread, keep_counts, early, NULL) == MS_OK;
}

struct ms_store *ms_early_end(struct ms_early *early)
{
	if (early->begun)
		pthread_join(early->thread, NULL);
	early->begun = false;
	return early->store;
}
