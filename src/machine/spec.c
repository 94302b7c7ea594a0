/* machine/spec.c - levels from options: SIZE,WAYS,LINE[,LATENCY]. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "machine/machine_priv.h"

/* Levels that have options, the nearest first. */
static const char *const known[] = { "L1", "L2", "L3", "LL" };

enum { SHARED_RANK = 2, PARTS_MIN = 3, PARTS_MAX = 4, PART = 32 };

void ms_machine_start(struct ms_machine *machine)
{
	*machine = (struct ms_machine){
		.name = "options",
		.text = "the levels given as options",
		.origin = "options",
		.whole = { 1, 1 },
		.processors = 1,
		.nodes = 1,
	};
	ms_machine_assume_memory(machine);
}

static size_t rank_of(const char *name)
{
	for (size_t i = 0; i < MS_COUNT(known); i++)
		if (strcasecmp(known[i], name) == 0)
			return i;
	return MS_COUNT(known);
}

/*
 * Splits at commas; returns the number of parts, or 0 if one is empty or too long, or if there are
 * too many.
 */
static size_t split(const char *spec, char parts[PARTS_MAX][PART])
{
	size_t n = 0;

	for (const char *at = spec;; at++) {
		size_t length = strcspn(at, ",");

		if (n == PARTS_MAX || length == 0 || length >= PART)
			return 0;
		memcpy(parts[n], at, length);
		parts[n++][length] = '\0';
		at += length;
		if (*at == '\0')
			return n;
	}
}

static bool parse_u32(const char *text, uint32_t *value)
{
	uint64_t wide;

	if (!ms_parse_u64(text, &wide) || wide > UINT32_MAX)
		return false;
	*value = (uint32_t)wide;
	return true;
}

static bool parse_spec(const char *spec, struct ms_machine_level *level, bool *has_latency)
{
	char parts[PARTS_MAX][PART];
	size_t n = split(spec, parts);

	if (n < PARTS_MIN || !ms_parse_size(parts[0], &level->size) ||
	    !parse_u32(parts[1], &level->ways) || !parse_u32(parts[2], &level->line))
		return false;
	*has_latency = n == PARTS_MAX;
	return !*has_latency || parse_u32(parts[3], &level->latency);
}

/*
 * The level that the option refers to: the one of that name; for LL, on a machine that was
 * described elsewhere, its last level, whatever its name. levels.n if it is a new one.
 */
static size_t find_level(const struct ms_machine *machine, const char *name)
{
	size_t n = machine->levels.n;

	for (size_t i = 0; i < n; i++)
		if (strcasecmp(machine->levels.at[i].name, name) == 0)
			return i;
	if (strcasecmp(name, "LL") == 0 && n > 1 &&
	    strcmp(machine->levels.at[n - 1].origin, MS_ORIGIN_OPTION) != 0)
		return n - 1;
	return n;
}

static void assume_latency(struct ms_machine *machine, size_t at)
{
	struct ms_machine_level *level = &machine->levels.at[at];

	level->latency = at == 0 ? 0 : ms_machine_assumed_latency(level->name);
	level->latency_origin = at == 0 ? MS_ORIGIN_DEFINED : MS_ORIGIN_ASSUMED;
}

/*
 * Default sharing: all processors share a third level and a last level; others have as few as
 * possible.
 */
static uint32_t assume_sharing(const struct ms_machine *machine, size_t at, size_t rank)
{
	if (rank >= SHARED_RANK)
		return at + 1 < machine->levels.n ? machine->levels.at[at + 1].processors : 0;
	return at > 0 ? machine->levels.at[at - 1].processors : 1;
}

/* Inserts a level before those that are farther away; levels with unknown names stay in front. */
static struct ms_machine_level *insert_level(struct ms_machine *machine, const char *name)
{
	size_t at = machine->levels.n;
	size_t rank = rank_of(name);

	ms_vec_add(&machine->levels);
	while (at > 0) {
		size_t other = rank_of(machine->levels.at[at - 1].name);

		if (other == MS_COUNT(known) || other < rank)
			break;
		machine->levels.at[at] = machine->levels.at[at - 1];
		at--;
	}
	struct ms_machine_level *level = &machine->levels.at[at];

	*level = (struct ms_machine_level){ .name = known[rank],
					    .processors = assume_sharing(machine, at, rank) };
	assume_latency(machine, at);
	if (at == 0 && machine->levels.n > 1 &&
	    strcmp(level[1].latency_origin, MS_ORIGIN_DEFINED) == 0)
		assume_latency(machine, 1); /* it was the first level until now */
	return level;
}

int ms_machine_set_level(struct ms_machine *machine, const char *name, const char *spec,
			 struct ms_err *err)
{
	struct ms_machine_level wanted = { 0 };
	bool has_latency;
	size_t at = find_level(machine, name);

	if (rank_of(name) == MS_COUNT(known))
		return ms_fail(err, MS_EBUG, "there is no option for level '%s'", name);
	if (!parse_spec(spec, &wanted, &has_latency))
		return ms_fail(err, MS_EUSAGE,
			       "--%s expects SIZE,WAYS,LINE or SIZE,WAYS,LINE,LATENCY "
			       "(such as 32K,8,64), not '%s'",
			       name, spec);

	struct ms_machine_level *level =
		at < machine->levels.n ? &machine->levels.at[at] : insert_level(machine, name);
	level->size = wanted.size;
	level->ways = wanted.ways;
	level->line = wanted.line;
	level->origin = MS_ORIGIN_OPTION;
	level->usable = 0; /* the option states the size to simulate */
	level->usable_origin = NULL;
	if (has_latency) {
		level->latency = wanted.latency;
		level->latency_origin = MS_ORIGIN_OPTION;
	}
	ms_machine_assume_core(machine);
	return MS_OK;
}
