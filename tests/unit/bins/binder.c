/* The binder: what the stream's events become, and what it makes of events that no front-end sends.
 */
#include <limits.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "bins/binder.h"
#include "wire/wire.h"

/* --- this program, as a module --- */

int a_variable_of_this_test[50];

/* Functions whose addresses stand for call sites: a few bytes after their start. */
#define SOMETHING(name)                                     \
	static __attribute__((noipa, used)) int name(int x) \
	{                                                   \
		__asm__ volatile("# " #name : "+r"(x));     \
		return x * (x + 3) - 7;                     \
	}
SOMETHING(first)
SOMETHING(second)
SOMETHING(third)
SOMETHING(fourth)
SOMETHING(memspy_pool_alloc) /* one of the names of allocators */

static uint64_t in(int (*function)(int), unsigned offset)
{
	return (uint64_t)(uintptr_t)function + offset;
}

struct own_module {
	uint64_t offset, text, text_size;
};

static int find_own(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct own_module *own = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD &&
		    (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
			own->offset = info->dlpi_phdr[i].p_offset;
			own->text = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			own->text_size = info->dlpi_phdr[i].p_memsz;
		}
	return 1; /* the program itself comes first */
}

static int add_module(struct ms_bins *binder, uint32_t number, const char *path, uint64_t move,
		      struct ms_bins_bound_ranges *ranges, struct ms_err *err)
{
	struct own_module own = { 0 };
	struct {
		struct ms_wire_module wire;
		char path[PATH_MAX];
	} event = { .path = "" };

	dl_iterate_phdr(find_own, &own);
	event.wire = (struct ms_wire_module){ .offset = own.offset,
					      .text = own.text + move,
					      .text_size = own.text_size,
					      .path_bytes = (uint32_t)strlen(path) };
	strcpy(event.path, path);
	return ms_bins_module(binder, number, (const uint64_t *)&event,
			      (sizeof(event.wire) + strlen(path) + 7) / 8, ranges, err);
}

static struct ms_bins *open_with_own(void)
{
	struct ms_bins *binder = ms_bins_open();
	struct ms_bins_bound_ranges ranges;
	char path[PATH_MAX] = "";
	struct ms_err err;

	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	assert_int_equal(add_module(binder, 0, path, 0, &ranges, &err), MS_OK);
	return binder;
}

/* --- blocks --- */

enum { INSTRUCTIONS = 3, REFS = 2, EXITS = 2, BLOCK_WORDS = 1 + INSTRUCTIONS + REFS + EXITS };

struct block_event {
	struct ms_wire_block head;
	uint64_t pc[INSTRUCTIONS];
	struct ms_wire_ref ref[REFS];
	struct ms_wire_exit exit[EXITS];
};

static struct block_event good_block(void)
{
	return (struct block_event){
		{ INSTRUCTIONS, REFS, EXITS, 0 },
		{ in(first, 1), in(first, 4), in(second, 1) },
		{ { 0, 8, MS_WIRE_READ, 0 }, { 2, 4, MS_WIRE_WRITE, 0 } },
		{ { 1, 1, 0 }, { 2, 3, 7 } },
	};
}

static int add_block(struct ms_bins *binder, uint32_t number, const struct block_event *event,
		     size_t n, const struct ms_bins_bound_block **block)
{
	struct ms_err err = { MS_OK, "" };
	int code = ms_bins_block(binder, number, (const uint64_t *)event, n, block, &err);

	if (code != MS_OK) {
		assert_int_equal(err.code, code);
		assert_memory_equal(err.text, "stream: ", 8);
	}
	return code;
}

static void blocks(void **state)
{
	struct ms_bins *binder = open_with_own();
	const struct ms_bins_bound_block *block, *again;
	struct block_event event = good_block();

	(void)state;
	assert_int_equal(add_block(binder, 0, &event, BLOCK_WORDS, &block), MS_OK);
	assert_int_equal(block->instructions, 3);
	assert_int_equal(block->refs, 2);
	assert_int_equal(block->exits, 2);
	assert_int_equal(block->exit_refs[0], 1);
	assert_int_equal(block->exit_instructions[1], 3);
	assert_int_equal(block->exit_made[1], 7);
	assert_int_equal(ms_bound_block_pc(block, 0).module, 0);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(ms_bound_block_pc(block, i).offset,
				 ms_bins_locate(binder, event.pc[i]).offset);
	assert_int_equal(ms_bins_sites(binder), 2);
	assert_int_equal(ms_bins_site(binder, block->ref[1].site)->kind, MS_WIRE_WRITE);
	assert_int_equal(ms_bins_site(binder, block->ref[1].site)->size, 4);

	/* Translated again: other block, same sites. */
	assert_int_equal(add_block(binder, 1, &event, BLOCK_WORDS, &again), MS_OK);
	assert_int_equal(ms_bins_sites(binder), 2);
	assert_int_equal(again->ref[0].site, block->ref[0].site);
	assert_int_equal(ms_bins_blocks(binder), 2);

	/* Two references of one instruction are two sites; so are a read and a write. */
	event.ref[1] = event.ref[0];
	assert_int_equal(add_block(binder, 2, &event, BLOCK_WORDS, &again), MS_OK);
	assert_int_equal(again->ref[0].site, block->ref[0].site);
	assert_int_not_equal(again->ref[1].site, again->ref[0].site);

	/* Code outside any module has addresses for offsets. */
	event = good_block();
	event.pc[0] = 0x1234;
	assert_int_equal(add_block(binder, 3, &event, BLOCK_WORDS, &again), MS_OK);
	assert_true(ms_bound_block_pc(again, 0).module == MS_BOUND_NO_MODULE);
	assert_int_equal(ms_bound_block_pc(again, 0).offset, 0x1234);
	assert_int_equal(ms_bound_block_pc(again, 1).module, 0);
	assert_int_equal(ms_bound_block_pc(again, 1).offset, ms_bound_block_pc(block, 1).offset);

	/* Addresses more than 2 GiB apart. */
	event.pc[0] = event.pc[1] = 0x1234;
	event.pc[2] = 0x1234 + (UINT64_C(1) << 40);
	assert_int_equal(add_block(binder, 4, &event, BLOCK_WORDS, &again), MS_OK);
	assert_int_equal(ms_bound_block_pc(again, 2).offset, event.pc[2]);
	ms_bins_close(binder);
}

#define AT .line = __LINE__

/* Longer than any record can be. */
static void large_blocks(void **state)
{
	uint64_t words[MS_WIRE_RESERVE_WORDS] = { MS_WIRE_RESERVE_WORDS - 2 };
	struct ms_bins *binder = open_with_own();
	const struct ms_bins_bound_block *block;
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_bins_block(binder, 0, words, MS_WIRE_RESERVE_WORDS - 1, &block, &err),
			 MS_OK);
	words[0]++;
	assert_int_equal(ms_bins_block(binder, 1, words, MS_WIRE_RESERVE_WORDS, &block, &err),
			 MS_EFORMAT);
	assert_string_equal(err.text, "stream: block 1: 1024 words, expected at most 1023");
	ms_bins_close(binder);
}

/* Registers by instruction are kept; malformed ones are refused. */
static void operands_of_blocks(void **state)
{
	static const uint64_t malformed[] = { UINT64_C(0xe) << 52, UINT64_C(1) << 58,
					      UINT64_C(1) << 48, UINT64_C(1) << 57 };
	struct {
		struct block_event event;
		uint64_t operands[INSTRUCTIONS];
	} with = { good_block(), { 0x1000000030002, 0, 0x30000000000041 } };
	struct ms_bins *binder = open_with_own();
	const struct ms_bins_bound_block *block;
	struct ms_err err;

	(void)state;
	assert_int_equal(add_block(binder, 0, &with.event, BLOCK_WORDS, &block), MS_OK);
	assert_null(block->operands);
	with.event.head.operands = 1;
	assert_int_equal(ms_bins_block(binder, 1, (const uint64_t *)&with,
				       BLOCK_WORDS + INSTRUCTIONS, &block, &err),
			 MS_OK);
	assert_memory_equal(block->operands, with.operands, sizeof(with.operands));
	assert_int_equal(block->ref[0].instruction, 0);
	assert_int_equal(block->ref[1].instruction, 2);
	assert_int_equal(block->exit_instructions[1], 3);
	ms_bins_omit_operands(binder);
	assert_int_equal(ms_bins_block(binder, 2, (const uint64_t *)&with,
				       BLOCK_WORDS + INSTRUCTIONS, &block, &err),
			 MS_OK);
	assert_null(block->operands);

	with.event.head.operands = 2;
	assert_int_equal(ms_bins_block(binder, 3, (const uint64_t *)&with,
				       BLOCK_WORDS + INSTRUCTIONS, &block, &err),
			 MS_EFORMAT);
	assert_string_equal(err.text, "stream: block 3: operands of kind 2, expected 0 or 1");
	with.event.head.operands = 1;
	for (size_t i = 0; i < MS_COUNT(malformed); i++) {
		with.operands[1] = malformed[i];
		assert_int_equal(ms_bins_block(binder, 3, (const uint64_t *)&with,
					       BLOCK_WORDS + INSTRUCTIONS, &block, &err),
				 MS_EFORMAT);
		assert_string_equal(err.text,
				    "stream: block 3: operands of instruction 1 are malformed");
	}
	assert_int_equal(ms_bins_blocks(binder), 3);
	ms_bins_close(binder);
}

/* Every one is refused, and the binder goes on as if it had never been. */
static void malformed_blocks(void **state)
{
	const struct {
		int line;
		uint32_t number;
		size_t words;
		struct ms_wire_block head;
		struct ms_wire_ref ref;
		struct ms_wire_exit exit;
	} cases[] = {
		/* Not the next number. */
		{ AT, 1, BLOCK_WORDS, { 3, 2, 2, 0 }, { 0, 8, 0, 0 }, { 1, 1, 0 } },
		{ AT, UINT32_MAX, BLOCK_WORDS, { 3, 2, 2, 0 }, { 0, 8, 0, 0 }, { 1, 1, 0 } },
		/* Nothing, or cut short. */
		{ AT, 0, 0, { 0, 0, 0, 0 }, { 0, 8, 0, 0 }, { 1, 1, 0 } },
		{ AT, 0, 1, { 3, 2, 2, 0 }, { 0, 8, 0, 0 }, { 1, 1, 0 } },
		{ AT, 0, BLOCK_WORDS - 1, { 3, 2, 2, 0 }, { 0, 8, 0, 0 }, { 1, 1, 0 } },
		/* Counts that do not fit. */
		{ AT, 0, BLOCK_WORDS, { 4, 2, 2, 0 }, { 0, 8, 0, 0 }, { 1, 1, 0 } },
		{ AT, 0, BLOCK_WORDS, { 2, 2, 2, 0 }, { 0, 8, 0, 0 }, { 1, 1, 0 } },
		{ AT, 0, BLOCK_WORDS, { 65535, 65535, 65535, 0 }, { 0, 8, 0, 0 }, { 1, 1, 0 } },
		/* No such instruction, no such kind. */
		{ AT, 0, BLOCK_WORDS, { 3, 2, 2, 0 }, { 3, 8, 0, 0 }, { 1, 1, 0 } },
		{ AT, 0, BLOCK_WORDS, { 3, 2, 2, 0 }, { UINT16_MAX, 8, 0, 0 }, { 1, 1, 0 } },
		{ AT, 0, BLOCK_WORDS, { 3, 2, 2, 0 }, { 0, 8, 3, 0 }, { 1, 1, 0 } },
		/* More executed than there is. */
		{ AT, 0, BLOCK_WORDS, { 3, 2, 2, 0 }, { 0, 8, 0, 0 }, { 3, 1, 0 } },
		{ AT, 0, BLOCK_WORDS, { 3, 2, 2, 0 }, { 0, 8, 0, 0 }, { 1, 4, 0 } },
	};
	struct ms_bins *binder = open_with_own();
	const struct ms_bins_bound_block *block;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct block_event event = good_block();

		event.head = cases[i].head;
		event.ref[0] = cases[i].ref;
		event.exit[0] = cases[i].exit;
		if (add_block(binder, cases[i].number, &event, cases[i].words, &block) !=
		    MS_EFORMAT)
			fail_msg("%s:%d: was not refused", __FILE__, cases[i].line);
		assert_int_equal(ms_bins_blocks(binder), 0);
		assert_int_equal(ms_bins_sites(binder), 0);
	}
	struct block_event event = good_block();
	assert_int_equal(add_block(binder, 0, &event, BLOCK_WORDS, &block), MS_OK);
	ms_bins_close(binder);
}

/* --- modules --- */

static const struct ms_bins_bound_range *range_of(const struct ms_bins_bound_ranges *ranges,
						  uintptr_t address)
{
	for (size_t i = 0; i < ranges->n; i++)
		if (address - ranges->at[i].start < ranges->at[i].end - ranges->at[i].start)
			return &ranges->at[i];
	return NULL;
}

static void modules(void **state)
{
	struct ms_bins *binder = ms_bins_open();
	struct ms_bins_bound_ranges ranges, again;
	char path[PATH_MAX] = "";
	struct ms_err err;

	(void)state;
	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	assert_int_equal(add_module(binder, 0, path, 0, &ranges, &err), MS_OK);
	assert_string_equal(ms_bins_module_path(binder, 0), path);
	assert_non_null(ms_bins_symbols(binder, 0));
	const struct ms_bins_bound_range *r =
		range_of(&ranges, (uintptr_t)&a_variable_of_this_test[49]);
	assert_non_null(r);
	assert_int_equal(r->start, (uintptr_t)a_variable_of_this_test);
	assert_int_equal(r->end - r->start, sizeof(a_variable_of_this_test));
	assert_int_equal(ms_bins_get_data(binder, r->data)->kind, MS_BOUND_VARIABLE);
	assert_string_equal(ms_bins_get_data(binder, r->data)->variable->name,
			    "a_variable_of_this_test");
	assert_int_equal(ms_bins_get_data(binder, r->data)->bytes, sizeof(a_variable_of_this_test));
	for (size_t i = 1; i < ranges.n; i++)
		assert_true(ranges.at[i].start >= ranges.at[i - 1].end);

	/* Unloaded and loaded again, elsewhere: the same data. */
	uint32_t data = r->data;
	ms_bins_module_gone(binder, 0);
	ms_bins_module_gone(binder, 77);
	assert_int_equal(add_module(binder, 1, path, 0x100000, &again, &err), MS_OK);
	r = range_of(&again, (uintptr_t)a_variable_of_this_test + 0x100000);
	assert_non_null(r);
	assert_int_equal(r->data, data);
	ms_bins_close(binder);
}

/* A file that is not there, or no ELF file, costs its names only. */
static void modules_without_a_file(void **state)
{
	static const char *const paths[] = { "/no/such/file", "/dev/null", "/etc/passwd", "", "/",
					     "/proc/self/mem" };
	struct ms_bins *binder = ms_bins_open();
	struct ms_bins_bound_ranges ranges;
	struct ms_err err;

	(void)state;
	for (uint32_t i = 0; i < MS_COUNT(paths); i++) {
		assert_int_equal(add_module(binder, i, paths[i], 0, &ranges, &err), MS_OK);
		assert_int_equal(ranges.n, 0);
		assert_null(ms_bins_symbols(binder, i));
		assert_string_equal(ms_bins_module_path(binder, i), paths[i]);
	}
	assert_null(ms_bins_symbols(binder, 1000));
	assert_null(ms_bins_symbols(binder, MS_BOUND_NO_MODULE));
	assert_string_equal(ms_bins_module_path(binder, MS_BOUND_NO_MODULE), "");
	ms_bins_tls(binder, 0x7000000, &ranges);
	ms_bins_close(binder);
}

static void malformed_modules(void **state)
{
	struct ms_wire_module wire[2] = {
		{ .text = 0x1000, .text_size = 0x1000, .path_bytes = 8 },
	};
	struct ms_bins *binder = ms_bins_open();
	struct ms_bins_bound_ranges ranges;
	struct ms_err err;

	(void)state;
	memcpy(&wire[1], "/no/file", 8);
	const uint64_t *words = (const uint64_t *)wire;
	assert_int_equal(ms_bins_module(binder, 1, words, 5, &ranges, &err), MS_EFORMAT);
	assert_int_equal(ms_bins_module(binder, 0, words, 0, &ranges, &err), MS_EFORMAT);
	assert_int_equal(ms_bins_module(binder, 0, words, 3, &ranges, &err), MS_EFORMAT);
	assert_int_equal(ms_bins_module(binder, 0, words, 4, &ranges, &err), MS_EFORMAT);
	wire[0].path_bytes = 9;
	assert_int_equal(ms_bins_module(binder, 0, words, 5, &ranges, &err), MS_EFORMAT);
	wire[0].path_bytes = UINT32_MAX;
	assert_int_equal(ms_bins_module(binder, 0, words, 5, &ranges, &err), MS_EFORMAT);
	wire[0].path_bytes = 8;
	assert_int_equal(ms_bins_module(binder, 0, words, 5, &ranges, &err), MS_OK);
	assert_string_equal(ms_bins_module_path(binder, 0), "/no/file");
	ms_bins_close(binder);
}

/* --- call paths --- */

static uint32_t next_path;

/* The data of memory allocated from a path, innermost call first, 0 at its end. */
static uint32_t heap_from(struct ms_bins *binder, const uint64_t *path)
{
	uint32_t data = 0;
	struct ms_err err;
	size_t n = 0;

	while (path[n] != 0)
		n++;
	assert_int_equal(ms_bins_path(binder, next_path, path, n, &err), MS_OK);
	assert_int_equal(ms_bins_heap(binder, next_path++, &data, &err), MS_OK);
	return data;
}

#define FROM(...) heap_from(binder, (const uint64_t[]){ __VA_ARGS__, 0 })

static void equal_paths_are_one(void **state)
{
	struct ms_bins *binder = open_with_own();

	(void)state;
	next_path = 0;
	uint32_t data = FROM(in(first, 5), in(second, 5), in(third, 5));

	assert_int_equal(ms_bins_get_data(binder, data)->kind, MS_BOUND_HEAP);
	assert_int_equal(FROM(in(first, 5), in(second, 5), in(third, 5)), data);
	/* Another call in any frame is another path. */
	assert_int_not_equal(FROM(in(first, 6), in(second, 5), in(third, 5)), data);
	assert_int_not_equal(FROM(in(first, 5), in(second, 6), in(third, 5)), data);
	assert_int_not_equal(FROM(in(first, 5), in(second, 5), in(third, 6)), data);
	assert_int_not_equal(FROM(in(first, 5), in(second, 5)), data);
	/* What the unwinder finds beyond the program's start does not count. */
	assert_int_equal(FROM(in(first, 5), in(second, 5), in(third, 5), 0x38, 0x1fff000728), data);

	struct ms_bins_bound_pc pcs[2];
	uint32_t node = ms_bins_get_data(binder, data)->node;
	assert_int_equal(ms_bins_node_path(binder, node, pcs, 2), 3);
	assert_int_equal(pcs[0].module, 0);
	assert_int_equal(pcs[1].offset - pcs[0].offset, in(second, 5) - in(first, 5));
	ms_bins_close(binder);
}

/* A path of too many calls ends with 0: it starts somewhere in a deep recursion. */
static void cut_paths_are_known_by_their_last_call(void **state)
{
	struct ms_bins *binder = open_with_own();
	const uint64_t paths[][3] = { { in(first, 5), in(second, 5), 0 },
				      { in(first, 5), in(third, 5), 0 } };
	uint32_t data[2];
	struct ms_err err;

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(ms_bins_path(binder, i, paths[i], 3, &err), MS_OK);
		assert_int_equal(ms_bins_heap(binder, i, &data[i], &err), MS_OK);
	}
	assert_int_equal(data[0], data[1]);
	next_path = 2;
	assert_int_equal(FROM(in(first, 5)), data[0]);
	assert_int_not_equal(FROM(in(first, 5), in(second, 5)), data[0]);
	ms_bins_close(binder);
}

/* It returns to what comes after the module. */
static void a_call_at_the_end_of_a_module(void **state)
{
	struct ms_bins *binder = open_with_own();
	struct own_module own = { 0 };
	struct ms_bins_bound_pc pcs[2];

	(void)state;
	next_path = 0;
	dl_iterate_phdr(find_own, &own);
	uint32_t data = FROM(own.text + own.text_size, in(first, 5));
	assert_int_equal(ms_bins_node_path(binder, ms_bins_get_data(binder, data)->node, pcs, 2),
			 2);
	assert_int_equal(pcs[0].module, 0);
	assert_int_equal(pcs[0].offset - pcs[1].offset, own.text + own.text_size - in(first, 5));
	ms_bins_close(binder);
}

static void recursion_is_folded(void **state)
{
	struct ms_bins *binder = open_with_own();
	uint64_t deep[MS_WIRE_MAX_PATH + 1];

	(void)state;
	next_path = 0;
	/* third calls first, which calls itself from two places. */
	uint32_t once = FROM(in(first, 9), in(third, 5));
	assert_int_equal(FROM(in(first, 9), in(first, 5), in(third, 5)), once);
	assert_int_equal(FROM(in(first, 9), in(first, 5), in(first, 5), in(third, 5)), once);
	assert_int_equal(FROM(in(first, 9), in(first, 5), in(first, 6), in(first, 5), in(third, 5)),
			 once);
	/* Another place of allocation, or another way in, is another data. */
	assert_int_not_equal(FROM(in(first, 8), in(first, 5), in(third, 5)), once);
	assert_int_not_equal(FROM(in(first, 9), in(first, 5), in(third, 6)), once);

	/* first and second call each other: two bins at most, whatever the depth. */
	uint32_t from_first = FROM(in(first, 9), in(second, 5), in(third, 5));
	for (size_t depth = 3; depth < MS_WIRE_MAX_PATH; depth += 2) {
		for (size_t i = 0; i < depth; i++)
			deep[i] = i == 0 ? in(first, 9) : i % 2 == 1 ? in(second, 5) : in(first, 5);
		deep[depth - 1] = in(third, 5);
		deep[depth] = 0;
		uint32_t data = heap_from(binder, deep);
		if (depth % 2 == 1)
			assert_int_equal(data, from_first);
	}
	ms_bins_close(binder);
}

/* Beyond the limit, paths share bins by their three innermost calls, and by one when there are as
 * many such bins. */
static void many_paths_share_bins(void **state)
{
	struct ms_bins *binder = open_with_own();
	struct ms_bins_bound_pc pcs[4];

	(void)state;
	next_path = 0;
	ms_bins_limit_paths(binder, 2);
	uint32_t one = FROM(in(first, 5), in(second, 5), in(third, 5), in(fourth, 5));
	uint32_t two = FROM(in(first, 5), in(second, 5), in(third, 5), in(fourth, 6));
	assert_int_not_equal(one, two);

	uint32_t shared = FROM(in(first, 5), in(second, 5), in(third, 5), in(fourth, 7));
	assert_int_equal(FROM(in(first, 5), in(second, 5), in(third, 5), in(fourth, 8)), shared);
	assert_int_not_equal(shared, one);
	assert_int_not_equal(shared, two);
	assert_int_equal(ms_bins_get_data(binder, shared)->paths, 2);
	assert_string_equal(ms_bins_get_data(binder, shared)->part, "other paths");
	assert_int_equal(ms_bins_node_path(binder, ms_bins_get_data(binder, shared)->node, pcs, 4),
			 3);
	/* Paths that are known stay what they were, and count once. */
	assert_int_equal(FROM(in(first, 5), in(second, 5), in(third, 5), in(fourth, 5)), one);
	assert_int_equal(FROM(in(first, 5), in(second, 5), in(third, 5), in(fourth, 8)), shared);
	assert_int_equal(ms_bins_get_data(binder, one)->paths, 0);
	assert_int_equal(ms_bins_get_data(binder, shared)->paths, 2);

	uint32_t other = FROM(in(first, 6), in(second, 5), in(third, 5), in(fourth, 7));
	assert_int_not_equal(other, shared);
	uint32_t inner = FROM(in(first, 9), in(second, 5), in(third, 5), in(fourth, 7));
	assert_int_equal(FROM(in(first, 9), in(third, 6), in(fourth, 7)), inner);
	assert_int_equal(ms_bins_node_path(binder, ms_bins_get_data(binder, inner)->node, pcs, 4),
			 1);
	ms_bins_close(binder);
}

/* Of the three calls, those of allocators and libraries are none. */
static void shared_bins_do_not_count_allocators(void **state)
{
	struct ms_bins *binder = open_with_own();

	(void)state;
	next_path = 0;
	ms_bins_limit_paths(binder, 2);
	FROM(in(fourth, 8)); /* these two have bins of their own */
	FROM(in(fourth, 9));
	uint32_t data = FROM(in(memspy_pool_alloc, 5), in(first, 5), in(second, 5), in(third, 5));
	assert_int_not_equal(
		FROM(in(memspy_pool_alloc, 5), in(first, 5), in(second, 5), in(fourth, 5)), data);
	ms_bins_close(binder);
}

/* Calls in three functions, each at one of three places, inside what lies in no module. */
static size_t random_path(uint64_t *seed, uint64_t *path)
{
	const uint64_t calls[] = { in(first, 5),  in(first, 6),  in(first, 9), in(second, 5),
				   in(second, 6), in(second, 9), in(third, 5), in(third, 6),
				   in(third, 9),  0x38,          0x1fff000728 };
	size_t n = 0, length = 1 + (*seed >> 40) % 7;

	for (; n < length; n++) {
		*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
		path[n] = calls[(*seed >> 33) % (n + 2 < length ? 9 : MS_COUNT(calls))];
	}
	return n;
}

static void assert_same_path(const struct ms_bins *a, uint32_t data_a, const struct ms_bins *b,
			     uint32_t data_b)
{
	struct ms_bins_bound_pc x[MS_WIRE_MAX_PATH], y[MS_WIRE_MAX_PATH];
	size_t n = ms_bins_node_path(a, ms_bins_get_data(a, data_a)->node, x, MS_WIRE_MAX_PATH);

	assert_int_equal(
		ms_bins_node_path(b, ms_bins_get_data(b, data_b)->node, y, MS_WIRE_MAX_PATH), n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(x[i].module, y[i].module);
		assert_int_equal(x[i].offset, y[i].offset);
	}
}

/* What the path before it was makes no difference: in one binder that has nothing in common. */
static void paths_do_not_depend_on_the_last(void **state)
{
	enum { GONE = 2000 };
	struct ms_bins *one = open_with_own(), *other = open_with_own();
	uint64_t seed = 1, path[8], unlike = 0x77;
	uint32_t x, y;
	struct ms_err err;
	size_t n = 0;

	(void)state;
	for (uint32_t i = 0; i < 3000; i++) {
		/* Where the module goes, the last path once more: its calls are elsewhere now. */
		if (i == GONE) {
			ms_bins_module_gone(one, 0);
			ms_bins_module_gone(other, 0);
		} else {
			do
				n = random_path(&seed, path);
			while (i + 1 == GONE && n < 4);
		}
		assert_int_equal(ms_bins_path(one, i, path, n, &err), MS_OK);
		assert_int_equal(ms_bins_heap(one, i, &x, &err), MS_OK);
		assert_int_equal(ms_bins_path(other, 2 * i, &unlike, 1, &err), MS_OK);
		assert_int_equal(ms_bins_path(other, 2 * i + 1, path, n, &err), MS_OK);
		assert_int_equal(ms_bins_heap(other, 2 * i + 1, &y, &err), MS_OK);
		assert_same_path(one, x, other, y);
	}
	ms_bins_close(one);
	ms_bins_close(other);
}

/* A front-end sends a path once, and does not notice that another library is there later. */
static void paths_follow_modules(void **state)
{
	enum { AWAY = 0x100000 };
	struct ms_bins *binder = open_with_own();
	struct ms_bins_bound_ranges ranges;
	struct ms_bins_bound_pc pcs[2];
	struct ms_err err;
	uint32_t now;

	(void)state;
	next_path = 0;
	uint32_t data = FROM(in(first, 5), in(second, 5));
	char *own = strdup(ms_bins_module_path(binder, 0));

	ms_bins_module_gone(binder, 0);
	assert_int_equal(ms_bins_heap(binder, 0, &now, &err), MS_OK);
	assert_int_equal(now, data);
	assert_int_equal(add_module(binder, 1, "/no/such/file", 0, &ranges, &err), MS_OK);
	assert_int_equal(ms_bins_heap(binder, 0, &now, &err), MS_OK);
	assert_int_not_equal(now, data);
	uint32_t node = ms_bins_get_data(binder, now)->node;
	assert_int_equal(ms_bins_node_path(binder, node, pcs, 2), 2);
	assert_int_equal(pcs[0].module, 1);
	assert_int_equal(pcs[1].module, 1);

	/* Loaded again, there or elsewhere, it is the same thing. */
	ms_bins_module_gone(binder, 1);
	assert_int_equal(add_module(binder, 2, own, 0, &ranges, &err), MS_OK);
	assert_int_equal(ms_bins_heap(binder, 0, &now, &err), MS_OK);
	assert_int_equal(now, data);
	ms_bins_module_gone(binder, 2);
	assert_int_equal(add_module(binder, 3, own, AWAY, &ranges, &err), MS_OK);
	assert_int_equal(FROM(in(first, 5) + AWAY, in(second, 5) + AWAY), data);
	ms_bins_close(binder);
	free(own);
}

static void mappings_are_apart(void **state)
{
	struct ms_bins *binder = open_with_own();
	uint32_t heap, mapping, again;
	uint64_t path = in(first, 5);
	struct ms_err err;

	(void)state;
	assert_int_equal(ms_bins_path(binder, 0, &path, 1, &err), MS_OK);
	assert_int_equal(ms_bins_heap(binder, 0, &heap, &err), MS_OK);
	assert_int_equal(ms_bins_mapping(binder, 0, &mapping, &err), MS_OK);
	assert_int_not_equal(heap, mapping);
	assert_int_equal(ms_bins_get_data(binder, mapping)->kind, MS_BOUND_MAPPING);
	assert_int_equal(ms_bins_mapping(binder, 0, &again, &err), MS_OK);
	assert_int_equal(again, mapping);

	uint32_t file = ms_bins_file(binder, "/etc/passwd");
	assert_int_equal(ms_bins_get_data(binder, file)->kind, MS_BOUND_FILE);
	assert_int_equal(ms_bins_file(binder, "/etc/passwd"), file);
	assert_int_not_equal(ms_bins_file(binder, "/etc/passwd2"), file);
	ms_bins_close(binder);
}

static void malformed_paths(void **state)
{
	struct ms_bins *binder = open_with_own();
	uint64_t words[MS_WIRE_MAX_PATH + 1];
	uint32_t data;
	struct ms_err err;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(words); i++)
		words[i] = in(first, 5);
	assert_int_equal(ms_bins_path(binder, 1, words, 2, &err), MS_EFORMAT);
	assert_int_equal(ms_bins_path(binder, 0, words, MS_WIRE_MAX_PATH + 1, &err), MS_EFORMAT);
	assert_int_equal(ms_bins_heap(binder, 0, &data, &err), MS_EFORMAT);
	assert_int_equal(ms_bins_mapping(binder, MS_WIRE_NO_PATH, &data, &err), MS_EFORMAT);
	/* Strange, but not wrong: no calls at all, calls in no module, the longest path. */
	assert_int_equal(ms_bins_path(binder, 0, words, 0, &err), MS_OK);
	words[0] = 0x10;
	words[1] = 0;
	assert_int_equal(ms_bins_path(binder, 1, words, 1, &err), MS_OK);
	assert_int_equal(ms_bins_path(binder, 2, words, 2, &err), MS_OK);
	assert_int_equal(ms_bins_path(binder, 3, words, MS_WIRE_MAX_PATH, &err), MS_OK);
	for (uint32_t path = 0; path < 4; path++)
		assert_int_equal(ms_bins_heap(binder, path, &data, &err), MS_OK);
	ms_bins_close(binder);
}

/* The data that exist from the start have their numbers, and texts. */
static void specials(void **state)
{
	struct ms_bins *binder = ms_bins_open();

	(void)state;
	assert_true(ms_bins_data_count(binder) >= MS_BOUND_SPECIALS);
	for (uint32_t i = 0; i < MS_BOUND_SPECIALS; i++) {
		const struct ms_bins_bound_data *data = ms_bins_get_data(binder, i);

		assert_non_null(data->text);
		assert_int_equal(data->kind == MS_BOUND_UNKNOWN, data->reason != NULL);
	}
	assert_int_equal(ms_bins_get_data(binder, MS_BOUND_FREED)->kind, MS_BOUND_UNKNOWN);
	assert_int_equal(ms_bins_get_data(binder, MS_BOUND_STACK)->kind, MS_BOUND_STACKS);
	ms_bins_close(binder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks),
		cmocka_unit_test(malformed_blocks),
		cmocka_unit_test(operands_of_blocks),
		cmocka_unit_test(large_blocks),
		cmocka_unit_test(modules),
		cmocka_unit_test(modules_without_a_file),
		cmocka_unit_test(malformed_modules),
		cmocka_unit_test(equal_paths_are_one),
		cmocka_unit_test(cut_paths_are_known_by_their_last_call),
		cmocka_unit_test(a_call_at_the_end_of_a_module),
		cmocka_unit_test(recursion_is_folded),
		cmocka_unit_test(paths_do_not_depend_on_the_last),
		cmocka_unit_test(paths_follow_modules),
		cmocka_unit_test(many_paths_share_bins),
		cmocka_unit_test(shared_bins_do_not_count_allocators),
		cmocka_unit_test(mappings_are_apart),
		cmocka_unit_test(malformed_paths),
		cmocka_unit_test(specials),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
