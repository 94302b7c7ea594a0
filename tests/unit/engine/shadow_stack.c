/* The calls of a thread that have not returned: calls, returns, and what leaves functions
 * otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "engine/call_paths/contexts.h"
#include "engine/call_paths/shadow_stack.h"

/* Functions of a made-up program, 4 KiB each; a call takes 5 bytes. */
enum { MAIN = 0x100000, F = 0x101000, G = 0x102000, H = 0x103000, FAR = 0x7f0000000000, CALL = 5 };

/* A call in the function that contains pc. */
static void call(struct ms_call_paths_stack *stack, uint64_t pc)
{
	ms_call_paths_push(stack, pc, (uint32_t)pc, pc & ~UINT64_C(0xfff));
}

static void assert_frames(const struct ms_call_paths_stack *stack, size_t n, const uint64_t *pcs)
{
	assert_int_equal(stack->frames.n, n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(stack->frames.at[i].pc, pcs[i]);
}

/* main calls f, which calls g, which calls h. */
static void open_stack(struct ms_call_paths_stack *stack)
{
	*stack = (struct ms_call_paths_stack){ .base = MS_ENGINE_ROOT_CONTEXT };
	call(stack, MAIN + 16);
	call(stack, F + 16);
	call(stack, G + 16);
}

static void a_return_ends_the_newest_call(void **state)
{
	struct ms_call_paths_stack stack;

	(void)state;
	open_stack(&stack);
	ms_call_paths_pop(&stack, G + 16 + CALL);
	assert_frames(&stack, 2, (uint64_t[]){ MAIN + 16, F + 16 });
	assert_false(stack.is_unsure);
	ms_call_paths_free_stack(&stack);
}

/* A function that is left by a jump returns to the caller of the first one. */
static void a_tail_call_returns_to_the_caller(void **state)
{
	struct ms_call_paths_stack stack;

	(void)state;
	open_stack(&stack);
	call(&stack, H + 16); /* which jumps elsewhere, and returns from there */
	ms_call_paths_pop(&stack, H + 16 + CALL);
	assert_frames(&stack, 3, (uint64_t[]){ MAIN + 16, F + 16, G + 16 });
	ms_call_paths_free_stack(&stack);
}

static void a_return_to_an_older_call_ends_all_calls_after_it(void **state)
{
	struct ms_call_paths_stack stack;

	(void)state;
	open_stack(&stack);
	ms_call_paths_pop(&stack, MAIN + 16 + CALL);
	assert_frames(&stack, 0, NULL);
	ms_call_paths_free_stack(&stack);
}

/* A return from a function whose call was not seen: the program was attached to, for example. */
static void a_return_without_a_call_changes_nothing(void **state)
{
	struct ms_call_paths_stack stack = { .base = MS_ENGINE_ROOT_CONTEXT };

	(void)state;
	ms_call_paths_pop(&stack, MAIN + 64);
	assert_frames(&stack, 0, NULL);
	assert_false(stack.is_unsure);
	open_stack(&stack);
	ms_call_paths_pop(&stack, FAR);
	assert_frames(&stack, 3, (uint64_t[]){ MAIN + 16, F + 16, G + 16 });
	assert_true(stack.is_unsure);
	ms_call_paths_free_stack(&stack);
}

/* A deep stack is unwound in part only: returns from the missing calls are expected. */
static void a_return_without_a_call_leaves_an_unwound_stack_sure(void **state)
{
	struct ms_call_paths_stack stack;

	(void)state;
	open_stack(&stack);
	stack.is_partial = true;
	ms_call_paths_pop(&stack, FAR);
	assert_frames(&stack, 3, (uint64_t[]){ MAIN + 16, F + 16, G + 16 });
	assert_false(stack.is_unsure);
	ms_call_paths_free_stack(&stack);
}

/* longjmp() to f, where setjmp() was called, which has returned since. */
static void longjmp_returns_to_the_function_of_its_target(void **state)
{
	struct ms_call_paths_stack stack;

	(void)state;
	open_stack(&stack);
	call(&stack, H + 32); /* longjmp() */
	ms_call_paths_switch_stack(&stack, F + 8, F);
	assert_frames(&stack, 1, (uint64_t[]){ MAIN + 16 });
	ms_call_paths_pop(&stack, MAIN + 16 + CALL);
	assert_frames(&stack, 0, NULL);
	ms_call_paths_free_stack(&stack);
}

/* Where the function of the handler is not known, the stack still does not grow with each
 * exception. */
static void a_loop_of_exceptions_does_not_grow_the_stack(void **state)
{
	struct ms_call_paths_stack stack = { .base = MS_ENGINE_ROOT_CONTEXT };

	(void)state;
	call(&stack, FAR + 16);
	for (int i = 0; i < 100; i++) {
		call(&stack, MAIN + 16);
		call(&stack, F + 16); /* __cxa_throw() */
		call(&stack, FAR + 0x100010);
		ms_call_paths_switch_stack(&stack, MAIN - 0x7ffe0, i % 2 == 0 ? 0 : MAIN - 0x80000);
		assert_true(stack.frames.n <= 8);
	}
	call(&stack, MAIN + 16);
	assert_frames(&stack, 2, (uint64_t[]){ FAR + 16, MAIN + 16 });
	ms_call_paths_free_stack(&stack);
}

/* The dynamic loader restores the stack pointer, and jumps to the function that it found. */
static void a_function_that_begins_after_a_switch_returns_to_its_caller(void **state)
{
	struct ms_call_paths_stack stack;

	(void)state;
	open_stack(&stack);
	call(&stack, H + 32);
	ms_call_paths_switch_stack(&stack, FAR, FAR);
	assert_false(stack.is_unsure);
	ms_call_paths_pop(&stack, H + 32 + CALL);
	assert_frames(&stack, 3, (uint64_t[]){ MAIN + 16, F + 16, G + 16 });
	ms_call_paths_free_stack(&stack);
}

/* Two coroutines, which switch by a function that returns on the other one's stack. */
static void coroutines_return_to_their_own_calls(void **state)
{
	struct ms_call_paths_stack stack = { .base = MS_ENGINE_ROOT_CONTEXT };

	(void)state;
	call(&stack, MAIN + 16); /* switches to g */
	for (int i = 0; i < 10; i++) {
		ms_call_paths_switch_stack(&stack, FAR * 2 + 64, FAR * 2);
		call(&stack, FAR * 2 + 96);                                 /* switches to main */
		ms_call_paths_switch_stack(&stack, MAIN + 16 + CALL, MAIN); /* returns there */
		assert_frames(&stack, 0, NULL);
		call(&stack, MAIN + 16);
	}
	ms_call_paths_free_stack(&stack);
}

static void a_very_deep_stack_keeps_its_newest_calls(void **state)
{
	struct ms_call_paths_stack stack = { .base = MS_ENGINE_ROOT_CONTEXT };

	(void)state;
	for (uint64_t i = 0; i < 3 * MS_CALL_PATHS_MAX_DEPTH; i++)
		call(&stack, F + i % 16);
	assert_true(stack.frames.n <= MS_CALL_PATHS_MAX_DEPTH);
	assert_int_equal(stack.frames.at[stack.frames.n - 1].pc,
			 F + (3 * MS_CALL_PATHS_MAX_DEPTH - 1) % 16);
	ms_call_paths_free_stack(&stack);
}

/* --- contexts --- */

static void equal_stacks_have_equal_contexts(void **state)
{
	struct ms_call_paths_contexts contexts;
	struct ms_call_paths_stack one, other;

	(void)state;
	ms_call_paths_open_contexts(&contexts, 100, 1);
	open_stack(&one);
	open_stack(&other);
	uint32_t context = ms_call_paths_find_context(&contexts, &one);
	assert_int_equal(ms_call_paths_find_context(&contexts, &other), context);
	assert_int_equal(contexts.at.at[context].call_site, G + 16);
	ms_call_paths_pop(&other, G + 16 + CALL);
	assert_int_equal(ms_call_paths_find_context(&contexts, &other),
			 contexts.at.at[context].parent);
	ms_call_paths_free_stack(&one);
	ms_call_paths_free_stack(&other);
	ms_call_paths_close_contexts(&contexts);
}

static void recursion_has_the_context_of_its_outermost_call(void **state)
{
	struct ms_call_paths_contexts contexts;
	struct ms_call_paths_stack stack;

	(void)state;
	ms_call_paths_open_contexts(&contexts, 100, 1);
	open_stack(&stack);
	uint32_t context = ms_call_paths_find_context(&contexts, &stack);
	for (int i = 0; i < 50; i++) {
		call(&stack, H + 16);
		call(&stack, F + 16);
		call(&stack, G + 16);
	}
	assert_int_equal(ms_call_paths_find_context(&contexts, &stack), context);
	assert_int_equal(contexts.at.n, MS_ENGINE_SPECIAL_CONTEXTS + 4);
	ms_call_paths_free_stack(&stack);
	ms_call_paths_close_contexts(&contexts);
}

/* 100 call sites; every tenth has 50 misses, the others one. */
static void contexts_with_few_misses_are_pruned_and_sums_stay_exact(void **state)
{
	struct ms_call_paths_contexts contexts;
	struct ms_engine_totals totals = { .cells = MS_VEC_INIT };
	uint64_t sums[2] = { 0, 0 }, named = 0;

	(void)state;
	ms_call_paths_open_contexts(&contexts, 40, 2);
	for (uint32_t i = 0; i < 100; i++) {
		struct ms_call_paths_stack stack = { .base = MS_ENGINE_ROOT_CONTEXT };

		call(&stack, MAIN + 32 * i);
		for (uint32_t k = 0; k < (i % 10 == 0 ? 50 : 1); k++) {
			struct ms_call_paths_row row = {
				ms_call_paths_find_context(&contexts, &stack), i % 3, i % 2
			};

			ms_call_paths_count_miss(&contexts, &row, 1 + i % 2);
		}
		ms_call_paths_flush_misses(&contexts);
		if (ms_call_paths_is_full(&contexts))
			ms_call_paths_prune(&contexts);
		ms_call_paths_free_stack(&stack);
	}
	assert_true(contexts.pruned > 0);
	ms_call_paths_list_contexts(&contexts, &totals);
	for (size_t i = 0; i < totals.path_misses.n; i++) {
		const struct ms_engine_total_path_miss *m = &totals.path_misses.at[i];

		sums[m->level] += m->misses;
		if (m->context >= MS_ENGINE_SPECIAL_CONTEXTS && m->level == 0 &&
		    (totals.contexts.at[m->context].call_site - MAIN) / 32 % 10 == 0)
			named += m->misses;
	}
	assert_true(totals.contexts.n <= 41);
	assert_int_equal(sums[0], 10 * 50 + 90);
	assert_int_equal(sums[1], 50);
	assert_int_equal(named, 10 * 50);
	ms_vec_free(&totals.contexts);
	ms_vec_free(&totals.path_misses);
	ms_call_paths_close_contexts(&contexts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_return_ends_the_newest_call),
		cmocka_unit_test(a_tail_call_returns_to_the_caller),
		cmocka_unit_test(a_return_to_an_older_call_ends_all_calls_after_it),
		cmocka_unit_test(a_return_without_a_call_changes_nothing),
		cmocka_unit_test(a_return_without_a_call_leaves_an_unwound_stack_sure),
		cmocka_unit_test(longjmp_returns_to_the_function_of_its_target),
		cmocka_unit_test(a_loop_of_exceptions_does_not_grow_the_stack),
		cmocka_unit_test(a_function_that_begins_after_a_switch_returns_to_its_caller),
		cmocka_unit_test(coroutines_return_to_their_own_calls),
		cmocka_unit_test(a_very_deep_stack_keeps_its_newest_calls),
		cmocka_unit_test(equal_stacks_have_equal_contexts),
		cmocka_unit_test(recursion_has_the_context_of_its_outermost_call),
		cmocka_unit_test(contexts_with_few_misses_are_pruned_and_sums_stay_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
