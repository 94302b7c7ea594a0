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

static void *close_store(void *store)
{
	ms_store_close(store);
	return NULL;
}

void ms_cli_late_close_begin(struct ms_cli_late_close *late)
{
	if (late->store == NULL)
		return;
	late->begun = ms_thread_start(&late->closer, close_store, late->store, NULL) == MS_OK;
	if (!late->begun)
		ms_store_close(late->store);
	late->store = NULL;
}

void ms_cli_late_close_end(struct ms_cli_late_close *late)
{
	if (late->begun)
		pthread_join(late->closer, NULL);
	ms_store_close(late->store);
	*late = (struct ms_cli_late_close){ .store = NULL };
}
