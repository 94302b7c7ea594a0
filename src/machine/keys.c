/* machine/keys.c - the keys of machine files: how the value of each is read, and its bounds. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "machine/machine_priv.h"

static struct ms_machine_level *this_level(struct ms_machine_values *v)
{
	return &v->machine->levels.at[v->machine->levels.n - 1];
}

/* --- values --------------------------------------------------------------------------------- */

static bool parse_u32(const char *text, uint32_t least, uint32_t most, uint32_t *value)
{
	uint64_t wide;

	if (!ms_parse_u64(text, &wide) || wide < least || wide > most)
		return false;
	*value = (uint32_t)wide;
	return true;
}

static bool set_text(struct ms_machine_values *v, const char *value)
{
	v->machine->text = ms_arena_strdup(&v->machine->arena, value);
	return *value != '\0';
}

static bool set_source(struct ms_machine_values *v, const char *value)
{
	v->source = ms_arena_strdup(&v->machine->arena, value);
	return *value != '\0';
}

static bool set_processors(struct ms_machine_values *v, const char *value)
{
	return parse_u32(value, 1, MS_DESCRIBED_MOST, &v->machine->whole.processors);
}

/* Whether the value is one of the words, which end with NULL. */
static bool find_word(const char *const *words, const char *value, uint32_t *field)
{
	for (uint32_t i = 0; words[i] != NULL; i++)
		if (strcmp(words[i], value) == 0) {
			*field = i;
			return true;
		}
	return false;
}

static bool set_protocol(struct ms_machine_values *v, const char *value)
{
	return find_word(ms_machine_protocols, value, &v->machine->protocol);
}

static bool set_size(struct ms_machine_values *v, const char *value)
{
	return ms_parse_size(value, &this_level(v)->size) && this_level(v)->size > 0;
}

static bool set_ways(struct ms_machine_values *v, const char *value)
{
	v->full = strcmp(value, "full") == 0;
	return v->full || parse_u32(value, 1, MS_WAYS_MOST, &this_level(v)->ways);
}

static bool set_line(struct ms_machine_values *v, const char *value)
{
	return parse_u32(value, 1, UINT32_MAX, &this_level(v)->line);
}

static bool set_latency(struct ms_machine_values *v, const char *value)
{
	return parse_u32(value, 0, MS_LATENCY_MOST, &this_level(v)->latency);
}

static bool set_sharing(struct ms_machine_values *v, const char *value)
{
	this_level(v)->processors = 0;
	return strcmp(value, "all") == 0 ||
	       parse_u32(value, 1, MS_DESCRIBED_MOST, &this_level(v)->processors);
}

/* Whether the value is one of the words of the choice. */
static bool set_choice(struct ms_machine_values *v, size_t choice, const char *value)
{
	const struct ms_machine_choice *c = &ms_machine_choices[choice];

	return find_word(c->words, value, (uint32_t *)((char *)this_level(v) + c->offset));
}

static bool set_replacement(struct ms_machine_values *v, const char *value)
{
	return set_choice(v, MS_CHOICE_REPLACEMENT, value);
}

static bool set_write(struct ms_machine_values *v, const char *value)
{
	return set_choice(v, MS_CHOICE_WRITE, value);
}

static bool set_write_miss(struct ms_machine_values *v, const char *value)
{
	return set_choice(v, MS_CHOICE_WRITE_MISS, value);
}

static bool set_contents(struct ms_machine_values *v, const char *value)
{
	return set_choice(v, MS_CHOICE_CONTENTS, value);
}

static bool set_prefetch(struct ms_machine_values *v, const char *value)
{
	return parse_u32(value, 0, MS_PREFETCH_MOST, &this_level(v)->prefetch);
}

static bool set_outstanding(struct ms_machine_values *v, const char *value)
{
	this_level(v)->outstanding_origin = MS_ORIGIN_FILE;
	return parse_u32(value, 1, MS_OUTSTANDING_MOST, &this_level(v)->outstanding);
}

static bool set_usable(struct ms_machine_values *v, const char *value)
{
	this_level(v)->usable_origin = MS_ORIGIN_FILE;
	return parse_u32(value, 1, 100, &this_level(v)->usable);
}

static bool set_memory_latency(struct ms_machine_values *v, const char *value)
{
	return parse_u32(value, 0, MS_LATENCY_MOST, &v->machine->memory_latency);
}

static bool set_remote_latency(struct ms_machine_values *v, const char *value)
{
	v->has_remote = true;
	return parse_u32(value, 0, MS_LATENCY_MOST, &v->machine->remote_latency);
}

static bool set_peer_latency(struct ms_machine_values *v, const char *value)
{
	v->has_peer = true;
	return parse_u32(value, 0, MS_LATENCY_MOST, &v->machine->peer_latency);
}

static bool set_nodes(struct ms_machine_values *v, const char *value)
{
	return parse_u32(value, 1, MS_DESCRIBED_MOST, &v->machine->whole.nodes);
}

/* A word, or "node N". */
static bool set_placement(struct ms_machine_values *v, const char *value)
{
	const char *word = ms_machine_placements[MS_PLACEMENT_NODE];
	size_t n = strlen(word);

	if (strncmp(value, word, n) != 0 || value[n] != ' ')
		return find_word(ms_machine_placements, value, &v->machine->placement) &&
		       v->machine->placement != MS_PLACEMENT_NODE;
	value += n + strspn(value + n, " ");
	v->machine->placement = MS_PLACEMENT_NODE;
	return parse_u32(value, 0, MS_DESCRIBED_MOST, &v->machine->placement_node);
}

/* --- figures of the core ---------------------------------------------------------------------- */

/* "4", "4.25": at most three decimals; value is in thousandths. */
static bool parse_milli(const char *text, uint64_t *value)
{
	size_t whole = strspn(text, "0123456789");
	const char *dot = text + whole;
	size_t decimals = *dot == '.' ? strspn(dot + 1, "0123456789") : 0;
	char digits[16];

	if (whole == 0 || whole > 7 || decimals > 3 || (*dot == '.') != (decimals > 0) ||
	    dot[decimals > 0 ? decimals + 1 : 0] != '\0')
		return false;
	snprintf(digits, sizeof(digits), "%.*s%.*s%.*s", (int)whole, text, (int)decimals, dot + 1,
		 (int)(3 - decimals), "000");
	return ms_parse_u64(digits, value);
}

static bool set_figure(struct ms_machine_values *v, enum ms_machine_figure figure,
		       const char *value)
{
	const struct ms_machine_figure_row *row = &ms_machine_figures[figure];
	uint32_t *at = ms_machine_figure_at(&v->machine->core, figure);
	uint64_t wide = 0;
	bool read = false;

	v->machine->figure_origins[figure] = MS_ORIGIN_FILE;
	switch (row->form) {
	case MS_FORM_WORD:
		return find_word(row->words, value, at);
	case MS_FORM_MILLI:
		read = parse_milli(value, &wide);
		break;
	case MS_FORM_SIZE:
		read = ms_parse_size(value, &wide);
		break;
	case MS_FORM_PAGE:
		read = ms_parse_size(value, &wide) && (wide & (wide - 1)) == 0;
		break;
	case MS_FORM_COUNT:
		read = ms_parse_u64(value, &wide);
		break;
	}
	if (!read || wide < row->least || wide > row->most)
		return false;
	*at = (uint32_t)wide;
	return true;
}

bool ms_machine_set_key(struct ms_machine_values *values, const struct ms_machine_key *key,
			const char *value)
{
	return key->set != NULL ? key->set(values, value) : set_figure(values, key->figure, value);
}

const struct ms_machine_section_row ms_machine_sections[MS_SECTIONS] = {
	[MS_SECTION_MACHINE] = { "machine", true, false },
	[MS_SECTION_LEVEL] = { "level", true, true },
	[MS_SECTION_MEMORY] = { "memory", true, false },
	[MS_SECTION_PREFETCH] = { "prefetch", false, false },
	[MS_SECTION_TLB] = { "tlb", false, false },
};

#define A_NUMBER  "a whole number from 1 to 65536"
#define WAYS      "a whole number from 1 to 1048576, or full"
#define CYCLES    MS_EXPECTED_CYCLES
#define PLACEMENT "first-touch, interleaved or node N"
#define STREAMS   "a number of streams from 0 to 64"
#define BANDWIDTH "bytes per cycle from 0 (unlimited) to 4096, with at most three decimals"
#define OPERATION "a whole number of cycles from 1 to 100"
#define ENTRIES   "a whole number of entries from 1 to 1048576"
#define SECOND    "a whole number of entries from 0 to 1048576"
static_assert(MS_DESCRIBED_MOST == 65536, "A_NUMBER says so");
static_assert(MS_WAYS_MOST == 1048576, "WAYS says so");
static_assert(MS_LATENCY_MOST == 1000000, "CYCLES says so");
static_assert(MS_OPERATION_LATENCY_MOST == 100, "OPERATION says so");
static_assert(MS_PREFETCH_MOST == 64, "STREAMS says so");

#define KEY(section, name, required, expected, set, words)                \
	{                                                                 \
		section, name, required, expected, set, words, MS_FIGURES \
	}
/* A key whose value belongs to a figure of the core: never required. */
#define FIGURE(section, name, figure, expected)                    \
	{                                                          \
		section, name, false, expected, NULL, NULL, figure \
	}
/* clang-format off */
const struct ms_machine_key ms_machine_keys[] = {
	KEY(MS_SECTION_MACHINE, "text", true, "a line of text", set_text, NULL),
	KEY(MS_SECTION_MACHINE, "source", false, "a line of text", set_source, NULL),
	KEY(MS_SECTION_MACHINE, "processors", false, A_NUMBER, set_processors, NULL),
	KEY(MS_SECTION_MACHINE, "protocol", false, NULL, set_protocol, ms_machine_protocols),
	FIGURE(MS_SECTION_MACHINE, "core", MS_FIGURE_CORE, "in-order or out-of-order"),
	FIGURE(MS_SECTION_MACHINE, "ipc", MS_FIGURE_IPC, "instructions per cycle from 0.1 to 16, with at most three decimals"),
	FIGURE(MS_SECTION_MACHINE, "window", MS_FIGURE_WINDOW, "a whole number of instructions from 1 to 4096"),
	FIGURE(MS_SECTION_MACHINE, "store-buffer", MS_FIGURE_STORE_BUFFER, "a whole number of entries from 1 to 1024"),
	FIGURE(MS_SECTION_MACHINE, "clock", MS_FIGURE_CLOCK, "a whole number of MHz from 0 (not known) to 100000"),
	FIGURE(MS_SECTION_MACHINE, "load-latency", MS_FIGURE_LOAD_LATENCY, OPERATION),
	FIGURE(MS_SECTION_MACHINE, "float-add-latency", MS_FIGURE_FLOAT_ADD_LATENCY, OPERATION),
	FIGURE(MS_SECTION_MACHINE, "float-multiply-latency", MS_FIGURE_FLOAT_MULTIPLY_LATENCY, OPERATION),
	KEY(MS_SECTION_LEVEL, "size", true, "a size such as 32K or 1.5M", set_size, NULL),
	KEY(MS_SECTION_LEVEL, "ways", true, WAYS, set_ways, NULL),
	KEY(MS_SECTION_LEVEL, "line", true, "a number of bytes such as 64", set_line, NULL),
	KEY(MS_SECTION_LEVEL, "latency", true, CYCLES, set_latency, NULL),
	KEY(MS_SECTION_LEVEL, "processors", false, A_NUMBER ", or all", set_sharing, NULL),
	KEY(MS_SECTION_LEVEL, "replacement", false, NULL, set_replacement, ms_machine_replacements),
	KEY(MS_SECTION_LEVEL, "write", false, NULL, set_write, ms_machine_writes),
	KEY(MS_SECTION_LEVEL, "write-miss", false, NULL, set_write_miss, ms_machine_write_misses),
	KEY(MS_SECTION_LEVEL, "contents", false, NULL, set_contents, ms_machine_contents),
	KEY(MS_SECTION_LEVEL, "prefetch", false, STREAMS, set_prefetch, NULL),
	KEY(MS_SECTION_LEVEL, "outstanding", false, "a whole number of misses from 1 to 1024", set_outstanding, NULL),
	KEY(MS_SECTION_LEVEL, "usable", false, "a whole percentage from 1 to 100", set_usable, NULL),
	KEY(MS_SECTION_MEMORY, "latency", true, CYCLES, set_memory_latency, NULL),
	KEY(MS_SECTION_MEMORY, "remote-latency", false, CYCLES, set_remote_latency, NULL),
	KEY(MS_SECTION_MEMORY, "peer-latency", false, CYCLES, set_peer_latency, NULL),
	KEY(MS_SECTION_MEMORY, "nodes", false, A_NUMBER, set_nodes, NULL),
	KEY(MS_SECTION_MEMORY, "placement", false, PLACEMENT, set_placement, NULL),
	FIGURE(MS_SECTION_MEMORY, "bandwidth", MS_FIGURE_BANDWIDTH, BANDWIDTH),
	FIGURE(MS_SECTION_MEMORY, "write-bandwidth", MS_FIGURE_WRITE_BANDWIDTH, BANDWIDTH),
	FIGURE(MS_SECTION_MEMORY, "total-bandwidth", MS_FIGURE_TOTAL_BANDWIDTH, BANDWIDTH),
	FIGURE(MS_SECTION_PREFETCH, "distance", MS_FIGURE_PREFETCH_DISTANCE, "a whole number of lines from 0 (no prefetcher) to 4096"),
	FIGURE(MS_SECTION_PREFETCH, "stride", MS_FIGURE_PREFETCH_STRIDE, "a size from 0 to 1G, such as 2K"),
	FIGURE(MS_SECTION_PREFETCH, "streams", MS_FIGURE_PREFETCH_STREAMS, "a whole number of streams from 1 to 1024"),
	FIGURE(MS_SECTION_PREFETCH, "pages", MS_FIGURE_PREFETCH_PAGES, "stop or cross"),
	FIGURE(MS_SECTION_TLB, "entries", MS_FIGURE_TLB_ENTRIES, ENTRIES),
	FIGURE(MS_SECTION_TLB, "second-entries", MS_FIGURE_TLB_SECOND_ENTRIES, SECOND),
	FIGURE(MS_SECTION_TLB, "second-latency", MS_FIGURE_TLB_SECOND_LATENCY, CYCLES),
	FIGURE(MS_SECTION_TLB, "walk-latency", MS_FIGURE_WALK_LATENCY, CYCLES),
	FIGURE(MS_SECTION_TLB, "walks", MS_FIGURE_WALKS, "a whole number of page walks from 1 to 1024"),
	FIGURE(MS_SECTION_TLB, "page", MS_FIGURE_PAGE, "a power of two from 4K to 64K"),
	FIGURE(MS_SECTION_TLB, "huge-page", MS_FIGURE_HUGE_PAGE, "0 (none) or a power of two up to 1G, such as 2M"),
	FIGURE(MS_SECTION_TLB, "huge-pages", MS_FIGURE_HUGE_PAGES, "always, madvise or never"),
	{ .name = NULL },
};
/* clang-format on */
