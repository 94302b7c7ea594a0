#include "store/rules.h"

#include <inttypes.h>
#include <string.h>

#include "base/compiler.h"
#include "base/seconds.h"
#include "base/text.h"
#include "store/store_priv.h"

static const char *text_at(struct ms_run_rules *rules, sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text != NULL ? ms_arena_strdup(&rules->arena, text) : NULL;
}

static int read_rule(const struct ms_store *store, struct ms_run_rules *rules, sqlite3_stmt *stmt,
		     struct ms_err *err)
{
	struct ms_run_rule rule = {
		.id = sqlite3_column_int64(stmt, 0),
		.program = text_at(rules, stmt, 1),
		.subject = ms_run_rule_subject_of((const char *)sqlite3_column_text(stmt, 2)),
		.verb = ms_run_rule_verb_of((const char *)sqlite3_column_text(stmt, 3)),
		.pattern = text_at(rules, stmt, 4),
		.name = text_at(rules, stmt, 5),
		.added = text_at(rules, stmt, 6),
	};
	bool named = rule.verb <= MS_RULE_SPLIT;

	if (rule.subject == MS_RULE_SUBJECTS || rule.verb == MS_RULE_VERBS ||
	    rule.pattern == NULL || rule.added == NULL || (named && rule.name == NULL))
		return ms_fail(err, MS_EFORMAT,
			       "%s: rule %" PRId64 " in table rule is damaged or was changed by "
			       "hand; `memspy rules --remove %" PRId64 "` removes it",
			       store->path, rule.id, rule.id);
	*ms_vec_add(&rules->at) = rule;
	return MS_OK;
}

int ms_store_rules(struct ms_store *store, struct ms_run_rules *rules, struct ms_err *err)
{
	sqlite3_stmt *stmt;
	int rc, code = MS_OK;

	MS_TRY(ms_store_prepare(store, &stmt,
				"select id, program, subject, verb, pattern, name, added from rule "
				"order by id",
				err));
	while (code == MS_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW)
		code = read_rule(store, rules, stmt, err);
	if (code == MS_OK && rc != SQLITE_DONE)
		code = ms_store_fail(store, err, "read the rules");
	sqlite3_finalize(stmt);
	return code;
}

static void bind_text(sqlite3_stmt *stmt, int at, const char *text)
{
	if (text != NULL)
		sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(stmt, at);
}

static int step(const struct ms_store *store, sqlite3_stmt *stmt, struct ms_err *err)
{
	int rc = sqlite3_step(stmt);
	int code = rc == SQLITE_DONE ? MS_OK : ms_store_fail(store, err, "change the rules");

	sqlite3_finalize(stmt);
	return code;
}

/* Only one of rename, combine and hide can apply; a split or a focus can apply in addition. */
static int remove_others(const struct ms_store *store, const struct ms_run_rule *rule,
			 struct ms_err *err)
{
	static const char all[] = "'rename', 'combine', 'hide'";
	struct ms_text sql = MS_TEXT_INIT;
	bool one_of = rule->verb == MS_RULE_RENAME || rule->verb == MS_RULE_COMBINE ||
		      rule->verb == MS_RULE_HIDE;
	sqlite3_stmt *stmt;

	ms_text_addf(&sql,
		     "delete from rule where program is ?1 and subject = ?2 and pattern = ?3 and "
		     "verb in (%s%s%s)",
		     one_of ? all : "'", one_of ? "" : ms_run_rule_verb_word(rule->verb),
		     one_of ? "" : "'");
	int code = ms_store_prepare(store, &stmt, sql.at, err);
	ms_text_free(&sql);
	MS_TRY(code);
	bind_text(stmt, 1, rule->program);
	bind_text(stmt, 2, ms_run_rule_subject_word(rule->subject));
	bind_text(stmt, 3, rule->pattern);
	return step(store, stmt, err);
}

int ms_store_add_rule(struct ms_store *store, struct ms_run_rule *rule, struct ms_err *err)
{
	sqlite3_stmt *stmt;
	char added[MS_SECONDS_UTC_TEXT];

	ms_seconds_format_utc(time(NULL), added);
	MS_TRY(remove_others(store, rule, err));
	MS_TRY(ms_store_prepare(store, &stmt,
				"insert into rule (program, subject, verb, pattern, name, added) "
				"values (?1, ?2, ?3, ?4, ?5, ?6)",
				err));
	bind_text(stmt, 1, rule->program);
	bind_text(stmt, 2, ms_run_rule_subject_word(rule->subject));
	bind_text(stmt, 3, ms_run_rule_verb_word(rule->verb));
	bind_text(stmt, 4, rule->pattern);
	bind_text(stmt, 5, rule->name);
	bind_text(stmt, 6, added);
	MS_TRY(step(store, stmt, err));
	rule->id = sqlite3_last_insert_rowid(store->db);
	return MS_OK;
}

int ms_store_remove_rule(struct ms_store *store, int64_t id, struct ms_err *err)
{
	sqlite3_stmt *stmt;

	MS_TRY(ms_store_prepare(store, &stmt, "delete from rule where id = ?1", err));
	sqlite3_bind_int64(stmt, 1, id);
	MS_TRY(step(store, stmt, err));
	if (sqlite3_changes(store->db) == 0)
		return ms_fail(err, MS_ENOENT,
			       "%s: there is no rule %" PRId64 "; `memspy rules` lists them",
			       store->path, id);
	return MS_OK;
}

int ms_store_begin_change(struct ms_store *store, struct ms_err *err)
{
	return ms_store_exec(store, "begin immediate", err);
}

int ms_store_end_change(struct ms_store *store, bool keep, struct ms_err *err)
{
	if (!keep) {
		sqlite3_exec(store->db, "rollback", NULL, NULL, NULL);
		return MS_OK;
	}
	if (sqlite3_exec(store->db, "commit", NULL, NULL, NULL) == SQLITE_OK)
		return MS_OK;
	int code = ms_store_fail(store, err, "change the rules");
	sqlite3_exec(store->db, "rollback", NULL, NULL, NULL);
	return code;
}
