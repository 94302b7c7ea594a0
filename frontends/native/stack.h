/*
 * stack.h - a thread's stack as it was unwound last, so that the next time only the calls that are
 * new have to be: see stack.c. Innermost first, and the outermost call always stands at the end,
 * so that what stays need not move.
 */
#ifndef MS_NATIVE_STACK_H
#define MS_NATIVE_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* Recursion that is deeper is cut; see MS_WIRE_PATH. */
enum { MS_PATH_DEEPEST = 1024 };
/* Calls of our own stand between the program's, but not in paths. */
enum { MS_STACK_STEPS = MS_PATH_DEEPEST + 64, MS_STACK_WORDS = 2 * MS_STACK_STEPS };

/* A call that is under way, and its caller's registers. */
struct ms_call_frame {
	uint64_t slot; /* where the return address stands */
	uint64_t sp, fp;
	uint64_t hash;  /* of the return addresses from here on */
	uint16_t words; /* those from here on say who has called the caller, and so on ... */
	bool by_fp;     /* ... and so does fp */
	bool repeats;   /* some calls from here on do as those before them: recursion */
};

/* A word of the stack that was read to find a caller. */
struct ms_stack_word {
	uint64_t at, value;
};

/* A step from a function to its caller, while the stack is unwound. */
struct ms_stack_step {
	uint64_t pc, sp, fp;
	struct ms_stack_word link, saved_fp; /* at: 0 where there is none */
	bool simple, by_fp, is_own;
};

struct ms_stack {
	uint32_t generation; /* of the unwinder's knowledge; 0: nothing of this is true */
	uint64_t end;        /* of the thread's stack */
	uint32_t first;      /* the innermost call; MS_PATH_DEEPEST: there are none */
	uint32_t met;        /* the innermost one that another stack may have, too, if its words are
				the same */
	uint32_t first_word;
	bool cut;
	bool known; /* the words, and with by_fp the frame pointer, tell all of it */
	bool by_fp;
	uint64_t pcs[MS_PATH_DEEPEST];
	struct ms_call_frame calls[MS_PATH_DEEPEST];
	struct ms_stack_word words[MS_STACK_WORDS];
	struct ms_stack_step steps[MS_STACK_STEPS];
};

struct ms_thread;
struct ms_frame;

/* The return addresses from here on, at most n. */
void ms_stack_unwind(struct ms_thread *t, struct ms_stack *s, const struct ms_frame *from,
		     uint32_t n);

static inline uint64_t ms_path_hash(uint64_t hash, uint64_t pc)
{
	hash = (hash ^ pc) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* Whether a path begins with calls that those behind them repeat, in a circle of a few functions.
 */
enum { MS_PATH_CYCLE = 4 };
bool ms_path_repeats(const uint64_t *path, uint32_t n);

#endif
