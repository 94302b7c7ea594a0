/*
 * schedule/use_order.c - the order of uses of words that several threads share: counts the uses of
 * a chunk, compares them with those of other threads, and so finds hand-offs and units
 * (hand_offs.h).
 */
#include "schedule/hand_offs_priv.h"

/* --- uses of synchronisation words --- */

/* Returns false if there are too many. */
static bool add_sync_use(struct ms_schedule_hand_offs *h, uint32_t position, uint32_t at,
			 bool writes)
{
	if (h->syncs == MS_SCHEDULE_MOST_SYNC)
		return false;
	h->sync_use[h->syncs++] =
		(struct ms_schedule_sync_use){ .position = position, .at = at, .writes = writes };
	return true;
}

static void find_next_writes(struct ms_schedule_hand_offs *h)
{
	uint32_t next = MS_SCHEDULE_CHUNK_END;

	for (uint32_t i = h->syncs; i-- > 0;) {
		next = h->sync_use[i].writes ? h->sync_use[i].at : next;
		h->sync_use[i].next_write = next;
	}
}

/* The record of the synchronisation before a reference; 0 is the chunk's start. */
static uint32_t find_sync_before(const struct ms_schedule_hand_offs *h)
{
	return h->sync > 0 ? h->sync_use[h->sync - 1].at : 0;
}

/* --- first, all uses are counted --- */

/* The lane begins to use a word in this chunk. */
static void begin_use(struct ms_schedule_hand_offs *h, struct ms_schedule_used_line *line,
		      uint64_t word, struct ms_schedule_use *use)
{
	line->counted |= ms_schedule_hand_offs_get_bit(word);
	use->uses = use->writes = use->first_end = 0;
	use->flags = line->may_be_known ? ms_schedule_hand_offs_find_flags(h, word) : 0;
}

static void add_first(struct ms_schedule_hand_offs *h,
		      const struct ms_schedule_reference *reference)
{
	if (h->firsts < MS_SCHEDULE_MOST_FIRST)
		h->first[h->firsts++] = *reference;
}

MS_INLINE void count(struct ms_schedule_use *use, uint32_t number, uint32_t at, bool writes)
{
	const struct ms_schedule_use_point here = { number, at };

	use->uses++;
	use->last = here;
	if (writes) {
		use->writes++;
		use->last_write = here;
	}
}

/* Does what note_line() does, for a word. */
static void note_counted(struct ms_schedule_hand_offs *h, struct ms_schedule_used_line *line,
			 const struct ms_schedule_reference *reference, uint32_t flags)
{
	const uint8_t bit = ms_schedule_hand_offs_get_bit(reference->word);

	h->is_shared = h->is_shared ||
		       ms_schedule_hand_offs_is_shared(line, reference->word, reference->writes);
	h->flags |= flags;
	line->number = (uint32_t)h->chunk->number;
	line->used |= bit;
	line->written |= reference->writes ? bit : 0;
}

/* Further uses of the word like those so far are only counted, unless it is a synchronisation word.
 */
static void set_counted(struct ms_schedule_hand_offs *h, uint64_t word, uint32_t flags)
{
	uint8_t *words =
		ms_schedule_word_uses_get_recent(&h->word_uses, word >> MS_SCHEDULE_LINE_BITS)
			->words;
	const uint8_t bit = ms_schedule_hand_offs_get_bit(word);
	const bool is_sync = (flags & MS_SCHEDULE_IS_SYNC) != 0;

	words[0] = (uint8_t)(words[0] & ~bit) |
		   (!is_sync && (flags & MS_SCHEDULE_HAS_READ) != 0 ? bit : 0);
	words[MS_SCHEDULE_WRITES] = (uint8_t)(words[MS_SCHEDULE_WRITES] & ~bit) |
				    (!is_sync && (flags & MS_SCHEDULE_HAS_WRITTEN) != 0 ? bit : 0);
}

static bool count_word(struct ms_schedule_hand_offs *h,
		       const struct ms_schedule_reference *reference)
{
	const uint32_t kind = reference->writes ? MS_SCHEDULE_HAS_WRITTEN : MS_SCHEDULE_HAS_READ;
	const uint32_t number = (uint32_t)h->chunk->number;
	const uint64_t word = reference->word;
	struct ms_schedule_used_line *line = ms_schedule_hand_offs_find_line(h, word);

	if (line == NULL)
		return false;
	struct ms_schedule_use *use = ms_schedule_hand_offs_get_use(h, line, word);
	if ((line->counted & ms_schedule_hand_offs_get_bit(word)) == 0 ||
	    use->last.number != number)
		begin_use(h, line, word, use);
	if (reference->is_atomic)
		use->flags |= ms_schedule_hand_offs_note_atomic_use(h, word);
	if (!h->is_late)
		note_counted(h, line, reference, use->flags);
	if (reference->is_atomic ||
	    ((use->flags & kind) == 0 &&
	     (ms_schedule_hand_offs_is_shared(line, word, reference->writes) ||
	      (use->flags & MS_SCHEDULE_IS_CONTENDED) != 0)))
		add_first(h, reference);
	use->flags |= kind;
	line->counted_writes |= reference->writes ? ms_schedule_hand_offs_get_bit(word) : 0;
	count(use, number, reference->at, reference->writes);
	set_counted(h, word, use->flags);
	return (use->flags & MS_SCHEDULE_IS_SYNC) == 0 ||
	       add_sync_use(h, reference->position, reference->at, reference->writes);
}

MS_INLINE bool count_use(struct ms_schedule_hand_offs *h, uint32_t at, uint32_t position,
			 uint64_t address, uint32_t meaning)
{
	const uint64_t line = address / MS_SCHEDULE_LINE_BYTES;
	const struct ms_schedule_recent_line *recent =
		ms_schedule_word_uses_get_recent(&h->word_uses, line);
	uint32_t first, last,
		words = ms_schedule_hand_offs_get_words(address, meaning, &first, &last);

	if (recent->line != line + 1 || last >= MS_SCHEDULE_LINE_WORDS ||
	    (meaning & MS_SCHEDULE_ATOMIC) != 0 ||
	    (words & ~(uint32_t)recent->words[meaning & MS_SCHEDULE_WRITES]) != 0)
		return ms_schedule_hand_offs_take_words(h, at, position, meaning, count_word);
	for (uint32_t i = first; i <= last; i++)
		count(ms_schedule_hand_offs_get_use(h, recent->used, i), (uint32_t)h->chunk->number,
		      at, (meaning & MS_SCHEDULE_WRITES) != 0);
	return true;
}

static void set_units(struct ms_schedule_use *own)
{
	if ((own->flags & (MS_SCHEDULE_IS_SYNC | MS_SCHEDULE_IS_CONTENDED)) ==
		    MS_SCHEDULE_IS_CONTENDED &&
	    own->uses > MS_SCHEDULE_FEW)
		own->flags |= MS_SCHEDULE_IS_IN_UNITS;
}

/* --- then they are compared with those of other chunks --- */

/* Whether an earlier hand-off implies it. */
static bool is_implied(const struct ms_schedule_hand_offs *h, uint32_t lane, uint64_t number,
		       uint32_t after)
{
	for (uint32_t i = h->hand_offs; i-- > 0;)
		if (h->hand_off[i].lane == lane)
			return h->hand_off[i].number > number ||
			       (h->hand_off[i].number == number && h->hand_off[i].after >= after);
	return false;
}

/* Returns false if there are too many. */
static bool add_hand_off(struct ms_schedule_hand_offs *h,
			 const struct ms_schedule_reference *reference, uint32_t lane,
			 uint64_t number, uint32_t after)
{
	bool is_sync = h->sync < h->syncs && h->sync_use[h->sync].position == reference->position;
	uint32_t at = h->syncs == 0 || is_sync ? reference->at : find_sync_before(h);

	if (is_implied(h, lane, number, after))
		return true;
	if (h->hand_offs == MS_SCHEDULE_MOST_HAND_OFFS)
		return false;
	h->hand_off[h->hand_offs++] = (struct ms_schedule_hand_off){ at, lane, number, after };
	return true;
}

/* What is between two synchronisations is not divided. */
static void add_unit(struct ms_schedule_hand_offs *h)
{
	struct ms_schedule_unit *last = h->units > 0 ? &h->unit[h->units - 1] : NULL;
	struct ms_schedule_unit unit = { find_sync_before(h), h->sync_use[h->sync].at };

	if (last != NULL && (unit.from <= last->to || h->units == MS_SCHEDULE_MOST_UNITS))
		last->to = unit.to;
	else
		h->unit[h->units++] = unit;
}

static bool are_contended(const struct ms_schedule_use *own, const struct ms_schedule_use *other)
{
	return own->uses > MS_SCHEDULE_FEW && other->uses > MS_SCHEDULE_FEW &&
	       (other->writes > MS_SCHEDULE_FEW || own->writes > MS_SCHEDULE_FEW);
}

/* Whether a contended word may be used alternately by both threads. */
static bool may_alternate(const struct ms_schedule_hand_offs *h, const struct ms_schedule_use *own,
			  const struct ms_schedule_use *other,
			  const struct ms_schedule_use_point *point, bool is_enclosed)
{
	uint32_t both = own->flags & other->flags;

	if ((own->flags & MS_SCHEDULE_IS_SYNC) != 0 ||
	    (h->syncs == 0 && (other->flags & (MS_SCHEDULE_HAS_SYNC | MS_SCHEDULE_IS_SYNC)) == 0))
		return true;
	return (both & MS_SCHEDULE_IS_IN_UNITS) != 0 && is_enclosed &&
	       point->end != MS_SCHEDULE_CHUNK_END;
}

/* The number of a chunk, which is not after the present one, by its lower half. */
static uint64_t widen(const struct ms_schedule_hand_offs *h, uint32_t number)
{
	return h->chunk->number - (uint32_t)((uint32_t)h->chunk->number - number);
}

/* A read comes after the other chunk's writes, a write after all its uses. */
static bool compare_uses(struct ms_schedule_hand_offs *h,
			 const struct ms_schedule_reference *reference, struct ms_schedule_use *own,
			 uint32_t lane, const struct ms_schedule_use *other, bool is_enclosed)
{
	const struct ms_schedule_use_point *point =
		reference->writes ? &other->last : &other->last_write;
	bool contended = are_contended(own, other);

	if (contended && (own->flags & (MS_SCHEDULE_IS_SYNC | MS_SCHEDULE_IS_CONTENDED)) == 0) {
		struct ms_schedule_known_word *k =
			ms_schedule_hand_offs_know_word(h, reference->word);

		if (k != NULL)
			k->flags |= MS_SCHEDULE_IS_CONTENDED;
		own->flags |= MS_SCHEDULE_IS_CONTENDED | MS_SCHEDULE_IS_IN_UNITS;
	}
	if (widen(h, point->number) < h->chunk->oldest)
		return true;
	h->shares = true;
	if (!contended || !may_alternate(h, own, other, point, is_enclosed))
		return add_hand_off(h, reference, lane, widen(h, point->number), point->end);
	/* What was protected when the other chunk began belongs to an earlier one. */
	return other->first_end == 0 ||
	       add_hand_off(h, reference, lane, widen(h, other->last.number), other->first_end);
}

/* Where synchronisation words are used, sets the end of what may be protected with a reference. */
static void set_end(const struct ms_schedule_hand_offs *h,
		    const struct ms_schedule_reference *reference, struct ms_schedule_use *own)
{
	bool ends = h->sync < h->syncs;

	own->last.end = ends ? h->sync_use[h->sync].at : MS_SCHEDULE_CHUNK_END;
	if (reference->writes)
		own->last_write.end =
			ends ? h->sync_use[h->sync].next_write : MS_SCHEDULE_CHUNK_END;
	if (h->sync == 0)
		own->first_end = ends ? h->sync_use[0].at : MS_SCHEDULE_CHUNK_END;
	own->flags |= MS_SCHEDULE_HAS_SYNC;
}

/* Compares a use with those of another thread in the same line. */
static bool compare_line(struct ms_schedule_hand_offs *h,
			 const struct ms_schedule_reference *reference, struct ms_schedule_use *own,
			 struct ms_schedule_used_line *line, bool is_enclosed)
{
	uint8_t bit = ms_schedule_hand_offs_get_bit(reference->word);

	if (((reference->writes ? line->counted : line->counted_writes) & bit) != 0)
		return compare_uses(h, reference, own, line->lane,
				    ms_schedule_hand_offs_get_use(h, line, reference->word),
				    is_enclosed);
	if (((reference->writes ? line->used : line->written) & bit) != 0 &&
	    widen(h, line->number) >= h->chunk->oldest)
		h->shares = true; /* with a chunk that is merged by now */
	return true;
}

static bool compare_lines(struct ms_schedule_hand_offs *h,
			  const struct ms_schedule_reference *reference,
			  struct ms_schedule_use *own, bool is_enclosed)
{
	struct ms_schedule_word_uses *w = &h->word_uses;
	uint64_t number = reference->word >> MS_SCHEDULE_LINE_BITS;

	for (uint32_t i = *ms_schedule_word_uses_bucket(w, number); i != 0;
	     i = w->used[i - 1].next) {
		struct ms_schedule_used_line *line = &w->used[i - 1];

		if (line->line == number && line->lane != h->chunk->lane &&
		    !compare_line(h, reference, own, line, is_enclosed))
			return false;
	}
	return true;
}

static bool order_word(struct ms_schedule_hand_offs *h,
		       const struct ms_schedule_reference *reference)
{
	struct ms_schedule_used_line *line = ms_schedule_hand_offs_find_line(h, reference->word);
	struct ms_schedule_use *own = ms_schedule_hand_offs_get_use(h, line, reference->word);

	while (h->sync < h->syncs && h->sync_use[h->sync].position < reference->position)
		h->sync++;
	bool is_enclosed = h->sync > 0 && h->sync < h->syncs;

	if (h->syncs > 0)
		set_end(h, reference, own);
	set_units(own);
	if (h->is_late)
		return true;
	if (ms_schedule_hand_offs_is_shared(line, reference->word, reference->writes) &&
	    !compare_lines(h, reference, own, is_enclosed))
		return false;
	if ((own->flags & MS_SCHEDULE_IS_IN_UNITS) != 0 && is_enclosed)
		add_unit(h);
	return true;
}

static bool order_use(struct ms_schedule_hand_offs *h, uint32_t at, uint32_t position,
		      uint64_t address, uint32_t meaning)
{
	(void)address;
	return ms_schedule_hand_offs_take_words(h, at, position, meaning, order_word);
}

static bool order_uses(struct ms_schedule_hand_offs *h)
{
	if (h->syncs > 0 || h->firsts == MS_SCHEDULE_MOST_FIRST)
		return ms_schedule_hand_offs_each_reference(h, order_use) == MS_SCHEDULE_ORDERED;
	for (uint32_t i = 0; i < h->firsts; i++)
		if (!order_word(h, &h->first[i]))
			return false;
	return true;
}

/* A hand-off within a unit holds for the whole unit. */
static void move_to_units(struct ms_schedule_hand_offs *h)
{
	for (uint32_t i = 0, k = 0; i < h->hand_offs; i++) {
		struct ms_schedule_hand_off *hand_off = &h->hand_off[i];

		while (k < h->units && h->unit[k].to < hand_off->at)
			k++;
		if (k < h->units && h->unit[k].from < hand_off->at)
			hand_off->at = h->unit[k].from;
	}
}

enum ms_schedule_hand_off_result ms_schedule_hand_offs_order_uses(struct ms_schedule_hand_offs *h)
{
	ms_schedule_hand_offs_begin_chunk(h);
	enum ms_schedule_hand_off_result result =
		ms_schedule_hand_offs_each_reference(h, count_use);
	if (result != MS_SCHEDULE_ORDERED)
		return result;
	find_next_writes(h);
	if (!order_uses(h))
		return MS_SCHEDULE_TOO_MANY;
	move_to_units(h);
	return MS_SCHEDULE_ORDERED;
}
