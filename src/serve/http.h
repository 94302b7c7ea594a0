/*
 * serve/http.h - what the server and its HTTP agree on. HTTP is a module, memspy-http.so beside the
 * front-ends: libmicrohttpd brings a dozen other libraries along, and only `memspy serve` is to
 * wait until they are loaded.
 */
#ifndef MS_SERVE_HTTP_H
#define MS_SERVE_HTTP_H

#include "serve/serve_priv.h"

/* Whom the module asks, in several threads. */
struct ms_http_site {
	const char *policy; /* what its pages may do in a browser (Content-Security-Policy) */
	/* Whether the head of a request is enough to refuse it, with this answer. */
	bool (*refuses)(void *arg, const struct ms_request *request, struct ms_answer *answer);
	/* Of one that was not refused. form: what was sent with the request; NULL: more than may be
	 * sent. */
	void (*answer)(void *arg, const struct ms_request *request, const char *form,
		       struct ms_answer *answer);
	void *arg;
};

struct ms_http_daemon;

/* Grows at its end only, and then gets another name. */
struct ms_http {
	/* Answers at this socket, which becomes its own; NULL: errno says why not. */
	struct ms_http_daemon *(*start)(int fd, const struct ms_http_site *site);
	void (*stop)(struct ms_http_daemon *daemon); /* all its threads have ended then */
	const char *(*version)(void);
};

/* The one name that the module has for others. */
#define MS_HTTP_TABLE "memspy_http_2"
extern const struct ms_http memspy_http_2;

/* Loads the module from a folder, once; it stays. */
int ms_http_load(const char *folder, const struct ms_http **http, struct ms_err *err);

#endif
