#include "cli/browser.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/thread.h"

/* --- the file --- */

/* XDG_RUNTIME_DIR is gone after the session, and browsers that see a /tmp of their own may read it.
 */
static const char *parent_directory(void)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR"), *temporary = getenv("TMPDIR");
	struct stat about;

	if (runtime != NULL && runtime[0] == '/' && stat(runtime, &about) == 0 &&
	    S_ISDIR(about.st_mode) && about.st_uid == getuid() && access(runtime, W_OK) == 0)
		return runtime;
	return temporary != NULL && temporary[0] == '/' ? temporary : "/tmp";
}

static bool write_link(const char *path, const char *address)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;

	if (file == NULL) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	fprintf(file,
		"<!doctype html><meta charset=\"utf-8\"><title>memspy</title>"
		"<meta name=\"referrer\" content=\"no-referrer\">"
		"<meta http-equiv=\"refresh\" content=\"0; url=%s\"><a href=\"%s\">memspy</a>\n",
		address, address);
	return fclose(file) == 0;
}

static int make_file(struct ms_cli_browser *browser, const char *address, struct ms_err *err)
{
	struct ms_text path = MS_TEXT_INIT;

	ms_text_addf(&path, "%s/memspy-XXXXXX", parent_directory());
	if (mkdtemp(path.at) == NULL) {
		int code = ms_fail_errno(err, "%s: could not be made", path.at);

		ms_text_free(&path);
		return code;
	}
	browser->directory = ms_strdup(path.at);
	ms_text_add(&path, "/open.html");
	browser->file = path.at;
	if (write_link(browser->file, address))
		return MS_OK;
	int code = ms_fail_errno(err, "%s: could not be written", browser->file);
	ms_cli_browser_free(browser);
	return code;
}

void ms_cli_browser_remove_file(const struct ms_cli_browser *browser)
{
	if (browser->directory == NULL)
		return;
	unlink(browser->file);
	rmdir(browser->directory);
}

void ms_cli_browser_free(struct ms_cli_browser *browser)
{
	ms_cli_browser_remove_file(browser);
	ms_free(browser->directory);
	ms_free(browser->file);
	*browser = (struct ms_cli_browser){ NULL, NULL };
}

/* --- the browser --- */

static void *wait_for_browser(void *arg)
{
	pid_t pid = (pid_t)(intptr_t)arg;
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status != 0)
		fprintf(stderr, "memspy: no browser could be opened (xdg-open); open the address "
				"yourself\n");
	return NULL;
}

/*
 * xdg-open knows which browser the desktop uses. It may run for as long as the browser does, so a
 * thread waits for it. The server has blocked signals that the browser should get.
 */
static int start_browser(const char *url, struct ms_err *err)
{
	char *const argv[] = { (char *)"xdg-open", (char *)(uintptr_t)url, NULL };
	extern char **environ;
	posix_spawnattr_t attributes;
	sigset_t none;
	pthread_t thread;
	pid_t pid;

	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	int why = posix_spawnp(&pid, argv[0], NULL, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	if (why != 0)
		return ms_fail(err, MS_EMISSING, "xdg-open: %s", strerrordesc_np(why));
	if (ms_thread_start(&thread, wait_for_browser, (void *)(intptr_t)pid, NULL) == MS_OK)
		pthread_detach(thread);
	return MS_OK;
}

int ms_cli_browser_open(struct ms_cli_browser *browser, const char *address, struct ms_err *err)
{
	struct ms_text url = MS_TEXT_INIT;

	*browser = (struct ms_cli_browser){ NULL, NULL };
	MS_TRY(make_file(browser, address, err));
	ms_text_add(&url, "file://");
	for (const unsigned char *p = (const unsigned char *)browser->file; *p != '\0'; p++)
		ms_text_addf(&url, isalnum(*p) || strchr("/-._~", *p) != NULL ? "%c" : "%%%02X",
			     *p);
	int code = start_browser(url.at, err);
	ms_text_free(&url);
	if (code != MS_OK)
		ms_cli_browser_free(browser);
	return code;
}
