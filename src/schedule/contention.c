#include "schedule/contention.h"

#include <string.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "stream/ring.h"

enum {
	LINE_SHIFT = 7, /* traces are replayed on machines with larger lines, too */
	TABLE_BITS = 14,
	DRAWN_AT_ONCE = 4,  /* records in a group */
	DRAWN_OF = 4,       /* one group of so many is examined */
	DRAWN_OF_CALM = 16, /* the same, after CALM_CHUNKS chunks without contention */
	CALM_CHUNKS = 64,
	AHEAD = 256,         /* prefetch distance in words: another processor has written them */
	AGE_WORDS = 1 << 18, /* length of a generation */
	LANE_BITS = 16,
	BY_MANY = 1, /* marks: these two, then the lane, and the generation */
	WRITTEN = 2,
	BOTH = BY_MANY | WRITTEN,
	LANE_SHIFT = 2,
	GENERATION_SHIFT = LANE_SHIFT + LANE_BITS,
	FIRST_GENERATION = 2,
	LAST_GENERATION = (1 << (32 - GENERATION_SHIFT)) - 1,
};

/* A line (its low bits). */
struct touched {
	uint32_t line;
	uint32_t marks;
};

struct ms_schedule_contention {
	uint32_t generation;
	uint64_t words; /* in this generation */
	uint32_t dice;
	uint32_t drawn; /* index of the group that is examined */
	uint32_t calm;  /* chunks since the last contention */
	const uint64_t *writes;
	struct touched table[1 << TABLE_BITS];
};

struct ms_schedule_contention *ms_schedule_contention_open(const uint64_t *writes)
{
	struct ms_schedule_contention *c = ms_alloc(sizeof(*c));

	c->generation = FIRST_GENERATION;
	c->writes = writes;
	return c;
}

void ms_schedule_contention_close(struct ms_schedule_contention *c)
{
	ms_free(c);
}

static bool is_recent(const struct ms_schedule_contention *c, uint32_t marks)
{
	return (marks >> GENERATION_SHIFT) + 1 >= c->generation;
}

static uint32_t lane_of(uint32_t marks)
{
	return marks >> LANE_SHIFT & ((1u << LANE_BITS) - 1);
}

static bool is_contended(const struct ms_schedule_contention *c, uint32_t marks)
{
	return (marks & BOTH) == BOTH && is_recent(c, marks);
}

/*
 * Updates a line's entry; mine: marks of the lane that touches it. Returns whether the line is
 * contended. If only one lane touches a line in a new generation, the line is no longer contended.
 */
static bool touch(const struct ms_schedule_contention *c, struct touched *t, uint32_t line,
		  uint32_t mine, void (*with)(void *arg, uint32_t lane), void *arg)
{
	uint32_t was = t->line == line && is_recent(c, t->marks) ? t->marks : 0;
	bool other = was != 0 && lane_of(was) != lane_of(mine);

	if (t->line != line && is_contended(c, t->marks))
		return false; /* an entry stays as long as its line is contended */
	if (other || was >> GENERATION_SHIFT == c->generation)
		mine |= was & BOTH;
	mine |= other ? BY_MANY : 0;
	if (other && !is_contended(c, was) && is_contended(c, mine))
		with(arg, lane_of(was));
	*t = (struct touched){ line, mine };
	return is_contended(c, mine);
}

static void grow_older(struct ms_schedule_contention *c, uint64_t words)
{
	c->words += words;
	if (c->words < AGE_WORDS)
		return;
	c->words = 0;
	if (c->generation++ < LAST_GENERATION)
		return;
	memset(c->table, 0, sizeof(c->table));
	c->generation = FIRST_GENERATION;
}

/* Returns a bit for each reference of an execution that writes; the last bit is for all that
 * follow. */
static uint64_t writes_of(const struct ms_schedule_contention *c, uint64_t head)
{
	uint32_t exit = ms_wire_arg_of(head);
	uint64_t writes = exit < MS_WIRE_EXITS && c->writes != NULL
				  ? __atomic_load_n(&c->writes[exit], __ATOMIC_RELAXED)
				  : 0;

	return writes != 0 ? writes : UINT64_MAX;
}

/* Which groups of a chunk's records are examined. */
struct drawing {
	uint32_t of;    /* one of so many is */
	uint32_t which; /* index of the group that comes next */
};

/*
 * Returns whether the next group of records is examined. One in four is, drawn at random: contended
 * lines occur again and again. Fewer are, after some time without contention. The first records of
 * a chunk always are.
 */
MS_INLINE bool draws(struct ms_schedule_contention *c, struct drawing *d, bool is_first)
{
	if (d->which == 0) {
		c->dice = c->dice * 1103515245 + 12345;
		c->drawn = (c->dice >> 16) & (d->of - 1);
	}
	bool drawn = d->which == c->drawn || is_first;

	d->which = (d->which + 1) & (d->of - 1);
	return drawn;
}

struct noting {
	struct ms_schedule_contention *contend;
	uint32_t mine; /* marks */
	void (*with)(void *arg, uint32_t lane);
	void *arg;
};

/* Returns whether an execution touches a contended line. */
static bool note(const struct noting *noting, const uint64_t *words, size_t length)
{
	struct ms_schedule_contention *c = noting->contend;
	uint32_t mine = noting->mine;
	uint64_t writes = writes_of(c, words[0]);
	bool fights = false;

	for (size_t i = 1; i < length; i++, writes = writes >> 1 | (writes & 1ull << 63)) {
		uint64_t address = words[i];
		uint32_t line = (uint32_t)(address >> LINE_SHIFT);
		uint32_t now = mine | ((writes & 1) != 0 ? WRITTEN : 0);
		struct touched *t = &c->table[line * 0x9E3779B1u >> (32 - TABLE_BITS)];

		if (MS_LIKELY(t->line == line && (t->marks & ~BOTH) == mine &&
			      (now & ~t->marks) == 0))
			fights |= (t->marks & BOTH) == BOTH;
		else if (address != 0) /* else it was not executed */
			fights |= touch(c, t, line, now, noting->with, noting->arg);
	}
	return fights;
}

static void ask_ahead(const uint64_t *words)
{
	const uint64_t *ahead = words + AHEAD;

	MS_IN_REGISTER(ahead);
	__builtin_prefetch(ahead);
}

/* The position in a chunk; the instructions so far. */
struct position {
	size_t at;
	uint32_t instructions;
};

/* Passes over a group of executions that is not examined. Returns false, possibly within the group,
 * before any other record; *left: the number of records of the group from there on. */
MS_INLINE bool skip_group(const uint64_t *words, size_t n, const uint16_t *exits,
			  struct position *p, uint32_t *left)
{
	for (*left = DRAWN_AT_ONCE; *left > 0; --*left) {
		const uint64_t head = p->at < n ? words[p->at] : 0;
		const size_t length = ms_wire_words_of(head);
		const uint32_t exit = ms_wire_arg_of(head);

		if (MS_UNLIKELY(ms_wire_kind_of(head) != MS_WIRE_EXEC || length == 0 ||
				length > n - p->at || exit >= MS_WIRE_EXITS))
			return false;
		ask_ahead(words + p->at);
		p->instructions += exits[exit];
		p->at += length;
	}
	return true;
}

struct ms_schedule_contention_result
ms_schedule_contention_record(struct ms_schedule_contention *c, uint32_t lane,
			      const uint64_t *words, size_t n, const uint16_t *exits,
			      void (*with)(void *arg, uint32_t lane), void *arg)
{
	const struct noting noting = { c, c->generation << GENERATION_SHIFT | lane << LANE_SHIFT,
				       with, arg };
	struct ms_schedule_contention_result seen = { 0 };
	struct drawing drawing = { c->calm < CALM_CHUNKS ? DRAWN_OF : DRAWN_OF_CALM, 0 };
	struct position p = { 0 };
	bool only = true;

	for (bool is_first = true; p.at < n; is_first = false) {
		const bool drawn = draws(c, &drawing, is_first);
		uint32_t left = DRAWN_AT_ONCE;

		if (!drawn && skip_group(words, n, exits, &p, &left))
			continue;
		for (; left > 0 && p.at < n; left--) {
			const uint64_t head = words[p.at];
			const size_t length = ms_wire_words_of(head);
			const uint32_t exit = ms_wire_arg_of(head);

			if (length == 0 || length > n - p.at)
				break; /* malformed: the reader reports it */
			ask_ahead(words + p.at);
			if (ms_wire_kind_of(head) == MS_WIRE_EXEC) {
				p.instructions += exit < MS_WIRE_EXITS ? exits[exit] : 0;
				if (drawn)
					seen.fights |= note(&noting, words + p.at, length);
			} else if (only) {
				seen.executions = p.at;
				seen.instructions = p.instructions;
				only = false;
			}
			p.at += length;
		}
		if (left > 0 && p.at < n)
			break; /* malformed */
	}
	if (only) {
		seen.executions = p.at;
		seen.instructions = p.instructions;
	}
	c->calm = seen.fights ? 0 : c->calm + (c->calm < CALM_CHUNKS);
	grow_older(c, n);
	return seen;
}
