/* stream/import/input.c - the bytes of a foreign trace, as lines or as records of a fixed size. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "stream/import/import_priv.h"

/* The maximum length of a line. */
enum { BUFFER = 1 << 16 };

extern char **environ;

static const struct {
	char magic[7];
	size_t n;
	const char *program;
} filters[] = {
	{ "\x1f\x8b", 2, "gzip" },
	{ "\xfd"
	  "7zXZ",
	  6, "xz" }, /* and a NUL byte */
	{ "\x28\xb5\x2f\xfd", 4, "zstd" },
};

static int spawn(struct ms_import_input *in, const char *program, const int pipe_fds[2])
{
	char option[] = "-dc", name[16];
	char *argv[] = { name, option, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t defaults;

	strncpy(name, program, sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE); /* so that it ends when its output is closed */
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in->fd, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], STDOUT_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	int failed = posix_spawnp(&in->filter, program, &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/* From now on, the input is the program's output. */
static int filter_through(struct ms_import_input *in, const char *program, struct ms_err *err)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0)
		return ms_fail_errno(err, "%s: cannot make a pipe", in->name);
	int failed = spawn(in, program, fds);
	close(fds[1]);
	if (failed != 0) {
		close(fds[0]);
		in->filter = 0;
		return ms_fail(err, MS_EMISSING, "%s: is compressed, and %s cannot be run: %s",
			       in->name, program, strerror(failed));
	}
	close(in->fd);
	in->fd = fds[0];
	in->filter_name = program;
	return MS_OK;
}

static int choose_filter(struct ms_import_input *in, struct ms_err *err)
{
	char magic[8] = "";
	ssize_t n = pread(in->fd, magic, sizeof(magic),
			  0); /* fails for pipes, which are not decompressed */

	for (size_t i = 0; i < MS_COUNT(filters); i++)
		if (n >= (ssize_t)filters[i].n &&
		    memcmp(magic, filters[i].magic, filters[i].n) == 0)
			return filter_through(in, filters[i].program, err);
	return MS_OK;
}

int ms_import_input_open(struct ms_import_input *in, const char *path, struct ms_err *err)
{
	bool standard = strcmp(path, "-") == 0;
	struct stat st;

	*in = (struct ms_import_input){ .name = standard ? "standard input" : path };
	in->fd = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
			  : open(path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0)
		return ms_fail(err, errno == ENOENT ? MS_ENOENT : MS_EIO,
			       "%s: cannot be opened: %s", in->name, strerror(errno));
	if (fstat(in->fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		close(in->fd);
		in->fd = -1;
		return ms_fail(err, MS_EFORMAT, "%s: not a regular file", in->name);
	}
	int code = choose_filter(in, err);
	if (code != MS_OK) {
		close(in->fd);
		in->fd = -1;
		return code;
	}
	in->buffer = ms_alloc(BUFFER);
	return MS_OK;
}

static int wait_for_filter(struct ms_import_input *in)
{
	int status = 0;

	if (in->filter == 0)
		return 0;
	while (waitpid(in->filter, &status, 0) < 0 && errno == EINTR)
		;
	in->filter = 0;
	return status;
}

void ms_import_input_close(struct ms_import_input *in)
{
	if (in->buffer == NULL)
		return;
	close(in->fd);
	wait_for_filter(in);
	ms_free(in->buffer);
	in->buffer = NULL;
}

static int end_input(struct ms_import_input *in, struct ms_err *err)
{
	in->ended = true;
	if (wait_for_filter(in) != 0)
		return ms_fail(err, MS_EFORMAT, "%s: %s says that it is damaged or cut short",
			       in->name, in->filter_name);
	return MS_OK;
}

int ms_import_input_peek(struct ms_import_input *in, struct ms_err *err)
{
	memmove(in->buffer, in->buffer + in->at, in->end - in->at);
	in->end -= in->at;
	in->at = 0;
	while (!in->ended && in->end < BUFFER) {
		ssize_t n = read(in->fd, in->buffer + in->end, BUFFER - in->end);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return ms_fail_errno(err, "%s: cannot be read", in->name);
		if (n == 0)
			return end_input(in, err);
		in->end += (size_t)n;
	}
	return MS_OK;
}

int ms_import_input_line(struct ms_import_input *in, const char **line, size_t *n,
			 struct ms_err *err)
{
	const uint8_t *newline = memchr(in->buffer + in->at, '\n', in->end - in->at);

	if (newline == NULL && !in->ended) {
		MS_TRY(ms_import_input_peek(in, err));
		newline = memchr(in->buffer, '\n', in->end);
	}
	in->number++;
	*line = NULL;
	if (newline == NULL && !in->ended)
		return ms_fail(err, MS_EFORMAT,
			       "%s:%" PRIu64 ": found a line of more than %d bytes", in->name,
			       in->number, BUFFER);
	if (newline == NULL && in->at == in->end)
		return MS_OK;

	size_t length =
		newline != NULL ? (size_t)(newline - in->buffer) - in->at : in->end - in->at;
	*line = (const char *)in->buffer + in->at;
	in->at += length + (newline != NULL);
	*n = length > 0 && (*line)[length - 1] == '\r' ? length - 1 : length;
	return MS_OK;
}

int ms_import_input_record(struct ms_import_input *in, size_t size, const uint8_t **record,
			   struct ms_err *err)
{
	if (in->end - in->at < size && !in->ended)
		MS_TRY(ms_import_input_peek(in, err));
	in->number++;
	*record = NULL;
	if (in->at == in->end)
		return MS_OK;
	if (in->end - in->at < size)
		return ms_fail(err, MS_EFORMAT,
			       "%s: record %" PRIu64 ": found %zu bytes, expected %zu", in->name,
			       in->number, in->end - in->at, size);
	*record = in->buffer + in->at;
	in->at += size;
	return MS_OK;
}
