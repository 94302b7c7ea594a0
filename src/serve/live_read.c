/*
 * serve/live_read.c - reads the files of running programs next to the database, as untrusted input.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "serve/live.h"
#include "serve/live_priv.h"

enum { MOST_RUNNING = 64 };

struct seen {
	long pid;
	bool ended;
	bool sampled; /* on the real machine; otherwise simulated */
	char *started;
	char *machine;
	MS_VEC(char *) words;
	MS_VEC(struct ms_serve_live_moment) moments;
};

static bool read_moment(const char *value, struct ms_serve_live_moment *m)
{
	int end = 0;

	return sscanf(value, "%lf %" SCNu64 " %" SCNu64 "%n", &m->seconds, &m->references,
		      &m->misses, &end) == 3 &&
	       value[end] == '\0' && m->seconds >= 0 && m->seconds < 1e12;
}

/* Reads one line; false: it is not in memspy's format. */
static bool read_line(struct seen *s, char *line)
{
	char *value = strchr(line, ' ');

	if (value == NULL)
		return false;
	*value++ = '\0';
	if (strcmp(line, "pid") == 0)
		return (s->pid = strtol(value, NULL, 10)) > 0;
	if (strcmp(line, "started") == 0)
		s->started = value;
	else if (strcmp(line, "machine") == 0)
		s->machine = value;
	else if (strcmp(line, "ended") == 0)
		s->ended = value[0] == '1';
	else if (strcmp(line, "sampled") == 0)
		s->sampled = value[0] == '1';
	else if (strcmp(line, "word") == 0 && s->words.n < MS_LIVE_WORDS)
		*ms_vec_add(&s->words) = value;
	else if (strcmp(line, "at") == 0 && s->moments.n <= MS_LIVE_MOMENTS)
		return read_moment(value, ms_vec_add(&s->moments));
	else
		return strcmp(line, "memspy-live") == 0 && strcmp(value, "1") == 0;
	return true;
}

static bool read_text(struct seen *s, char *text)
{
	char *rest = NULL;

	if (strncmp(text, "memspy-live 1\n", 14) != 0)
		return false;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (!read_line(s, line))
			return false;
	return s->pid > 0 && s->started != NULL && s->machine != NULL && s->moments.n > 0;
}

static void put(struct ms_json *json, const struct seen *s)
{
	ms_json_object(json, NULL);
	ms_json_i64(json, "pid", s->pid);
	ms_json_text(json, "started", s->started);
	ms_json_text(json, "machine", s->machine);
	ms_json_bool(json, "ended", s->ended);
	ms_json_bool(json, "sampled", s->sampled);
	ms_json_array(json, "argv");
	for (size_t i = 0; i < s->words.n; i++)
		ms_json_text(json, NULL, s->words.at[i]);
	ms_json_end(json);
	ms_json_array(json, "moments");
	for (size_t i = 0; i < s->moments.n; i++) {
		ms_json_object(json, NULL);
		ms_json_real(json, "seconds", s->moments.at[i].seconds);
		ms_json_u64(json, "references", s->moments.at[i].references);
		ms_json_u64(json, "misses", s->moments.at[i].misses);
		ms_json_end(json);
	}
	ms_json_end(json);
	ms_json_end(json);
}

struct seeing {
	struct ms_json *json;
	size_t n;
};

static void read_file(int folder, const char *name, long pid, struct seeing *to)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char *text = calloc(1, MS_LIVE_BYTES + 1);
	struct seen seen = { .pid = 0 };
	struct stat about;

	if (fd >= 0 && text != NULL && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
	    read(fd, text, MS_LIVE_BYTES) > 0 && read_text(&seen, text) && seen.pid == pid) {
		to->n++;
		if (to->json != NULL)
			put(to->json, &seen);
	}
	if (fd >= 0)
		close(fd);
	ms_vec_free(&seen.words);
	ms_vec_free(&seen.moments);
	free(text);
}

static void see(void *arg, int folder, const char *name, long pid, const char *more)
{
	struct seeing *to = arg;

	if (more[0] == '\0' && to->n < MOST_RUNNING && ms_serve_live_is_running(pid))
		read_file(folder, name, pid, to);
}

void ms_serve_live_json(const char *db, FILE *out)
{
	struct ms_json json;
	struct seeing to = { &json, 0 };

	ms_json_init(&json, out);
	ms_json_array(&json, NULL);
	ms_serve_live_for_each(db, see, &to);
	ms_json_end(&json);
}

/* --- snapshots --- */

struct live_request {
	long pid;
	struct seeing seen;
	bool ready;
	int refused; /* errno if the request cannot be created; 0: it can */
};

/* Only the existence of the file matters: the profiling process removes it when it begins. */
static int create_request(int folder, const char *name)
{
	struct ms_text request = MS_TEXT_INIT;

	ms_text_addf(&request, "%s" MS_LIVE_ASKED, name);
	int fd = openat(folder, request.at, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	int why = fd < 0 ? errno : 0;

	if (fd >= 0)
		close(fd);
	ms_text_free(&request);
	return why;
}

/* A symbolic link could name a file that must not be read. */
static bool is_file(int folder, const char *name)
{
	struct stat about;

	return fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about.st_mode);
}

static void visit_live_file(void *arg, int folder, const char *name, long pid, const char *more)
{
	struct live_request *live_request = arg;
	size_t before = live_request->seen.n;

	if (pid != live_request->pid || !ms_serve_live_is_running(pid))
		return;
	if (strcmp(more, MS_LIVE_RUN) == 0)
		live_request->ready = is_file(folder, name);
	else if (more[0] == '\0')
		read_file(folder, name, pid, &live_request->seen);
	if (live_request->seen.n > before)
		live_request->refused = create_request(folder, name);
}

int ms_serve_live_request(const char *db, int64_t pid, char **run, struct ms_err *err)
{
	struct live_request live_request = { .pid = (long)pid };
	struct ms_text path = MS_TEXT_INIT;

	*run = NULL;
	ms_serve_live_for_each(db, visit_live_file, &live_request);
	if (live_request.seen.n == 0)
		return ms_fail(err, MS_ENOENT, "no program that is profiled here has process %ld",
			       live_request.pid);
	if (live_request.refused != 0)
		return ms_fail(err, MS_EIO,
			       "%s" MS_LIVE_SUFFIX "%ld" MS_LIVE_ASKED
			       ": cannot create this file to request figures: %s",
			       db, live_request.pid, strerrordesc_np(live_request.refused));
	if (live_request.ready) {
		ms_text_addf(&path, "%s" MS_LIVE_SUFFIX "%ld" MS_LIVE_RUN, db, live_request.pid);
		*run = path.at;
	}
	return MS_OK;
}
