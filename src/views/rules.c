/* views/rules.c - the table of rules, for text and CSV. */
#include "views/shared.h"

#include "base/table.h"

void ms_views_rules_table(const struct ms_run_rules *rules, const size_t *matches,
			  struct ms_table *t)
{
	ms_table_column(t, (struct ms_table_column){ .head = "Rule", .key = "rule" });
	ms_table_column(
		t, (struct ms_table_column){ .head = "Matches", .key = "matches", .right = true });
	ms_table_column(t, (struct ms_table_column){ .head = "", .key = "text", .least = 12 });
	for (size_t i = 0; i < rules->at.n; i++) {
		const struct ms_run_rule *rule = &rules->at.at[i];
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
