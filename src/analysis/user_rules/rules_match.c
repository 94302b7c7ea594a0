/* analysis/user_rules/rules_match.c - which data and code a rule is about. */
#include <fnmatch.h>
#include <string.h>

#include "analysis/describe/describe.h"
#include "analysis/user_rules/rules_priv.h"
#include "base/compiler.h"
#include "base/mem.h"

bool ms_rules_is_for(const struct ms_run_rule *rule, const char *program)
{
	return rule->program == NULL || strcmp(rule->program, ms_base_name(program)) == 0;
}

void ms_rules_escape(struct ms_text *out, const char *text)
{
	for (; *text != '\0'; text++) {
		if (strchr("*?[\\", *text) != NULL)
			ms_text_add(out, "\\");
		ms_text_add_n(out, text, 1);
	}
}

static bool is_like(const char *pattern, const char *text)
{
	return text != NULL && (strcmp(pattern, text) == 0 || fnmatch(pattern, text, 0) == 0);
}

/* A path is like a pattern that it has itself, or its last part. */
static bool is_path_like(const char *pattern, const char *path)
{
	return path != NULL && (is_like(pattern, path) || is_like(pattern, ms_base_name(path)));
}

static const char *after_prefix(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(text, prefix, n) == 0 ? text + n : NULL;
}

bool ms_rules_match_name(const struct ms_run_rule *rule, const char *name)
{
	return is_like(rule->pattern, name);
}

/* "node.list < main" of "node.list{.next} < main"; false: it is no part of anything. */
static bool without_part(struct ms_text *out, const char *text)
{
	const char *end = strchr(text, '}'), *begin = end;

	/* The braces of a lambda's name hold others, and stand in the middle of it. */
	while (begin != NULL && begin > text && *begin != '{')
		begin--;
	if (begin == NULL || *begin != '{' || begin == text ||
	    (end[1] != '\0' && strncmp(end + 1, " < ", 3) != 0 && strncmp(end + 1, " @ ", 3) != 0))
		return false;
	ms_text_add_n(out, text, (size_t)(begin - text));
	ms_text_add(out, end + 1);
	return true;
}

/* Data that was split is still what its rule is about. */
static bool matches_whole(const struct ms_run_rule *rule, const char *text)
{
	struct ms_text whole = MS_TEXT_INIT;
	bool matches = without_part(&whole, text) && is_like(rule->pattern, whole.at);

	ms_text_free(&whole);
	return matches;
}

bool ms_rules_match(const struct ms_run_rule *rule, const struct ms_rules_item *thing)
{
	const char *file = after_prefix(rule->pattern, "file:"),
		   *lib = after_prefix(rule->pattern, "lib:");

	if ((file != NULL && is_path_like(file, thing->file)) ||
	    (lib != NULL && is_path_like(lib, thing->module)))
		return true;
	if (rule->verb == MS_RULE_SPLIT &&
	    (matches_whole(rule, thing->key) || matches_whole(rule, thing->name)))
		return true;
	return is_like(rule->pattern, thing->key) || is_like(rule->pattern, thing->name) ||
	       is_like(rule->pattern, thing->plain);
}

/* "records" of "record.records": the variable's own name. */
static const char *without_type(const char *name)
{
	const char *dot = name != NULL ? strrchr(name, '.') : NULL;

	return dot != NULL ? dot + 1 : name;
}

bool ms_rules_match_data(const char *pattern, const char *key, const char *name)
{
	const struct ms_run_rule rule = { .subject = MS_RULE_DATA,
					  .verb = MS_RULE_SPLIT,
					  .pattern = pattern };
	const struct ms_rules_item thing = { key, name, without_type(name), NULL, NULL };

	return ms_rules_match(&rule, &thing);
}

unsigned ms_rules_split(const struct ms_run_rules *rules, const char *program, const char *key,
			const char *name)
{
	static const struct {
		const char *word;
		enum ms_run_split split;
	} splits[] = { { "size", MS_SPLIT_SIZE },
		       { "thread", MS_SPLIT_THREAD },
		       { "field", MS_SPLIT_FIELD },
		       { MS_RULES_WATCH, MS_SPLIT_WATCH } };
	const struct ms_rules_item thing = { key, name, name, NULL, NULL };
	unsigned split = 0;

	for (size_t i = 0; i < rules->at.n; i++) {
		const struct ms_run_rule *rule = &rules->at.at[i];

		if (rule->verb != MS_RULE_SPLIT ||
		    (program != NULL && !ms_rules_is_for(rule, program)) ||
		    !(strcmp(rule->name, MS_RULES_WATCH) == 0
			      ? ms_rules_match_data(rule->pattern, key, name)
			      : ms_rules_match(rule, &thing)))
			continue;
		for (size_t k = 0; k < MS_COUNT(splits); k++)
			if (strcmp(rule->name, splits[k].word) == 0)
				split |= splits[k].split;
	}
	return split;
}

static bool is_system(const char *file)
{
	return strncmp(file, "/usr/include/", 13) == 0 || strncmp(file, "/usr/lib/", 9) == 0 ||
	       strncmp(file, "/rustc/", 7) == 0;
}

/* Memory from the heap is of the file and module whose code asked for it. */
static void find_origin(const struct ms_run *run, uint32_t data, struct ms_rules_item *thing)
{
	size_t n;
	const struct ms_run_frame *frames = ms_describe_call_path(run, data, &n);

	for (size_t i = 0; i < n; i++) {
		if (frames[i].file == NULL || is_system(frames[i].file))
			continue;
		thing->file = frames[i].file;
		thing->module = frames[i].module;
		return;
	}
	thing->module = n > 0 ? frames[0].module : NULL;
}

/* "counter (count.c:12) in /home/u/count": finds file and module in the key and the full name. */
static void find_home(const struct ms_run_data *data, struct ms_rules_item *thing)
{
	const char *at = strstr(thing->key, " @ "), *in = strstr(data->full_name, " in ");

	thing->file = at != NULL ? at + 3 : NULL;
	thing->module = in != NULL ? in + 4 : NULL;
}

void ms_rules_items_make(struct ms_rules_items *things, const struct ms_run *run)
{
	struct ms_text plain = MS_TEXT_INIT;

	*things = (struct ms_rules_items){
		.data = ms_alloc((run->data.n + 1) * sizeof(*things->data)),
		.codes = ms_alloc((run->codes.n + 1) * sizeof(*things->codes)),
	};
	ms_run_keys_make(&things->keys, run);
	for (uint32_t i = 0; i < run->data.n; i++) {
		struct ms_rules_item *thing = &things->data[i];

		ms_text_clear(&plain);
		ms_run_data_plain_name(&plain, &run->data.at[i]);
		thing->key = things->keys.at[i];
		thing->name = run->data.at[i].name;
		thing->plain = ms_intern(&things->names, plain.at);
		if (run->data.at[i].kind == MS_DATA_STATIC || run->data.at[i].kind == MS_DATA_TLS)
			find_home(&run->data.at[i], thing);
		else
			find_origin(run, i, thing);
	}
	for (size_t i = 0; i < run->codes.n; i++) {
		const struct ms_run_code *code = &run->codes.at[i];

		things->codes[i] = (struct ms_rules_item){ code->name, code->name, code->name,
							   code->file, code->module };
	}
	ms_text_free(&plain);
}

void ms_rules_items_free(struct ms_rules_items *things)
{
	ms_run_keys_free(&things->keys);
	ms_names_free(&things->names);
	ms_free(things->data);
	ms_free(things->codes);
}
