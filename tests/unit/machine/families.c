/* Processor families: which one /proc/cpuinfo names, and what a host takes from its preset. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/families.h"
#include "machine/machine_priv.h"

static void write_temporary(char path[], const char *text)
{
	int fd = mkstemp(path);
	FILE *out = fdopen(fd, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

#define ARM(implementer, part)                                            \
	"processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd\n"       \
	"CPU implementer\t: " implementer "\nCPU architecture: 8\n"       \
	"CPU variant\t: 0x1\nCPU part\t: " part "\nCPU revision\t: 1\n\n" \
	"processor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"
#define PC(vendor, family, model)                                                              \
	"processor\t: 0\nvendor_id\t: " vendor "\ncpu family\t: " family "\nmodel\t\t: " model \
	"\nmodel name\t: Some CPU 1 @ 2.00GHz\nstepping\t: 7\n"

static void recognised(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ ARM("0x41", "0xd0c"), "arm-neoverse-n1" },
		{ ARM("0x41", "0xd40"), "arm-neoverse-v1" },
		{ ARM("0x41", "0xd4f"), "arm-neoverse-v2" },
		{ ARM("0xc0", "0xac3"), "ampere-ampereone" },
		{ ARM("0x61", "0x023"), "apple-m1" },
		{ ARM("0x61", "0x033"), "apple-m2" },
		{ ARM("0x41", "0xd03"), NULL },
		{ ARM("0x48", "0xd40"), NULL },
		{ PC("AuthenticAMD", "23", "49"), "amd-zen2" },
		{ PC("AuthenticAMD", "23", "1"), NULL }, /* Zen */
		{ PC("AuthenticAMD", "25", "1"), "amd-zen3" },
		{ PC("AuthenticAMD", "25", "17"), "amd-zen4" },
		{ PC("AuthenticAMD", "25", "97"), "amd-zen4" },
		{ PC("AuthenticAMD", "26", "2"), "amd-zen5" },
		{ PC("GenuineIntel", "6", "85"), "intel-skylake-sp" },
		{ PC("GenuineIntel", "6", "106"), "intel-ice-lake-sp" },
		{ PC("GenuineIntel", "6", "143"), "intel-sapphire-rapids" },
		{ PC("GenuineIntel", "6", "207"), "intel-emerald-rapids" },
		{ PC("GenuineIntel", "6", "173"), "intel-granite-rapids" },
		{ PC("GenuineIntel", "6", "158"), NULL },
		{ PC("GenuineIntel", "25", "1"), NULL },
		{ "", NULL },
		{ "processor\t: 0\nhart\t: 0\nisa\t: rv64\n", NULL },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		char path[] = "/tmp/memspy-cpuinfo-XXXXXX";
		struct ms_machine_cpu_id id;
		const char *got = NULL;

		write_temporary(path, cases[i].text);
		if (ms_machine_read_cpu_id(path, &id))
			got = ms_machine_family_of(&id);
		unlink(path);
		print_message("case %zu: %s\n", i, got != NULL ? got : "none");
		assert_int_equal(got == NULL, cases[i].want == NULL);
		if (got != NULL)
			assert_string_equal(got, cases[i].want);
	}
}

/* A model that a hypervisor makes up, or one that is newer than the table. */
static void recognised_by_features(void **state)
{
	static const struct {
		const char *vendor, *flags, *want;
	} cases[] = {
		{ "GenuineIntel", "fpu avx512f avx512_vbmi2 amx_tile", "intel-sapphire-rapids" },
		{ "GenuineIntel", "avx512f avx512_vbmi2 pku", "intel-ice-lake-sp" },
		{ "GenuineIntel", "fpu avx512f", "intel-skylake-sp" },
		{ "GenuineIntel", "fpu avx2", NULL },
		{ "GenuineIntel", "fpu avx512fma", NULL }, /* whole words only */
		{ "AuthenticAMD", "avx512f avx512_vp2intersect vaes", "amd-zen5" },
		{ "AuthenticAMD", "vaes avx512f", "amd-zen4" },
		{ "AuthenticAMD", "vaes", "amd-zen3" },
		{ "CentaurHauls", "avx512f", NULL },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		char path[] = "/tmp/memspy-cpuinfo-XXXXXX", text[512];
		struct ms_machine_cpu_id id;

		snprintf(text, sizeof(text),
			 "vendor_id\t: %s\ncpu family\t: 6\nmodel\t\t: 250\nflags\t\t: %s\n",
			 cases[i].vendor, cases[i].flags);
		write_temporary(path, text);
		assert_true(ms_machine_read_cpu_id(path, &id));
		unlink(path);
		assert_null(ms_machine_family_of(&id));
		const char *got = ms_machine_family_by_features(&id);
		print_message("case %zu: %s\n", i, got != NULL ? got : "none");
		assert_int_equal(got == NULL, cases[i].want == NULL);
		if (got != NULL)
			assert_string_equal(got, cases[i].want);
	}
}

static const char *preset_dir(char out[512])
{
	const char *root = getenv("SRC");

	snprintf(out, 512, "%s/machines", root != NULL ? root : ".");
	return out;
}

static struct ms_machine host(void)
{
	struct ms_machine m = { .name = "host",
				.origin = "caches from sysfs" MS_LATENCIES_ASSUMED,
				.whole = { 2, 1 },
				.processors = 1 };

	for (size_t i = 0; i < 3; i++)
		*ms_vec_add(&m.levels) = (struct ms_machine_level){
			.name = ms_arena_printf(&m.arena, "L%zu", i + 1),
			.size = UINT64_C(65536) << (4 * i),
			.ways = 4,
			.line = 64,
			.latency = 7 * (uint32_t)i,
			.latency_origin = MS_ORIGIN_ASSUMED,
		};
	ms_machine_assume_memory(&m);
	m.core.page = 65536;
	m.figure_origins[MS_FIGURE_PAGE] = "system";
	return m;
}

/* Core and latencies of the preset; geometry and pages of the system. */
static void a_known_family(void **state)
{
	char path[] = "/tmp/memspy-cpuinfo-XXXXXX", folder[512];
	struct ms_machine m = host();

	(void)state;
	m.remote_latency = 2 * MS_ASSUMED_MEMORY_LATENCY;
	write_temporary(path, ARM("0x41", "0xd40"));
	ms_machine_apply_family(&m, path, preset_dir(folder));
	unlink(path);
	assert_int_equal(m.core.out_of_order, MS_CORE_OUT_OF_ORDER);
	assert_int_equal(m.core.window, 256);
	assert_int_equal(m.core.tlb_entries, 40);
	assert_int_equal(m.core.page, 65536);
	assert_string_equal(m.figure_origins[MS_FIGURE_PAGE], "system");
	assert_string_equal(m.figure_origins[MS_FIGURE_WINDOW], "preset arm-neoverse-v1");
	assert_string_equal(m.figure_origins[MS_FIGURE_CLOCK], "assumed");
	assert_int_equal(m.levels.at[0].size, 65536);
	assert_int_equal(m.levels.at[0].latency, 0);
	assert_int_equal(m.levels.at[1].latency, 9);
	assert_int_equal(m.levels.at[2].latency, 60);
	assert_int_equal(m.levels.at[2].usable, 34);
	assert_string_equal(m.levels.at[2].usable_origin, "preset arm-neoverse-v1");
	assert_int_equal(m.core.outstanding, 20);
	assert_int_equal(m.memory_latency, 340);
	assert_int_equal(m.remote_latency, 680);
	assert_string_equal(m.memory_latency_origin, "preset arm-neoverse-v1");
	assert_string_equal(m.origin, "caches from sysfs, core and latencies of its processor "
				      "family: preset arm-neoverse-v1");
	ms_machine_free(&m);
}

static void a_family_known_by_features(void **state)
{
	char path[] = "/tmp/memspy-cpuinfo-XXXXXX", folder[512];
	struct ms_machine m = host();

	(void)state;
	write_temporary(path, PC("GenuineIntel", "6", "250") "flags\t\t: fpu avx512f amx_tile\n");
	ms_machine_apply_family(&m, path, preset_dir(folder));
	unlink(path);
	assert_int_equal(m.core.window, 512);
	assert_string_equal(m.figure_origins[MS_FIGURE_WINDOW],
			    "preset intel-sapphire-rapids (by features: model not known)");
	ms_machine_free(&m);
}

/* The last level is shared with nothing else if the system has all processors. */
static void a_whole_machine(void **state)
{
	char path[] = "/tmp/memspy-cpuinfo-XXXXXX", folder[512];
	struct ms_machine m = host();

	(void)state;
	m.whole.processors = 64;
	write_temporary(path, ARM("0x41", "0xd40"));
	ms_machine_apply_family(&m, path, preset_dir(folder));
	unlink(path);
	assert_int_equal(m.levels.at[2].latency, 60);
	assert_int_equal(m.levels.at[2].usable, 0);
	ms_machine_free(&m);
}

static void an_unknown_family(void **state)
{
	struct ms_machine m = host();

	(void)state;
	ms_machine_apply_family(&m, "/no/such/file", NULL);
	assert_int_equal(m.core.out_of_order, MS_CORE_OUT_OF_ORDER);
	assert_int_equal(m.core.window, ms_machine_figures[MS_FIGURE_WINDOW].assumed);
	assert_string_equal(m.figure_origins[MS_FIGURE_CORE], "assumed");
	assert_int_equal(m.levels.at[2].latency, 14);
	assert_int_equal(m.memory_latency, MS_ASSUMED_MEMORY_LATENCY);
	assert_string_equal(m.origin, "caches from sysfs, latencies assumed; no figures of its "
				      "processor family, the core is assumed");
	ms_machine_free(&m);
}

/* Presets of families state every figure of the core but the clock, which differs by product. */
static void presets_are_complete(void **state)
{
	static const char *const names[] = {
		"arm-neoverse-n1",
		"arm-neoverse-v1",
		"arm-neoverse-v2",
		"ampere-ampereone",
		"apple-m1",
		"apple-m2",
		"amd-zen2",
		"amd-zen3",
		"amd-zen4",
		"amd-zen5",
		"intel-skylake-sp",
		"intel-ice-lake-sp",
		"intel-sapphire-rapids",
		"intel-emerald-rapids",
		"intel-granite-rapids",
	};
	char folder[512];

	(void)state;
	for (size_t i = 0; i < MS_COUNT(names); i++) {
		struct ms_machine m;
		struct ms_err err = { 0 };

		print_message("%s\n", names[i]);
		if (ms_machine_load(&m, names[i], preset_dir(folder), &err) != MS_OK)
			fail_msg("%s", err.text);
		assert_int_equal(m.core.out_of_order, MS_CORE_OUT_OF_ORDER);
		for (size_t k = 0; k < MS_FIGURES; k++)
			if (k != MS_FIGURE_CLOCK && k != MS_FIGURE_TOTAL_BANDWIDTH)
				assert_string_equal(m.figure_origins[k], "file");
		for (size_t k = 0; k < m.levels.n; k++)
			assert_string_equal(m.levels.at[k].outstanding_origin, "file");
		ms_machine_free(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recognised),
		cmocka_unit_test(recognised_by_features),
		cmocka_unit_test(a_known_family),
		cmocka_unit_test(a_family_known_by_features),
		cmocka_unit_test(a_whole_machine),
		cmocka_unit_test(an_unknown_family),
		cmocka_unit_test(presets_are_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
