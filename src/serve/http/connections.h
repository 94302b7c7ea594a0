/*
 * serve/http/connections.h - which connections stay open.
 *
 * Every user of the machine can connect, and a connection costs the server something before it is
 * known whether its client has the token. So a client has MS_CONNECTION_SECONDS to send a request
 * that is admitted. When as many connections are open as there may be, the oldest one that was not
 * admitted is closed for a new one: clients without the token cannot keep out those that have it,
 * neither by connections on which they send nothing nor by requests that they send byte by byte.
 * Addresses do not tell clients apart here: all are on this machine.
 *
 * One thread closes what is too late; the others are those of libmicrohttpd.
 */
#ifndef MS_SERVE_HTTP_CONNECTIONS_H
#define MS_SERVE_HTTP_CONNECTIONS_H

#include <stddef.h>

enum { MS_CONNECTION_SECONDS = 5, MS_CONNECTIONS_MOST = 64 };

struct ms_connections;
struct ms_connection;

/* NULL: errno says why not. */
struct ms_connections *ms_connections_start(void);
/* When all of them have been removed. */
void ms_connections_stop(struct ms_connections *all);

/* A new connection at this socket; NULL: no memory, or all others were admitted. */
struct ms_connection *ms_connections_add(struct ms_connections *all, int fd);
/* Its client has the token; it may stay as long as it is in use. */
void ms_connections_admit(struct ms_connections *all, struct ms_connection *connection);
/* Before its socket is closed. */
void ms_connections_remove(struct ms_connections *all, struct ms_connection *connection);

#endif
