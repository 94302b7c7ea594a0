/* serve/pages.c - the content of each route: the same JSON as the commands, in the same page. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/num.h"
#include "run/run_list.h"
#include "serve/kept.h"
#include "serve/live.h"
#include "serve/serve_priv.h"
#include "store/store.h"
#include "views/diff.h"
#include "views/html/html.h"
#include "views/views.h"

enum { DIFF_ROWS = 1000 }; /* of each list of a comparison */

struct visit {
	const struct ms_serve_options *options;
	const struct ms_serve_guard *guard;
	struct ms_serve_route route;
	const char *form;
	unsigned status;
};

static int write_runs(FILE *out, const struct visit *v, struct ms_err *err)
{
	const struct ms_views_options options = { .threshold = -1 };
	struct ms_run_list heads;
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, v->options->db, MS_STORE_READ, err));
	int code = ms_store_list(store, &heads, err);
	ms_store_close(store);
	if (code != MS_OK)
		return code;
	code = ms_views_runs_writers[MS_VIEWS_JSON](&heads, &options, out, err);
	ms_run_list_free(&heads);
	return code;
}

/* The page of all runs; a database that does not exist yet may be created by a live run. */
static int put_runs(FILE *out, const void *arg, struct ms_err *err)
{
	const struct visit *v = arg;

	fprintf(out, "{\"schema_version\": 1, \"page\": \"runs\", \"memspy\": \"%s\", \"live\": ",
		MS_VERSION);
	ms_serve_live_json(v->options->db, out);
	fputs(", \"runs\": ", out);
	MS_TRY(write_runs(out, v, err));
	fputs("}\n", out);
	return MS_OK;
}

static int put_message(FILE *out, const void *arg, struct ms_err *err)
{
	struct ms_json json;

	(void)err;
	ms_json_init(&json, out);
	ms_json_object(&json, NULL);
	ms_json_u64(&json, "schema_version", 1);
	ms_json_text(&json, "page", "message");
	ms_json_text(&json, "memspy", MS_VERSION);
	ms_json_text(&json, "text", arg);
	ms_json_end(&json);
	return MS_OK;
}

/* The address of the page's server: the only information that a page in a file does not have. */
static char *server_json(const struct visit *v)
{
	struct ms_json json;
	char *text = NULL;
	size_t size;
	char base[MS_TOKEN_TEXT + 2];
	FILE *out = open_memstream(&text, &size);

	snprintf(base, sizeof(base), "/%s/", v->guard->token);
	ms_json_init(&json, out);
	ms_json_object(&json, NULL);
	ms_json_text(&json, "base", base);
	ms_json_end(&json);
	fclose(out);
	return text;
}

static struct ms_html_options html_options(const struct visit *v, const char *server)
{
	return (struct ms_html_options){ .no_source = v->options->no_source,
					 .folders = v->options->folders,
					 .n_folders = v->options->n_folders,
					 .server = server };
}

/* --- a run, and its parts --- */

static int write_run(const struct visit *v, const struct ms_run *run,
		     const struct ms_html_options *options, FILE *out, struct ms_err *err)
{
	const struct ms_serve_route *r = &v->route;

	if (r->kind == MS_ROUTE_PART)
		return ms_html_part_json(run, options, r->part, out, err);
	if (r->kind == MS_ROUTE_CODE)
		return ms_html_details_json(run, options, r->other, 0, out, err);
	if (r->kind == MS_ROUTE_DATA)
		return ms_html_details_json(run, options, 0, r->other, out, err);
	if (r->kind == MS_ROUTE_BIN)
		return ms_html_details_json(run, options, r->other, r->third, out, err);
	if (r->kind == MS_ROUTE_ASSEMBLY)
		return ms_html_assembly_json(run, options, r->other, out, err);
	if (r->kind == MS_ROUTE_DIGEST)
		return ms_html_digest_json(run, options, out, err);
	return ms_html_run(run, options, out, err);
}

static int run_page(const struct visit *v, const char *server, FILE *out, struct ms_err *err)
{
	struct ms_html_options options = html_options(v, server);
	struct ms_serve_kept *kept;

	MS_TRY(ms_serve_keep_run(v->options, v->route.run, &kept, err));
	options.summary = &kept->summary;
	options.advise = &kept->advise;
	int code = write_run(v, &kept->run, &options, out, err);
	ms_serve_release_run(kept);
	return code;
}

/*
 * The list of runs asks for many, first for the uppermost, which readers mostly open: that one is
 * kept, the others are not.
 */
static int write_digest(const struct visit *v, FILE *out, struct ms_err *err)
{
	const struct ms_html_options options = html_options(v, NULL);
	struct ms_run run;

	if (!ms_serve_keeps_other_run(v->options, v->route.run))
		return run_page(v, NULL, out, err);
	MS_TRY(v->options->load(v->options->arg, v->route.run, &run, err));
	int code = write_run(v, &run, &options, out, err);
	ms_run_free(&run);
	return code;
}

/* --- a running program --- */

/* The page itself requests the figures repeatedly. */
static int put_live(FILE *out, const void *arg, struct ms_err *err)
{
	const struct visit *v = arg;
	char *path;

	MS_TRY(ms_serve_live_request(v->options->db, v->route.run, &path, err));
	ms_free(path);
	fprintf(out,
		"{\"schema_version\": 1, \"page\": \"live\", \"memspy\": \"%s\", \"pid\": %" PRId64
		", \"live\": ",
		MS_VERSION, v->route.run);
	ms_serve_live_json(v->options->db, out);
	fputs("}\n", out);
	return MS_OK;
}

/* null: it was requested, and does not exist yet. */
static int write_live_run(const struct visit *v, FILE *out, struct ms_err *err)
{
	const struct ms_html_options options = html_options(v, NULL);
	struct ms_run run;
	char *path;

	MS_TRY(ms_serve_live_request(v->options->db, v->route.run, &path, err));
	if (path == NULL) {
		fputs("null\n", out);
		return MS_OK;
	}
	int code = v->options->load_live(v->options->arg, path, &run, err);
	ms_free(path);
	if (code != MS_OK)
		return code;
	code = ms_html_live_json(&run, &options, out, err);
	ms_run_free(&run);
	return code;
}

/* --- comparison of two runs --- */

static int write_diff(FILE *out, const struct ms_run *before, const struct ms_run *after,
		      struct ms_err *err)
{
	const struct ms_views_options view = { .top = DIFF_ROWS, .threshold = -1 };
	const struct ms_diff_options options = { .metric = NULL };
	struct ms_diff diff;

	MS_TRY(ms_diff_make(&diff, (struct ms_diff_side){ &before, 1 },
			    (struct ms_diff_side){ &after, 1 }, &options, err));
	ms_views_diff_writers[MS_VIEWS_JSON](&diff, &(struct ms_views_diff_list){ .all = true },
					     &view, out);
	ms_diff_free(&diff);
	return MS_OK;
}

static int put_diff(FILE *out, const void *arg, struct ms_err *err)
{
	const struct visit *v = arg;
	struct ms_run before, after;

	MS_TRY(v->options->load(v->options->arg, v->route.run, &before, err));
	int code = v->options->load(v->options->arg, v->route.other, &after, err);
	if (code == MS_OK) {
		ms_diff_match_times((struct ms_run *[]){ &before, &after }, 2);
		fprintf(out,
			"{\"schema_version\": 1, \"page\": \"diff\", \"memspy\": \"%s\", "
			"\"diff\": ",
			MS_VERSION);
		code = write_diff(out, &before, &after, err);
		fputs("}\n", out);
		ms_run_free(&after);
	}
	ms_run_free(&before);
	return code;
}

/* --- rules --- */

static int put_rules(FILE *out, const void *arg, struct ms_err *err)
{
	const struct visit *v = arg;

	fprintf(out, "{\"schema_version\": 1, \"page\": \"rules\", \"memspy\": \"%s\", \"rules\": ",
		MS_VERSION);
	MS_TRY(v->options->list_rules(v->options->arg, out, err));
	fputs("}\n", out);
	return MS_OK;
}

enum { WORD = 16, NAME = 8 << 10 };

/* remove=3, or run=1&subject=data&verb=rename&thing=a&name=b */
static int change_rules(const struct visit *v, struct ms_err *err)
{
	char run[32], subject[WORD], verb[WORD], *thing = ms_alloc(NAME), *name = ms_alloc(NAME);
	uint64_t id;
	int code;

	if (ms_serve_form_get(v->form, "remove", run, sizeof(run)) && ms_parse_u64(run, &id) &&
	    id <= INT64_MAX)
		code = v->options->remove_rule(v->options->arg, (int64_t)id, err);
	else if (ms_serve_form_get(v->form, "run", run, sizeof(run)) && ms_parse_u64(run, &id) &&
		 id <= INT64_MAX &&
		 ms_serve_form_get(v->form, "subject", subject, sizeof(subject)) &&
		 ms_serve_form_get(v->form, "verb", verb, sizeof(verb)) &&
		 ms_serve_form_get(v->form, "thing", thing, NAME) &&
		 ms_serve_form_get(v->form, "name", name, NAME))
		code = v->options->add_rule(v->options->arg,
					    &(struct ms_serve_rule){ (int64_t)id,
								     strcmp(subject, "code") == 0,
								     verb, thing, name },
					    err);
	else
		code = ms_fail(err, MS_EUSAGE,
			       "the form has neither remove, nor run, subject, verb, thing and "
			       "name");
	ms_free(thing);
	ms_free(name);
	return code;
}

/* The result is JSON in any case: the requesting page shows it to its reader. */
static int put_change(const struct visit *v, FILE *out)
{
	struct ms_err err = { MS_OK, "" };
	int code = change_rules(v, &err);
	struct ms_json json;

	ms_json_init(&json, out);
	ms_json_object(&json, NULL);
	ms_json_bool(&json, "done", code == MS_OK);
	ms_json_text(&json, "error", code == MS_OK ? NULL : err.text);
	ms_json_end(&json);
	return MS_OK;
}

static int page(const struct visit *v, const char *server, FILE *out, struct ms_err *err)
{
	switch (v->route.kind) {
	case MS_ROUTE_RUNS:
		return ms_html_page(put_runs, v, server, out, err);
	case MS_ROUTE_RUN:
	case MS_ROUTE_PART:
	case MS_ROUTE_CODE:
	case MS_ROUTE_DATA:
	case MS_ROUTE_BIN:
	case MS_ROUTE_ASSEMBLY:
		return run_page(v, server, out, err);
	case MS_ROUTE_DIGEST:
		return write_digest(v, out, err);
	case MS_ROUTE_LIVE:
		return ms_html_page(put_live, v, server, out, err);
	case MS_ROUTE_LIVE_RUN:
		return write_live_run(v, out, err);
	case MS_ROUTE_LIVE_JSON:
		ms_serve_live_json(v->options->db, out);
		return MS_OK;
	case MS_ROUTE_RUNS_JSON:
		return write_runs(out, v, err);
	case MS_ROUTE_DIFF:
		return ms_html_page(put_diff, v, server, out, err);
	case MS_ROUTE_RULES:
		return v->form != NULL ? put_change(v, out)
				       : ms_html_page(put_rules, v, server, out, err);
	case MS_ROUTE_NONE:
		break;
	}
	return ms_fail(err, MS_ENOENT, "there is no such page");
}

static bool is_json(const struct visit *v)
{
	static const bool json[MS_ROUTE_NONE + 1] = {
		[MS_ROUTE_PART] = true,      [MS_ROUTE_CODE] = true,
		[MS_ROUTE_DATA] = true,      [MS_ROUTE_BIN] = true,
		[MS_ROUTE_ASSEMBLY] = true,  [MS_ROUTE_DIGEST] = true,
		[MS_ROUTE_LIVE_RUN] = true,  [MS_ROUTE_LIVE_JSON] = true,
		[MS_ROUTE_RUNS_JSON] = true,
	};

	return json[v->route.kind] || (v->route.kind == MS_ROUTE_RULES && v->form != NULL);
}

static unsigned status_of(const struct ms_err *err)
{
	return err->code == MS_ENOENT ? 404 : err->code == MS_EUSAGE ? 400 : 503;
}

void ms_serve_sentence(unsigned status, const char *text, struct ms_serve_response *answer)
{
	*answer = (struct ms_serve_response){ status, "text/plain; charset=utf-8", strdup(text),
					      strlen(text) };
}

void ms_serve_answer(const struct ms_serve_options *options, const struct ms_serve_guard *guard,
		     struct ms_serve_route route, const char *form,
		     struct ms_serve_response *answer)
{
	struct visit v = { options, guard, route, form, 200 };
	char *server = server_json(&v);
	struct ms_err err, ignored;

	*answer = (struct ms_serve_response){ 200, "text/html; charset=utf-8", NULL, 0 };
	FILE *out = open_memstream(&answer->body, &answer->size);
	int code = form != NULL && route.kind != MS_ROUTE_RULES
			   ? ms_fail(&err, MS_ENOENT, "nothing can be changed here")
			   : page(&v, server, out, &err);
	fclose(out);
	if (is_json(&v))
		answer->type = "application/json";
	if (code != MS_OK) {
		free(answer->body);
		answer->status = status_of(&err);
		answer->type = "text/html; charset=utf-8";
		out = open_memstream(&answer->body, &answer->size);
		ms_html_page(put_message, err.text, server, out, &ignored);
		fclose(out);
	}
	free(server);
}
