/* block.c - blocks of translated code, described once each; exits are counted over all of them. */
#include "runtime.h"

static uint32_t next_block, next_exit;
static struct ms_lock lock;

uint32_t ms_block_describe(struct ms_thread *t, const uint64_t *pcs, uint32_t instructions,
			   const struct ms_wire_ref *refs, uint32_t ref_count,
			   const struct ms_wire_exit *exits, uint32_t exit_count)
{
	uint64_t words[MS_WIRE_RESERVE_WORDS];
	struct ms_wire_block head = { (uint16_t)instructions, (uint16_t)ref_count,
				      (uint16_t)exit_count, 0 };
	uint32_t n = 0;

	ms_copy(&words[n++], &head, sizeof(head));
	ms_copy(&words[n], pcs, instructions * 8);
	n += instructions;
	ms_copy(&words[n], refs, ref_count * 8);
	n += ref_count;
	ms_copy(&words[n], exits, exit_count * 8);
	n += exit_count;

	ms_lock(&lock);
	uint32_t first = next_exit;
	next_exit += exit_count;
	for (uint32_t i = 0; i < exit_count; i++)
		ms_lane_exit(first + i, exits[i].instructions);
	ms_lane_event(t, MS_WIRE_BLOCK, next_block++, words, n, NULL, 0);
	ms_unlock(&lock);
	return first;
}

void ms_block_restart(void)
{
	next_block = 0;
	next_exit = 0;
	lock.state = 0;
}
