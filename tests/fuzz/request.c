/*
 * A request to memspy serve with anything in it: the first line is the method, the second the path,
 * then Host, Origin, Sec-Fetch-Site and X-Memspy (an empty line: not sent), the rest a form. Only
 * who has the token passes; what passes is one of the few pages, whose numbers can be written again
 * as the same path, and is answered from a stored run database. The rest is also read as the file
 * that a running program leaves beside that.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "serve/live.h"
#include "serve/serve_priv.h"
#include "store/store.h"

#define TOKEN  "0123456789abcdef0123456789abcdef"
#define SECRET "what must not be shown"

/* --- what is served: a run, and beside its database what is none of the client's affair --- */

static char folder[] = "/tmp/memspy-fuzz-XXXXXX", db[48], secret[48], live[64];

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	if (file == NULL)
		fuzz_fail("%s: cannot be written", path);
	fputs(text, file);
	fclose(file);
}

static char *read_all(const char *path)
{
	char *text = NULL;
	size_t room = 0;
	FILE *file = fopen(path, "r");

	if (file == NULL || getdelim(&text, &room, '\0', file) < 0)
		fuzz_fail("%s: cannot be read", path);
	fclose(file);
	return text;
}

static void remove_folder(void)
{
	unlink(db);
	unlink(secret);
	rmdir(folder);
}

static void prepare(void)
{
	sqlite3 *sqlite;

	if (db[0] != '\0')
		return;
	if (mkdtemp(folder) == NULL)
		fuzz_fail("%s: cannot be made", folder);
	snprintf(db, sizeof(db), "%s/a.db", folder);
	snprintf(secret, sizeof(secret), "%s/secret", folder);
	snprintf(live, sizeof(live), "%s-live-%d", db, (int)getpid());
	atexit(remove_folder);
	write_file(secret, SECRET);
	char *sql = read_all(FUZZ_DBS "/matmul.sql");
	if (sqlite3_open(db, &sqlite) != SQLITE_OK ||
	    sqlite3_exec(sqlite, sql, NULL, NULL, NULL) != SQLITE_OK)
		fuzz_fail("%s: cannot be made: %s", db, sqlite3_errmsg(sqlite));
	sqlite3_close(sqlite);
	free(sql);
	struct ms_store *store;
	struct ms_err err;
	if (ms_store_open(&store, db, MS_STORE_WRITE, &err) != MS_OK) /* and brought up to date */
		fuzz_fail("%s", err.text);
	ms_store_close(store);
}

static int load_from(const char *path, int64_t id, struct ms_run *run, struct ms_err *err)
{
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, path, MS_STORE_READ, err));
	int code = ms_store_load(store, id, run, err);
	ms_store_close(store);
	return code;
}

static int load(void *arg, int64_t id, struct ms_run *run, struct ms_err *err)
{
	(void)arg;
	return load_from(db, id, run, err);
}

static int load_live(void *arg, const char *path, struct ms_run *run, struct ms_err *err)
{
	(void)arg;
	return load_from(path, 1, run, err);
}

static int list_rules(void *arg, FILE *out, struct ms_err *err)
{
	(void)arg;
	(void)err;
	fputs("{\"rules\": []}", out);
	return MS_OK;
}

static int add_rule(void *arg, const struct ms_serve_rule *rule, struct ms_err *err)
{
	(void)arg;
	if (rule->run < 0 || strlen(rule->thing) >= MS_FORM_MOST ||
	    strlen(rule->name) >= MS_FORM_MOST)
		fuzz_fail("a rule that cannot be: %s", rule->verb);
	/* The client had guessed it: no answer repeats it. */
	if (strstr(rule->thing, SECRET) != NULL)
		return ms_fail(err, MS_EUSAGE, "a rule for a secret");
	return ms_fail(err, MS_EUSAGE, "'%s' of %s", rule->verb, rule->thing);
}

static int remove_rule(void *arg, int64_t id, struct ms_err *err)
{
	(void)arg;
	return ms_fail(err, MS_ENOENT, "rule %lld", (long long)id);
}

static void check_answer(const struct ms_serve_guard *guard, const char *rest, const char *form)
{
	const struct ms_serve_options options = { .db = db,
						  .load = load,
						  .load_live = load_live,
						  .list_rules = list_rules,
						  .add_rule = add_rule,
						  .remove_rule = remove_rule };
	struct ms_serve_route route = ms_serve_route_of(rest);
	struct ms_serve_response answer;

	ms_serve_answer(&options, guard, route, form, &answer);
	if (answer.body == NULL || (route.kind == MS_ROUTE_NONE && answer.status != 404))
		fuzz_fail("'%s' is answered with %u", rest, answer.status);
	if (memmem(answer.body, answer.size, SECRET, sizeof(SECRET) - 1) != NULL)
		fuzz_fail("'%s' shows the secret", rest);
	free(answer.body);
}

static const char *next_line(char **at)
{
	char *line = *at, *end = line != NULL ? strchr(line, '\n') : NULL;

	if (end != NULL)
		*end = '\0';
	*at = end != NULL ? end + 1 : NULL;
	return line != NULL && line[0] != '\0' ? line : NULL;
}

static void check_route(const char *rest)
{
	struct ms_serve_route route = ms_serve_route_of(rest);
	char again[96] = "";

	const long long run = route.run, other = route.other, third = route.third;

	if (route.kind == MS_ROUTE_RUN)
		snprintf(again, sizeof(again), "run/%lld", run);
	else if (route.kind == MS_ROUTE_CODE)
		snprintf(again, sizeof(again), "code/%lld/%lld.json", run, other);
	else if (route.kind == MS_ROUTE_DATA)
		snprintf(again, sizeof(again), "data/%lld/%lld.json", run, other);
	else if (route.kind == MS_ROUTE_BIN)
		snprintf(again, sizeof(again), "bin/%lld/%lld/%lld.json", run, other, third);
	else if (route.kind == MS_ROUTE_ASSEMBLY)
		snprintf(again, sizeof(again), "assembly/%lld/%lld.json", run, other);
	else if (route.kind == MS_ROUTE_DIGEST)
		snprintf(again, sizeof(again), "digest/%lld.json", run);
	else if (route.kind == MS_ROUTE_DIFF)
		snprintf(again, sizeof(again), "diff/%lld/%lld", run, other);
	else if (route.kind == MS_ROUTE_LIVE)
		snprintf(again, sizeof(again), "live/%lld", run);
	else if (route.kind == MS_ROUTE_LIVE_RUN)
		snprintf(again, sizeof(again), "live/%lld.json", run);
	else
		return;
	if (strcmp(again, rest) != 0)
		fuzz_fail("'%s' means %s", rest, again);
}

static void check_form(const char *form)
{
	char small[8], large[256];

	if (ms_serve_form_get(form, "name", small, sizeof(small)) &&
	    (!ms_serve_form_get(form, "name", large, sizeof(large)) || strcmp(small, large) != 0))
		fuzz_fail("'%s' has two values of name", form);
}

/* As memspy run would have left it: whatever comes of it is an array, or nothing is. Its snapshot
 * is the database itself, if any. */
static void check_live(const struct ms_serve_guard *guard, const char *text)
{
	char path[32], file[80], *json = NULL;
	struct ms_err err;
	size_t size;

	write_file(live, text);
	FILE *out = open_memstream(&json, &size);
	ms_serve_live_json(db, out);
	fclose(out);
	if (json[0] != '[')
		fuzz_fail("no array: %s", json);
	snprintf(file, sizeof(file), "%s.run", live);
	if (link(db, file) != 0)
		fuzz_fail("%s: cannot be made", file);
	char *run = NULL;
	bool shown = ms_serve_live_request(db, getpid(), &run, &err) == MS_OK;
	if (shown != (json[1] != ']') || shown != (run != NULL) ||
	    (run != NULL && strcmp(run, file) != 0))
		fuzz_fail("shown as %s, asked as %s", json, shown ? run : err.text);
	snprintf(path, sizeof(path), "live/%d.json", (int)getpid());
	if (shown)
		check_answer(guard, path, NULL);
	ms_free(run);
	free(json);
	unlink(file);
	snprintf(file, sizeof(file), "%s.asked", live);
	unlink(file);
	unlink(live);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ms_serve_guard guard = { .token = TOKEN };
	char *text = strndup((const char *)data, size), *at = text;
	const char *rest = NULL, *why = NULL;
	struct ms_serve_request r = { .ambiguous = false };

	prepare();
	ms_serve_guard_listen(&guard, "127.0.0.1", true, 8377);
	r.method = next_line(&at);
	r.path = next_line(&at);
	r.host = next_line(&at);
	r.origin = next_line(&at);
	r.site = next_line(&at);
	r.marked = next_line(&at);
	unsigned status = ms_serve_guard_check(&guard, &r, &rest, &why);
	if (status == 0 && (r.path == NULL || strncmp(r.path, "/" TOKEN, sizeof(TOKEN)) != 0))
		fuzz_fail("passed without the token: %s", r.path);
	if (status == 0 && r.origin != NULL && strstr(r.origin, ":8377") == NULL)
		fuzz_fail("passed from %s", r.origin);
	if (status == 0) {
		check_route(rest);
		check_answer(&guard, rest,
			     strcmp(r.method, "POST") == 0 ? at != NULL ? at : "" : NULL);
	}
	if (r.path != NULL)
		check_route(r.path);
	check_form(at != NULL ? at : "");
	check_live(&guard, at != NULL ? at : "");
	free(text);
	return 0;
}
