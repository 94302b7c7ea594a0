/* engine/loop.c - what a loop has in common on all processors: see loop.h. */
#include "engine/loop.h"

const struct loop_way *ms_loop_choose(void)
{
	const struct loop_way *way = ms_loop_ways;

	while (way->works != NULL && !way->works())
		way++;
	return way;
}

const uint64_t *ms_loop_take_none(struct loop *loop, const uint64_t *at, const uint64_t *end)
{
	(void)loop;
	(void)end;
	return at;
}

/* The reference nearest before it that has met the same place; itself, if no other has. */
static void follow(struct loop *loop, uint32_t i)
{
	const struct slot *slots = loop->exit->slots;
	uint32_t k = i;

	do
		k = (k == 0 ? loop->refs : k) - 1;
	while (k != i && slots[k].place != slots[i].place);
	loop->leader[i] = k < i ? k : k + MS_LOOP_REFS;
	loop->leader_at[i] = 1 + k + (k < i ? loop->refs + 1 : 0);
}

/* What slots have met last changes only when they are bound: see ms_loop_sift_plainly(). */
static void learn(struct loop *loop)
{
	for (uint32_t i = 0; i < MS_LOOP_REFS; i++) {
		bool made = i < loop->refs;
		const struct slot *slot = &loop->exit->slots[made ? i : 0];

		loop->start[i] = made ? slot->place->start : 0;
		loop->size[i] = made ? slot->place->size : INT64_MAX;
		loop->room[i] = made ? slot->room : MS_LOOP_LINE;
		if (made)
			follow(loop, i);
	}
}

bool ms_loop_is_calm(const struct loop *loop, const uint64_t *turn)
{
	const struct ms_shard *shard = loop->shard;

	for (uint32_t i = 1; i <= loop->refs; i++) {
		uint64_t line = turn[i] >> MS_LOOP_SHIFT;

		if (shard->recent[line & shard->first.mask] != line)
			return false;
	}
	return true;
}

void ms_loop_sift_plainly(struct loop *loop, const struct turns *turns, uint64_t turn,
			  uint32_t from)
{
	for (;; from = 0, loop->exit->count++) {
		const uint64_t *at = turns->at + turn * (loop->refs + 1);

		loop->out = ms_sieve_meet(loop->shard, loop->exit, at + 1, from, loop->out);
		if (++turn >= turns->n)
			break;
	}
	learn(loop);
}

const uint64_t *ms_loop_sift(struct ms_shard *shard, struct shard_exit *exit, const uint64_t *at,
			     const uint64_t *end, struct doubt **out)
{
	struct loop loop = {
		.shard = shard, .exit = exit, .head = *at, .refs = (uint32_t)exit->refs, .out = *out
	};

	learn(&loop);
	at = shard->loop_way->run(&loop, at, end);
	*out = loop.out;
	return at;
}
