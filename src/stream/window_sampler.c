#include "stream/window_sampler.h"

#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "wire/wire.h"

enum { EVENT_WORDS = 1 + sizeof(struct ms_wire_window) / 8 };

struct ms_stream_sampler {
	struct ms_stream_sampling sampling;
	bool marks;  /* nothing is omitted: windows become phases */
	bool passes; /* the stream has windows of its own and is copied */
	bool open;
	uint32_t windows;
	uint64_t left;                /* references until the window opens or closes */
	struct ms_wire_period period; /* of the open or the next window */
	uint32_t stratum;
	bool tells;                    /* the next window begins another stratum */
	uint32_t looked;               /* closed windows at the last change of the plan */
	bool asks;                     /* the plan of the next window is needed */
	size_t rest;                   /* words that were not processed because of that */
	bool resumes;                  /* the first of them was processed up to that question */
	struct ms_wire_window now;     /* counts of the present window or gap */
	MS_VEC(uint16_t) instructions; /* by exit */
	MS_VEC(size_t) refs;           /* by exit: index of its block's first size */
	MS_VEC(uint16_t) sizes;        /* of references */
	MS_VEC(uint64_t) left_out;     /* by exit: executions between windows */
	size_t exits_written;          /* number of exits already written */
};

static void become(struct ms_stream_sampler *s, uint32_t stratum)
{
	s->tells |= stratum > s->stratum;
	s->stratum = stratum > s->stratum ? stratum : s->stratum;
}

/* Draws the position of the next window. */
static void draw(struct ms_stream_sampler *s)
{
	ms_wire_draw(&s->period);
	s->left += s->period.before;
}

static bool is_look(const struct ms_stream_sampler *s)
{
	return ms_stream_sampling_is_planned(&s->sampling) && !s->passes && !s->marks &&
	       ms_wire_is_look(s->looked, s->windows, s->sampling.head != 0);
}

static void begin(struct ms_stream_sampler *s)
{
	s->now = (struct ms_wire_window){ 0, 0, MS_WIRE_NOT_KNOWN };
	if (s->sampling.ratio >= 1) {
		s->left = s->open ? UINT64_MAX : 0;
	} else if (s->open) {
		s->left = s->period.length;
	} else {
		s->left = s->period.after;
		if (s->sampling.head != 0 && s->windows == 1 && s->stratum == 0)
			become(s, 1); /* after the head */
		s->asks = is_look(s);
		if (!s->asks)
			draw(s);
	}
}

/* The head is a window, too. */
static void begin_stream(struct ms_stream_sampler *s)
{
	s->period.random = s->sampling.seed;
	s->period.mean = s->sampling.window;
	s->period.halved = s->sampling.halved;
	s->period.period = (uint64_t)((double)s->sampling.window / s->sampling.ratio);
	begin(s);
	if (s->sampling.head == 0)
		return;
	s->period.length = s->sampling.head;
	s->left = s->period.before = s->period.after = 0;
}

bool ms_stream_sampler_needs_plan(const struct ms_stream_sampler *s)
{
	return s->asks;
}

void ms_stream_sampler_set_plan(struct ms_stream_sampler *s, uint64_t pace)
{
	s->looked = s->windows;
	if (pace != 0) {
		s->period.mean = ms_wire_pace_window(pace);
		s->period.period = ms_wire_pace_period(pace);
		become(s, ms_wire_pace_stratum(pace));
	}
	if (s->asks)
		draw(s);
	s->resumes = s->asks;
	s->asks = false;
}

struct ms_stream_sampler *ms_stream_sampler_open(const struct ms_stream_sampling *sampling)
{
	struct ms_stream_sampler *s = ms_alloc(sizeof(*s));

	*s = (struct ms_stream_sampler){ .sampling = *sampling };
	begin_stream(s);
	return s;
}

struct ms_stream_sampler *ms_stream_sampler_open_marks(const struct ms_stream_sampling *sampling)
{
	struct ms_stream_sampler *s = ms_stream_sampler_open(sampling);

	s->marks = true;
	return s;
}

void ms_stream_sampler_close(struct ms_stream_sampler *s)
{
	if (s == NULL)
		return;
	ms_vec_free(&s->instructions);
	ms_vec_free(&s->left_out);
	ms_vec_free(&s->refs);
	ms_vec_free(&s->sizes);
	ms_free(s);
}

size_t ms_stream_sampler_room(size_t n)
{
	return n + n / 8 + 6 * EVENT_WORDS;
}

bool ms_stream_sampler_keeps(const struct ms_stream_sampling *sampling, uint64_t address)
{
	const struct ms_stream_sampler_sets *sets = &sampling->sets;
	uint64_t group = address >> sets->shift & sets->mask;

	return sets->every <= 1 ||
	       group % sets->every == ms_hash(group / sets->every, sampling->seed) % sets->every;
}

bool ms_stream_sampler_keeps_any(const struct ms_stream_sampling *sampling, uint64_t address,
				 uint16_t size)
{
	uint64_t last = address + (size > 0 ? size - 1u : 0);

	return ms_stream_sampler_keeps(sampling, address) ||
	       (last > address && ms_stream_sampler_keeps(sampling, last));
}

/*
 * Records the instructions of a block's exits, to count what is omitted, and the sizes of its
 * references, for those that cross lines. check.c checks the format; here a malformed block is
 * skipped.
 */
static void learn_block(struct ms_stream_sampler *s, const uint64_t *words, size_t n)
{
	struct ms_wire_block head;
	const struct ms_wire_exit *exits;
	const struct ms_wire_ref *refs;
	size_t first = s->sizes.n;

	if (n < 2)
		return;
	memcpy(&head, words + 1, sizeof(head));
	if (n != 1u + ms_wire_count_block_words(&head))
		return;
	refs = (const void *)(words + 2 + head.instructions);
	exits = (const void *)(words + 2 + head.instructions + head.refs);
	for (uint32_t i = 0; i < head.refs && s->sampling.sets.every > 1; i++)
		*ms_vec_add(&s->sizes) = refs[i].size;
	for (uint32_t i = 0; i < head.exits; i++) {
		*ms_vec_add(&s->instructions) = exits[i].instructions;
		*ms_vec_add(&s->left_out) = 0;
		*ms_vec_add(&s->refs) = first;
	}
}

static size_t write_event(const struct ms_stream_sampler *s, uint32_t kind, uint64_t *into)
{
	into[0] = ms_wire_head(kind, EVENT_WORDS, s->windows);
	memcpy(into + 1, &s->now, sizeof(s->now));
	return EVENT_WORDS;
}

static size_t write_phase(const char *name, uint64_t *into)
{
	into[0] = ms_wire_head(MS_WIRE_PHASE, 2, (uint32_t)strlen(name));
	into[1] = 0;
	memcpy(into + 1, name, strlen(name));
	return 2;
}

static size_t write_stratum(struct ms_stream_sampler *s, uint64_t *into)
{
	into[0] = ms_wire_head(MS_WIRE_STRATUM, 3, s->stratum);
	into[1] = s->period.mean;
	into[2] = s->period.period;
	s->tells = false;
	return 3;
}

/* Opens or closes a window. */
static size_t toggle_window(struct ms_stream_sampler *s, uint64_t *into)
{
	size_t before = s->tells && !s->open && !s->marks ? write_stratum(s, into) : 0;

	into += before;
	size_t n = s->marks ? write_phase(s->open ? "between" : "window", into)
			    : write_event(s, s->open ? MS_WIRE_WINDOW_CLOSE : MS_WIRE_WINDOW_OPEN,
					  into);

	s->windows += s->open;
	s->open = !s->open;
	begin(s);
	return before + n;
}

static void count(struct ms_stream_sampler *s, const uint64_t *words, size_t n)
{
	uint32_t exit = ms_wire_arg_of(words[0]);
	uint64_t references = 0;

	for (size_t i = 1; i < n; i++)
		references += words[i] != 0;
	s->now.references += references;
	s->left -= references < s->left ? references : s->left;
	if (exit >= s->instructions.n)
		return; /* the reader of the stream reports it */
	s->now.instructions += s->instructions.at[exit];
	s->left_out.at[exit] += !s->open;
}

static size_t copy(const struct ms_stream_sampler *s, const uint64_t *words, size_t n,
		   uint64_t *into)
{
	uint32_t exit = ms_wire_arg_of(words[0]);
	size_t first = exit < s->refs.n ? s->refs.at[exit] : s->sizes.n;

	into[0] = words[0];
	for (size_t i = 1; i < n; i++) {
		uint16_t size = first + i <= s->sizes.n ? s->sizes.at[first + i - 1] : 0;

		into[i] = words[i] != 0 && ms_stream_sampler_keeps_any(&s->sampling, words[i], size)
				  ? words[i]
				  : 0;
	}
	return n;
}

size_t ms_stream_sampler_filter(struct ms_stream_sampler *s, const uint64_t *words, size_t n,
				uint64_t *into)
{
	size_t out = 0, length;

	s->rest = 0;
	for (size_t at = 0; at < n; at += length) {
		length = ms_wire_words_of(words[at]);
		if (length == 0 || length > n - at)
			length = n - at; /* the reader of the stream reports the error */
		if (s->marks && ms_wire_kind_of(words[at]) == MS_WIRE_PHASE)
			continue;
		s->passes |= ms_wire_kind_of(words[at]) == MS_WIRE_WINDOW_OPEN;
		if (s->passes || ms_wire_kind_of(words[at]) != MS_WIRE_EXEC) {
			if (ms_wire_kind_of(words[at]) == MS_WIRE_BLOCK)
				learn_block(s, words + at, length);
			memcpy(into + out, words + at, length * sizeof(*words));
			out += length;
			continue;
		}
		if (s->left == 0 && !s->resumes)
			out += toggle_window(s, into + out);
		if (s->asks) {
			s->rest = n - at;
			break;
		}
		s->resumes = false;
		if (s->open || s->marks)
			out += copy(s, words + at, length, into + out);
		count(s, words + at, length);
	}
	return out;
}

size_t ms_stream_sampler_pending_words(const struct ms_stream_sampler *s)
{
	return s->rest;
}

size_t ms_stream_sampler_finish(struct ms_stream_sampler *s, uint64_t *into)
{
	size_t n = 0;

	if (s->passes || s->marks)
		return 0;
	if (!s->open)
		n += toggle_window(s, into);
	return n + toggle_window(s, into + n);
}

size_t ms_stream_sampler_write_skipped(struct ms_stream_sampler *s, uint64_t *into, size_t room)
{
	enum { WORDS = 2 };
	size_t n = 0;

	for (; !s->passes && !s->marks && s->exits_written < s->left_out.n && n + WORDS <= room;
	     s->exits_written++) {
		if (s->left_out.at[s->exits_written] == 0)
			continue;
		into[n] = ms_wire_head(MS_WIRE_LEFT_OUT, WORDS, (uint32_t)s->exits_written);
		into[n + 1] = s->left_out.at[s->exits_written];
		n += WORDS;
	}
	return n;
}
