#include "machine/families.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine_priv.h"

/*
 * Numbers as in the Linux kernel: implementers and parts in asm/cputype.h, Intel models in
 * asm/intel-family.h, AMD families and models in kernel/cpu/amd.c. An Ampere Altra is a Neoverse N1
 * for the kernel, too.
 */
static const struct {
	const char *vendor;
	uint32_t family;
	uint32_t first, last; /* models */
	const char *preset;
} families[] = {
	{ "0x41", 0xd0c, 0, 0, "arm-neoverse-n1" },
	{ "0x41", 0xd40, 0, 0, "arm-neoverse-v1" },
	{ "0x41", 0xd4f, 0, 0, "arm-neoverse-v2" },
	{ "0xc0", 0xac3, 0, 0, "ampere-ampereone" },
	{ "0xc0", 0xac4, 0, 0, "ampere-ampereone" },
	{ "0xc0", 0xac5, 0, 0, "ampere-ampereone" },
	{ "0x61", 0x022, 0, 0, "apple-m1" },
	{ "0x61", 0x023, 0, 0, "apple-m1" },
	{ "0x61", 0x024, 0, 0, "apple-m1" },
	{ "0x61", 0x025, 0, 0, "apple-m1" },
	{ "0x61", 0x028, 0, 0, "apple-m1" },
	{ "0x61", 0x029, 0, 0, "apple-m1" },
	{ "0x61", 0x032, 0, 0, "apple-m2" },
	{ "0x61", 0x033, 0, 0, "apple-m2" },
	{ "0x61", 0x034, 0, 0, "apple-m2" },
	{ "0x61", 0x035, 0, 0, "apple-m2" },
	{ "0x61", 0x038, 0, 0, "apple-m2" },
	{ "0x61", 0x039, 0, 0, "apple-m2" },
	{ "AuthenticAMD", 0x17, 0x30, 0x4f, "amd-zen2" },
	{ "AuthenticAMD", 0x17, 0x60, 0x7f, "amd-zen2" },
	{ "AuthenticAMD", 0x17, 0x90, 0x91, "amd-zen2" },
	{ "AuthenticAMD", 0x17, 0xa0, 0xaf, "amd-zen2" },
	{ "AuthenticAMD", 0x19, 0x00, 0x0f, "amd-zen3" },
	{ "AuthenticAMD", 0x19, 0x20, 0x5f, "amd-zen3" },
	{ "AuthenticAMD", 0x19, 0x10, 0x1f, "amd-zen4" },
	{ "AuthenticAMD", 0x19, 0x60, 0xaf, "amd-zen4" },
	{ "AuthenticAMD", 0x1a, 0x00, 0x2f, "amd-zen5" },
	{ "AuthenticAMD", 0x1a, 0x40, 0x4f, "amd-zen5" },
	{ "AuthenticAMD", 0x1a, 0x60, 0x7f, "amd-zen5" },
	{ "GenuineIntel", 6, 0x55, 0x55, "intel-skylake-sp" },
	{ "GenuineIntel", 6, 0x6a, 0x6a, "intel-ice-lake-sp" },
	{ "GenuineIntel", 6, 0x6c, 0x6c, "intel-ice-lake-sp" },
	{ "GenuineIntel", 6, 0x8f, 0x8f, "intel-sapphire-rapids" },
	{ "GenuineIntel", 6, 0xcf, 0xcf, "intel-emerald-rapids" },
	{ "GenuineIntel", 6, 0xad, 0xae, "intel-granite-rapids" },
};

/* Later families first: each has the features of the earlier ones. Names as in /proc/cpuinfo. */
static const struct {
	const char *vendor, *feature, *preset;
} features[] = {
	{ "GenuineIntel", " amx_tile ", "intel-sapphire-rapids" },
	{ "GenuineIntel", " avx512_vbmi2 ", "intel-ice-lake-sp" },
	{ "GenuineIntel", " avx512f ", "intel-skylake-sp" },
	{ "AuthenticAMD", " avx512_vp2intersect ", "amd-zen5" },
	{ "AuthenticAMD", " avx512f ", "amd-zen4" },
	{ "AuthenticAMD", " vaes ", "amd-zen3" },
};

/* The keys of /proc/cpuinfo that identify a processor; an architecture has some of them. */
static const struct {
	const char *key;
	enum { VENDOR, FAMILY, MODEL, FLAGS } what;
} lines[] = {
	{ "CPU implementer", VENDOR }, { "CPU part", FAMILY }, { "vendor_id", VENDOR },
	{ "cpu family", FAMILY },      { "model", MODEL },     { "flags", FLAGS },
};

/* "key\t: value": the value if the line has this key, else NULL. */
static const char *value_of(const char *line, const char *key)
{
	size_t n = strlen(key);

	if (strncmp(line, key, n) != 0)
		return NULL;
	line += n + strspn(line + n, " \t");
	return *line == ':' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

static void take_line(const char *line, struct ms_machine_cpu_id *id)
{
	for (size_t i = 0; i < MS_COUNT(lines); i++) {
		const char *value = value_of(line, lines[i].key);

		if (value == NULL)
			continue;
		if (lines[i].what == VENDOR)
			snprintf(id->vendor, sizeof(id->vendor), "%.*s", (int)strcspn(value, "\n"),
				 value);
		else if (lines[i].what == FLAGS)
			snprintf(id->flags, sizeof(id->flags), " %.*s ", (int)strcspn(value, "\n"),
				 value);
		else if (lines[i].what == FAMILY)
			id->family = (uint32_t)strtoul(value, NULL, 0);
		else
			id->model = (uint32_t)strtoul(value, NULL, 0);
	}
}

bool ms_machine_read_cpu_id(const char *path, struct ms_machine_cpu_id *id)
{
	FILE *in = fopen(path, "re");
	char line[sizeof(id->flags)];

	*id = (struct ms_machine_cpu_id){ 0 };
	/* An empty line ends the description of the first processor. */
	while (in != NULL && fgets(line, sizeof(line), in) != NULL && line[0] != '\n')
		take_line(line, id);
	if (in != NULL)
		fclose(in);
	return id->vendor[0] != '\0' && id->family != 0;
}

const char *ms_machine_family_of(const struct ms_machine_cpu_id *id)
{
	for (size_t i = 0; i < MS_COUNT(families); i++)
		if (strcmp(families[i].vendor, id->vendor) == 0 &&
		    families[i].family == id->family && id->model >= families[i].first &&
		    id->model <= families[i].last)
			return families[i].preset;
	return NULL;
}

const char *ms_machine_family_by_features(const struct ms_machine_cpu_id *id)
{
	for (size_t i = 0; i < MS_COUNT(features); i++)
		if (strcmp(features[i].vendor, id->vendor) == 0 &&
		    strstr(id->flags, features[i].feature) != NULL)
			return features[i].preset;
	return NULL;
}

/* --- the host -------------------------------------------------------------------------------- */

static void take_latencies(struct ms_machine *machine, const struct ms_machine *preset,
			   const char *origin)
{
	uint32_t memory = machine->memory_latency;

	for (size_t i = 1; i < machine->levels.n; i++) {
		struct ms_machine_level *level = &machine->levels.at[i];

		for (size_t k = 1; k < preset->levels.n; k++)
			if (strcmp(preset->levels.at[k].name, level->name) == 0) {
				level->latency = preset->levels.at[k].latency;
				level->latency_origin = origin;
			}
	}
	machine->memory_latency = preset->memory_latency;
	machine->memory_latency_origin = origin;
	machine->peer_latency = preset->peer_latency;
	machine->peer_latency_origin = origin;
	/* The ratio of remote latency to memory latency stays the same. */
	if (memory != 0)
		machine->remote_latency = (uint32_t)((uint64_t)machine->remote_latency *
						     preset->memory_latency / memory);
}

static void take_core(struct ms_machine *machine, const struct ms_machine *preset,
		      const char *origin)
{
	for (size_t i = 0; i < MS_FIGURES; i++) {
		enum ms_machine_figure figure = (enum ms_machine_figure)i;

		if (machine->figure_origins[i] != NULL || preset->figure_origins[i] == NULL ||
		    strcmp(preset->figure_origins[i], MS_ORIGIN_FILE) != 0)
			continue;
		*ms_machine_figure_at(&machine->core, figure) =
			ms_machine_figure_of(&preset->core, figure);
		machine->figure_origins[i] = origin;
	}
	for (size_t i = 0; i < machine->levels.n && i < preset->levels.n; i++) {
		const struct ms_machine_level *from = &preset->levels.at[i];

		if (from->outstanding_origin == NULL ||
		    strcmp(from->outstanding_origin, MS_ORIGIN_FILE) != 0)
			continue;
		machine->levels.at[i].outstanding = from->outstanding;
		machine->levels.at[i].outstanding_origin = origin;
	}
}

/* A system that has some of the processors shares the last level with others, which use it, too. */
static void take_usable_parts(struct ms_machine *machine, const struct ms_machine *preset,
			      const char *origin)
{
	if (machine->whole.processors >= preset->whole.processors)
		return;
	for (size_t i = 0; i < machine->levels.n && i < preset->levels.n; i++) {
		if (preset->levels.at[i].usable == 0)
			continue;
		machine->levels.at[i].usable = preset->levels.at[i].usable;
		machine->levels.at[i].usable_origin = origin;
	}
}

static size_t length_without(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0 ? n - m : n;
}

static bool load_preset(struct ms_machine *preset, const char *name, const char *preset_dir)
{
	char path[PATH_MAX];
	struct ms_err err;

	if (name == NULL || preset_dir == NULL)
		return false;
	snprintf(path, sizeof(path), "%s/%s.ini", preset_dir, name);
	return ms_machine_load_file(preset, path, &err) == MS_OK;
}

/* The preset for the processor that cpuinfo describes, and how that was decided. */
static const char *preset_of_host(struct ms_machine *machine, const char *cpuinfo,
				  const char **origin)
{
	struct ms_machine_cpu_id id;

	if (!ms_machine_read_cpu_id(cpuinfo, &id))
		return NULL;
	const char *name = ms_machine_family_of(&id);

	if (name != NULL) {
		*origin = ms_arena_printf(&machine->arena, "preset %s", name);
		return name;
	}
	name = ms_machine_family_by_features(&id);
	if (name != NULL)
		*origin = ms_arena_printf(&machine->arena,
					  "preset %s (by features: model not known)", name);
	return name;
}

static void take_preset(struct ms_machine *machine, const struct ms_machine *preset,
			const char *origin)
{
	take_latencies(machine, preset, origin);
	take_core(machine, preset, origin);
	take_usable_parts(machine, preset, origin);
	machine->figure_origins[MS_FIGURE_CORE] = origin;
	machine->origin = ms_arena_printf(
		&machine->arena, "%.*s, core and latencies of its processor family: %s",
		(int)length_without(machine->origin, MS_LATENCIES_ASSUMED), machine->origin,
		origin);
}

void ms_machine_apply_family(struct ms_machine *machine, const char *cpuinfo,
			     const char *preset_dir)
{
	struct ms_machine preset;
	const char *origin = NULL;
	const char *name = preset_of_host(machine, cpuinfo, &origin);

	machine->core.out_of_order = MS_CORE_OUT_OF_ORDER;
	machine->figure_origins[MS_FIGURE_CORE] = MS_ORIGIN_ASSUMED;
	if (load_preset(&preset, name, preset_dir)) {
		take_preset(machine, &preset, origin);
		ms_machine_free(&preset);
	} else {
		machine->origin = ms_arena_printf(
			&machine->arena,
			"%s; no figures of its processor family, the core is assumed",
			machine->origin);
	}
	ms_machine_assume_core(machine);
}
