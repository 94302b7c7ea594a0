/*
 * serve/guard.h - who may ask what: every request passes here before anything is opened.
 *
 * The address has a random token in its path, so that only who was given the address gets in. The
 * name of the server must be the one that was asked to listen, so that no page from elsewhere can
 * come in under a name of its own (DNS rebinding). What changes something must come from a page of
 * this server.
 *
 * A browser that memspy starts comes in through an entry: an address with a second token, which
 * opens the first page once. Its link is in a file, a page from elsewhere for the browser, so an
 * entry may come from anywhere.
 */
#ifndef MS_SERVE_GUARD_H
#define MS_SERVE_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MS_TOKEN_TEXT = 33, MS_HOST_TEXT = 96, MS_GUARD_HOSTS = 3 };

struct ms_guard {
	char token[MS_TOKEN_TEXT];
	char entry[MS_TOKEN_TEXT];                /* empty: there is none */
	char hosts[MS_GUARD_HOSTS][MS_HOST_TEXT]; /* "127.0.0.1:8080", ...; empty: none */
};

/* What a request says of itself; NULL where it says nothing. */
struct ms_request {
	const char *method;
	const char *path;
	const char *host;
	const char *origin;
	const char *site;   /* Sec-Fetch-Site */
	const char *marked; /* X-Memspy, which no form of another page can send */
	bool ambiguous;     /* one of these headers was sent twice, or contradicts another */
};

/* 128 random bits, in hexadecimal. */
int ms_guard_token(char token[MS_TOKEN_TEXT]);
/* The names under which an address may be asked; address as inet_ntop() writes it. */
void ms_guard_listen(struct ms_guard *guard, const char *address, bool loopback, unsigned port);
bool ms_guard_is_loopback(const char *address);
bool ms_guard_is_anywhere(const char *address);

/*
 * 0: the request may pass, and *rest is the path behind the token ("" or "run/3"). Else the HTTP
 * status, with a sentence in *why that tells the caller nothing about what is served.
 */
unsigned ms_guard_check(const struct ms_guard *guard, const struct ms_request *request,
			const char **rest, const char **why);
/* Whether it asks for the entry; whether that was used before is the caller's affair. */
bool ms_guard_is_entry(const struct ms_guard *guard, const struct ms_request *request);

#endif
