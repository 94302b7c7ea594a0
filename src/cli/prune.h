/* cli/prune.h - which runs a database can do without: for memspy runs prune and --db-limit. */
#ifndef MS_CLI_PRUNE_H
#define MS_CLI_PRUNE_H

#include <stdbool.h>
#include <stdint.h>

#include "run/run_list.h"
#include "store/store.h"

struct ms_cli_prune {
	uint64_t keep;  /* the newest so many of each program stay; 0: no run stays for its age */
	uint64_t limit; /* bytes of the database: no more go than that takes; 0: no limit */
	bool all;       /* runs with a tag or a note go as well */
};

/* Numbers of those runs of the list (oldest first) that may go; ms_vec_free(&ids->at). */
void ms_cli_prune_choose(const struct ms_cli_prune *prune, const struct ms_run_list *heads,
			 uint64_t size, struct ms_store_run_ids *ids);
/* Deletes the oldest runs until the database is no larger. */
int ms_cli_limit_store(struct ms_store *store, uint64_t limit, struct ms_err *err);

#endif
