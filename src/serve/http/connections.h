/*
 * serve/http/connections.h - which connections stay open.
 *
 * Every user of the machine can connect, and a connection costs resources before it is known
 * whether its client has the token. So a client has MS_CONNECTION_SECONDS to send a request that is
 * admitted. If the maximum number of connections is open, the oldest one that was not admitted is
 * closed for a new one. So clients without the token cannot keep out those that have it, neither by
 * connections on which they send nothing nor by requests that they send byte by byte. Addresses do
 * not distinguish clients here: all are on this machine.
 *
 * A thread that makes an answer reads no requests: its time does not count.
 *
 * One thread closes connections that exceed the time; the other threads are those of libmicrohttpd.
 */
#ifndef MS_SERVE_HTTP_CONNECTIONS_H
#define MS_SERVE_HTTP_CONNECTIONS_H

#include <stddef.h>

enum { MS_CONNECTION_SECONDS = 5, MS_CONNECTIONS_MOST = 64 };

struct ms_http_connections;
struct ms_http_connection;

/* NULL: errno has the reason. */
struct ms_http_connections *ms_http_connections_start(void);
/* Must be called after all of them have been removed. */
void ms_http_connections_stop(struct ms_http_connections *all);

/* Adds a connection at this socket; NULL: no memory, or all others were admitted. */
struct ms_http_connection *ms_http_connections_add(struct ms_http_connections *all, int fd);
/* Marks that its client has the token; it may stay as long as it is in use. */
void ms_http_connections_admit(struct ms_http_connections *all,
			       struct ms_http_connection *connection);
/* Around the making of an answer: the thread reads no other request meanwhile. */
void ms_http_connections_begin_work(struct ms_http_connections *all);
void ms_http_connections_end_work(struct ms_http_connections *all);
/* Must be called before its socket is closed. */
void ms_http_connections_remove(struct ms_http_connections *all,
				struct ms_http_connection *connection);

#endif
