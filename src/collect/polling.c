/*
 * collect/polling.c - finds functions of MPI's libraries that poll for other ranks.
 *
 * A rank that waits for a message polls: it executes the same code with the same addresses, stack
 * included, until something has arrived. Copying and packing proceed through addresses. So an
 * execution of a block of MPI's libraries counts as polling if the same one, with the same
 * addresses, has occurred REPEATED times before in its chunk, which has some thousand executions.
 * One chunk of EXAMINED_EVERY is examined, so that the figures are estimates.
 *
 * Loops in which threads of one process wait for each other are those of spin_loops.c.
 *
 * Limit: iterations that differ in every block, as they count in memory at changing places, are not
 * found; neither are those that are longer than an eighth of a chunk.
 */
#include "collect/polling.h"

#include "base/map.h"
#include "base/mem.h"
#include "collect/collect_priv.h"
#include "wire/records.h"

enum { EXAMINED_EVERY = 8, REPEATED = 8, RECENT = 4096 /* a power of two */ };

struct exit_counts {
	struct ms_bins_bound_pc pc; /* of its block */
	uint64_t references;
	uint64_t repeated; /* of these */
};

/* An execution of this chunk; a collision replaces it. */
struct recent {
	uint64_t key;
	uint32_t chunk;
	uint32_t times;
};

struct ms_collect_polling {
	uint64_t exits;           /* of the blocks so far */
	MS_VEC(uint32_t) of_exit; /* up to the last one of MPI: index into counts plus 1, or 0 */
	MS_VEC(uint16_t) refs;    /* by index into counts */
	MS_VEC(struct exit_counts) counts;
	struct recent recent[RECENT];
};

void ms_collect_polling_open(struct ms_collect_state *c, unsigned workers)
{
	c->pool.polling = ms_alloc(workers * sizeof(*c->pool.polling));
	for (unsigned i = 0; i < workers; i++)
		c->pool.polling[i] = ms_alloc(sizeof(**c->pool.polling));
	c->pool.polling_count = workers;
}

void ms_collect_polling_close(struct ms_collect_state *c)
{
	for (unsigned i = 0; i < c->pool.polling_count; i++) {
		ms_vec_free(&c->pool.polling[i]->of_exit);
		ms_vec_free(&c->pool.polling[i]->refs);
		ms_vec_free(&c->pool.polling[i]->counts);
		ms_free(c->pool.polling[i]);
	}
	ms_free(c->pool.polling);
}

void ms_collect_polling_add_block(struct ms_collect_polling *p,
				  const struct ms_collect_bound_event *b)
{
	uint64_t first = p->exits;

	p->exits += b->block->exits;
	if (b->mpi == NULL)
		return;
	while (p->of_exit.n < first)
		*ms_vec_add(&p->of_exit) = 0;
	for (uint32_t i = 0; i < b->block->exits; i++) {
		*ms_vec_add(&p->refs) = b->block->exit_refs[i];
		*ms_vec_add(&p->counts) = (struct exit_counts){ *b->mpi, 0, 0 };
		*ms_vec_add(&p->of_exit) = (uint32_t)p->counts.n;
	}
}

/* How often this execution has occurred in the chunk. */
static uint32_t count_occurrence(struct ms_collect_polling *p, uint32_t k, const uint64_t *words,
				 uint32_t n)
{
	uint64_t key = 0;

	for (uint32_t i = 0; i < n; i++)
		key = ms_hash(key, words[i]);
	struct recent *r = &p->recent[key & (RECENT - 1)];

	if (r->key != key || r->chunk != k)
		*r = (struct recent){ key, k, 0 };
	return r->times++;
}

void ms_collect_polling_examine(struct ms_collect_polling *p, uint32_t k, const uint64_t *words,
				size_t n)
{
	if (p->counts.n == 0 || k % EXAMINED_EVERY != 0)
		return;
	for (size_t at = 0; at < n;) {
		uint32_t arg = ms_wire_arg_of(words[at]), length = ms_wire_words_of(words[at]);
		uint32_t found = 0;

		if (length == 0 || length > n - at)
			return;
		if (ms_wire_kind_of(words[at]) == MS_WIRE_EXEC && arg < p->of_exit.n)
			found = p->of_exit.at[arg];
		if (found != 0) {
			struct exit_counts *counts = &p->counts.at[found - 1];
			uint64_t refs = p->refs.at[found - 1];

			counts->references += refs;
			if (count_occurrence(p, k, words + at, length) >= REPEATED)
				counts->repeated += refs;
		}
		at += length;
	}
}

void ms_collect_polling_report(struct ms_collect_state *c)
{
	struct ms_map of_pc = MS_MAP_INIT;

	c->program.polling.n = 0;
	for (unsigned i = 0; i < c->pool.polling_count; i++)
		for (size_t e = 0; e < c->pool.polling[i]->counts.n; e++) {
			const struct exit_counts *from = &c->pool.polling[i]->counts.at[e];
			uint32_t *at = ms_map_at(&of_pc, from->pc.module, from->pc.offset);

			if (*at == MS_MAP_NONE) {
				*at = (uint32_t)c->program.polling.n;
				*ms_vec_add(&c->program.polling) =
					(struct ms_name_polling){ from->pc, 0, 0 };
			}
			struct ms_name_polling *to = &c->program.polling.at[*at];

			to->references += EXAMINED_EVERY * from->references;
			to->repeated += EXAMINED_EVERY * from->repeated;
		}
	ms_map_free(&of_pc);
}
