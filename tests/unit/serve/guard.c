/* Which requests memspy serve accepts, which pages there are, and what forms contain. */
#include "serve/guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "serve/route.h"

#define TOKEN "0123456789abcdef0123456789abcdef"
#define HOST  "127.0.0.1:8377"
#define AT    __LINE__

static struct ms_serve_guard guard(void)
{
	struct ms_serve_guard g = { .token = TOKEN };

	ms_serve_guard_listen(&g, "127.0.0.1", true, 8377);
	return g;
}

struct request_case {
	int line;
	struct ms_serve_request r;
	unsigned status;
	const char *rest;
};

/* The client has the address. */
static const struct request_case with_address[] = {
	{ AT, { "GET", "/" TOKEN "/", HOST, NULL, NULL, NULL, false }, 0, "" },
	{ AT, { "GET", "/" TOKEN, HOST, NULL, "none", NULL, false }, 0, "" },
	{ AT, { "HEAD", "/" TOKEN "/run/3", HOST, NULL, "same-origin", NULL, false }, 0, "run/3" },
	{ AT,
	  { "GET", "/" TOKEN "/run/3", "localhost:8377", NULL, NULL, NULL, false },
	  0,
	  "run/3" },
	{ AT, { "GET", "/" TOKEN "/x", "LOCALHOST:8377", NULL, NULL, NULL, false }, 0, "x" },
};

/* Without the token, or with a part of it. */
static const struct request_case without_token[] = {
	{ AT, { "GET", "/", HOST, NULL, NULL, NULL, false }, 404, NULL },
	{ AT, { "GET", "", HOST, NULL, NULL, NULL, false }, 404, NULL },
	{ AT, { "GET", NULL, HOST, NULL, NULL, NULL, false }, 404, NULL },
	{ AT,
	  { "GET", "/0123456789abcdef0123456789abcde", HOST, NULL, NULL, NULL, false },
	  404,
	  NULL },
	{ AT, { "GET", "/" TOKEN "0", HOST, NULL, NULL, NULL, false }, 404, NULL },
	{ AT,
	  { "GET", "/0123456789abcdef0123456789abcdee/", HOST, NULL, NULL, NULL, false },
	  404,
	  NULL },
	{ AT,
	  { "GET", "/0123456789ABCDEF0123456789ABCDEF/", HOST, NULL, NULL, NULL, false },
	  404,
	  NULL },
};

/* By another host name: DNS rebinding resolves the name of a foreign page to this machine. */
static const struct request_case other_host[] = {
	{ AT, { "GET", "/" TOKEN "/", "evil.example:8377", NULL, NULL, NULL, false }, 403, NULL },
	{ AT, { "GET", "/" TOKEN "/", "127.0.0.1", NULL, NULL, NULL, false }, 403, NULL },
	{ AT, { "GET", "/" TOKEN "/", "127.0.0.1:8378", NULL, NULL, NULL, false }, 403, NULL },
	{ AT,
	  { "GET", "/" TOKEN "/", "127.0.0.1:8377.evil.example", NULL, NULL, NULL, false },
	  403,
	  NULL },
	{ AT, { "GET", "/" TOKEN "/", "", NULL, NULL, NULL, false }, 403, NULL },
	{ AT, { "GET", "/" TOKEN "/", NULL, NULL, NULL, NULL, false }, 403, NULL },
};

/* From another page. */
static const struct request_case other_page[] = {
	{ AT, { "GET", "/" TOKEN "/", HOST, "http://evil.example", NULL, NULL, false }, 403, NULL },
	{ AT, { "GET", "/" TOKEN "/", HOST, "https://" HOST, NULL, NULL, false }, 403, NULL },
	{ AT, { "GET", "/" TOKEN "/", HOST, "null", NULL, NULL, false }, 403, NULL },
	{ AT, { "GET", "/" TOKEN "/", HOST, NULL, "cross-site", NULL, false }, 403, NULL },
	{ AT, { "GET", "/" TOKEN "/", HOST, NULL, "same-site", NULL, false }, 403, NULL },
	{ AT, { "GET", "/" TOKEN "/", HOST, "http://" HOST, "same-origin", NULL, false }, 0, "" },
};

/* Requests that change something. */
static const struct request_case changes[] = {
	{ AT,
	  { "POST", "/" TOKEN "/rules", HOST, "http://" HOST, "same-origin", "1", false },
	  0,
	  "rules" },
	{ AT,
	  { "POST", "/" TOKEN "/rules", HOST, "http://" HOST, "same-origin", NULL, false },
	  403,
	  NULL },
	{ AT, { "POST", "/" TOKEN "/rules", HOST, NULL, NULL, "1", false }, 403, NULL },
	{ AT,
	  { "POST", "/" TOKEN "/rules", HOST, "http://evil.example", NULL, "1", false },
	  403,
	  NULL },
	{ AT, { "DELETE", "/" TOKEN "/run/3", HOST, NULL, NULL, NULL, false }, 405, NULL },
	{ AT, { "", "/" TOKEN "/", HOST, NULL, NULL, NULL, false }, 405, NULL },
	{ AT, { NULL, "/" TOKEN "/", HOST, NULL, NULL, NULL, false }, 405, NULL },
};

/* Two Host headers, or two lengths of the body. */
static const struct request_case ambiguous[] = {
	{ AT, { "GET", "/" TOKEN "/", HOST, NULL, NULL, NULL, true }, 400, NULL },
	{ AT, { "GET", "/" TOKEN "/", "evil.example", NULL, NULL, NULL, true }, 400, NULL },
};

static void expect_answers(const struct request_case *cases, size_t n)
{
	struct ms_serve_guard g = guard();

	for (size_t i = 0; i < n; i++) {
		const char *rest = NULL, *why = NULL;
		unsigned status = ms_serve_guard_check(&g, &cases[i].r, &rest, &why);

		if (status != cases[i].status)
			fail_msg("line %d: status %u, expected %u", cases[i].line, status,
				 cases[i].status);
		if (status == 0)
			assert_string_equal(rest, cases[i].rest);
		else
			assert_true(why != NULL && why[0] != '\0');
	}
}

static void accepts_requests_with_the_address(void **state)
{
	(void)state;
	expect_answers(with_address, MS_COUNT(with_address));
}

static void refuses_requests_without_the_token(void **state)
{
	(void)state;
	expect_answers(without_token, MS_COUNT(without_token));
}

static void refuses_other_host_names(void **state)
{
	(void)state;
	expect_answers(other_host, MS_COUNT(other_host));
}

static void refuses_requests_of_other_pages(void **state)
{
	(void)state;
	expect_answers(other_page, MS_COUNT(other_page));
}

static void changes_need_origin_and_header(void **state)
{
	(void)state;
	expect_answers(changes, MS_COUNT(changes));
}

static void refuses_ambiguous_requests(void **state)
{
	(void)state;
	expect_answers(ambiguous, MS_COUNT(ambiguous));
}

/* The entry opens with its own token, from any page, and leads nowhere else. */
static void entries(void **state)
{
#define ENTRY "fedcba9876543210fedcba9876543210"
	static const struct {
		struct ms_serve_request r;
		bool is_entry;
	} cases[] = {
		{ { "GET", "/" ENTRY, HOST, NULL, "cross-site", NULL, false }, true },
		{ { "GET", "/" ENTRY, "localhost:8377", NULL, NULL, NULL, false }, true },
		{ { "GET", "/" ENTRY "/", HOST, NULL, NULL, NULL, false }, false },
		{ { "GET", "/" ENTRY "/run/3", HOST, NULL, NULL, NULL, false }, false },
		{ { "GET", "/" TOKEN, HOST, NULL, NULL, NULL, false }, false },
		{ { "GET", "/", HOST, NULL, NULL, NULL, false }, false },
		{ { "GET", NULL, HOST, NULL, NULL, NULL, false }, false },
		{ { "HEAD", "/" ENTRY, HOST, NULL, NULL, NULL, false }, false },
		{ { "POST", "/" ENTRY, HOST, NULL, NULL, NULL, false }, false },
		{ { "GET", "/" ENTRY, "evil.example:8377", NULL, NULL, NULL, false }, false },
		{ { "GET", "/" ENTRY, NULL, NULL, NULL, NULL, false }, false },
		{ { "GET", "/" ENTRY, HOST, NULL, NULL, NULL, true }, false },
	};
	struct ms_serve_guard g = guard(), none = guard();
	const char *rest, *why;

	(void)state;
	memcpy(g.entry, ENTRY, sizeof(ENTRY));
	for (size_t i = 0; i < MS_COUNT(cases); i++)
		if (ms_serve_guard_is_entry(&g, &cases[i].r) != cases[i].is_entry)
			fail_msg("case %zu: expected %d", i, cases[i].is_entry);
	assert_int_equal(ms_serve_guard_check(&g, &cases[1].r, &rest, &why), 404);
	assert_false(ms_serve_guard_is_entry(&none, &cases[0].r));
}

static void addresses(void **state)
{
	struct ms_serve_guard six = { .token = TOKEN };
	char a[MS_TOKEN_TEXT], b[MS_TOKEN_TEXT];

	(void)state;
	assert_true(ms_serve_guard_is_loopback("127.0.0.1"));
	assert_true(ms_serve_guard_is_loopback("127.8.9.1"));
	assert_true(ms_serve_guard_is_loopback("::1"));
	assert_false(ms_serve_guard_is_loopback("0.0.0.0"));
	assert_false(ms_serve_guard_is_loopback("::"));
	assert_false(ms_serve_guard_is_loopback("10.0.0.1"));
	assert_false(ms_serve_guard_is_loopback("localhost"));
	assert_true(ms_serve_guard_is_anywhere("0.0.0.0"));
	assert_true(ms_serve_guard_is_anywhere("::"));
	assert_false(ms_serve_guard_is_anywhere("10.0.0.1"));
	ms_serve_guard_listen(&six, "::1", true, 80);
	assert_string_equal(six.hosts[0], "[::1]:80");
	assert_int_equal(ms_serve_guard_token(a), 0);
	assert_int_equal(ms_serve_guard_token(b), 0);
	assert_int_equal(strlen(a), MS_TOKEN_TEXT - 1);
	assert_int_equal(strspn(a, "0123456789abcdef"), MS_TOKEN_TEXT - 1);
	assert_string_not_equal(a, b);
}

static const struct {
	const char *path;
	enum ms_serve_route_kind kind;
	int64_t run, other;
} route_cases[] = {
	{ "", MS_ROUTE_RUNS, 0, 0 },
	{ "run/3", MS_ROUTE_RUN, 3, 0 },
	{ "run/999999999999999999", MS_ROUTE_RUN, 999999999999999999, 0 },
	{ "diff/3/14", MS_ROUTE_DIFF, 3, 14 },
	{ "assembly/3/7.json", MS_ROUTE_ASSEMBLY, 3, 7 },
	{ "digest/3.json", MS_ROUTE_DIGEST, 3, 0 },
	{ "digest/3", MS_ROUTE_NONE, 0, 0 },
	{ "part/3/lists.json", MS_ROUTE_PART, 3, 0 },
	{ "part/3/lines.json", MS_ROUTE_PART, 3, 0 },
	{ "part/3/page.json", MS_ROUTE_NONE, 0, 0 },
	{ "part/3/.json", MS_ROUTE_NONE, 0, 0 },
	{ "part/3", MS_ROUTE_NONE, 0, 0 },
	{ "part/0/lines.json", MS_ROUTE_NONE, 0, 0 },
	{ "code/3/7.json", MS_ROUTE_CODE, 3, 7 },
	{ "code/3/0.json", MS_ROUTE_NONE, 0, 0 },
	{ "data/3/2.json", MS_ROUTE_DATA, 3, 2 },
	{ "data/3.json", MS_ROUTE_NONE, 0, 0 },
	{ "bin/3/7/2.json", MS_ROUTE_BIN, 3, 7 },
	{ "bin/3/7.json", MS_ROUTE_NONE, 0, 0 },
	{ "bin/3/7/2/1.json", MS_ROUTE_NONE, 0, 0 },
	{ "bin/3/7/.json", MS_ROUTE_NONE, 0, 0 },
	{ "assembly/3/0.json", MS_ROUTE_NONE, 0, 0 },
	{ "assembly/3/7", MS_ROUTE_NONE, 0, 0 },
	{ "rules", MS_ROUTE_RULES, 0, 0 },
	{ "live.json", MS_ROUTE_LIVE_JSON, 0, 0 },
	{ "runs.json", MS_ROUTE_RUNS_JSON, 0, 0 },
	{ "live/123", MS_ROUTE_LIVE, 123, 0 },
	{ "live/123.json", MS_ROUTE_LIVE_RUN, 123, 0 },
	{ "live/", MS_ROUTE_NONE, 0, 0 },
	{ "live/0.json", MS_ROUTE_NONE, 0, 0 },
	{ "live/123.run", MS_ROUTE_NONE, 0, 0 },
	{ "live/123.json.run", MS_ROUTE_NONE, 0, 0 },
	{ "live/123/.json", MS_ROUTE_NONE, 0, 0 },
	{ "live/../123", MS_ROUTE_NONE, 0, 0 },
	{ "run/3.json", MS_ROUTE_NONE, 0, 0 },
	{ "run", MS_ROUTE_NONE, 0, 0 },
	{ "run/", MS_ROUTE_NONE, 0, 0 },
	{ "run/0", MS_ROUTE_NONE, 0, 0 },
	{ "run/-1", MS_ROUTE_NONE, 0, 0 },
	{ "run/3/", MS_ROUTE_NONE, 0, 0 },
	{ "run/3x", MS_ROUTE_NONE, 0, 0 },
	{ "run/ 3", MS_ROUTE_NONE, 0, 0 },
	{ "run/9999999999999999999", MS_ROUTE_NONE, 0, 0 },
	{ "diff/3", MS_ROUTE_NONE, 0, 0 },
	{ "diff/3/", MS_ROUTE_NONE, 0, 0 },
	{ "diff/3/4/5", MS_ROUTE_NONE, 0, 0 },
	{ "../../etc/passwd", MS_ROUTE_NONE, 0, 0 },
	{ "run/../3", MS_ROUTE_NONE, 0, 0 },
	{ "/etc/passwd", MS_ROUTE_NONE, 0, 0 },
	{ "memspy.db", MS_ROUTE_NONE, 0, 0 },
};

static void routes(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(route_cases); i++) {
		struct ms_serve_route route = ms_serve_route_of(route_cases[i].path);

		if (route.kind != route_cases[i].kind)
			fail_msg("'%s' is %d, expected %d", route_cases[i].path, (int)route.kind,
				 (int)route_cases[i].kind);
		if (route.kind != MS_ROUTE_NONE) {
			assert_int_equal(route.run, route_cases[i].run);
			assert_int_equal(route.other, route_cases[i].other);
		}
	}
}

static void routes_have_parts_and_two_rows(void **state)
{
	struct ms_serve_route bin = ms_serve_route_of("bin/3/7/2.json");

	(void)state;
	assert_int_equal(bin.third, 2);
	assert_int_equal(ms_serve_route_of("part/3/lists.json").part, MS_HTML_PART_LISTS);
	assert_int_equal(ms_serve_route_of("part/3/time.json").part, MS_HTML_PART_TIME);
	assert_int_equal(ms_serve_route_of("part/3/lines.json").part, MS_HTML_PART_LINES);
}

static void forms(void **state)
{
	static const struct {
		const char *form, *value; /* of the field "to"; NULL: none */
	} cases[] = {
		{ "to=b", "b" },
		{ "from=a&to=b&x=c", "b" },
		{ "to=", "" },
		{ "to=a+b%20c%3d%26%C3%A9", "a b c=&\xc3\xa9" },
		{ "", NULL },
		{ "into=b", NULL },
		{ "to", NULL },
		{ "to=%", NULL },
		{ "to=%4", NULL },
		{ "to=%4g", NULL },
		{ "to=a%00b", NULL },
		{ "to=12345678", "12345678" },
		{ "to=123456789012345678901234567890123", NULL },
	};
	char out[32];

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		bool found = ms_serve_form_get(cases[i].form, "to", out, sizeof(out));

		if (found != (cases[i].value != NULL))
			fail_msg("'%s': %s", cases[i].form, found ? out : "none");
		if (found)
			assert_string_equal(out, cases[i].value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts_requests_with_the_address),
		cmocka_unit_test(refuses_requests_without_the_token),
		cmocka_unit_test(refuses_other_host_names),
		cmocka_unit_test(refuses_requests_of_other_pages),
		cmocka_unit_test(changes_need_origin_and_header),
		cmocka_unit_test(refuses_ambiguous_requests),
		cmocka_unit_test(entries),
		cmocka_unit_test(addresses),
		cmocka_unit_test(routes),
		cmocka_unit_test(routes_have_parts_and_two_rows),
		cmocka_unit_test(forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
