/*
 * engine/handoff.c - a line that goes from one processor's caches to another's.
 *
 * Where processors fight over a line their turns are all alike: it is missed, as another one has
 * written it, comes from there, and is written again. general.c does such an access step by step,
 * and each step looks for the set, the record and the directory's entry anew. Here they are looked
 * for once, and the same steps are taken in the same order. What is unlike that is left to
 * general.c, with nothing changed.
 *
 * For simple machines (stretch.c), and references to one line.
 */
#include "engine/directory.h"
#include "engine/settling.h"

enum { MOST_PRIVATE = 4 }; /* levels of an agent's own */

/* The agent has the line in its first level, and may not write it without asking; or somebody waits
 * for what is written. */
static void write_held(const struct settling *s, const struct met *m, uint32_t *entry,
		       struct seat seat)
{
	struct access a;

	ms_settling_begin(s, m, &a);
	a.entry = entry;
	ms_coherence_own(&a);
	ms_bank_use(s->path[0], seat);
	ms_coherence_tell(&a);
	ms_coherence_quiet(&a);
}

/* Where the line comes to; false: something has to leave there. */
static bool find_room(struct bank **path, unsigned levels, uint64_t line, struct seat *seats)
{
	for (unsigned k = 0; k < levels; k++) {
		seats[k] = ms_bank_room(path[k], ms_bank_set_of(path[k], line));
		if (ms_bank_line(path[k], seats[k]) != MS_LINE_NONE)
			return false;
	}
	return true;
}

static bool all_lost(const uint32_t *record, unsigned levels)
{
	for (unsigned k = 0; k < levels; k++)
		if (!ms_line_is_lost(record[k]))
			return false;
	return true;
}

/* The line comes into the levels from which it was taken. */
static void come_back(struct access *a, unsigned levels, uint32_t *record, const struct seat *seats)
{
	struct coherence *c = a->coherence;

	for (unsigned k = levels; k-- > 0;) {
		ms_losses_regain(&c->losses, &a->entry[MS_ENTRY_LOSSES], ms_line_loss(record[k]));
		record[k] = ms_line_here(a->cell->data);
		ms_bank_put(a->path[k], seats[k], a->line);
		ms_move(&a->shard->movements, k, a->cell->data, 1);
	}
}

/* Another agent has it, modified; this one had it, and what all share has it. */
static bool take_over(struct settling *s, const struct met *m, uint32_t *entry)
{
	unsigned levels = s->shard->general->coherence->private_levels;
	uint64_t line = ms_settling_line(s, m);
	struct seat seats[MOST_PRIVATE], shared;
	struct access a;

	if (levels == s->shard->levels || levels > MOST_PRIVATE)
		return false;
	uint32_t *record = ms_access_word(s->path[0], line);
	if (!all_lost(record, levels) || !find_room(s->path, levels, line, seats))
		return false;
	shared = ms_bank_find(s->path[levels], line >> s->path[levels]->up);
	if (shared.way == MS_BANK_NOWHERE)
		return false;

	bool writes = m->address & MS_MET_WRITES;
	ms_settling_begin(s, m, &a);
	a.entry = entry;
	if (writes)
		ms_coherence_own(&a);
	for (unsigned k = 0; k < levels; k++) {
		a.old[k] = record[k];
		ms_coherence_note(&a, k);
	}
	a.missed = levels;
	ms_bank_use(s->path[levels], shared);
	ms_coherence_read(&a, levels);
	come_back(&a, levels, record, seats);
	if (writes) {
		ms_coherence_tell(&a);
		ms_coherence_quiet(&a);
	}
	ms_settling_count(s, m, m, &a);
	return true;
}

bool ms_handoff(struct settling *s, const struct met *m, struct seat seat)
{
	if (m->address & MS_MET_PART)
		return false;
	uint32_t *entry = ms_coherence_entry(s->shard->general->coherence, ms_settling_line(s, m));
	if (seat.way != MS_BANK_NOWHERE) {
		write_held(s, m, entry, seat);
		return true;
	}
	return ms_entry_state(entry) == MS_UNIT_MODIFIED && !ms_entry_holds(entry, s->agent) &&
	       take_over(s, m, entry);
}
