/*
 * cli/shell/shell.h - memspy shell: a conversation about one run after the other.
 *
 * A verb is a command of memspy, run by the same code, in a process of its own: Ctrl-C ends what it
 * lists, and nothing that it does wrong ends the shell. What verbs share (the database, the run
 * that is open, how lists are sorted) they get as commands always do: from MEMSPY_* variables, and
 * from ms_cli_open_run.
 */
#ifndef MS_CLI_SHELL_SHELL_H
#define MS_CLI_SHELL_SHELL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/opt.h"
#include "base/text.h"
#include "cli/command.h"

struct ms_shell {
	const char *db;
	char run[32];     /* "@3"; "": none is open */
	bool interactive; /* a person is typing */
	bool paging;      /* what is longer than the screen goes through a pager */
	bool leaving;
	int status; /* of the last verb that failed */
	/* For completion: names of the open run, and when to read them again. */
	struct ms_arena names;
	MS_VEC(const char *) data;
	MS_VEC(const char *) code;
	MS_VEC(const char *) files;
	MS_VEC(const char *) runs;
	MS_VEC(const char *) metrics;
	bool fresh;
};

/* verbs.c: does what a line says; its exit status. */
int ms_shell_line(struct ms_shell *shell, const char *line);
/* Opens a run: its name, or NULL for the latest. */
int ms_shell_open(struct ms_shell *shell, const char *name, struct ms_err *err);
/* One verb after the other, from *at on; NULL: there are no more. */
const char *ms_shell_verb(size_t *at, const char **brief);

/* run.c: a command in a process of its own. */
int ms_shell_run(struct ms_shell *shell, const struct ms_cli_command *cmd, int argc,
		 char *const argv[]);

/* complete.c: what the last word of a line could be; words live until the next call. */
struct ms_shell_completion {
	size_t begin; /* of the word in the line */
	struct ms_words words;
	struct ms_text common; /* what all of them begin with */
	bool parts;            /* they hold the word, but do not begin with it */
	struct ms_arena arena;
};

void ms_shell_complete(struct ms_shell *shell, const char *line, size_t n,
		       struct ms_shell_completion *completion);
void ms_shell_completion_free(struct ms_shell_completion *completion);
void ms_shell_forget(struct ms_shell *shell);

/* edit.c: reads lines from a terminal until the shell is left. */
void ms_shell_edit(struct ms_shell *shell);
/* The version of libedit. */
const char *ms_shell_library(void);

#endif
