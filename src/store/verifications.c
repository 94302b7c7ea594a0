/* store/verifications.c - measured gains are added to runs that are stored already, and listed
 * without reading the runs. */
#include "store/verifications.h"

#include "store/store_priv.h"

static void bind_text(sqlite3_stmt *stmt, int column, const char *text)
{
	if (text != NULL)
		sqlite3_bind_text(stmt, column, text, -1, SQLITE_STATIC);
}

static void bind(sqlite3_stmt *stmt, int64_t id, const struct ms_run_verification *v)
{
	const double reals[] = { v->before_seconds, v->after_seconds, v->measured,
				 v->measured_low,   v->measured_high, v->predicted,
				 v->predicted_low,  v->predicted_high };

	sqlite3_bind_int64(stmt, 1, id);
	bind_text(stmt, 2, v->verified);
	bind_text(stmt, 3, v->before);
	bind_text(stmt, 4, v->after);
	sqlite3_bind_int64(stmt, 5, (int64_t)v->rounds);
	bind_text(stmt, 6, v->kind);
	bind_text(stmt, 7, v->data);
	for (int i = 0; i < (int)(sizeof(reals) / sizeof(*reals)); i++)
		sqlite3_bind_double(stmt, 8 + i, reals[i]);
}

int ms_store_add_verification(struct ms_store *store, int64_t id,
			      const struct ms_run_verification *v, struct ms_err *err)
{
	static const char insert[] =
		"insert into verification (run, verification, verified, before, after, rounds, "
		"kind, data, before_seconds, after_seconds, measured, measured_low, "
		"measured_high, predicted, predicted_low, predicted_high) select ?1, "
		"(select count(*) from verification where run = ?1), "
		"?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15 from run where id = "
		"?1";
	sqlite3_stmt *stmt;

	MS_TRY(ms_store_prepare(store, &stmt, insert, err));
	bind(stmt, id, v);
	int code = sqlite3_step(stmt) == SQLITE_DONE
			   ? MS_OK
			   : ms_store_fail(store, err, "store the measured gain");
	sqlite3_finalize(stmt);
	return code;
}

static const char *own(struct ms_run_verified_list *list, sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text != NULL ? ms_arena_strdup(&list->arena, text) : NULL;
}

/* False: the row has values that memspy never writes. */
static bool read_row(struct ms_run_verified_list *list, sqlite3_stmt *stmt)
{
	struct ms_run_verified *added = ms_vec_add(&list->at);
	struct ms_run_verification *v = &added->verification;
	double *const reals[] = { &v->before_seconds, &v->after_seconds, &v->measured,
				  &v->measured_low,   &v->measured_high, &v->predicted,
				  &v->predicted_low,  &v->predicted_high };

	added->run = sqlite3_column_int64(stmt, 0);
	v->verified = own(list, stmt, 1);
	v->before = own(list, stmt, 2);
	v->after = own(list, stmt, 3);
	v->rounds = (uint64_t)sqlite3_column_int64(stmt, 4);
	v->kind = own(list, stmt, 5);
	v->data = own(list, stmt, 6);
	for (int i = 0; i < (int)(sizeof(reals) / sizeof(*reals)); i++)
		*reals[i] = sqlite3_column_double(stmt, 7 + i);
	return v->verified != NULL && v->before != NULL && v->after != NULL;
}

int ms_store_list_verifications(struct ms_store *store, int64_t id,
				struct ms_run_verified_list *list, struct ms_err *err)
{
	static const char select[] =
		"select run, verified, before, after, rounds, kind, data, before_seconds, "
		"after_seconds, measured, measured_low, measured_high, predicted, predicted_low, "
		"predicted_high from verification where ?1 = 0 or run = ?1 order by run, "
		"verification";
	sqlite3_stmt *stmt;
	int rc, code = MS_OK;

	*list = (struct ms_run_verified_list){ .arena = MS_ARENA_INIT };
	MS_TRY(ms_store_prepare(store, &stmt, select, err));
	sqlite3_bind_int64(stmt, 1, id);
	while (code == MS_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW)
		if (!read_row(list, stmt))
			code = ms_store_damaged(store, sqlite3_column_int64(stmt, 0),
						"verification", err);
	if (code == MS_OK && rc != SQLITE_DONE)
		code = ms_store_fail(store, err, "list the measured gains");
	sqlite3_finalize(stmt);
	return code;
}
