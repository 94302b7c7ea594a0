#include "serve/live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/seconds.h"
#include "base/text.h"
#include "serve/live_priv.h"

enum { MOST_FILES = 256 };

/* --- files --- */

/* The process that owns this file: "memspy.db-live-123.run"; 0: it is another file. */
static long pid_of(const char *name, const char *base, const char **more)
{
	size_t n = strlen(base);

	if (strncmp(name, base, n) != 0 ||
	    strncmp(name + n, MS_LIVE_SUFFIX, sizeof(MS_LIVE_SUFFIX) - 1) != 0)
		return 0;
	const char *digits = name + n + sizeof(MS_LIVE_SUFFIX) - 1;
	size_t length = strspn(digits, "0123456789");
	*more = digits + length;
	return length > 0 && length < 10 && (**more == '\0' || **more == '.')
		       ? strtol(digits, NULL, 10)
		       : 0;
}

bool ms_serve_live_is_running(long pid)
{
	return kill((pid_t)pid, 0) == 0 || errno == EPERM;
}

void ms_serve_live_for_each(const char *db, ms_serve_live_file *take, void *arg)
{
	const char *base = ms_base_name(db), *more;
	struct ms_text folder = MS_TEXT_INIT;
	size_t n = 0;

	ms_text_add_n(&folder, db, (size_t)(base - db));
	DIR *dir = opendir(folder.n > 0 ? folder.at : ".");
	for (struct dirent *e = dir ? readdir(dir) : NULL; e != NULL; e = readdir(dir)) {
		long pid = pid_of(e->d_name, base, &more);

		if (pid > 0 && n++ < MOST_FILES)
			take(arg, dirfd(dir), e->d_name, pid, more);
	}
	if (dir != NULL)
		closedir(dir);
	ms_text_free(&folder);
}

/* Removes files of processes that were killed and could not remove them. */
static void remove_dead(void *arg, int folder, const char *name, long pid, const char *more)
{
	(void)arg;
	(void)more;
	if (!ms_serve_live_is_running(pid))
		unlinkat(folder, name, 0);
}

static void sweep(const char *db)
{
	ms_serve_live_for_each(db, remove_dead, NULL);
}

/* --- writing --- */

/* A line break in a word would begin another line. */
static void add_line(struct ms_text *text, const char *key, const char *value)
{
	ms_text_addf(text, "%s ", key);
	for (; *value != '\0'; value++)
		ms_text_addf(text, "%c", *value == '\n' ? ' ' : *value);
	ms_text_add(text, "\n");
}

void ms_serve_live_open(struct ms_serve_live *live, const char *db, char *const *argv,
			const char *machine, bool sampled)
{
	struct ms_text path = MS_TEXT_INIT, about = MS_TEXT_INIT;
	char started[MS_SECONDS_UTC_TEXT];

	ms_seconds_format_utc(time(NULL), started);
	ms_text_addf(&path, "%s" MS_LIVE_SUFFIX "%ld", db, (long)getpid());
	ms_text_addf(&about, "memspy-live 1\npid %ld\nstarted %s\n", (long)getpid(), started);
	add_line(&about, "machine", machine);
	if (sampled)
		add_line(&about, "sampled", "1");
	for (int i = 0; argv[i] != NULL && i < MS_LIVE_WORDS && about.n < MS_LIVE_BYTES / 4; i++)
		add_line(&about, "word", argv[i]);
	sweep(db);
	*live = (struct ms_serve_live){ .path = path.at,
					.about = about.at,
					.pid = (long)getpid(),
					.apart = 0.5,
					.reported_at = -1 };
}

static void write_file(const struct ms_serve_live *live, const struct ms_serve_live_moment *now,
		       bool ended)
{
	struct ms_text temporary = MS_TEXT_INIT;

	ms_text_addf(&temporary, "%s.new", live->path);
	int fd = open(temporary.at, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (file != NULL) {
		fprintf(file, "%sended %d\n", live->about, ended);
		for (uint32_t i = 0; i <= live->n; i++) {
			const struct ms_serve_live_moment *m =
				i < live->n ? &live->moments[i] : now;

			fprintf(file, "at %.3f %" PRIu64 " %" PRIu64 "\n", m->seconds,
				m->references, m->misses);
		}
		if (fclose(file) == 0)
			rename(temporary.at, live->path);
	} else if (fd >= 0) {
		close(fd);
	}
	ms_text_free(&temporary);
}

static void keep_moment(struct ms_serve_live *live, const struct ms_serve_live_moment *now)
{
	if (live->n == MS_LIVE_MOMENTS) {
		for (uint32_t i = 0; i < MS_LIVE_MOMENTS / 2; i++)
			live->moments[i] = live->moments[2 * i + 1];
		live->n = MS_LIVE_MOMENTS / 2;
		live->apart *= 2;
	}
	if (live->n == 0 || now->seconds - live->moments[live->n - 1].seconds >= live->apart)
		live->moments[live->n++] = *now;
}

void ms_serve_live_report(struct ms_serve_live *live, const struct ms_serve_live_moment *now,
			  bool ended)
{
	/* A program that ends within a second is not reported. */
	if (live->path == NULL || live->pid != (long)getpid() || now->seconds < 1 ||
	    (!ended && live->reported_at >= 0 && now->seconds - live->reported_at < 0.5))
		return;
	write_file(live, now, ended);
	keep_moment(live, now);
	live->reported_at = now->seconds;
}

/* --- snapshots --- */

static char *beside(const struct ms_serve_live *live, const char *more)
{
	struct ms_text path = MS_TEXT_INIT;

	ms_text_addf(&path, "%s%s", live->path, more);
	return path.at;
}

static bool take_away(const struct ms_serve_live *live, const char *more)
{
	char *path = beside(live, more);
	bool gone = unlink(path) == 0;

	ms_free(path);
	return gone;
}

bool ms_serve_live_is_requested(const struct ms_serve_live *live)
{
	return live->path != NULL && live->pid == (long)getpid() && live->reported_at >= 0 &&
	       take_away(live, MS_LIVE_ASKED);
}

char *ms_serve_live_draft(const struct ms_serve_live *live)
{
	take_away(live, MS_LIVE_DRAFT); /* of a snapshot that was not finished */
	return beside(live, MS_LIVE_DRAFT);
}

void ms_serve_live_publish(const struct ms_serve_live *live)
{
	char *draft = beside(live, MS_LIVE_DRAFT), *run = beside(live, MS_LIVE_RUN);

	rename(draft, run);
	ms_free(draft);
	ms_free(run);
}

void ms_serve_live_close(struct ms_serve_live *live)
{
	static const char *const files[] = { "", MS_LIVE_ASKED, MS_LIVE_DRAFT, MS_LIVE_RUN };

	for (size_t i = 0; i < MS_COUNT(files) && live->path != NULL; i++)
		if (live->pid == (long)getpid() && live->reported_at >= 0)
			take_away(live, files[i]);
	ms_free(live->path);
	ms_free(live->about);
	*live = (struct ms_serve_live){ .path = NULL };
}
