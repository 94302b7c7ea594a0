/*
 * engine/loop.h - a loop of one block, some turns at a time.
 *
 * While a block is left by the same exit again and again, each of its references mostly stays in
 * the line that it met in the turn before; and that line is still the most recent one of its set,
 * unless another reference of the loop brought one into the same set. Or it follows the reference
 * before it that uses the same data, as a store behind a load. So the lines of all references of a
 * turn are compared at once, with those of the turn before and of those that they may follow, and
 * only those that are neither are met as the sieve meets them. Where one of these takes the place
 * of a line that another reference is on, the sieve goes on reference by reference.
 */
#ifndef MS_ENGINE_LOOP_H
#define MS_ENGINE_LOOP_H

#include "engine/engine_priv.h"

/* So many references has a block at most, for its turns to be compared; and turns are taken at
 * once.
 */
enum { MS_LOOP_REFS = 8, MS_LOOP_TURNS = 8 };

/* Lines of the first level have so many bits: others are rare, and a constant is faster. */
enum { MS_LOOP_SHIFT = 6, MS_LOOP_LINE = 1 << MS_LOOP_SHIFT };

struct loop {
	struct ms_shard *shard;
	struct shard_exit *exit;
	uint64_t head; /* what each turn begins with */
	uint32_t refs;
	struct doubt *out;
	/* By reference, what its address must be like for its data to be known, and its line the
	 * only one; of those that the block does not make: anything. */
	uint64_t start[MS_LOOP_REFS] MS_ALIGNED(64);
	uint64_t size[MS_LOOP_REFS];
	uint64_t room[MS_LOOP_REFS];
	/* The one that it follows: a number in this turn, or MS_LOOP_REFS more in that before; and
	 * how many words behind the beginning of the turn before its address stands. */
	uint64_t leader[MS_LOOP_REFS];
	uint64_t leader_at[MS_LOOP_REFS];
};

/* Some turns. */
struct turns {
	const uint64_t *at; /* the first one */
	uint64_t n;
	uint64_t
		changed; /* by turn MS_LOOP_REFS bits: references that are on a line of their own */
	bool odd;        /* there are addresses that are not as the loop says */
};

/* One way to do it: takes turns while there are some, and returns where the rest of the stream
 * begins. The turn before the first one has been sifted. */
struct loop_way {
	bool (*works)(void); /* on this processor */
	const uint64_t *(*run)(struct loop *loop, const uint64_t *at, const uint64_t *end);
};

/* The fastest first; the last one always works, and does nothing. */
extern const struct loop_way ms_loop_ways[];
const struct loop_way *ms_loop_choose(void);

/* Whether turns of the exit can be compared. */
MS_INLINE bool ms_loop_suits(const struct shard_exit *exit)
{
	return exit->refs - 1 < MS_LOOP_REFS;
}
const uint64_t *ms_loop_sift(struct ms_shard *shard, struct shard_exit *exit, const uint64_t *at,
			     const uint64_t *end, struct doubt **out);

/* --- for the architectures --- */

/* What comes of up to MS_LOOP_TURNS turns; n is 0 where there is none, or the end is too near. */
typedef struct turns (*ms_compare_fn)(const struct loop *loop, const uint64_t *at,
				      const uint64_t *end);
/* Whether a reference other than the one given is on the line, in the turn or in that before. */
typedef bool (*ms_is_held_fn)(const struct loop *loop, const uint64_t *turn, unsigned but,
			      uint64_t line);

/* loop.c: the way of processors that have nothing to compare with. */
const uint64_t *ms_loop_take_none(struct loop *loop, const uint64_t *at, const uint64_t *end);

/* loop.c: whether the line of each reference of the turn is the most recent of its set. */
bool ms_loop_is_calm(const struct loop *loop, const uint64_t *turn);
/* loop.c: turns from the number given on, of the first one references from the number given on. */
void ms_loop_sift_plainly(struct loop *loop, const struct turns *turns, uint64_t turn,
			  uint32_t from);

/* References of which nothing is known but that their lines have changed. False: one has taken the
 * place of another one's line, and what is behind it was sifted plainly. */
MS_INLINE bool ms_loop_meet(struct loop *loop, const struct turns *turns, ms_is_held_fn is_held)
{
	struct ms_shard *shard = loop->shard;
	struct doubt *out = loop->out;

	for (uint64_t left = turns->changed; left != 0; left &= left - 1) {
		unsigned bit = (unsigned)__builtin_ctzll(left), i = bit % MS_LOOP_REFS;
		const uint64_t *turn = turns->at + bit / MS_LOOP_REFS * (loop->refs + 1);
		uint64_t line = turn[1 + i] >> MS_LOOP_SHIFT;
		uint64_t *recent = &shard->recent[line & shard->first.mask], was = *recent;

		*out = (struct doubt){ line, loop->exit->slots[i].cell };
		out += was != line;
		*recent = line;
		if (MS_UNLIKELY(is_held(loop, turn, i, was)) && was != line) {
			loop->out = out;
			loop->exit->count += bit / MS_LOOP_REFS + 1;
			ms_loop_sift_plainly(loop, turns, bit / MS_LOOP_REFS, i + 1);
			return false;
		}
	}
	loop->out = out;
	loop->exit->count += turns->n;
	return true;
}

MS_INLINE const uint64_t *ms_loop_by(struct loop *loop, const uint64_t *at, const uint64_t *end,
				     ms_compare_fn compare, ms_is_held_fn is_held)
{
	uint32_t step = loop->refs + 1;
	bool calm = ms_loop_is_calm(loop, at - step);

	while (calm) {
		struct turns turns = compare(loop, at, end);

		if (turns.n == 0)
			break;
		at += turns.n * step;
		if (MS_UNLIKELY(turns.odd)) {
			loop->exit->count++;
			ms_loop_sift_plainly(loop, &turns, 0, 0);
			calm = false;
		} else {
			calm = ms_loop_meet(loop, &turns, is_held);
		}
		if (!calm)
			calm = ms_loop_is_calm(loop, at - step);
	}
	return at;
}

#endif
