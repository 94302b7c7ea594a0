/* cli/shell/verbs.c - what can be typed in the shell: memspy's commands, and a few words more. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "base/words.h"
#include "cli/cli_priv.h"
#include "cli/commands/commands.h"
#include "cli/load_run.h"
#include "cli/shell/shell.h"
#include "store/store.h"

static int open_verb(struct ms_shell *shell, int argc, char *const argv[]);
static int set_verb(struct ms_shell *shell, int argc, char *const argv[]);
static int help_verb(struct ms_shell *shell, int argc, char *const argv[]);
static int quit_verb(struct ms_shell *shell, int argc, char *const argv[]);

/* Words of the shell itself. */
static const struct verb {
	const char *name;
	int (*run)(struct ms_shell *shell, int argc, char *const argv[]);
	const char *brief;
	const char *variable; /* that a setting is kept in: options read it */
	const char *what;     /* of a setting, for people */
} verbs[] = {
	{ "open", open_verb, "open another run: open @3, open TAG, open @latest", NULL, NULL },
	{ "sort", set_verb, "order lists by a metric: sort L1_misses; sort - for stall time",
	  "MEMSPY_SORT", "stall time" },
	{ "top", set_verb, "show at most so many rows: top 5; top - for as many as usual",
	  "MEMSPY_TOP", "as many rows as usual" },
	{ "latency", set_verb, "other latencies: latency L2=12,memory=200; latency - for the run's",
	  "MEMSPY_LATENCY", "the run's own latencies" },
	{ "cost", set_verb, "cost of misses: cost latency, cost exposed; cost - for the run's own",
	  "MEMSPY_COST", "the run's own cost of misses" },
	{ "help", help_verb, "all verbs, or everything about one: help show", NULL, NULL },
	{ "quit", quit_verb, "leave the shell (also exit, Ctrl-D)", NULL, NULL },
};

/* The words of the 1992 paper and of the 2004 dissertation's DView. */
static const char *const other_words[][2] = {
	{ "displayall", "show" }, { "objects", "data" }, { "functions", "code" },
	{ "exit", "quit" },       { "?", "help" },
};

static bool is_verb(const struct ms_cli_command *cmd)
{
	return strcmp(cmd->name, "shell") != 0 && strcmp(cmd->name, "help") != 0;
}

const char *ms_shell_verb(size_t *at, const char **brief)
{
	size_t i = (*at)++, n = 0;

	for (; ms_cli_commands[n] != NULL; n++) {
		if (!is_verb(ms_cli_commands[n]) || i-- > 0)
			continue;
		*brief = ms_cli_commands[n]->brief;
		return ms_cli_commands[n]->name;
	}
	if (i >= MS_COUNT(verbs))
		return NULL;
	*brief = verbs[i].brief;
	return verbs[i].name;
}

/* --- which verb --- */

static const char *own_word(const char *word)
{
	for (size_t i = 0; i < MS_COUNT(other_words); i++)
		if (strcasecmp(word, other_words[i][0]) == 0)
			return other_words[i][1];
	return word;
}

static int refuse_several(const char *word, struct ms_err *err)
{
	struct ms_text names = MS_TEXT_INIT;
	const char *name, *brief;

	for (size_t at = 0; (name = ms_shell_verb(&at, &brief)) != NULL;)
		if (strncmp(name, word, strlen(word)) == 0)
			ms_text_addf(&names, "%s%s", names.n > 0 ? ", " : "", name);
	int code = ms_fail(err, MS_EUSAGE, "'%s' can be %s", word, names.at);
	ms_text_free(&names);
	return code;
}

/* By its name, or by a beginning that no other has. */
static int find_verb(const char *word, const char **found, struct ms_err *err)
{
	struct ms_near near = { .word = word };
	const char *name, *brief;
	size_t several = 0;

	word = own_word(word);
	for (size_t at = 0; (name = ms_shell_verb(&at, &brief)) != NULL;) {
		ms_near_try(&near, name);
		if (strcmp(name, word) == 0) {
			*found = name;
			return MS_OK;
		}
		if (strncmp(name, word, strlen(word)) == 0) {
			*found = name;
			several++;
		}
	}
	if (several == 1)
		return MS_OK;
	if (several > 1)
		return refuse_several(word, err);
	return ms_fail(err, MS_EUSAGE, "there is no verb '%.200s'%s%s%s; help lists them", word,
		       near.best != NULL ? "; did you mean " : "",
		       near.best != NULL ? near.best : "", near.best != NULL ? "?" : "");
}

/* --- verbs of the shell itself --- */

static int print_failure(struct ms_err *err)
{
	int status = err->code == MS_EUSAGE ? MS_CLI_EXIT_USAGE : MS_CLI_EXIT_FAILURE;

	err->code = MS_EFORMAT; /* no word about how to call memspy */
	ms_cli_fail(err);
	return status;
}

int ms_shell_open(struct ms_shell *shell, const char *name, struct ms_err *err)
{
	struct ms_store *store;
	int64_t id;

	MS_TRY(ms_store_open(&store, shell->db, MS_STORE_READ, err));
	int code = ms_store_find(store, name, &id, err);
	ms_store_close(store);
	MS_TRY(code);
	snprintf(shell->run, sizeof(shell->run), "@%" PRId64, id);
	ms_cli_open_run = shell->run;
	shell->fresh = false;
	return MS_OK;
}

static int open_verb(struct ms_shell *shell, int argc, char *const argv[])
{
	struct ms_err err;

	if (argc > 2) {
		ms_fail(&err, MS_EUSAGE, "unexpected argument '%s'; open expects a run", argv[2]);
		return print_failure(&err);
	}
	if (ms_shell_open(shell, argc > 1 ? argv[1] : NULL, &err) != MS_OK)
		return print_failure(&err);
	if (shell->interactive)
		printf("%s is open.\n", shell->run);
	return MS_CLI_EXIT_OK;
}

/* Whether commands accept the value: tries it with `data`, which has all these options. */
static bool is_good(struct ms_shell *shell, const char *name, const char *value)
{
	char option[32];
	char *argv[] = { (char *)(uintptr_t) "data",      option,
			 (char *)(uintptr_t)value,        (char *)(uintptr_t) "--output",
			 (char *)(uintptr_t) "/dev/null", NULL };

	snprintf(option, sizeof(option), "--%s", name);
	return ms_shell_run(shell, ms_cli_find("data"), 5, argv) == MS_CLI_EXIT_OK;
}

static int set_verb(struct ms_shell *shell, int argc, char *const argv[])
{
	const struct verb *verb = verbs;
	struct ms_err err;

	while (strcmp(verb->name, argv[0]) != 0)
		verb++;
	if (argc > 2) {
		ms_fail(&err, MS_EUSAGE, "unexpected argument '%s'", argv[2]);
		return print_failure(&err);
	}
	if (argc == 1) {
		const char *now = getenv(verb->variable);

		printf("%s: %s\n", verb->name, now != NULL ? now : verb->what);
		return MS_CLI_EXIT_OK;
	}
	if (strcmp(argv[1], "-") == 0) {
		unsetenv(verb->variable);
		return MS_CLI_EXIT_OK;
	}
	if (!is_good(shell, verb->name, argv[1]))
		return MS_CLI_EXIT_USAGE;
	setenv(verb->variable, argv[1], 1);
	return MS_CLI_EXIT_OK;
}

static int help_verb(struct ms_shell *shell, int argc, char *const argv[])
{
	const char *name, *brief;
	struct ms_err err;

	if (argc > 1) {
		const char *found;
		const struct ms_cli_command *cmd;

		if (find_verb(argv[1], &found, &err) != MS_OK)
			return print_failure(&err);
		cmd = ms_cli_find(found);
		if (cmd != NULL && is_verb(cmd)) {
			char *words[] = { (char *)(uintptr_t) "help", (char *)(uintptr_t)found,
					  NULL };

			return ms_shell_run(shell, &ms_commands_help, 2, words);
		}
		for (size_t i = 0; i < MS_COUNT(verbs); i++)
			if (strcmp(verbs[i].name, found) == 0)
				printf("%s: %s\n", found, verbs[i].brief);
		return MS_CLI_EXIT_OK;
	}
	for (size_t at = 0; (name = ms_shell_verb(&at, &brief)) != NULL;)
		printf("  %-10s %s\n", name, brief);
	printf("Data and code are named by any part that only one name has. A verb may be cut "
	       "short.\n");
	return MS_CLI_EXIT_OK;
}

static int quit_verb(struct ms_shell *shell, int argc, char *const argv[])
{
	(void)argc;
	(void)argv;
	shell->leaving = true;
	return shell->status;
}

/* --- a line --- */

/* note and tag want to know the run; here it is the one that is open. */
static void add_run(const struct ms_shell *shell, const char *verb, struct ms_words *words)
{
	size_t plain = 0, at = words->at.n;

	if (shell->run[0] == '\0')
		return;
	for (size_t i = 1; i < words->at.n; i++)
		if (words->at.at[i][0] != '-') {
			plain++;
			at = at == words->at.n ? i : at;
		}
	bool noting = (strcmp(verb, "note") == 0 || strcmp(verb, "tag") == 0) &&
		      (plain == 0 || words->at.at[at][0] != '@');
	if (!noting)
		return;
	ms_vec_add(&words->at);
	memmove(words->at.at + at + 1, words->at.at + at,
		(words->at.n - at - 1) * sizeof(*words->at.at));
	words->at.at[at] = shell->run;
}

/* A new run is what the next words are about. */
static void after(struct ms_shell *shell, const char *verb)
{
	static const char *const makers[] = { "run", "replay", "sample" };
	struct ms_err err;

	shell->fresh = false;
	for (size_t i = 0; i < MS_COUNT(makers); i++)
		if (strcmp(verb, makers[i]) == 0 &&
		    ms_shell_open(shell, "@latest", &err) == MS_OK && shell->interactive)
			printf("%s is open.\n", shell->run);
}

static int run_words(struct ms_shell *shell, struct ms_words *words)
{
	const char *name = NULL;
	struct ms_err err;

	if (find_verb(words->at.at[0], &name, &err) != MS_OK)
		return print_failure(&err);
	words->at.at[0] = name;
	add_run(shell, name, words);
	int argc = (int)words->at.n;
	*ms_vec_add(&words->at) = NULL;
	char *const *argv = (char *const *)words->at.at;

	for (size_t i = 0; i < MS_COUNT(verbs); i++)
		if (strcmp(verbs[i].name, name) == 0)
			return verbs[i].run(shell, argc, argv);
	int status = ms_shell_run(shell, ms_cli_find(name), argc, argv);
	after(shell, name);
	return status;
}

int ms_shell_line(struct ms_shell *shell, const char *line)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (!ms_words_split(&words, line, &arena)) {
		ms_fail(&err, MS_EUSAGE, "a quote has no end");
		status = print_failure(&err);
	} else {
		/* As reports name the next command. */
		if (words.at.n > 0 && strcmp(words.at.at[0], "memspy") == 0)
			memmove(words.at.at, words.at.at + 1, --words.at.n * sizeof(*words.at.at));
		if (words.at.n > 0)
			status = run_words(shell, &words);
	}
	if (status != MS_CLI_EXIT_OK)
		shell->status = status;
	ms_vec_free(&words.at);
	ms_arena_free(&arena);
	return status;
}
