#include "run/rules.h"

#include <string.h>

#include "base/compiler.h"

static const char *const verb_words[MS_RULE_VERBS] = {
	[MS_RULE_RENAME] = "rename", [MS_RULE_COMBINE] = "combine", [MS_RULE_SPLIT] = "split",
	[MS_RULE_HIDE] = "hide",     [MS_RULE_ONLY] = "only",       [MS_RULE_SKIP] = "skip",
};
static const char *const subject_words[MS_RULE_SUBJECTS] = { "data", "code" };

const char *ms_run_rule_verb_word(uint32_t verb)
{
	return verb < MS_RULE_VERBS ? verb_words[verb] : "unknown";
}

const char *ms_run_rule_subject_word(uint32_t subject)
{
	return subject < MS_RULE_SUBJECTS ? subject_words[subject] : "unknown";
}

static uint32_t index_of(const char *word, const char *const *words, uint32_t n)
{
	uint32_t i = 0;

	while (i < n && (word == NULL || strcmp(word, words[i]) != 0))
		i++;
	return i;
}

uint32_t ms_run_rule_subject_of(const char *word)
{
	return index_of(word, subject_words, MS_RULE_SUBJECTS);
}

uint32_t ms_run_rule_verb_of(const char *word)
{
	return index_of(word, verb_words, MS_RULE_VERBS);
}

void ms_run_rules_free(struct ms_run_rules *rules)
{
	ms_arena_free(&rules->arena);
	ms_vec_free(&rules->at);
}
