/* engine/nests.c - which caches a machine that is not plain has; they are made when first used. */
#include <string.h>

#include "base/mem.h"
#include "engine/coherence.h"
#include "engine/general.h"

static bool is_plain(const struct ms_machine_level *level)
{
	for (size_t i = 0; i < MS_MACHINE_CHOICES; i++)
		if (ms_machine_chosen(level, i) != 0)
			return false;
	return level->prefetch == 0;
}

bool ms_general_is_plain(const struct ms_machine *machine)
{
	for (size_t i = 0; i < machine->levels.n; i++)
		if (!is_plain(&machine->levels.at[i]))
			return false;
	return true;
}

bool ms_general_is_needed(const struct ms_machine *machine)
{
	return machine->processors > 1 || !ms_general_is_plain(machine);
}

bool ms_general_is_one_piece(const struct ms_machine *machine)
{
	for (size_t i = 0; i < machine->levels.n; i++)
		if (machine->levels.at[i].prefetch > 0)
			return true;
	return false;
}

/*
 * Repeated use of the first level's most recent line is a hit that changes nothing, unless stores
 * go on or around, or a level behind it can take the line away.
 */
static bool repeats_are_hits(const struct ms_machine *machine)
{
	const struct ms_machine_level *first = &machine->levels.at[0];

	for (size_t i = 1; i < machine->levels.n; i++)
		if (machine->levels.at[i].contents == MS_CONTENTS_INCLUSIVE)
			return false;
	return first->write == MS_WRITE_BACK && first->write_miss == MS_WRITE_MISS_ALLOCATE;
}

/* So is that of the most recent line but one, except that the two change places. */
static bool pairs_are_hits(const struct ms_machine *machine)
{
	const struct ms_machine_level *first = &machine->levels.at[0];

	return repeats_are_hits(machine) && first->replacement == MS_REPLACEMENT_LRU &&
	       first->ways > 1;
}

/*
 * How many processors a cache of the level serves. Whoever shares a cache shares all behind it: so
 * the number is made a multiple of the one before.
 */
static uint32_t sharers_of(const struct ms_machine *machine, size_t level, uint32_t before)
{
	uint32_t all = machine->processors > 1 ? machine->processors : 1;
	uint32_t wanted = machine->levels.at[level].processors;

	if (wanted == 0 || wanted > all)
		wanted = all;
	wanted = (wanted + before - 1) / before * before;
	return wanted < all ? wanted : (all + before - 1) / before * before;
}

static void divide(struct general *general)
{
	const struct ms_machine *machine = &general->machine;
	uint32_t all = machine->processors > 1 ? machine->processors : 1, before = 1;

	for (unsigned k = 0; k < general->levels; k++) {
		uint32_t sharers = sharers_of(machine, k, before);

		if (k == 0 || sharers != before)
			general->kind[general->kinds++] = (struct nest_kind){
				.first = k,
				.processors = sharers,
				.count = (all + sharers - 1) / sharers,
			};
		general->kind[general->kinds - 1].levels++;
		before = sharers;
	}
	for (unsigned i = 0; i < general->kinds; i++)
		general->kind[i].at =
			ms_alloc(general->kind[i].count * sizeof(*general->kind[i].at));
}

static struct nest *make_nest(const struct general *general, unsigned kind, unsigned number)
{
	const struct nest_kind *k = &general->kind[kind];
	struct nest *nest = ms_alloc(sizeof(*nest) + k->levels * sizeof(nest->bank[0]));

	nest->kind = kind;
	nest->number = number;
	nest->first = k->first;
	nest->n = k->levels;
	for (unsigned i = 0; i < k->levels; i++) {
		ms_bank_open(&nest->bank[i], &general->machine, k->first + i, number);
		nest->bank[i].nest = nest;
		nest->bank[i].word = i;
	}
	return nest;
}

/* What all share may have its records in the directory, beside what that says of a line. */
static void give_records(const struct general *general, struct nest *nest)
{
	struct coherence *c = general->coherence;

	if (nest->kind == c->beside) {
		nest->lines = &c->directory;
		for (unsigned i = 0; i < nest->n; i++)
			nest->bank[i].word += c->beside_word;
		return;
	}
	ms_lines_open(&nest->own, nest->n);
	nest->lines = &nest->own;
}

static struct nest *nest_of(struct general *general, unsigned kind, uint32_t agent)
{
	struct nest_kind *k = &general->kind[kind];
	uint32_t number = agent / (k->processors / general->kind[0].processors);

	if (k->at[number] == NULL) {
		k->at[number] = make_nest(general, kind, number);
		give_records(general, k->at[number]);
	}
	return k->at[number];
}

struct bank **ms_general_open_path(struct general *general, uint32_t agent)
{
	general->path[agent] = ms_alloc(general->levels * sizeof(**general->path));
	for (unsigned i = 0; i < general->kinds; i++) {
		struct nest *nest = nest_of(general, i, agent);

		for (unsigned k = 0; k < nest->n; k++)
			general->path[agent][nest->first + k] = &nest->bank[k];
	}
	return general->path[agent];
}

static void copy_machine(struct ms_machine *to, const struct ms_machine *from)
{
	*to = *from;
	to->levels.at = ms_alloc(from->levels.n * sizeof(*to->levels.at));
	to->levels.cap = from->levels.n;
	memcpy(to->levels.at, from->levels.at, from->levels.n * sizeof(*to->levels.at));
}

/* Of one processor all levels are one nest, with the shard's own records. */
struct general *ms_general_open(const struct ms_machine *machine, struct lines *lines)
{
	unsigned n = (unsigned)machine->levels.n;
	struct general *general = ms_alloc(sizeof(*general));

	copy_machine(&general->machine, machine);
	general->levels = n;
	general->kind = ms_alloc(n * sizeof(*general->kind));
	general->covered = ms_alloc(n * sizeof(*general->covered));
	general->falsely = ms_alloc(n * sizeof(*general->falsely));
	general->old = ms_alloc(n * sizeof(*general->old));
	general->repeats_are_hits = repeats_are_hits(machine);
	general->pairs_are_hits = pairs_are_hits(machine);
	divide(general);
	general->path = ms_alloc(general->kind[0].count * sizeof(*general->path));
	if (machine->processors > 1) {
		general->coherence = ms_coherence_open(general);
	} else {
		general->kind[0].at[0] = make_nest(general, 0, 0);
		general->kind[0].at[0]->lines = lines;
	}
	return general;
}

static void close_nest(struct nest *nest)
{
	if (nest == NULL)
		return;
	for (unsigned i = 0; i < nest->n; i++)
		ms_bank_close(&nest->bank[i]);
	if (nest->lines == &nest->own)
		ms_lines_close(&nest->own);
	ms_free(nest);
}

void ms_general_close(struct general *general)
{
	if (general == NULL)
		return;
	for (uint32_t i = 0; i < general->kind[0].count; i++)
		ms_free(general->path[i]);
	for (unsigned i = 0; i < general->kinds; i++) {
		for (uint32_t k = 0; k < general->kind[i].count; k++)
			close_nest(general->kind[i].at[k]);
		ms_free(general->kind[i].at);
	}
	ms_coherence_close(general->coherence);
	ms_vec_free(&general->machine.levels);
	ms_free(general->path);
	ms_free(general->kind);
	ms_free(general->covered);
	ms_free(general->falsely);
	ms_free(general->old);
	ms_free(general);
}

static uint64_t bytes_of_nest(const struct nest *nest)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; nest != NULL && i < nest->n; i++)
		bytes += sizeof(nest->bank[i]) + ms_bank_bytes(&nest->bank[i]);
	return bytes;
}

uint64_t ms_general_record_bytes(const struct general *general)
{
	uint64_t bytes = 0, more;

	for (unsigned i = 0; i < general->kinds; i++)
		for (uint32_t k = 0; k < general->kind[i].count; k++) {
			const struct nest *nest = general->kind[i].at[k];

			if (nest == NULL || nest->lines != &nest->own)
				continue;
			ms_lines_count(&nest->own, &more);
			bytes += more;
		}
	return bytes;
}

uint64_t ms_general_bytes(const struct general *general)
{
	uint64_t bytes = 0;

	if (general == NULL)
		return 0;
	for (unsigned i = 0; i < general->kinds; i++)
		for (uint32_t k = 0; k < general->kind[i].count; k++)
			bytes += bytes_of_nest(general->kind[i].at[k]);
	return bytes + ms_coherence_bytes(general->coherence);
}
