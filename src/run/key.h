/*
 * run/key.h - the key of data, which identifies it across runs. Rules and comparisons use it.
 *
 *    heap, mapped    Matrix.Y < NewMatrix < main     the variable, then the functions of the call
 *                    insert < build < main           path, innermost first; no known variable
 *    static, tls     counter @ count.c               the symbol and its source file ...
 *                    environ @ libc.so.6             ... or, if that is not known, its module
 *    all others      <stack>, libc.so.6[.data]       the name
 *
 * A key has no line numbers, addresses or directories: a program that was edited and built again
 * has the same keys, as long as the data has the same name and is allocated in the same way. If two
 * data structures of a run would have the same key, the one further down in the source gets "#2". A
 * variable without a source position keeps the number of its name: "buffer @ libc.so.6#3" of
 * "buffer (libc.so.6, 3)".
 */
#ifndef MS_RUN_KEY_H
#define MS_RUN_KEY_H

#include "base/map.h"
#include "base/text.h"
#include "run/run.h"

/* Adds the key of a data structure, as if no other had the same. */
void ms_run_data_key(struct ms_text *out, const struct ms_run_data *data);
/* Adds the function that allocates heap data, outside of libraries, or "libfoo.so+*" if the module
 * has no names for its functions; false: it is not known. */
bool ms_run_data_function(struct ms_text *out, const struct ms_run_data *data);
/* Its name without what made it unique: "list" of "list (a.c:8)", and of "list#2" in older runs. */
void ms_run_data_plain_name(struct ms_text *out, const struct ms_run_data *data);

struct ms_run_keys {
	struct ms_names names; /* owns all strings */
	const char **at;       /* one for each data structure of the run; all are different */
	size_t n;
};

void ms_run_keys_make(struct ms_run_keys *keys, const struct ms_run *run);
void ms_run_keys_free(struct ms_run_keys *keys);

#endif
