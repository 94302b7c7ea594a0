/*
 * machine/ranks.c - the part of a machine that is one rank's of a parallel job: ranks of one node
 * share its caches and the bandwidth of its memory. Their programs are alike, so each has an equal
 * part.
 *
 * Does not: ranks that need more than others, or data in segments that ranks share.
 */
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "machine/machine_priv.h"

static uint32_t all_processors(const struct ms_machine *machine)
{
	return machine->whole.processors != 0 ? machine->whole.processors : 1;
}

/* Ranks that run at a time: a processor that several share runs one of them. */
static uint32_t running_ranks(const struct ms_machine *machine, uint32_t ranks)
{
	uint32_t all = all_processors(machine);

	return ranks < all ? ranks : all;
}

uint32_t ms_machine_rank_processors(const struct ms_machine *machine, uint32_t ranks)
{
	uint32_t all = all_processors(machine);

	return ranks > 0 && ranks < all ? all / ranks : 1;
}

/* Ranks are spread evenly over the processors. */
static uint32_t ranks_of_cache(const struct ms_machine *machine,
			       const struct ms_machine_level *level, uint32_t ranks)
{
	uint64_t all = all_processors(machine), running = running_ranks(machine, ranks);
	uint64_t sharers = level->processors != 0 ? level->processors : all;

	return (uint32_t)((running * (sharers < all ? sharers : all) + all - 1) / all);
}

/* Ways stay: a rank's lines are spread over all sets, and the others' with them. */
static void divide_level(const struct ms_machine *machine, struct ms_machine_level *level,
			 uint32_t ranks, struct ms_text *origin)
{
	uint32_t sharing = ranks_of_cache(machine, level, ranks);
	uint64_t sets = ms_machine_sets(level) / sharing;
	char part[MS_NUM_TEXT], all[MS_NUM_TEXT];
	uint64_t size = level->size;

	if (sharing <= 1 || sets == 0)
		return;
	level->size = sets * level->ways * level->line;
	ms_text_addf(origin, "%s%s of the %s of %s", origin->n > 0 ? ", " : "",
		     ms_format_size(level->size, part), ms_format_size(size, all), level->name);
}

/* 0 stays 0: unlimited. */
static uint32_t scale(uint32_t value, uint32_t part, uint32_t of)
{
	uint64_t scaled = (uint64_t)value * part / of;

	return scaled > 0 || value == 0 ? (uint32_t)scaled : 1;
}

static void divide_bandwidth(struct ms_machine *machine, uint32_t ranks, struct ms_text *origin)
{
	struct ms_machine_core *core = &machine->core;
	uint32_t part = core->total_bandwidth_milli / running_ranks(machine, ranks);

	if (core->total_bandwidth_milli == 0 || core->bandwidth_milli == 0 ||
	    part >= core->bandwidth_milli)
		return;
	core->write_bandwidth_milli =
		scale(core->write_bandwidth_milli, part, core->bandwidth_milli);
	core->bandwidth_milli = scale(core->bandwidth_milli, part, core->bandwidth_milli);
	ms_text_addf(origin, "%s%.3g bytes per cycle from memory", origin->n > 0 ? " and " : "",
		     core->bandwidth_milli / 1000.0);
}

/* Before changes by options, which end the sentence. */
static void state_part(struct ms_machine *machine, const char *part, uint32_t ranks)
{
	const char *origin = machine->origin, *changes = strstr(origin, "; with --");
	size_t n = changes != NULL ? (size_t)(changes - origin) : strlen(origin);

	machine->origin = ms_arena_printf(
		&machine->arena, "%.*s, %s for each of the %" PRIu32 " ranks of its node%s", (int)n,
		origin, part, ranks, origin + n);
}

void ms_machine_share_among_ranks(struct ms_machine *machine, uint32_t ranks)
{
	struct ms_text origin = MS_TEXT_INIT;

	if (ranks <= 1)
		return;
	for (size_t i = 0; i < machine->levels.n; i++)
		divide_level(machine, &machine->levels.at[i], ranks, &origin);
	divide_bandwidth(machine, ranks, &origin);
	if (origin.n > 0)
		state_part(machine, origin.at, ranks);
	ms_text_free(&origin);
}
