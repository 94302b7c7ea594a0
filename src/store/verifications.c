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

/* Appends those of one run, which `run` reads into its arena. */
static int add_run(struct ms_store *store, struct ms_run *run, struct ms_run_verified_list *list,
		   struct ms_err *err)
{
	int code = ms_store_load_table(store, "verification", run, err);

	for (size_t i = 0; code == MS_OK && i < run->verifications.n; i++)
		*ms_vec_add(&list->at) =
			(struct ms_run_verified){ run->id, run->verifications.at[i] };
	ms_vec_free(&run->verifications);
	return code;
}

int ms_store_list_verifications(struct ms_store *store, int64_t id,
				struct ms_run_verified_list *list, struct ms_err *err)
{
	static const char select[] = "select distinct run from verification "
				     "where ?1 = 0 or run = ?1 order by run";
	struct ms_run run = { .arena = list->arena };
	sqlite3_stmt *stmt;
	int rc = SQLITE_DONE, code = MS_OK;

	MS_TRY(ms_store_prepare(store, &stmt, select, err));
	sqlite3_bind_int64(stmt, 1, id);
	while (code == MS_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		run.id = sqlite3_column_int64(stmt, 0);
		code = add_run(store, &run, list, err);
	}
	if (code == MS_OK && rc != SQLITE_DONE)
		code = ms_store_fail(store, err, "list the measured gains");
	sqlite3_finalize(stmt);
	list->arena = run.arena;
	return code;
}
