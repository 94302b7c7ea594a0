#include "schedule/hand_offs.h"

#include "wire/wire.h"

enum {
	WORD_SHIFT = 3,
	TABLE_BITS = 17,
	MOST_USED = 1 << (TABLE_BITS - 1),
	FEW = 4, /* more uses of a word by both chunks are contention */
	KNOWN_BITS = 13,
	KNOWN_LASTS = 4096, /* chunks, after which another word may take an entry */
	MOST_SYNC = 1 << 14,
};

enum use_flags {
	IS_SYNC = 1,      /* a synchronisation word */
	IS_CONTENDED = 2, /* contended, and no synchronisation word */
	IS_IN_UNITS = 4,  /* the chunk uses it in units */
	HAS_SYNC = 8,     /* the chunk uses synchronisation words */
};

/* A use of a word: the record, and the end of what may be protected with it. */
struct use_point {
	uint64_t number; /* of the chunk; 0: there is none */
	uint32_t at, end;
};

/* How a thread uses a word. */
struct use {
	uint64_t word; /* its address, in words, plus 1; 0: an empty entry */
	uint32_t lane;
	uint32_t flags; /* these and the counts: by the chunk that has used it last */
	uint32_t uses, writes;
	uint32_t first_end; /* the end of what was protected when the chunk began; 0: nothing */
	struct use_point last, last_write;
};

/* A word that is used with atomic instructions, or was contended. */
struct known_word {
	uint64_t word; /* as above */
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

struct ms_schedule_hand_offs {
	ms_schedule_refs_of *refs_of;
	const void *arg;
	/* Of the present chunk: */
	const struct ms_schedule_merged_chunk *chunk;
	uint32_t syncs, sync; /* `sync`: the first one that is not before the present reference */
	struct sync_use sync_use[MOST_SYNC];
	bool has_new_sync, shares;
	uint32_t hand_offs, units;
	struct ms_schedule_hand_off hand_off[MS_SCHEDULE_MOST_HAND_OFFS];
	struct ms_schedule_unit unit[MS_SCHEDULE_MOST_UNITS];

	struct known_word known[1 << KNOWN_BITS];
	uint32_t used; /* entries: a few of many, which are to be cleared soon */
	uint32_t used_entry[MOST_USED];
	struct use table[1 << TABLE_BITS];
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
	for (uint32_t i = 0; i < h->used; i++)
		h->table[h->used_entry[i]].word = 0;
	h->used = 0;
}

/* --- the table: the uses of a word by several lanes follow each other --- */

static uint32_t hash(uint64_t word, uint32_t bits)
{
	return (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

static uint32_t next_entry(uint32_t i)
{
	return (i + 1) & ((1u << TABLE_BITS) - 1);
}

/* The lane's entry, or the empty entry for it. */
static struct use *find_use(struct ms_schedule_hand_offs *h, uint64_t word, uint32_t lane)
{
	uint32_t i = hash(word, TABLE_BITS);

	while (h->table[i].word != 0 && (h->table[i].word != word || h->table[i].lane != lane))
		i = next_entry(i);
	return &h->table[i];
}

/* --- synchronisation words --- */

/* Returns the word's entry, which replaces an old one; NULL: the entry is in use. */
static struct known_word *know_word(struct ms_schedule_hand_offs *h, uint64_t word)
{
	struct known_word *k = &h->known[hash(word, KNOWN_BITS)];

	if (k->word != word) {
		if ((k->flags & (IS_SYNC | IS_CONTENDED)) != 0 &&
		    k->number + KNOWN_LASTS > h->chunk->number)
			return NULL;
		*k = (struct known_word){ .word = word };
	}
	k->number = h->chunk->number;
	return k;
}

static void make_sync(struct ms_schedule_hand_offs *h, struct known_word *k)
{
	h->has_new_sync = h->has_new_sync || (k->flags & IS_SYNC) == 0;
	k->flags |= IS_SYNC;
}

/* The lane begins to use a word in this chunk. */
static uint32_t find_flags(struct ms_schedule_hand_offs *h, uint64_t word, uint32_t lane)
{
	struct known_word *k = &h->known[hash(word, KNOWN_BITS)];

	if (k->word != word)
		return 0;
	k->number = h->chunk->number;
	if (k->lane != 0 && k->lane != lane)
		make_sync(h, k);
	return k->flags;
}

static void note_atomic_use(struct ms_schedule_hand_offs *h, struct use *use)
{
	struct known_word *k = know_word(h, use->word);

	if (k == NULL)
		return;
	if (k->lane != 0 && k->lane != use->lane)
		make_sync(h, k);
	k->lane = use->lane;
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

struct reference {
	uint32_t at, position; /* its record, and the word of its address */
	uint64_t word;         /* as in struct use */
	bool writes, is_atomic;
};

typedef bool take_reference(struct ms_schedule_hand_offs *h, const struct reference *reference);

/* A reference may touch several words. */
static bool take_words(struct ms_schedule_hand_offs *h, uint32_t at, uint32_t position,
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
		reference.word = word + 1;
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

static bool are_exits_described(const struct ms_schedule_hand_offs *h)
{
	const struct ms_schedule_merged_chunk *chunk = h->chunk;
	uint32_t n;

	for (size_t at = 0, length; (length = get_length(chunk, at)) > 0; at += length)
		if (is_execution(chunk, at) &&
		    h->refs_of(h->arg, ms_wire_arg_of(chunk->words[at]), &n) == NULL)
			return false;
	return true;
}

/* Calls take() for each; false: it has returned false. */
static bool each_reference(struct ms_schedule_hand_offs *h, take_reference *take)
{
	const struct ms_schedule_merged_chunk *chunk = h->chunk;

	for (uint32_t at = 0, length; (length = get_length(chunk, at)) > 0; at += length) {
		if (!is_execution(chunk, at))
			continue;
		uint32_t n = 0;
		const uint16_t *refs = h->refs_of(h->arg, ms_wire_arg_of(chunk->words[at]), &n);

		for (uint32_t i = 0; i + 1 < length && i < n; i++)
			if (!take_words(h, at, at + 1 + i, refs[i], take))
				return false;
	}
	return true;
}

/* --- first, all uses are counted --- */

static bool count_use(struct ms_schedule_hand_offs *h, const struct reference *reference)
{
	const struct ms_schedule_merged_chunk *chunk = h->chunk;
	const struct use_point here = { chunk->number, reference->at, reference->at };
	struct use *use = find_use(h, reference->word, chunk->lane);

	if (use->word == 0) {
		if (h->used == MOST_USED)
			return false;
		h->used_entry[h->used++] = (uint32_t)(use - h->table);
		*use = (struct use){ .word = reference->word, .lane = chunk->lane };
	}
	if (use->last.number != chunk->number) {
		use->uses = use->writes = use->first_end = 0;
		use->flags = find_flags(h, reference->word, chunk->lane);
	}
	if (reference->is_atomic)
		note_atomic_use(h, use);
	use->uses++;
	use->last = here;
	if (reference->writes) {
		use->writes++;
		use->last_write = here;
	}
	return (use->flags & IS_SYNC) == 0 ||
	       add_sync_use(h, reference->position, reference->at, reference->writes);
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

static bool are_contended(const struct use *own, const struct use *other)
{
	return own->uses > FEW && other->uses > FEW && (other->writes > FEW || own->writes > FEW);
}

/* Whether a contended word may be used alternately by both threads. */
static bool may_alternate(const struct ms_schedule_hand_offs *h, const struct use *own,
			  const struct use *other, const struct use_point *point, bool is_enclosed)
{
	uint32_t both = own->flags & other->flags;

	if ((own->flags & IS_SYNC) != 0 ||
	    (h->syncs == 0 && (other->flags & (HAS_SYNC | IS_SYNC)) == 0))
		return true;
	return (both & IS_IN_UNITS) != 0 && is_enclosed && point->end != MS_SCHEDULE_CHUNK_END;
}

/* A read comes after the other chunk's writes, a write after all its uses. */
static bool compare_uses(struct ms_schedule_hand_offs *h, const struct reference *reference,
			 struct use *own, const struct use *other, bool is_enclosed)
{
	const struct use_point *point = reference->writes ? &other->last : &other->last_write;
	bool contended = are_contended(own, other);

	if (point->number == 0)
		return true;
	if (contended && (own->flags & (IS_SYNC | IS_CONTENDED)) == 0) {
		struct known_word *k = know_word(h, own->word);

		if (k != NULL)
			k->flags |= IS_CONTENDED;
		own->flags |= IS_CONTENDED | IS_IN_UNITS;
	}
	if (point->number < h->chunk->oldest)
		return true;
	h->shares = true;
	if (!contended || !may_alternate(h, own, other, point, is_enclosed))
		return add_hand_off(h, reference, other->lane, point->number, point->end);
	/* What was protected when the other chunk began belongs to an earlier one. */
	return other->first_end == 0 ||
	       add_hand_off(h, reference, other->lane, other->last.number, other->first_end);
}

/* Where synchronisation words are used, sets the end of what may be protected with a reference. */
static void set_end(const struct ms_schedule_hand_offs *h, const struct reference *reference,
		    struct use *own)
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

static bool order_use(struct ms_schedule_hand_offs *h, const struct reference *reference)
{
	struct use *own = find_use(h, reference->word, h->chunk->lane);

	while (h->sync < h->syncs && h->sync_use[h->sync].position < reference->position)
		h->sync++;
	bool is_enclosed = h->sync > 0 && h->sync < h->syncs;

	if (h->syncs > 0)
		set_end(h, reference, own);
	if ((own->flags & (IS_SYNC | IS_CONTENDED)) == IS_CONTENDED && own->uses > FEW)
		own->flags |= IS_IN_UNITS;
	for (uint32_t i = hash(reference->word, TABLE_BITS); h->table[i].word != 0;
	     i = next_entry(i)) {
		const struct use *other = &h->table[i];

		if (other->word == reference->word && other->lane != own->lane &&
		    !compare_uses(h, reference, own, other, is_enclosed))
			return false;
	}
	if ((own->flags & IS_IN_UNITS) != 0 && is_enclosed)
		add_unit(h);
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
	h->hand_offs = h->units = h->syncs = h->sync = 0;
	h->has_new_sync = h->shares = false;
	*order = (struct ms_schedule_chunk_order){ .hand_off = h->hand_off, .unit = h->unit };
	if (!are_exits_described(h))
		return MS_SCHEDULE_UNDESCRIBED;
	if (!each_reference(h, count_use))
		return MS_SCHEDULE_TOO_MANY;
	find_next_writes(h);
	if (!each_reference(h, order_use))
		return MS_SCHEDULE_TOO_MANY;
	move_to_units(h);
	order->hand_offs = h->hand_offs;
	order->units = h->units;
	/* What the words protect was not known when earlier chunks were added. */
	order->follows_all = h->has_new_sync;
	order->shares = h->shares || h->has_new_sync;
	return MS_SCHEDULE_ORDERED;
}
