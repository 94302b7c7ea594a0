/* serve: what running programs leave beside their database, and what is read of it. */
#include "serve/live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/compiler.h"

#define DB "runs.db"

static char *json_of(void)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ms_serve_live_json(DB, out);
	fclose(out);
	return text;
}

static unsigned count(const char *text, const char *part)
{
	unsigned n = 0;

	for (; (text = strstr(text, part)) != NULL; text++)
		n++;
	return n;
}

static void line_breaks_in_arguments_are_escaped(void **state)
{
	char *const argv[] = { (char *)"./program", (char *)"first\nended 1\nat 1 2 3", NULL };
	const struct ms_serve_live_moment moment = { 2, 1000, 10 };
	struct ms_serve_live live;

	(void)state;
	ms_serve_live_open(&live, DB, argv, "two\nlines", false);
	ms_serve_live_report(&live, &moment, false);
	char *text = json_of();
	assert_non_null(strstr(text, "\"first ended 1 at 1 2 3\""));
	assert_non_null(strstr(text, "\"two lines\""));
	assert_non_null(strstr(text, "\"ended\": false"));
	assert_int_equal(count(text, "\"seconds\""), 1);
	free(text);
	ms_serve_live_close(&live);
	text = json_of();
	assert_int_equal(count(text, "\"pid\""), 0);
	free(text);
}

static void a_long_run_has_few_moments(void **state)
{
	enum { SECONDS = 5000 };
	char *const argv[] = { (char *)"./program", NULL };
	struct ms_serve_live live;

	(void)state;
	ms_serve_live_open(&live, DB, argv, "host", false);
	for (int i = 1; i <= SECONDS; i++) {
		const struct ms_serve_live_moment moment = { i, (uint64_t)i * 100, (uint64_t)i };

		ms_serve_live_report(&live, &moment, false);
		assert_in_range(live.n, 1, MS_LIVE_MOMENTS);
	}
	/* They lie evenly over all of it, and are in order. */
	assert_in_range(live.n, MS_LIVE_MOMENTS / 2, MS_LIVE_MOMENTS);
	for (uint32_t i = 1; i < live.n; i++) {
		double apart = live.moments[i].seconds - live.moments[i - 1].seconds;

		assert_true(apart >= live.apart / 2 && apart <= 2 * live.apart);
	}
	assert_true(live.moments[0].seconds <= 2 * live.apart);
	char *text = json_of();
	assert_int_equal(count(text, "\"seconds\""), live.n + 1);
	free(text);
	ms_serve_live_close(&live);
}

static pid_t a_dead_process(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return pid;
}

static void files_of_ended_processes_are_removed(void **state)
{
	static const char *const ends[] = { "", ".run", ".asked" };
	char *const argv[] = { (char *)"./program", NULL };
	pid_t dead = a_dead_process();
	char path[64];
	struct ms_serve_live live;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(ends); i++) {
		snprintf(path, sizeof(path), DB "-live-%d%s", (int)dead, ends[i]);
		FILE *file = fopen(path, "w");
		assert_non_null(file);
		fclose(file);
	}
	/* Of a process that runs. */
	snprintf(path, sizeof(path), DB "-live-%d.run", (int)getppid());
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
	ms_serve_live_open(&live, DB, argv, "host", false);
	ms_serve_live_close(&live);
	assert_int_equal(unlink(path), 0);
	for (size_t i = 0; i < MS_COUNT(ends); i++) {
		snprintf(path, sizeof(path), DB "-live-%d%s", (int)dead, ends[i]);
		assert_int_not_equal(access(path, F_OK), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_breaks_in_arguments_are_escaped),
		cmocka_unit_test(a_long_run_has_few_moments),
		cmocka_unit_test(files_of_ended_processes_are_removed),
	};
	char folder[] = "/tmp/memspy-live.XXXXXX";

	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		return 1;
	int failed = cmocka_run_group_tests_name("serve live", tests, NULL, NULL);
	return rmdir(folder) != 0 ? 1 : failed;
}
