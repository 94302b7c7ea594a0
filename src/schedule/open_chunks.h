/*
 * schedule/open_chunks.h - which chunks of the threads are open, that is, being interleaved; part
 * of interleave.c.
 *
 * Where threads are executed one at a time, chunks are opened in the order of execution, one of
 * each thread, and examined for words that threads hand over to each other (hand_offs.h).
 */
#ifndef MS_SCHEDULE_OPEN_CHUNKS_H
#define MS_SCHEDULE_OPEN_CHUNKS_H

#include "base/compiler.h"
#include "base/vec.h"
#include "schedule/contention.h"
#include "schedule/hand_offs.h"
#include "schedule/merge_priv.h"

enum { MS_SCHEDULE_MOST_CHUNKS = 64 }; /* of a lane that are handed over and not open */

/* A copy of struct ms_schedule_chunk_order. */
struct ms_schedule_copied_order {
	MS_VEC(struct ms_schedule_hand_off) hand_offs;
	MS_VEC(struct ms_schedule_unit) units;
	bool shares, follows_all;
};

/* Where threads are executed one at a time: a chunk that is not open yet. */
struct ms_schedule_queued_chunk {
	uint32_t lane;
	uint32_t index;  /* of the chunks of its lane */
	uint64_t number; /* in the order of execution, from 1 on */
	bool opened;     /* before older ones */
	bool examined;
	struct ms_schedule_copied_order order;
};

struct ms_schedule_track {
	uint32_t thread;                           /* of the open chunk */
	uint32_t threads[MS_SCHEDULE_MOST_CHUNKS]; /* of the next chunks, by number */
	uint32_t taken, given; /* numbers of chunks that were opened, and handed over */
	bool known, open, lost;
	bool closes;     /* a window's end comes next: all that is here belongs to the window */
	uint32_t fights; /* number of chunks, from the open one on, that are treated as contended */
	const uint64_t *words;
	size_t n, at;
	struct ms_schedule_contention_result seen; /* of the open chunk */
	uint64_t time;
	uint64_t instructions;
	uint64_t clock_sent; /* value at the last clock record */
	uint32_t *last;      /* points to the lane that ran last on its processor; NULL: unknown */
	/* Where threads are executed one at a time, of the open chunk: */
	uint64_t number; /* in the order of execution; of the last one if none is open */
	bool examined;   /* for hand-offs and units, which it takes in order: */
	struct ms_schedule_copied_order order;
	size_t next_hand_off, next_unit;
};

struct ms_schedule_interleaver {
	struct ms_schedule_merger *m;
	struct ms_schedule_track *tracks; /* by lane */
	MS_VEC(uint32_t) lanes;           /* lanes in use */
	bool in_order;                    /* everything here must be written before later chunks */
	uint64_t now;
	uint64_t seed;
	uint32_t before; /* the thread that ran before this one */
	uint32_t *last;  /* by processor: the lane that ran there last; NULL: unknown */
	const uint16_t *exits;
	struct ms_schedule_contention *contend;
	/* Where threads are executed one at a time: */
	MS_VEC(struct ms_schedule_queued_chunk) queue; /* in the order of execution */
	size_t queue_from;
	uint64_t queued; /* number of chunks */
	size_t open;
	struct ms_schedule_hand_offs *hand_offs;
	bool in_sequence; /* hand-offs are not known: until no chunk is open */
	bool changed;     /* chunks were queued, opened or closed since the queue was looked at */
	bool contended;   /* an open chunk touches contended lines */
};

MS_INLINE bool ms_schedule_is_ordered(const struct ms_schedule_interleaver *s)
{
	return s->m->processors.executed_in_order;
}

/* Takes all chunks that were handed over by now, up to an event whose order must be kept. */
void ms_schedule_take_handovers(struct ms_schedule_interleaver *s);
/* Opens the next chunk of a lane. */
void ms_schedule_open_chunk(struct ms_schedule_interleaver *s, uint32_t lane_number);
/* The chunk of the track was copied as a whole. */
void ms_schedule_close_chunk(struct ms_schedule_interleaver *s, struct ms_schedule_track *t);
bool ms_schedule_is_window_end(const struct ms_schedule_track *t);

/* Where threads are executed one at a time: opens chunks; contended ones are examined. Between
 * short slices there is nothing to do. */
void ms_schedule_open_queue(struct ms_schedule_interleaver *s);
/* Whether the words of a chunk that was handed over are still in its lane. interleaver: struct
 * ms_schedule_interleaver. */
bool ms_schedule_is_chunk_there(const void *interleaver, uint32_t lane, uint64_t number);
/* The open chunk that was executed first; NULL: none is open. */
struct ms_schedule_track *ms_schedule_find_oldest(const struct ms_schedule_interleaver *s);
/* The word of the open chunk up to which it may be copied now. */
size_t ms_schedule_find_stop(const struct ms_schedule_interleaver *s, struct ms_schedule_track *t);
/* Whether its next record may not be the first one of a slice. */
bool ms_schedule_is_in_unit(struct ms_schedule_track *t);
void ms_schedule_free_order(struct ms_schedule_copied_order *order);

#endif
