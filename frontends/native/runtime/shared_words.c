/* shared_words.c - data that memspy and the runtime exchange outside of the lanes, in the head of
 * the stream. */
#include "runtime/lanes.h"
#include "runtime/lanes_priv.h"
#include "wire/wire.h"

uint64_t ms_runtime_read_window_plan(void)
{
	const struct ms_wire_stream *stream = ms_runtime_get_stream();

	return stream != NULL ? __atomic_load_n(&stream->pace, __ATOMIC_RELAXED) : 0;
}

uint64_t ms_runtime_find_wanted_site(uint64_t stop)
{
	const struct ms_wire_wanted *w =
		(const struct ms_wire_wanted *)((uint8_t *)ms_runtime_get_stream() +
						MS_WIRE_WANTED_AT) +
		ms_wire_wanted_at(stop);

	for (uint32_t i = 0; i < MS_WIRE_WANTED_NEAR; i++)
		if (__atomic_load_n(&w[i].stop, __ATOMIC_ACQUIRE) == stop)
			return w[i].site;
	return 0;
}

void ms_runtime_set_exit_instructions(uint32_t exit, uint32_t instructions)
{
	struct ms_wire_stream *stream = ms_runtime_get_stream();

	if (!ms_runtime_is_stream_closed() && stream->exits_at != 0 && exit < MS_WIRE_EXITS)
		((uint16_t *)((uint8_t *)stream + stream->exits_at))[exit] = (uint16_t)instructions;
}

void ms_runtime_count_unreachable(bool other_namespace, uint32_t more)
{
	if (!ms_runtime_is_stream_closed())
		__atomic_add_fetch(&ms_runtime_get_stream()->unreached[other_namespace], more,
				   __ATOMIC_SEQ_CST);
}
