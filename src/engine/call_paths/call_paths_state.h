/* engine/call_paths/call_paths_state.h - the state of an engine that follows calls. */
#ifndef MS_ENGINE_CALL_PATHS_CALL_PATHS_STATE_H
#define MS_ENGINE_CALL_PATHS_CALL_PATHS_STATE_H

#include "engine/call_paths/call_paths.h"
#include "engine/call_paths/contexts.h"
#include "engine/call_paths/shadow_stack.h"

/* A reference that missed at least the first level. */
struct ms_call_paths_miss {
	uint32_t position; /* of its pending access in the batch */
	uint32_t missed;   /* number of levels */
	uint32_t site;
	uint32_t data;
};

/* What one shard has recorded of a batch while it simulated it. */
struct ms_call_paths_share {
	MS_VEC(struct ms_call_paths_miss) misses; /* by position */
	size_t recorded;                          /* misses before those that are recorded now */
	/* By pending access of the shard: its position in the batch. Empty: the shard has all. */
	MS_VEC(uint32_t) positions;
	size_t next; /* the first miss that is not counted yet */
} MS_ALIGNED(128);   /* avoids false sharing between shards */

struct ms_call_paths_batch {
	struct ms_call_paths_marks marks;
	struct ms_call_paths_share *shares; /* by shard */
};

/*
 * An exit of a block, as the marks are followed. Most exits have one transfer, except calls that
 * have returned before: it is here as well, so that one cache line is enough.
 */
struct ms_call_paths_exit {
	uint64_t entry; /* of the block */
	uint64_t pc;    /* of that transfer, and its function ... */
	uint64_t function;
	uint32_t call_site;
	uint8_t kind;        /* ... enum ms_engine_transfer_kind; or MS_CALL_PATHS_SEVERAL */
	uint8_t is_balanced; /* the stack is as before */
	uint8_t only;        /* the number of that transfer */
	uint8_t has_inside;  /* misses of the execution may be in other contexts than its entry */
	uint16_t transfers;  /* executed before it */
	const struct ms_engine_block *block;
	uint32_t number; /* of the exit in its block */
};
enum { MS_CALL_PATHS_SEVERAL = UINT8_MAX };

/* Pages never move: one thread adds exits while another one follows marks. */
enum { MS_CALL_PATHS_PAGE = 1 << 12, MS_CALL_PATHS_PAGES = 1 << 15 };

struct ms_call_paths {
	unsigned shards;
	unsigned batch_count;
	struct ms_call_paths_exit **exits; /* MS_CALL_PATHS_PAGES */
	uint32_t exit_count;
	struct ms_call_paths_batch *batch;         /* by batch index */
	MS_VEC(struct ms_call_paths_stack) stacks; /* by thread */
	uint32_t thread;                           /* the current one */
	struct ms_call_paths_contexts contexts;
};

#endif
