/* cli/commands/check.c - memspy check: whether a trace keeps its rules, and where it breaks them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "base/num.h"
#include "base/table.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "stream/check/check.h"

enum { DEFAULT_TOP = 10 };

struct check_command {
	bool json;
	uint64_t top;
};

static const struct ms_opt check_rows[] = {
	{ .kind = MS_OPT_FLAG,
	  .name = "json",
	  .offset = offsetof(struct check_command, json),
	  .brief = "write one JSON object" },
	{ .kind = MS_OPT_NUMBER,
	  .letter = 'n',
	  .name = "top",
	  .value = "N",
	  .offset = offsetof(struct check_command, top),
	  .min = 1,
	  .max = 1000000,
	  .brief = "show at most N problems (default: 10); all are counted" },
	{ .name = NULL },
};
static const struct ms_opt *const check_tables[] = { check_rows, NULL };

/* What is counted beside records of a kind. */
static const struct {
	const char *name;
	const char *key;
	size_t offset;
} figures[] = {
	{ "chunks", "chunks", offsetof(struct ms_check_result, chunks) },
	{ "words", "words", offsetof(struct ms_check_result, words) },
	{ "references", "references", offsetof(struct ms_check_result, references) },
	{ "conditional references that were not made", "references_not_made",
	  offsetof(struct ms_check_result, not_made) },
	{ "instructions executed", "instructions", offsetof(struct ms_check_result, instructions) },
	{ "exits of blocks", "exits", offsetof(struct ms_check_result, exits) },
	{ "frees where nothing was allocated", "unknown_frees",
	  offsetof(struct ms_check_result, unknown_frees) },
	{ "allocations over what was not freed", "allocations_over_live",
	  offsetof(struct ms_check_result, over_live) },
};

static uint64_t figure(const struct ms_check_result *result, size_t i)
{
	return *(const uint64_t *)((const char *)result + figures[i].offset);
}

static void json_problem(struct ms_json *json, const struct ms_check_problem *p)
{
	ms_json_object(json, NULL);
	if (p->chunk != MS_CHECK_NOWHERE)
		ms_json_u64(json, "chunk", p->chunk);
	else
		ms_json_null(json, "chunk");
	if (p->word != MS_CHECK_NOWHERE)
		ms_json_u64(json, "word", p->word);
	else
		ms_json_null(json, "word");
	ms_json_text(json, "text", p->text);
	ms_json_end(json);
}

static void print_json(const char *path, const struct ms_check_result *result)
{
	struct ms_json json;

	ms_json_init(&json, stdout);
	ms_json_object(&json, NULL);
	ms_json_u64(&json, "schema_version", 1);
	ms_json_text(&json, "file", path);
	for (size_t i = 0; i < MS_COUNT(figures); i++)
		ms_json_u64(&json, figures[i].key, figure(result, i));
	ms_json_object(&json, "records");
	for (unsigned kind = 0; kind < MS_WIRE_KINDS; kind++)
		ms_json_u64(&json, ms_check_kind_key(kind), result->records[kind]);
	ms_json_end(&json);
	ms_json_bool(&json, "limited", result->limited);
	ms_json_u64(&json, "problem_count", result->problems);
	ms_json_array(&json, "problems");
	for (size_t i = 0; i < result->first.n; i++)
		json_problem(&json, &result->first.at[i]);
	ms_json_end(&json);
	ms_json_end(&json);
}

static void print_count(uint64_t count, const char *name)
{
	if (count > 0)
		printf("%14" PRIu64 "  %s\n", count, name);
}

static void print_problem(const struct ms_check_problem *p)
{
	if (p->chunk == MS_CHECK_NOWHERE)
		printf("  file: %s\n", p->text);
	else if (p->word == MS_CHECK_NOWHERE)
		printf("  chunk %" PRIu64 ": %s\n", p->chunk, p->text);
	else
		printf("  chunk %" PRIu64 ", word %" PRIu64 ": %s\n", p->chunk, p->word, p->text);
}

static void print_text(const char *path, const struct ms_check_result *result)
{
	for (size_t i = 0; i < MS_COUNT(figures); i++)
		print_count(figure(result, i), figures[i].name);
	for (unsigned kind = 0; kind < MS_WIRE_KINDS; kind++)
		print_count(result->records[kind], ms_check_kind_name(kind));
	if (result->limited)
		printf("\n%s: only the beginning; --trace-limit kept out the rest.\n", path);
	if (result->problems == 0) {
		printf("\n%s: no problems.\nNext: memspy replay %s\n", path, path);
		return;
	}
	printf("\n%s: %" PRIu64 " problem%s%s\n", path, result->problems,
	       result->problems == 1 ? "" : "s",
	       result->first.n < result->problems ? ", the first of them:" : ":");
	for (size_t i = 0; i < result->first.n; i++)
		print_problem(&result->first.at[i]);
}

static int check(const struct check_command *command, const struct ms_words *words, int *status,
		 struct ms_err *err)
{
	if (words->at.n != 1)
		return ms_fail(err, MS_EUSAGE, "which trace? Usage: memspy check [options] FILE");

	struct ms_check *state = ms_check_open(command->top);
	const struct ms_check_result *result = ms_check_result(state);
	int code = ms_check_trace(state, words->at.at[0], err);

	if (code == MS_OK && command->json)
		print_json(words->at.at[0], result);
	else if (code == MS_OK)
		print_text(words->at.at[0], result);
	*status = result->problems == 0 ? MS_CLI_EXIT_OK : MS_CLI_EXIT_FAILURE;
	ms_check_close(state);
	return code;
}

static int run_check(int argc, char *const argv[])
{
	struct check_command command = { .top = DEFAULT_TOP };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_check, argc, argv, &command, &words, &status))
		return status;
	if (check(&command, &words, &status, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_check = {
	.name = "check",
	.usage = "check [options] FILE",
	.brief = "verify a kept trace, and say where it breaks",
	.full = "Reads a trace that 'memspy run --trace FILE' has kept and checks all of it: "
		"header, chunks "
		"and their checksums, the index, and every record: whether its kind is known, its "
		"length "
		"right, and whether what it refers to (blocks, modules, call paths, threads) has "
		"been "
		"described before. Says how many records of each kind there are, and of the first "
		"problems "
		"where they stand, what was found and what was expected.\n\n"
		"The exit status is 0 when there is no problem, and 1 when there is one.",
	.examples = "memspy check program.trace\tall records of a trace\n"
		    "memspy check --json program.trace\tfor programs\n",
	.options = { check_tables, false },
	.run = run_check,
};
