/* Levels from options, the rules of a machine, and which description a name means. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/machine_priv.h"

static void set(struct ms_machine *m, const char *name, const char *spec)
{
	struct ms_err err = { 0 };

	assert_int_equal(ms_machine_set_level(m, name, spec, &err), MS_OK);
	assert_string_equal(err.text, "");
}

static void add(struct ms_machine *m, const char *name, uint64_t size, uint32_t latency)
{
	*ms_vec_add(&m->levels) = (struct ms_machine_level){ .name = name,
							     .size = size,
							     .ways = 8,
							     .line = 64,
							     .latency = latency,
							     .processors = 1,
							     .origin = MS_ORIGIN_FILE,
							     .latency_origin = MS_ORIGIN_FILE };
}

/* "L1:0 L2:14 LL:50": names and latencies, in order. */
static void assert_levels(const struct ms_machine *m, const char *want)
{
	char got[256] = "";

	for (size_t i = 0; i < m->levels.n; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s:%u", i ? " " : "",
			 m->levels.at[i].name, m->levels.at[i].latency);
	assert_string_equal(got, want);
}

static void levels_join_in_order(void **state)
{
	struct ms_machine m = { 0 };

	(void)state;
	set(&m, "l3", "8M,16,64");
	assert_levels(&m, "L3:0");
	set(&m, "l1", "32K,8,64");
	assert_levels(&m, "L1:0 L3:50");
	set(&m, "ll", "64M,16,64,77");
	set(&m, "l2", "1M,16,64,12");
	assert_levels(&m, "L1:0 L2:12 L3:50 LL:77");
	assert_int_equal(m.levels.at[0].size, 32768);
	assert_int_equal(m.levels.at[0].ways, 8);
	assert_int_equal(m.levels.at[0].line, 64);
	assert_string_equal(m.levels.at[0].origin, "option");
	assert_string_equal(m.levels.at[0].latency_origin, "by definition");
	assert_string_equal(m.levels.at[1].latency_origin, "option");
	assert_string_equal(m.levels.at[2].latency_origin, "assumed");
	assert_int_equal(ms_machine_check(&m, NULL, NULL), MS_OK);
	ms_machine_free(&m);
}

static void a_replaced_level_keeps_its_latency(void **state)
{
	struct ms_machine m = { 0 };

	(void)state;
	add(&m, "L1", 32768, 0);
	add(&m, "L2", 1 << 20, 11);
	set(&m, "l2", "2M,16,64");
	assert_levels(&m, "L1:0 L2:11");
	assert_int_equal(m.levels.at[1].size, 2 << 20);
	assert_string_equal(m.levels.at[1].origin, "option");
	assert_string_equal(m.levels.at[1].latency_origin, "file");
	set(&m, "l2", "2M,16,64,9");
	assert_levels(&m, "L1:0 L2:9");
	ms_machine_free(&m);
}

static void ll_means_the_last_level(void **state)
{
	struct ms_machine m = { 0 };

	(void)state;
	add(&m, "L1", 32768, 0);
	add(&m, "L2", 1 << 20, 11);
	add(&m, "L3", 8 << 20, 44);
	set(&m, "ll", "16M,16,64");
	assert_levels(&m, "L1:0 L2:11 L3:44");
	assert_int_equal(m.levels.at[2].size, 16 << 20);
	set(&m, "ll", "64M,16,64");
	assert_levels(&m, "L1:0 L2:11 L3:44 LL:50");
	ms_machine_free(&m);
}

static void a_single_level_is_no_last_level(void **state)
{
	struct ms_machine m = { 0 };

	(void)state;
	add(&m, "L1", 32768, 0);
	set(&m, "ll", "16M,16,64");
	assert_levels(&m, "L1:0 LL:50");
	ms_machine_free(&m);
}

static void specs_that_are_none(void **state)
{
	static const char *const specs[] = { "",
					     "32K",
					     "32K,8",
					     "32K,8,64,3,1",
					     "32K,,64",
					     "32K,8,",
					     ",8,64",
					     "x,8,64",
					     "32K,8,64,x",
					     "32K,-8,64",
					     "32K,8,64,",
					     "32K 8 64",
					     "32K,8,4294967296",
					     "32K,8,00000000000000000000000000000064" };
	struct ms_machine m = { 0 };
	struct ms_err err;
	char want[256];

	(void)state;
	for (size_t i = 0; i < MS_COUNT(specs); i++) {
		assert_int_equal(ms_machine_set_level(&m, "l1", specs[i], &err), MS_EUSAGE);
		snprintf(want, sizeof(want),
			 "--l1 expects SIZE,WAYS,LINE or SIZE,WAYS,LINE,LATENCY "
			 "(such as 32K,8,64), not '%s'",
			 specs[i]);
		assert_string_equal(err.text, want);
		assert_int_equal(m.levels.n, 0);
	}
}

static const struct broken {
	int line;
	const char *specs[3]; /* of l1, l2, l3 */
	const char *want;
} broken[] = {
	{ __LINE__,
	  { "32K,8,60" },
	  "level L1: found line 60, expected a power of two from 4 to 65536" },
	{ __LINE__,
	  { "32K,8,2" },
	  "level L1: found line 2, expected a power of two from 4 to 65536" },
	{ __LINE__,
	  { "32K,8,0" },
	  "level L1: found line 0, expected a power of two from 4 to 65536" },
	{ __LINE__, { "32K,0,64" }, "level L1: found 0 ways, expected 1 to 1048576" },
	{ __LINE__, { "0,8,64" }, "level L1: found size 0, expected 1 to 1 TiB" },
	{ __LINE__, { "2T,8,64" }, "level L1: found size 2199023255552, expected 1 to 1 TiB" },
	{ __LINE__,
	  { "256,8,64" },
	  "level L1: found size 256, expected a multiple of 512 (8 ways of 64-byte lines)" },
	{ __LINE__,
	  { "32K,4294967295,64" },
	  "level L1: found 4294967295 ways, expected 1 to 1048576" },
	{ __LINE__,
	  { "32K,8,64,4" },
	  "level L1: found latency 4, expected 0: "
	  "a reference that the first level answers does not wait" },
	{ __LINE__,
	  { "32K,8,64", "1M,8,32" },
	  "level L2: found line 32, expected at least 64, the line of L1 before it" },
	{ __LINE__, { NULL }, "found no cache level, expected at least one" },
};

static void broken_rules_get_a_sentence(void **state)
{
	static const char *const names[] = { "l1", "l2", "l3" };

	(void)state;
	for (size_t i = 0; i < MS_COUNT(broken); i++) {
		struct ms_machine m = { 0 };
		struct ms_err err;
		char want[256];

		print_message("case of line %d\n", broken[i].line);
		for (size_t k = 0; k < 3 && broken[i].specs[k] != NULL; k++)
			set(&m, names[k], broken[i].specs[k]);
		assert_int_equal(ms_machine_check(&m, NULL, &err), MS_EFORMAT);
		assert_string_equal(err.text, broken[i].want);
		assert_int_equal(ms_machine_check(&m, "here", &err), MS_EFORMAT);
		snprintf(want, sizeof(want), "here: %s", broken[i].want);
		assert_string_equal(err.text, want);
		assert_int_equal(ms_machine_check(&m, "here", NULL), MS_EFORMAT);
		ms_machine_free(&m);
	}
}

static void odd_but_right_machines(void **state)
{
	struct ms_machine m = { 0 };

	(void)state;
	set(&m, "l1", "1536,3,8");
	set(&m, "l2", "1M,1,65536");
	set(&m, "l3", "64K,1,65536,0");
	assert_int_equal(ms_machine_check(&m, NULL, NULL), MS_OK);
	assert_int_equal(ms_machine_sets(&m.levels.at[0]), 64);
	ms_machine_free(&m);
}

static char folder[] = "/tmp/memspy-test-XXXXXX";

static void put_preset(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs("[machine]\ntext = t\n[level L1]\nsize = 1K\nways = 1\nline = 16\n"
	      "[memory]\nlatency = 5\n",
	      out);
	fclose(out);
}

static int make_presets(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	put_preset("dash.ini");
	put_preset("alpha.ini");
	put_preset("notes.txt");
	put_preset(".hidden.ini");
	return 0;
}

static int remove_presets(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static void presets_are_listed(void **state)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_err err;
	const char **names;
	size_t n;

	(void)state;
	assert_int_equal(ms_machine_list(folder, &arena, &names, &n, &err), MS_OK);
	assert_int_equal(n, 2);
	assert_string_equal(names[0], "alpha");
	assert_string_equal(names[1], "dash");
	assert_int_equal(ms_machine_list("/no/such", &arena, &names, &n, &err), MS_EIO);
	assert_string_equal(err.text, "cannot read the folder of machine presets '/no/such': "
				      "No such file or directory");
	ms_arena_free(&arena);
}

static void a_name_is_host_preset_or_file(void **state)
{
	struct ms_machine m;
	struct ms_err err;
	char path[128];

	(void)state;
	assert_int_equal(ms_machine_load(&m, "dash", folder, &err), MS_OK);
	assert_string_equal(m.name, "dash");
	assert_string_equal(m.origin, "preset dash");
	ms_machine_free(&m);

	snprintf(path, sizeof(path), "%s/notes.txt", folder);
	assert_int_equal(ms_machine_load(&m, path, folder, &err), MS_OK);
	assert_string_equal(m.name, "notes.txt");
	assert_string_equal(m.origin, path);
	ms_machine_free(&m);

	assert_int_equal(ms_machine_load(&m, "host", folder, &err), MS_OK);
	assert_string_equal(m.name, "host");
	ms_machine_free(&m);
}

#define HINT                                                           \
	"; 'memspy machine list' shows those there are, and a file's " \
	"name needs a '/' or ends in .ini"

static void names_that_mean_nothing(void **state)
{
	struct ms_machine m;
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_machine_load(&m, "dahs", folder, &err), MS_EUSAGE);
	assert_string_equal(err.text, "there is no machine 'dahs'; did you mean 'dash'?" HINT);
	assert_int_equal(ms_machine_load(&m, "zebra", folder, &err), MS_EUSAGE);
	assert_string_equal(err.text, "there is no machine 'zebra'" HINT);
	assert_int_equal(ms_machine_load(&m, "", folder, &err), MS_EUSAGE);
	assert_int_equal(ms_machine_load(&m, "dash.ini", "/", &err), MS_EIO);
	assert_string_equal(err.text,
			    "cannot open machine file 'dash.ini': No such file or directory");
	assert_int_equal(ms_machine_load(&m, "dash", "/no/such", &err), MS_EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_join_in_order),
		cmocka_unit_test(a_replaced_level_keeps_its_latency),
		cmocka_unit_test(ll_means_the_last_level),
		cmocka_unit_test(a_single_level_is_no_last_level),
		cmocka_unit_test(specs_that_are_none),
		cmocka_unit_test(broken_rules_get_a_sentence),
		cmocka_unit_test(odd_but_right_machines),
		cmocka_unit_test(presets_are_listed),
		cmocka_unit_test(a_name_is_host_preset_or_file),
		cmocka_unit_test(names_that_mean_nothing),
	};

	return cmocka_run_group_tests_name("machine_spec", tests, make_presets, remove_presets);
}
