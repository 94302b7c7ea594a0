/* cli/shell/complete.c - what the last word of a line could be. */
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/metric/metric.h"
#include "analysis/user_rules/rules.h"
#include "base/words.h"
#include "cli/cli_priv.h"
#include "cli/help/completion.h"
#include "cli/help/help.h"
#include "cli/load_run.h"
#include "cli/shell/shell.h"
#include "run/run_list.h"

/* --- names of the open run --- */

void ms_shell_forget(struct ms_shell *shell)
{
	ms_vec_free(&shell->data);
	ms_vec_free(&shell->code);
	ms_vec_free(&shell->files);
	ms_vec_free(&shell->runs);
	ms_vec_free(&shell->metrics);
	ms_arena_free(&shell->names);
	shell->fresh = false;
}

static const char *keep(struct ms_shell *shell, const char *text)
{
	return ms_arena_strdup(&shell->names, text);
}

static void keep_run(struct ms_shell *shell, const struct ms_run *run)
{
	for (size_t i = 0; i < run->data.n; i++)
		*ms_vec_add(&shell->data) = keep(shell, run->data.at[i].name);
	for (size_t i = 0; i < run->codes.n; i++)
		*ms_vec_add(&shell->code) = keep(shell, run->codes.at[i].name);
	for (size_t i = 0; i < run->lines.n; i++)
		if (run->lines.at[i].file != NULL)
			*ms_vec_add(&shell->files) =
				keep(shell, ms_base_name(run->lines.at[i].file));
	for (const struct ms_metric *m = ms_metric_table; m->key != NULL; m++) {
		if (!m->per_level)
			*ms_vec_add(&shell->metrics) = m->key;
		for (size_t l = 0; m->per_level && l < run->levels.n; l++)
			*ms_vec_add(&shell->metrics) = ms_arena_printf(
				&shell->names, "%s_%s", run->levels.at[l].name, m->key);
	}
}

static void keep_heads(struct ms_shell *shell, struct ms_store *store)
{
	struct ms_run_list heads;

	if (ms_store_list(store, &heads, NULL) != MS_OK)
		return;
	for (size_t i = 0; i < heads.at.n; i++) {
		*ms_vec_add(&shell->runs) =
			ms_arena_printf(&shell->names, "@%" PRId64, heads.at.at[i].id);
		if (heads.at.at[i].tag != NULL)
			*ms_vec_add(&shell->runs) =
				ms_arena_printf(&shell->names, "@%s", heads.at.at[i].tag);
	}
	ms_run_list_free(&heads);
}

static void read_names(struct ms_shell *shell)
{
	struct ms_options_report opts = { .db = shell->db, .rules = getenv("MEMSPY_RULES") };
	struct ms_rules_outcome outcome;
	struct ms_run_rules rules = { 0 };
	struct ms_store *store;
	struct ms_run run;
	int64_t id;

	if (shell->fresh)
		return;
	ms_shell_forget(shell);
	if (ms_store_open(&store, shell->db, MS_STORE_READ, NULL) != MS_OK)
		return;
	keep_heads(shell, store);
	ms_cli_rules(&opts, store, &rules, NULL);
	if (shell->run[0] != '\0' && ms_store_find(store, shell->run, &id, NULL) == MS_OK &&
	    ms_store_load(store, id, &run, NULL) == MS_OK) {
		ms_rules_apply(&run, &rules, &outcome);
		keep_run(shell, &run);
		ms_rules_outcome_free(&outcome);
		ms_run_free(&run);
	}
	ms_run_rules_free(&rules);
	ms_store_close(store);
	shell->fresh = true;
}

/* --- candidates --- */

struct search {
	struct ms_shell_completion *c;
	const char *word;
	bool inside; /* anywhere in the candidate, not only at its beginning */
};

static void try(struct search *s, const char *candidate)
{
	size_t n = strlen(s->word);

	if (s->inside ? n == 0 || strstr(candidate, s->word) == NULL
		      : strncmp(candidate, s->word, n) != 0)
		return;
	for (size_t i = 0; i < s->c->words.at.n; i++)
		if (strcmp(s->c->words.at.at[i], candidate) == 0)
			return;
	*ms_vec_add(&s->c->words.at) = ms_arena_strdup(&s->c->arena, candidate);
}

#define try_all(s, list)                         \
	for (size_t i_ = 0; i_ < (list).n; i_++) \
	try(s, (list).at[i_])

static void try_verbs(struct search *s)
{
	const char *name, *brief;

	for (size_t at = 0; (name = ms_shell_verb(&at, &brief)) != NULL;)
		try(s, name);
}

static void try_options(struct search *s, const struct ms_cli_command *cmd)
{
	struct ms_help_options rows = { &cmd->options, 0, 0 };
	const struct ms_opt *row;

	while ((row = ms_cli_next_option(&rows)) != NULL)
		try(s, ms_arena_printf(&s->c->arena, "--%s", row->name));
}

/* Files: the folder stays as typed; folders end in a slash. */
static void try_paths(struct search *s)
{
	const char *slash = strrchr(s->word, '/');
	int n = slash != NULL ? (int)(slash - s->word) + 1 : 0;
	DIR *folder = opendir(n > 0 ? ms_arena_printf(&s->c->arena, "%.*s", n, s->word) : ".");
	struct dirent *entry;

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		char *path = ms_arena_printf(&s->c->arena, "%.*s%s", n, s->word, entry->d_name);
		struct stat about;

		if (entry->d_name[0] == '.' && (slash == NULL || slash[1] != '.'))
			continue;
		bool is_folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
		try(s, is_folder ? ms_arena_printf(&s->c->arena, "%s/", path) : path);
	}
	if (folder != NULL)
		closedir(folder);
}

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

static void try_choices(struct search *s, const char *choices)
{
	while (*choices != '\0') {
		size_t n = strcspn(choices, "|");

		try(s, ms_arena_strndup(&s->c->arena, choices, n));
		choices += n + (choices[n] == '|');
	}
}

/* The value of an option, by what its row says of it. */
static void try_value(struct ms_shell *shell, struct search *s, const struct ms_opt *row)
{
	static const char *const codes[] = { "code", "at", "only-code", NULL };
	const char *words = ms_help_complete_value(row);

	if (words != NULL && words[0] != '\0' && strchr(words, '%') == NULL)
		try_choices(s, words);
	else if (strcmp(row->name, "sort") == 0)
		try_all(s, shell->metrics);
	else if (strcmp(row->name, "file") == 0)
		try_all(s, shell->files);
	else if (is_one_of(row->name, codes))
		try_all(s, shell->code);
	else if (row->value != NULL &&
		 (strcmp(row->value, "FILE") == 0 || strcmp(row->value, "DIR") == 0))
		try_paths(s);
	else if (row->value != NULL && strcmp(row->value, "RUN") == 0)
		try_all(s, shell->runs);
	else if (row->value != NULL &&
		 (strcmp(row->value, "NAME") == 0 || strcmp(row->value, "DATA") == 0))
		try_all(s, shell->data);
}

static const struct ms_opt *option_named(const struct ms_cli_command *cmd, const char *word)
{
	struct ms_help_options rows = { &cmd->options, 0, 0 };
	const struct ms_opt *row;

	while ((row = ms_cli_next_option(&rows)) != NULL) {
		bool is_long = strncmp(word, "--", 2) == 0 && strcmp(word + 2, row->name) == 0;
		bool is_short = row->letter != 0 && word[0] == '-' && word[1] == row->letter &&
				word[2] == '\0';

		if ((is_long || is_short) && row->kind != MS_OPT_FLAG)
			return row;
	}
	return NULL;
}

/* Words after the verb that are no options. */
static void try_words(struct ms_shell *shell, struct search *s, const char *verb)
{
	static const char *const about_runs[] = { "open",   "runs",  "diff",     "note", "tag",
						  "report", "pmu",   "accuracy", "html", "threads",
						  "matrix", "rules", NULL };
	static const char *const about_files[] = { "run", "replay", "check", "sample", NULL };

	if (strcmp(verb, "help") == 0)
		try_verbs(s);
	else if (strcmp(verb, "sort") == 0)
		try_all(s, shell->metrics);
	else if (is_one_of(verb, about_files))
		try_paths(s);
	else if (is_one_of(verb, about_runs))
		try_all(s, shell->runs);
	else if (s->word[0] == '@')
		try_all(s, shell->runs);
	else {
		if (strcmp(verb, "lines") == 0)
			try_all(s, shell->files);
		else
			try_all(s, shell->data);
		try_all(s, shell->code);
	}
}

static void collect(struct ms_shell *shell, struct search *s, const struct ms_words *before)
{
	const struct ms_cli_command *cmd = before->at.n > 0 ? ms_cli_find(before->at.at[0]) : NULL;
	const struct ms_opt *row = NULL;

	if (before->at.n == 0) {
		try_verbs(s);
		return;
	}
	if (cmd != NULL && before->at.n > 1)
		row = option_named(cmd, before->at.at[before->at.n - 1]);
	if (row != NULL)
		try_value(shell, s, row);
	else if (cmd != NULL && s->word[0] == '-')
		try_options(s, cmd);
	else
		try_words(shell, s, before->at.at[0]);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void find_common(struct ms_shell_completion *c)
{
	size_t n = strlen(c->words.at.at[0]);

	for (size_t i = 1; i < c->words.at.n; i++) {
		size_t k = 0;

		while (k < n && c->words.at.at[i][k] == c->words.at.at[0][k])
			k++;
		n = k;
	}
	ms_text_add_n(&c->common, c->words.at.at[0], n);
}

void ms_shell_complete(struct ms_shell *shell, const char *line, size_t n,
		       struct ms_shell_completion *c)
{
	struct ms_text word = MS_TEXT_INIT, head = MS_TEXT_INIT;
	struct ms_words before = { 0 };

	*c = (struct ms_shell_completion){ .begin = 0 };
	read_names(shell);
	c->begin = ms_words_last(line, n, &word);
	ms_text_add_n(&head, line, c->begin);
	ms_words_split(&before, ms_text_get(&head), &c->arena);

	struct search s = { c, ms_text_get(&word), false };
	collect(shell, &s, &before);
	if (c->words.at.n == 0) {
		s.inside = c->parts = true;
		collect(shell, &s, &before);
	}
	if (c->words.at.n > 0) {
		qsort(c->words.at.at, c->words.at.n, sizeof(*c->words.at.at), compare);
		find_common(c);
	}
	ms_vec_free(&before.at);
	ms_text_free(&head);
	ms_text_free(&word);
}

void ms_shell_completion_free(struct ms_shell_completion *c)
{
	ms_vec_free(&c->words.at);
	ms_text_free(&c->common);
	ms_arena_free(&c->arena);
}
