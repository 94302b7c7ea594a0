/*
 * run/key.h - what data is called from run to run: by it rules know data again, and runs are
 * compared.
 *
 *    heap, mapped    Matrix.Y < NewMatrix < main     the variable, then who allocated, innermost
 *                    insert < build < main           first; no variable is known
 *    static, tls     counter @ count.c               the symbol and its source file ...
 *                    environ @ libc.so.6             ... or, where none is known, its module
 *    all others      <stack>, libc.so.6[.data]       the name
 *
 * There are no line numbers, addresses or folders in it: a program that was edited and built again
 * has the same keys, as long as what is meant has the same name and is made in the same way. Where
 * two data of a run would have the same key, the one further down in the source gets "#2". A
 * variable without a place in the source keeps the number of its name: "buffer @ libc.so.6#3" of
 * "buffer#3".
 */
#ifndef MS_RUN_KEY_H
#define MS_RUN_KEY_H

#include "base/map.h"
#include "base/text.h"
#include "run/run.h"

/* Adds the key of a data, as if there were no other with the same. */
void ms_data_key(struct ms_text *out, const struct ms_run_data *data);
/* Its name without the number that made it unique: "list" of "list#2". */
void ms_data_plain_name(struct ms_text *out, const struct ms_run_data *data);

struct ms_keys {
	struct ms_names names; /* owns every text */
	const char **at;       /* one for each data of the run; all are different */
	size_t n;
};

void ms_keys_make(struct ms_keys *keys, const struct ms_run *run);
void ms_keys_free(struct ms_keys *keys);

#endif
