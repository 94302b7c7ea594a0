/*
 * The operands of traced loops, from the program to the trace, with each front-end: followed
 * backwards from the address of a load they show whether the address depends on the load itself (a
 * pointer chase), on another one (a gather), or on none (a stream).
 *
 * The traced program is this one: with an argument, it executes the loops, and prints where they
 * are.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "stream/trace/trace.h"
#include "wire/operands.h"
#include "wire/wire.h"

enum { LENGTH = 3000, LOOPS = 3, FUNCTION_BYTES = 256, MOST_BLOCKS = 20000, PATH_BYTES = 4200 };

/* --- the traced program --- */

struct node {
	struct node *next;
	long value;
};

#define LOOP __attribute__((noinline, noclone, aligned(FUNCTION_BYTES)))

LOOP static struct node *chase(struct node *p, long n)
{
	for (long i = 0; i < n; i++)
		p = p->next;
	return p;
}

/* The sum keeps the compiler from making one vector of several iterations. */
LOOP static long gather(const long *data, const uint32_t *index, long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum = (sum ^ data[index[i]]) * 3;
	return sum;
}

LOOP static long stream(const long *data, long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum = (sum ^ data[i]) * 3;
	return sum;
}

static int execute_loops(void)
{
	static struct node nodes[LENGTH];
	static long data[LENGTH];
	static uint32_t index[LENGTH];

	for (uint32_t i = 0; i < LENGTH; i++) {
		nodes[i].next = &nodes[(i * 7 + 1) % LENGTH];
		data[i] = i;
		index[i] = i * 7 % LENGTH;
	}
	printf("%" PRIxPTR " %" PRIxPTR " %" PRIxPTR "\n", (uintptr_t)chase, (uintptr_t)gather,
	       (uintptr_t)stream);
	printf("%ld\n",
	       chase(nodes, LENGTH)->value + gather(data, index, LENGTH) + stream(data, LENGTH));
	return 0;
}

/* --- its trace --- */

struct block {
	struct ms_wire_block head;
	uint64_t words[MS_WIRE_RESERVE_WORDS];
	uint64_t executions;
};

static struct block *blocks;
static uint32_t block_count, exit_count;
static uint32_t block_of_exit[8 * MOST_BLOCKS];

static void see_record(const uint64_t *record)
{
	uint32_t words = ms_wire_words_of(record[0]), arg = ms_wire_arg_of(record[0]);

	if (ms_wire_kind_of(record[0]) == MS_WIRE_EXEC && arg < exit_count)
		blocks[block_of_exit[arg]].executions++;
	if (ms_wire_kind_of(record[0]) != MS_WIRE_BLOCK)
		return;
	assert_true(block_count < MOST_BLOCKS);
	struct block *b = &blocks[block_count];
	b->executions = 0;
	memcpy(&b->head, record + 1, sizeof(b->head));
	memcpy(b->words, record + 1, (words - 1) * sizeof(*record));
	for (uint32_t i = 0; i < b->head.exits && exit_count < MS_COUNT(block_of_exit); i++)
		block_of_exit[exit_count++] = block_count;
	block_count++;
}

static void read_trace(const char *path)
{
	struct ms_trace *trace;
	struct ms_err err;

	block_count = exit_count = 0;
	if (ms_trace_open(&trace, path, &err) != MS_OK)
		fail_msg("%s", err.text);
	uint64_t *words = ms_alloc(ms_trace_info(trace)->chunk_bytes);
	for (uint64_t k = 0; k < ms_trace_chunks(trace); k++) {
		size_t n;

		assert_int_equal(ms_trace_read(trace, k, words, &n, &err), MS_OK);
		for (size_t i = 0; i < n; i += ms_wire_words_of(words[i]))
			see_record(words + i);
	}
	ms_free(words);
	ms_trace_close(trace);
}

/* --- dependences --- */

/* The block of the loop: the one that is executed most often. */
static const struct block *find_loop(uint64_t function)
{
	const struct block *found = NULL;

	for (uint32_t i = 0; i < block_count; i++) {
		const struct block *b = &blocks[i];
		bool inside = b->head.instructions > 0 && b->words[1] - function < FUNCTION_BYTES;

		if (inside && (found == NULL || b->executions > found->executions))
			found = b;
	}
	return found;
}

static const uint64_t *operands_of(const struct block *b)
{
	return b->words + 1 + b->head.instructions + b->head.refs + b->head.exits;
}

static bool loads(const struct block *b, uint32_t instruction)
{
	const struct ms_wire_ref *refs = (const void *)(b->words + 1 + b->head.instructions);

	for (uint32_t i = 0; i < b->head.refs; i++)
		if (refs[i].instruction == instruction && refs[i].kind == MS_WIRE_READ)
			return true;
	return false;
}

enum dependence { AFFINE, LED, CHAINED };

/* Goes twice through the loop, backwards from load i. */
static enum dependence dependence_of(const struct block *b, uint32_t i)
{
	const uint64_t *operands = operands_of(b);
	bool wanted[MS_WIRE_REGISTERS] = { false };
	enum dependence result = AFFINE;

	for (uint32_t k = 0; k < MS_WIRE_READS; k++)
		if (ms_wire_is_address(operands[i], k))
			wanted[ms_wire_read_register(operands[i], k)] = true;
	for (uint32_t steps = 0, j = i; steps < 2u * b->head.instructions; steps++) {
		bool needed = false;

		j = (j > 0 ? j : b->head.instructions) - 1;
		for (uint32_t k = 0; k < MS_WIRE_WRITTEN; k++) {
			uint32_t reg = ms_wire_written_register(operands[j], k);

			if (reg == 0 || !wanted[reg])
				continue;
			wanted[reg] = false;
			if (loads(b, j) && !ms_wire_is_write_back(operands[j], k) &&
			    result != CHAINED)
				result = b->words[1 + j] == b->words[1 + i] ? CHAINED : LED;
			needed |= !loads(b, j) || ms_wire_is_write_back(operands[j], k);
		}
		for (uint32_t k = 0; k < MS_WIRE_READS && needed; k++)
			wanted[ms_wire_read_register(operands[j], k)] = true;
	}
	return result;
}

/* The dependences of the loop's loads, each instruction once: "CLA" for chained, led, affine. */
static void describe_loop(uint64_t function, char *text)
{
	const struct block *b = find_loop(function);
	size_t n = 0;

	if (b == NULL || b->head.operands != 1)
		fail_msg("no loop with operands at 0x%" PRIx64, function);
	for (uint32_t i = 0; i < b->head.instructions; i++) {
		bool again = false;

		assert_true(ms_wire_are_operands(operands_of(b)[i]));
		for (uint32_t j = 0; j < i; j++)
			again |= b->words[1 + j] == b->words[1 + i];
		if (loads(b, i) && !again)
			text[n++] = "ALC"[dependence_of(b, i)];
	}
	text[n] = '\0';
}

/* --- the test --- */

static char self[PATH_BYTES], memspy[PATH_BYTES + 32];

static void find_programs(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const char *given = getenv("MEMSPY");

	assert_true(n > 0);
	self[n] = '\0';
	snprintf(memspy, sizeof(memspy), "%s", self);
	for (int i = 0; i < 4 && strrchr(memspy, '/') != NULL; i++) /* BUILD/tests/unit/collect/x */
		*strrchr(memspy, '/') = '\0';
	strcat(memspy, "/memspy");
	if (given != NULL)
		snprintf(memspy, sizeof(memspy), "%s", given);
}

static void trace_loops(const char *frontend, const char *folder, uint64_t *at)
{
	char command[4 * PATH_BYTES];
	FILE *output;

	snprintf(command, sizeof(command),
		 "'%s' run -q --frontend %s --machine dash --db %s/run.db --trace %s/run.trace "
		 "-- '%s' loops",
		 memspy, frontend, folder, folder, self);
	output = popen(command, "r");
	assert_non_null(output);
	int n = fscanf(output, "%" SCNx64 " %" SCNx64 " %" SCNx64, &at[0], &at[1], &at[2]);
	while (fgetc(output) != EOF)
		continue;
	if (pclose(output) != 0 || n != LOOPS)
		fail_msg("%s: failed", command);
}

/* The compiler adds its own loads and stores to a program with sanitizers. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = true };
#else
enum { IS_SANITIZED = false };
#endif

static void check_frontend(const char *frontend)
{
	static const char *const expected[LOOPS] = { "C", "AL", "A" };
	char folder[] = "/tmp/memspy-operands-XXXXXX", path[64], command[64];
	uint64_t at[LOOPS] = { 0 };

	if (IS_SANITIZED)
		skip();
	assert_non_null(mkdtemp(folder));
	trace_loops(frontend, folder, at);
	snprintf(path, sizeof(path), "%s/run.trace", folder);
	read_trace(path);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
	for (int i = 0; i < LOOPS; i++) {
		char found[MS_WIRE_RESERVE_WORDS];

		describe_loop(at[i], found);
		if (strcmp(found, expected[i]) != 0)
			fail_msg("%s: loop %d: found %s, expected %s", frontend, i, found,
				 expected[i]);
	}
}

static void native_frontend(void **state)
{
	(void)state;
	check_frontend("native");
}

static void valgrind_frontend(void **state)
{
	(void)state;
	check_frontend("valgrind");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(native_frontend),
		cmocka_unit_test(valgrind_frontend),
	};

	(void)argv;
	if (argc > 1)
		return execute_loops();
	find_programs();
	blocks = ms_alloc(MOST_BLOCKS * sizeof(*blocks));
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	ms_free(blocks);
	return failed;
}
