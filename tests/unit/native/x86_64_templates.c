/* Templates of instructions: code of the C library that is found by its bytes is the same
 * instruction as when it is decoded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#if defined(__x86_64__)
#include <link.h>
#include <string.h>

#include "base/compiler.h"

#include "../../../frontends/native/tracer/x86-64/instruction_decoder.c"
#include "../../../frontends/native/tracer/x86-64/instruction_templates.c"

/* --- what the decoder needs of the runtime --- */

struct ms_runtime_config ms_runtime_config;

void *ms_runtime_map_pages(size_t bytes)
{
	return calloc(1, bytes);
}

bool ms_runtime_are_bytes_equal(const void *a, const void *b, size_t n)
{
	return memcmp(a, b, n) == 0;
}

bool ms_maps_is_stable_code(uint64_t pc, uint64_t *start, uint64_t *end)
{
	(void)pc;
	(void)start;
	(void)end;
	return false;
}

uint64_t ms_tracer_get_copied_bytes(uint64_t pc)
{
	(void)pc;
	return 0;
}

const void *ms_tracer_get_code_bytes(uint64_t pc)
{
	return (const void *)pc;
}

uint64_t ms_tracer_find_operands(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *op)
{
	(void)op;
	return (uint64_t)z->mnemonic << 8 | z->operand_count;
}

/* --- */

static bool are_equal(const struct ms_tracer_insn *a, const struct ms_tracer_insn *b)
{
	const size_t n = offsetof(struct ms_tracer_memory_ref, fs) + 1;

	for (uint32_t k = 0; k < MS_TRACER_INSN_REFS; k++)
		if (memcmp(&a->ref[k], &b->ref[k], n) != 0)
			return false;
	return memcmp(a, b, offsetof(struct ms_tracer_insn, ref)) == 0;
}

struct sums {
	uint64_t instructions, found;
};

static void compare_code(const uint8_t *code, const uint8_t *end, struct sums *sums)
{
	while (end - code >= MS_TRACER_TEMPLATE_BYTES) {
		struct ms_tracer_insn in, found;

		decode(&in, (uint64_t)code, MS_TRACER_INSN_BYTES);
		if (ms_tracer_find_template(&found, (uint64_t)code, code)) {
			assert_true(are_equal(&in, &found));
			sums->found++;
		} else {
			ms_tracer_add_template(&in, code);
		}
		sums->instructions++;
		code += in.length != 0 ? in.length : 1;
	}
}

static int compare_object(struct dl_phdr_info *object, size_t size, void *sums)
{
	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		const uint8_t *at = (const uint8_t *)(object->dlpi_addr + segment->p_vaddr);

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) &&
		    strstr(object->dlpi_name, "libc.so") != NULL)
			compare_code(at, at + segment->p_filesz, sums);
	}
	return 0;
}

static void templates_are_what_is_decoded(void **state)
{
	struct sums sums = { 0, 0 };

	(void)state;
	ms_tracer_start_decoder();
	dl_iterate_phdr(compare_object, &sums);
	assert_true(sums.instructions > 100000);
	assert_true(sums.found > sums.instructions / 2);
}

static void find_after(const char *kept, const char *code, bool expected)
{
	struct ms_tracer_insn in, found, again;
	uint8_t bytes[2][MS_TRACER_TEMPLATE_BYTES + 1] = { { 0 } };

	memcpy(bytes[0], kept, strlen(kept));
	memcpy(bytes[1], code, strlen(code));
	memset(templates, 0, sizeof(*templates) << MOST_BITS);
	decode(&in, (uint64_t)bytes[0], MS_TRACER_INSN_BYTES);
	ms_tracer_add_template(&in, bytes[0]);
	assert_int_equal(ms_tracer_find_template(&found, (uint64_t)bytes[1], bytes[1]), expected);
	decode(&again, (uint64_t)bytes[1], MS_TRACER_INSN_BYTES);
	assert_true(!expected || are_equal(&found, &again));
}

static void displacements_may_differ(void **state)
{
	(void)state;
	ms_tracer_start_decoder();
	find_after("\xe8\x10\x20\x30\x40", "\xe8\xff\xff\xff\xff", true);         /* call */
	find_after("\x0f\x84\x10\x20\x30\x40", "\x0f\x84\xf0\xff\xff\xff", true); /* je */
	find_after("\x74\x10", "\x74\x10\x90", true);                             /* je, short */
	find_after("\x74\x10", "\x74\x11", false);
	find_after("\x48\x8b\x05\x10\x20\x30\x40", "\x48\x8b\x05\xf0\xff\xff\xff", true);
	find_after("\xc7\x05\x10\x20\x30\x40\x07\x07\x07\x07",
		   "\xc7\x05\x11\x20\x30\x40\x07\x07\x07\x07", true); /* mov dword [rip], 7 */
	find_after("\xc7\x05\x10\x20\x30\x40\x07\x07\x07\x07",
		   "\xc7\x05\x10\x20\x30\x40\x08\x07\x07\x07", false);
	find_after("\x48\x8b\x43\x10", "\x48\x8b\x43\x10", true); /* mov rax, [rbx + 16] */
	find_after("\x48\x8b\x43\x10", "\x48\x8b\x43\x18", false);
}

/* After the instructions that rotate rdi this one calls memspy: include/memspy.h. */
static void requests_have_no_template(void **state)
{
	(void)state;
	ms_tracer_start_decoder();
	find_after("\x48\x87\xdb", "\x48\x87\xdb", false); /* xchg rbx, rbx */
	find_after("\x48\x87\xd8", "\x48\x87\xd8", true);
	find_after("\x0f\x0b", "\x0f\x0b", false); /* ud2: not understood */
}
#else
static void templates_are_what_is_decoded(void **state)
{
	(void)state;
	skip();
}
#define displacements_may_differ  templates_are_what_is_decoded
#define requests_have_no_template templates_are_what_is_decoded
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(templates_are_what_is_decoded),
		cmocka_unit_test(displacements_may_differ),
		cmocka_unit_test(requests_have_no_template),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
