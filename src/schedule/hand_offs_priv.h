/*
 * schedule/hand_offs_priv.h - shared by hand_offs.c, which finds the words that a chunk uses, and
 * use_order.c, which orders its uses: their state, the references of a chunk, the words of a line.
 */
#ifndef MS_SCHEDULE_HAND_OFFS_PRIV_H
#define MS_SCHEDULE_HAND_OFFS_PRIV_H

#include "schedule/hand_offs.h"
#include "schedule/word_uses_priv.h"
#include "wire/wire.h"

enum {
	MS_SCHEDULE_WORD_SHIFT = 3,
	MS_SCHEDULE_LINE_BYTES = MS_SCHEDULE_LINE_WORDS << MS_SCHEDULE_WORD_SHIFT,
	MS_SCHEDULE_FEW = 4, /* more uses of a word by both chunks are contention */
	MS_SCHEDULE_KNOWN_BITS = 13,
	MS_SCHEDULE_KNOWN_LASTS = 4096, /* chunks, after which another word may take an entry */
	MS_SCHEDULE_MOST_SYNC = 1 << 14,
	MS_SCHEDULE_MOST_FIRST = 1 << 13,
	MS_SCHEDULE_MOST_UNCOUNTED = 256,
	MS_SCHEDULE_LIKELY = 4, /* chunks after one that was counted */
	MS_SCHEDULE_RECENT_EXITS = 128,
	MS_SCHEDULE_AHEAD = 128, /* prefetch distance in words */
};

enum ms_schedule_use_flags {
	MS_SCHEDULE_IS_SYNC = 1,      /* a synchronisation word */
	MS_SCHEDULE_IS_CONTENDED = 2, /* contended, and no synchronisation word */
	MS_SCHEDULE_IS_IN_UNITS = 4,  /* the chunk uses it in units */
	MS_SCHEDULE_HAS_SYNC = 8,     /* the chunk uses synchronisation words */
	MS_SCHEDULE_HAS_READ = 16,    /* the chunk reads the word */
	MS_SCHEDULE_HAS_WRITTEN = 32, /* the chunk writes it, or reads and writes it */
	MS_SCHEDULE_IN_UNITS = MS_SCHEDULE_IS_SYNC | MS_SCHEDULE_IS_CONTENDED,
};

/* A word that is used with atomic instructions, or was contended. */
struct ms_schedule_known_word {
	uint64_t word; /* its address, in words, plus 1; 0: an empty entry */
	uint64_t number;
	uint32_t lane; /* that has used it with an atomic instruction; 0: none */
	uint32_t flags;
};

/* A use of a synchronisation word: the reference and its record. */
struct ms_schedule_sync_use {
	uint32_t position, at;
	uint32_t next_write; /* the record of the next one that writes, from this one on */
	bool writes;
};

struct ms_schedule_reference {
	uint32_t at, position; /* its record, and the word of its address */
	uint64_t word;         /* its address, in words */
	bool writes, is_atomic;
};

struct ms_schedule_recent_exit {
	uint32_t exit, n;
	const uint16_t *refs; /* NULL: none */
};

struct ms_schedule_hand_offs {
	struct ms_schedule_hand_offs_source source;
	/* Chunks whose uses are not counted yet, in the order of execution. */
	uint32_t uncounted_chunks;
	struct ms_schedule_merged_chunk uncounted[MS_SCHEDULE_MOST_UNCOUNTED];
	bool is_late; /* the present chunk is one of these */
	/* Of the present chunk: */
	const struct ms_schedule_merged_chunk *chunk;
	uint64_t undescribed; /* its number, if it was added, and an exit was not described */
	uint32_t flags;       /* of all words that it uses */
	bool is_shared;       /* it uses words that others use, too, and one writes */
	uint32_t likely;      /* so many chunks are likely to be counted, and are so at once */
	uint32_t syncs, sync; /* `sync`: the first one that is not before the present reference */
	struct ms_schedule_sync_use sync_use[MS_SCHEDULE_MOST_SYNC];
	/* Without synchronisation words only the first references of a kind to a word matter, and
	 * to words that other threads use; MS_SCHEDULE_MOST_FIRST: these are not all. */
	uint32_t firsts;
	struct ms_schedule_reference first[MS_SCHEDULE_MOST_FIRST];
	struct ms_schedule_recent_exit recent_exit[MS_SCHEDULE_RECENT_EXITS];
	bool has_new_sync, shares;
	uint32_t hand_offs, units;
	struct ms_schedule_hand_off hand_off[MS_SCHEDULE_MOST_HAND_OFFS];
	struct ms_schedule_unit unit[MS_SCHEDULE_MOST_UNITS];

	struct ms_schedule_known_word known[1 << MS_SCHEDULE_KNOWN_BITS];
	struct ms_schedule_word_uses word_uses;
};

/* hand_offs.c: returns the word's entry, which replaces an old one; NULL: the entry is in use. */
struct ms_schedule_known_word *
ms_schedule_hand_offs_know_word(struct ms_schedule_hand_offs *hand_offs, uint64_t word);
/* Returns what is known of a word that the chunk uses; likewise, by an atomic instruction. */
uint32_t ms_schedule_hand_offs_find_flags(struct ms_schedule_hand_offs *hand_offs, uint64_t word);
uint32_t ms_schedule_hand_offs_note_atomic_use(struct ms_schedule_hand_offs *hand_offs,
					       uint64_t word);

/* use_order.c: counts the uses of the present chunk, and finds its hand-offs and units. */
enum ms_schedule_hand_off_result
ms_schedule_hand_offs_order_uses(struct ms_schedule_hand_offs *hand_offs);

/* --- the references of a chunk --- */

typedef bool ms_schedule_hand_offs_take_reference(struct ms_schedule_hand_offs *h,
						  const struct ms_schedule_reference *reference);

/* A reference may touch several words. Returns false if take() has. */
MS_INLINE bool ms_schedule_hand_offs_take_words(struct ms_schedule_hand_offs *h, uint32_t at,
						uint32_t position, uint32_t meaning,
						ms_schedule_hand_offs_take_reference *take)
{
	uint64_t address = h->chunk->words[position], bytes = meaning >> MS_SCHEDULE_BYTES_AT;
	uint64_t last = (address + (bytes > 0 ? bytes - 1 : 0)) >> MS_SCHEDULE_WORD_SHIFT;
	struct ms_schedule_reference reference = {
		.at = at,
		.position = position,
		.writes = (meaning & MS_SCHEDULE_WRITES) != 0,
		.is_atomic = (meaning & MS_SCHEDULE_ATOMIC) != 0,
	};

	if (address == 0) /* it was not executed */
		return true;
	for (uint64_t word = address >> MS_SCHEDULE_WORD_SHIFT; word <= last; word++) {
		reference.word = word;
		if (!take(h, &reference))
			return false;
	}
	return true;
}

/* The words of the record, if it is an execution; 0: there is no whole record. */
MS_INLINE uint32_t ms_schedule_hand_offs_get_length(const struct ms_schedule_merged_chunk *chunk,
						    size_t at)
{
	uint32_t length = at < chunk->n ? ms_wire_words_of(chunk->words[at]) : 0;

	return length <= chunk->n - at ? length : 0; /* else the reader of the stream reports it */
}

MS_INLINE bool ms_schedule_hand_offs_is_execution(const struct ms_schedule_merged_chunk *chunk,
						  size_t at)
{
	return ms_wire_kind_of(chunk->words[at]) == MS_WIRE_EXEC;
}

/* The meaning of the references of an exit, which the chunk mostly has again. */
MS_INLINE const struct ms_schedule_recent_exit *
ms_schedule_hand_offs_find_exit(struct ms_schedule_hand_offs *h, uint32_t exit)
{
	struct ms_schedule_recent_exit *recent = &h->recent_exit[exit % MS_SCHEDULE_RECENT_EXITS];

	if (MS_LIKELY(recent->exit == exit && recent->refs != NULL))
		return recent;
	recent->exit = exit;
	recent->n = 0;
	recent->refs = h->source.refs_of(h->source.refs, exit, &recent->n);
	return recent;
}

/* Another processor has written the chunk. */
MS_INLINE void ms_schedule_hand_offs_ask_ahead(const uint64_t *words, size_t length)
{
	for (size_t i = 0; i < length; i += 8)
		__builtin_prefetch(words + MS_SCHEDULE_AHEAD + i);
}

typedef bool ms_schedule_hand_offs_take_meaning(struct ms_schedule_hand_offs *h, uint32_t at,
						uint32_t position, uint64_t address,
						uint32_t meaning);

/* Calls take() for each reference. */
MS_INLINE enum ms_schedule_hand_off_result
ms_schedule_hand_offs_each_reference(struct ms_schedule_hand_offs *h,
				     ms_schedule_hand_offs_take_meaning *take)
{
	/* A copy, which other stores cannot change. */
	const struct ms_schedule_merged_chunk chunk = *h->chunk;

	for (uint32_t at = 0, length; (length = ms_schedule_hand_offs_get_length(&chunk, at)) > 0;
	     at += length) {
		ms_schedule_hand_offs_ask_ahead(chunk.words + at, length);
		if (!ms_schedule_hand_offs_is_execution(&chunk, at))
			continue;
		const struct ms_schedule_recent_exit *exit =
			ms_schedule_hand_offs_find_exit(h, ms_wire_arg_of(chunk.words[at]));
		const uint16_t *refs = exit->refs;
		uint32_t n = exit->n < length - 1 ? exit->n : length - 1;

		if (MS_UNLIKELY(refs == NULL))
			return MS_SCHEDULE_UNDESCRIBED;
		for (uint32_t i = 0, position = at + 1; i < n; i++, position++)
			if (MS_UNLIKELY(!take(h, at, position, chunk.words[position], refs[i])))
				return MS_SCHEDULE_TOO_MANY;
	}
	return MS_SCHEDULE_ORDERED;
}

/* Before the references of a chunk are taken. */
MS_INLINE void ms_schedule_hand_offs_begin_chunk(struct ms_schedule_hand_offs *h)
{
	h->hand_offs = h->units = h->syncs = h->sync = h->firsts = 0;
	ms_schedule_word_uses_begin_chunk(&h->word_uses);
	for (uint32_t i = 0; i < MS_SCHEDULE_RECENT_EXITS; i++)
		h->recent_exit[i].refs = NULL;
}

/* --- words of lines --- */

MS_INLINE struct ms_schedule_used_line *
ms_schedule_hand_offs_find_line(struct ms_schedule_hand_offs *h, uint64_t word)
{
	return ms_schedule_word_uses_find(&h->word_uses, word >> MS_SCHEDULE_LINE_BITS,
					  h->chunk->lane);
}

/* The word's bit in masks of its line. */
MS_INLINE uint8_t ms_schedule_hand_offs_get_bit(uint64_t word)
{
	return (uint8_t)(1 << word % MS_SCHEDULE_LINE_WORDS);
}

MS_INLINE struct ms_schedule_use *
ms_schedule_hand_offs_get_use(struct ms_schedule_hand_offs *h,
			      const struct ms_schedule_used_line *line, uint64_t word)
{
	return &h->word_uses.use[line - h->word_uses.used][word % MS_SCHEDULE_LINE_WORDS];
}

/* Whether uses of the word by other threads matter for its order. */
MS_INLINE bool ms_schedule_hand_offs_is_shared(const struct ms_schedule_used_line *line,
					       uint64_t word, bool writes)
{
	return ((writes ? line->used_by_others : line->written_by_others) &
		ms_schedule_hand_offs_get_bit(word)) != 0;
}

/* The words of a line that a reference touches: a mask, and their first and last numbers. If the
 * last one is not in the line, the mask means nothing. */
MS_INLINE uint32_t ms_schedule_hand_offs_get_words(uint64_t address, uint32_t meaning,
						   uint32_t *first, uint32_t *last)
{
	const uint32_t bytes = meaning >> MS_SCHEDULE_BYTES_AT;
	const uint32_t from = (uint32_t)address % MS_SCHEDULE_LINE_BYTES;

	*first = from >> MS_SCHEDULE_WORD_SHIFT;
	*last = (from + bytes - (bytes > 0)) >> MS_SCHEDULE_WORD_SHIFT;
	return (2u << *last % 32) - (1u << *first);
}

#endif
