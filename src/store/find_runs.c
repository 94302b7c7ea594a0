#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"
#include "store/store_priv.h"

enum { LISTED = 8 }; /* runs named in a message about a missing one */

static int query(struct ms_store *store, const char *sql, const char *text, int64_t number,
		 int64_t *id, struct ms_err *err)
{
	sqlite3_stmt *stmt;

	MS_TRY(ms_store_prepare(store, &stmt, sql, err));
	if (text != NULL)
		sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_int64(stmt, 1, number);
	int rc = sqlite3_step(stmt);
	*id = rc == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
	sqlite3_finalize(stmt);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		return ms_store_fail(store, err, "read the database");
	return MS_OK;
}

/* "@1, @2 (@base), @3", the newest LISTED of them. */
static int list_some(struct ms_store *store, struct ms_text *out, struct ms_err *err)
{
	sqlite3_stmt *stmt;
	int64_t n;
	char sql[160];

	MS_TRY(ms_store_query_integer(store, "select count(*) from run", &n, err));
	sqlite3_snprintf(sizeof(sql), sql,
			 "select id, tag from (select id, tag from run order by id desc limit %d) "
			 "order by id",
			 LISTED);
	MS_TRY(ms_store_prepare(store, &stmt, sql, err));
	if (n > LISTED)
		ms_text_addf(out, "%" PRId64 " older ones, ", n - LISTED);
	for (const char *comma = ""; sqlite3_step(stmt) == SQLITE_ROW; comma = ", ") {
		const char *tag = (const char *)sqlite3_column_text(stmt, 1);

		ms_text_addf(out, "%s@%" PRId64, comma, (int64_t)sqlite3_column_int64(stmt, 0));
		if (tag != NULL)
			ms_text_addf(out, " (@%s)", tag);
	}
	sqlite3_finalize(stmt);
	return MS_OK;
}

static int none_such(struct ms_store *store, const char *name, struct ms_err *err)
{
	struct ms_text runs = MS_TEXT_INIT;
	int code = list_some(store, &runs, err);

	if (code == MS_OK && runs.n == 0)
		code = ms_fail(err, MS_ENOENT,
			       "%s: there are no runs in it yet; `memspy run PROGRAM` makes one",
			       store->path);
	else if (code == MS_OK)
		code = ms_fail(err, MS_ENOENT,
			       "%s: there is no run %s%s; there are %s; `memspy runs` "
			       "shows more",
			       store->path, name[0] == '@' ? "" : "@", name, runs.at);
	ms_text_free(&runs);
	return code;
}

int ms_store_find(struct ms_store *store, const char *name, int64_t *id, struct ms_err *err)
{
	const char *full = name ? name : "@latest";
	const char *bare = full + (full[0] == '@');
	uint64_t number;

	*id = 0;
	if (ms_parse_u64(bare, &number) && number <= INT64_MAX)
		MS_TRY(query(store, "select id from run where id = ?", NULL, (int64_t)number, id,
			     err));
	if (*id == 0)
		MS_TRY(query(store,
			     "select max(id) from (select id from run where tag = ?1 union all "
			     "select run from tag where tag = ?1)",
			     bare, 0, id, err));
	if (*id == 0 && strcmp(bare, "latest") == 0)
		MS_TRY(query(store, "select max(id) from run where id > ?", NULL, 0, id, err));
	return *id != 0 ? MS_OK : none_such(store, full, err);
}

/* Runs with a parent are those of followed children, unless nothing else was kept. */
static const char rank_runs[] =
	"select job, uid, rank, ranks, cast(strftime('%s', started) as real), wall_seconds "
	"from run r where job is not null and folder is null and (parent is null or not exists "
	"(select 1 from run where job = r.job and folder is null and parent is null)) order by id";

int ms_store_list_rank_runs(struct ms_store *store, struct ms_store_rank_runs *runs,
			    struct ms_arena *arena, struct ms_err *err)
{
	sqlite3_stmt *stmt;
	int rc;

	MS_TRY(ms_store_prepare(store, &stmt, rank_runs, err));
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		double began = sqlite3_column_double(stmt, 4);

		*ms_vec_add(&runs->at) = (struct ms_store_rank_run){
			.job = ms_arena_strdup(arena, (const char *)sqlite3_column_text(stmt, 0)),
			.uid = ms_arena_strdup(arena, (const char *)sqlite3_column_text(stmt, 1)),
			.rank = (uint32_t)sqlite3_column_int64(stmt, 2),
			.ranks = (uint32_t)sqlite3_column_int64(stmt, 3),
			.began = began,
			.ended = began + sqlite3_column_double(stmt, 5),
		};
	}
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? MS_OK : ms_store_fail(store, err, "read the database");
}

int ms_store_find_uid(struct ms_store *store, const char *uid, int64_t *id, struct ms_err *err)
{
	return query(store, "select max(id) from run where uid = ?1", uid, 0, id, err);
}

static int query_set(struct ms_store *store, const char *sql, const char *text, const int64_t *at,
		     struct ms_store_run_ids *ids, struct ms_err *err)
{
	sqlite3_stmt *stmt;
	int rc;

	MS_TRY(ms_store_prepare(store, &stmt, sql, err));
	if (text != NULL)
		sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC);
	for (int i = 0; text == NULL && i < 2; i++)
		sqlite3_bind_int64(stmt, i + 1, at[i]);
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
		*ms_vec_add(&ids->at) = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE ? MS_OK : ms_store_fail(store, err, "read the database");
}

/* The base name: ./solver and build/solver are one program, as in rules and filters. */
#define FILE_NAME "replace(program, rtrim(program, replace(program, '/', '')), '')"

/* "@3..@7": the runs between them, of the program of the first one. */
static int find_range(struct ms_store *store, const char *from, const char *to,
		      struct ms_store_run_ids *ids, struct ms_err *err)
{
	int64_t at[2];

	MS_TRY(ms_store_find(store, from, &at[0], err));
	MS_TRY(ms_store_find(store, to, &at[1], err));
	if (at[0] > at[1])
		return ms_fail(err, MS_EUSAGE,
			       "%s..%s names no run: @%" PRId64 " came after @%" PRId64, from, to,
			       at[0], at[1]);
	return query_set(store,
			 "select id from run where id between ?1 and ?2 and " FILE_NAME
			 " = (select " FILE_NAME " from run where id = ?1) order by id",
			 NULL, at, ids, err);
}

/* One member of a list: a range, a tag with all its runs, or one run. */
static int find_some(struct ms_store *store, char *word, struct ms_store_run_ids *ids,
		     struct ms_err *err)
{
	size_t before = ids->at.n;
	char *dots = strstr(word, "..");
	int64_t id;

	if (dots != NULL) {
		*dots = '\0';
		return find_range(store, word, dots + 2, ids, err);
	}
	MS_TRY(query_set(store,
			 "select id from run where tag = ?1 union select run from tag where tag = "
			 "?1 order by 1",
			 word + (word[0] == '@'), NULL, ids, err));
	if (ids->at.n > before)
		return MS_OK;
	MS_TRY(ms_store_find(store, word, &id, err));
	*ms_vec_add(&ids->at) = id;
	return MS_OK;
}

static bool is_new(const struct ms_store_run_ids *ids, size_t n, int64_t id)
{
	for (size_t i = 0; i < n; i++)
		if (ids->at.at[i] == id)
			return false;
	return true;
}

int ms_store_find_set(struct ms_store *store, const char *names, struct ms_store_run_ids *ids,
		      struct ms_err *err)
{
	char *words = ms_strdup(names), *rest = words;
	int code = MS_OK;
	size_t n = 0;

	*ids = (struct ms_store_run_ids){ .at = MS_VEC_INIT };
	for (char *word; code == MS_OK && (word = strsep(&rest, ",")) != NULL;)
		code = find_some(store, word, ids, err);
	ms_free(words);
	for (size_t i = 0; i < ids->at.n; i++) /* each of them once */
		if (is_new(ids, n, ids->at.at[i]))
			ids->at.at[n++] = ids->at.at[i];
	ids->at.n = n;
	if (code != MS_OK)
		ms_vec_free(&ids->at);
	return code;
}
