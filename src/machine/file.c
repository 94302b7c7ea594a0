/*
 * machine/file.c - machine files: INI through libinih, read strictly.
 *
 * The reader below sees each line before libinih does: it counts lines, opens sections (also empty
 * and repeated ones, which libinih does not report) and rejects errors that libinih accepts.
 */
#include <ini.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "machine/machine_priv.h"

enum { KEYS_MAX = 64, SECTION_MAX = 48 };

struct ms_machine_parse {
	struct ms_machine_values values;
	const char *path;
	FILE *file;
	int line;
	struct ms_err *err;
	int failed; /* the first error; parsing stops there */

	bool in_section;
	enum ms_machine_section section;
	char title[SECTION_MAX]; /* "level L1" */
	int section_line;
	bool seen_section[MS_SECTIONS]; /* only a named one may be repeated */
	bool seen[KEYS_MAX];            /* keys of this section, by row */
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

	if (key->expected != NULL)
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
		if (p->section == MS_SECTION_LEVEL && p->values.machine->levels.n == 1 &&
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
	struct ms_machine_level *level =
		&p->values.machine->levels.at[p->values.machine->levels.n - 1];
	bool first = p->values.machine->levels.n == 1;
	struct ms_text where = MS_TEXT_INIT;

	if (p->values.full && !set_all_ways(p, level))
		return false;
	level->origin = MS_ORIGIN_FILE;
	level->latency_origin = first ? MS_ORIGIN_DEFINED : MS_ORIGIN_FILE;
	ms_text_addf(&where, "%s:%d", p->path, p->section_line);
	p->failed = ms_machine_check_level(p->values.machine, p->values.machine->levels.n - 1,
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

#define SECTIONS "[machine], [level NAME], [memory], [prefetch] or [tlb]"

/* title is the text between the brackets: "machine", "level L1", "memory". */
static bool find_section(struct ms_machine_parse *p, const char *title)
{
	size_t n = strcspn(title, " \t");
	const char *name = title + n + strspn(title + n, " \t");

	for (size_t i = 0; i < MS_SECTIONS; i++) {
		const struct ms_machine_section_row *row = &ms_machine_sections[i];

		if (strlen(row->name) != n || memcmp(row->name, title, n) != 0 ||
		    row->named != (*name != '\0'))
			continue;
		p->section = (enum ms_machine_section)i;
		if (row->named)
			*ms_vec_add(&p->values.machine->levels) = (struct ms_machine_level){
				.name = ms_arena_strdup(&p->values.machine->arena, name),
				.processors = 1,
			};
		return true;
	}
	return fail_found(p, SECTIONS, "section [%s]", title);
}

static bool start_section(struct ms_machine_parse *p, const char *line)
{
	size_t n = strcspn(line, "]");

	if (line[n] != ']')
		return fail_found(p, "a ']' at its end", "'%s'", line);
	if (n - 1 >= SECTION_MAX)
		return fail(p, p->line, "a long section name", SECTIONS);
	if (!finish_section(p))
		return false;
	snprintf(p->title, sizeof(p->title), "%.*s", (int)(n - 1), line + 1);
	if (!find_section(p, p->title))
		return false;
	if (p->seen_section[p->section] && !ms_machine_sections[p->section].named)
		return fail_found(p, "it only once", "section [%s] again", p->title);
	p->seen_section[p->section] = true;
	p->in_section = true;
	p->section_line = p->line;
	p->values.full = false;
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
		return ms_machine_set_key(&p->values, key, value) || fail_value(p, key, value);
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
		const struct ms_machine_section_row *row = &ms_machine_sections[i];

		if (p->seen_section[i] || !row->required)
			continue;
		char found[64];

		snprintf(found, sizeof(found), "the end without a section [%s%s]", row->name,
			 row->named ? " NAME" : "");
		return fail(p, p->line, found, row->named ? "at least one" : "one of it");
	}
	return true;
}

/* Sets what the file omits: memory latencies, figures of the core. Checks the rules for the file as
 * a whole. */
static void finish_machine(struct ms_machine_parse *p)
{
	struct ms_machine *m = p->values.machine;

	ms_machine_assume_core(m);
	m->remote_latency_origin = p->values.has_remote ? MS_ORIGIN_FILE : MS_ORIGIN_MEMORY;
	m->peer_latency_origin = p->values.has_peer ? MS_ORIGIN_FILE : MS_ORIGIN_MEMORY;
	m->remote_latency = p->values.has_remote ? m->remote_latency : m->memory_latency;
	m->peer_latency = p->values.has_peer ? m->peer_latency : m->memory_latency;
	if (m->whole.nodes > 1 && !p->values.has_remote)
		p->failed = ms_fail(p->err, MS_EFORMAT,
				    "%s: found nodes = %" PRIu32
				    " without a key 'remote-latency' in [memory], expected "
				    "remote-latency = " MS_EXPECTED_CYCLES,
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
	struct ms_machine_parse p = { .values = { .machine = machine }, .path = path, .err = err };

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
	machine->origin =
		ms_arena_printf(&machine->arena, "%s%s%s", label, p.values.source ? ": " : "",
				p.values.source ? p.values.source : "");
	return MS_OK;
}

int ms_machine_load_file(struct ms_machine *machine, const char *path, struct ms_err *err)
{
	return ms_machine_read(machine, path, path, err);
}
