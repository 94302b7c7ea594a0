/* serve/server.c - listens, checks every request with the guard, and stops on a signal. */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "serve/http.h"
#include "serve/kept.h"
#include "views/html/html.h"

enum { WAITING = 512 }; /* connections that are not accepted yet */

struct server {
	const struct ms_serve_options *options;
	const struct ms_serve_http_module *http;
	struct ms_serve_guard guard;
	char *policy;
	atomic_bool entered;
};

static bool refuses(void *arg, const struct ms_serve_request *request,
		    struct ms_serve_response *answer)
{
	struct server *server = arg;
	const char *rest, *why;

	if (ms_serve_guard_is_entry(&server->guard, request) && !atomic_load(&server->entered))
		return false;
	unsigned status = ms_serve_guard_check(&server->guard, request, &rest, &why);
	if (status != 0)
		ms_serve_sentence(status, why, answer);
	return status != 0;
}

/*
 * A page that redirects to the first page, so that the request for that comes from this server. If
 * two clients use the entry at the same time, one of them gets access.
 */
static void enter(struct server *server, struct ms_serve_response *answer)
{
	struct ms_text page = MS_TEXT_INIT;

	if (atomic_exchange(&server->entered, true)) {
		ms_serve_sentence(404, "This address was used before.\n", answer);
		return;
	}
	ms_text_addf(&page,
		     "<!doctype html><meta charset=\"utf-8\"><title>memspy</title>"
		     "<meta http-equiv=\"refresh\" content=\"0; url=/%s/\">\n",
		     server->guard.token);
	*answer = (struct ms_serve_response){ 200, "text/html; charset=utf-8", strdup(page.at),
					      page.n };
	ms_text_free(&page);
	server->options->entered(server->options->arg);
}

static void answer(void *arg, const struct ms_serve_request *request, const char *form,
		   struct ms_serve_response *answer)
{
	struct server *server = arg;
	const char *rest = "", *why;

	if (ms_serve_guard_is_entry(&server->guard, request)) {
		enter(server, answer);
		return;
	}
	unsigned refused = ms_serve_guard_check(&server->guard, request, &rest, &why);
	if (refused != 0)
		ms_serve_sentence(refused, why, answer);
	else if (form == NULL)
		ms_serve_sentence(413, "That is too much for a request.\n", answer);
	else
		ms_serve_answer(server->options, &server->guard, ms_serve_route_of(rest),
				strcmp(request->method, "POST") == 0 ? form : NULL, answer);
}

/* --- the address --- */

static int parse_address(const struct ms_serve_options *o, struct sockaddr_storage *address,
			 struct ms_err *err)
{
	struct sockaddr_in *four = (struct sockaddr_in *)address;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;

	memset(address, 0, sizeof(*address));
	if (inet_pton(AF_INET, o->address, &four->sin_addr) == 1) {
		four->sin_family = AF_INET;
		four->sin_port = htons((uint16_t)o->port);
	} else if (inet_pton(AF_INET6, o->address, &six->sin6_addr) == 1) {
		six->sin6_family = AF_INET6;
		six->sin6_port = htons((uint16_t)o->port);
	} else {
		return ms_fail(
			err, MS_EUSAGE,
			"cannot listen at '%s': not an address; expected one such as 127.0.0.1",
			o->address);
	}
	if (ms_serve_guard_is_anywhere(o->address))
		return ms_fail(
			err, MS_EUSAGE,
			"%s means all addresses of this machine, and a request must name the "
			"one it is meant for; give that one",
			o->address);
	if (ms_serve_guard_is_loopback(o->address) || o->remote)
		return MS_OK;
	return ms_fail(
		err, MS_EUSAGE,
		"%s can be reached from other machines, and whoever has the address sees "
		"all runs and source lines, unencrypted; if that is meant, add --allow-remote",
		o->address);
}

/* The server creates the socket itself, so that it can report why this fails. */
static int listen_at(const struct ms_serve_options *o, const struct sockaddr_storage *address,
		     int *fd, unsigned *port, struct ms_err *err)
{
	socklen_t size = address->ss_family == AF_INET ? sizeof(struct sockaddr_in)
						       : sizeof(struct sockaddr_in6);
	struct sockaddr_storage got;
	socklen_t got_size = sizeof(got);
	int yes = 1;

	*fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*fd < 0)
		return ms_fail_errno(err, "could not make a socket");
	setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(*fd, (const struct sockaddr *)address, size) != 0 || listen(*fd, WAITING) != 0) {
		int why = errno;

		close(*fd);
		errno = why;
		if (why == EADDRINUSE)
			return ms_fail(err, MS_EIO,
				       "%s port %u is in use by another program; --port 0 takes "
				       "any that is free",
				       o->address, o->port);
		return ms_fail_errno(err, "%s port %u: could not listen there", o->address,
				     o->port);
	}
	getsockname(*fd, (struct sockaddr *)&got, &got_size);
	*port = ntohs(got.ss_family == AF_INET ? ((struct sockaddr_in *)&got)->sin_port
					       : ((struct sockaddr_in6 *)&got)->sin6_port);
	return MS_OK;
}

/* --- start and end --- */

static void report_started(const struct server *server)
{
	struct ms_text address = MS_TEXT_INIT, entry = MS_TEXT_INIT;

	ms_text_addf(&address, "http://%s/%s/", server->guard.hosts[0], server->guard.token);
	ms_text_addf(&entry, "http://%s/%s", server->guard.hosts[0], server->guard.entry);
	server->options->started(address.at, entry.at, server->options->arg);
	ms_text_free(&address);
	ms_text_free(&entry);
}

/* The signals are blocked in all threads, so that only this function receives them. */
static int serve_until_stopped(struct server *server, int fd, struct ms_err *err)
{
	const struct ms_serve_http_site site = { server->policy, refuses, answer, server };
	sigset_t ends, before;
	int number;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &ends, &before);
	struct ms_http_daemon *daemon = server->http->start(fd, &site);
	if (daemon == NULL) {
		close(fd);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		return ms_fail(err, MS_EIO, "the server could not be started: %s",
			       strerrordesc_np(errno));
	}
	report_started(server);
	while (sigwait(&ends, &number) != 0)
		;
	server->http->stop(daemon);
	ms_serve_forget_run();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return MS_OK;
}

int ms_serve_pages(const struct ms_serve_options *options, struct ms_err *err)
{
	struct server server = { .options = options };
	struct sockaddr_storage address;
	struct ms_text policy = MS_TEXT_INIT;
	unsigned port = 0;
	int fd;

	MS_TRY(parse_address(options, &address, err));
	MS_TRY(ms_serve_http_load(options->parts, &server.http, err));
	if (ms_serve_guard_token(server.guard.token) != 0 ||
	    (options->with_entry && ms_serve_guard_token(server.guard.entry) != 0))
		return ms_fail_errno(err, "no random numbers for the address");
	MS_TRY(listen_at(options, &address, &fd, &port, err));
	ms_serve_guard_listen(&server.guard, options->address,
			      ms_serve_guard_is_loopback(options->address), port);
	ms_text_addf(&policy, "%s; frame-ancestors 'none'", ms_html_policy());
	server.policy = policy.at;
	int code = serve_until_stopped(&server, fd, err);
	ms_text_free(&policy);
	return code;
}

const char *ms_serve_library(const char *parts)
{
	const struct ms_serve_http_module *http;

	return ms_serve_http_load(parts, &http, NULL) == MS_OK ? http->version() : NULL;
}
