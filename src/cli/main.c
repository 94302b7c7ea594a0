/* cli/main.c - looks the command up and runs it. */
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "cli/cli_priv.h"
#include "cli/commands/commands.h"
#include "cli/help/help.h"
#include "cli/options/report.h"
#include "collect/collect.h"
#include "launch/launch.h"

MS_NORETURN static void out_of_memory(size_t wanted)
{
	fprintf(stderr, "memspy: out of memory (%zu bytes more were needed)\n", wanted);
	_exit(MS_CLI_EXIT_OWN);
}

static int show_overview(void)
{
	ms_help_overview(stdout);
	return MS_CLI_EXIT_OK;
}

static int show_version(void)
{
	ms_cli_version(stdout);
	return MS_CLI_EXIT_OK;
}

static const struct {
	const char *word;
	int (*run)(void);
} global_options[] = {
	{ "--help", show_overview },
	{ "-h", show_overview },
	{ "--version", show_version },
	{ "-V", show_version },
};

/* "memspy --help run" is "memspy help run". */
static bool asks_for_help(int argc, char *argv[])
{
	return argc > 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

static int run_option(const char *word)
{
	struct ms_err err;

	for (size_t i = 0; i < MS_COUNT(global_options); i++)
		if (strcmp(global_options[i].word, word) == 0)
			return global_options[i].run();
	ms_fail(&err, MS_EUSAGE,
		"unknown option '%s'; options follow a command, as in: memspy run %s ...", word,
		word);
	return ms_cli_fail(&err);
}

static int run(int argc, char *argv[])
{
	struct ms_err err;

	if (argc < 2)
		return show_overview();
	if (asks_for_help(argc, argv))
		return ms_commands_help.run(argc - 1, argv + 1);
	if (argv[1][0] == '-')
		return run_option(argv[1]);

	const struct ms_cli_command *cmd = ms_cli_find(argv[1]);
	/* No command is a path: memspy ./prog is memspy run ./prog. */
	if (cmd == NULL && strchr(argv[1], '/') != NULL) {
		argv[0] = (char *)ms_commands_run.name;
		return ms_commands_run.run(argc, argv);
	}
	if (cmd == NULL) {
		ms_cli_unknown(argv[1], &err);
		return ms_cli_fail(&err);
	}
	return cmd->run(argc - 1, argv + 1);
}

/* stdio forgets why it could not write all but what is in the buffer last: most output fits in. */
static void widen_output(void)
{
	static char room[64 << 10];

	if (!isatty(STDOUT_FILENO))
		setvbuf(stdout, room, _IOFBF, sizeof(room));
}

/* Restricts output to ASCII if the terminal's character set is not UTF-8. */
static void choose_characters(void)
{
	if (!isatty(STDOUT_FILENO) && !isatty(STDERR_FILENO))
		return;
	if (setlocale(LC_CTYPE, "") != NULL)
		ms_utf8_ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	setlocale(LC_CTYPE, "C");
}

/*
 * If a standard stream is closed, prevents a file that memspy opens from getting its descriptor:
 * messages would be written into that file. Executed programs still find the stream closed.
 */
static void keep_places(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", (fd == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

/* Output that could not be written is a failure, even if the command succeeded. */
/*
 * For a moment, glibc takes 128 MB of address space for each heap of a thread. Below a limit,
 * allocations of other threads fail meanwhile.
 */
static void share_heap_below_limit(void)
{
	if (!ms_launch_has_room())
		mallopt(M_ARENA_MAX, 1);
}

int main(int argc, char *argv[])
{
	struct ms_err err;

	ms_out_of_memory = out_of_memory;
	share_heap_below_limit();
	keep_places();
	if (ms_launch_is_launcher(argc, argv))
		return ms_launch_run_launcher(argc, argv, ms_cli_frontends_dir());
	/* A file that may not grow (ulimit -f) is like a full disk. */
	ms_cli_outlive(SIGXFSZ);
	widen_output();
	choose_characters();
	int status = run(argc, argv);
	if (status == MS_CLI_EXIT_OK &&
	    ms_options_flush_output("standard output", stdout, &err) != MS_OK)
		status = ms_cli_fail(&err);
	return status;
}
