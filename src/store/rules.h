/* store/rules.h - the rules that a run database holds. */
#ifndef MS_STORE_RULES_H
#define MS_STORE_RULES_H

#include "base/err.h"
#include "run/rules.h"
#include "store/store.h"

/* Adds those of the database to *rules, oldest first. */
int ms_store_rules(struct ms_store *store, struct ms_run_rules *rules, struct ms_err *err);
/*
 * Stores a rule and sets its id. Deletes a contradicting rule of the same pattern: data cannot have
 * two names, nor be both hidden and shown. The store must be open for writing.
 */
int ms_store_add_rule(struct ms_store *store, struct ms_run_rule *rule, struct ms_err *err);
/* MS_ENOENT if there is no such rule. */
int ms_store_remove_rule(struct ms_store *store, int64_t id, struct ms_err *err);
/*
 * Locks the database for other writers until ms_store_end_change(): rules are checked against the
 * existing ones, then stored. All of them are stored, or none.
 */
int ms_store_begin_change(struct ms_store *store, struct ms_err *err);
int ms_store_end_change(struct ms_store *store, bool keep, struct ms_err *err);

#endif
