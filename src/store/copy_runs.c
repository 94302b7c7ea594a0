/*
 * store/copy_runs.c - copies runs from one database into another. A run is read as a whole and
 * saved as a whole, so an interrupted copy leaves complete runs, and a second attempt continues
 * where the first one ended.
 */
#include <inttypes.h>

#include "base/map.h"
#include "store/store_priv.h"

struct run_copier {
	struct ms_store *to;
	struct ms_store *from;
	struct ms_store_copied *result;
	struct ms_err *err;
	struct ms_map numbers; /* number in `from` -> index into ids */
	MS_VEC(int64_t) ids;   /* numbers in `to` */
};

/* A checkpoint does not count: saving the run replaces it, because the run may be longer now. */
static int number_of(struct ms_store *store, const char *uid, int64_t *id, struct ms_err *err)
{
	sqlite3_stmt *stmt;

	*id = 0;
	MS_TRY(ms_store_prepare(store, &stmt,
				"select id from run where uid = ? and uid <> '' and not exists "
				"(select 1 from checkpoint where run = run.id)",
				err));
	sqlite3_bind_text(stmt, 1, uid, -1, SQLITE_STATIC);
	int rc = sqlite3_step(stmt);
	if (rc == SQLITE_ROW)
		*id = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return rc == SQLITE_ROW || rc == SQLITE_DONE
		       ? MS_OK
		       : ms_store_fail(store, err, "look for the run");
}

/* Its parent was copied before it, if at all: older runs come first. */
static int link_to_parent(struct run_copier *c, int64_t id, int64_t parent, uint32_t relation)
{
	uint32_t at = ms_map_get(&c->numbers, (uint64_t)parent, 0);

	if (parent == 0 || at == MS_MAP_NONE)
		return MS_OK;
	return ms_store_link(c->to, id, c->ids.at[at], relation, c->err);
}

static int copy_new(struct run_copier *c, int64_t from, int64_t *id)
{
	struct ms_run run;

	MS_TRY(ms_store_load(c->from, from, &run, c->err));
	int64_t parent = run.parent;
	uint32_t relation = run.relation;
	run.parent = 0;
	run.relation = MS_RELATION_NONE;
	int code = ms_store_save(c->to, &run, c->err);
	*id = run.id;
	ms_run_free(&run);
	return code == MS_OK ? link_to_parent(c, *id, parent, relation) : code;
}

static int copy_run(struct run_copier *c, int64_t from, const char *uid)
{
	int64_t id;

	MS_TRY(number_of(c->to, uid, &id, c->err));
	if (id != 0) {
		c->result->known++;
	} else {
		MS_TRY(copy_new(c, from, &id));
		c->result->copied++;
	}
	c->result->latest = id;
	*ms_map_at(&c->numbers, (uint64_t)from, 0) = (uint32_t)c->ids.n;
	*ms_vec_add(&c->ids) = id;
	return MS_OK;
}

static bool is_wanted(int64_t id, const int64_t *ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ids[i] == id)
			return true;
	return n == 0;
}

static int copy_rules(struct run_copier *c)
{
	static const char read[] = "select program, subject, verb, pattern, name, added from rule "
				   "order by id";
	static const char write[] = "insert or ignore into rule (program, subject, verb, pattern, "
				    "name, added) values (?, ?, ?, ?, ?, ?)";
	sqlite3_stmt *in = NULL, *out = NULL;
	int rc = SQLITE_DONE;

	MS_TRY(ms_store_prepare(c->from, &in, read, c->err));
	int code = ms_store_prepare(c->to, &out, write, c->err);
	while (code == MS_OK && (rc = sqlite3_step(in)) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(in); i++)
			sqlite3_bind_value(out, i + 1, sqlite3_column_value(in, i));
		if (sqlite3_step(out) != SQLITE_DONE)
			code = ms_store_fail(c->to, c->err, "keep the rules");
		sqlite3_reset(out);
	}
	if (code == MS_OK && rc != SQLITE_DONE)
		code = ms_store_fail(c->from, c->err, "read the rules");
	sqlite3_finalize(in);
	sqlite3_finalize(out);
	return code;
}

int ms_store_copy(struct ms_store *to, struct ms_store *from, const int64_t *ids, size_t n,
		  struct ms_store_copied *result, struct ms_err *err)
{
	struct run_copier c = { .to = to, .from = from, .result = result, .err = err };
	struct ms_run_list heads;

	*result = (struct ms_store_copied){ .latest = 0 };
	MS_TRY(ms_store_list(from, &heads, err));
	int code = MS_OK;
	for (size_t i = 0; i < heads.at.n && code == MS_OK; i++)
		if (is_wanted(heads.at.at[i].id, ids, n))
			code = copy_run(&c, heads.at.at[i].id, heads.at.at[i].uid);
	if (code == MS_OK && n == 0)
		code = copy_rules(&c);
	ms_run_list_free(&heads);
	ms_map_free(&c.numbers);
	ms_vec_free(&c.ids);
	return code;
}
