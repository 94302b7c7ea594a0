/*
 * collect/add_processors.c - simulates one processor until the program starts its first thread, and
 * several from then on.
 *
 * The native front-end gives each thread a lane when the first one is started. From then on the
 * merger writes the ring's chunks, and its first chunk is where processors are added.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "collect/collect_priv.h"
#include "engine/add_processors.h"

bool ms_collect_needs_processors(const struct ms_collect_state *c, uint32_t k)
{
	uint64_t first = c->setup.several != NULL
				 ? __atomic_load_n(&c->sim.first_merged, __ATOMIC_SEQ_CST)
				 : 0;

	return first != 0 && (uint32_t)(first - 1) == k &&
	       __atomic_load_n(&c->sim.added.number, __ATOMIC_SEQ_CST) == 0;
}

void ms_collect_add_processors(struct ms_collect_state *c)
{
	c->sim.instructions =
		ms_engine_add_processors(c->sim.engines[0], c->setup.several, MS_NAME_CLOCKS_ALONE);
	ms_collect_counter_set(&c->sim.added, 1);
}

static bool has_several(const struct ms_collect_state *c)
{
	return __atomic_load_n(&c->sim.added.number, __ATOMIC_SEQ_CST) != 0;
}

const struct ms_machine *ms_collect_simulated_machine(const struct ms_collect_state *c,
						      size_t machine)
{
	return has_several(c) ? c->setup.several : c->setup.machines[machine];
}

/* --- how many, and why: part of the machine's origin --- */

/* Before changes by options, which end the sentence. */
static void add_to_origin(struct ms_run *run, const char *text)
{
	const char *changes = strstr(run->machine_origin, "; with --");
	size_t n = changes != NULL ? (size_t)(changes - run->machine_origin)
				   : strlen(run->machine_origin);

	run->machine_origin = ms_arena_printf(&run->arena, "%.*s, %s%s", (int)n,
					      run->machine_origin, text, run->machine_origin + n);
}

void ms_collect_describe_processors(const struct ms_collect_state *c, struct ms_run *run)
{
	if (has_several(c)) {
		size_t threads = ms_name_clocks_threads(c->sim.clocks[0]) - 1;

		ms_collect_set_processors(c->setup.several, run);
		run->seed = c->setup.seed;
		add_to_origin(
			run, ms_arena_printf(&run->arena,
					     "%" PRIu32 " processors since the program started %zu "
					     "thread%s",
					     run->processors, threads, threads == 1 ? "" : "s"));
	} else if (c->setup.why_one != NULL && c->windows.has_threads) {
		add_to_origin(run, ms_arena_printf(&run->arena,
						   "1 processor for all threads since %s; "
						   "choose with --processors N",
						   c->setup.why_one));
	}
}
