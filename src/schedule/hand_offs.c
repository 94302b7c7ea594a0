#include "schedule/hand_offs.h"

#include "schedule/word_uses_priv.h"
#include "wire/wire.h"

enum {
	WORD_SHIFT = 3,
	FEW = 4, /* more uses of a word by both chunks are contention */
	KNOWN_BITS = 13,
	KNOWN_LASTS = 4096, /* chunks, after which another word may take an entry */
	MOST_SYNC = 1 << 14,
	MOST_FIRST = 1 << 13,
	RECENT_EXITS = 128,
	AHEAD = 128, /* prefetch distance in words */
};

enum use_flags {
	IS_SYNC = 1,      /* a synchronisation word */
	IS_CONTENDED = 2, /* contended, and no synchronisation word */
	IS_IN_UNITS = 4,  /* the chunk uses it in units */
	HAS_SYNC = 8,     /* the chunk uses synchronisation words */
	HAS_USED = 16,    /* the chunk reads it; the next bit: writes it; by meaning & USE_KINDS */
	USE_KINDS = MS_SCHEDULE_WRITES | MS_SCHEDULE_ATOMIC,
	HAS_READ = 16,    /* the chunk reads the word */
	HAS_WRITTEN = 32, /* the chunk writes it, or reads and writes it */
};

/* A word that is used with atomic instructions, or was contended. */
struct known_word {
	uint64_t word; /* its address, in words, plus 1; 0: an empty entry */
	uint64_t number;
	uint32_t lane; /* that has used it with an atomic instruction; 0: none */
	uint32_t flags;
};

/* A use of a synchronisation word: the reference and its record. */
struct sync_use {
	uint32_t position, at;
	uint32_t next_write; /* the record of the next one that writes, from this one on */
	bool writes;
};

struct reference {
	uint32_t at, position; /* its record, and the word of its address */
	uint64_t word;         /* its address, in words */
	bool writes, is_atomic;
};

struct recent_exit {
	uint32_t exit, n;
	const uint16_t *refs; /* NULL: none */
};

struct ms_schedule_hand_offs {
	ms_schedule_refs_of *refs_of;
	const void *arg;
	/* Of the present chunk: */
	const struct ms_schedule_merged_chunk *chunk;
	uint32_t syncs, sync; /* `sync`: the first one that is not before the present reference */
	struct sync_use sync_use[MOST_SYNC];
	/* Without synchronisation words only the first references of a kind to a word matter, and
	 * to words that other threads use; MOST_FIRST: these are not all. */
	uint32_t firsts;
	struct reference first[MOST_FIRST];
	struct recent_exit recent_exit[RECENT_EXITS];
	bool has_new_sync, shares;
	uint32_t hand_offs, units;
	struct ms_schedule_hand_off hand_off[MS_SCHEDULE_MOST_HAND_OFFS];
	struct ms_schedule_unit unit[MS_SCHEDULE_MOST_UNITS];

	struct known_word known[1 << KNOWN_BITS];
	struct ms_schedule_word_uses word_uses;
};

size_t ms_schedule_hand_offs_bytes(void)
{
	return sizeof(struct ms_schedule_hand_offs);
}

void ms_schedule_hand_offs_start(struct ms_schedule_hand_offs *h, ms_schedule_refs_of *refs_of,
				 const void *arg)
{
	h->refs_of = refs_of;
	h->arg = arg;
}

void ms_schedule_hand_offs_clear(struct ms_schedule_hand_offs *h)
{
	ms_schedule_word_uses_clear(&h->word_uses);
}

/* --- synchronisation words --- */

/* Returns the word's entry, which replaces an old one; NULL: the entry is in use. */
static struct known_word *know_word(struct ms_schedule_hand_offs *h, uint64_t word)
{
	struct known_word *k = &h->known[ms_schedule_hash(word, KNOWN_BITS)];

	if (k->word != word + 1) {
		if ((k->flags & (IS_SYNC | IS_CONTENDED)) != 0 &&
		    k->number + KNOWN_LASTS > h->chunk->number)
			return NULL;
		*k = (struct known_word){ .word = word + 1 };
	}
	k->number = h->chunk->number;
	return k;
}

static void make_sync(struct ms_schedule_hand_offs *h, struct known_word *k)
{
	h->has_new_sync = h->has_new_sync || (k->flags & IS_SYNC) == 0;
	k->flags |= IS_SYNC;
}

/* What is known of a word that the chunk begins to use. */
static uint32_t find_flags(struct ms_schedule_hand_offs *h, uint64_t word)
{
	struct known_word *k = &h->known[ms_schedule_hash(word, KNOWN_BITS)];

	if (k->word != word + 1)
		return 0;
	k->number = h->chunk->number;
	if (k->lane != 0 && k->lane != h->chunk->lane)
		make_sync(h, k);
	return k->flags;
}

static void note_atomic_use(struct ms_schedule_hand_offs *h, uint64_t word,
			    struct ms_schedule_use *use)
{
	struct known_word *k = know_word(h, word);

	if (k == NULL)
		return;
	if (k->lane != 0 && k->lane != h->chunk->lane)
		make_sync(h, k);
	k->lane = h->chunk->lane;
	use->flags |= k->flags;
}

/* Returns false if there are too many. */
static bool add_sync_use(struct ms_schedule_hand_offs *h, uint32_t position, uint32_t at,
			 bool writes)
{
	if (h->syncs == MOST_SYNC)
		return false;
	h->sync_use[h->syncs++] =
		(struct sync_use){ .position = position, .at = at, .writes = writes };
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

/* --- the references of a chunk --- */

typedef bool take_reference(struct ms_schedule_hand_offs *h, const struct reference *reference);

/* A reference may touch several words. Returns false if take() has. */
MS_INLINE bool take_words(struct ms_schedule_hand_offs *h, uint32_t at, uint32_t position,
			  uint32_t meaning, take_reference *take)
{
	uint64_t address = h->chunk->words[position], bytes = meaning >> MS_SCHEDULE_BYTES_AT;
	uint64_t last = (address + (bytes > 0 ? bytes - 1 : 0)) >> WORD_SHIFT;
	struct reference reference = {
		.at = at,
		.position = position,
		.writes = (meaning & MS_SCHEDULE_WRITES) != 0,
		.is_atomic = (meaning & MS_SCHEDULE_ATOMIC) != 0,
	};

	if (address == 0) /* it was not executed */
		return true;
	for (uint64_t word = address >> WORD_SHIFT; word <= last; word++) {
		reference.word = word;
		if (!take(h, &reference))
			return false;
	}
	return true;
}

/* The words of the record, if it is an execution; 0: there is no whole record. */
static uint32_t get_length(const struct ms_schedule_merged_chunk *chunk, size_t at)
{
	uint32_t length = at < chunk->n ? ms_wire_words_of(chunk->words[at]) : 0;

	return length <= chunk->n - at ? length : 0; /* else the reader of the stream reports it */
}

static bool is_execution(const struct ms_schedule_merged_chunk *chunk, size_t at)
{
	return ms_wire_kind_of(chunk->words[at]) == MS_WIRE_EXEC;
}

/* The meaning of the references of an exit, which the chunk mostly has again. */
MS_INLINE const struct recent_exit *find_exit(struct ms_schedule_hand_offs *h, uint32_t exit)
{
	struct recent_exit *recent = &h->recent_exit[exit % RECENT_EXITS];

	if (MS_LIKELY(recent->exit == exit && recent->refs != NULL))
		return recent;
	recent->exit = exit;
	recent->n = 0;
	recent->refs = h->refs_of(h->arg, exit, &recent->n);
	return recent;
}

/* Another processor has written the chunk. */
static void ask_ahead(const uint64_t *words, size_t length)
{
	for (size_t i = 0; i < length; i += 8)
		__builtin_prefetch(words + AHEAD + i);
}

static bool are_exits_described(struct ms_schedule_hand_offs *h)
{
	const struct ms_schedule_merged_chunk *chunk = h->chunk;

	for (size_t at = 0, length; (length = get_length(chunk, at)) > 0; at += length) {
		ask_ahead(chunk->words + at, length);
		if (is_execution(chunk, at) &&
		    find_exit(h, ms_wire_arg_of(chunk->words[at]))->refs == NULL)
			return false;
	}
	return true;
}

typedef bool take_meaning(struct ms_schedule_hand_offs *h, uint32_t at, uint32_t position,
			  uint32_t meaning);

/* Calls take() for each reference; false: it has returned false. */
MS_INLINE bool each_reference(struct ms_schedule_hand_offs *h, take_meaning *take)
{
	const struct ms_schedule_merged_chunk *chunk = h->chunk;

	for (uint32_t at = 0, length; (length = get_length(chunk, at)) > 0; at += length) {
		if (!is_execution(chunk, at))
			continue;
		const struct recent_exit *exit = find_exit(h, ms_wire_arg_of(chunk->words[at]));
		const uint16_t *refs = exit->refs;
		uint32_t n = exit->n < length - 1 ? exit->n : length - 1;

		for (uint32_t i = 0; i < n; i++)
			if (!take(h, at, at + 1 + i, refs[i]))
				return false;
	}
	return true;
}

/* --- first, all uses are counted --- */

MS_INLINE struct ms_schedule_used_line *find_line(struct ms_schedule_hand_offs *h, uint64_t word)
{
	return ms_schedule_word_uses_find(&h->word_uses, word >> MS_SCHEDULE_LINE_BITS,
					  h->chunk->lane);
}

MS_INLINE struct ms_schedule_use *get_use(struct ms_schedule_used_line *line, uint64_t word)
{
	return &line->use[word % MS_SCHEDULE_LINE_WORDS];
}

/* The lane begins to use a word in this chunk. */
static void begin_use(struct ms_schedule_hand_offs *h, uint64_t word, struct ms_schedule_use *use)
{
	use->uses = use->writes = use->first_end = 0;
	use->flags = find_flags(h, word);
}

static void add_first(struct ms_schedule_hand_offs *h, const struct reference *reference)
{
	if (h->firsts < MOST_FIRST)
		h->first[h->firsts++] = *reference;
}

MS_INLINE void count(struct ms_schedule_use *use, struct ms_schedule_use_point here, bool writes)
{
	use->uses++;
	use->last = here;
	if (writes) {
		use->writes++;
		use->last_write = here;
	}
}

static bool count_word(struct ms_schedule_hand_offs *h, const struct reference *reference)
{
	const struct ms_schedule_merged_chunk *chunk = h->chunk;
	const struct ms_schedule_use_point here = { chunk->number, reference->at, reference->at };
	uint32_t kind = reference->writes ? HAS_USED << MS_SCHEDULE_WRITES : HAS_USED;
	struct ms_schedule_used_line *line = find_line(h, reference->word);

	if (line == NULL)
		return false;
	struct ms_schedule_use *use = get_use(line, reference->word);
	if (use->last.number != chunk->number)
		begin_use(h, reference->word, use);
	if (reference->is_atomic)
		note_atomic_use(h, reference->word, use);
	if (reference->is_atomic ||
	    ((use->flags & kind) == 0 && (!line->is_alone || (use->flags & IS_CONTENDED) != 0)))
		add_first(h, reference);
	use->flags |= kind;
	count(use, here, reference->writes);
	return (use->flags & IS_SYNC) == 0 ||
	       add_sync_use(h, reference->position, reference->at, reference->writes);
}

/* Counts a use of a single word that the chunk has used likewise before. Returns false if it is
 * another one. */
MS_INLINE bool count_again(struct ms_schedule_hand_offs *h, uint32_t at, uint64_t address,
			   uint32_t meaning)
{
	const struct ms_schedule_use_point here = { h->chunk->number, at, at };
	uint32_t kind = (uint32_t)HAS_USED << (meaning & USE_KINDS); /* no atomic one has it */
	uint64_t word = address >> WORD_SHIFT;
	struct ms_schedule_used_line *line =
		ms_schedule_word_uses_recall(&h->word_uses, word >> MS_SCHEDULE_LINE_BITS);

	if (line == NULL ||
	    address % (1 << WORD_SHIFT) + (meaning >> MS_SCHEDULE_BYTES_AT) > 1 << WORD_SHIFT)
		return false;
	struct ms_schedule_use *use = get_use(line, word);
	if (use->last.number != here.number || (use->flags & (IS_SYNC | kind)) != kind)
		return false;
	count(use, here, (meaning & MS_SCHEDULE_WRITES) != 0);
	return true;
}

MS_INLINE bool count_use(struct ms_schedule_hand_offs *h, uint32_t at, uint32_t position,
			 uint32_t meaning)
{
	return MS_LIKELY(count_again(h, at, h->chunk->words[position], meaning)) ||
	       take_words(h, at, position, meaning, count_word);
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
static bool add_hand_off(struct ms_schedule_hand_offs *h, const struct reference *reference,
			 uint32_t lane, uint64_t number, uint32_t after)
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
	return own->uses > FEW && other->uses > FEW && (other->writes > FEW || own->writes > FEW);
}

/* Whether a contended word may be used alternately by both threads. */
static bool may_alternate(const struct ms_schedule_hand_offs *h, const struct ms_schedule_use *own,
			  const struct ms_schedule_use *other,
			  const struct ms_schedule_use_point *point, bool is_enclosed)
{
	uint32_t both = own->flags & other->flags;

	if ((own->flags & IS_SYNC) != 0 ||
	    (h->syncs == 0 && (other->flags & (HAS_SYNC | IS_SYNC)) == 0))
		return true;
	return (both & IS_IN_UNITS) != 0 && is_enclosed && point->end != MS_SCHEDULE_CHUNK_END;
}

/* A read comes after the other chunk's writes, a write after all its uses. */
static bool compare_uses(struct ms_schedule_hand_offs *h, const struct reference *reference,
			 struct ms_schedule_use *own, uint32_t lane,
			 const struct ms_schedule_use *other, bool is_enclosed)
{
	const struct ms_schedule_use_point *point =
		reference->writes ? &other->last : &other->last_write;
	bool contended = are_contended(own, other);

	if (point->number == 0)
		return true;
	if (contended && (own->flags & (IS_SYNC | IS_CONTENDED)) == 0) {
		struct known_word *k = know_word(h, reference->word);

		if (k != NULL)
			k->flags |= IS_CONTENDED;
		own->flags |= IS_CONTENDED | IS_IN_UNITS;
	}
	if (point->number < h->chunk->oldest)
		return true;
	h->shares = true;
	if (!contended || !may_alternate(h, own, other, point, is_enclosed))
		return add_hand_off(h, reference, lane, point->number, point->end);
	/* What was protected when the other chunk began belongs to an earlier one. */
	return other->first_end == 0 ||
	       add_hand_off(h, reference, lane, other->last.number, other->first_end);
}

/* Where synchronisation words are used, sets the end of what may be protected with a reference. */
static void set_end(const struct ms_schedule_hand_offs *h, const struct reference *reference,
		    struct ms_schedule_use *own)
{
	bool ends = h->sync < h->syncs;

	own->last.end = ends ? h->sync_use[h->sync].at : MS_SCHEDULE_CHUNK_END;
	if (reference->writes)
		own->last_write.end =
			ends ? h->sync_use[h->sync].next_write : MS_SCHEDULE_CHUNK_END;
	if (h->sync == 0)
		own->first_end = ends ? h->sync_use[0].at : MS_SCHEDULE_CHUNK_END;
	own->flags |= HAS_SYNC;
}

static bool compare_lines(struct ms_schedule_hand_offs *h, const struct reference *reference,
			  struct ms_schedule_use *own, bool is_enclosed)
{
	struct ms_schedule_word_uses *w = &h->word_uses;
	uint64_t number = reference->word >> MS_SCHEDULE_LINE_BITS;

	for (uint32_t i = *ms_schedule_word_uses_bucket(w, number); i != 0;
	     i = w->used[i - 1].next) {
		struct ms_schedule_used_line *line = &w->used[i - 1];

		if (line->line == number && line->lane != h->chunk->lane &&
		    !compare_uses(h, reference, own, line->lane, get_use(line, reference->word),
				  is_enclosed))
			return false;
	}
	return true;
}

static bool order_word(struct ms_schedule_hand_offs *h, const struct reference *reference)
{
	struct ms_schedule_used_line *line = find_line(h, reference->word);
	struct ms_schedule_use *own = get_use(line, reference->word);

	while (h->sync < h->syncs && h->sync_use[h->sync].position < reference->position)
		h->sync++;
	bool is_enclosed = h->sync > 0 && h->sync < h->syncs;

	if (h->syncs > 0)
		set_end(h, reference, own);
	if ((own->flags & (IS_SYNC | IS_CONTENDED)) == IS_CONTENDED && own->uses > FEW)
		own->flags |= IS_IN_UNITS;
	if (!line->is_alone && !compare_lines(h, reference, own, is_enclosed))
		return false;
	if ((own->flags & IS_IN_UNITS) != 0 && is_enclosed)
		add_unit(h);
	return true;
}

static bool order_use(struct ms_schedule_hand_offs *h, uint32_t at, uint32_t position,
		      uint32_t meaning)
{
	return take_words(h, at, position, meaning, order_word);
}

static bool order_uses(struct ms_schedule_hand_offs *h)
{
	if (h->syncs > 0 || h->firsts == MOST_FIRST)
		return each_reference(h, order_use);
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

enum ms_schedule_hand_off_result
ms_schedule_hand_offs_add(struct ms_schedule_hand_offs *h,
			  const struct ms_schedule_merged_chunk *chunk,
			  struct ms_schedule_chunk_order *order)
{
	h->chunk = chunk;
	h->hand_offs = h->units = h->syncs = h->sync = h->firsts = 0;
	ms_schedule_word_uses_begin_chunk(&h->word_uses);
	for (uint32_t i = 0; i < RECENT_EXITS; i++)
		h->recent_exit[i].refs = NULL;
	h->has_new_sync = h->shares = false;
	*order = (struct ms_schedule_chunk_order){ .hand_off = h->hand_off, .unit = h->unit };
	if (!are_exits_described(h))
		return MS_SCHEDULE_UNDESCRIBED;
	if (!each_reference(h, count_use))
		return MS_SCHEDULE_TOO_MANY;
	find_next_writes(h);
	if (!order_uses(h))
		return MS_SCHEDULE_TOO_MANY;
	move_to_units(h);
	order->hand_offs = h->hand_offs;
	order->units = h->units;
	/* What the words protect was not known when earlier chunks were added. */
	order->follows_all = h->has_new_sync;
	order->shares = h->shares || h->has_new_sync;
	return MS_SCHEDULE_ORDERED;
}
