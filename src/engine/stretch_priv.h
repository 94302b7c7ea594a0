/*
 * engine/stretch_priv.h - what stretch.c and stretch_plain.h know of a turn on its way through the
 * caches.
 */
#ifndef MS_ENGINE_STRETCH_PRIV_H
#define MS_ENGINE_STRETCH_PRIV_H

#include "engine/charges.h"
#include "engine/settling.h"

/* Lines are taken through so many at once. */
enum { MS_STRETCH_LINES = 128 };

/* A level that a line has missed. */
struct passing {
	uint64_t victim; /* the line that left; MS_LINE_NONE: none did */
	uint32_t *came;  /* what records say of the line that came ... */
	uint32_t *left;  /* ... and of the one that left; NULL: none did */
};

/* A line that is not in the first level, or must be owned. */
struct event {
	const struct met *met;
	const struct met *begun; /* the first line of its reference */
	uint64_t line;
	uint64_t written;       /* see struct access */
	struct passing *at;     /* by level */
	uint32_t *entry;        /* of the directory */
	uint32_t *victim_entry; /* of the line that left the last own level; NULL: none did */
	struct access *access;  /* NULL: it is plain */
	struct seat seat;       /* where it came to in the first level */
	unsigned missed;        /* levels */
	uint64_t falsely;       /* of one that is not plain, a bit a level */
};

/* What is a constant where machines are as most are, so that it costs nothing to ask. */
struct shape {
	unsigned own;   /* levels of an agent */
	uint32_t words; /* of an entry's holders */
};

struct stretch {
	unsigned levels;
	struct shape shape;
	struct coherence *coherence;
	size_t n;    /* events */
	size_t left; /* of them, fall through the levels */
	struct event event[MS_STRETCH_LINES];
	struct access access[MS_STRETCH_LINES]; /* of those that are not plain */
	struct passing *passing;                /* by event and level */
	uint32_t *old; /* likewise: what the record of the line that came said */
	struct event *falling[MS_STRETCH_LINES]; /* those that have missed all levels so far */
	uint16_t *owner; /* by way of the first level: the event that has made its line owned */
	struct charges *charges; /* by level: of plain ones ... */
	uint64_t *misses;        /* ... that the thread's count has not been told */
};

#endif
