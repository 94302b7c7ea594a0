/*
 * stack_cache.h - the result of a thread's last unwinding, so that the next one has to unwind new
 * calls only: see stack_cache.c. The innermost call is first. The outermost call is always at the
 * end of the arrays, so that calls that remain need not be moved.
 */
#ifndef MS_NATIVE_UNWIND_STACK_CACHE_H
#define MS_NATIVE_UNWIND_STACK_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Deeper recursion is truncated; see MS_WIRE_PATH. */
enum { MS_UNWIND_MAX_DEPTH = 1024 };
/* Calls of the runtime are between the program's calls, but not in paths. */
enum {
	MS_UNWIND_MAX_STEPS = MS_UNWIND_MAX_DEPTH + 64,
	MS_UNWIND_MAX_STACK_WORDS = 2 * MS_UNWIND_MAX_STEPS
};

/* An active call, and its caller's registers. */
struct ms_unwind_cached_call {
	uint64_t slot; /* address of the return address */
	uint64_t sp, fp;
	uint64_t hash;  /* of the return addresses from here outwards */
	uint16_t words; /* the words from here outwards determine all callers of the caller ... */
	bool by_fp;     /* ... together with fp */
	bool repeats;   /* some calls from here outwards repeat earlier ones: recursion */
};

/* A stack word that was read to find a caller. */
struct ms_unwind_stack_word {
	uint64_t at, value;
};

/* An unwinding step from a function to its caller. */
struct ms_unwind_stack_step {
	uint64_t pc, sp, fp;
	struct ms_unwind_stack_word link, saved_fp; /* at: 0 if there is none */
	bool simple, by_fp, is_own;
};

struct ms_unwind_cached_stack {
	uint32_t generation; /* ms_unwind_get_generation(); 0: the contents are invalid */
	uint64_t end;        /* of the thread's stack */
	uint32_t first;      /* the innermost call; MS_UNWIND_MAX_DEPTH: none */
	uint32_t known_call; /* the innermost call that another stack may share, if its words are
				equal */
	uint32_t first_word;
	bool cut;
	bool known; /* the words, and with by_fp the frame pointer, determine all of it */
	bool by_fp;
	uint64_t pcs[MS_UNWIND_MAX_DEPTH];
	struct ms_unwind_cached_call calls[MS_UNWIND_MAX_DEPTH];
	struct ms_unwind_stack_word words[MS_UNWIND_MAX_STACK_WORDS];
	struct ms_unwind_stack_step steps[MS_UNWIND_MAX_STEPS];
};

struct ms_runtime_thread;
struct ms_unwind_frame;

/* Finds the return addresses from here outwards, at most n. */
void ms_unwind_unwind_stack(struct ms_runtime_thread *t, struct ms_unwind_cached_stack *s,
			    const struct ms_unwind_frame *from, uint32_t n);

static inline uint64_t ms_unwind_hash_path(uint64_t hash, uint64_t pc)
{
	hash = (hash ^ pc) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* Whether a path begins with calls that the following ones repeat, in a cycle of a few
 * functions. */
enum { MS_UNWIND_MAX_CYCLE = 4 };
bool ms_unwind_begins_with_cycle(const uint64_t *path, uint32_t n);

#endif
