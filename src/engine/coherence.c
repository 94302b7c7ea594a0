/*
 * engine/coherence.c - who holds a line, and what becomes of it when somebody reads or writes it.
 *
 * A way of an agent's first level is quiet while its line is modified and nobody has lost it: then
 * a store to it changes nothing, and the directory need not be asked.
 */
#include "engine/coherence.h"

#include "base/mem.h"
#include "engine/directory.h"
#include "engine/engine_priv.h"

/* --- opening and closing --- */

static void find_unit(struct coherence *c)
{
	const struct ms_machine *machine = &c->general->machine;

	c->unit_bytes = machine->levels.at[0].line;
	for (unsigned i = 0; i < c->general->kinds; i++) {
		const struct nest_kind *kind = &c->general->kind[i];

		if (i == 0 || kind->count > 1)
			c->unit_bytes = machine->levels.at[kind->first + kind->levels - 1].line;
	}
	c->unit_up = (uint32_t)__builtin_ctz(c->unit_bytes) -
		     (uint32_t)__builtin_ctz(machine->levels.at[0].line);
}

struct coherence *ms_coherence_open(struct general *general)
{
	struct coherence *c = ms_alloc(sizeof(*c));

	c->general = general;
	c->protocol = general->machine.protocol;
	c->agents = general->kind[0].count;
	c->private_levels = general->kind[0].levels;
	for (unsigned k = 0; k < c->private_levels; k++)
		c->dirty |= general->machine.levels.at[k].write == MS_WRITE_BACK;
	for (unsigned i = 1; i < general->kinds; i++)
		c->clusters |= general->kind[i].count > 1;
	find_unit(c);
	c->holder_words = (c->agents + 31) / 32;
	c->beside = UINT32_MAX;
	c->beside_word = MS_ENTRY_HOLDERS + c->holder_words;
	const struct nest_kind *last = &general->kind[general->kinds - 1];
	bool is_beside = general->kinds > 1 && last->count == 1 && c->unit_up == 0;
	if (is_beside)
		c->beside = general->kinds - 1;
	ms_lines_open(&c->directory, c->beside_word + (is_beside ? last->levels : 0));
	ms_losses_open(&c->losses, c->unit_bytes);
	return c;
}

void ms_coherence_close(struct coherence *c)
{
	if (c == NULL)
		return;
	ms_lines_close(&c->directory);
	ms_losses_close(&c->losses);
	ms_free(c);
}

uint64_t ms_coherence_units(const struct coherence *c, uint64_t *bytes)
{
	return ms_lines_count(&c->directory, bytes);
}

uint64_t ms_coherence_bytes(const struct coherence *c)
{
	return c != NULL ? sizeof(*c) + c->losses.room * c->losses.stride : 0;
}

/* --- entries --- */

static uint32_t *entry_of(struct coherence *c, uint64_t unit)
{
	return ms_lines_at(&c->directory, unit);
}

/* The next agent, from this one on, that holds it; as many as there are: none. */
static uint32_t next_holder(const struct coherence *c, const uint32_t *entry, uint32_t from)
{
	for (uint32_t i = from / 32; i < c->holder_words; i++) {
		uint32_t bits = entry[MS_ENTRY_HOLDERS + i];

		if (i == from / 32)
			bits &= UINT32_MAX << from % 32;
		if (bits != 0)
			return i * 32 + (uint32_t)__builtin_ctz(bits);
	}
	return c->agents;
}

uint32_t *ms_coherence_entry(struct coherence *c, uint64_t unit)
{
	return entry_of(c, unit);
}

/* --- an agent's caches --- */

static uint64_t first_line(const struct coherence *c, uint64_t unit)
{
	return unit << c->unit_up;
}

static uint64_t unit_lines(const struct coherence *c)
{
	return UINT64_C(1) << c->unit_up;
}

static bool is_here(const uint32_t *record, unsigned words)
{
	uint32_t any = 0;

	for (unsigned i = 0; i < words; i++)
		any |= record[i];
	return any & 1;
}

/* Whether some bank of the nest has anything of the unit. */
static bool nest_holds(const struct coherence *c, struct nest *nest, uint64_t unit)
{
	uint64_t first = first_line(c, unit);

	for (uint64_t line = first; line < first + unit_lines(c); line++)
		if (is_here(ms_lines_at(nest->lines, line), nest->n))
			return true;
	return false;
}

static void count_write_back(const struct access *a)
{
	const struct coherence *c = a->coherence;
	struct tally *tally = ms_shard_tally(a->shard, a->cell);

	if (c->dirty)
		ms_tally_more(&a->shard->tallies, tally, c->private_levels - 1)->write_backs++;
}

/* The agent's caches have nothing of the unit any more. */
static void leave(const struct access *a, uint32_t *entry, uint32_t agent)
{
	if (ms_entry_leave(entry, a->coherence->holder_words, agent))
		count_write_back(a);
}

/* Stores of the agent have to ask again. */
static void unquiet(const struct access *a, uint32_t agent)
{
	const struct coherence *c = a->coherence;
	const struct bank *bank = &c->general->kind[0].at[agent]->bank[0];
	uint64_t first = first_line(c, a->unit);

	for (uint64_t line = first; line < first + unit_lines(c); line++) {
		struct bank_set *at = ms_bank_at(bank, ms_bank_set_of(bank, line));

		if (at->quiet == 0)
			continue; /* as while they fight over it */
		uint32_t way = ms_bank_way(bank, at, line);
		if (way < 64)
			at->quiet &= ~(UINT64_C(1) << way);
	}
}

/* --- reads --- */

/* An agent that does not hold it reads what another has modified. */
static void share_modified(struct access *a, uint32_t *entry)
{
	const struct coherence *c = a->coherence;
	uint32_t owner = ms_entry_owner(entry);

	a->peer = c->dirty;
	unquiet(a, owner);
	if (c->protocol == MS_PROTOCOL_MOESI && c->dirty) {
		ms_entry_set(entry, MS_UNIT_OWNED, owner);
		return;
	}
	count_write_back(a);
	ms_entry_set(entry, MS_UNIT_SHARED, 0);
}

void ms_coherence_read(struct access *a, unsigned k)
{
	struct coherence *c = a->coherence;

	if (k < c->private_levels)
		return;
	uint32_t *entry = a->entry;
	if (ms_entry_holds(entry, a->agent))
		return;
	switch (ms_entry_state(entry)) {
	case MS_UNIT_MODIFIED:
		share_modified(a, entry);
		break;
	case MS_UNIT_OWNED:
		a->peer = true;
		break;
	case MS_UNIT_NONE:
		ms_entry_set(entry,
			     c->protocol == MS_PROTOCOL_MSI ? MS_UNIT_SHARED : MS_UNIT_EXCLUSIVE,
			     a->agent);
		break;
	default:
		ms_entry_set(entry, MS_UNIT_SHARED, 0);
		break;
	}
	ms_entry_add_holder(entry, a->agent);
}

/* --- writes --- */

/* From the caches between the agents' own and those that all share, but those on the way. */
static unsigned take_from_clusters(const struct access *a, uint32_t loss)
{
	const struct coherence *c = a->coherence;
	unsigned n = 0;

	for (unsigned i = 1; i < c->general->kinds; i++) {
		const struct nest_kind *kind = &c->general->kind[i];
		const struct nest *mine = a->path[kind->first]->nest;

		for (uint32_t k = 0; k < kind->count && kind->count > 1; k++)
			if (kind->at[k] != NULL && kind->at[k] != mine)
				n += ms_access_take_away(a, kind->at[k], UINT32_MAX,
							 first_line(c, a->unit), unit_lines(c),
							 loss);
	}
	return n;
}

static void take_from_others(const struct access *a, uint32_t *entry)
{
	struct coherence *c = a->coherence;
	uint32_t number = ms_losses_add(&c->losses);
	unsigned n = take_from_clusters(a, number);

	for (uint32_t agent = next_holder(c, entry, 0); agent < c->agents;
	     agent = next_holder(c, entry, agent + 1)) {
		if (agent == a->agent)
			continue;
		n += ms_access_take_away(a, c->general->kind[0].at[agent], UINT32_MAX,
					 first_line(c, a->unit), unit_lines(c), number);
		ms_entry_remove_holder(entry, agent);
	}
	if (n == 0) {
		ms_losses_drop(&c->losses, number);
		return;
	}
	struct loss *loss = ms_loss_at(&c->losses, number);
	loss->refs = n;
	loss->writer = ms_shard_tally(a->shard, a->cell)->number;
	loss->offset = a->from;
	loss->object = a->object;
	loss->next = entry[MS_ENTRY_LOSSES];
	entry[MS_ENTRY_LOSSES] = number;
}

void ms_coherence_own(struct access *a)
{
	struct coherence *c = a->coherence;
	uint32_t *entry = a->entry;
	uint32_t state = ms_entry_state(entry);
	bool held = ms_entry_holds(entry, a->agent);

	if (state == MS_UNIT_MODIFIED && held)
		return;
	if (held && state != MS_UNIT_EXCLUSIVE)
		ms_shard_tally(a->shard, a->cell)->upgrades++;
	if (!held && (state == MS_UNIT_MODIFIED || state == MS_UNIT_OWNED))
		a->peer = c->dirty;
	if (c->clusters || ms_entry_is_shared(entry, c->holder_words, a->agent))
		take_from_others(a, entry);
	ms_entry_set(entry, MS_UNIT_MODIFIED, a->agent);
	ms_entry_add_holder(entry, a->agent);
}

void ms_coherence_tell(const struct access *a)
{
	struct coherence *c = a->coherence;
	const uint32_t *entry = a->entry;

	for (uint32_t i = entry[MS_ENTRY_LOSSES]; i != 0; i = ms_loss_at(&c->losses, i)->next) {
		if (a->written != 0)
			ms_loss_write_bits(ms_loss_at(&c->losses, i), a->part, a->written);
		else
			ms_loss_write(ms_loss_at(&c->losses, i), a->from, a->to);
	}
}

void ms_coherence_quiet(const struct access *a)
{
	const uint32_t *entry = a->entry;
	const struct bank *first = a->path[0];

	if (entry[MS_ENTRY_LOSSES] != 0 || first->through ||
	    ms_entry_state(entry) != MS_UNIT_MODIFIED || ms_entry_owner(entry) != a->agent)
		return;
	struct seat seat = ms_bank_find(first, a->line);
	if (seat.way < 64)
		ms_bank_at(first, seat.set)->quiet |= UINT64_C(1) << seat.way;
}

void ms_coherence_wrote(const struct access *a)
{
	struct coherence *c = a->coherence;
	uint32_t *entry = a->entry;

	ms_coherence_tell(a);
	if (!nest_holds(c, a->path[0]->nest, a->unit)) {
		ms_entry_remove_holder(entry, a->agent);
		ms_entry_set(entry, MS_UNIT_NONE, 0);
	}
	ms_coherence_quiet(a);
}

/* --- lines that were lost --- */

void ms_coherence_note(struct access *a, unsigned k)
{
	const struct coherence *c = a->coherence;
	const struct loss *loss = ms_loss_at(&c->losses, ms_line_loss(a->old[k]));

	c->general->falsely[k] = !ms_loss_is_written(loss, a->from, a->to);
	if (a->invalidated)
		return;
	a->invalidated = true;
	a->truly = !c->general->falsely[k];
	a->writer = loss->writer;
	a->writer_offset = loss->offset;
	a->writer_object = loss->object;
}

void ms_coherence_regain(const struct access *a, uint64_t line, uint32_t word)
{
	struct coherence *c = a->coherence;
	uint32_t *entry = entry_of(c, line >> c->unit_up);

	ms_losses_regain(&c->losses, &entry[MS_ENTRY_LOSSES], ms_line_loss(word));
}

/* --- lines that leave --- */

/* The unit of the access itself is judged at its end. */
void ms_coherence_pushed_out(const struct access *a, const struct bank *bank, uint64_t line,
			     const uint32_t *word, uint32_t *entry)
{
	struct coherence *c = a->coherence;
	uint64_t unit = line << bank->up >> c->unit_up;

	if (unit == a->unit)
		return;
	if (c->unit_up == 0 ? is_here(word - bank->word, bank->nest->n)
			    : nest_holds(c, bank->nest, unit))
		return;
	leave(a, entry != NULL ? entry : entry_of(c, unit), a->agent);
}

static bool is_under(const struct general *general, const struct nest *outer, uint32_t kind,
		     uint32_t number)
{
	return number / (general->kind[outer->kind].processors / general->kind[kind].processors) ==
	       outer->number;
}

static void leave_agents(const struct access *a, unsigned k, uint64_t line, uint64_t lines)
{
	struct coherence *c = a->coherence;
	uint64_t unit = line >> c->unit_up;
	uint32_t *entry = entry_of(c, unit);

	for (uint32_t agent = next_holder(c, entry, 0); agent < c->agents;
	     agent = next_holder(c, entry, agent + 1)) {
		struct nest *nest = c->general->kind[0].at[agent];

		if (!is_under(c->general, a->path[k]->nest, 0, agent))
			continue;
		ms_access_take_away(a, nest, k, line, lines, 0);
		if ((unit != a->unit || agent != a->agent) && !nest_holds(c, nest, unit))
			leave(a, entry, agent);
	}
}

void ms_coherence_leave(const struct access *a, unsigned k, uint64_t line, uint64_t lines)
{
	const struct coherence *c = a->coherence;
	const struct nest *outer = a->path[k]->nest;
	uint64_t step = lines < unit_lines(c) ? lines : unit_lines(c);

	for (uint64_t at = line; at < line + lines && outer->kind > 0; at += step)
		leave_agents(a, k, at, step);
	for (unsigned i = 1; i < outer->kind; i++) {
		const struct nest_kind *kind = &c->general->kind[i];

		for (uint32_t n = 0; n < kind->count; n++)
			if (kind->at[n] != NULL && is_under(c->general, outer, i, n))
				ms_access_take_away(a, kind->at[n], k, line, lines, 0);
	}
}
