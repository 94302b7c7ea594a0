#include "name/run_origin.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/seconds.h"
#include "base/text.h"
#include "bins/binder.h"

extern char **environ;

/* --- git --- */

/* A repository so large that this does not suffice has no commit noted. */
enum { GIT_MS = 2000 };

/* What git writes goes to the returned end of a pipe; -1: it could not be started. */
static int spawn_git(char *const argv[], char *const environment[], pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	int failed = posix_spawnp(pid, argv[0], &actions, NULL, argv, environment);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (failed == 0)
		return ends[0];
	close(ends[0]);
	return -1;
}

/* Reads until the end of the pipe; false: it took too long. */
static bool read_all(int fd, struct ms_text *out)
{
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	double until = ms_seconds_now() + GIT_MS / 1e3;
	char room[4096];

	for (;;) {
		double left = until - ms_seconds_now();
		int ready = left > 0 ? poll(&wait, 1, (int)(left * 1e3) + 1) : 0;

		if (ready < 0 && errno == EINTR)
			continue;
		ssize_t n = ready > 0 ? read(fd, room, sizeof(room)) : -1;
		if (n <= 0)
			return n == 0;
		ms_text_add_n(out, room, (size_t)n);
	}
}

/* The environment without what would lead git to another repository than the folder's. */
static char **plain_environment(void)
{
	static const char *const astray[] = { "GIT_DIR=", "GIT_WORK_TREE=", "GIT_INDEX_FILE=",
					      "GIT_PREFIX=" };
	size_t count = 0, n = 0;

	while (environ[count] != NULL)
		count++;
	char **kept = ms_alloc((count + 1) * sizeof(*kept));
	for (size_t i = 0; i < count; i++) {
		bool leads = false;

		for (size_t k = 0; k < MS_COUNT(astray); k++)
			leads |= strncmp(environ[i], astray[k], strlen(astray[k])) == 0;
		if (!leads)
			kept[n++] = environ[i];
	}
	return kept;
}

static void start_git(struct ms_name_git *git, const char *folder, const char *const *question)
{
	/* No locks: somebody may be committing meanwhile. No programs that the repository names. */
	char *argv[16] = { (char *)"git",
			   (char *)"-c",
			   (char *)"core.fsmonitor=false",
			   (char *)"--no-optional-locks",
			   (char *)"-C",
			   (char *)folder };
	char **environment = plain_environment();

	for (size_t i = 0; question[i] != NULL && i < 8; i++)
		argv[6 + i] = (char *)question[i];
	git->fd = spawn_git(argv, environment, &git->pid);
	ms_free(environment);
}

/* False: it failed, is not there, or took too long. */
static bool read_git(struct ms_name_git *git, struct ms_text *answer)
{
	int status = 0;

	if (git->fd < 0)
		return false;
	bool whole = read_all(git->fd, answer);
	close(git->fd);
	git->fd = -1;
	if (!whole)
		kill(git->pid, SIGKILL);
	while (waitpid(git->pid, &status, 0) < 0 && errno == EINTR)
		;
	return whole && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool has(const char *folder, const char *name)
{
	struct ms_text path = MS_TEXT_INIT;

	ms_text_addf(&path, "%s/%s", folder, name);
	bool there = access(ms_text_get(&path), F_OK) == 0;
	ms_text_free(&path);
	return there;
}

/* Whether git could find anything there: to start it costs a short run a good part of its time. */
static bool is_in_repository(const char *folder)
{
	char *at = realpath(folder, NULL);
	bool found = false;

	for (char *slash = at; at != NULL && slash != NULL && !found;) {
		found = has(at, ".git") || (has(at, "HEAD") && has(at, "objects"));
		slash = strrchr(at, '/');
		if (slash != NULL)
			*slash = '\0';
	}
	free(at);
	return found;
}

static bool start_git_commands(struct ms_name_origin *origin, const char *folder)
{
	static const char *const head[] = { "rev-parse", "--verify", "HEAD", NULL };
	static const char *const changes[] = { "status", "--porcelain", "--untracked-files=no",
					       "--ignore-submodules", NULL };

	if (!is_in_repository(folder))
		return false;
	start_git(&origin->head, folder, head);
	start_git(&origin->changes, folder, changes);
	return true;
}

static void begin_git(struct ms_name_origin *origin, const char *path)
{
	char *real = realpath(path, NULL);
	char *slash = real != NULL ? strrchr(real, '/') : NULL;

	*origin = (struct ms_name_origin){ .head.fd = -1, .changes.fd = -1 };
	if (slash != NULL)
		slash[slash == real] = '\0';
	origin->elsewhere = slash != NULL && start_git_commands(origin, real);
	if (!origin->elsewhere)
		start_git_commands(origin, ".");
	free(real);
}

static bool read_git_output(struct ms_name_origin *origin, struct ms_run *run)
{
	struct ms_text commit = MS_TEXT_INIT, changes = MS_TEXT_INIT;
	bool found = read_git(&origin->head, &commit);
	bool dirty = read_git(&origin->changes, &changes) && changes.n > 0;

	if (found) {
		run->git_commit = ms_arena_strndup(&run->arena, ms_text_get(&commit),
						   strcspn(ms_text_get(&commit), "\n"));
		run->git_dirty = dirty;
	}
	ms_text_free(&commit);
	ms_text_free(&changes);
	return found;
}

void ms_name_origin_finish(struct ms_name_origin *origin, struct ms_run *run)
{
	if (!read_git_output(origin, run) && origin->elsewhere && start_git_commands(origin, "."))
		read_git_output(origin, run);
	origin->elsewhere = false;
}

/* --- the machine and the environment --- */

/* "model name : ..." of the first processor, where the system has a name for it. */
static bool processor_name(char *out, size_t size)
{
	FILE *in = fopen("/proc/cpuinfo", "re");
	char line[256];
	bool found = false;

	while (in != NULL && !found && fgets(line, sizeof(line), in) != NULL) {
		const char *colon = strchr(line, ':');

		if (strncmp(line, "model name", 10) != 0 || colon == NULL)
			continue;
		colon += 1 + strspn(colon + 1, " ");
		snprintf(out, size, "%.*s", (int)strcspn(colon, "\n"), colon);
		found = out[0] != '\0';
	}
	if (in != NULL)
		fclose(in);
	return found;
}

static void note_host(struct ms_run *run)
{
	struct utsname name;
	char processor[200];

	if (uname(&name) != 0)
		return;
	if (!processor_name(processor, sizeof(processor)))
		snprintf(processor, sizeof(processor), "%s", name.machine);
	run->host = ms_arena_printf(&run->arena, "%s (%s)", name.nodename, processor);
}

/* What changes how programs use memory, or which libraries and how many threads they have. */
static const char *const matters[] = {
	"OMP_*",      "GOMP_*", "KMP_*",      "MALLOC_*", "GLIBC_*",           "LD_*",
	"OPENBLAS_*", "MKL_*",  "GOMAXPROCS", "GOGC",     "RAYON_NUM_THREADS", NULL
};

static bool is_kept(const char *name, const char *const *patterns)
{
	for (; patterns != NULL && *patterns != NULL; patterns++)
		if (fnmatch(*patterns, name, 0) == 0)
			return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct ms_run_variable *)a)->name,
		      ((const struct ms_run_variable *)b)->name);
}

static void note_environment(struct ms_run *run, const char *const *keep)
{
	for (char **entry = environ; *entry != NULL; entry++) {
		const char *sign = strchr(*entry, '=');

		if (sign == NULL)
			continue;
		struct ms_run_variable v = { ms_arena_strndup(&run->arena, *entry,
							      (size_t)(sign - *entry)),
					     ms_arena_strdup(&run->arena, sign + 1) };
		if (is_kept(v.name, matters) || is_kept(v.name, keep))
			*ms_vec_add(&run->environment) = v;
	}
	if (run->environment.n > 0)
		qsort(run->environment.at, run->environment.n, sizeof(*run->environment.at),
		      by_name);
}

static void note_build(struct ms_run *run, const char *path)
{
	struct ms_text id = MS_TEXT_INIT;

	ms_symbols_build_id_of(path, &id);
	if (id.n > 0)
		run->build_id = ms_arena_strdup(&run->arena, id.at);
	ms_text_free(&id);
}

void ms_name_origin_start(struct ms_name_origin *origin, struct ms_run *run, const char *path,
			  const char *const *keep)
{
	begin_git(origin, path);
	note_build(run, path);
	note_host(run);
	note_environment(run, keep);
}

static const char *copied(struct ms_run *run, const char *text)
{
	return text != NULL ? ms_arena_strdup(&run->arena, text) : NULL;
}

void ms_name_origin_copy(struct ms_run *run, const struct ms_run *from)
{
	note_build(run, run->program);
	run->git_commit = copied(run, from->git_commit);
	run->git_dirty = from->git_dirty;
	run->host = copied(run, from->host);
	for (size_t i = 0; i < from->environment.n; i++) {
		const struct ms_run_variable *v = &from->environment.at[i];

		*ms_vec_add(&run->environment) =
			(struct ms_run_variable){ copied(run, v->name), copied(run, v->value) };
	}
}
