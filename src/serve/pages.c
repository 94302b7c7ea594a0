/* serve/pages.c - what each route shows: the same JSON as the commands, in the same page. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "serve/live.h"
#include "serve/serve_priv.h"
#include "store/store.h"
#include "views/html.h"
#include "views/views.h"

struct visit {
	const struct ms_serve_options *options;
	const struct ms_guard *guard;
	struct ms_route route;
	const char *form;
	unsigned status;
};

static int write_runs(FILE *out, const struct visit *v, struct ms_err *err)
{
	const struct ms_view_options options = { .threshold = -1 };
	struct ms_run_heads heads;
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, v->options->db, MS_STORE_READ, err));
	int code = ms_store_list(store, &heads, err);
	ms_store_close(store);
	if (code != MS_OK)
		return code;
	code = ms_view_json.runs(&heads, &options, out, err);
	ms_run_heads_free(&heads);
	return code;
}

/* The page about all runs; a database that is not there yet may be made by a run that is live. */
static int put_runs(FILE *out, const void *arg, struct ms_err *err)
{
	const struct visit *v = arg;

	fprintf(out, "{\"schema_version\": 1, \"page\": \"runs\", \"memspy\": \"%s\", \"live\": ",
		MS_VERSION);
	ms_live_json(v->options->db, out);
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

/* Where the page's server is: the only thing that a served page knows and a file does not. */
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

static int run_page(const struct visit *v, const char *server, FILE *out, struct ms_err *err)
{
	const struct ms_html_options options = { .no_source = v->options->no_source,
						 .folders = v->options->folders,
						 .n_folders = v->options->n_folders,
						 .server = server };
	struct ms_run run;

	MS_TRY(v->options->load(v->options->arg, v->route.run, &run, err));
	int code = ms_html_run(&run, &options, out, err);
	ms_run_free(&run);
	return code;
}

static int page(const struct visit *v, const char *server, FILE *out, struct ms_err *err)
{
	switch (v->route.kind) {
	case MS_ROUTE_RUNS:
		return ms_html_page(put_runs, v, server, out, err);
	case MS_ROUTE_RUN:
		return run_page(v, server, out, err);
	case MS_ROUTE_LIVE_JSON:
		ms_live_json(v->options->db, out);
		return MS_OK;
	case MS_ROUTE_RUNS_JSON:
		return write_runs(out, v, err);
	case MS_ROUTE_DIFF:
	case MS_ROUTE_RULES:
	case MS_ROUTE_NONE:
		break;
	}
	return ms_fail(err, MS_ENOENT, "there is no such page");
}

static bool is_json(enum ms_route_kind kind)
{
	return kind == MS_ROUTE_LIVE_JSON || kind == MS_ROUTE_RUNS_JSON;
}

static unsigned status_of(const struct ms_err *err)
{
	return err->code == MS_ENOENT ? 404 : err->code == MS_EUSAGE ? 400 : 503;
}

void ms_serve_sentence(unsigned status, const char *text, struct ms_answer *answer)
{
	*answer = (struct ms_answer){ status, "text/plain; charset=utf-8", strdup(text),
				      strlen(text) };
}

void ms_serve_answer(const struct ms_serve_options *options, const struct ms_guard *guard,
		     struct ms_route route, const char *form, struct ms_answer *answer)
{
	struct visit v = { options, guard, route, form, 200 };
	char *server = server_json(&v);
	struct ms_err err, ignored;

	*answer = (struct ms_answer){ 200, "text/html; charset=utf-8", NULL, 0 };
	FILE *out = open_memstream(&answer->body, &answer->size);
	int code = page(&v, server, out, &err);
	fclose(out);
	if (is_json(route.kind))
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
