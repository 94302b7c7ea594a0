#include "schedule/hand_offs.h"

#include "schedule/hand_offs_priv.h"

size_t ms_schedule_hand_offs_bytes(void)
{
	return sizeof(struct ms_schedule_hand_offs);
}

void ms_schedule_hand_offs_start(struct ms_schedule_hand_offs *h,
				 const struct ms_schedule_hand_offs_source *source)
{
	h->source = *source;
}

void ms_schedule_hand_offs_clear(struct ms_schedule_hand_offs *h)
{
	ms_schedule_word_uses_clear(&h->word_uses);
	h->uncounted_chunks = 0;
}

/* --- synchronisation words --- */

/* Returns the word's entry, which replaces an old one; NULL: the entry is in use. */
struct ms_schedule_known_word *ms_schedule_hand_offs_know_word(struct ms_schedule_hand_offs *h,
							       uint64_t word)
{
	struct ms_schedule_known_word *k =
		&h->known[ms_schedule_hash(word, MS_SCHEDULE_KNOWN_BITS)];

	if (k->word != word + 1) {
		if ((k->flags & (MS_SCHEDULE_IS_SYNC | MS_SCHEDULE_IS_CONTENDED)) != 0 &&
		    k->number + MS_SCHEDULE_KNOWN_LASTS > h->chunk->number)
			return NULL;
		*k = (struct ms_schedule_known_word){ .word = word + 1 };
		ms_schedule_word_uses_know(&h->word_uses, word >> MS_SCHEDULE_LINE_BITS);
	}
	k->number = h->chunk->number;
	return k;
}

static void make_sync(struct ms_schedule_hand_offs *h, struct ms_schedule_known_word *k)
{
	h->has_new_sync = h->has_new_sync || (k->flags & MS_SCHEDULE_IS_SYNC) == 0;
	k->flags |= MS_SCHEDULE_IS_SYNC;
}

/* What is known of a word that the chunk begins to use. */
uint32_t ms_schedule_hand_offs_find_flags(struct ms_schedule_hand_offs *h, uint64_t word)
{
	struct ms_schedule_known_word *k =
		&h->known[ms_schedule_hash(word, MS_SCHEDULE_KNOWN_BITS)];

	if (k->word != word + 1)
		return 0;
	if (h->is_late)
		return k->flags;
	k->number = h->chunk->number;
	if (k->lane != 0 && k->lane != h->chunk->lane)
		make_sync(h, k);
	return k->flags;
}

/* Returns what is known of the word. */
uint32_t ms_schedule_hand_offs_note_atomic_use(struct ms_schedule_hand_offs *h, uint64_t word)
{
	struct ms_schedule_known_word *k;

	if (h->is_late)
		return ms_schedule_hand_offs_find_flags(h, word);
	k = ms_schedule_hand_offs_know_word(h, word);
	if (k == NULL)
		return 0;
	if (k->lane != 0 && k->lane != h->chunk->lane)
		make_sync(h, k);
	k->lane = h->chunk->lane;
	return k->flags;
}

/* --- words that the chunk uses --- */

/* What is known of words that the chunk uses. */
static uint32_t find_all_flags(struct ms_schedule_hand_offs *h, uint64_t line, uint32_t words)
{
	uint32_t flags = 0;

	for (; words != 0; words &= words - 1)
		flags |= ms_schedule_hand_offs_find_flags(
			h, (line << MS_SCHEDULE_LINE_BITS) + (uint32_t)__builtin_ctz(words));
	return flags;
}

/* The words of a recent line that the chunk uses become known. */
static void note_line(struct ms_schedule_hand_offs *h, const struct ms_schedule_recent_line *recent)
{
	struct ms_schedule_used_line *line = recent->used;
	const uint8_t reads = recent->words[0], writes = recent->words[MS_SCHEDULE_WRITES];

	h->is_shared |= ((reads & line->written_by_others) | (writes & line->used_by_others)) != 0;
	if (line->may_be_known)
		h->flags |= find_all_flags(h, line->line, reads | writes);
	line->number = (uint32_t)h->chunk->number;
	line->used |= reads | writes;
	line->written |= writes;
}

/* The line of the reference, which takes the place of another one. */
static MS_NOINLINE struct ms_schedule_recent_line *
find_another_line(struct ms_schedule_hand_offs *h, uint64_t line)
{
	struct ms_schedule_recent_line *recent =
		ms_schedule_word_uses_get_recent(&h->word_uses, line);

	if (recent->line == line + 1)
		return recent;
	if (recent->line != 0)
		note_line(h, recent);
	return ms_schedule_word_uses_enter(&h->word_uses, line, h->chunk->lane) != NULL ? recent
											: NULL;
}

static bool note_word(struct ms_schedule_hand_offs *h,
		      const struct ms_schedule_reference *reference)
{
	struct ms_schedule_recent_line *recent =
		find_another_line(h, reference->word >> MS_SCHEDULE_LINE_BITS);

	if (recent == NULL)
		return false;
	if (reference->is_atomic)
		h->flags |= ms_schedule_hand_offs_note_atomic_use(h, reference->word);
	recent->words[reference->writes ? MS_SCHEDULE_WRITES : 0] |=
		ms_schedule_hand_offs_get_bit(reference->word);
	return true;
}

/* Several lines, an atomic use, or a line that was not used recently. Not inline, so that the
 * variables of the loop stay in registers. */
static MS_NOINLINE bool note_words(struct ms_schedule_hand_offs *h, uint32_t at, uint32_t position,
				   uint32_t meaning)
{
	return ms_schedule_hand_offs_take_words(h, at, position, meaning, note_word);
}

MS_INLINE bool note_use(struct ms_schedule_hand_offs *h, uint32_t at, uint32_t position,
			uint64_t address, uint32_t meaning)
{
	const uint64_t line = address / MS_SCHEDULE_LINE_BYTES;
	struct ms_schedule_recent_line *recent =
		ms_schedule_word_uses_get_recent(&h->word_uses, line);
	uint32_t first, last,
		words = ms_schedule_hand_offs_get_words(address, meaning, &first, &last);

	if (MS_UNLIKELY(recent->line != line + 1 || last >= MS_SCHEDULE_LINE_WORDS ||
			(meaning & MS_SCHEDULE_ATOMIC) != 0))
		return note_words(h, at, position, meaning);
	recent->words[meaning & MS_SCHEDULE_WRITES] |= (uint8_t)words;
	return true;
}

static void note_lines(struct ms_schedule_hand_offs *h)
{
	for (uint32_t i = 0; i < MS_SCHEDULE_RECENT_LINES; i++)
		if (h->word_uses.recent[i].line != 0)
			note_line(h, &h->word_uses.recent[i]);
}

/* --- chunks that were added earlier, and shared no word then --- */

/* Those that are merged by now do not matter: what is added comes after them anyway. */
static enum ms_schedule_hand_off_result count_uncounted(struct ms_schedule_hand_offs *h)
{
	const struct ms_schedule_merged_chunk *chunk = h->chunk;
	enum ms_schedule_hand_off_result result = MS_SCHEDULE_ORDERED;

	h->is_late = true;
	for (uint32_t i = 0; i < h->uncounted_chunks && result == MS_SCHEDULE_ORDERED; i++) {
		h->chunk = &h->uncounted[i];
		if (h->chunk->number >= chunk->oldest &&
		    h->source.is_there(h->source.chunks, h->chunk->lane, h->chunk->number))
			result = ms_schedule_hand_offs_order_uses(h);
	}
	h->is_late = false;
	h->uncounted_chunks = 0;
	h->chunk = chunk;
	return result;
}

static enum ms_schedule_hand_off_result add_uncounted(struct ms_schedule_hand_offs *h)
{
	enum ms_schedule_hand_off_result result = MS_SCHEDULE_ORDERED;

	if (h->uncounted_chunks == MS_SCHEDULE_MOST_UNCOUNTED) {
		result = count_uncounted(h);
		ms_schedule_hand_offs_begin_chunk(h);
	}
	h->uncounted[h->uncounted_chunks++] = *h->chunk;
	return result;
}

/* --- all --- */

static bool are_exits_described(struct ms_schedule_hand_offs *h)
{
	const struct ms_schedule_merged_chunk *chunk = h->chunk;

	for (size_t at = 0, length; (length = ms_schedule_hand_offs_get_length(chunk, at)) > 0;
	     at += length) {
		ms_schedule_hand_offs_ask_ahead(chunk->words + at, length);
		if (ms_schedule_hand_offs_is_execution(chunk, at) &&
		    ms_schedule_hand_offs_find_exit(h, ms_wire_arg_of(chunk->words[at]))->refs ==
			    NULL)
			return false;
	}
	return true;
}

static enum ms_schedule_hand_off_result count_and_order(struct ms_schedule_hand_offs *h)
{
	enum ms_schedule_hand_off_result result = count_uncounted(h);

	return result == MS_SCHEDULE_ORDERED ? ms_schedule_hand_offs_order_uses(h) : result;
}

/* Without shared words, there are no hand-offs; units are of both kinds of words. */
static bool needs_order(const struct ms_schedule_hand_offs *h)
{
	return h->is_shared || (h->flags & MS_SCHEDULE_IN_UNITS) == MS_SCHEDULE_IN_UNITS;
}

/* Finds out whether the order of the chunk's uses matters before it counts them, unless that of
 * recent chunks did. */
static enum ms_schedule_hand_off_result add_chunk(struct ms_schedule_hand_offs *h)
{
	enum ms_schedule_hand_off_result result;

	if (h->likely > 0)
		return are_exits_described(h) ? count_and_order(h) : MS_SCHEDULE_UNDESCRIBED;
	result = ms_schedule_hand_offs_each_reference(h, note_use);
	note_lines(h);
	if (result != MS_SCHEDULE_ORDERED)
		return result;
	return needs_order(h) ? count_and_order(h) : add_uncounted(h);
}

enum ms_schedule_hand_off_result
ms_schedule_hand_offs_add(struct ms_schedule_hand_offs *h,
			  const struct ms_schedule_merged_chunk *chunk,
			  struct ms_schedule_chunk_order *order)
{
	h->chunk = chunk;
	ms_schedule_hand_offs_begin_chunk(h);
	if (h->undescribed != chunk->number) {
		h->has_new_sync = h->is_shared = false;
		h->flags = 0;
	}
	h->shares = false;
	*order = (struct ms_schedule_chunk_order){ .hand_off = h->hand_off, .unit = h->unit };
	enum ms_schedule_hand_off_result result = add_chunk(h);
	h->undescribed = result == MS_SCHEDULE_UNDESCRIBED ? chunk->number : 0;
	if (result != MS_SCHEDULE_ORDERED)
		return result;
	h->likely = needs_order(h) ? MS_SCHEDULE_LIKELY : h->likely - (h->likely > 0);
	order->hand_offs = h->hand_offs;
	order->units = h->units;
	/* What the words protect was not known when earlier chunks were added. */
	order->follows_all = h->has_new_sync;
	order->shares = h->shares || h->has_new_sync;
	return MS_SCHEDULE_ORDERED;
}
