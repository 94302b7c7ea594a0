/* store/rules.h - the rules that a run database holds. */
#ifndef MS_STORE_RULES_H
#define MS_STORE_RULES_H

#include "base/err.h"
#include "run/rules.h"
#include "store/store.h"

/* Adds those of the database to *rules, oldest first. */
int ms_store_rules(struct ms_store *store, struct ms_rules *rules, struct ms_err *err);
/*
 * Keeps a rule and sets its id. One that already says something else of the same pattern goes: it
 * cannot have two names, nor be hidden and shown. The store must have been opened to write.
 */
int ms_store_add_rule(struct ms_store *store, struct ms_rule *rule, struct ms_err *err);
/* MS_ENOENT when there is none such. */
int ms_store_remove_rule(struct ms_store *store, int64_t id, struct ms_err *err);
/*
 * From here on nobody else changes the database, until ms_store_end_change(): rules are checked
 * against those that are there, then kept. Kept whole, or not at all.
 */
int ms_store_begin_change(struct ms_store *store, struct ms_err *err);
int ms_store_end_change(struct ms_store *store, bool keep, struct ms_err *err);

#endif
