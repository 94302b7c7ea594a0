/* advise/words.c - figures and names in the texts of findings. */
#include <ctype.h>
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

const char *ms_advise_number(struct ms_arena *arena, double value)
{
	return ms_arena_printf(arena, "%.0f", value);
}

uint32_t ms_advise_record_bytes(const struct ms_run *run, uint32_t data)
{
	uint32_t bytes = 0; /* those of a header come first */

	for (size_t i = 0; i < run->members.n; i++)
		if (run->members.at[i].data == data)
			bytes = run->members.at[i].element;
	return bytes;
}

/* Of the scalar types whose sizes do not depend on the compiler. */
static double scalar_bytes(const char *type)
{
	static const struct {
		const char *type;
		double bytes;
	} scalars[] = {
		{ "double", 8 },
		{ "float", 4 },
		{ "long long", 8 },
		{ "long int", 8 },
		{ "long unsigned", 8 },
		{ "unsigned long", 8 },
		{ "long", 8 },
		{ "int64_t", 8 },
		{ "uint64_t", 8 },
		{ "int32_t", 4 },
		{ "uint32_t", 4 },
		{ "int16_t", 2 },
		{ "uint16_t", 2 },
		{ "int8_t", 1 },
		{ "uint8_t", 1 },
		{ "short", 2 },
		{ "char", 1 },
		{ "unsigned char", 1 },
		{ "signed char", 1 },
		{ "unsigned int", 4 },
		{ "int", 4 },
		{ "real(kind=8)", 8 },
		{ "real(kind=4)", 4 },
		{ "integer(kind=4)", 4 },
		{ "integer(kind=8)", 8 },
		{ "size_t", 8 },
		{ "f64", 8 },
		{ "f32", 4 },
		{ "u64", 8 },
		{ "i64", 8 },
		{ "u32", 4 },
		{ "i32", 4 },
	};

	for (size_t i = 0; i < MS_COUNT(scalars); i++) {
		size_t n = strlen(scalars[i].type);

		if (strncmp(type, scalars[i].type, n) == 0 && !isalnum((unsigned char)type[n]) &&
		    type[n] != '_')
			return scalars[i].bytes;
	}
	return 0;
}

double ms_advise_element_bytes(struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	const char *type = search->run->data.at[bin->data].type;
	double bytes = ms_advise_record_bytes(search->run, bin->data);

	/* "long double" is none of them. */
	if (bytes <= 0 && type != NULL && ms_advise_is_scalar(type) &&
	    strstr(type, "long double") == NULL)
		bytes = scalar_bytes(ms_advise_skip_containers(type));
	if (bytes <= 0 && bin->references > 0)
		bytes = bin->bytes / bin->references;
	return bytes > 0 ? bytes : 1;
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

/* begin: the command up to the name of the data. */
static const char *make_name_command(struct ms_advise_search *search, const char *begin,
				     uint32_t data)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_text_add(&text, begin);
	ms_summary_add_data_word(&text, search->run, search->run->data.at[data].name);
	if (search->run->id != 0)
		ms_text_addf(&text, " @%" PRId64, search->run->id);
	const char *command = ms_arena_strdup(search->arena, ms_text_get(&text));

	ms_text_free(&text);
	return command;
}

const char *ms_advise_fields_command(struct ms_advise_search *search, uint32_t data)
{
	return make_name_command(search, "memspy fields ", data);
}

const char *ms_advise_evictions_command(struct ms_advise_search *search, uint32_t data)
{
	return make_name_command(search, "memspy evictions --of ", data);
}

const char *ms_advise_skip_containers(const char *type)
{
	static const char *const containers[] = { "std::vector<",   "std::array<",
						  "std::valarray<", "std::unique_ptr<",
						  "const ",         "volatile ",
						  "_Atomic " };

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
