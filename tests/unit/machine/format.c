/*
 * docs/formats/machine.md against the code: every key of one is in the other, the sample loads, the
 * assumed figures are those of the code; and every preset loads, says who its source is, and
 * survives being written.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "machine/machine_priv.h"

static const char *source_root(void)
{
	const char *root = getenv("SRC");

	return root != NULL ? root : ".";
}

static void read_document(struct ms_text *text)
{
	char path[512];
	char line[512];

	snprintf(path, sizeof(path), "%s/docs/formats/machine.md", source_root());
	FILE *in = fopen(path, "r");
	assert_non_null(in);
	while (fgets(line, sizeof(line), in) != NULL)
		ms_text_add(text, line);
	fclose(in);
}

static void row_start(enum ms_machine_section section, const char *key, char out[64])
{
	snprintf(out, 64, "| `[%s%s]` | `%s` |", ms_machine_sections[section].name,
		 section == MS_SECTION_LEVEL ? " NAME" : "", key);
}

static void every_key_is_documented(void **state)
{
	struct ms_text doc = MS_TEXT_INIT;
	char row[64];

	(void)state;
	read_document(&doc);
	for (const struct ms_machine_key *key = ms_machine_keys; key->name != NULL; key++) {
		row_start(key->section, key->name, row);
		print_message("%s\n", row);
		const char *at = strstr(ms_text_get(&doc), row);

		assert_non_null(at);
		assert_int_equal(strncmp(at + strlen(row), " yes |", 6) == 0, key->required);
	}
	ms_text_free(&doc);
}

static bool is_key(const char *row)
{
	char want[64];

	for (const struct ms_machine_key *key = ms_machine_keys; key->name != NULL; key++) {
		row_start(key->section, key->name, want);
		if (strncmp(row, want, strlen(want)) == 0)
			return true;
	}
	return false;
}

static void every_documented_key_exists(void **state)
{
	struct ms_text doc = MS_TEXT_INIT;
	int rows = 0;

	(void)state;
	read_document(&doc);
	for (const char *at = ms_text_get(&doc); (at = strstr(at, "\n| `[")) != NULL; at++) {
		print_message("%.40s\n", at + 1);
		assert_true(is_key(at + 1));
		rows++;
	}
	assert_true(rows > 0);
	ms_text_free(&doc);
}

static void the_sample_loads(void **state)
{
	struct ms_text doc = MS_TEXT_INIT;
	char path[] = "/tmp/memspy-sample-XXXXXX";
	struct ms_machine machine;
	struct ms_err err = { 0 };

	(void)state;
	read_document(&doc);
	const char *start = strstr(ms_text_get(&doc), "```ini\n");
	assert_non_null(start);
	start += strlen("```ini\n");
	int fd = mkstemp(path);
	FILE *out = fdopen(fd, "w");
	fwrite(start, 1, (size_t)(strstr(start, "```") - start), out);
	fclose(out);

	int code = ms_machine_load_file(&machine, path, &err);
	unlink(path);
	assert_string_equal(err.text, "");
	assert_int_equal(code, MS_OK);
	assert_int_equal(machine.levels.n, 3);
	ms_machine_free(&machine);
	ms_text_free(&doc);
}

static void assumed_core_is_documented(void **state)
{
	struct ms_text doc = MS_TEXT_INIT;
	char row[128], value[MS_FIGURE_TEXT];

	(void)state;
	read_document(&doc);
	for (size_t i = MS_FIGURE_CORE + 1; i < MS_FIGURES; i++) {
		struct ms_machine_core core = { 0 };

		*ms_machine_figure_at(&core, (enum ms_machine_figure)i) =
			ms_machine_figures[i].assumed;
		snprintf(row, sizeof(row), "\n| `%s` | %s |\n", ms_machine_figures[i].key,
			 ms_machine_figure_text(&core, (enum ms_machine_figure)i, value));
		print_message("%s", row + 1);
		assert_non_null(strstr(ms_text_get(&doc), row));
	}
	snprintf(row, sizeof(row), "\n| `outstanding` | %d |\n", MS_ASSUMED_OUTSTANDING);
	assert_non_null(strstr(ms_text_get(&doc), row));
	ms_text_free(&doc);
}

static void assumed_figures_are_documented(void **state)
{
	struct ms_text doc = MS_TEXT_INIT;
	char row[128];

	(void)state;
	read_document(&doc);
	snprintf(row, sizeof(row), "| cycles | %u | %u | %u | %u | %u | %d | %d |",
		 ms_machine_assumed_latency("L1"), ms_machine_assumed_latency("L2"),
		 ms_machine_assumed_latency("L3"), ms_machine_assumed_latency("L4"),
		 ms_machine_assumed_latency("LL"), MS_ASSUMED_MEMORY_LATENCY,
		 MS_ASSUMED_PEER_LATENCY);
	assert_non_null(strstr(ms_text_get(&doc), row));
	for (unsigned i = 1; i <= MS_GENERIC_LEVELS; i++) {
		const struct ms_machine_generic *level = ms_machine_generic_level(i);
		bool mega = level->size >= 1 << 20;

		snprintf(row, sizeof(row), "| L%u | %" PRIu64 "%c | %u | %u |", i,
			 level->size >> (mega ? 20 : 10), mega ? 'M' : 'K', level->ways,
			 level->line);
		assert_non_null(strstr(ms_text_get(&doc), row));
	}
	ms_text_free(&doc);
}

static void check_preset(const char *name, const char *dir)
{
	struct ms_machine machine;
	struct ms_err err = { 0 };
	char start[128];

	print_message("preset %s\n", name);
	int code = ms_machine_load(&machine, name, dir, &err);
	assert_string_equal(err.text, "");
	assert_int_equal(code, MS_OK);
	assert_string_equal(machine.name, name);
	snprintf(start, sizeof(start), "preset %s: ", name);
	assert_memory_equal(machine.origin, start, strlen(start));
	assert_int_equal(ms_machine_check(&machine, NULL, &err), MS_OK);
	assert_int_equal(machine.processors, 1);
	ms_machine_free(&machine);
}

static void every_preset_loads(void **state)
{
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_err err;
	const char **names;
	size_t n;
	char dir[512];

	(void)state;
	snprintf(dir, sizeof(dir), "%s/machines", source_root());
	assert_int_equal(ms_machine_list(dir, &arena, &names, &n, &err), MS_OK);
	assert_true(n >= 11);
	for (size_t i = 0; i < n; i++) {
		assert_true(i == 0 || strcmp(names[i - 1], names[i]) < 0);
		check_preset(names[i], dir);
	}
	ms_arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_is_documented),
		cmocka_unit_test(every_documented_key_exists),
		cmocka_unit_test(the_sample_loads),
		cmocka_unit_test(assumed_figures_are_documented),
		cmocka_unit_test(assumed_core_is_documented),
		cmocka_unit_test(every_preset_loads),
	};

	return cmocka_run_group_tests_name("machine_format", tests, NULL, NULL);
}
