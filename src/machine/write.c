/* machine/write.c - writes a machine as a machine file; origins become comments. */
#include <inttypes.h>
#include <string.h>

#include "machine/machine_priv.h"

enum { VALUE_MAX = 150 };

/* One line, short, and without characters that begin a comment in INI. */
static void put_text(const char *key, const char *text, FILE *out)
{
	fprintf(out, "%s = ", key);
	for (size_t i = 0; text[i] != '\0' && i < VALUE_MAX; i++) {
		unsigned char c = (unsigned char)text[i];

		fputc(c < ' ' ? ' ' : c == ';' ? ',' : c, out);
	}
	fputc('\n', out);
}

/* Writes the figures of a section that are stated; origins become comments. */
static void put_figures(const struct ms_machine *machine, const char *section, FILE *out)
{
	char text[MS_FIGURE_TEXT];

	for (size_t i = 0; i < MS_FIGURES; i++) {
		const struct ms_machine_figure_row *row = &ms_machine_figures[i];

		if (machine->figure_origins[i] == NULL || strcmp(row->section, section) != 0)
			continue;
		fprintf(out, "# %s\n%s = %s\n", machine->figure_origins[i], row->key,
			ms_machine_figure_text(&machine->core, (enum ms_machine_figure)i, text));
	}
}

static void put_figure_section(const struct ms_machine *machine, const char *section, FILE *out)
{
	for (size_t i = 0; i < MS_FIGURES; i++) {
		if (machine->figure_origins[i] == NULL ||
		    strcmp(ms_machine_figures[i].section, section) != 0)
			continue;
		fprintf(out, "\n[%s]\n", section);
		put_figures(machine, section, out);
		return;
	}
}

/* Writes what differs from the default. */
static void put_choices(const struct ms_machine_level *level, FILE *out)
{
	for (size_t i = 0; i < MS_MACHINE_CHOICES; i++)
		if (ms_machine_chosen(level, i) != 0)
			fprintf(out, "%s = %s\n", ms_machine_choices[i].key,
				ms_machine_word(level, i));
	if (level->prefetch != 0)
		fprintf(out, "prefetch = %" PRIu32 "\n", level->prefetch);
}

static void put_stated(const char *key, uint32_t value, const char *origin, FILE *out)
{
	if (origin != NULL)
		fprintf(out, "# %s\n%s = %" PRIu32 "\n", origin, key, value);
}

static void put_level(const struct ms_machine_level *level, FILE *out)
{
	char size[MS_FIGURE_TEXT];

	fprintf(out, "\n# geometry: %s\n[level %s]\n", level->origin, level->name);
	fprintf(out, "size = %s\n", ms_machine_size_text(level->size, size));
	fprintf(out, "ways = %" PRIu32 "\nline = %" PRIu32 "\n", level->ways, level->line);
	fprintf(out, "# %s\nlatency = %" PRIu32 "\n", level->latency_origin, level->latency);
	if (level->processors == 0)
		fputs("processors = all\n", out);
	else
		fprintf(out, "processors = %" PRIu32 "\n", level->processors);
	put_choices(level, out);
	put_stated("outstanding", level->outstanding, level->outstanding_origin, out);
	if (level->usable != 0)
		put_stated("usable", level->usable, level->usable_origin, out);
}

/* Writes a latency and its origin; omits a latency that equals memory's. */
static void put_latency(const char *key, uint32_t latency, const char *origin, FILE *out)
{
	if (origin != NULL && strcmp(origin, MS_ORIGIN_MEMORY) != 0)
		fprintf(out, "# %s\n%s = %" PRIu32 "\n", origin, key, latency);
}

static void put_memory(const struct ms_machine *machine, FILE *out)
{
	char text[32];

	fprintf(out, "\n# %s\n[memory]\nlatency = %" PRIu32 "\n", machine->memory_latency_origin,
		machine->memory_latency);
	put_latency("remote-latency", machine->remote_latency, machine->remote_latency_origin, out);
	put_latency("peer-latency", machine->peer_latency, machine->peer_latency_origin, out);
	if (machine->whole.nodes > 1)
		fprintf(out, "nodes = %" PRIu32 "\n", machine->whole.nodes);
	if (machine->placement != MS_PLACEMENT_FIRST_TOUCH)
		fprintf(out, "placement = %s\n", ms_machine_placement_text(machine, text));
	put_figures(machine, "memory", out);
}

static uint32_t whole_or_one(uint32_t n)
{
	return n != 0 ? n : 1;
}

void ms_machine_write(const struct ms_machine *machine, FILE *out)
{
	fprintf(out, "# A memspy machine file: %s\n", machine->name);
	if (machine->note != NULL)
		fprintf(out, "# The figures are uncertain: %s.\n", machine->note);
	fputs("[machine]\n", out);
	put_text("text", machine->text != NULL ? machine->text : machine->name, out);
	if (machine->origin != NULL)
		put_text("source", machine->origin, out);
	fprintf(out, "processors = %" PRIu32 "\n", whole_or_one(machine->whole.processors));
	if (machine->protocol != MS_PROTOCOL_MESI)
		fprintf(out, "protocol = %s\n", ms_machine_protocols[machine->protocol]);
	put_figures(machine, "machine", out);
	for (size_t i = 0; i < machine->levels.n; i++)
		put_level(&machine->levels.at[i], out);
	put_memory(machine, out);
	put_figure_section(machine, "prefetch", out);
	put_figure_section(machine, "tlb", out);
}
