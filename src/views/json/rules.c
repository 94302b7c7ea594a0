/* views/json/rules.c - the rules that hold, as JSON. */
#include "views/rules.h"

#include "base/json.h"
#include "views/json/parts.h"

static void json_rule(struct ms_json *j, const struct ms_run_rule *rule)
{
	struct ms_text text = MS_TEXT_INIT;

	if (rule->id != 0)
		ms_json_i64(j, "id", rule->id);
	else
		ms_json_null(j, "id");
	ms_json_text(j, "verb", ms_run_rule_verb_word(rule->verb));
	ms_json_text(j, "subject", ms_run_rule_subject_word(rule->subject));
	ms_json_text(j, "program", rule->program);
	ms_json_text(j, "pattern", rule->pattern);
	ms_json_text(j, "name", rule->name);
	ms_json_text(j, "added", rule->added);
	ms_json_text(j, "file", rule->file);
	if (rule->file != NULL)
		ms_json_u64(j, "line", rule->line);
	else
		ms_json_null(j, "line");
	ms_rules_write(&text, rule);
	ms_json_text(j, "text", text.at);
	ms_text_free(&text);
}

void ms_views_json_rules(const struct ms_run_rules *rules, const size_t *matches,
			 const struct ms_views_options *options, FILE *out)
{
	struct ms_json j;

	(void)options;
	ms_views_json_begin(&j, out);
	ms_json_array(&j, "rules");
	for (size_t i = 0; i < rules->at.n; i++) {
		ms_json_object(&j, NULL);
		json_rule(&j, &rules->at.at[i]);
		if (matches != NULL)
			ms_json_u64(&j, "matches", matches[i]);
		else
			ms_json_null(&j, "matches");
		ms_json_end(&j);
	}
	ms_json_end(&j);
	ms_json_end(&j);
}
