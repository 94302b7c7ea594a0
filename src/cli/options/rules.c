#include "cli/options/rules.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/describe/describe.h"
#include "analysis/summary/select.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cli/load_run.h"

enum { SHOWN = 200 };

struct making {
	const struct ms_options_rules *options;
	enum ms_run_rule_verb verb;
	bool verbose;                /* what was kept */
	const char *run_name;        /* NULL: the latest */
	const char *name;            /* that is given: rename, combine */
	MS_VEC(const char *) things; /* as the user calls them */
	struct ms_store *store;
	struct ms_run run;
	struct ms_run_rules rules; /* all that hold, then the new ones */
	size_t old;                /* how many of them are not new */
	struct ms_rules_outcome outcome;
	struct ms_summary summary;
	const char *joined; /* combine: data that has the name of its own; NULL: none */
};

static const struct {
	size_t least;
	size_t most;
	const char *wanted;
} shapes[MS_RULE_VERBS] = {
	[MS_RULE_RENAME] = { 2, 2, "what to rename, and its new name: memspy rename OLD NEW" },
	[MS_RULE_COMBINE] = { 2, SIZE_MAX,
			      "a name, and what it is for: memspy combine NAME DATA..." },
	[MS_RULE_SPLIT] = { 1, SIZE_MAX, "what to split: memspy split --by size DATA..." },
	[MS_RULE_HIDE] = { 1, SIZE_MAX, "what to hide: memspy hide DATA..." },
};

static int check_name(const char *name, struct ms_err *err)
{
	if (name[0] == '\0')
		return ms_fail(err, MS_EUSAGE, "the new name is empty");
	for (const char *p = name; *p != '\0'; p++)
		if (iscntrl((unsigned char)*p))
			return ms_fail(err, MS_EUSAGE,
				       "the new name holds a control character (0x%02x)",
				       (unsigned char)*p);
	if (name[0] == '<')
		return ms_fail(
			err, MS_EUSAGE,
			"names that begin with '<' (\"%s\") are memspy's own; choose another",
			name);
	return MS_OK;
}

/* The words: @RUN anywhere, the new name first or last, the rest are things. */
static int read_words(struct making *m, const struct ms_words *words, struct ms_err *err)
{
	for (size_t i = 0; i < words->at.n; i++) {
		if (words->at.at[i][0] == '@' && m->run_name == NULL)
			m->run_name = words->at.at[i];
		else
			*ms_vec_add(&m->things) = words->at.at[i];
	}
	if (m->things.n < shapes[m->verb].least || m->things.n > shapes[m->verb].most)
		return ms_fail(err, MS_EUSAGE, "%zu word%s, expected %s", m->things.n,
			       m->things.n == 1 ? "" : "s", shapes[m->verb].wanted);
	if (m->verb == MS_RULE_RENAME) {
		m->name = m->things.at[--m->things.n];
	} else if (m->verb == MS_RULE_COMBINE) {
		m->name = m->things.at[0];
		memmove(m->things.at, m->things.at + 1, --m->things.n * sizeof(*m->things.at));
	}
	if (m->name != NULL)
		return check_name(m->name, err);
	m->name = m->verb == MS_RULE_SPLIT ? m->options->by : NULL;
	if (m->verb == MS_RULE_SPLIT && (m->name == NULL || !ms_rules_is_split(m->name)))
		return ms_fail(
			err, MS_EUSAGE, "%s%s, expected --by size, thread, field or caller=N",
			m->name != NULL ? "--by " : "no --by", m->name != NULL ? m->name : "");
	return MS_OK;
}

static uint32_t subject_of(const struct making *m)
{
	return m->options->code ? MS_RULE_CODE : MS_RULE_DATA;
}

static const char *program_of(const struct making *m)
{
	if (m->options->any)
		return NULL;
	if (m->options->program != NULL)
		return ms_base_name(m->options->program);
	return m->options->pattern ? NULL : ms_base_name(m->run.program);
}

static void add_rule(struct making *m, const char *pattern)
{
	*ms_vec_add(&m->rules.at) = (struct ms_run_rule){
		.program = program_of(m),
		.subject = subject_of(m),
		.verb = m->verb,
		.pattern = ms_arena_strdup(&m->rules.arena, pattern),
		.name = m->name,
	};
}

static void add_thing(struct making *m, uint32_t thing)
{
	const struct ms_run *run = &m->run;
	const char *key = (m->options->code ? m->outcome.code_keys : m->outcome.data_keys)[thing];
	const char *name = m->options->code ? run->codes.at[thing].name : run->data.at[thing].name;
	struct ms_text pattern = MS_TEXT_INIT;

	/* A group that rules have made of several data has no key, only a name. */
	ms_rules_escape(&pattern, key != NULL ? key : name);
	add_rule(m, pattern.at);
	ms_text_free(&pattern);
}

static size_t count_of(const bool *chosen, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += chosen[i];
	return count;
}

/*
 * Whether a word that names this thing does so as a pattern: it is then for later runs, too,
 * however few there are in this one. Names hold * and [ themselves: operator*, libc.so.6[.got].
 */
static bool is_pattern(const struct making *m, const char *word, uint32_t thing)
{
	const char *name =
		m->options->code ? m->run.codes.at[thing].name : m->run.data.at[thing].name;
	const char *full = m->options->code ? name : m->run.data.at[thing].full_name;

	return m->verb != MS_RULE_RENAME && strpbrk(word, "*?[") != NULL &&
	       strcasestr(name, word) == NULL && (full == NULL || strcasestr(full, word) == NULL);
}

static void print_merged_paths(const struct making *m, uint32_t data)
{
	struct ms_text safe = MS_TEXT_INIT;

	ms_utf8_fit(&safe, m->run.data.at[data].name, SHOWN, MS_CUT_END);
	fprintf(stderr,
		"memspy: '%s' holds call paths that were merged during the run (%" PRIu64 "); run "
		"the program again with --max-paths %" PRIu64 " to split them\n",
		safe.at, m->run.data.at[data].paths, ms_describe_path_limit(&m->run));
	ms_text_free(&safe);
}

/* Which of the merged call paths an object came from is not known after the run. */
static void look_for_merged_paths(const struct making *m, const bool *chosen)
{
	if (m->verb != MS_RULE_SPLIT || m->options->code || strncmp(m->name, "caller=", 7) != 0)
		return;
	for (uint32_t i = 0; i < m->run.data.n; i++)
		if (chosen[i] && m->run.data.at[i].paths > 0) {
			print_merged_paths(m, i);
			return;
		}
}

/* One word: what it names in the run, or itself where it is a pattern. */
static int add_word(struct making *m, const char *word, struct ms_err *err)
{
	const struct ms_summary_entries *entries =
		m->options->code ? &m->summary.code : &m->summary.data;
	size_t n = m->options->code ? m->run.codes.n : m->run.data.n;
	bool *chosen = ms_alloc((n + 1) * sizeof(*chosen));
	int code = ms_summary_select_only(entries, word, chosen, err);
	size_t count = code == MS_OK ? count_of(chosen, n) : 0;

	if (count > 0)
		look_for_merged_paths(m, chosen);
	if (count > 1 && m->verb == MS_RULE_RENAME)
		code = ms_fail(err, MS_EUSAGE,
			       "\"%s\" names %zu %s, and rename expects one; memspy combine makes "
			       "several one",
			       word, count, ms_run_rule_subject_word(subject_of(m)));
	else if (count > 1)
		add_rule(m, word);
	for (uint32_t i = 0; code == MS_OK && count == 1 && i < n; i++)
		if (chosen[i] && is_pattern(m, word, i))
			add_rule(m, word);
		else if (chosen[i])
			add_thing(m, i);
	ms_free(chosen);
	return code;
}

/* A second thing under a name of another would be taken for it. */
static int check_taken(const struct making *m, struct ms_err *err)
{
	for (size_t i = 0; m->verb == MS_RULE_RENAME && !m->options->code && i < m->run.data.n; i++)
		if (strcmp(m->run.data.at[i].name, m->name) == 0)
			return ms_fail(err, MS_EUSAGE,
				       "there is already data called \"%s\" in this run; if both "
				       "are one thing: memspy combine '%s' '%s'",
				       m->name, m->name, m->things.at[0]);
	return MS_OK;
}

/* Data of the run's own that has the name which combine gives belongs to the group, too. Mostly
 * that is intended; it is reported in case it is not. */
static const char *find_joined(const struct making *m)
{
	for (size_t i = 0; i < m->things.n; i++)
		if (strcmp(m->things.at[i], m->name) == 0)
			return NULL;
	for (size_t i = 0; i < m->old; i++)
		if (m->rules.at.at[i].name != NULL && strcmp(m->rules.at.at[i].name, m->name) == 0)
			return NULL;
	for (size_t i = 0; i < m->run.data.n; i++)
		if (m->outcome.data_keys[i] != NULL && strcmp(m->run.data.at[i].name, m->name) == 0)
			return m->run.data.at[i].full_name;
	return NULL;
}

static int find_things(struct making *m, struct ms_err *err)
{
	if (m->options->pattern) {
		for (size_t i = 0; i < m->things.n; i++)
			add_rule(m, m->things.at[i]);
		return MS_OK;
	}
	MS_TRY(ms_summary_make(&m->summary, &m->run, NULL, NULL, err));
	int code = check_taken(m, err);
	if (m->verb == MS_RULE_COMBINE && !m->options->code)
		m->joined = find_joined(m);
	for (size_t i = 0; i < m->things.n && code == MS_OK; i++)
		code = add_word(m, m->things.at[i], err);
	ms_summary_free(&m->summary);
	return code;
}

/* Read before anything is changed: a database that is not there is not made for this. */
static int load_run(struct making *m, struct ms_err *err)
{
	struct ms_store *store;
	int64_t id;

	if (m->options->pattern)
		return MS_OK;
	MS_TRY(ms_store_open(&store, m->options->report.db, MS_STORE_READ, err));
	int code =
		ms_store_find(store, m->run_name != NULL ? m->run_name : ms_cli_open_run, &id, err);
	if (code == MS_OK)
		code = ms_store_load(store, id, &m->run, err);
	ms_store_close(store);
	return code;
}

/* Renaming something to its old name removes the rule that gave it the new one. */
static int64_t taken_back(const struct making *m)
{
	const struct ms_run_rule *new = &m->rules.at.at[m->old];

	for (size_t i = 0; m->verb == MS_RULE_RENAME && i < m->old; i++) {
		const struct ms_run_rule *rule = &m->rules.at.at[i];

		if (rule->id != 0 && rule->verb == MS_RULE_RENAME &&
		    rule->subject == new->subject &&strcmp(rule->pattern, new->name) == 0 &&
		    strcmp(rule->name, new->pattern) == 0)
			return rule->id;
	}
	return 0;
}

/* Checks the rules as they will be when the new ones have replaced old ones. */
static int check_circle(const struct making *m, struct ms_err *err)
{
	struct ms_text circle = MS_TEXT_INIT;
	struct ms_run_rules all = { 0 };
	int code = MS_OK;

	for (size_t i = 0; i < m->rules.at.n; i++) {
		const struct ms_run_rule *rule = &m->rules.at.at[i];
		bool replaced = false;

		for (size_t k = m->old; k < m->rules.at.n && i < m->old && rule->id != 0; k++)
			replaced =
				replaced || (rule->subject == m->rules.at.at[k].subject &&
					     strcmp(rule->pattern, m->rules.at.at[k].pattern) == 0);
		if (!replaced)
			*ms_vec_add(&all.at) = *rule;
	}
	if (ms_rules_loop(&all, &circle))
		code = ms_fail(err, MS_EUSAGE,
			       "%s: nothing was kept; memspy rules --remove N removes a rule",
			       circle.at);
	ms_text_free(&circle);
	ms_vec_free(&all.at);
	return code;
}

static void say(const struct ms_run_rule *rule)
{
	struct ms_text line = MS_TEXT_INIT, safe = MS_TEXT_INIT;

	ms_rules_write(&line, rule);
	ms_utf8_fit(&safe, line.at, SHOWN, MS_CUT_END);
	printf("Rule %" PRId64 ": %s\n", rule->id, safe.at);
	ms_text_free(&line);
	ms_text_free(&safe);
}

static void print_joined(const struct making *m)
{
	struct ms_text safe = MS_TEXT_INIT;

	ms_utf8_fit(&safe, m->joined, SHOWN, MS_CUT_END);
	printf("What is called so already belongs to it: %s\n", safe.at);
	ms_text_free(&safe);
}

/* In one transaction: of two concurrent changes, the second sees the result of the first.
 */
static int make(struct making *m, struct ms_err *err)
{
	MS_TRY(ms_cli_rules(&m->options->report, m->store, &m->rules, err));
	m->old = m->rules.at.n;
	if (!m->options->pattern)
		ms_rules_apply(&m->run, &m->rules, &m->outcome);
	MS_TRY(find_things(m, err));
	int64_t back = taken_back(m);
	if (back != 0) {
		m->rules.at.n = m->old;
		if (m->verbose)
			printf("Rule %" PRId64 " is taken back.\n", back);
		return ms_store_remove_rule(m->store, back, err);
	}
	MS_TRY(check_circle(m, err));
	for (size_t i = m->old; i < m->rules.at.n; i++)
		MS_TRY(ms_store_add_rule(m->store, &m->rules.at.at[i], err));
	return MS_OK;
}

static int keep(struct making *m, struct ms_err *err)
{
	MS_TRY(load_run(m, err));
	MS_TRY(ms_store_open(&m->store, m->options->report.db, MS_STORE_WRITE, err));
	MS_TRY(ms_store_begin_change(m->store, err));
	int code = make(m, err);
	int ended = ms_store_end_change(m->store, code == MS_OK, code == MS_OK ? err : NULL);

	if (code != MS_OK || ended != MS_OK)
		return code != MS_OK ? code : ended;
	for (size_t i = m->old; i < m->rules.at.n && m->verbose; i++)
		say(&m->rules.at.at[i]);
	if (m->verbose && m->joined != NULL)
		print_joined(m);
	if (m->verbose && m->verb == MS_RULE_SPLIT && strncmp(m->name, "caller=", 7) != 0)
		printf("It holds for runs from now on: the ones that are there were counted "
		       "together.\n");
	return MS_OK;
}

int ms_options_keep_rules(const struct ms_options_rules *options, enum ms_run_rule_verb verb,
			  const struct ms_words *words, bool verbose, struct ms_err *err)
{
	struct making m = { .options = options, .verb = verb, .verbose = verbose };
	int code = read_words(&m, words, err);

	if (code == MS_OK)
		code = keep(&m, err);
	ms_rules_outcome_free(&m.outcome);
	ms_run_free(&m.run);
	ms_run_rules_free(&m.rules);
	ms_store_close(m.store);
	ms_vec_free(&m.things);
	return code;
}

int ms_options_make_rules(const struct ms_cli_command *cmd, enum ms_run_rule_verb verb, int argc,
			  char *const argv[])
{
	struct ms_options_rules options = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(cmd, argc, argv, &options, &words, &status))
		return status;
	if (ms_options_keep_rules(&options, verb, &words, true, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}
