/*
 * machine/host_nodes.c - the processors of the machine that memspy runs on, and its memory nodes,
 * from sysfs.
 *
 * Limits: nodes without processors are ignored; different distances between nodes become their
 * mean; nodes of different sizes become one node, and the origin states this.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine_priv.h"

enum { PATH = 512, NODES_MAX = 1024 };

/* --- lists of numbers: "0-3,8" ---------------------------------------------------------------- */

struct processor_range {
	unsigned long from, to;
};

/* Removes the next range from the list; false at its end. */
static bool next_range(const char **list, struct processor_range *range)
{
	char *end;

	if (!isdigit((unsigned char)**list))
		return false;
	range->from = strtoul(*list, &end, 10);
	range->to = *end == '-' ? strtoul(end + 1, &end, 10) : range->from;
	if (range->to < range->from)
		range->to = range->from;
	*list = *end == ',' ? end + 1 : end;
	return true;
}

uint32_t ms_machine_count_list(const char *list)
{
	struct processor_range range;
	uint64_t n = 0;

	while (next_range(&list, &range))
		n += range.to - range.from + 1;
	return n > UINT32_MAX ? 0 : (uint32_t)n;
}

MS_PRINTF(1, 2)
static char *read_line(const char *fmt, ...)
{
	char path[PATH];
	char *line = NULL;
	size_t cap = 0;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	FILE *in = fopen(path, "re");

	if (in == NULL)
		return NULL;
	if (getline(&line, &cap, in) < 0) {
		free(line);
		line = NULL;
	}
	fclose(in);
	return line;
}

/* --- nodes ------------------------------------------------------------------------------------ */

struct nodes {
	uint32_t n;              /* with processors */
	uint32_t processors;     /* of each of them; 0: they differ */
	uint64_t local, far;     /* from the first node: to itself, to the others (sum) */
	bool peopled[NODES_MAX]; /* by position in the list of nodes: it has processors */
};

/* Distances are in the order of the list of nodes, including those without processors. */
static void read_distances(struct nodes *nodes, const char *root, unsigned long node, size_t own)
{
	char *line = read_line("%s/devices/system/node/node%lu/distance", root, node);
	const char *at = line;

	for (size_t i = 0; at != NULL && i < NODES_MAX; i++) {
		char *end;
		unsigned long distance = strtoul(at, &end, 10);

		if (end == at)
			break;
		at = end;
		if (i == own)
			nodes->local = distance;
		else if (nodes->peopled[i])
			nodes->far += distance;
	}
	free(line);
}

static void read_node(struct nodes *nodes, const char *root, unsigned long node, size_t position)
{
	char *line = read_line("%s/devices/system/node/node%lu/cpulist", root, node);
	uint32_t processors = line != NULL ? ms_machine_count_list(line) : 0;

	free(line);
	if (processors == 0)
		return;
	nodes->peopled[position] = true;
	nodes->processors = nodes->n == 0 || nodes->processors == processors ? processors : 0;
	nodes->n++;
}

static void read_nodes(struct nodes *nodes, const char *root)
{
	char *line = read_line("%s/devices/system/node/online", root);
	const char *list = line != NULL ? line : "";
	unsigned long first = 0;
	size_t position = 0, own = 0;
	struct processor_range range;

	while (next_range(&list, &range))
		for (unsigned long node = range.from; node <= range.to && position < NODES_MAX;
		     node++, position++) {
			read_node(nodes, root, node, position);
			if (nodes->n == 1 && nodes->peopled[position])
				first = node, own = position;
		}
	if (nodes->n > 1)
		read_distances(nodes, root, first, own);
	free(line);
}

/* No system file contains a latency; the distances give the ratio of remote to local memory. */
static void set_remote(struct ms_machine *machine, const struct nodes *nodes)
{
	uint64_t others = nodes->n - 1;
	bool known = nodes->local > 0 && nodes->far >= nodes->local * others;
	uint64_t far = known ? nodes->far : MS_ASSUMED_FAR * others;
	uint64_t local = known ? nodes->local : MS_ASSUMED_NEAR;

	machine->remote_latency =
		(uint32_t)((machine->memory_latency * far + local * others / 2) / (local * others));
	machine->remote_latency_origin =
		known ? ms_arena_printf(&machine->arena, "memory's times %.1f, sysfs' distances",
					(double)far / (double)(local * others))
		      : MS_ORIGIN_ASSUMED;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* 0: sysfs does not show it. */
static uint32_t count_online(const char *root)
{
	char *line = read_line("%s/devices/system/cpu/online", root);
	uint32_t n = line != NULL ? ms_machine_count_list(line) : 0;

	free(line);
	return n;
}

/*
 * A last level that all processors share is shared by all, however many are simulated. On a machine
 * with one processor, it is not known whether the second level is private, so it stays private.
 */
static void share_last(struct ms_machine *machine, uint32_t online)
{
	struct ms_machine_level *last = &machine->levels.at[machine->levels.n - 1];

	if (last->processors == online && machine->levels.n > (online > 1 ? 1 : 2))
		last->processors = 0;
}

/*
 * The number of processors, rounded to whole caches. It is more than are online if some processors
 * that share a cache are offline, and fewer if the remaining ones do not fill another cache. If
 * sysfs does not show it, it is the number that share the largest cache.
 */
static uint32_t whole_processors(const struct ms_machine *machine, uint32_t online)
{
	uint32_t shared = 1;

	/*
	 * Processors that share a level share all farther ones: the last level that not all share
	 * decides.
	 */
	for (size_t i = 0; i < machine->levels.n; i++)
		if (machine->levels.at[i].processors != 0)
			shared = machine->levels.at[i].processors;
	return online > shared ? online / shared * shared : shared;
}

void ms_machine_host_nodes(struct ms_machine *machine, const char *sysfs_root)
{
	uint32_t online = count_online(sysfs_root);
	struct nodes nodes = { 0 };

	share_last(machine, online);
	machine->whole.processors = whole_processors(machine, online);
	read_nodes(&nodes, sysfs_root);
	if (nodes.n <= 1)
		return;
	if (nodes.processors == 0 || machine->whole.processors != nodes.n * nodes.processors) {
		machine->origin = ms_arena_printf(&machine->arena,
						  "%s; %" PRIu32 " nodes of different sizes are "
						  "taken as one",
						  machine->origin, nodes.n);
		return;
	}
	machine->whole.nodes = nodes.n;
	set_remote(machine, &nodes);
}
