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

/* The largest unit that represents the size exactly. */
static void put_size(uint64_t size, FILE *out)
{
	static const char units[] = { 'G', 'M', 'K' };

	for (unsigned i = 0; i < MS_COUNT(units); i++) {
		unsigned shift = 30 - 10 * i;

		if (size >> shift != 0 && size % (UINT64_C(1) << shift) == 0) {
			fprintf(out, "size = %" PRIu64 "%c\n", size >> shift, units[i]);
			return;
		}
	}
	fprintf(out, "size = %" PRIu64 "\n", size);
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

static void put_level(const struct ms_machine_level *level, FILE *out)
{
	fprintf(out, "\n# geometry: %s\n[level %s]\n", level->origin, level->name);
	put_size(level->size, out);
	fprintf(out, "ways = %" PRIu32 "\nline = %" PRIu32 "\n", level->ways, level->line);
	fprintf(out, "# %s\nlatency = %" PRIu32 "\n", level->latency_origin, level->latency);
	if (level->processors == 0)
		fputs("processors = all\n", out);
	else
		fprintf(out, "processors = %" PRIu32 "\n", level->processors);
	put_choices(level, out);
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
}

static uint32_t whole_or_one(uint32_t n)
{
	return n != 0 ? n : 1;
}

void ms_machine_write(const struct ms_machine *machine, FILE *out)
{
	fprintf(out, "# A memspy machine file: %s\n[machine]\n", machine->name);
	put_text("text", machine->text != NULL ? machine->text : machine->name, out);
	if (machine->origin != NULL)
		put_text("source", machine->origin, out);
	fprintf(out, "processors = %" PRIu32 "\n", whole_or_one(machine->whole.processors));
	if (machine->protocol != MS_PROTOCOL_MESI)
		fprintf(out, "protocol = %s\n", ms_machine_protocols[machine->protocol]);
	for (size_t i = 0; i < machine->levels.n; i++)
		put_level(&machine->levels.at[i], out);
	put_memory(machine, out);
}
