#include "schedule/hand_offs.h"

#include "base/compiler.h"
#include "base/mem.h"
#include "wire/wire.h"

enum {
	WORD_SHIFT = 3,
	TABLE_BITS = 17,
	MOST_USED = 1 << (TABLE_BITS - 1),
	FEW = 4, /* more uses of a word by both chunks are contention */
};

/* How a chunk uses a word. */
struct use {
	uint64_t word;   /* its address, in words, plus 1; 0: an empty entry */
	uint64_t number; /* of the chunk */
	uint32_t lane;
	uint32_t uses;
	uint32_t writes;
	uint32_t last; /* the record that has used it last, and ... */
	uint32_t last_write;
};

struct ms_schedule_hand_offs {
	const uint64_t *writes;
	MS_VEC(uint32_t) used; /* entries: a few of many, which are to be cleared soon */
	struct use table[1 << TABLE_BITS];
};

struct ms_schedule_hand_offs *ms_schedule_hand_offs_open(const uint64_t *writes)
{
	struct ms_schedule_hand_offs *h = ms_alloc(sizeof(*h));

	h->writes = writes;
	return h;
}

void ms_schedule_hand_offs_close(struct ms_schedule_hand_offs *h)
{
	ms_vec_free(&h->used);
	ms_free(h);
}

void ms_schedule_hand_offs_clear(struct ms_schedule_hand_offs *h)
{
	for (size_t i = 0; i < h->used.n; i++)
		h->table[h->used.at[i]].word = 0;
	h->used.n = 0;
}

/* --- the table: the uses of a word by several lanes follow each other --- */

static uint32_t first_entry(uint64_t word)
{
	return (uint32_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TABLE_BITS));
}

static uint32_t next_entry(uint32_t i)
{
	return (i + 1) & ((1u << TABLE_BITS) - 1);
}

/* The lane's entry, or the empty entry for it. */
static struct use *find_use(struct ms_schedule_hand_offs *h, uint64_t word, uint32_t lane)
{
	uint32_t i = first_entry(word);

	while (h->table[i].word != 0 && (h->table[i].word != word || h->table[i].lane != lane))
		i = next_entry(i);
	return &h->table[i];
}

/* --- the references of a chunk --- */

struct chunk_uses {
	struct ms_schedule_hand_offs *h;
	const struct ms_schedule_merged_chunk *chunk;
	struct ms_schedule_hand_off_list *list;
};

struct reference {
	size_t at;     /* its record */
	uint64_t word; /* as in struct use */
	bool writes;
};

/* A bit for each reference of an execution that writes. */
static uint64_t writes_of(const struct ms_schedule_hand_offs *h, uint64_t head)
{
	uint32_t exit = ms_wire_arg_of(head);
	uint64_t writes = exit < MS_WIRE_EXITS && h->writes != NULL
				  ? __atomic_load_n(&h->writes[exit], __ATOMIC_RELAXED)
				  : 0;

	return writes != 0 ? writes : UINT64_MAX; /* not known yet */
}

/* Calls take() for each reference; false: it has returned false. */
static bool each_reference(struct chunk_uses *r,
			   bool (*take)(struct chunk_uses *r, const struct reference *reference))
{
	const struct ms_schedule_merged_chunk *chunk = r->chunk;

	for (size_t at = 0, length; at < chunk->n; at += length) {
		const uint64_t *words = chunk->words + at;

		length = ms_wire_words_of(words[0]);
		if (length == 0 || length > chunk->n - at)
			break; /* malformed: the reader of the stream reports it */
		if (ms_wire_kind_of(words[0]) != MS_WIRE_EXEC)
			continue;
		uint64_t writes = writes_of(r->h, words[0]);
		for (size_t i = 1; i < length; i++) {
			const struct reference reference = {
				.at = at,
				.word = (words[i] >> WORD_SHIFT) + 1,
				.writes = (writes >> (i <= 64 ? i - 1 : 63) & 1) != 0,
			};

			/* 0: it was not executed */
			if (words[i] != 0 && !take(r, &reference))
				return false;
		}
	}
	return true;
}

static bool count_use(struct chunk_uses *r, const struct reference *reference)
{
	struct use *use = find_use(r->h, reference->word, r->chunk->lane);

	if (use->word == 0) {
		if (r->h->used.n >= MOST_USED)
			return false;
		*ms_vec_add(&r->h->used) = (uint32_t)(use - r->h->table);
	}
	if (use->word == 0 || use->number != r->chunk->number)
		*use = (struct use){ .word = reference->word,
				     .number = r->chunk->number,
				     .lane = r->chunk->lane };
	use->uses++;
	use->last = (uint32_t)reference->at;
	if (reference->writes) {
		use->writes++;
		use->last_write = (uint32_t)reference->at;
	}
	return true;
}

/* Whether an earlier entry of the list implies it. */
static bool is_known(const struct ms_schedule_hand_off_list *list, const struct use *use,
		     uint32_t after)
{
	for (size_t i = list->at.n; i-- > 0;)
		if (list->at.at[i].lane == use->lane)
			return list->at.at[i].number > use->number ||
			       (list->at.at[i].number == use->number &&
				list->at.at[i].after >= after);
	return false;
}

/* A read comes after the other chunk's writes, a write after all its uses. */
static void compare_uses(struct chunk_uses *r, const struct reference *reference,
			 const struct use *own, const struct use *other)
{
	uint32_t after = reference->writes ? other->last : other->last_write;
	bool contended =
		own->uses > FEW && other->uses > FEW && (other->writes > FEW || own->writes > FEW);

	if (!reference->writes && other->writes == 0)
		return;
	r->list->shares = true;
	if (!contended && !is_known(r->list, other, after))
		*ms_vec_add(&r->list->at) =
			(struct ms_schedule_hand_off){ reference->at, other->lane, other->number,
						       after };
}

static bool list_use(struct chunk_uses *r, const struct reference *reference)
{
	const struct use *own = NULL, *use;

	for (uint32_t i = first_entry(reference->word); r->h->table[i].word != 0;
	     i = next_entry(i)) {
		use = &r->h->table[i];
		if (use->word != reference->word || use->lane == r->chunk->lane)
			continue;
		if (own == NULL)
			own = find_use(r->h, reference->word, r->chunk->lane);
		compare_uses(r, reference, own, use);
	}
	return true;
}

bool ms_schedule_hand_offs_add(struct ms_schedule_hand_offs *h,
			       const struct ms_schedule_merged_chunk *chunk,
			       struct ms_schedule_hand_off_list *list)
{
	struct chunk_uses uses = { h, chunk, list };

	list->at.n = 0;
	list->shares = false;
	return each_reference(&uses, count_use) && each_reference(&uses, list_use);
}
