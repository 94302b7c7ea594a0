#include "serve/route.h"

#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"

/* A number from 1 on, of at most 18 digits; *path moves to the character after it. */
static bool number(const char **path, int64_t *value)
{
	size_t n = strspn(*path, "0123456789");

	if (n == 0 || n > 18 || **path == '0')
		return false;
	*value = strtoll(*path, NULL, 10);
	*path += n;
	return true;
}

static bool numbers(const char *path, struct ms_serve_route *route, unsigned n, const char *end)
{
	int64_t *const at[] = { &route->run, &route->other, &route->third };

	for (unsigned i = 0; i < n; i++)
		if ((i > 0 && *path++ != '/') || !number(&path, at[i]))
			return false;
	return strcmp(path, end) == 0;
}

struct ms_serve_route ms_serve_route_of(const char *path)
{
	static const struct {
		const char *word;
		enum ms_serve_route_kind kind;
		unsigned numbers;
		const char *end; /* after them */
		enum ms_html_part part;
	} rows[] = {
		{ "", MS_ROUTE_RUNS, 0, "", 0 },
		{ "run/", MS_ROUTE_RUN, 1, "", 0 },
		{ "part/", MS_ROUTE_PART, 1, "/lists.json", MS_HTML_PART_LISTS },
		{ "part/", MS_ROUTE_PART, 1, "/bins.json", MS_HTML_PART_BINS },
		{ "part/", MS_ROUTE_PART, 1, "/frames.json", MS_HTML_PART_FRAMES },
		{ "part/", MS_ROUTE_PART, 1, "/tree.json", MS_HTML_PART_TREE },
		{ "part/", MS_ROUTE_PART, 1, "/time.json", MS_HTML_PART_TIME },
		{ "part/", MS_ROUTE_PART, 1, "/ranks.json", MS_HTML_PART_RANKS },
		{ "part/", MS_ROUTE_PART, 1, "/evictions.json", MS_HTML_PART_EVICTIONS },
		{ "part/", MS_ROUTE_PART, 1, "/sharing.json", MS_HTML_PART_SHARING },
		{ "part/", MS_ROUTE_PART, 1, "/threads.json", MS_HTML_PART_THREADS },
		{ "part/", MS_ROUTE_PART, 1, "/lines.json", MS_HTML_PART_LINES },
		{ "code/", MS_ROUTE_CODE, 2, ".json", 0 },
		{ "data/", MS_ROUTE_DATA, 2, ".json", 0 },
		{ "bin/", MS_ROUTE_BIN, 3, ".json", 0 },
		{ "assembly/", MS_ROUTE_ASSEMBLY, 2, ".json", 0 },
		{ "digest/", MS_ROUTE_DIGEST, 1, ".json", 0 },
		{ "diff/", MS_ROUTE_DIFF, 2, "", 0 },
		{ "rules", MS_ROUTE_RULES, 0, "", 0 },
		{ "live/", MS_ROUTE_LIVE, 1, "", 0 },
		{ "live/", MS_ROUTE_LIVE_RUN, 1, ".json", 0 },
		{ "live.json", MS_ROUTE_LIVE_JSON, 0, "", 0 },
		{ "runs.json", MS_ROUTE_RUNS_JSON, 0, "", 0 },
	};

	for (size_t i = 0; i < MS_COUNT(rows); i++) {
		struct ms_serve_route route = { .kind = rows[i].kind, .part = rows[i].part };
		size_t n = strlen(rows[i].word);

		if (rows[i].numbers == 0
			    ? strcmp(path, rows[i].word) == 0
			    : strncmp(path, rows[i].word, n) == 0 &&
				      numbers(path + n, &route, rows[i].numbers, rows[i].end))
			return route;
	}
	return (struct ms_serve_route){ .kind = MS_ROUTE_NONE };
}

static int digit(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? (int)((at - digits) % 16) : -1;
}

/* Decodes one character of a value; -1: it is invalid. */
static int decode(const char **at)
{
	char c = *(*at)++;

	if (c == '+')
		return ' ';
	if (c != '%')
		return (unsigned char)c;
	int high = digit((*at)[0]), low = high >= 0 ? digit((*at)[1]) : -1;
	if (low < 0)
		return -1;
	*at += 2;
	return high * 16 + low;
}

static const char *find(const char *form, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = form; at != NULL;
	     at = strchr(at, '&'), at = at != NULL ? at + 1 : NULL)
		if (strncmp(at, key, n) == 0 && at[n] == '=')
			return at + n + 1;
	return NULL;
}

bool ms_serve_form_get(const char *form, const char *key, char *out, unsigned long room)
{
	const char *at = find(form, key);
	unsigned long n = 0;

	if (at == NULL)
		return false;
	while (*at != '\0' && *at != '&') {
		int c = decode(&at);

		if (c <= 0 || n + 1 >= room)
			return false;
		out[n++] = (char)c;
	}
	out[n] = '\0';
	return true;
}
