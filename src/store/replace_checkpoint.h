/*
 * store/replace_checkpoint.h - saves a run again: the next checkpoint replaces a checkpoint, and
 * finally the complete run does, under the same number and in one transaction.
 *
 * The strings of table string are found again and stay. All other rows of the run are deleted and
 * inserted. For a million cells of which 30 % have different counts, updating only these takes 1.3
 * times as long and writes as many pages (SQLite 3.40); it is faster, by a tenth, only if nothing
 * has changed.
 */
#ifndef MS_STORE_REPLACE_CHECKPOINT_H
#define MS_STORE_REPLACE_CHECKPOINT_H

#include "store/insert_rows.h"
#include "store/store_priv.h"

/*
 * In a transaction: finds the checkpoint with the uid of the run, and deletes its rows except for
 * its own row of table run and its tags. replaced->id is 0 if there is none.
 */
int ms_store_replace_begin(const struct ms_store *store, const struct ms_run *run,
			   struct ms_store_replaced *replaced, struct ms_err *err);
/* Whether the rows of this table stay: users may have changed them since. */
bool ms_store_replace_keeps(const struct ms_store_replaced *replaced,
			    const struct ms_run_table *stored);
/*
 * The end of the statement that inserts the run's own row: it updates an existing row, except for
 * what users change (tag and note) and what ms_store_link() has written.
 */
void ms_store_replace_head(const struct ms_run_field *fields, struct ms_text *sql);

#endif
