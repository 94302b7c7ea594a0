/*
 * engine/settling.h - what processors_settle.c and stretch.c share: where a batch stands, and how
 * what an access came to is counted.
 */
#ifndef MS_ENGINE_SETTLING_H
#define MS_ENGINE_SETTLING_H

#include "engine/coherence.h"
#include "engine/engine_priv.h"

struct settling {
	struct ms_shard *shard;
	struct notes *notes;
	const struct met_batch *batch;
	bool alone;              /* all lines are this shard's */
	const struct mark *mark; /* whose lines these are, and what follows from it: */
	uint32_t agent;
	struct bank **path;
	struct thread_count *thread;

	/* The reference, by its first line, of the access counted last. */
	const struct met *reference;
	unsigned missed; /* levels, from the first */
	bool split;
	uint64_t *peer[2]; /* what has counted who answered it; NULL: nothing ... */
	uint32_t answer;   /* ... or the note of memory that does, plus 1; 0: none */
};

MS_INLINE uint64_t ms_settling_line(const struct settling *s, const struct met *m)
{
	return (m->address & MS_MET_ADDRESS) >> s->shard->first_shift;
}

MS_INLINE bool ms_settling_is_mine(const struct settling *s, const struct met *m)
{
	return s->alone ||
	       ms_engine_owner(s->shard->engine, m->address & MS_MET_ADDRESS) == s->shard->number;
}

/* Where the line is in the first level, and nothing else changes, it becomes the most recent. seat:
 * where it is there, if it is. */
MS_INLINE bool ms_settling_is_quiet(const struct settling *s, const struct met *m,
				    struct seat *seat)
{
	const struct bank *first = s->path[0];

	*seat = ms_bank_find(first, ms_settling_line(s, m));
	if (MS_UNLIKELY(seat->way == MS_BANK_NOWHERE))
		return false;
	if (m->address & MS_MET_WRITES &&
	    (seat->way >= 64 || !(ms_bank_at(first, seat->set)->quiet >> seat->way & 1)))
		return false;
	ms_bank_use(first, *seat);
	return true;
}

void ms_settling_begin(const struct settling *s, const struct met *m, struct access *a);
/* What the access of the line came to; begun: the first line of its reference. In order. */
void ms_settling_count(struct settling *s, const struct met *begun, const struct met *m,
		       const struct access *a);

/* Of a line that is all of its reference: memory answered. In order. */
void ms_settling_note_memory(struct settling *s, const struct met *m);

/* handoff.c, of a machine that stretch.c is for: a line that is not quiet, with its seat in the
 * first level, and all others of the turn up to end; returns how many are done, from m on. */
unsigned ms_handoff(struct settling *s, const struct met *m, const struct met *end,
		    struct seat seat);

/* stretch.c: NULL where the machine is not simple enough. */
struct stretch *ms_stretch_open(const struct general *general);
void ms_stretch_close(struct stretch *stretch);
void ms_stretch_settle(struct stretch *stretch, struct settling *s, const struct met *m,
		       const struct met *end);
/* Counts what the batch came to, as far as that was not done. */
void ms_stretch_finish(struct stretch *stretch);

#endif
