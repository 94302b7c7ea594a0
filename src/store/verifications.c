/* store/verifications.c - measured gains are added to runs that are stored already. */
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
