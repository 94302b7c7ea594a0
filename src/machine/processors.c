/* machine/processors.c - how much of a machine is simulated, and on which nodes its memory is. */
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "machine/machine_priv.h"

const char *const ms_machine_placements[] = { "first-touch", "interleaved", "node", NULL };

static uint32_t at_least_one(uint32_t n)
{
	return n != 0 ? n : 1;
}

const char *ms_machine_placement_text(const struct ms_machine *machine, char out[32])
{
	const char *word = ms_machine_placements[machine->placement];

	if (machine->placement == MS_PLACEMENT_NODE)
		snprintf(out, 32, "%s %" PRIu32, word, machine->placement_node);
	else
		snprintf(out, 32, "%s", word);
	return out;
}

/* Nodes are as large as in the whole machine, unless there is only one. */
static int set_nodes(struct ms_machine *machine, struct ms_err *err)
{
	uint32_t all = at_least_one(machine->whole.nodes);
	uint32_t size = at_least_one(machine->whole.processors) / all;

	machine->nodes = 1;
	machine->node_processors = 0;
	if (all == 1)
		return MS_OK;
	machine->node_processors = at_least_one(size);
	machine->nodes = ms_machine_node(machine, machine->processors - 1) + 1;
	if (machine->nodes > MS_NODES_MOST)
		return ms_fail(err, MS_EUSAGE,
			       "machine %s: found %" PRIu32 " processors on %" PRIu32
			       " nodes to simulate, expected at most %d nodes; ask for fewer "
			       "processors",
			       machine->name, machine->processors, machine->nodes, MS_NODES_MOST);
	return MS_OK;
}

/* The caches of all levels for the simulated processors. */
static int check_memory_needed(const struct ms_machine *machine, struct ms_err *err)
{
	char found[MS_NUM_TEXT], most[MS_NUM_TEXT];
	uint64_t needed = 0;

	for (size_t i = 0; i < machine->levels.n; i++) {
		const struct ms_machine_level *level = &machine->levels.at[i];
		uint32_t sharers = level->processors != 0 ? level->processors : machine->processors;

		needed += ms_machine_cache_bytes(level) *
			  ((machine->processors + sharers - 1) / sharers);
	}
	if (needed > MS_CACHES_BYTES_MOST)
		return ms_fail(err, MS_EUSAGE,
			       "machine %s: found caches of %" PRIu32 " processor%s whose "
			       "simulation takes %s, expected at most %s; ask for fewer processors "
			       "or smaller caches",
			       machine->name, machine->processors,
			       machine->processors == 1 ? "" : "s", ms_format_size(needed, found),
			       ms_format_size(MS_CACHES_BYTES_MOST, most));
	return MS_OK;
}

int ms_machine_set_processors(struct ms_machine *machine, uint32_t processors, struct ms_err *err)
{
	uint32_t all = at_least_one(machine->whole.processors);

	machine->processors = processors != 0 ? processors : all;
	if (machine->processors > MS_PROCESSORS_MOST)
		return ms_fail(err, MS_EUSAGE,
			       "machine %s: found %" PRIu32
			       " processors to simulate, expected 1 to %d",
			       machine->name, machine->processors, MS_PROCESSORS_MOST);
	MS_TRY(check_memory_needed(machine, err));
	MS_TRY(set_nodes(machine, err));
	/* A simulation of one processor has no remote memory, whatever the placement. */
	if (machine->processors > 1 && machine->placement == MS_PLACEMENT_NODE &&
	    machine->placement_node >= machine->nodes)
		return ms_fail(
			err, MS_EUSAGE,
			"machine %s: found placement = node %" PRIu32 " with %" PRIu32
			" processors, which are on %" PRIu32
			" node%s (from 0); ask for more processors or place memory elsewhere",
			machine->name, machine->placement_node, machine->processors, machine->nodes,
			machine->nodes == 1 ? "" : "s");
	return MS_OK;
}

/* With fewer ways, lines evict each other that a small share of a large cache keeps. */
enum { LEAST_USABLE_WAYS = 4 };

/* A share of the ways; if few would be left, of half of the sets, a quarter, and so on. */
static void take_usable_part(struct ms_machine_level *level, uint64_t *sets)
{
	uint64_t percent = (uint64_t)level->ways * level->usable;

	while (percent < 100 * LEAST_USABLE_WAYS && 2 * percent <= 100 * (uint64_t)level->ways &&
	       *sets % 2 == 0) {
		percent *= 2;
		*sets /= 2;
	}
	uint32_t ways = (uint32_t)(percent / 100);

	/* A tree halves the ways until one is left. */
	while (level->replacement == MS_REPLACEMENT_TREE_PLRU && (ways & (ways - 1)) != 0)
		ways &= ways - 1;
	level->ways = at_least_one(ways);
}

/* Before changes by options, which end the sentence and which "Next" copies from there. */
static void state_share(struct ms_machine *machine, const struct ms_machine_level *level,
			uint64_t simulated)
{
	const char *origin = machine->origin;
	const char *changes = strstr(origin, "; with --");
	size_t n = changes != NULL ? (size_t)(changes - origin) : strlen(origin);
	char part[MS_NUM_TEXT], all[MS_NUM_TEXT];

	machine->origin =
		ms_arena_printf(&machine->arena, "%.*s, %s of the %s of %s usable%s", (int)n,
				origin, ms_format_size(simulated, part),
				ms_format_size(level->size, all), level->name, origin + n);
}

void ms_machine_use_share(struct ms_machine *machine)
{
	for (size_t i = 0; i < machine->levels.n; i++) {
		struct ms_machine_level *level = &machine->levels.at[i];
		uint64_t sets = ms_machine_sets(level);

		if (level->usable == 0)
			continue;
		take_usable_part(level, &sets);
		uint64_t size = sets * level->ways * level->line;
		if (size != level->size)
			state_share(machine, level, size);
		level->size = size;
		level->usable = 0;
	}
}
