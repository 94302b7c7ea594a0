#include "serve/http/connections.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

/* In the order in which they were opened. */
struct ms_http_connection {
	struct ms_http_connection *next, *previous;
	int fd;
	time_t late; /* when it is closed unless it is admitted */
	bool admitted;
	bool closing;
};

struct ms_http_connections {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct ms_http_connection *first, *last;
	size_t open;      /* without those that are being closed */
	unsigned working; /* threads that make an answer */
	time_t worked;    /* when the last of them ended */
	bool stopped;
	pthread_t closer;
};

static time_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec;
}

/* The thread that serves the connection sees its end, and closes it. */
static void close_later(struct ms_http_connections *all, struct ms_http_connection *connection)
{
	shutdown(connection->fd, SHUT_RDWR);
	connection->closing = true;
	all->open--;
}

static struct ms_http_connection *oldest_stranger(struct ms_http_connections *all)
{
	struct ms_http_connection *c = all->first;

	while (c != NULL && (c->admitted || c->closing))
		c = c->next;
	return c;
}

/* When it is closed. */
static time_t end_of(const struct ms_http_connections *all, const struct ms_http_connection *c)
{
	time_t end = all->worked + MS_CONNECTION_SECONDS;

	return end > c->late ? end : c->late;
}

static void *close_late(void *arg)
{
	struct ms_http_connections *all = arg;

	pthread_mutex_lock(&all->lock);
	while (!all->stopped) {
		struct ms_http_connection *c = oldest_stranger(all);

		if (c == NULL || all->working > 0) {
			pthread_cond_wait(&all->changed, &all->lock);
		} else if (end_of(all, c) <= now()) {
			close_later(all, c);
		} else {
			struct timespec late = { .tv_sec = end_of(all, c) };

			pthread_cond_timedwait(&all->changed, &all->lock, &late);
		}
	}
	pthread_mutex_unlock(&all->lock);
	return NULL;
}

struct ms_http_connections *ms_http_connections_start(void)
{
	struct ms_http_connections *all = calloc(1, sizeof(*all));
	pthread_condattr_t clock;

	if (all == NULL)
		return NULL;
	pthread_mutex_init(&all->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&all->changed, &clock);
	pthread_condattr_destroy(&clock);
	int why = pthread_create(&all->closer, NULL, close_late, all);
	if (why == 0)
		return all;
	free(all);
	errno = why;
	return NULL;
}

void ms_http_connections_stop(struct ms_http_connections *all)
{
	pthread_mutex_lock(&all->lock);
	all->stopped = true;
	pthread_cond_signal(&all->changed);
	pthread_mutex_unlock(&all->lock);
	pthread_join(all->closer, NULL);
	pthread_cond_destroy(&all->changed);
	pthread_mutex_destroy(&all->lock);
	free(all);
}

static void append(struct ms_http_connections *all, struct ms_http_connection *connection)
{
	connection->previous = all->last;
	if (all->last != NULL)
		all->last->next = connection;
	else
		all->first = connection;
	all->last = connection;
	all->open++;
}

struct ms_http_connection *ms_http_connections_add(struct ms_http_connections *all, int fd)
{
	struct ms_http_connection *connection = calloc(1, sizeof(*connection));

	if (connection == NULL)
		return NULL;
	connection->fd = fd;
	connection->late = now() + MS_CONNECTION_SECONDS;
	pthread_mutex_lock(&all->lock);
	struct ms_http_connection *oldest = oldest_stranger(all);
	bool room = all->open < MS_CONNECTIONS_MOST || oldest != NULL;
	if (all->open >= MS_CONNECTIONS_MOST && oldest != NULL)
		close_later(all, oldest);
	if (room)
		append(all, connection);
	pthread_cond_signal(&all->changed);
	pthread_mutex_unlock(&all->lock);
	if (!room) {
		free(connection);
		return NULL;
	}
	return connection;
}

void ms_http_connections_admit(struct ms_http_connections *all,
			       struct ms_http_connection *connection)
{
	pthread_mutex_lock(&all->lock);
	connection->admitted = true;
	pthread_mutex_unlock(&all->lock);
}

void ms_http_connections_begin_work(struct ms_http_connections *all)
{
	pthread_mutex_lock(&all->lock);
	all->working++;
	pthread_mutex_unlock(&all->lock);
}

void ms_http_connections_end_work(struct ms_http_connections *all)
{
	pthread_mutex_lock(&all->lock);
	if (--all->working == 0) {
		all->worked = now();
		pthread_cond_signal(&all->changed);
	}
	pthread_mutex_unlock(&all->lock);
}

void ms_http_connections_remove(struct ms_http_connections *all,
				struct ms_http_connection *connection)
{
	pthread_mutex_lock(&all->lock);
	if (connection->previous != NULL)
		connection->previous->next = connection->next;
	else
		all->first = connection->next;
	if (connection->next != NULL)
		connection->next->previous = connection->previous;
	else
		all->last = connection->previous;
	if (!connection->closing)
		all->open--;
	pthread_mutex_unlock(&all->lock);
	free(connection);
}
