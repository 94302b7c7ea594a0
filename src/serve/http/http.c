/*
 * serve/http/http.c - the module memspy-http.so: takes requests, asks the site, sends its answers
 * (libmicrohttpd). It sees nothing of memspy but the table in serve/http.h.
 */
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "serve/http.h"

enum { THREADS = 4, CONNECTIONS = 64, PATIENCE = 30, CONNECTION_MEMORY = 32 << 10 };

/* What was sent so far; one for each request. */
struct upload {
	size_t n;
	bool too_much;
	char text[MS_FORM_MOST + 1];
};

static const char *header(struct MHD_Connection *connection, const char *name)
{
	return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum MHD_Result send_answer(const struct ms_http_site *site,
				   struct MHD_Connection *connection,
				   const struct ms_answer *answer)
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
	if (answer->status == 405)
		MHD_add_response_header(response, "Allow", "GET, HEAD, POST");
	enum MHD_Result result = MHD_queue_response(connection, answer->status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result begin(void **context)
{
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

/* Called for the head of a request, then for each part of what is sent with it, then once more. */
static enum MHD_Result take(void *cls, struct MHD_Connection *connection, const char *url,
			    const char *method, const char *version, const char *data, size_t *size,
			    void **context)
{
	const struct ms_http_site *site = cls;
	const struct ms_request request = {
		method,
		url,
		header(connection, "Host"),
		header(connection, "Origin"),
		header(connection, "Sec-Fetch-Site"),
		header(connection, "X-Memspy"),
	};
	struct upload *upload = *context;
	struct ms_answer answer;

	(void)version;
	if (upload == NULL)
		return begin(context);
	if (*size > 0) {
		keep(upload, data, *size);
		*size = 0;
		return MHD_YES;
	}
	upload->text[upload->n] = '\0';
	site->answer(site->arg, &request, upload->too_much ? NULL : upload->text, &answer);
	return send_answer(site, connection, &answer);
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

static struct ms_http_daemon *start(int fd, const struct ms_http_site *site)
{
	return (struct ms_http_daemon *)MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, take, (void *)site,
		MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, done, NULL,
		MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS, MHD_OPTION_CONNECTION_LIMIT,
		(unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_END);
}

static void stop(struct ms_http_daemon *daemon)
{
	MHD_stop_daemon((struct MHD_Daemon *)daemon);
}

const struct ms_http memspy_http_1 = { start, stop, MHD_get_version };
