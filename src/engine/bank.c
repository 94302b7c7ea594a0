#include "engine/bank.h"

#include "base/mem.h"
#include "engine/windows_priv.h"

/* A policy starts with a number that no other set of the machine has. */
static void start_states(struct bank *bank, unsigned number, uint64_t instance)
{
	for (uint64_t set = 0; bank->policy->start != NULL && set < bank->set_count; set++)
		bank->policy->start(bank->states + set * bank->state_words,
				    instance << 48 ^ (set << 8 | number));
}

static void open_policy(struct bank *bank, const struct ms_machine_level *m, unsigned number,
			uint64_t instance)
{
	if (m->replacement == MS_REPLACEMENT_LRU && m->ways <= MS_BANK_NARROW)
		return;
	bank->policy = &ms_policies[m->replacement];
	bank->state_words = bank->policy->words(m->ways);
	bank->states =
		ms_pages_alloc_dense(bank->set_count * bank->state_words * sizeof(*bank->states));
	start_states(bank, number, instance);
}

void ms_bank_open(struct bank *bank, const struct ms_machine *machine, unsigned number,
		  uint64_t instance)
{
	const struct ms_machine_level *m = &machine->levels.at[number];
	uint64_t sets = ms_machine_sets(m);
	uint32_t hash_words = (m->ways + 7) / 8;

	*bank = (struct bank){
		.stride = sizeof(struct bank_set) + (hash_words + m->ways) * sizeof(uint64_t),
		.set_count = sets,
		.mask = (sets & (sets - 1)) == 0 ? sets - 1 : 0,
		.ways = m->ways,
		.hash_words = hash_words,
		.exists = UINT64_MAX >> (hash_words * 8 - m->ways) * 8,
		.up = (uint32_t)__builtin_ctz(m->line) -
		      (uint32_t)__builtin_ctz(machine->levels.at[0].line),
		.through = m->write == MS_WRITE_THROUGH,
		.around = m->write_miss == MS_WRITE_MISS_AROUND,
		.inclusive = m->contents == MS_CONTENTS_INCLUSIVE,
		.exclusive = m->contents == MS_CONTENTS_EXCLUSIVE,
		.prefetches = m->prefetch > 0,
	};
	bank->sets = ms_pages_alloc_dense(sets * bank->stride);
	open_policy(bank, m, number, instance);
	if (bank->prefetches)
		ms_streams_open(&bank->streams, m);
}

void ms_bank_close(struct bank *bank)
{
	ms_window_bank_close(bank);
	ms_pages_free(bank->sets, bank->set_count * bank->stride);
	if (bank->states != NULL)
		ms_pages_free(bank->states,
			      bank->set_count * bank->state_words * sizeof(*bank->states));
	if (bank->prefetches)
		ms_streams_close(&bank->streams);
}

/* What it takes when all of it is used. */
size_t ms_bank_bytes(const struct bank *bank)
{
	return bank->set_count * (bank->stride + bank->state_words * sizeof(*bank->states)) +
	       bank->streams.most * sizeof(*bank->streams.at);
}

void ms_bank_use_policy(const struct bank *bank, struct seat seat)
{
	bank->policy->use(bank->states + seat.set * bank->state_words, bank->ways, seat.way);
}

uint32_t ms_bank_room_policy(const struct bank *bank, uint64_t set)
{
	uint32_t way = ms_bank_way(bank, ms_bank_at(bank, set), MS_LINE_NONE);

	if (way != MS_BANK_NOWHERE)
		return way;
	return bank->policy->victim(bank->states + set * bank->state_words, bank->ways);
}
