/*
 * serve/serve.h - the run database as pages, for a browser on this machine (libmicrohttpd).
 */
#ifndef MS_SERVE_SERVE_H
#define MS_SERVE_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"
#include "run/run.h"

/* "rename", "combine" or "hide", for data or code of a run as it is displayed. */
struct ms_serve_rule {
	int64_t run;
	bool code;
	const char *verb;
	const char *thing;
	const char *name; /* the new name; empty if the verb has none */
};

struct ms_serve_options {
	const char *db;
	const char *parts;   /* the folder of the HTTP module */
	const char *address; /* on which to listen */
	bool remote;         /* allow an address that other machines can reach */
	unsigned port;       /* 0: any free port */
	bool no_source;      /* pages without the text of sources */
	const char *const *folders;
	size_t n_folders;
	bool with_entry; /* there is an address that opens the first page, once */
	/* Called when the server is ready, with the whole address and the address of the entry. */
	void (*started)(const char *address, const char *entry, void *arg);
	/* Called in a thread of the server when the entry has been used. */
	void (*entered)(void *arg);
	void *arg;
	/* The same functions as in the commands; called in several threads, with `arg` first. */
	int (*load)(void *arg, int64_t id, struct ms_run *run, struct ms_err *err);
	/* The one run of another database, with the rules of this database. */
	int (*load_live)(void *arg, const char *path, struct ms_run *run, struct ms_err *err);
	int (*list_rules)(void *arg, FILE *out, struct ms_err *err); /* as JSON */
	int (*add_rule)(void *arg, const struct ms_serve_rule *rule, struct ms_err *err);
	int (*remove_rule)(void *arg, int64_t id, struct ms_err *err);
};

/* Serves until SIGINT, SIGTERM or SIGHUP arrives; all threads have ended when it returns. */
int ms_serve_pages(const struct ms_serve_options *options, struct ms_err *err);
/* The version of libmicrohttpd; NULL: it is not installed. */
const char *ms_serve_library(const char *parts);

#endif
