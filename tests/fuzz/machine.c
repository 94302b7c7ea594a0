/*
 * A machine file with anything in it: it is refused with a sentence, or it gives a machine that
 * obeys all rules; written and read again, that is the same machine. Of its processors some, all or
 * more are simulated, each on a node that is simulated too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

/* As a file, without comments and texts: they say where figures came from. */
static char *write_plainly(const struct ms_machine *machine, size_t *whole_bytes, char **whole)
{
	FILE *out = open_memstream(whole, whole_bytes);
	char *plain, *line, *save = NULL;

	ms_machine_write(machine, out);
	fclose(out);
	char *copy = strdup(*whole);
	size_t n = 0;
	plain = calloc(1, *whole_bytes + 1);
	for (line = strtok_r(copy, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save))
		if (line[0] != '#' && strncmp(line, "text =", 6) != 0 &&
		    strncmp(line, "source =", 8) != 0)
			n += (size_t)sprintf(plain + n, "%s\n", line);
	free(copy);
	return plain;
}

static void load_again(const struct ms_machine *machine)
{
	char *first_whole, *second_whole;
	size_t first_bytes, second_bytes;
	struct ms_machine again;
	struct fuzz_file file;
	struct ms_err err;
	char *first = write_plainly(machine, &first_bytes, &first_whole);

	fuzz_file_make(&file, first_whole, first_bytes);
	if (ms_machine_load_file(&again, file.path, &err) != MS_OK)
		fuzz_fail("what was written is refused: %s\n%s", err.text, first_whole);
	char *second = write_plainly(&again, &second_bytes, &second_whole);
	if (strcmp(first, second) != 0)
		fuzz_fail("written:\n%s\nand again:\n%s", first, second);
	ms_machine_free(&again);
	fuzz_file_close(&file);
	free(first);
	free(second);
	free(first_whole);
	free(second_whole);
}

static void check_memory_needed(const struct ms_machine *machine)
{
	uint64_t needed = 0;

	for (size_t i = 0; i < machine->levels.n; i++) {
		const struct ms_machine_level *level = &machine->levels.at[i];
		uint32_t sharers = level->processors != 0 ? level->processors : machine->processors;

		needed += ms_machine_cache_bytes(level) * ((machine->processors - 1) / sharers + 1);
	}
	if (needed > MS_CACHES_BYTES_MOST)
		fuzz_fail("caches that take %llu bytes", (unsigned long long)needed);
}

static void simulate(struct ms_machine *machine)
{
	static const uint32_t asked[] = { 1, 3, 64, 0, UINT32_MAX };
	struct ms_err err = { MS_OK, "" };

	for (size_t i = 0; i < MS_COUNT(asked); i++)
		if (ms_machine_set_processors(machine, asked[i], &err) != MS_OK)
			continue;
		else if (machine->processors < 1 || machine->processors > MS_PROCESSORS_MOST ||
			 machine->nodes > MS_NODES_MOST ||
			 ms_machine_node(machine, machine->processors - 1) != machine->nodes - 1)
			fuzz_fail("%u asked: %u processors on %u nodes", asked[i],
				  machine->processors, machine->nodes);
		else
			check_memory_needed(machine);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ms_machine machine;
	struct fuzz_file file;
	struct ms_err err = { MS_OK, "" };

	fuzz_file_make(&file, data, size);
	if (ms_machine_load_file(&machine, file.path, &err) == MS_OK) {
		if (ms_machine_check(&machine, "fuzz", &err) != MS_OK)
			fuzz_fail("loaded, and yet: %s", err.text);
		load_again(&machine);
		simulate(&machine);
		ms_machine_free(&machine);
	} else if (strncmp(err.text, file.path, strlen(file.path)) != 0) {
		fuzz_fail("a sentence that does not name the file: '%s'", err.text);
	}
	fuzz_file_close(&file);
	return 0;
}
