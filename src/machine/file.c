/*
 * machine/file.c - machine files: INI through libinih, read strictly.
 *
 * The reader below sees each line before libinih does: it counts lines, opens sections (also empty
 * and repeated ones, which libinih does not report) and rejects errors that libinih accepts.
 */
#include <assert.h>
#include <ini.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "machine/machine_priv.h"

enum { KEYS_MAX = 32, SECTION_MAX = 48 };

struct ms_machine_parse {
	struct ms_machine *machine;
	const char *path;
	FILE *file;
	int line;
	struct ms_err *err;
	int failed; /* the first error; parsing stops there */

	bool in_section;
	enum ms_machine_section section;
	char title[SECTION_MAX]; /* "level L1" */
	int section_line;
	bool seen_section[MS_SECTIONS]; /* only [level ...] may be repeated */
	bool seen[KEYS_MAX];            /* keys of this section, by row */
	bool full;                      /* the level has "ways = full" */
	bool has_remote, has_peer;      /* [memory] has these latencies */

	const char *source;
};

static struct ms_machine_level *this_level(struct ms_machine_parse *p)
{
	return &p->machine->levels.at[p->machine->levels.n - 1];
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

static bool set_text(struct ms_machine_parse *p, const char *value)
{
	p->machine->text = ms_arena_strdup(&p->machine->arena, value);
	return *value != '\0';
}

static bool set_source(struct ms_machine_parse *p, const char *value)
{
	p->source = ms_arena_strdup(&p->machine->arena, value);
	return *value != '\0';
}

static bool set_processors(struct ms_machine_parse *p, const char *value)
{
	return parse_u32(value, 1, MS_DESCRIBED_MOST, &p->machine->whole.processors);
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

static bool set_protocol(struct ms_machine_parse *p, const char *value)
{
	return find_word(ms_machine_protocols, value, &p->machine->protocol);
}

static bool set_size(struct ms_machine_parse *p, const char *value)
{
	return ms_parse_size(value, &this_level(p)->size) && this_level(p)->size > 0;
}

static bool set_ways(struct ms_machine_parse *p, const char *value)
{
	p->full = strcmp(value, "full") == 0;
	return p->full || parse_u32(value, 1, MS_WAYS_MOST, &this_level(p)->ways);
}

static bool set_line(struct ms_machine_parse *p, const char *value)
{
	return parse_u32(value, 1, UINT32_MAX, &this_level(p)->line);
}

static bool set_latency(struct ms_machine_parse *p, const char *value)
{
	return parse_u32(value, 0, MS_LATENCY_MOST, &this_level(p)->latency);
}

static bool set_sharing(struct ms_machine_parse *p, const char *value)
{
	this_level(p)->processors = 0;
	return strcmp(value, "all") == 0 ||
	       parse_u32(value, 1, MS_DESCRIBED_MOST, &this_level(p)->processors);
}

/* Whether the value is one of the words of the choice. */
static bool set_choice(struct ms_machine_parse *p, size_t choice, const char *value)
{
	const struct ms_machine_choice *c = &ms_machine_choices[choice];

	return find_word(c->words, value, (uint32_t *)((char *)this_level(p) + c->offset));
}

static bool set_replacement(struct ms_machine_parse *p, const char *value)
{
	return set_choice(p, MS_CHOICE_REPLACEMENT, value);
}

static bool set_write(struct ms_machine_parse *p, const char *value)
{
	return set_choice(p, MS_CHOICE_WRITE, value);
}

static bool set_write_miss(struct ms_machine_parse *p, const char *value)
{
	return set_choice(p, MS_CHOICE_WRITE_MISS, value);
}

static bool set_contents(struct ms_machine_parse *p, const char *value)
{
	return set_choice(p, MS_CHOICE_CONTENTS, value);
}

static bool set_prefetch(struct ms_machine_parse *p, const char *value)
{
	return parse_u32(value, 0, MS_PREFETCH_MOST, &this_level(p)->prefetch);
}

static bool set_memory_latency(struct ms_machine_parse *p, const char *value)
{
	return parse_u32(value, 0, MS_LATENCY_MOST, &p->machine->memory_latency);
}

static bool set_remote_latency(struct ms_machine_parse *p, const char *value)
{
	p->has_remote = true;
	return parse_u32(value, 0, MS_LATENCY_MOST, &p->machine->remote_latency);
}

static bool set_peer_latency(struct ms_machine_parse *p, const char *value)
{
	p->has_peer = true;
	return parse_u32(value, 0, MS_LATENCY_MOST, &p->machine->peer_latency);
}

static bool set_nodes(struct ms_machine_parse *p, const char *value)
{
	return parse_u32(value, 1, MS_DESCRIBED_MOST, &p->machine->whole.nodes);
}

/* A word, or "node N". */
static bool set_placement(struct ms_machine_parse *p, const char *value)
{
	const char *word = ms_machine_placements[MS_PLACEMENT_NODE];
	size_t n = strlen(word);

	if (strncmp(value, word, n) != 0 || value[n] != ' ')
		return find_word(ms_machine_placements, value, &p->machine->placement) &&
		       p->machine->placement != MS_PLACEMENT_NODE;
	value += n + strspn(value + n, " ");
	p->machine->placement = MS_PLACEMENT_NODE;
	return parse_u32(value, 0, MS_DESCRIBED_MOST, &p->machine->placement_node);
}

const char *const ms_machine_sections[MS_SECTIONS] = { "machine", "level", "memory" };

#define A_NUMBER  "a whole number from 1 to 65536"
#define WAYS      "a whole number from 1 to 1048576, or full"
#define CYCLES    "a whole number of cycles from 0 to 1000000"
#define PLACEMENT "first-touch, interleaved or node N"
#define STREAMS   "a number of streams from 0 to 64"
static_assert(MS_DESCRIBED_MOST == 65536, "A_NUMBER says so");
static_assert(MS_WAYS_MOST == 1048576, "WAYS says so");
static_assert(MS_LATENCY_MOST == 1000000, "CYCLES says so");
static_assert(MS_PREFETCH_MOST == 64, "STREAMS says so");

const struct ms_machine_key ms_machine_keys[] = {
	{ MS_SECTION_MACHINE, "text", true, "a line of text", set_text, NULL },
	{ MS_SECTION_MACHINE, "source", false, "a line of text", set_source, NULL },
	{ MS_SECTION_MACHINE, "processors", false, A_NUMBER, set_processors, NULL },
	{ MS_SECTION_MACHINE, "protocol", false, NULL, set_protocol, ms_machine_protocols },
	{ MS_SECTION_LEVEL, "size", true, "a size such as 32K or 1.5M", set_size, NULL },
	{ MS_SECTION_LEVEL, "ways", true, WAYS, set_ways, NULL },
	{ MS_SECTION_LEVEL, "line", true, "a number of bytes such as 64", set_line, NULL },
	{ MS_SECTION_LEVEL, "latency", true, CYCLES, set_latency, NULL },
	{ MS_SECTION_LEVEL, "processors", false, A_NUMBER ", or all", set_sharing, NULL },
	{ MS_SECTION_LEVEL, "replacement", false, NULL, set_replacement, ms_machine_replacements },
	{ MS_SECTION_LEVEL, "write", false, NULL, set_write, ms_machine_writes },
	{ MS_SECTION_LEVEL, "write-miss", false, NULL, set_write_miss, ms_machine_write_misses },
	{ MS_SECTION_LEVEL, "contents", false, NULL, set_contents, ms_machine_contents },
	{ MS_SECTION_LEVEL, "prefetch", false, STREAMS, set_prefetch, NULL },
	{ MS_SECTION_MEMORY, "latency", true, CYCLES, set_memory_latency, NULL },
	{ MS_SECTION_MEMORY, "remote-latency", false, CYCLES, set_remote_latency, NULL },
	{ MS_SECTION_MEMORY, "peer-latency", false, CYCLES, set_peer_latency, NULL },
	{ MS_SECTION_MEMORY, "nodes", false, A_NUMBER, set_nodes, NULL },
	{ MS_SECTION_MEMORY, "placement", false, PLACEMENT, set_placement, NULL },
	{ .name = NULL },
};

/* --- errors --------------------------------------------------------------------------------- */

static bool fail(struct ms_machine_parse *p, int line, const char *found, const char *expected)
{
	if (p->failed == MS_OK)
		p->failed = ms_fail(p->err, MS_EFORMAT, "%s:%d: found %s, expected %s", p->path,
				    line, found, expected);
	return false;
}

MS_PRINTF(3, 4)
static bool fail_found(struct ms_machine_parse *p, const char *expected, const char *fmt, ...)
{
	char found[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(found, sizeof(found), fmt, ap);
	va_end(ap);
	return fail(p, p->line, found, expected);
}

/* Fails because of the value of a key: "found write = 'x', expected back or through". */
static bool fail_value(struct ms_machine_parse *p, const struct ms_machine_key *key,
		       const char *value)
{
	struct ms_text expected = MS_TEXT_INIT;
	size_t n = 0;

	if (key->words == NULL)
		return fail_found(p, key->expected, "%s = '%s'", key->name, value);
	while (key->words[n] != NULL)
		n++;
	for (size_t i = 0; i < n; i++)
		ms_text_add_choice(&expected, key->words[i], i, n);
	fail_found(p, ms_text_get(&expected), "%s = '%s'", key->name, value);
	ms_text_free(&expected);
	return false;
}

/* "one of: size, ways, line, latency, processors" */
static void list_keys(enum ms_machine_section section, struct ms_text *out)
{
	const char *before = "one of: ";

	for (const struct ms_machine_key *key = ms_machine_keys; key->name != NULL; key++) {
		if (key->section != section)
			continue;
		ms_text_addf(out, "%s%s", before, key->name);
		before = ", ";
	}
}

/* --- sections ------------------------------------------------------------------------------- */

static bool check_required(struct ms_machine_parse *p)
{
	char expected[64];

	for (size_t i = 0; ms_machine_keys[i].name != NULL; i++) {
		if (ms_machine_keys[i].section != p->section || p->seen[i] ||
		    !ms_machine_keys[i].required)
			continue;
		/* The first level never makes a reference wait: its latency is optional. */
		if (p->section == MS_SECTION_LEVEL && p->machine->levels.n == 1 &&
		    strcmp(ms_machine_keys[i].name, "latency") == 0)
			continue;
		char found[128];

		snprintf(found, sizeof(found), "[%s] without a key '%s'", p->title,
			 ms_machine_keys[i].name);
		snprintf(expected, sizeof(expected), "%s = %s", ms_machine_keys[i].name,
			 ms_machine_keys[i].expected);
		return fail(p, p->section_line, found, expected);
	}
	return true;
}

/* One set that contains all lines. */
static bool set_all_ways(struct ms_machine_parse *p, struct ms_machine_level *level)
{
	uint64_t lines = level->line != 0 ? level->size / level->line : 0;

	if (lines > MS_WAYS_MOST)
		return fail(p, p->section_line, "a fully associative level of so many lines",
			    "at most 1048576 ways");
	level->ways = (uint32_t)lines;
	return true;
}

static bool finish_level(struct ms_machine_parse *p)
{
	struct ms_machine_level *level = this_level(p);
	bool first = p->machine->levels.n == 1;
	struct ms_text where = MS_TEXT_INIT;

	if (p->full && !set_all_ways(p, level))
		return false;
	level->origin = MS_ORIGIN_FILE;
	level->latency_origin = first ? MS_ORIGIN_DEFINED : MS_ORIGIN_FILE;
	ms_text_addf(&where, "%s:%d", p->path, p->section_line);
	p->failed = ms_machine_check_level(p->machine, p->machine->levels.n - 1,
					   ms_text_get(&where), p->err);
	ms_text_free(&where);
	return p->failed == MS_OK;
}

static bool finish_section(struct ms_machine_parse *p)
{
	if (!p->in_section)
		return true;
	return check_required(p) && (p->section != MS_SECTION_LEVEL || finish_level(p));
}

/* title is the text between the brackets: "machine", "level L1", "memory". */
static bool find_section(struct ms_machine_parse *p, const char *title)
{
	size_t n = strcspn(title, " \t");
	const char *name = title + n + strspn(title + n, " \t");

	for (size_t i = 0; i < MS_SECTIONS; i++) {
		bool is_level = i == MS_SECTION_LEVEL;

		if (strlen(ms_machine_sections[i]) != n ||
		    memcmp(ms_machine_sections[i], title, n) || is_level != (*name != '\0'))
			continue;
		p->section = (enum ms_machine_section)i;
		if (is_level)
			*ms_vec_add(&p->machine->levels) = (struct ms_machine_level){
				.name = ms_arena_strdup(&p->machine->arena, name),
				.processors = 1,
			};
		return true;
	}
	return fail_found(p, "[machine], [level NAME] or [memory]", "section [%s]", title);
}

static bool start_section(struct ms_machine_parse *p, const char *line)
{
	size_t n = strcspn(line, "]");

	if (line[n] != ']')
		return fail_found(p, "a ']' at its end", "'%s'", line);
	if (n - 1 >= SECTION_MAX)
		return fail(p, p->line, "a long section name",
			    "[machine], [level NAME] or [memory]");
	if (!finish_section(p))
		return false;
	snprintf(p->title, sizeof(p->title), "%.*s", (int)(n - 1), line + 1);
	if (!find_section(p, p->title))
		return false;
	if (p->seen_section[p->section] && p->section != MS_SECTION_LEVEL)
		return fail_found(p, "it only once", "section [%s] again", p->title);
	p->seen_section[p->section] = true;
	p->in_section = true;
	p->section_line = p->line;
	p->full = false;
	memset(p->seen, 0, sizeof(p->seen));
	return true;
}

/* --- lines ---------------------------------------------------------------------------------- */

/* A control character would reach the terminal with the text that contains it. */
static bool has_control(const char *line)
{
	for (; *line != '\0'; line++)
		if (((unsigned char)*line < ' ' && *line != '\t') || *line == 0x7f)
			return true;
	return false;
}

/* Editors of some systems begin a text with a byte order mark. */
static char *behind_mark(const struct ms_machine_parse *p, char *line)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t n = sizeof(mark) - 1;

	return p->line == 1 && strncmp(line, mark, n) == 0 ? line + n : line;
}

/* The line that libinih gets: no indentation (it would mean continuation), no comments. */
static bool take_line(struct ms_machine_parse *p, char *line, char *out, int size)
{
	line[strcspn(line, "\r\n")] = '\0';
	line += strspn(line, " \t");
	if (*line == '#' || *line == ';')
		*line = '\0';
	if (has_control(line))
		return fail(p, p->line, "a control character", "text");
	if (*line == '[' && !start_section(p, line))
		return false;
	if (*line != '\0' && *line != '[' && strchr(line, '=') == NULL)
		return fail_found(p, "'key = value' or '[section]'", "'%s'", line);
	if (strlen(line) + 2 > (size_t)size)
		return fail(p, p->line, "a line that is too long", "fewer than 200 characters");
	snprintf(out, (size_t)size, "%s\n", line);
	return true;
}

/* The reader of libinih: fgets for a file that is checked line by line. NULL ends the parse. */
static char *read_line(char *out, int size, void *user)
{
	struct ms_machine_parse *p = user;
	char *line = NULL;
	size_t cap = 0;
	ssize_t n = p->failed == MS_OK ? getline(&line, &cap, p->file) : -1;
	bool ok = false;

	if (n >= 0) {
		p->line++;
		if (memchr(line, '\0', (size_t)n) != NULL)
			fail(p, p->line, "a NUL byte", "text");
		else
			ok = take_line(p, behind_mark(p, line), out, size);
	}
	free(line);
	return ok ? out : NULL;
}

static int take_key(void *user, const char *section, const char *name, const char *value)
{
	struct ms_machine_parse *p = user;

	(void)section; /* read_line() has already recorded it */
	if (p->failed != MS_OK)
		return 0;
	if (!p->in_section)
		return fail_found(p, "a [section] before it", "key '%s'", name);
	for (size_t i = 0; ms_machine_keys[i].name != NULL; i++) {
		const struct ms_machine_key *key = &ms_machine_keys[i];

		if (key->section != p->section || strcmp(key->name, name) != 0)
			continue;
		if (p->seen[i])
			return fail_found(p, "it only once", "key '%s' again in [%s]", name,
					  p->title);
		p->seen[i] = true;
		return key->set(p, value) || fail_value(p, key, value);
	}
	struct ms_text expected = MS_TEXT_INIT;

	list_keys(p->section, &expected);
	fail_found(p, ms_text_get(&expected), "key '%s' in [%s]", name, p->title);
	ms_text_free(&expected);
	return 0;
}

/* --- the file ------------------------------------------------------------------------------- */

static bool check_sections(struct ms_machine_parse *p)
{
	if (p->line == 0) {
		p->failed = ms_fail(p->err, MS_EFORMAT,
				    "%s: is empty, expected a machine file with [machine], "
				    "[level NAME] and [memory]",
				    p->path);
		return false;
	}
	for (size_t i = 0; i < MS_SECTIONS; i++) {
		if (p->seen_section[i])
			continue;
		char found[64];

		snprintf(found, sizeof(found), "the end without a section [%s%s]",
			 ms_machine_sections[i], i == MS_SECTION_LEVEL ? " NAME" : "");
		return fail(p, p->line, found,
			    i == MS_SECTION_LEVEL ? "at least one" : "one of it");
	}
	return true;
}

/* Sets memory latencies that the file omits, and checks the rules for the file as a whole. */
static void finish_machine(struct ms_machine_parse *p)
{
	struct ms_machine *m = p->machine;

	m->remote_latency_origin = p->has_remote ? MS_ORIGIN_FILE : MS_ORIGIN_MEMORY;
	m->peer_latency_origin = p->has_peer ? MS_ORIGIN_FILE : MS_ORIGIN_MEMORY;
	m->remote_latency = p->has_remote ? m->remote_latency : m->memory_latency;
	m->peer_latency = p->has_peer ? m->peer_latency : m->memory_latency;
	if (m->whole.nodes > 1 && !p->has_remote)
		p->failed = ms_fail(p->err, MS_EFORMAT,
				    "%s: found nodes = %" PRIu32
				    " without a key 'remote-latency' in [memory], expected "
				    "remote-latency = " CYCLES,
				    p->path, m->whole.nodes);
	else
		p->failed = ms_machine_check_whole(m, p->path, p->err);
}

static int parse_file(struct ms_machine_parse *p)
{
	int bad_line = ini_parse_stream(read_line, p, take_key, p);

	if (p->failed == MS_OK && ferror(p->file))
		return ms_fail_errno(p->err, "cannot read '%s'", p->path);
	if (p->failed == MS_OK && bad_line != 0)
		fail(p, bad_line, "a line that is no INI", "'key = value' or '[section]'");
	if (p->failed == MS_OK && finish_section(p) && check_sections(p))
		finish_machine(p);
	return p->failed;
}

static const char *name_of(struct ms_machine *machine, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	size_t n = strlen(name);

	if (n > 4 && strcmp(name + n - 4, ".ini") == 0)
		n -= 4;
	return ms_arena_strndup(&machine->arena, name, n);
}

int ms_machine_read(struct ms_machine *machine, const char *path, const char *label,
		    struct ms_err *err)
{
	struct ms_machine_parse p = { .machine = machine, .path = path, .err = err };

	*machine = (struct ms_machine){ .whole = { 1, 1 }, .processors = 1, .nodes = 1 };
	p.file = fopen(path, "re");
	if (p.file == NULL)
		return ms_fail_errno(err, "cannot open machine file '%s'", path);
	machine->name = name_of(machine, path);
	machine->memory_latency_origin = MS_ORIGIN_FILE;

	int code = parse_file(&p);
	fclose(p.file);
	if (code != MS_OK) {
		ms_machine_free(machine);
		return code;
	}
	machine->origin = ms_arena_printf(&machine->arena, "%s%s%s", label, p.source ? ": " : "",
					  p.source ? p.source : "");
	return MS_OK;
}

int ms_machine_load_file(struct ms_machine *machine, const char *path, struct ms_err *err)
{
	return ms_machine_read(machine, path, path, err);
}
