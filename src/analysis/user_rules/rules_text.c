/*
 * analysis/user_rules/rules_text.c - rules as lines of text, each the words of the command that
 * makes it:
 *
 *    rename [--code] [--program NAME] PATTERN NAME
 *    combine [--code] [--program NAME] NAME PATTERN ...
 *    split [--program NAME] --by HOW PATTERN ...
 *    hide, only, skip [--code] [--program NAME] PATTERN ...
 *
 * Words are quoted as base/words.h has it; empty lines and comments are passed over.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/user_rules/rules_priv.h"
#include "base/compiler.h"
#include "base/mem.h"
#include "base/words.h"

enum { MOST_DEPTH = 1000 };

bool ms_rules_is_split(const char *by)
{
	static const char *const words[] = { "size", "thread", "field" };
	char *end;

	for (size_t i = 0; i < MS_COUNT(words); i++)
		if (strcmp(by, words[i]) == 0)
			return true;
	if (strncmp(by, "caller=", 7) != 0 || !isdigit((unsigned char)by[7]))
		return false;
	unsigned long depth = strtoul(by + 7, &end, 10);
	return *end == '\0' && depth >= 1 && depth <= MOST_DEPTH;
}

static void add_word(struct ms_text *out, const char *word)
{
	ms_text_add(out, " ");
	ms_words_quote(out, word);
}

void ms_rules_write(struct ms_text *out, const struct ms_run_rule *rule)
{
	ms_text_add(out, ms_run_rule_verb_word(rule->verb));
	if (rule->subject == MS_RULE_CODE)
		ms_text_add(out, " --code");
	if (rule->program != NULL) {
		ms_text_add(out, " --program");
		add_word(out, rule->program);
	}
	if (rule->verb == MS_RULE_SPLIT)
		ms_text_addf(out, " --by %s", rule->name);
	const char *first = rule->verb == MS_RULE_COMBINE ? rule->name : rule->pattern;
	if (strncmp(first, "--", 2) == 0)
		ms_text_add(out, " --"); /* it is no option */
	if (rule->verb == MS_RULE_COMBINE)
		add_word(out, rule->name);
	add_word(out, rule->pattern);
	if (rule->verb == MS_RULE_RENAME)
		add_word(out, rule->name);
}

/* --- reading --- */

struct rules_reader {
	struct ms_run_rules *rules;
	const char *file;
	uint32_t line;
	struct ms_err *err;
	struct ms_words words; /* of a line */
};

static int fail(struct rules_reader *r, const char *found, const char *expected)
{
	return ms_fail(r->err, MS_EFORMAT, "%s:%u: found %s, expected %s", r->file, r->line, found,
		       expected);
}

static int fail_word(struct rules_reader *r, const char *word, const char *expected)
{
	struct ms_text found = MS_TEXT_INIT;

	ms_text_addf(&found, "'%.200s'", word);
	int code = fail(r, found.at, expected);
	ms_text_free(&found);
	return code;
}

static int read_option(struct rules_reader *r, struct ms_run_rule *rule, size_t *at)
{
	const char *word = r->words.at.at[*at], *value = NULL;
	bool valued = strcmp(word, "--program") == 0 || strcmp(word, "--by") == 0;

	if (valued && *at + 1 < r->words.at.n)
		value = r->words.at.at[++*at];
	if (valued && value == NULL)
		return fail_word(r, word, "a word after it");
	if (strcmp(word, "--code") == 0 && rule->verb != MS_RULE_SPLIT) {
		rule->subject = MS_RULE_CODE;
	} else if (strcmp(word, "--program") == 0) {
		rule->program = value;
	} else if (strcmp(word, "--by") == 0 && rule->verb == MS_RULE_SPLIT) {
		if (!ms_rules_is_split(value))
			return fail_word(r, value, "--by size, thread, field or caller=N");
		rule->name = value;
	} else {
		return fail_word(r, word,
				 rule->verb == MS_RULE_SPLIT ? "--by or --program"
							     : "--code or --program");
	}
	return MS_OK;
}

static int add_rules(struct rules_reader *r, struct ms_run_rule rule, const char *const *words,
		     size_t n)
{
	size_t least = rule.verb == MS_RULE_RENAME || rule.verb == MS_RULE_COMBINE ? 2 : 1;

	if (n < least || (rule.verb == MS_RULE_RENAME && n > 2))
		return fail(r, n < least ? "too few words" : "too many words",
			    rule.verb == MS_RULE_RENAME    ? "rename PATTERN NAME"
			    : rule.verb == MS_RULE_COMBINE ? "combine NAME PATTERN ..."
							   : "the verb and a PATTERN");
	if (rule.verb == MS_RULE_SPLIT && rule.name == NULL)
		return fail(r, "no --by", "--by size, thread, field or caller=N");
	if (least == 2)
		rule.name = words[rule.verb == MS_RULE_RENAME ? 1 : 0];
	if (rule.name != NULL && rule.name[0] == '\0')
		return fail(r, "an empty name", "what it is to be called");
	for (size_t i = rule.verb == MS_RULE_COMBINE ? 1 : 0; i < n; i++) {
		rule.pattern = words[i];
		*ms_vec_add(&r->rules->at) = rule;
		if (rule.verb == MS_RULE_RENAME)
			break;
	}
	return MS_OK;
}

static int read_line(struct rules_reader *r, const char *text)
{
	struct ms_run_rule rule = { .file = r->file, .line = r->line };
	size_t at = 1;

	r->words.at.n = 0;
	if (!ms_words_split(&r->words, text, &r->rules->arena))
		return fail(r, "a quote without its end", "it on the same line");
	if (r->words.at.n == 0)
		return MS_OK;
	rule.verb = ms_run_rule_verb_of(r->words.at.at[0]);
	if (rule.verb == MS_RULE_VERBS)
		return fail_word(r, r->words.at.at[0],
				 "rename, combine, split, hide, only or skip");
	for (; at < r->words.at.n && strncmp(r->words.at.at[at], "--", 2) == 0; at++) {
		if (r->words.at.at[at][2] == '\0') {
			at++;
			break;
		}
		MS_TRY(read_option(r, &rule, &at));
	}
	return add_rules(r, rule, r->words.at.at + at, r->words.at.n - at);
}

int ms_rules_read(struct ms_run_rules *rules, FILE *in, const char *name, struct ms_err *err)
{
	struct rules_reader r = { .rules = rules,
				  .file = ms_arena_strdup(&rules->arena, name),
				  .err = err };
	char *line = NULL;
	size_t room = 0;
	int code = MS_OK;

	errno = 0;
	while (code == MS_OK && getline(&line, &room, in) >= 0) {
		r.line++;
		code = read_line(&r, line);
	}
	if (code == MS_OK && ferror(in))
		code = ms_fail_errno(err, "%s: could not read it", name);
	free(line);
	ms_vec_free(&r.words.at);
	return code;
}
