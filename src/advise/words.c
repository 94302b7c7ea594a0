/* advise/words.c - figures and names in the texts of findings. */
#include <inttypes.h>
#include <string.h>

#include "advise/advise_priv.h"
#include "analysis/summary/select.h"
#include "base/num.h"
#include "base/text.h"

/* A place of allocation that is longer is in the title and in commands only. */
enum { LONGEST_PLACE = 40 };

const char *ms_advise_percent(struct ms_arena *arena, double share)
{
	return ms_arena_printf(arena, "%.0f%%", 100 * share);
}

const char *ms_advise_count(struct ms_arena *arena, double value)
{
	char text[MS_NUM_TEXT];

	return ms_arena_strdup(arena, ms_format_count(ms_round_u64(value), text));
}

const char *ms_advise_size(struct ms_arena *arena, double bytes)
{
	char text[MS_NUM_TEXT];

	return ms_arena_strdup(arena, ms_format_size(ms_round_u64(bytes), text));
}

const char *ms_advise_place_name(struct ms_advise_search *search, uint32_t code, uint32_t line)
{
	const struct ms_run *run = search->run;
	const struct ms_run_line *at = line != MS_NONE ? &run->lines.at[line] : NULL;

	if (code == MS_NONE)
		return "the program";
	if (at == NULL || at->file == NULL || at->line == 0)
		return run->codes.at[code].name;
	return ms_arena_printf(search->arena, "%s (%s:%u)", run->codes.at[code].name,
			       ms_base_name(at->file), at->line);
}

const char *ms_advise_fields_command(struct ms_advise_search *search, uint32_t data)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_text_add(&text, "memspy fields ");
	ms_summary_add_data_word(&text, search->run, search->run->data.at[data].name);
	if (search->run->id != 0)
		ms_text_addf(&text, " @%" PRId64, search->run->id);
	const char *command = ms_arena_strdup(search->arena, ms_text_get(&text));

	ms_text_free(&text);
	return command;
}

const char *ms_advise_skip_containers(const char *type)
{
	static const char *const containers[] = { "std::vector<", "std::array<", "std::valarray<",
						  "std::unique_ptr<", "const " };

	for (size_t i = 0; i < MS_COUNT(containers); i++)
		if (strncmp(type, containers[i], strlen(containers[i])) == 0)
			return ms_advise_skip_containers(type + strlen(containers[i]));
	return type;
}

/* Named by a call path or a place, "main (a.c:5)": the source's name is not known. */
static bool has_no_variable(const char *name)
{
	const char *place = strstr(name, " (");

	return strstr(name, " < ") != NULL || (place != NULL && strchr(place, ':') != NULL);
}

const char *ms_advise_data_name(struct ms_advise_search *search, uint32_t data)
{
	const char *name = search->run->data.at[data].name;

	return strlen(name) > LONGEST_PLACE && has_no_variable(name) ? "this data" : name;
}

const char *ms_advise_variable(struct ms_advise_search *search, uint32_t data)
{
	const char *name = search->run->data.at[data].name;
	const char *dot = strrchr(name, '.');
	size_t n;

	bool is_place = search->run->data.at[data].kind == MS_DATA_HEAP &&
			search->run->data.at[data].type == NULL && strstr(name, " (") != NULL;

	if (has_no_variable(name) || is_place)
		return "a";
	if (dot != NULL && dot[1] != '\0')
		name = dot + 1;
	n = strcspn(name, "[<( ");
	return n > 0 ? ms_arena_printf(search->arena, "%.*s", (int)n, name) : name;
}

const char *ms_advise_function(struct ms_advise_search *search, uint32_t code)
{
	const char *name = search->run->codes.at[code].name;

	return ms_arena_printf(search->arena, "%.*s", (int)strcspn(name, "([<. "), name);
}

const char *ms_advise_record_name(struct ms_advise_search *search, uint32_t data)
{
	const char *type = search->run->data.at[data].type;

	if (type == NULL)
		return "record";
	type = ms_advise_skip_containers(type);
	if (strncmp(type, "struct ", 7) == 0)
		type += 7;
	return ms_arena_printf(search->arena, "%.*s", (int)strcspn(type, "[<>( "), type);
}

bool ms_advise_is_users(const struct ms_run *run, uint32_t data)
{
	switch (run->data.at[data].kind) {
	case MS_DATA_STACK:
	case MS_DATA_SECTION:
	case MS_DATA_UNKNOWN:
	case MS_DATA_ANY:
		return false;
	default:
		return true;
	}
}

bool ms_advise_is_scalar(const char *type)
{
	static const char *const scalars[] = { "double", "float",    "int",      "long",
					       "short",  "char",     "unsigned", "signed",
					       "_Bool",  "bool",     "uint",     "size_t",
					       "real(",  "integer(", "complex",  "_Float" };

	if (type == NULL)
		return false;
	type = ms_advise_skip_containers(type);
	for (size_t i = 0; i < MS_COUNT(scalars); i++)
		if (strncmp(type, scalars[i], strlen(scalars[i])) == 0)
			return strchr(type, '*') == NULL;
	return false;
}
