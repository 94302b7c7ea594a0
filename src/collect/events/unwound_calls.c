/*
 * collect/events/unwound_calls.c - the calls of a thread that have not returned where it enters a
 * window, or where a timer has stopped it, as the front-end has unwound them.
 */
#include "base/map.h"
#include "bins/registers.h"
#include "collect/events/events.h"
#include "wire/operands.h"

/* Calls have 4 bytes where a register holds the return address; else any byte of the call will do.
 */
static uint64_t find_call(uint64_t return_pc)
{
	return return_pc - (ms_bins_link_register != MS_WIRE_NO_REGISTER ? 4 : 1);
}

static const struct ms_engine_stack *make_stack(struct ms_collect_state *c,
						const struct ms_collect_event *e)
{
	struct ms_engine_stack *stack = ms_arena_take(&c->binding.arena, sizeof(*stack));
	struct ms_engine_call *calls = ms_arena_take(&c->binding.arena, e->n * sizeof(*calls));

	for (size_t i = 0; i < e->n; i++) {
		uint64_t pc = find_call(e->words[e->n - 1 - i]);

		calls[i] = (struct ms_engine_call){ pc, ms_bins_function(c->binding.binder, pc),
						    ms_bins_call_site(c->binding.binder, pc) };
	}
	*stack = (struct ms_engine_stack){ (uint32_t)e->n, calls };
	return stack;
}

/* The context of the thread's next sample. */
static void bind_sampled_calls(struct ms_collect_state *c, const struct ms_collect_event *e,
			       struct ms_collect_bound_event *b)
{
	b->data = MS_PATH_ROOT;
	for (size_t i = e->n; i-- > 0;)
		b->data = ms_hardware_add_call(
			&c->hardware->paths, b->data,
			ms_bins_locate(c->binding.binder, find_call(e->words[i])));
}

/*
 * Windows often begin with the same calls. The same addresses are the same calls, as long as no
 * module comes or goes.
 */
static int bind_calls(struct ms_collect_state *c, const struct ms_collect_event *e,
		      struct ms_collect_bound_event *b, struct ms_err *err)
{
	uint64_t hash = e->n, other = ms_bins_count_module_changes(c->binding.binder);

	(void)err;
	if (ms_collect_is_measured(c)) {
		bind_sampled_calls(c, e, b);
		return MS_OK;
	}
	if (!c->setup.limits.call_paths)
		return MS_OK;
	for (size_t i = 0; i < e->n; i++) {
		hash = ms_hash(hash, e->words[i]);
		other = ms_hash(e->words[i], other);
	}
	uint32_t *number = ms_map_at(&c->binding.stack_of, hash, other);
	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)c->binding.stacks.n;
		*ms_vec_add(&c->binding.stacks) = make_stack(c, e);
	}
	b->stack = c->binding.stacks.at[*number];
	return MS_OK;
}

static void apply_calls(struct ms_collect_worker *w, const struct ms_collect_event *e,
			const struct ms_collect_bound_event *b)
{
	if (ms_collect_is_measured(w->collector) && w->number == 0)
		ms_hardware_set_context(&w->collector->hardware->paths, e->arg, b->data);
	if (b->stack == NULL)
		return;
	EACH_SHARD(w, shard)
		ms_engine_set_calls(shard, e->arg, b->stack);
}

const struct ms_collect_handler ms_collect_event_calls = { "calls", 0, bind_calls, apply_calls };
