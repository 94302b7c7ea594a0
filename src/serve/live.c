#include "serve/live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"

#define SUFFIX "-live-"
enum { LARGEST = 64 << 10, MOST_RUNNING = 64, WORDS_SHOWN = 64 };

/* --- files --- */

/* The process whose file this is: "memspy.db-live-123"; 0: it is something else. */
static long pid_of(const char *name, const char *base)
{
	size_t n = strlen(base);

	if (strncmp(name, base, n) != 0 || strncmp(name + n, SUFFIX, sizeof(SUFFIX) - 1) != 0)
		return 0;
	const char *digits = name + n + sizeof(SUFFIX) - 1;
	size_t length = strspn(digits, "0123456789");
	return length > 0 && length < 10 && digits[length] == '\0' ? strtol(digits, NULL, 10) : 0;
}

static bool is_running(long pid)
{
	return kill((pid_t)pid, 0) == 0 || errno == EPERM;
}

typedef void file_function(void *arg, int folder, const char *name, long pid);

/* Calls take for the files beside a database, up to a sane number of them. */
static void for_each(const char *db, file_function *take, void *arg)
{
	const char *base = ms_base_name(db);
	struct ms_text folder = MS_TEXT_INIT;
	size_t n = 0;

	ms_text_add_n(&folder, db, (size_t)(base - db));
	DIR *dir = opendir(folder.n > 0 ? folder.at : ".");
	for (struct dirent *e = dir ? readdir(dir) : NULL; e != NULL; e = readdir(dir)) {
		long pid = pid_of(e->d_name, base);

		if (pid > 0 && n++ < MOST_RUNNING)
			take(arg, dirfd(dir), e->d_name, pid);
	}
	if (dir != NULL)
		closedir(dir);
	ms_text_free(&folder);
}

/* What was killed could not take its file away. */
static void remove_dead(void *arg, int folder, const char *name, long pid)
{
	(void)arg;
	if (!is_running(pid))
		unlinkat(folder, name, 0);
}

static void sweep(const char *db)
{
	for_each(db, remove_dead, NULL);
}

/* --- writing --- */

/* Line breaks in a word would be lines of their own. */
static void add_line(struct ms_text *text, const char *key, const char *value)
{
	ms_text_addf(text, "%s ", key);
	for (; *value != '\0'; value++)
		ms_text_addf(text, "%c", *value == '\n' ? ' ' : *value);
	ms_text_add(text, "\n");
}

void ms_live_open(struct ms_live *live, const char *db, char *const *argv, const char *machine)
{
	struct ms_text path = MS_TEXT_INIT, about = MS_TEXT_INIT;
	time_t now = time(NULL);
	char started[32];
	struct tm tm;

	strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	ms_text_addf(&path, "%s" SUFFIX "%ld", db, (long)getpid());
	ms_text_addf(&about, "memspy-live 1\npid %ld\nstarted %s\n", (long)getpid(), started);
	add_line(&about, "machine", machine);
	for (int i = 0; argv[i] != NULL && i < WORDS_SHOWN && about.n < LARGEST / 4; i++)
		add_line(&about, "word", argv[i]);
	sweep(db);
	*live = (struct ms_live){
		.path = path.at, .about = about.at, .pid = (long)getpid(), .apart = 0.5, .told = -1
	};
}

static void write_file(const struct ms_live *live, const struct ms_live_moment *now, bool ended)
{
	struct ms_text temporary = MS_TEXT_INIT;

	ms_text_addf(&temporary, "%s.new", live->path);
	int fd = open(temporary.at, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (file != NULL) {
		fprintf(file, "%sended %d\n", live->about, ended);
		for (uint32_t i = 0; i <= live->n; i++) {
			const struct ms_live_moment *m = i < live->n ? &live->moments[i] : now;

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

static void keep_moment(struct ms_live *live, const struct ms_live_moment *now)
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

void ms_live_tell(struct ms_live *live, const struct ms_live_moment *now, bool ended)
{
	/* What ends within a second need not be told. */
	if (live->path == NULL || live->pid != (long)getpid() || now->seconds < 1 ||
	    (!ended && live->told >= 0 && now->seconds - live->told < 0.5))
		return;
	write_file(live, now, ended);
	keep_moment(live, now);
	live->told = now->seconds;
}

void ms_live_close(struct ms_live *live)
{
	if (live->path != NULL && live->pid == (long)getpid() && live->told >= 0)
		unlink(live->path);
	ms_free(live->path);
	ms_free(live->about);
	*live = (struct ms_live){ .path = NULL };
}

/* --- reading --- */

struct seen {
	long pid;
	bool ended;
	char *started;
	char *machine;
	MS_VEC(char *) words;
	MS_VEC(struct ms_live_moment) moments;
};

static bool read_moment(const char *value, struct ms_live_moment *m)
{
	int end = 0;

	return sscanf(value, "%lf %" SCNu64 " %" SCNu64 "%n", &m->seconds, &m->references,
		      &m->misses, &end) == 3 &&
	       value[end] == '\0' && m->seconds >= 0 && m->seconds < 1e12;
}

/* One line; false: this is not what memspy writes. */
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
	else if (strcmp(line, "word") == 0 && s->words.n < WORDS_SHOWN)
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

static void put_file(void *arg, int folder, const char *name, long pid)
{
	struct ms_json *json = arg;
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char *text = calloc(1, LARGEST + 1);
	struct seen seen = { .pid = 0 };
	struct stat about;

	if (fd >= 0 && text != NULL && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
	    read(fd, text, LARGEST) > 0 && read_text(&seen, text) && seen.pid == pid &&
	    is_running(pid))
		put(json, &seen);
	if (fd >= 0)
		close(fd);
	ms_vec_free(&seen.words);
	ms_vec_free(&seen.moments);
	free(text);
}

void ms_live_json(const char *db, FILE *out)
{
	struct ms_json json;

	ms_json_init(&json, out);
	ms_json_array(&json, NULL);
	for_each(db, put_file, &json);
	ms_json_end(&json);
}
