#include "views/rules.h"

#include "views/views_priv.h"

static void table_of(const struct ms_rules *rules, const size_t *matches, struct ms_table *t)
{
	ms_table_column(t, (struct ms_table_column){ .head = "Rule", .key = "rule" });
	ms_table_column(
		t, (struct ms_table_column){ .head = "Matches", .key = "matches", .right = true });
	ms_table_column(t, (struct ms_table_column){ .head = "", .key = "text", .least = 12 });
	for (size_t i = 0; i < rules->at.n; i++) {
		const struct ms_rule *rule = &rules->at.at[i];
		struct ms_text text = MS_TEXT_INIT;

		if (rule->file != NULL)
			ms_text_addf(&text, "%s:%u", rule->file, rule->line);
		else
			ms_text_addf(&text, "%lld", (long long)rule->id);
		ms_table_text(t, text.at);
		if (matches != NULL)
			ms_table_count(t, matches[i]);
		else
			ms_table_none(t);
		if (matches != NULL && matches[i] == 0)
			ms_table_style(t, MS_STYLE_WARM);
		ms_text_clear(&text);
		ms_rules_write(&text, rule);
		ms_table_text(t, text.at);
		ms_text_free(&text);
	}
}

void ms_rules_text(const struct ms_rules *rules, const size_t *matches,
		   const struct ms_view_options *options, FILE *out)
{
	struct ms_table t;

	if (rules->at.n == 0) {
		fprintf(out, "No rules. Next: memspy rename, memspy combine, memspy hide\n");
		return;
	}
	ms_table_open(&t, out, MS_TABLE_TEXT, options->width, options->colour);
	table_of(rules, matches, &t);
	ms_table_close(&t);
}

void ms_rules_csv(const struct ms_rules *rules, const size_t *matches,
		  const struct ms_view_options *options, FILE *out)
{
	struct ms_table t;

	ms_table_open(&t, out, MS_TABLE_CSV, options->width, false);
	table_of(rules, matches, &t);
	ms_table_close(&t);
}

static void json_rule(struct ms_json *j, const struct ms_rule *rule)
{
	struct ms_text text = MS_TEXT_INIT;

	if (rule->id != 0)
		ms_json_i64(j, "id", rule->id);
	else
		ms_json_null(j, "id");
	ms_json_text(j, "verb", ms_rule_verb_word(rule->verb));
	ms_json_text(j, "subject", ms_rule_subject_word(rule->subject));
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

void ms_rules_json(const struct ms_rules *rules, const size_t *matches,
		   const struct ms_view_options *options, FILE *out)
{
	struct ms_json j;

	(void)options;
	ms_view_json_begin(&j, out);
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

ms_rules_writer *const ms_rules_views[MS_VIEW_FORMATS] = {
	[MS_VIEW_TEXT] = ms_rules_text,
	[MS_VIEW_JSON] = ms_rules_json,
	[MS_VIEW_CSV] = ms_rules_csv,
};
