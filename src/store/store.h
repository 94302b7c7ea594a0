/*
 * store/store.h - the run database: one SQLite file, many runs. The format is
 * docs/formats/database.md.
 *
 * A store belongs to one thread. Several processes may use one file at a time: readers see whole
 * runs, a writer waits up to ten seconds for another.
 */
#ifndef MS_STORE_STORE_H
#define MS_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "run/run.h"
#include "run/run_list.h"

struct ms_store;

enum ms_store_mode {
	MS_STORE_READ,  /* the file must exist; nothing is changed */
	MS_STORE_WRITE, /* created if it does not exist, upgraded if it is older */
	MS_STORE_DRAFT, /* a new file that is expendable; it has no log next to it */
};

/* On failure *store is NULL; ms_store_close(NULL) does nothing. */
int ms_store_open(struct ms_store **store, const char *path, enum ms_store_mode mode,
		  struct ms_err *err);
void ms_store_close(struct ms_store *store);

/*
 * Begins to store a run whose references, misses and evictions are counted, but not yet named.
 * ms_store_save() of the same run continues from there; the four arrays must not change. Other
 * processes cannot write until then, or until it is discarded.
 */
int ms_store_begin(struct ms_store *store, const struct ms_run *run, struct ms_err *err);
void ms_store_discard(struct ms_store *store);
/* Stores a run, completely or not at all, and sets run->id. */
int ms_store_save(struct ms_store *store, struct ms_run *run, struct ms_err *err);
/* Records the parent of a run; both are already stored. */
int ms_store_link(struct ms_store *store, int64_t id, int64_t parent, uint32_t relation,
		  struct ms_err *err);
/* Corrects how the program of a stored run has ended. */
int ms_store_set_end(struct ms_store *store, int64_t id, uint32_t end, int exit_status,
		     struct ms_err *err);
/* Fills *run, to be freed with ms_run_free(); on failure it needs no free. */
int ms_store_load(struct ms_store *store, int64_t id, struct ms_run *run, struct ms_err *err);

/*
 * The id of a run by a user's name for it: "@3", "3", "@latest" (also NULL), "@TAG" or "TAG" (the
 * newest with that tag). If there is none, the message lists existing runs.
 */
int ms_store_find(struct ms_store *store, const char *name, int64_t *id, struct ms_err *err);

/* Runs of ranks, of programs that were started by a launcher: not of their children. */
struct ms_store_rank_run {
	const char *job; /* strings are in the arena */
	const char *uid;
	uint32_t rank;
	uint32_t ranks; /* of the job; 0: not known */
	double began;   /* seconds since 1970; likewise: */
	double ended;
};
struct ms_store_rank_runs {
	MS_VEC(struct ms_store_rank_run) at;
};
/* Adds those of a database. */
int ms_store_list_rank_runs(struct ms_store *store, struct ms_store_rank_runs *runs,
			    struct ms_arena *arena, struct ms_err *err);
/* The run with this uid; *id 0: there is none. */
int ms_store_find_uid(struct ms_store *store, const char *uid, int64_t *id, struct ms_err *err);

struct ms_store_run_ids {
	MS_VEC(int64_t) at;
};

/*
 * Several runs: "@3,@5", "@3..@7" (of the first one's program), "TAG" (all with that tag). In this
 * order, each once, at least one; ms_vec_free(&ids->at).
 */
int ms_store_find_set(struct ms_store *store, const char *names, struct ms_store_run_ids *ids,
		      struct ms_err *err);

/* Heads of all runs, oldest first. */
int ms_store_list(struct ms_store *store, struct ms_run_list *heads, struct ms_err *err);

/* edit_runs.c: changes by users. A run that was deleted meanwhile is MS_ENOENT. */
int ms_store_set_note(struct ms_store *store, int64_t id, const char *note, struct ms_err *err);
/* Appends to the existing note, if any. */
int ms_store_add_note(struct ms_store *store, int64_t id, const char *note, struct ms_err *err);
/*
 * Adds or removes these tags; the others stay, including those that another process adds meanwhile.
 */
int ms_store_change_tags(struct ms_store *store, int64_t id, const char *const *tags, size_t n,
			 bool remove, struct ms_err *err);
int ms_store_set_tags(struct ms_store *store, int64_t id, const char *const *tags, size_t n,
		      struct ms_err *err);
/* Adds what `memspy verify` measured to a stored run. */
int ms_store_add_verification(struct ms_store *store, int64_t id,
			      const struct ms_run_verification *verification, struct ms_err *err);
/*
 * Deletes runs and what only they used. A large amount of free space is returned to the file
 * system, a small amount is reused.
 */
int ms_store_delete(struct ms_store *store, const int64_t *ids, size_t n, struct ms_err *err);
/* Bytes of the file that are in use. */
int ms_store_size(struct ms_store *store, uint64_t *bytes, struct ms_err *err);

/* copy_runs.c */
struct ms_store_copied {
	size_t copied;
	size_t known;   /* were there already */
	int64_t latest; /* number of the last one in `to`, copied or known; 0: none */
};

/*
 * Copies runs, oldest first, with their parents if these are copied too; n 0: all of them, and the
 * rules as well. A run that already exists is not copied again.
 */
int ms_store_copy(struct ms_store *to, struct ms_store *from, const int64_t *ids, size_t n,
		  struct ms_store_copied *result, struct ms_err *err);

/* For `memspy --version`: the library, and which version of the format is written. */
const char *ms_store_library(void);
int ms_store_format(void);

#endif
