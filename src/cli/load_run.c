#include "cli/load_run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "analysis/summary/name_match.h"
#include "base/utf8.h"
#include "cli/select_ranks.h"
#include "store/rules.h"

const char *ms_cli_open_run;

enum { MESSAGE_WIDTH = 2000 };

static int read_file(const char *path, bool must, struct ms_run_rules *rules, struct ms_err *err)
{
	FILE *in = fopen(path, "re");

	if (in == NULL && errno == ENOENT && !must)
		return MS_OK;
	if (in == NULL)
		return ms_fail_errno(err,
				     "%s: could not open it to read rules (--rules names another "
				     "file, or none)",
				     path);
	int code = ms_rules_read(rules, in, path, err);
	fclose(in);
	return code;
}

int ms_cli_rules(const struct ms_options_report *opts, struct ms_store *store,
		 struct ms_run_rules *rules, struct ms_err *err)
{
	const char *path = opts->rules;

	if (path != NULL && strcmp(path, "none") == 0)
		return MS_OK;
	MS_TRY(read_file(path != NULL ? path : MS_CLI_DEFAULT_RULES, path != NULL, rules, err));
	return store != NULL ? ms_store_rules(store, rules, err) : MS_OK;
}

/* Names in it come from anywhere. */
static void print_message(const char *sentence)
{
	struct ms_text safe = MS_TEXT_INIT;

	ms_utf8_fit(&safe, sentence, MESSAGE_WIDTH, MS_CUT_END);
	fprintf(stderr, "memspy: %s\n", ms_text_get(&safe));
	ms_text_free(&safe);
}

static void report_outcome(const struct ms_run_rules *rules, const struct ms_rules_outcome *outcome,
			   const struct ms_run *run)
{
	size_t idle = 0;

	for (size_t i = 0; i < outcome->messages.n; i++)
		print_message(outcome->messages.at[i]);
	for (size_t i = 0; i < rules->at.n; i++)
		idle += outcome->matches[i] == 0 && rules->at.at[i].verb < MS_RULE_ONLY &&
			ms_rules_is_for(&rules->at.at[i], run->program);
	if (idle > 0)
		fprintf(stderr,
			"memspy: %zu rule%s nothing in this run; `memspy rules` shows which\n",
			idle, idle == 1 ? " matches" : "s match");
}

typedef MS_VEC(const char *) word_list;

static void add_names(word_list *words, const struct ms_options_report *opts)
{
	for (size_t i = 0; opts->asked_names != NULL && i < opts->asked_names->at.n; i++)
		*ms_vec_add(words) = opts->asked_names->at.at[i];
}

static void add_asked_code(word_list *words, const struct ms_options_report *opts)
{
	add_names(words, opts);
	for (size_t i = 0; opts->asked_code != NULL && i < opts->asked_code->words.n; i++)
		*ms_vec_add(words) = opts->asked_code->words.at[i];
}

static void add_asked(word_list *words, const struct ms_options_report *opts)
{
	add_names(words, opts);
	for (size_t k = 0; k < MS_COUNT(opts->asked_data); k++)
		for (size_t i = 0; opts->asked_data[k] != NULL && i < opts->asked_data[k]->words.n;
		     i++)
			*ms_vec_add(words) = opts->asked_data[k]->words.at[i];
}

void ms_cli_group(const struct ms_options_report *opts, struct ms_run *const *runs, size_t n)
{
	struct ms_rules_grouping how = { .by = MS_RULES_BY_TYPE };
	word_list asked = MS_VEC_INIT, code = MS_VEC_INIT;

	if (opts->group == NULL || strcmp(opts->group, "none") == 0)
		return;
	if (strcmp(opts->group, "function") == 0)
		how.by = MS_RULES_BY_FUNCTION;
	how.automatic = strcmp(opts->group, "auto") == 0;
	add_asked(&asked, opts);
	how.apart = asked.at;
	how.apart_n = asked.n;
	ms_rules_group_heap(runs, n, &how);
	add_asked_code(&code, opts);
	for (size_t i = 0; i < n; i++)
		ms_rules_group_mpi(runs[i], code.at, code.n);
	ms_vec_free(&asked);
	ms_vec_free(&code);
}

static void apply(const struct ms_run_rules *rules, struct ms_run *run)
{
	struct ms_rules_outcome outcome;

	ms_rules_apply(run, rules, &outcome);
	report_outcome(rules, &outcome, run);
	ms_rules_outcome_free(&outcome);
}

static int load(const struct ms_options_report *opts, struct ms_store *store, const char *name,
		struct ms_run *run, struct ms_err *err)
{
	struct ms_run_rules rules = { 0 };
	int64_t id;

	MS_TRY(ms_store_find(store, name != NULL ? name : ms_cli_open_run, &id, err));
	int code = ms_cli_rules(opts, store, &rules, err);
	if (code == MS_OK)
		code = ms_store_load(store, id, run, err);
	if (code == MS_OK)
		apply(&rules, run);
	ms_run_rules_free(&rules);
	return code;
}

int ms_cli_load(const struct ms_options_report *opts, const char *name, struct ms_run *run,
		struct ms_err *err)
{
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, opts->db, MS_STORE_READ, err));
	int code = load(opts, store, name, run, err);
	ms_store_close(store);
	MS_TRY(code);
	code = ms_cli_select_ranks(opts, run, err);
	if (code == MS_OK)
		code = ms_options_apply_cost(opts, run, err);
	if (code != MS_OK)
		ms_run_free(run);
	else
		ms_cli_group(opts, &run, 1);
	return code;
}

static int load_alone(const char *path, struct ms_run *run, struct ms_err *err)
{
	struct ms_store *store;
	int64_t id;

	MS_TRY(ms_store_open(&store, path, MS_STORE_READ, err));
	int code = ms_store_find(store, NULL, &id, err);
	if (code == MS_OK)
		code = ms_store_load(store, id, run, err);
	ms_store_close(store);
	if (code == MS_OK)
		run->id = 0;
	return code;
}

int ms_cli_load_beside(const struct ms_options_report *opts, const char *path, struct ms_run *run,
		       struct ms_err *err)
{
	struct ms_rules_outcome outcome;
	struct ms_run_rules rules = { 0 };
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, opts->db, MS_STORE_READ, err));
	int code = ms_cli_rules(opts, store, &rules, err);
	ms_store_close(store);
	if (code == MS_OK)
		code = load_alone(path, run, err);
	if (code == MS_OK) {
		ms_rules_apply(run, &rules, &outcome);
		ms_rules_outcome_free(&outcome);
		ms_cli_group(opts, &run, 1);
	}
	ms_run_rules_free(&rules);
	return code;
}

static void apply_rules_of(const struct ms_options_report *opts, struct ms_store *store,
			   struct ms_run *run)
{
	struct ms_run_rules rules = { 0 };
	struct ms_err err;

	if (ms_cli_rules(opts, store, &rules, &err) == MS_OK)
		apply(&rules, run);
	else
		print_message(err.text);
	ms_run_rules_free(&rules);
}

void ms_cli_apply_rules_alone(const struct ms_options_report *opts, struct ms_run *run)
{
	struct ms_store *store = NULL;
	struct ms_err err;

	/* A database that cannot be read was reported when the run was saved. */
	if (access(opts->db, F_OK) == 0)
		ms_store_open(&store, opts->db, MS_STORE_READ, &err);
	apply_rules_of(opts, store, run);
	ms_store_close(store);
}

void ms_cli_apply_rules_of(const struct ms_options_report *opts, struct ms_store *store,
			   struct ms_run *run)
{
	apply_rules_of(opts, store, run);
	ms_cli_group(opts, &run, 1);
}

void ms_cli_apply_rules(const struct ms_options_report *opts, struct ms_run *run)
{
	ms_cli_apply_rules_alone(opts, run);
	ms_cli_group(opts, &run, 1);
}

static bool is_number(const char *word)
{
	return word[0] != '\0' && word[strspn(word, "0123456789")] == '\0';
}

static bool is_name(const struct ms_run *run, const char *word)
{
	for (size_t i = 0; i < run->codes.n; i++)
		if (ms_summary_is_last_word(run->codes.at[i].name, word))
			return true;
	for (size_t i = 0; i < run->data.n; i++)
		if (ms_summary_is_last_word(run->data.at[i].name, word))
			return true;
	return false;
}

/* A tag that is also a name in the run that is shown, which then is the run that the other words
 * name, or the one that is shown by default. */
static bool is_rather_name(struct ms_store *store, const struct ms_words *words, const char *tag)
{
	const char *shown = ms_cli_open_run;
	struct ms_run run;
	int64_t id;

	for (size_t i = 0; i < words->at.n; i++)
		if (words->at.at[i][0] == '@' || is_number(words->at.at[i]))
			shown = words->at.at[i];
	if (ms_store_find(store, shown, &id, NULL) != MS_OK ||
	    ms_store_load(store, id, &run, NULL) != MS_OK)
		return false;
	bool named = is_name(&run, tag);
	ms_run_free(&run);
	return named;
}

static bool is_run(struct ms_store *store, const struct ms_words *words, const char *word)
{
	int64_t id;

	if (word[0] == '@' || is_number(word))
		return true;
	if (ms_store_find(store, word, &id, NULL) != MS_OK)
		return false;
	if (!is_rather_name(store, words, word))
		return true;
	struct ms_text message = MS_TEXT_INIT;

	ms_text_addf(&message, "\"%s\" is taken as a name in the run; the run with this tag is @%s",
		     word, word);
	print_message(message.at);
	ms_text_free(&message);
	return false;
}

int ms_cli_separate_words(const struct ms_options_report *opts, struct ms_words *words,
			  struct ms_words *names, struct ms_err *err)
{
	struct ms_words runs = { 0 };
	struct ms_store *store;

	if (words->at.n == 0)
		return MS_OK;
	MS_TRY(ms_store_open(&store, opts->db, MS_STORE_READ, err));
	for (size_t i = 0; i < words->at.n; i++) {
		struct ms_words *to = is_run(store, words, words->at.at[i]) ? &runs : names;

		*ms_vec_add(&to->at) = words->at.at[i];
	}
	ms_vec_free(&words->at);
	*words = runs;
	ms_store_close(store);
	return MS_OK;
}
