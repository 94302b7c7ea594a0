/* The host's caches, from made-up sysfs trees: whole, partial, strange, absent. */
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/machine_priv.h"

/* One indexN folder; NULL: the file does not exist. */
struct index {
	const char *level, *type, *size, *ways, *line, *sets, *shared;
};

static char root[64];

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind, (void)where;
	return remove(path);
}

static int remove_tree(void **state)
{
	(void)state;
	return nftw(root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static int make_root(void **state)
{
	(void)state;
	strcpy(root, "/tmp/memspy-test-XXXXXX");
	return mkdtemp(root) == NULL ? -1 : 0;
}

static void make_folders(const char *below)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s/", root, below);
	for (char *slash = strchr(path + strlen(root) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
}

static void put(const char *folder, const char *file, const char *text)
{
	char path[512];

	if (text == NULL)
		return;
	snprintf(path, sizeof(path), "%s/%s/%s", root, folder, file);
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fprintf(out, "%s\n", text);
	fclose(out);
}

static void put_indexes(const struct index *indexes, size_t n)
{
	char folder[128];

	for (size_t i = 0; i < n; i++) {
		snprintf(folder, sizeof(folder), "devices/system/cpu/cpu0/cache/index%zu", i);
		make_folders(folder);
		put(folder, "level", indexes[i].level);
		put(folder, "type", indexes[i].type);
		put(folder, "size", indexes[i].size);
		put(folder, "ways_of_associativity", indexes[i].ways);
		put(folder, "coherency_line_size", indexes[i].line);
		put(folder, "number_of_sets", indexes[i].sets);
		put(folder, "shared_cpu_list", indexes[i].shared);
	}
}

static void load(struct ms_machine *machine, const struct index *indexes, size_t n)
{
	struct ms_err err = { 0 };

	put_indexes(indexes, n);
	assert_int_equal(ms_machine_load_host(machine, root, &err), MS_OK);
	assert_int_equal(ms_machine_check(machine, NULL, &err), MS_OK);
}

static void assert_level(const struct ms_machine *m, size_t i, const char *name, uint64_t size,
			 uint32_t ways, uint32_t line, uint32_t processors, const char *origin)
{
	assert_true(i < m->levels.n);
	assert_string_equal(m->levels.at[i].name, name);
	assert_int_equal(m->levels.at[i].size, size);
	assert_int_equal(m->levels.at[i].ways, ways);
	assert_int_equal(m->levels.at[i].line, line);
	assert_int_equal(m->levels.at[i].processors, processors);
	assert_string_equal(m->levels.at[i].origin, origin);
}

static void a_server(void **state)
{
	static const struct index indexes[] = {
		{ "1", "Data", "48K", "12", "64", "64", "0,56" },
		{ "1", "Instruction", "32K", "8", "64", "64", "0,56" },
		{ "2", "Unified", "2048K", "16", "64", "2048", "0,56" },
		{ "3", "Unified", "107520K", "15", "64", "114688", "0-27,56-83" },
	};
	struct ms_machine m;

	(void)state;
	load(&m, indexes, MS_COUNT(indexes));
	assert_int_equal(m.levels.n, 3);
	assert_level(&m, 0, "L1", 48 << 10, 12, 64, 2, "sysfs");
	assert_level(&m, 1, "L2", 2 << 20, 16, 64, 2, "sysfs");
	assert_level(&m, 2, "L3", 105 << 20, 15, 64, 56, "sysfs");
	assert_int_equal(m.levels.at[0].latency, 0);
	assert_string_equal(m.levels.at[0].latency_origin, "by definition");
	assert_int_equal(m.levels.at[1].latency, 14);
	assert_int_equal(m.levels.at[2].latency, 50);
	assert_string_equal(m.levels.at[2].latency_origin, "assumed");
	assert_int_equal(m.memory_latency, 200);
	assert_int_equal(m.whole.processors, 56); /* no file lists more */
	assert_int_equal(m.whole.nodes, 1);
	assert_non_null(strstr(m.origin, "/devices/system/cpu/cpu0/cache, latencies assumed"));
	ms_machine_free(&m);
}

/* Which of the two comes first differs between kernels. */
static void an_instruction_cache_before_the_data_cache(void **state)
{
	static const struct index indexes[] = {
		{ "1", "Instruction", "64K", "4", "64", "256", "0" },
		{ "1", "Data", "32K", "8", "64", "64", "0" },
		{ "2", "Unified", "1M", "16", "64", "1024", "0" },
	};
	struct ms_machine m;

	(void)state;
	load(&m, indexes, MS_COUNT(indexes));
	assert_int_equal(m.levels.n, 2);
	assert_level(&m, 0, "L1", 32 << 10, 8, 64, 1, "sysfs");
	assert_level(&m, 1, "L2", 1 << 20, 16, 64, 1, "sysfs");
	ms_machine_free(&m);
}

static void levels_out_of_order_and_twice(void **state)
{
	static const struct index indexes[] = {
		{ "2", "Unified", "1M", "16", "64", NULL, "0" },
		{ "1", "Data", "32K", "8", "64", NULL, "0" },
		{ "2", "Unified", "2M", "16", "64", NULL, "0" },
	};
	struct ms_machine m;

	(void)state;
	load(&m, indexes, MS_COUNT(indexes));
	assert_int_equal(m.levels.n, 2);
	assert_level(&m, 0, "L1", 32 << 10, 8, 64, 1, "sysfs");
	assert_level(&m, 1, "L2", 1 << 20, 16, 64, 1, "sysfs");
	ms_machine_free(&m);
}

static void figures_that_follow_from_others(void **state)
{
	static const struct index indexes[] = {
		{ "1", "Data", NULL, "4", "64", "256", NULL },
		{ "2", "Unified", "1M", "0", "64", "2048", "0-1" },
		{ "3", "Unified", "4K", "0", "64", "1", NULL },
	};
	struct ms_machine m;

	(void)state;
	load(&m, indexes, MS_COUNT(indexes));
	assert_level(&m, 0, "L1", 64 << 10, 4, 64, 1, "sysfs, size from sets");
	assert_level(&m, 1, "L2", 1 << 20, 8, 64, 2, "sysfs, ways from sets");
	assert_level(&m, 2, "L3", 4 << 10, 64, 64, 2, "sysfs, fully associative");
	ms_machine_free(&m);
}

static void figures_that_sysfs_does_not_have(void **state)
{
	static const struct index indexes[] = {
		{ "1", "Data", NULL, NULL, NULL, NULL, "0" },
		{ "2", "Unified", "512K", "0", "64", NULL, "0" },
	};
	struct ms_machine m;

	(void)state;
	load(&m, indexes, MS_COUNT(indexes));
	assert_level(&m, 0, "L1", 32 << 10, 8, 64, 1,
		     "sysfs, line assumed, size assumed, ways assumed");
	assert_level(&m, 1, "L2", 512 << 10, 16, 64, 1, "sysfs, ways assumed");
	assert_non_null(strstr(m.origin, "shows caches in part: the rest of their geometry and"));
	ms_machine_free(&m);
}

static void figures_that_contradict_each_other(void **state)
{
	static const struct index indexes[] = {
		{ "1", "Data", "128K", "8", "128", NULL, "0" },
		{ "2", "Unified", "1000K", "16", "64", NULL, "0" },
	};
	struct ms_machine m;

	(void)state;
	load(&m, indexes, MS_COUNT(indexes));
	assert_level(&m, 1, "L2", 1000 << 10, 16, 128, 1,
		     "sysfs, line raised to that of the level before");
	ms_machine_free(&m);
}

static void sizes_are_whole_sets(void **state)
{
	static const struct index indexes[] = { { "1", "Data", "33K", "8", "64", NULL, "0" } };
	struct ms_machine m;

	(void)state;
	load(&m, indexes, MS_COUNT(indexes));
	assert_level(&m, 0, "L1", 66 * 512, 8, 64, 1, "sysfs");
	ms_machine_free(&m);
}

static void sizes_are_rounded_to_whole_sets(void **state)
{
	static const struct index indexes[] = { { "1", "Data", "34K", "12", "64", NULL, "0" } };
	struct ms_machine m;

	(void)state;
	load(&m, indexes, MS_COUNT(indexes));
	assert_level(&m, 0, "L1", 45 * 768, 12, 64, 1, "sysfs, size rounded to whole sets");
	ms_machine_free(&m);
}

/* --- processors and nodes --------------------------------------------------------------------- */

static void put_below(const char *folder, const char *file, const char *text)
{
	make_folders(folder);
	put(folder, file, text);
}

/* Two sockets of 56 threads; a third node is memory only. */
static void put_two_sockets(const char *second_cpulist)
{
	put_below("devices/system/cpu", "online", "0-111");
	put_below("devices/system/node", "online", "0-2");
	put_below("devices/system/node/node0", "cpulist", "0-27,56-83");
	put_below("devices/system/node/node0", "distance", "10 21 17");
	put_below("devices/system/node/node1", "cpulist", second_cpulist);
	put_below("devices/system/node/node1", "distance", "21 10 28");
	put_below("devices/system/node/node2", "cpulist", "");
	put_below("devices/system/node/node2", "distance", "17 28 10");
}

static const struct index two_sockets[] = {
	{ "1", "Data", "48K", "12", "64", "64", "0,56" },
	{ "2", "Unified", "2048K", "16", "64", "2048", "0,56" },
	{ "3", "Unified", "107520K", "15", "64", "114688", "0-27,56-83" },
};

static void nodes_and_their_distance(void **state)
{
	struct ms_machine m;
	struct ms_err err;

	(void)state;
	put_two_sockets("28-55,84-111");
	load(&m, two_sockets, MS_COUNT(two_sockets));
	assert_int_equal(m.processors, 1);
	assert_int_equal(m.nodes, 1);
	assert_int_equal(m.whole.processors, 112);
	assert_int_equal(m.whole.nodes, 2);
	assert_int_equal(m.levels.at[0].processors, 2);
	assert_int_equal(m.levels.at[2].processors, 56);
	assert_int_equal(m.remote_latency, 420);
	assert_string_equal(m.remote_latency_origin, "memory's times 2.1, sysfs' distances");
	assert_int_equal(m.peer_latency, 120);
	assert_int_equal(ms_machine_set_processors(&m, 57, &err), MS_OK);
	assert_int_equal(m.nodes, 2);
	ms_machine_free(&m);
}

static void a_distance_that_cannot_be(void **state)
{
	struct ms_machine m;

	(void)state;
	put_two_sockets("28-55,84-111");
	put("devices/system/node/node0", "distance", "10 5 17");
	load(&m, two_sockets, MS_COUNT(two_sockets));
	assert_int_equal(m.remote_latency, 400);
	assert_string_equal(m.remote_latency_origin, "assumed");
	ms_machine_free(&m);
}

static void nodes_of_different_sizes(void **state)
{
	struct ms_machine m;

	(void)state;
	put_two_sockets("28-55");
	load(&m, two_sockets, MS_COUNT(two_sockets));
	assert_int_equal(m.whole.nodes, 1);
	assert_int_equal(m.remote_latency, 200);
	assert_non_null(strstr(m.origin, "; 2 nodes of different sizes are taken as one"));
	ms_machine_free(&m);
}

static void what_all_share(void **state)
{
	static const struct index indexes[] = {
		{ "1", "Data", "32K", "8", "64", NULL, "0-1" },
		{ "2", "Unified", "1M", "16", "64", NULL, "0-1" },
	};
	struct ms_machine m;

	(void)state;
	put_below("devices/system/cpu", "online", "0-1");
	load(&m, indexes, MS_COUNT(indexes));
	assert_int_equal(m.whole.processors, 2);
	assert_int_equal(m.levels.at[0].processors, 2); /* two threads of one core */
	assert_int_equal(m.levels.at[1].processors, 0);
	ms_machine_free(&m);
}

static void one_processor(void **state)
{
	static const struct index indexes[] = {
		{ "1", "Data", "32K", "8", "64", NULL, "0" },
		{ "2", "Unified", "1M", "16", "64", NULL, "0" },
		{ "3", "Unified", "8M", "16", "64", NULL, "0" },
	};
	struct ms_machine m;

	(void)state;
	put_below("devices/system/cpu", "online", "0");
	load(&m, indexes, MS_COUNT(indexes));
	assert_int_equal(m.whole.processors, 1);
	assert_int_equal(m.levels.at[1].processors, 1);
	assert_int_equal(m.levels.at[2].processors, 0);
	ms_machine_free(&m);
}

static void a_processor_that_is_switched_off(void **state)
{
	static const struct index indexes[] = {
		{ "1", "Data", "32K", "8", "64", NULL, "0-1" },
		{ "2", "Unified", "1M", "16", "64", NULL, "0-2" },
		{ "3", "Unified", "8M", "16", "64", NULL, "0-6" },
	};
	struct ms_machine m;

	(void)state;
	put_below("devices/system/cpu", "online", "0-6");
	load(&m, indexes, MS_COUNT(indexes));
	assert_level(&m, 1, "L2", 1 << 20, 16, 64, 4,
		     "sysfs, sharing rounded to whole caches of the level before");
	assert_level(&m, 2, "L3", 8 << 20, 16, 64, 8,
		     "sysfs, sharing rounded to whole caches of the level before");
	assert_int_equal(m.whole.processors, 8);
	ms_machine_free(&m);
}

static void long_lists_are_read_whole(void **state)
{
	char list[2048] = "0";
	struct index indexes[] = { { "1", "Data", "32K", "8", "64", NULL, "0" },
				   { "2", "Unified", "1M", "16", "64", NULL, list } };
	struct ms_machine m;

	(void)state;
	for (int i = 2, n = 1; i < 512; i += 2)
		n += snprintf(list + n, sizeof(list) - (size_t)n, ",%d", i);
	put_below("devices/system/cpu", "online", "0-511");
	load(&m, indexes, MS_COUNT(indexes));
	assert_int_equal(m.levels.at[1].processors, 256);
	assert_int_equal(m.whole.processors, 512);
	ms_machine_free(&m);
}

static void assert_generic(const struct ms_machine *m)
{
	assert_int_equal(m->levels.n, 3);
	assert_level(m, 0, "L1", 32 << 10, 8, 64, 1, "assumed");
	assert_level(m, 1, "L2", 1 << 20, 16, 64, 1, "assumed");
	assert_level(m, 2, "L3", 32 << 20, 16, 64, 0, "assumed");
	assert_int_equal(m->memory_latency, 200);
}

static void no_caches_at_all(void **state)
{
	struct ms_machine m;

	(void)state;
	load(&m, NULL, 0);
	assert_generic(&m);
	assert_non_null(strstr(m.origin, "shows no caches: a generic machine is assumed"));
	ms_machine_free(&m);
}

static void a_line_that_cannot_be(void **state)
{
	static const struct index indexes[] = { { "1", "Data", "48K", "8", "96", NULL, "0" } };
	struct ms_machine m;

	(void)state;
	load(&m, indexes, MS_COUNT(indexes));
	assert_generic(&m);
	assert_non_null(strstr(m.origin,
			       "level L1: found line 96, expected a power of two from 4 to "
			       "65536: a generic machine is assumed"));
	ms_machine_free(&m);
}

static void the_real_one_loads(void **state)
{
	struct ms_machine m;
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_machine_load_host(&m, "/sys", &err), MS_OK);
	assert_int_equal(ms_machine_check(&m, NULL, &err), MS_OK);
	ms_machine_free(&m);
}

#define IN_A_TREE(test) cmocka_unit_test_setup_teardown(test, make_root, remove_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_A_TREE(a_server),
		IN_A_TREE(an_instruction_cache_before_the_data_cache),
		IN_A_TREE(levels_out_of_order_and_twice),
		IN_A_TREE(figures_that_follow_from_others),
		IN_A_TREE(figures_that_sysfs_does_not_have),
		IN_A_TREE(figures_that_contradict_each_other),
		IN_A_TREE(sizes_are_whole_sets),
		IN_A_TREE(sizes_are_rounded_to_whole_sets),
		IN_A_TREE(nodes_and_their_distance),
		IN_A_TREE(a_distance_that_cannot_be),
		IN_A_TREE(nodes_of_different_sizes),
		IN_A_TREE(what_all_share),
		IN_A_TREE(one_processor),
		IN_A_TREE(a_processor_that_is_switched_off),
		IN_A_TREE(long_lists_are_read_whole),
		IN_A_TREE(no_caches_at_all),
		IN_A_TREE(a_line_that_cannot_be),
		cmocka_unit_test(the_real_one_loads),
	};

	return cmocka_run_group_tests_name("machine_host", tests, NULL, NULL);
}
