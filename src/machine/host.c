/*
 * machine/host.c - the machine that memspy runs on, from sysfs: the data and unified caches of the
 * first processor that this process may use. Processors and memory: host_nodes.c.
 *
 * What sysfs does not show (many arm64 virtual machines and containers show little or nothing) is
 * computed from what it does show, or else assumed. The origin of each level states this. Latencies
 * are in no system file: all of them are assumed.
 */
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "base/text.h"
#include "machine/machine_priv.h"

enum { PATH = 512, VALUE = 4096, LEVELS_MAX = 8, INDEXES_MAX = 32 };

/* One cache as sysfs shows it; 0 where it does not. */
struct leaf {
	unsigned number; /* 1: nearest to the processor */
	uint64_t size;
	uint64_t ways;
	uint64_t line;
	uint64_t sets;
	uint32_t processors;
};

struct host {
	struct ms_machine *machine;
	char folder[PATH]; /* .../cpu0/cache */
	struct leaf leaves[LEVELS_MAX];
	size_t n;
	unsigned assumed; /* levels with an assumed figure in their geometry */
};

/* --- reading -------------------------------------------------------------------------------- */

/* The first line of FOLDER/indexN/FILE; false if there is none. */
static bool read_attribute(const struct host *h, unsigned index, const char *file, char out[VALUE])
{
	char path[PATH + 64];

	snprintf(path, sizeof(path), "%s/index%u/%s", h->folder, index, file);
	FILE *in = fopen(path, "re");
	if (in == NULL)
		return false;
	bool got = fgets(out, VALUE, in) != NULL;
	fclose(in);
	if (got)
		out[strcspn(out, "\n")] = '\0';
	return got;
}

static uint64_t read_number(const struct host *h, unsigned index, const char *file)
{
	char text[VALUE];
	uint64_t value;

	return read_attribute(h, index, file, text) && ms_parse_size(text, &value) ? value : 0;
}

static bool is_data_cache(const struct host *h, unsigned index)
{
	char type[VALUE];

	return read_attribute(h, index, "type", type) &&
	       (strcmp(type, "Data") == 0 || strcmp(type, "Unified") == 0);
}

static struct leaf read_leaf(const struct host *h, unsigned index)
{
	char list[VALUE] = "";
	struct leaf leaf = {
		.number = (unsigned)read_number(h, index, "level"),
		.size = read_number(h, index, "size"),
		.ways = read_number(h, index, "ways_of_associativity"),
		.line = read_number(h, index, "coherency_line_size"),
		.sets = read_number(h, index, "number_of_sets"),
	};

	read_attribute(h, index, "shared_cpu_list", list);
	leaf.processors = ms_machine_count_list(list);
	if (leaf.processors == 0)
		leaf.processors = 1;
	return leaf;
}

static bool has_number(const struct host *h, unsigned number)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->leaves[i].number == number)
			return true;
	return false;
}

static int compare_leaves(const void *a, const void *b)
{
	return ms_cmp_u64(((const struct leaf *)a)->number, ((const struct leaf *)b)->number);
}

static void read_leaves(struct host *h)
{
	char level[VALUE];

	for (unsigned i = 0; i < INDEXES_MAX && read_attribute(h, i, "level", level); i++) {
		if (h->n == LEVELS_MAX || !is_data_cache(h, i))
			continue;
		struct leaf leaf = read_leaf(h, i);

		if (leaf.number >= 1 && !has_number(h, leaf.number))
			h->leaves[h->n++] = leaf;
	}
	qsort(h->leaves, h->n, sizeof(h->leaves[0]), compare_leaves);
}

/* The first processor that this process may use, if sysfs shows its caches; else the first. */
static void choose_folder(struct host *h, const char *sysfs_root)
{
	cpu_set_t allowed;
	int cpu = 0;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
		while (cpu < CPU_SETSIZE - 1 && !CPU_ISSET(cpu, &allowed))
			cpu++;
	snprintf(h->folder, sizeof(h->folder), "%s/devices/system/cpu/cpu%d/cache", sysfs_root,
		 cpu);
	if (access(h->folder, F_OK) != 0)
		snprintf(h->folder, sizeof(h->folder), "%s/devices/system/cpu/cpu0/cache",
			 sysfs_root);
}

/* --- filling in ----------------------------------------------------------------------------- */

static void note(struct ms_text *origin, const char *what)
{
	ms_text_addf(origin, "%s%s", origin->n > 0 ? ", " : "", what);
}

/* Each figure: from sysfs, else from the others, else assumed. A size must come before the ways. */
static void fill_size(struct leaf *leaf, struct ms_text *origin)
{
	const struct ms_machine_generic *generic = ms_machine_generic_level(leaf->number);

	if (leaf->line == 0) {
		leaf->line = generic->line;
		note(origin, "line assumed");
	}
	if (leaf->size == 0 && leaf->sets != 0 && leaf->ways != 0) {
		leaf->size = leaf->sets * leaf->ways * leaf->line;
		note(origin, "size from sets");
	} else if (leaf->size == 0) {
		leaf->size = generic->size;
		note(origin, "size assumed");
	}
}

/*
 * For 0 ways the kernel means either "one set: fully associative" or "not known"; the number of
 * sets distinguishes the two.
 */
static void fill_ways(struct leaf *leaf, struct ms_text *origin)
{
	if (leaf->ways != 0)
		return;
	if (leaf->sets == 1) {
		leaf->ways = leaf->size / leaf->line;
		note(origin, "fully associative");
	} else if (leaf->sets != 0) {
		leaf->ways = leaf->size / leaf->line / leaf->sets;
		note(origin, "ways from sets");
	}
	if (leaf->ways == 0) {
		leaf->ways = ms_machine_generic_level(leaf->number)->ways;
		note(origin, "ways assumed");
	}
}

/*
 * Figures that contradict each other or the previous level are adjusted, and the origin states
 * this.
 */
static void reconcile(struct leaf *leaf, const struct ms_machine_level *before,
		      struct ms_text *origin)
{
	if (before != NULL && leaf->line < before->line) {
		leaf->line = before->line;
		note(origin, "line raised to that of the level before");
	}
	if (before != NULL && leaf->processors < before->processors)
		leaf->processors = before->processors;
	if (before != NULL && leaf->processors % before->processors != 0) {
		leaf->processors += before->processors - leaf->processors % before->processors;
		note(origin, "sharing rounded to whole caches of the level before");
	}
	uint64_t set = leaf->ways * leaf->line;

	if (leaf->size % set != 0) {
		leaf->size = leaf->size < set ? set : leaf->size / set * set;
		note(origin, "size rounded to whole sets");
	}
}

static void add_level(struct host *h, struct leaf leaf)
{
	struct ms_machine *m = h->machine;
	size_t n = m->levels.n;
	struct ms_text origin = MS_TEXT_INIT;

	note(&origin, "sysfs");
	fill_size(&leaf, &origin);
	fill_ways(&leaf, &origin);
	reconcile(&leaf, n > 0 ? &m->levels.at[n - 1] : NULL, &origin);
	h->assumed += strstr(ms_text_get(&origin), "assumed") != NULL;

	struct ms_machine_level *level = ms_vec_add(&m->levels);
	*level = (struct ms_machine_level){
		.name = ms_arena_printf(&m->arena, "L%u", leaf.number),
		.size = leaf.size,
		.ways = (uint32_t)leaf.ways,
		.line = (uint32_t)leaf.line,
		.processors = leaf.processors,
		.origin = ms_arena_strdup(&m->arena, ms_text_get(&origin)),
	};
	ms_text_free(&origin);
}

static void add_generic(struct host *h)
{
	for (unsigned i = 1; i <= MS_GENERIC_LEVELS; i++) {
		const struct ms_machine_generic *generic = ms_machine_generic_level(i);

		*ms_vec_add(&h->machine->levels) = (struct ms_machine_level){
			.name = ms_arena_printf(&h->machine->arena, "L%u", i),
			.size = generic->size,
			.ways = generic->ways,
			.line = generic->line,
			.processors = i < MS_GENERIC_LEVELS ? 1 : 0,
			.origin = MS_ORIGIN_ASSUMED,
		};
	}
}

static void add_latencies(struct ms_machine *machine)
{
	for (size_t i = 0; i < machine->levels.n; i++) {
		struct ms_machine_level *level = &machine->levels.at[i];

		level->latency = i == 0 ? 0 : ms_machine_assumed_latency(level->name);
		level->latency_origin = i == 0 ? MS_ORIGIN_DEFINED : MS_ORIGIN_ASSUMED;
	}
	ms_machine_assume_memory(machine);
}

/* --- the machine ---------------------------------------------------------------------------- */

/* The name of the processor if the kernel has it (x86); for display only. */
static const char *describe(struct ms_machine *machine, const char *sysfs_root)
{
	FILE *in = strcmp(sysfs_root, "/sys") == 0 ? fopen("/proc/cpuinfo", "re") : NULL;
	const char *text = "this machine";
	char line[VALUE];

	while (in != NULL && fgets(line, sizeof(line), in) != NULL) {
		const char *colon = strchr(line, ':');

		if (strncmp(line, "model name", strlen("model name")) != 0 || colon == NULL)
			continue;
		line[strcspn(line, "\n")] = '\0';
		text = ms_arena_printf(&machine->arena, "this machine: %s",
				       colon + 1 + strspn(colon + 1, " "));
		break;
	}
	if (in != NULL)
		fclose(in);
	return text;
}

static const char *tell_origin(struct host *h)
{
	struct ms_arena *arena = &h->machine->arena;

	if (h->n == 0)
		return ms_arena_printf(arena,
				       "%s shows no caches: a generic machine is assumed; "
				       "describe yours with --machine or --l1, --l2, --ll",
				       h->folder);
	if (h->assumed > 0)
		return ms_arena_printf(arena,
				       "%s shows caches in part: the rest of their geometry and "
				       "the latencies are assumed",
				       h->folder);
	return ms_arena_printf(arena, "caches from %s" MS_LATENCIES_ASSUMED, h->folder);
}

/* Users cannot fix an unusual sysfs: a generic machine with the reason is better than an error. */
static void use_generic(struct host *h, const char *why)
{
	ms_vec_free(&h->machine->levels);
	add_generic(h);
	add_latencies(h->machine);
	if (why != NULL)
		h->machine->origin = ms_arena_printf(&h->machine->arena,
						     "%s: a generic machine is assumed", why);
}

int ms_machine_load_host(struct ms_machine *machine, const char *sysfs_root, struct ms_err *err)
{
	struct host h = { .machine = machine };
	struct ms_err strange;

	(void)err;
	*machine = (struct ms_machine){
		.name = "host",
		.whole = { 1, 1 },
		.processors = 1,
		.nodes = 1,
	};
	choose_folder(&h, sysfs_root);
	read_leaves(&h);
	for (size_t i = 0; i < h.n; i++)
		add_level(&h, h.leaves[i]);
	add_latencies(machine);
	machine->text = describe(machine, sysfs_root);
	machine->origin = tell_origin(&h);
	if (h.n == 0)
		use_generic(&h, NULL);
	else if (ms_machine_check(machine, h.folder, &strange) != MS_OK)
		use_generic(&h, strange.text);
	ms_machine_host_nodes(machine, sysfs_root);
	return MS_OK;
}
