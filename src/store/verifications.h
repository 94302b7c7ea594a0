/* store/verifications.h - measured gains that are stored. */
#ifndef MS_STORE_VERIFICATIONS_H
#define MS_STORE_VERIFICATIONS_H

#include "run/verified_list.h"
#include "store/store.h"

/* Adds what was measured for a run (0: for all, by run), oldest first. */
int ms_store_list_verifications(struct ms_store *store, int64_t id,
				struct ms_run_verified_list *list, struct ms_err *err);

#endif
