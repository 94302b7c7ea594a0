#include "schedule/hand_offs.h"

#include "base/compiler.h"
#include "base/mem.h"
#include "wire/wire.h"

enum {
	WORD_SHIFT = 3,
	TABLE_BITS = 17,
	MOST_WRITTEN = 1 << (TABLE_BITS - 1),
	FEW = 4, /* more uses of a word by both chunks are contention */
};

/* A word that chunks have written. */
struct written {
	uint64_t word;   /* its address, in words, plus 1; 0: an empty entry */
	uint64_t number; /* the last chunk that has written it ... */
	uint32_t lane;   /* ... of this lane ... */
	uint32_t writes; /* ... so often ... */
	size_t last;     /* ... last with this record */
	uint64_t user;   /* a later chunk, plus 1, which uses it ... */
	uint32_t uses;   /* ... so often */
};

struct ms_schedule_hand_offs {
	const uint64_t *writes;
	MS_VEC(uint32_t) used; /* entries: a few of many, which are to be cleared soon */
	struct written table[1 << TABLE_BITS];
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

/* The word's entry, or the empty entry for it. */
static struct written *find(struct ms_schedule_hand_offs *h, uint64_t address)
{
	uint64_t word = (address >> WORD_SHIFT) + 1;
	uint64_t i = word * UINT64_C(0x9e3779b97f4a7c15) >> (64 - TABLE_BITS);

	while (h->table[i].word != 0 && h->table[i].word != word)
		i = (i + 1) & ((1u << TABLE_BITS) - 1);
	return &h->table[i];
}

struct user {
	struct ms_schedule_hand_offs *h;
	const struct ms_schedule_merged_chunk *chunk;
	struct ms_schedule_hand_off_list *list;
	bool any; /* it uses a word that another chunk has written */
};

/* Calls use() for each reference of the chunk; false: it has returned false. */
static bool each_reference(struct user *u,
			   bool (*use)(struct user *u, size_t at, uint64_t address, bool writes))
{
	const struct ms_schedule_merged_chunk *chunk = u->chunk;

	for (size_t at = 0, length; at < chunk->n; at += length) {
		uint64_t head = chunk->words[at];
		uint32_t exit = ms_wire_arg_of(head);

		length = ms_wire_words_of(head);
		if (length == 0 || length > chunk->n - at)
			break; /* malformed: the reader reports it */
		if (ms_wire_kind_of(head) != MS_WIRE_EXEC)
			continue;
		uint64_t writes = exit < MS_WIRE_EXITS && u->h->writes != NULL
					  ? __atomic_load_n(&u->h->writes[exit], __ATOMIC_RELAXED)
					  : 0;
		if (writes == 0)
			writes = UINT64_MAX; /* not known yet */
		for (size_t i = 1; i < length; i++) {
			bool written = (writes >> (i <= 64 ? i - 1 : 63) & 1) != 0;

			/* 0: the reference was not executed */
			if (chunk->words[at + i] != 0 && !use(u, at, chunk->words[at + i], written))
				return false;
		}
	}
	return true;
}

static bool is_by_another(const struct user *u, const struct written *w)
{
	return w->word != 0 && w->lane != u->chunk->lane;
}

static bool count_use(struct user *u, size_t at, uint64_t address, bool writes)
{
	struct written *w = find(u->h, address);

	(void)at;
	(void)writes;
	if (!is_by_another(u, w))
		return true;
	if (w->user != u->chunk->number + 1)
		w->uses = 0;
	w->user = u->chunk->number + 1;
	w->uses++;
	u->any = true;
	return true;
}

/* Whether an earlier entry of the list implies it. */
static bool is_known(const struct ms_schedule_hand_off_list *list, const struct written *w)
{
	for (size_t i = list->at.n; i-- > 0;)
		if (list->at.at[i].lane == w->lane)
			return list->at.at[i].number > w->number ||
			       (list->at.at[i].number == w->number &&
				list->at.at[i].after >= w->last);
	return false;
}

static bool list_use(struct user *u, size_t at, uint64_t address, bool writes)
{
	const struct written *w = find(u->h, address);

	(void)writes;
	if (is_by_another(u, w) && (w->writes <= FEW || w->uses <= FEW) && !is_known(u->list, w))
		*ms_vec_add(&u->list->at) =
			(struct ms_schedule_hand_off){ at, w->lane, w->number, w->last };
	return true;
}

static bool keep_write(struct user *u, size_t at, uint64_t address, bool writes)
{
	if (!writes)
		return true;
	struct written *w = find(u->h, address);

	if (w->word == 0 && u->h->used.n >= MOST_WRITTEN)
		return false;
	if (w->word == 0)
		*ms_vec_add(&u->h->used) = (uint32_t)(w - u->h->table);
	if (w->word == 0 || w->number != u->chunk->number)
		*w = (struct written){ .word = (address >> WORD_SHIFT) + 1,
				       .number = u->chunk->number,
				       .lane = u->chunk->lane };
	w->writes++;
	w->last = at;
	return true;
}

bool ms_schedule_hand_offs_add(struct ms_schedule_hand_offs *h,
			       const struct ms_schedule_merged_chunk *chunk,
			       struct ms_schedule_hand_off_list *list)
{
	struct user user = { h, chunk, list, false };

	list->at.n = 0;
	each_reference(&user, count_use);
	if (user.any)
		each_reference(&user, list_use);
	return each_reference(&user, keep_write);
}
