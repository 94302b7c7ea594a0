#include "cli/parallel_save.h"

#include "base/thread.h"

static void *open_store(void *arg)
{
	struct ms_cli_early_save *early = arg;

	if (ms_store_open(&early->store, early->db, MS_STORE_WRITE, NULL) != MS_OK)
		early->store = NULL;
	return NULL;
}

void ms_cli_early_save_open(void *arg)
{
	struct ms_cli_early_save *early = arg;

	early->opening = ms_thread_start(&early->opener, open_store, early, NULL) == MS_OK;
}

static void wait_for_opener(struct ms_cli_early_save *early)
{
	if (early->opening)
		pthread_join(early->opener, NULL);
	early->opening = false;
}

static void *keep_counts(void *arg)
{
	struct ms_cli_early_save *early = arg;

	wait_for_opener(early);
	if (early->store != NULL && ms_store_begin(early->store, early->run, NULL) != MS_OK) {
		ms_store_close(early->store);
		early->store = NULL;
	}
	return NULL;
}

void ms_cli_early_save_begin(const struct ms_run *run, void *arg)
{
	struct ms_cli_early_save *early = arg;

	if (run == NULL) {
		if (ms_cli_early_save_end(early) != NULL)
			ms_store_discard(early->store);
		return;
	}
	early->run = run;
	early->begun = ms_thread_start(&early->thread, keep_counts, early, NULL) == MS_OK;
}

struct ms_store *ms_cli_early_save_end(struct ms_cli_early_save *early)
{
	if (early->begun)
		pthread_join(early->thread, NULL);
	early->begun = false;
	wait_for_opener(early);
	return early->store;
}
