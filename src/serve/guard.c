#include "serve/guard.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "base/compiler.h"

int ms_serve_guard_token(char token[MS_TOKEN_TEXT])
{
	unsigned char random[(MS_TOKEN_TEXT - 1) / 2];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return -1;
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(token + 2 * i, 3, "%02x", random[i]);
	return 0;
}

bool ms_serve_guard_is_loopback(const char *address)
{
	struct in6_addr six;
	struct in_addr four;

	if (inet_pton(AF_INET, address, &four) == 1)
		return ntohl(four.s_addr) >> 24 == 127;
	return inet_pton(AF_INET6, address, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

bool ms_serve_guard_is_anywhere(const char *address)
{
	struct in6_addr six;
	struct in_addr four;

	if (inet_pton(AF_INET, address, &four) == 1)
		return four.s_addr == htonl(INADDR_ANY);
	return inet_pton(AF_INET6, address, &six) == 1 && IN6_IS_ADDR_UNSPECIFIED(&six);
}

void ms_serve_guard_listen(struct ms_serve_guard *guard, const char *address, bool loopback,
			   unsigned port)
{
	bool six = strchr(address, ':') != NULL;

	snprintf(guard->hosts[0], MS_HOST_TEXT, six ? "[%s]:%u" : "%s:%u", address, port);
	if (loopback)
		snprintf(guard->hosts[1], MS_HOST_TEXT, "localhost:%u", port);
}

static bool is_host(const struct ms_serve_guard *guard, const char *host)
{
	for (size_t i = 0; host != NULL && i < MS_GUARD_HOSTS; i++)
		if (guard->hosts[i][0] != '\0' && strcasecmp(guard->hosts[i], host) == 0)
			return true;
	return false;
}

/*
 * The comparison takes constant time, so that its duration does not reveal how much of the token is
 * right.
 */
static bool same_token(const char *token, const char *given)
{
	unsigned char different = 0;

	for (size_t i = 0; i < MS_TOKEN_TEXT - 1; i++) {
		if (given[i] == '\0')
			return false;
		different |= (unsigned char)(token[i] ^ given[i]);
	}
	return different == 0 &&
	       (given[MS_TOKEN_TEXT - 1] == '/' || given[MS_TOKEN_TEXT - 1] == '\0');
}

static bool is_own(const struct ms_serve_guard *guard, const char *origin)
{
	static const char scheme[] = "http://";

	return strncasecmp(origin, scheme, sizeof(scheme) - 1) == 0 &&
	       is_host(guard, origin + sizeof(scheme) - 1);
}

static bool from_elsewhere(const struct ms_serve_guard *guard, const struct ms_serve_request *r)
{
	if (r->origin != NULL && !is_own(guard, r->origin))
		return true;
	/*
	 * A link in a mail or a bookmark has the value "none", a link of another page "cross-site".
	 */
	return r->site != NULL && strcmp(r->site, "same-origin") != 0 &&
	       strcmp(r->site, "none") != 0;
}

unsigned ms_serve_guard_check(const struct ms_serve_guard *guard, const struct ms_serve_request *r,
			      const char **rest, const char **why)
{
	bool changes = r->method != NULL && strcmp(r->method, "POST") == 0;

	*why = "A header of this request was sent twice, or contradicts another.\n";
	if (r->ambiguous)
		return 400;
	*why = "Not an address of memspy serve; it prints its address when it starts.\n";
	if (!is_host(guard, r->host) || from_elsewhere(guard, r))
		return 403;
	if (r->path == NULL || r->path[0] != '/' || !same_token(guard->token, r->path + 1))
		return 404;
	*rest = r->path + MS_TOKEN_TEXT;
	if (**rest == '/')
		++*rest;
	*why = "Only GET, HEAD and POST are understood here.\n";
	if (!changes && (r->method == NULL ||
			 (strcmp(r->method, "GET") != 0 && strcmp(r->method, "HEAD") != 0)))
		return 405;
	*why = "Changes are taken from pages of this server only.\n";
	if (changes && (r->origin == NULL || r->marked == NULL))
		return 403;
	return 0;
}

bool ms_serve_guard_is_entry(const struct ms_serve_guard *guard, const struct ms_serve_request *r)
{
	return guard->entry[0] != '\0' && !r->ambiguous && is_host(guard, r->host) &&
	       r->method != NULL && strcmp(r->method, "GET") == 0 && r->path != NULL &&
	       r->path[0] == '/' && same_token(guard->entry, r->path + 1) &&
	       r->path[MS_TOKEN_TEXT] == '\0';
}
