/*
 * serve/http/http.c - the module memspy-http.so: receives requests, calls the site, sends its
 * answers (libmicrohttpd). It uses nothing of memspy but the table in serve/http.h.
 */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/compiler.h"
#include "serve/http.h"
#include "serve/http/connections.h"

/* More connections than MS_CONNECTIONS_MOST, since some of them may be waiting to be closed. */
enum { THREADS = 4, CONNECTIONS = 512, PATIENCE = 30, CONNECTION_MEMORY = 32 << 10 };

struct ms_http_daemon {
	const struct ms_serve_http_site *site;
	struct ms_http_connections *connections;
	struct MHD_Daemon *mhd;
};

/* The body received so far; one for each request. */
struct upload {
	size_t n;
	bool too_much;
	char text[MS_FORM_MOST + 1];
};

static const char *header(struct MHD_Connection *connection, const char *name)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* --- the headers of a request --- */

struct counting {
	const char *name;
	unsigned n;
};

static enum MHD_Result count_header(void *cls, enum MHD_ValueKind kind, const char *name,
				    const char *value)
{
	struct counting *counting = cls;

	(void)kind;
	(void)value;
	counting->n += strcasecmp(name, counting->name) == 0;
	return MHD_YES;
}

static unsigned count(struct MHD_Connection *connection, const char *name)
{
	struct counting counting = { name, 0 };

	MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, &counting);
	return counting.n;
}

/* libmicrohttpd uses the first of several headers of a name; another program may use the last. */
static bool is_ambiguous(struct MHD_Connection *connection)
{
	static const char *const once[] = { "Host",     "Origin",         "Sec-Fetch-Site",
					    "X-Memspy", "Content-Length", "Transfer-Encoding" };

	for (size_t i = 0; i < MS_COUNT(once); i++)
		if (count(connection, once[i]) > 1)
			return true;
	return count(connection, "Content-Length") > 0 &&
	       count(connection, "Transfer-Encoding") > 0;
}

static struct ms_serve_request request_of(struct MHD_Connection *connection, const char *method,
					  const char *url)
{
	return (struct ms_serve_request){
		.method = method,
		.path = url,
		.host = header(connection, "Host"),
		.origin = header(connection, "Origin"),
		.site = header(connection, "Sec-Fetch-Site"),
		.marked = header(connection, "X-Memspy"),
		.ambiguous = is_ambiguous(connection),
	};
}

/* --- answers --- */

static enum MHD_Result send_answer(const struct ms_serve_http_site *site,
				   struct MHD_Connection *connection,
				   const struct ms_serve_response *answer, bool last)
{
	const char *const headers[][2] = {
		{ "Content-Type", answer->type },
		{ "Content-Security-Policy", site->policy },
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
	if (last)
		MHD_add_response_header(response, "Connection", "close");
	if (answer->status == 405)
		MHD_add_response_header(response, "Allow", "GET, HEAD, POST");
	enum MHD_Result result = MHD_queue_response(connection, answer->status, response);
	MHD_destroy_response(response);
	return result;
}

/* Clients without access are refused before a body is read or anything is stored for it. */
static enum MHD_Result begin(struct ms_http_daemon *daemon, struct MHD_Connection *connection,
			     const struct ms_serve_request *request, void **context)
{
	struct ms_http_connection *known =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
			->socket_context;
	struct ms_serve_response refusal;

	if (known == NULL) /* the limit of connections is reached: it is being closed */
		return MHD_NO;
	if (daemon->site->refuses(daemon->site->arg, request, &refusal))
		return send_answer(daemon->site, connection, &refusal, true);
	ms_http_connections_admit(daemon->connections, known);
	struct upload *upload = malloc(sizeof(*upload));
	if (upload == NULL)
		return MHD_NO;
	upload->n = 0;
	upload->too_much = false;
	*context = upload;
	return MHD_YES;
}

static void keep(struct upload *upload, const char *data, size_t size)
{
	upload->too_much = upload->too_much || size > MS_FORM_MOST - upload->n;
	if (upload->too_much)
		return;
	memcpy(upload->text + upload->n, data, size);
	upload->n += size;
}

/* Called for the headers of a request, then for each part of its body, then once more. */
static enum MHD_Result take(void *cls, struct MHD_Connection *connection, const char *url,
			    const char *method, const char *version, const char *data, size_t *size,
			    void **context)
{
	struct ms_http_daemon *daemon = cls;
	const struct ms_serve_http_site *site = daemon->site;
	const struct ms_serve_request request = request_of(connection, method, url);
	struct upload *upload = *context;
	struct ms_serve_response answer;

	(void)version;
	if (upload == NULL)
		return begin(daemon, connection, &request, context);
	if (*size > 0) {
		keep(upload, data, *size);
		*size = 0;
		return MHD_YES;
	}
	upload->text[upload->n] = '\0';
	ms_http_connections_begin_work(daemon->connections);
	site->answer(site->arg, &request, upload->too_much ? NULL : upload->text, &answer);
	ms_http_connections_end_work(daemon->connections);
	return send_answer(site, connection, &answer, false);
}

static void done(void *cls, struct MHD_Connection *connection, void **context,
		 enum MHD_RequestTerminationCode why)
{
	(void)cls;
	(void)connection;
	(void)why;
	free(*context);
	*context = NULL;
}

/* Called when a connection begins and ends; its context is its entry in ms_http_connections. */
static void notice(void *cls, struct MHD_Connection *connection, void **context,
		   enum MHD_ConnectionNotificationCode what)
{
	struct ms_http_daemon *daemon = cls;
	int fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;

	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		*context = ms_http_connections_add(daemon->connections, fd);
		if (*context == NULL)
			shutdown(fd, SHUT_RDWR);
	} else if (*context != NULL) {
		ms_http_connections_remove(daemon->connections, *context);
		*context = NULL;
	}
}

static struct MHD_Daemon *start_mhd(int fd, struct ms_http_daemon *daemon)
{
	return MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, take, daemon,
		MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, done, NULL,
		MHD_OPTION_NOTIFY_CONNECTION, notice, daemon, MHD_OPTION_STRICT_FOR_CLIENT, 1,
		MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_END);
}

static struct ms_http_daemon *start(int fd, const struct ms_serve_http_site *site)
{
	struct ms_http_daemon *daemon = calloc(1, sizeof(*daemon));

	if (daemon == NULL)
		return NULL;
	daemon->site = site;
	daemon->connections = ms_http_connections_start();
	if (daemon->connections != NULL)
		daemon->mhd = start_mhd(fd, daemon);
	if (daemon->mhd != NULL)
		return daemon;
	int why = errno;
	if (daemon->connections != NULL)
		ms_http_connections_stop(daemon->connections);
	free(daemon);
	errno = why;
	return NULL;
}

static void stop(struct ms_http_daemon *daemon)
{
	MHD_stop_daemon(daemon->mhd);
	ms_http_connections_stop(daemon->connections);
	free(daemon);
}

const struct ms_serve_http_module memspy_http_2 = { start, stop, MHD_get_version };
