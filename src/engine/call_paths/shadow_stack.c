/* engine/call_paths/shadow_stack.c - see shadow_stack.h. */
#include "engine/call_paths/shadow_stack.h"

#include <string.h>

void ms_call_paths_free_stack(struct ms_call_paths_stack *stack)
{
	ms_vec_free(&stack->frames);
}

/* The newest frame whose call returns to target; its number plus 1, or 0. */
static size_t find_return(const struct ms_call_paths_stack *stack, uint64_t target)
{
	size_t i = stack->frames.n;

	while (i > 0 && !ms_call_paths_is_return_of(&stack->frames.at[i - 1], target))
		i--;
	return i;
}

static size_t find_call(const struct ms_call_paths_stack *stack, uint64_t pc)
{
	size_t i = stack->frames.n;

	while (i > 0 && stack->frames.at[i - 1].pc != pc)
		i--;
	return i;
}

static void drop_outer_half(struct ms_call_paths_stack *stack)
{
	size_t dropped = stack->frames.n / 2;

	if (stack->frames.at[dropped - 1].context != MS_CALL_PATHS_NOT_FOUND)
		stack->base = stack->frames.at[dropped - 1].context;
	stack->frames.n -= dropped;
	memmove(stack->frames.at, stack->frames.at + dropped,
		stack->frames.n * sizeof(*stack->frames.at));
}

/*
 * A call that has not returned cannot be made again, except in recursion. If the stack is unsure,
 * the frames from there on are assumed to be left over.
 */
static void forget_left_over(struct ms_call_paths_stack *stack, uint64_t pc)
{
	size_t same = find_call(stack, pc);

	if (same == 0)
		return;
	stack->frames.n = same - 1;
	stack->is_unsure = false;
}

void ms_call_paths_push(struct ms_call_paths_stack *stack, uint64_t pc, uint32_t call_site,
			uint64_t function)
{
	if (stack->is_unsure)
		forget_left_over(stack, pc);
	if (stack->frames.n >= MS_CALL_PATHS_MAX_DEPTH)
		drop_outer_half(stack);
	*ms_vec_add(&stack->frames) =
		(struct ms_call_paths_frame){ pc, function, call_site, MS_CALL_PATHS_NOT_FOUND };
}

void ms_call_paths_pop(struct ms_call_paths_stack *stack, uint64_t target)
{
	size_t found = find_return(stack, target);

	if (found > 0)
		stack->frames.n = found - 1;
	else if (stack->frames.n > 0 && !stack->is_partial)
		stack->is_unsure = true;
}

/* The newest call of this function; its number plus 1, or 0. */
static size_t find_function(const struct ms_call_paths_stack *stack, uint64_t function)
{
	size_t i = function != 0 ? stack->frames.n : 0;

	while (i > 0 && stack->frames.at[i - 1].function != function)
		i--;
	return i;
}

/*
 * Either the program returns from a call on another stack, or the target is in a function that has
 * not returned: its own calls, and all after them, have ended. A function that begins is neither:
 * the dynamic loader's resolver jumps to it after it has restored the stack pointer.
 */
void ms_call_paths_switch_stack(struct ms_call_paths_stack *stack, uint64_t target,
				uint64_t function)
{
	if (function != 0 && function == target)
		return;
	size_t found = find_return(stack, target);

	if (found == 0)
		found = find_function(stack, function);
	if (found > 0)
		stack->frames.n = found - 1;
	else
		stack->is_unsure = stack->frames.n > 0;
}
