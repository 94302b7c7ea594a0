#include "analysis/user_rules/rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/user_rules/rules_priv.h"
#include "base/compiler.h"
#include "base/map.h"
#include "base/mem.h"

enum { MOST_STEPS = 64 };

/* What rules make of one data or code. */
struct rule_result {
	const char *name; /* NULL: they say nothing of it */
	bool together;    /* with all others that are called so */
	bool hidden;
	bool split; /* it is a part of what it was, by allocating function */
};

struct rule_application {
	struct ms_run *run;
	const struct ms_run_rules *rules;
	struct ms_rules_outcome *outcome;
	struct ms_rules_items things;
	uint32_t subject;
	bool *in_circle; /* by rule: its cycle was reported already */
	struct ms_names names;
};

static bool names_things(const struct ms_run_rule *rule)
{
	return rule->verb == MS_RULE_RENAME || rule->verb == MS_RULE_COMBINE ||
	       rule->verb == MS_RULE_HIDE;
}

static bool is_about(const struct rule_application *w, const struct ms_run_rule *rule)
{
	return rule->subject == w->subject && ms_rules_is_for(rule, w->run->program);
}

/* The last rule about the thing; MS_NONE: there is none. All are counted that match. */
static uint32_t first_rule(struct rule_application *w, const struct ms_rules_item *thing)
{
	uint32_t found = MS_NONE;

	for (uint32_t i = 0; i < w->rules->at.n; i++) {
		const struct ms_run_rule *rule = &w->rules->at.at[i];

		if (!is_about(w, rule) || !ms_rules_match(rule, thing))
			continue;
		w->outcome->matches[i]++;
		if (names_things(rule))
			found = i;
	}
	return found;
}

/* The last rule about what another has called so. */
static uint32_t next_rule(const struct ms_run_rules *rules, uint32_t from, const char *program)
{
	const struct ms_run_rule *last = &rules->at.at[from];
	uint32_t found = MS_NONE;

	for (uint32_t i = 0; last->name != NULL && i < rules->at.n; i++) {
		const struct ms_run_rule *rule = &rules->at.at[i];
		bool same = rule->name != NULL && strcmp(rule->name, last->name) == 0;

		if (i != from && names_things(rule) && rule->subject == last->subject && !same &&
		    (program == NULL || ms_rules_is_for(rule, program)) &&
		    ms_rules_match_name(rule, last->name))
			found = i;
	}
	return found;
}

static void describe_place(struct ms_text *out, const struct ms_run_rule *rule)
{
	if (rule->file != NULL)
		ms_text_addf(out, "%s:%u", rule->file, rule->line);
	else if (rule->id != 0)
		ms_text_addf(out, "rule %lld", (long long)rule->id);
	else
		ms_text_add(out, "the new rule");
}

/* "rule 3 (rename A B) and memspy.rules:4 (rename B A) lead in a circle". */
static void describe_circle(struct ms_text *out, const struct ms_run_rules *rules,
			    const uint32_t *steps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct ms_run_rule *rule = &rules->at.at[steps[i]];

		ms_text_add(out, i == 0 ? "" : i + 1 == n ? " and " : ", ");
		describe_place(out, rule);
		ms_text_add(out, " (");
		ms_rules_write(out, rule);
		ms_text_add(out, ")");
	}
	ms_text_add(out, " lead in a circle");
}

struct rule_chain {
	uint32_t steps[MOST_STEPS];
	size_t n;
	size_t circle; /* where it comes back to; n: nowhere */
};

/* From rule to rule, by the names that they give. */
static void follow(struct rule_chain *chain, const struct ms_run_rules *rules, uint32_t rule,
		   const char *program)
{
	for (chain->n = 0; rule != MS_NONE; rule = next_rule(rules, rule, program)) {
		for (size_t i = 0; i < chain->n; i++) {
			if (chain->steps[i] != rule && chain->n < MOST_STEPS)
				continue;
			chain->circle = i;
			return;
		}
		chain->steps[chain->n++] = rule;
	}
	chain->circle = chain->n;
}

static void tell_circle(struct rule_application *w, const struct rule_chain *chain)
{
	struct ms_text text = MS_TEXT_INIT;
	bool reported = false;

	for (size_t i = chain->circle; i < chain->n; i++) {
		w->outcome->matches[chain->steps[i]]++;
		reported = reported || w->in_circle[chain->steps[i]];
		w->in_circle[chain->steps[i]] = true;
	}
	if (reported)
		return;
	describe_circle(&text, w->rules, chain->steps + chain->circle, chain->n - chain->circle);
	ms_text_add(&text, "; none of them is applied");
	*ms_vec_add(&w->outcome->messages) = ms_arena_strdup(&w->outcome->arena, text.at);
	ms_text_free(&text);
}

bool ms_rules_loop(const struct ms_run_rules *rules, struct ms_text *out)
{
	for (uint32_t i = 0; i < rules->at.n; i++) {
		struct rule_chain chain;

		if (!names_things(&rules->at.at[i]))
			continue;
		follow(&chain, rules, i, NULL);
		if (chain.circle == chain.n)
			continue;
		describe_circle(out, rules, chain.steps + chain.circle, chain.n - chain.circle);
		return true;
	}
	return false;
}

/* The result of a rule and of the rules that apply to the name that it gives. */
static struct rule_result fate_by(struct rule_application *w, uint32_t first)
{
	struct rule_result fate = { NULL, false, false, false };
	struct rule_chain chain;

	follow(&chain, w->rules, first, w->run->program);
	if (chain.circle < chain.n) {
		tell_circle(w, &chain);
		return fate;
	}
	for (size_t i = 0; i < chain.n; i++) {
		const struct ms_run_rule *rule = &w->rules->at.at[chain.steps[i]];

		/* How many it is about is known of the first already. */
		w->outcome->matches[chain.steps[i]] += i > 0;
		fate.hidden = rule->verb == MS_RULE_HIDE;
		fate.together = fate.together || rule->verb == MS_RULE_COMBINE || fate.hidden;
		fate.name = fate.hidden ? MS_RULES_HIDDEN : rule->name;
	}
	return fate;
}

static struct rule_result fate_of(struct rule_application *w, const struct ms_rules_item *thing)
{
	return fate_by(w, first_rule(w, thing));
}

/* The last rule about a part by its own name; those about the whole have been followed. */
static uint32_t rule_of_part(struct rule_application *w, const struct ms_rules_item *whole,
			     const char *part)
{
	uint32_t found = MS_NONE;

	for (uint32_t i = 0; i < w->rules->at.n; i++) {
		const struct ms_run_rule *rule = &w->rules->at.at[i];

		if (!is_about(w, rule) || !names_things(rule) || ms_rules_match(rule, whole) ||
		    !ms_rules_match_name(rule, part))
			continue;
		w->outcome->matches[i]++;
		found = i;
	}
	return found;
}

/* "caller=2": how many callers keep data apart; 0: it is split by something else. */
static unsigned split_depth(const struct ms_run_rule *rule)
{
	return strncmp(rule->name, "caller=", 7) == 0 ? (unsigned)strtoul(rule->name + 7, NULL, 10)
						      : 0;
}

/* The first `depth` of the functions after the variable in a key. */
static void add_callers(struct ms_text *out, const char *key, unsigned depth)
{
	const char *at = strstr(key, " < "), *end = at;

	for (unsigned i = 0; end != NULL && i < depth; i++) {
		const char *next = strstr(end + 3, " < ");

		end = next != NULL ? next : end + strlen(end);
		if (next == NULL)
			break;
	}
	if (at != NULL)
		ms_text_add_n(out, at, (size_t)(end - at));
}

/* By how many callers rules keep a thing apart that is called so by now. */
static unsigned depth_of(struct rule_application *w, const struct ms_rules_item *thing,
			 const char *name)
{
	unsigned depth = 0;

	for (size_t i = 0; i < w->rules->at.n; i++) {
		const struct ms_run_rule *rule = &w->rules->at.at[i];
		bool given = name != NULL && ms_rules_match_name(rule, name);
		bool whole = ms_rules_match(rule, thing);

		if (rule->verb != MS_RULE_SPLIT || !is_about(w, rule))
			continue;
		if (given && !whole)
			w->outcome->matches[i]++;
		if ((given || whole) && split_depth(rule) > 0)
			depth = split_depth(rule);
	}
	return depth;
}

static const char *part_name(struct rule_application *w, const struct ms_rules_item *thing,
			     const char *name, unsigned depth)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_text_add(&text, name != NULL ? name : thing->plain);
	add_callers(&text, thing->key, depth);
	const char *part = ms_intern(&w->names, text.at);
	ms_text_free(&text);
	return part;
}

/* A part can be split again, and be renamed, combined and hidden, by the name that it has as one.
 */
static void split_by_caller(struct rule_application *w, const struct ms_rules_item *thing,
			    struct rule_result *fate)
{
	unsigned depth = depth_of(w, thing, fate->name);

	if (depth == 0 || fate->hidden)
		return;
	const char *part = part_name(w, thing, fate->name, depth);
	unsigned deeper = depth_of(w, thing, part);
	if (deeper > depth)
		part = part_name(w, thing, fate->name, deeper);
	*fate = fate_by(w, rule_of_part(w, thing, part));
	if (fate->name == NULL)
		fate->name = part;
	fate->together = fate->split = true;
}

/* --- what is called the same is one --- */

struct given_names {
	struct ms_names names;
	struct ms_map
		taken; /* a name -> the item that has it, or that represents all that have it */
};

/* A second one of that name gets a number, as names do where the run is made. */
static const char *free_name(struct given_names *n, const char *name)
{
	struct ms_text text = MS_TEXT_INIT;
	unsigned number = 1;
	const char *kept;

	do {
		ms_text_clear(&text);
		ms_text_addf(&text, "%s#%u", name, ++number);
		kept = ms_intern(&n->names, text.at);
	} while (ms_map_get(&n->taken, (uintptr_t)kept, 0) != MS_MAP_NONE);
	ms_text_free(&text);
	return kept;
}

static void tell_taken(struct rule_application *w, const char *wanted, const char *got)
{
	*ms_vec_add(&w->outcome->messages) = ms_arena_printf(
		&w->outcome->arena,
		"several %s are to be called \"%.200s\"; one is shown as \"%.200s\" (combine them, "
		"or rename one of them)",
		ms_run_rule_subject_word(w->subject), wanted, got);
}

/* The places of names: things of which no rule speaks keep theirs. */
static void settle_old(struct given_names *n, const struct rule_result *fates,
		       const char *const *names, size_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (fates[i].name == NULL)
			*ms_map_at(&n->taken, (uintptr_t)ms_intern(&n->names, names[i]), 0) = i;
}

/* Code may have the same name in two modules; only names of data must be unique. */
static const char *settle_renamed(struct rule_application *w, struct given_names *n, uint32_t i,
				  const char *name)
{
	const char *kept = ms_intern(&n->names, name);
	uint32_t *holder = ms_map_at(&n->taken, (uintptr_t)kept, 0);

	if (*holder == MS_MAP_NONE) {
		*holder = i;
	} else if (w->subject == MS_RULE_DATA) {
		kept = free_name(n, name);
		*ms_map_at(&n->taken, (uintptr_t)kept, 0) = i;
		tell_taken(w, name, kept);
	}
	return ms_arena_strdup(&w->run->arena, kept);
}

/* The smaller index stands for both. */
static void unite(uint32_t *group, uint32_t a, uint32_t b)
{
	while (group[a] != a)
		a = group[a];
	while (group[b] != b)
		b = group[b];
	group[a > b ? a : b] = a > b ? b : a;
}

static void settle_together(struct given_names *n, uint32_t *group, uint32_t i, const char *name)
{
	uint32_t *holder = ms_map_at(&n->taken, (uintptr_t)ms_intern(&n->names, name), 0);

	if (*holder == MS_MAP_NONE)
		*holder = i;
	else
		unite(group, *holder, i);
}

static void flatten(uint32_t *group, size_t n)
{
	for (uint32_t i = 0; i < n; i++)
		group[i] = group[group[i]];
}

/* names[i] is where the name of thing i stands. Returns the group of each. */
static uint32_t *settle(struct rule_application *w, const struct rule_result *fates,
			const char **names, size_t count)
{
	uint32_t *group = ms_rules_single_groups(count);
	struct given_names n = { MS_NAMES_INIT, MS_MAP_INIT };

	settle_old(&n, fates, names, count);
	for (uint32_t i = 0; i < count; i++)
		if (fates[i].name != NULL && fates[i].together) {
			settle_together(&n, group, i, fates[i].name);
			names[i] = ms_arena_strdup(&w->run->arena, fates[i].name);
		}
	for (uint32_t i = 0; i < count; i++)
		if (fates[i].name != NULL && !fates[i].together)
			names[i] = settle_renamed(w, &n, i, fates[i].name);
	flatten(group, count);
	ms_names_free(&n.names);
	ms_map_free(&n.taken);
	return group;
}

static bool any_together(const uint32_t *group, size_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (group[i] != i)
			return true;
	return false;
}

/* A group keeps the key of its only member, unless it was split: then others may join it in another
 * run. */
static const char **keep_keys(struct rule_application *w, const struct ms_rules_item *things,
			      const struct rule_result *fates, const uint32_t *group, size_t n)
{
	const char **keys = ms_alloc((n + 1) * sizeof(*keys));
	uint32_t *members = ms_alloc((n + 1) * sizeof(*members));
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		members[group[i]]++;
	for (size_t i = 0; i < n; i++)
		if (group[i] == i)
			keys[left++] = members[i] == 1 && !fates[i].split
					       ? ms_arena_strdup(&w->outcome->arena, things[i].key)
					       : NULL;
	ms_free(members);
	return keys;
}

static void tell_keys(struct rule_application *w)
{
	for (size_t i = 0; i < w->run->data.n; i++) {
		struct ms_run_data *data = &w->run->data.at[i];
		const char *key = w->outcome->data_keys[i];

		data->key = key != NULL ? ms_arena_strdup(&w->run->arena, key) : data->name;
	}
}

static void apply_to_data(struct rule_application *w)
{
	size_t n = w->run->data.n;
	struct rule_result *fates = ms_alloc((n + 1) * sizeof(*fates));
	const char **names = ms_alloc((n + 1) * sizeof(*names));

	w->subject = MS_RULE_DATA;
	for (size_t i = 0; i < n; i++) {
		names[i] = w->run->data.at[i].name;
		if (w->run->data.at[i].kind == MS_DATA_ANY)
			continue; /* it may be anything: no rule is about it */
		fates[i] = fate_of(w, &w->things.data[i]);
		split_by_caller(w, &w->things.data[i], &fates[i]);
	}
	uint32_t *group = settle(w, fates, names, n);
	w->outcome->data_keys = keep_keys(w, w->things.data, fates, group, n);
	for (size_t i = 0; i < n; i++) {
		w->run->data.at[i].name = names[i];
		if (fates[i].name != NULL)
			w->run->data.at[group[i]].ruled = true;
	}
	if (any_together(group, n))
		ms_rules_combine_data(w->run, group);
	tell_keys(w);
	ms_free(group);
	ms_free(names);
	ms_free(fates);
}

static void mark_whole(struct ms_run *run, const uint32_t *group, bool *whole)
{
	for (size_t i = 0; i < run->codes.n; i++) {
		if (!whole[i])
			continue;
		whole[group[i]] = true;
		run->codes.at[group[i]].file = NULL;
		run->codes.at[group[i]].line = 0;
	}
}

static void apply_to_code(struct rule_application *w)
{
	size_t n = w->run->codes.n;
	struct rule_result *fates = ms_alloc((n + 1) * sizeof(*fates));
	const char **names = ms_alloc((n + 1) * sizeof(*names));
	bool *whole = ms_alloc((n + 1) * sizeof(*whole)), any = false;

	w->subject = MS_RULE_CODE;
	for (size_t i = 0; i < n; i++) {
		fates[i] = fate_of(w, &w->things.codes[i]);
		names[i] = w->run->codes.at[i].name;
		whole[i] = fates[i].hidden;
		any = any || whole[i];
	}
	uint32_t *group = settle(w, fates, names, n);
	w->outcome->code_keys = keep_keys(w, w->things.codes, fates, group, n);
	for (size_t i = 0; i < n; i++)
		w->run->codes.at[i].name = names[i];
	mark_whole(w->run, group, whole);
	if (any || any_together(group, n))
		ms_rules_combine_code(w->run, group, whole);
	ms_free(whole);
	ms_free(group);
	ms_free(names);
	ms_free(fates);
}

static void open_work(struct rule_application *w, struct ms_run *run,
		      const struct ms_run_rules *rules, struct ms_rules_outcome *outcome)
{
	*w = (struct rule_application){ .run = run, .rules = rules, .outcome = outcome };
	w->in_circle = ms_alloc((rules->at.n + 1) * sizeof(*w->in_circle));
	*outcome = (struct ms_rules_outcome){ .matches = ms_alloc((rules->at.n + 1) *
								  sizeof(*outcome->matches)) };
	ms_rules_items_make(&w->things, run);
}

static void close_work(struct rule_application *w)
{
	ms_rules_items_free(&w->things);
	ms_names_free(&w->names);
	ms_free(w->in_circle);
}

void ms_rules_apply(struct ms_run *run, const struct ms_run_rules *rules,
		    struct ms_rules_outcome *outcome)
{
	struct rule_application w;

	open_work(&w, run, rules, outcome);
	apply_to_data(&w);
	apply_to_code(&w);
	close_work(&w);
}

void ms_rules_outcome_free(struct ms_rules_outcome *outcome)
{
	ms_arena_free(&outcome->arena);
	ms_free(outcome->matches);
	ms_free(outcome->data_keys);
	ms_free(outcome->code_keys);
	ms_vec_free(&outcome->messages);
}
