/*
 * cli/parallel_save.h - a run is kept by two threads at a time: its counts, which are most of it,
 * go into the database while their names are still looked for.
 *
 * It is a matter of time only. Whatever goes wrong here is forgotten, and comes up again, with a
 * sentence, when the run is kept in the ordinary way.
 */
#ifndef MS_CLI_PARALLEL_SAVE_H
#define MS_CLI_PARALLEL_SAVE_H

#include <pthread.h>
#include <stdbool.h>

#include "store/store.h"

struct ms_cli_early_save {
	const char *db;
	const struct ms_run *run;
	struct ms_store *store; /* with the counts, if that worked */
	pthread_t opener, thread;
	bool opening, begun;
};

/* For ms_collect_options.ended; arg: a struct ms_cli_early_save with its db. The database is opened
 * while the rest of the trace is read. */
void ms_cli_early_save_open(void *arg);
/* For ms_collect_options.counted, after that; run is NULL where the counts change once more. */
void ms_cli_early_save_begin(const struct ms_run *run, void *arg);
/* Waits; the database, which ms_store_save() goes on with, or NULL: it is still to be opened. */
struct ms_store *ms_cli_early_save_end(struct ms_cli_early_save *early);

/*
 * A database that is closed while the report is printed: SQLite then moves the run from the log
 * into the database file and waits for the disk.
 */
struct ms_cli_late_close {
	struct ms_store *store; /* NULL: none */
	pthread_t closer;
	bool begun;
};

void ms_cli_late_close_begin(struct ms_cli_late_close *late);
/* Waits until it is closed, also if closing has not begun. */
void ms_cli_late_close_end(struct ms_cli_late_close *late);

#endif
