/*
 * serve/http.h - the interface between the server and its HTTP module, memspy-http.so, which is
 * next to the front-ends. libmicrohttpd loads a dozen other libraries, and only `memspy serve`
 * should wait for them.
 */
#ifndef MS_SERVE_HTTP_H
#define MS_SERVE_HTTP_H

#include "serve/serve_priv.h"

/* Callbacks of the module, called in several threads. */
struct ms_serve_http_site {
	const char *policy; /* what its pages may do in a browser (Content-Security-Policy) */
	/* Whether the headers of a request suffice to refuse it, with this answer. */
	bool (*refuses)(void *arg, const struct ms_serve_request *request,
			struct ms_serve_response *answer);
	/*
	 * Answers a request that was not refused. form: the body of the request; NULL: it was
	 * larger than allowed.
	 */
	void (*answer)(void *arg, const struct ms_serve_request *request, const char *form,
		       struct ms_serve_response *answer);
	void *arg;
};

struct ms_http_daemon;

/* New members are added at the end only; then MS_HTTP_TABLE gets another name. */
struct ms_serve_http_module {
	/* Answers at this socket, which it then owns; NULL: errno has the reason. */
	struct ms_http_daemon *(*start)(int fd, const struct ms_serve_http_site *site);
	void (*stop)(struct ms_http_daemon *daemon); /* returns when all its threads have ended */
	const char *(*version)(void);
};

/* The only symbol that the module exports. */
#define MS_HTTP_TABLE "memspy_http_2"
extern const struct ms_serve_http_module memspy_http_2;

/* Loads the module from a folder, once; it is never unloaded. */
int ms_serve_http_load(const char *folder, const struct ms_serve_http_module **http,
		       struct ms_err *err);

#endif
