/*
 * A request to memspy serve with anything in it: the first line is the method, the second the path,
 * then Host, Origin, Sec-Fetch-Site and X-Memspy (an empty line: not sent), the rest a form. Only
 * who has the token passes; what passes is one of the few pages, whose numbers can be written again
 * as the same path. The rest is also read as the file that a running program leaves beside its
 * database.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "serve/guard.h"
#include "serve/live.h"
#include "serve/route.h"

#define TOKEN "0123456789abcdef0123456789abcdef"

static const char *next_line(char **at)
{
	char *line = *at, *end = line != NULL ? strchr(line, '\n') : NULL;

	if (end != NULL)
		*end = '\0';
	*at = end != NULL ? end + 1 : NULL;
	return line != NULL && line[0] != '\0' ? line : NULL;
}

static void check_route(const char *rest)
{
	struct ms_route route = ms_route_of(rest);
	char again[64] = "";

	if (route.kind == MS_ROUTE_RUN)
		snprintf(again, sizeof(again), "run/%lld", (long long)route.run);
	else if (route.kind == MS_ROUTE_DIFF)
		snprintf(again, sizeof(again), "diff/%lld/%lld", (long long)route.run,
			 (long long)route.other);
	else
		return;
	if (strcmp(again, rest) != 0)
		fuzz_fail("'%s' means %s", rest, again);
}

static void check_form(const char *form)
{
	char small[8], large[256];

	if (ms_form_get(form, "name", small, sizeof(small)) &&
	    (!ms_form_get(form, "name", large, sizeof(large)) || strcmp(small, large) != 0))
		fuzz_fail("'%s' has two values of name", form);
}

/* As memspy run would have left it: whatever comes of it is an array, or nothing is. */
static void check_live(const char *text)
{
	char folder[] = "/tmp/memspy-fuzz-XXXXXX", path[64], db[48], *json = NULL;
	size_t size;

	if (mkdtemp(folder) == NULL)
		return;
	snprintf(db, sizeof(db), "%s/a.db", folder);
	snprintf(path, sizeof(path), "%s-live-%d", db, (int)getpid());
	FILE *file = fopen(path, "w"), *out = open_memstream(&json, &size);
	fputs(text, file);
	fclose(file);
	ms_live_json(db, out);
	fclose(out);
	if (json[0] != '[')
		fuzz_fail("no array: %s", json);
	free(json);
	unlink(path);
	rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ms_guard guard = { .token = TOKEN };
	char *text = strndup((const char *)data, size), *at = text;
	const char *rest = NULL, *why = NULL;
	struct ms_request r;

	ms_guard_listen(&guard, "127.0.0.1", true, 8377);
	r.method = next_line(&at);
	r.path = next_line(&at);
	r.host = next_line(&at);
	r.origin = next_line(&at);
	r.site = next_line(&at);
	r.marked = next_line(&at);
	unsigned status = ms_guard_check(&guard, &r, &rest, &why);
	if (status == 0 && (r.path == NULL || strncmp(r.path, "/" TOKEN, sizeof(TOKEN)) != 0))
		fuzz_fail("passed without the token: %s", r.path);
	if (status == 0 && r.origin != NULL && strstr(r.origin, ":8377") == NULL)
		fuzz_fail("passed from %s", r.origin);
	if (status == 0)
		check_route(rest);
	if (r.path != NULL)
		check_route(r.path);
	check_form(at != NULL ? at : "");
	check_live(at != NULL ? at : "");
	free(text);
	return 0;
}
