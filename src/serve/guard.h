/*
 * serve/guard.h - access control: every request is checked here before anything is opened.
 *
 * The address has a random token in its path, so that only those who have the address get access.
 * The Host header must name the address on which the server listens, so that a page from another
 * site cannot use a name of its own (DNS rebinding). A request that changes something must come
 * from a page of this server.
 *
 * A browser that memspy starts uses an entry: an address with a second token, which opens the first
 * page once. The link to it is in a file, which the browser treats as another site. So a request
 * for the entry may come from anywhere.
 */
#ifndef MS_SERVE_GUARD_H
#define MS_SERVE_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MS_TOKEN_TEXT = 33, MS_HOST_TEXT = 96, MS_GUARD_HOSTS = 3 };

struct ms_serve_guard {
	char token[MS_TOKEN_TEXT];
	char entry[MS_TOKEN_TEXT];                /* empty: there is none */
	char hosts[MS_GUARD_HOSTS][MS_HOST_TEXT]; /* "127.0.0.1:8080", ...; empty: none */
};

/* The relevant headers of a request; NULL if it does not have them. */
struct ms_serve_request {
	const char *method;
	const char *path;
	const char *host;
	const char *origin;
	const char *site;   /* Sec-Fetch-Site */
	const char *marked; /* X-Memspy, which a form of another page cannot send */
	bool ambiguous;     /* one of these headers occurs twice, or contradicts another */
};

/* 128 random bits, in hexadecimal. */
int ms_serve_guard_token(char token[MS_TOKEN_TEXT]);
/* Sets the host names for an address; address as inet_ntop() writes it. */
void ms_serve_guard_listen(struct ms_serve_guard *guard, const char *address, bool loopback,
			   unsigned port);
bool ms_serve_guard_is_loopback(const char *address);
bool ms_serve_guard_is_anywhere(const char *address);

/*
 * 0: the request may pass, and *rest is the path after the token ("" or "run/3"). Otherwise the
 * HTTP status, with a message in *why that reveals nothing about what is served.
 */
unsigned ms_serve_guard_check(const struct ms_serve_guard *guard,
			      const struct ms_serve_request *request, const char **rest,
			      const char **why);
/* Whether the request is for the entry; the caller checks whether the entry was used before. */
bool ms_serve_guard_is_entry(const struct ms_serve_guard *guard,
			     const struct ms_serve_request *request);

#endif
