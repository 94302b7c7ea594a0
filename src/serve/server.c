/* serve/server.c - the daemon: takes requests, asks the guard, sends answers, stops. */
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "serve/serve_priv.h"
#include "views/html.h"

enum { THREADS = 4, CONNECTIONS = 64, PATIENCE = 30, CONNECTION_MEMORY = 32 << 10 };

struct server {
	const struct ms_serve_options *options;
	struct ms_guard guard;
	char *policy;
};

/* What was sent so far; one for each request. */
struct upload {
	struct ms_text text;
	bool too_much;
};

static const char *header(struct MHD_Connection *connection, const char *name)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result send_answer(const struct server *server, struct MHD_Connection *connection,
				   const struct ms_answer *answer)
{
	const char *const headers[][2] = {
		{ "Content-Type", answer->type },
		{ "Content-Security-Policy", server->policy },
		{ "X-Content-Type-Options", "nosniff" },
		{ "X-Frame-Options", "DENY" },
		{ "Referrer-Policy", "no-referrer" },
		{ "Cache-Control", "no-store" },
		{ "Cross-Origin-Resource-Policy", "same-origin" },
		{ "Cross-Origin-Opener-Policy", "same-origin" },
	};
	struct MHD_Response *response =
		MHD_create_response_from_buffer(answer->size, answer->body, MHD_RESPMEM_MUST_FREE);

	if (response == NULL) {
		free(answer->body);
		return MHD_NO;
	}
	for (size_t i = 0; i < MS_COUNT(headers); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	if (answer->status == 405)
		MHD_add_response_header(response, "Allow", "GET, HEAD, POST");
	enum MHD_Result result = MHD_queue_response(connection, answer->status, response);
	MHD_destroy_response(response);
	return result;
}

/* Whoever may not ask is told at once; what may be sent is taken first. */
static enum MHD_Result take(void *cls, struct MHD_Connection *connection, const char *url,
			    const char *method, const char *version, const char *data, size_t *size,
			    void **context)
{
	const struct server *server = cls;
	const struct ms_request request = {
		method,
		url,
		header(connection, "Host"),
		header(connection, "Origin"),
		header(connection, "Sec-Fetch-Site"),
		header(connection, "X-Memspy"),
	};
	struct upload *upload = *context;
	const char *rest = "", *why;
	struct ms_answer answer;

	(void)version;
	if (upload == NULL) {
		*context = ms_alloc(sizeof(struct upload));
		return MHD_YES;
	}
	if (*size > 0) {
		upload->too_much = upload->too_much || upload->text.n + *size > MS_FORM_MOST;
		if (!upload->too_much)
			ms_text_add_n(&upload->text, data, *size);
		*size = 0;
		return MHD_YES;
	}
	unsigned refused = ms_guard_check(&server->guard, &request, &rest, &why);
	if (refused != 0)
		ms_serve_sentence(refused, why, &answer);
	else if (upload->too_much)
		ms_serve_sentence(413, "That is too much for a request.\n", &answer);
	else
		ms_serve_answer(server->options, &server->guard, ms_route_of(rest),
				strcmp(method, "POST") == 0 ? ms_text_get(&upload->text) : NULL,
				&answer);
	return send_answer(server, connection, &answer);
}

static void done(void *cls, struct MHD_Connection *connection, void **context,
		 enum MHD_RequestTerminationCode why)
{
	struct upload *upload = *context;

	(void)cls;
	(void)connection;
	(void)why;
	if (upload != NULL)
		ms_text_free(&upload->text);
	ms_free(upload);
	*context = NULL;
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
		return ms_fail(err, MS_EUSAGE,
			       "'%s' is no address to listen at; expected one such as 127.0.0.1",
			       o->address);
	}
	if (ms_guard_is_anywhere(o->address))
		return ms_fail(
			err, MS_EUSAGE,
			"%s means all addresses of this machine, and a request must name the "
			"one it is meant for; give that one",
			o->address);
	if (ms_guard_is_loopback(o->address) || o->remote)
		return MS_OK;
	return ms_fail(
		err, MS_EUSAGE,
		"%s can be reached from other machines, and whoever has the address sees "
		"all runs and source lines, unencrypted; if that is meant, add --allow-remote",
		o->address);
}

/* A socket of our own: so the reason is known when it cannot be had. */
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
	if (bind(*fd, (const struct sockaddr *)address, size) != 0 ||
	    listen(*fd, CONNECTIONS) != 0) {
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

/* --- life and death --- */

static void tell(const struct server *server)
{
	struct ms_text address = MS_TEXT_INIT;

	ms_text_addf(&address, "http://%s/%s/", server->guard.hosts[0], server->guard.token);
	server->options->started(address.at, server->options->arg);
	ms_text_free(&address);
}

/* The signals are blocked in all threads, so that they come here and nowhere else. */
static int serve_until_told(struct server *server, int fd, struct ms_err *err)
{
	sigset_t ends, before;
	int number;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &ends, &before);
	struct MHD_Daemon *daemon = MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, take, server,
		MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, done, NULL,
		MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_END);
	if (daemon == NULL) {
		close(fd);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
		return ms_fail(err, MS_EIO, "the server could not be started: %s",
			       strerrordesc_np(errno));
	}
	tell(server);
	while (sigwait(&ends, &number) != 0)
		;
	MHD_stop_daemon(daemon);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return MS_OK;
}

int ms_serve(const struct ms_serve_options *options, struct ms_err *err)
{
	struct server server = { .options = options };
	struct sockaddr_storage address;
	struct ms_text policy = MS_TEXT_INIT;
	unsigned port = 0;
	int fd;

	MS_TRY(parse_address(options, &address, err));
	if (ms_guard_token(server.guard.token) != 0)
		return ms_fail_errno(err, "no random numbers for the address");
	MS_TRY(listen_at(options, &address, &fd, &port, err));
	ms_guard_listen(&server.guard, options->address, ms_guard_is_loopback(options->address),
			port);
	ms_text_addf(&policy, "%s; frame-ancestors 'none'", ms_html_policy());
	server.policy = policy.at;
	int code = serve_until_told(&server, fd, err);
	ms_text_free(&policy);
	return code;
}

const char *ms_serve_library(void)
{
	return MHD_get_version();
}
