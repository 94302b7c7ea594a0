/* machine/check.c - the rules for a machine, each with its error message. */
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "machine/machine_priv.h"

enum { LINE_MIN = 4, LINE_MAX = 65536 };
#define SIZE_MOST (UINT64_C(1) << 40)

/* A level, the previous one (or NULL), and where the message goes. */
struct check {
	const struct ms_machine_level *level;
	const struct ms_machine_level *before;
	struct ms_err *err;
};

static int check_line(const struct check *c)
{
	uint32_t line = c->level->line;

	if (line < LINE_MIN || line > LINE_MAX || (line & (line - 1)) != 0)
		return ms_fail(c->err, MS_EFORMAT,
			       "found line %" PRIu32 ", expected a power of two from %d to %d",
			       line, LINE_MIN, LINE_MAX);
	if (c->before != NULL && line < c->before->line)
		return ms_fail(c->err, MS_EFORMAT,
			       "found line %" PRIu32 ", expected at least %" PRIu32
			       ", the line of %s before it",
			       line, c->before->line, c->before->name);
	return MS_OK;
}

static int check_ways(const struct check *c)
{
	uint32_t ways = c->level->ways;

	if (ways < 1 || ways > MS_WAYS_MOST)
		return ms_fail(c->err, MS_EFORMAT, "found %" PRIu32 " ways, expected 1 to %d", ways,
			       MS_WAYS_MOST);
	return MS_OK;
}

/* The number of sets must be an integer; it need not be a power of two. */
static int check_size(const struct check *c)
{
	uint64_t set = (uint64_t)c->level->ways * c->level->line;
	uint64_t size = c->level->size;
	char text[MS_NUM_TEXT];

	if (size == 0 || size > SIZE_MOST)
		return ms_fail(c->err, MS_EFORMAT, "found size %" PRIu64 ", expected 1 to %s", size,
			       ms_format_size(SIZE_MOST, text));
	if (size % set != 0)
		return ms_fail(c->err, MS_EFORMAT,
			       "found size %" PRIu64 ", expected a multiple of %" PRIu64
			       " (%" PRIu32 " ways of %" PRIu32 "-byte lines)",
			       size, set, c->level->ways, c->level->line);
	return MS_OK;
}

/* The simulator stores the number of every line that the cache can hold. */
static int check_memory_needed(const struct check *c)
{
	uint64_t needed = ms_machine_cache_bytes(c->level);
	char found[MS_NUM_TEXT], most[MS_NUM_TEXT];

	if (needed > MS_CACHE_BYTES_MOST)
		return ms_fail(c->err, MS_EFORMAT,
			       "found %" PRIu64
			       " lines, whose simulation takes %s, expected at most %s: choose a "
			       "smaller size or longer lines",
			       c->level->size / c->level->line, ms_format_size(needed, found),
			       ms_format_size(MS_CACHE_BYTES_MOST, most));
	return MS_OK;
}

/* A hit in the first level causes no wait. */
static int check_latency(const struct check *c)
{
	if (c->level->latency > MS_LATENCY_MOST)
		return ms_fail(c->err, MS_EFORMAT,
			       "found latency %" PRIu32 ", expected 0 to %d cycles",
			       c->level->latency, MS_LATENCY_MOST);
	if (c->before == NULL && c->level->latency != 0)
		return ms_fail(
			c->err, MS_EFORMAT,
			"found latency %" PRIu32
			", expected 0: a reference that the first level answers does not wait",
			c->level->latency);
	return MS_OK;
}

/* Caches nest: processors that share a level share all farther levels. */
static int check_sharing(const struct check *c)
{
	if (c->before == NULL || c->level->processors == 0)
		return MS_OK;
	if (c->before->processors == 0 || c->level->processors < c->before->processors)
		return ms_fail(c->err, MS_EFORMAT,
			       "found %" PRIu32
			       " processors, expected no fewer than share %s before it",
			       c->level->processors, c->before->name);
	if (c->level->processors % c->before->processors != 0)
		return ms_fail(c->err, MS_EFORMAT,
			       "found %" PRIu32 " processors, expected a multiple of %" PRIu32
			       ", which share %s before it",
			       c->level->processors, c->before->processors, c->before->name);
	return MS_OK;
}

/* A tree halves the ways until one is left. */
static int check_replacement(const struct check *c)
{
	uint32_t ways = c->level->ways;

	if (c->level->replacement == MS_REPLACEMENT_TREE_PLRU && (ways & (ways - 1)) != 0)
		return ms_fail(c->err, MS_EFORMAT,
			       "found replacement = tree-plru with %" PRIu32
			       " ways, expected a number of ways that is a power of two",
			       ways);
	return MS_OK;
}

static int check_contents(const struct check *c)
{
	if (c->level->contents != MS_CONTENTS_NEITHER && c->before == NULL)
		return ms_fail(c->err, MS_EFORMAT,
			       "found contents = %s, expected neither: there is no level before "
			       "the first one",
			       ms_machine_word(c->level, MS_CHOICE_CONTENTS));
	if (c->level->contents == MS_CONTENTS_EXCLUSIVE && c->level->line != c->before->line)
		return ms_fail(c->err, MS_EFORMAT,
			       "found contents = exclusive with line %" PRIu32 ", expected %" PRIu32
			       ", the line of %s before it, whose lines come here",
			       c->level->line, c->before->line, c->before->name);
	return MS_OK;
}

/* A stream never leaves its page. If a page has too few lines, there is no stream to follow. */
static int check_prefetch(const struct check *c)
{
	const uint32_t most = MS_PREFETCH_PAGE / 4;

	if (c->level->prefetch > 0 && c->level->line > most)
		return ms_fail(c->err, MS_EFORMAT,
			       "found prefetch = %" PRIu32 " with line %" PRIu32
			       ", expected lines of at most %" PRIu32
			       " bytes: a stream stays within %d bytes",
			       c->level->prefetch, c->level->line, most, MS_PREFETCH_PAGE);
	return MS_OK;
}

static int (*const rules[])(const struct check *c) = {
	check_line,    check_ways,        check_size,     check_memory_needed, check_latency,
	check_sharing, check_replacement, check_contents, check_prefetch,
};

static int say_where(const char *where, const char *level, struct ms_err *err)
{
	if (err == NULL)
		return MS_EFORMAT;
	if (level != NULL)
		ms_fail_in(err, "level %s", level);
	return where != NULL ? ms_fail_in(err, "%s", where) : (int)err->code;
}

static int check_name(const struct ms_machine *machine, size_t index, struct ms_err *err)
{
	const char *name = machine->levels.at[index].name;

	if (index >= MS_LEVELS_MOST)
		return ms_fail(err, MS_EFORMAT, "found more levels, expected at most %d",
			       MS_LEVELS_MOST);
	for (size_t i = 0; i < index; i++)
		if (strcmp(machine->levels.at[i].name, name) == 0)
			return ms_fail(err, MS_EFORMAT,
				       "found two levels of this name, expected one");
	return MS_OK;
}

int ms_machine_check_level(const struct ms_machine *machine, size_t index, const char *where,
			   struct ms_err *err)
{
	const struct ms_machine_level *level = &machine->levels.at[index];
	struct check c = { level, index > 0 ? level - 1 : NULL, err };

	if (check_name(machine, index, err) != MS_OK)
		return say_where(where, level->name, err);
	for (size_t i = 0; i < MS_COUNT(rules); i++)
		if (rules[i](&c) != MS_OK)
			return say_where(where, level->name, err);
	return MS_OK;
}

/* --- the whole machine ------------------------------------------------------------------------ */

/* If a description states no more than one processor, its caches may be shared in any way. */
static int check_caches(const struct ms_machine *machine, struct ms_err *err)
{
	uint32_t all = machine->whole.processors;

	for (size_t i = 0; all > 1 && i < machine->levels.n; i++) {
		const struct ms_machine_level *level = &machine->levels.at[i];

		if (level->processors == 0 || all % level->processors == 0)
			continue;
		ms_fail(err, MS_EFORMAT,
			"found %" PRIu32 " processors that share a cache of a machine of %" PRIu32
			", expected a number that divides it, or all",
			level->processors, all);
		return say_where(NULL, level->name, err);
	}
	return MS_OK;
}

static int check_nodes(const struct ms_machine *machine, struct ms_err *err)
{
	uint32_t processors = machine->whole.processors != 0 ? machine->whole.processors : 1;
	uint32_t nodes = machine->whole.nodes;

	if (nodes > processors)
		return ms_fail(err, MS_EFORMAT,
			       "found nodes = %" PRIu32 " with processors = %" PRIu32
			       ", expected no more nodes than processors",
			       nodes, processors);
	if (nodes > 1 && processors % nodes != 0)
		return ms_fail(err, MS_EFORMAT,
			       "found nodes = %" PRIu32 " with processors = %" PRIu32
			       ", expected as many processors on each node",
			       nodes, processors);
	return MS_OK;
}

static int check_memory(const struct ms_machine *machine, struct ms_err *err)
{
	uint32_t nodes = machine->whole.nodes;

	if (nodes > 1 && machine->remote_latency < machine->memory_latency)
		return ms_fail(err, MS_EFORMAT,
			       "found remote-latency = %" PRIu32 ", expected at least %" PRIu32
			       ", the latency of the own node's memory",
			       machine->remote_latency, machine->memory_latency);
	if (machine->placement == MS_PLACEMENT_NODE &&
	    machine->placement_node >= (nodes != 0 ? nodes : 1))
		return ms_fail(err, MS_EFORMAT,
			       "found placement = node %" PRIu32 " with nodes = %" PRIu32
			       ", expected a smaller number: the first node is 0",
			       machine->placement_node, nodes != 0 ? nodes : 1);
	return MS_OK;
}

/* A huge page replaces several small ones. */
static int check_pages(const struct ms_machine *machine, struct ms_err *err)
{
	const struct ms_machine_core *core = &machine->core;
	char page[MS_FIGURE_TEXT], huge[MS_FIGURE_TEXT];

	if (core->huge_page != 0 && core->huge_page <= core->page)
		return ms_fail(err, MS_EFORMAT,
			       "found huge-page = %s with page = %s, expected 0 (none) or a larger "
			       "size than page",
			       ms_machine_figure_text(core, MS_FIGURE_HUGE_PAGE, huge),
			       ms_machine_figure_text(core, MS_FIGURE_PAGE, page));
	return MS_OK;
}

int ms_machine_check_whole(const struct ms_machine *machine, const char *where, struct ms_err *err)
{
	if (check_caches(machine, err) != MS_OK || check_nodes(machine, err) != MS_OK ||
	    check_memory(machine, err) != MS_OK || check_pages(machine, err) != MS_OK)
		return say_where(where, NULL, err);
	return MS_OK;
}

int ms_machine_check(const struct ms_machine *machine, const char *where, struct ms_err *err)
{
	if (machine->levels.n == 0) {
		ms_fail(err, MS_EFORMAT, "found no cache level, expected at least one");
		return say_where(where, NULL, err);
	}
	for (size_t i = 0; i < machine->levels.n; i++)
		MS_TRY(ms_machine_check_level(machine, i, where, err));
	return ms_machine_check_whole(machine, where, err);
}
