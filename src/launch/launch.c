/* launch/launch.c - finds the program, checks that it can be run, starts it under Valgrind. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "launch/launch.h"
#include "launch/platform.h"
#include "launch/wait.h"

extern char **environ;

/* --- the program --- */

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* As execvp: along PATH unless the name has a slash. NULL: nowhere. */
char *ms_launch_find_program(const char *program)
{
	const char *path = getenv("PATH");
	char *found = NULL;

	if (strchr(program, '/') != NULL)
		return access(program, F_OK) == 0 ? ms_strdup(program) : NULL;
	if (path == NULL)
		path = "/usr/local/bin:/usr/bin:/bin";
	while (*path != '\0') {
		size_t n = strcspn(path, ":");
		struct ms_text candidate = MS_TEXT_INIT;

		ms_text_addf(&candidate, "%.*s/%s", n > 0 ? (int)n : 1, n > 0 ? path : ".",
			     program);
		if (is_program(candidate.at)) {
			/* One that may not be executed is remembered only if there is no better. */
			if (access(candidate.at, X_OK) == 0) {
				ms_free(found);
				return candidate.at;
			}
			if (found == NULL) {
				found = candidate.at;
				candidate = (struct ms_text)MS_TEXT_INIT;
			}
		}
		ms_text_free(&candidate);
		path += n + (path[n] == ':');
	}
	return found;
}

static int check_elf(const char *path, const Elf64_Ehdr *head, uint64_t size, struct ms_err *err)
{
	if (head->e_ident[EI_CLASS] == ELFCLASS32)
		return ms_fail(
			err, MS_ENOEXEC,
			"%s: a 32-bit program; memspy takes 64-bit programs only. Rebuild it "
			"for %s",
			path, ms_launch_platform_name);
	if (head->e_machine != ms_launch_platform_machine)
		return ms_fail(
			err, MS_ENOEXEC,
			"%s: a program for another architecture (ELF machine %u), expected %s. "
			"Run memspy on a machine of its kind",
			path, head->e_machine, ms_launch_platform_name);
	if (head->e_type != ET_EXEC && head->e_type != ET_DYN)
		return ms_fail(err, MS_ENOEXEC, "%s: an ELF file, but no program (type %u)", path,
			       head->e_type);
	if (head->e_phnum == 0 || head->e_phoff > size ||
	    (uint64_t)head->e_phnum * head->e_phentsize > size - head->e_phoff)
		return ms_fail(err, MS_ENOEXEC, "%s: an ELF file that is cut short", path);
	return MS_OK;
}

/* "#!/usr/bin/env python3": what runs the script must be there too. */
static int check_script(const char *path, char *line, struct ms_err *err)
{
	char *interpreter = line + 2 + strspn(line + 2, " \t");

	interpreter[strcspn(interpreter, " \t\n")] = '\0';
	if (interpreter[0] == '\0')
		return ms_fail(err, MS_ENOEXEC, "%s: names no interpreter after \"#!\"", path);
	if (access(interpreter, F_OK) != 0)
		return ms_fail(err, MS_ENOENT, "%s: its interpreter %s does not exist", path,
			       interpreter);
	if (!is_program(interpreter) || access(interpreter, X_OK) != 0)
		return ms_fail(err, MS_ENOEXEC, "%s: its interpreter %s may not be executed", path,
			       interpreter);
	return MS_OK;
}

static int check_contents(const char *path, struct ms_err *err)
{
	union {
		Elf64_Ehdr elf;
		char text[256];
	} head = { .text = "" };
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) != 0)
		return ms_fail(err, MS_ENOEXEC, "%s: cannot be read (%s); memspy must see its code",
			       path, strerror(errno));
	if (st.st_mode & (S_ISUID | S_ISGID)) {
		close(fd);
		return ms_fail(err, MS_ENOEXEC,
			       "%s: runs with its owner's rights (setuid or setgid), and cannot be "
			       "followed. A copy of it can, without these rights",
			       path);
	}
	ssize_t n = read(fd, head.text, sizeof(head.text) - 1);
	close(fd);
	if (n >= (ssize_t)sizeof(head.elf) && memcmp(head.elf.e_ident, ELFMAG, SELFMAG) == 0)
		return check_elf(path, &head.elf, (uint64_t)st.st_size, err);
	if (n >= 2 && memcmp(head.text, "#!", 2) == 0)
		return check_script(path, head.text, err);
	return ms_fail(err, MS_ENOEXEC,
		       "%s: neither an ELF program nor a script that starts with \"#!\"", path);
}

/* Checks what Valgrind needs to start: memspy's message is shorter than Valgrind's. */
static int check_surroundings(struct ms_err *err)
{
	const char *tmp = getenv("TMPDIR");
	bool named = tmp != NULL && tmp[0] != '\0';

	if (access("/proc/self/maps", R_OK) != 0)
		return ms_fail(err, MS_EMISSING,
			       "/proc is not mounted (there is no /proc/self/maps), and Valgrind "
			       "cannot run without it. Mount it: mount -t proc proc /proc");
	if (access(named ? tmp : "/tmp", W_OK | X_OK) != 0)
		return ms_fail_errno(err,
				     "%s: Valgrind needs a folder for temporary files, and cannot "
				     "write to this one; name another with TMPDIR",
				     named ? tmp : "/tmp");
	return MS_OK;
}

bool ms_launch_is_in_folder(const char *program)
{
	return strchr(program, '/') == NULL && is_program(program) && access(program, X_OK) == 0;
}

static bool is_folder(const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

int ms_launch_check(const char *program, char **result, struct ms_err *err)
{
	char *path = ms_launch_find_program(program);
	int code = MS_OK;

	if (is_folder(path != NULL ? path : program)) {
		ms_free(path);
		return ms_fail(err, MS_ENOEXEC, "%s: is a folder, expected a program", program);
	}
	if (path == NULL && ms_launch_is_in_folder(program))
		return ms_fail(err, MS_ENOENT,
			       "%s: no such program in PATH; to run the one in this folder: ./%s",
			       program, program);
	if (path == NULL)
		return ms_fail(err, MS_ENOENT, "%s: no such program%s", program,
			       strchr(program, '/') != NULL ? "" : " in PATH");
	if (!is_program(path))
		code = ms_fail(err, MS_ENOEXEC, "%s: not a file that can be run", path);
	else if (access(path, X_OK) != 0)
		code = ms_fail(err, MS_ENOEXEC, "%s: may not be executed (try chmod +x)", path);
	else
		code = check_contents(path, err);
	if (code == MS_OK)
		code = check_surroundings(err);
	if (code != MS_OK) {
		ms_free(path);
		return code;
	}
	*result = path;
	return MS_OK;
}

/* Memory that is shared with the program: whether there is any is found out by taking some. */
static int check_stream(struct ms_err *err)
{
	struct ms_stream_ring ring;

	MS_TRY(ms_stream_ring_open(&ring, 0, 0, 1, err));
	ms_stream_ring_close(&ring);
	return MS_OK;
}

int ms_launch_check_program(const char *program, struct ms_err *err)
{
	char *path = NULL;

	MS_TRY(ms_launch_check(program, &path, err));
	ms_free(path);
	return check_stream(err);
}

/* --- the front-end --- */

/* Where the distribution keeps Valgrind's own parts; the first is built into its library. */
static const char *const valgrind_dirs[] = { "/usr/libexec/valgrind", "/usr/lib/valgrind",
					     "/usr/local/libexec/valgrind", "/usr/lib64/valgrind" };

static bool has_valgrind(const char *dir)
{
	struct ms_text core = MS_TEXT_INIT;

	ms_text_addf(&core, "%s/vgpreload_core-%s.so", dir, ms_launch_platform_valgrind);
	bool found = access(core.at, R_OK) == 0;
	ms_text_free(&core);
	return found;
}

static int find_valgrind(const char **dir, struct ms_err *err)
{
	const char *wanted = getenv("VALGRIND_LIB");

	if (wanted != NULL && has_valgrind(wanted)) {
		*dir = wanted;
		return MS_OK;
	}
	for (size_t i = 0; i < MS_COUNT(valgrind_dirs); i++) {
		*dir = valgrind_dirs[i];
		if (has_valgrind(*dir))
			return MS_OK;
	}
	return ms_fail(err, MS_EMISSING,
		       "Valgrind is not installed (no vgpreload_core-%s.so in %s). Install it: "
		       "apt-get install valgrind",
		       ms_launch_platform_valgrind, valgrind_dirs[0]);
}

int ms_launch_has_frontend(enum ms_launch_frontend frontend, const char *frontend_dir,
			   struct ms_err *err)
{
	struct ms_text part = MS_TEXT_INIT;
	const char *dir = NULL;
	int code = MS_OK;

	if (frontend == MS_LAUNCH_FRONTEND_VALGRIND)
		MS_TRY(find_valgrind(&dir, err));
	if (frontend == MS_LAUNCH_FRONTEND_VALGRIND)
		ms_text_addf(&part, "%s/memspy-%s", frontend_dir, ms_launch_platform_valgrind);
	else
		ms_text_addf(&part, "%s/memspy-native.so", frontend_dir);
	if (frontend != MS_LAUNCH_FRONTEND_VALGRIND && !ms_launch_platform_has_native)
		code = ms_fail(err, MS_EMISSING, "there is none for %s yet",
			       ms_launch_platform_name);
	else if (access(part.at, R_OK) != 0)
		code = ms_fail(err, MS_EMISSING,
			       "%s is missing; build it (make) or install memspy again", part.at);
	ms_text_free(&part);
	return code;
}

struct command {
	MS_VEC(const char *) argv;
	struct ms_arena arena;
};

static void add_arg(struct command *command, const char *arg)
{
	*ms_vec_add(&command->argv) = arg;
}

static unsigned largest_line(const struct ms_machine *machine)
{
	unsigned line = 1;

	for (size_t i = 0; i < machine->levels.n; i++)
		if (machine->levels.at[i].line > line)
			line = machine->levels.at[i].line;
	return line;
}

/* Lists each thread's processor: the front-end does not parse ranges. */
static void add_cpus(struct command *command, const struct ms_launch_cpus *cpus)
{
	struct ms_text list = { 0 };

	for (size_t i = 0; i < cpus->map.n; i++)
		ms_text_addf(&list, "%s%u", i > 0 ? "," : "", cpus->map.at[i]);
	add_arg(command, ms_arena_printf(&command->arena, "--cpus=%s",
					 cpus->affinity ? "affinity" : ms_text_get(&list)));
	ms_text_free(&list);
}

/* Time slices of threads are as if they ran on this many processors. */
static void add_processors(struct command *command, const struct ms_launch_options *options)
{
	add_arg(command,
		ms_arena_printf(&command->arena, "--processors=%u", options->machine->processors));
	add_arg(command,
		ms_arena_printf(&command->arena, "--line=%u", largest_line(options->machine)));
	add_arg(command,
		ms_arena_printf(&command->arena, "--seed=%llu", (unsigned long long)options->seed));
	if (options->cpus.text != NULL)
		add_cpus(command, &options->cpus);
	/* Valgrind checks itself whenever another thread has had a turn, for a microsecond. */
	add_arg(command, "--sanity-level=0");
}

/* The front-end sends only windows and sampled sets. */
static void add_sampling(struct command *command, const struct ms_stream_sampling *sampling)
{
	struct ms_arena *arena = &command->arena;

	add_arg(command,
		ms_arena_printf(arena, "--windows=%llu,%llu,%llu,%llu,%d,%u",
				(unsigned long long)sampling->window,
				(unsigned long long)((double)sampling->window / sampling->ratio),
				(unsigned long long)sampling->seed,
				(unsigned long long)sampling->head,
				ms_stream_sampling_is_planned(sampling), sampling->halved));
	if (sampling->sets.every > 1)
		add_arg(command,
			ms_arena_printf(arena, "--groups=%s", ms_launch_groups(sampling, arena)));
}

static void build_command(struct command *command, const struct ms_launch_options *options,
			  const char *tool, const char *path, int stream_fd, int log_fd,
			  const char *collector, const char *launcher)
{
	add_arg(command, tool);
	add_arg(command, MS_LAUNCH_TOOL);
	add_arg(command, "--quiet");
	add_arg(command, "--vgdb=no");
	/* Arguments of malloc are in registers where a superblock starts, not always inside one. */
	add_arg(command, "--vex-guest-chase=no");
	add_arg(command, "--fair-sched=try"); /* threads take turns: runs can be repeated */
	/* One more: Valgrind's threads count from 1, and its limit is the first that is too many.
	 */
	unsigned threads = options->threads > 0 ? options->threads : MS_LAUNCH_THREADS;
	add_arg(command, ms_arena_printf(&command->arena, "--max-threads=%u", threads + 1));
	add_arg(command, ms_arena_printf(&command->arena, "--log-fd=%d", log_fd));
	add_arg(command, ms_arena_printf(&command->arena, "--spare-fd=%d", log_fd));
	add_arg(command, ms_arena_printf(&command->arena, "--stream-fd=%d", stream_fd));
	if (collector != NULL)
		add_arg(command, ms_arena_printf(&command->arena, "--collector=%s", collector));
	if (launcher != NULL)
		add_arg(command, "--trace-children=yes");
	if (options->start_stopped)
		add_arg(command, "--start-stopped=yes");
	if (options->machine->processors > 1)
		add_processors(command, options);
	if (options->sampling != NULL)
		add_sampling(command, options->sampling);
	for (const char *const *own = options->own_calls; own != NULL && *own != NULL; own++)
		add_arg(command, *own);
	for (const char *const *hint = ms_launch_platform_valgrind_options; *hint != NULL; hint++)
		add_arg(command, *hint);
	/* By the name that was typed, which the program sees; Valgrind searches PATH as we did. */
	add_arg(command, options->argv[0][0] == '-' ? path : options->argv[0]);
	for (char *const *arg = options->argv + 1; *arg != NULL; arg++)
		add_arg(command, *arg);
	add_arg(command, NULL);
}

static MS_NORETURN void become(struct command *command, int stream_fd, int log_fd)
{
	ms_launch_wait_restore_in_child();
	fcntl(stream_fd, F_SETFD, 0);
	fcntl(log_fd, F_SETFD, 0);
	execve(command->argv.at[0], (char *const *)command->argv.at, environ);
	_exit(125);
}

/* Where memspy is: it starts the programs that are executed (valgrind_launcher.c). NULL: not known.
 */
static const char *own_path(struct ms_arena *arena)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path));

	return n > 0 && n < (ssize_t)sizeof(path) ? ms_arena_strndup(arena, path, (size_t)n) : NULL;
}

int ms_launch_valgrind(struct ms_launch_process *launch, const struct ms_launch_options *options,
		       const char *path, int stream_fd, const char *collector, struct ms_err *err)
{
	struct command command = { MS_VEC_INIT, MS_ARENA_INIT };
	const char *valgrind_dir = NULL;

	MS_TRY(find_valgrind(&valgrind_dir, err));
	const char *tool = ms_arena_printf(&command.arena, "%s/memspy-%s", options->frontend_dir,
					   ms_launch_platform_valgrind);
	if (access(tool, X_OK) != 0) {
		int code = ms_fail(err, MS_EMISSING,
				   "%s: memspy's front-end is missing; build it (make) or install "
				   "memspy again",
				   tool);
		ms_arena_free(&command.arena);
		return code;
	}
	launch->log_fd = memfd_create("memspy-log", MFD_CLOEXEC);
	if (launch->log_fd < 0)
		return ms_fail_errno(err, "cannot make a file for the front-end's messages");
	const char *launcher = collector != NULL ? own_path(&command.arena) : NULL;
	build_command(&command, options, tool, path, stream_fd, launch->log_fd, collector,
		      launcher);
	/* Valgrind's core finds its own parts by these; it hides the first from the program. */
	setenv("VALGRIND_LAUNCHER", launcher != NULL ? launcher : tool, 1);
	if (strcmp(valgrind_dir, valgrind_dirs[0]) != 0)
		setenv("VALGRIND_LIB", valgrind_dir, 1);
	launch->pid = fork();
	if (launch->pid == 0)
		become(&command, stream_fd, launch->log_fd);
	unsetenv("VALGRIND_LAUNCHER");
	ms_vec_free(&command.argv);
	ms_arena_free(&command.arena);
	if (launch->pid < 0)
		return ms_fail_errno(err, "cannot start a process");
	return MS_OK;
}

/* Omits lines of other processes (forked ones write into the same file): "==123== ...". */
const char *ms_launch_log(const struct ms_launch_process *launch, struct ms_arena *arena)
{
	struct ms_text text = MS_TEXT_INIT;
	char log[32768], own[32];
	ssize_t n = pread(launch->log_fd, log, sizeof(log) - 1, 0);

	log[n > 0 ? n : 0] = '\0';
	snprintf(own, sizeof(own), "==%d==", (int)launch->pid);
	for (char *line = log, *next; *line != '\0'; line = next) {
		next = line + strcspn(line, "\n");
		next += *next == '\n';
		if (strncmp(line, "==", 2) != 0 || strncmp(line, own, strlen(own)) == 0)
			ms_text_addf(&text, "%.*s", (int)(next - line), line);
	}
	const char *kept = text.n > 0 ? ms_arena_strdup(arena, text.at) : NULL;
	ms_text_free(&text);
	return kept;
}
