/*
 * engine/coherence/directory_entry.h - an entry of the directory. It has the state of a unit; the
 * owner, if one agent has an exclusive right; the first of its invalidations (invalidations.h);
 * and a bit for each agent that holds it. Used by coherence.c, and by cache_transfer.c, which
 * combines several transitions.
 */
#ifndef MS_ENGINE_COHERENCE_DIRECTORY_ENTRY_H
#define MS_ENGINE_COHERENCE_DIRECTORY_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

enum {
	MS_COHERENCE_ENTRY_STATE,
	MS_COHERENCE_ENTRY_INVALIDATIONS,
	MS_COHERENCE_ENTRY_HOLDERS
}; /* words of an entry */

/* Held by no agent; readable by some; by one, clean; by one, modified; modified by one, and
 * readable by others. */
enum {
	MS_COHERENCE_UNIT_NONE,
	MS_COHERENCE_UNIT_SHARED,
	MS_COHERENCE_UNIT_EXCLUSIVE,
	MS_COHERENCE_UNIT_MODIFIED,
	MS_COHERENCE_UNIT_OWNED
};
enum {
	MS_COHERENCE_STATE_BITS = 3,
	MS_COHERENCE_EVER_HELD = 1 << MS_COHERENCE_STATE_BITS,
	MS_COHERENCE_OWNER_SHIFT = MS_COHERENCE_STATE_BITS + 1
};

MS_INLINE uint32_t ms_coherence_get_state(const uint32_t *entry)
{
	return entry[MS_COHERENCE_ENTRY_STATE] & (MS_COHERENCE_EVER_HELD - 1);
}

MS_INLINE uint32_t ms_coherence_get_owner(const uint32_t *entry)
{
	return entry[MS_COHERENCE_ENTRY_STATE] >> MS_COHERENCE_OWNER_SHIFT;
}

MS_INLINE void ms_coherence_set_state(uint32_t *entry, uint32_t state, uint32_t owner)
{
	entry[MS_COHERENCE_ENTRY_STATE] =
		owner << MS_COHERENCE_OWNER_SHIFT | MS_COHERENCE_EVER_HELD | state;
}

MS_INLINE bool ms_coherence_is_holder(const uint32_t *entry, uint32_t agent)
{
	return entry[MS_COHERENCE_ENTRY_HOLDERS + agent / 32] >> agent % 32 & 1;
}

MS_INLINE void ms_coherence_add_holder(uint32_t *entry, uint32_t agent)
{
	entry[MS_COHERENCE_ENTRY_HOLDERS + agent / 32] |= UINT32_C(1) << agent % 32;
}

MS_INLINE void ms_coherence_remove_holder(uint32_t *entry, uint32_t agent)
{
	entry[MS_COHERENCE_ENTRY_HOLDERS + agent / 32] &= ~(UINT32_C(1) << agent % 32);
}

/* Returns whether any other agent holds the unit; words: number of holder words. */
MS_INLINE bool ms_coherence_has_other_holders(const uint32_t *entry, uint32_t words, uint32_t agent)
{
	uint32_t others = 0;

	for (uint32_t i = 0; i < words; i++)
		others |= entry[MS_COHERENCE_ENTRY_HOLDERS + i] &
			  ~(i == agent / 32 ? UINT32_C(1) << agent % 32 : 0);
	return others != 0;
}

/* Call it when no cache of the agent has a line of the unit any more. Returns whether the agent
 * has to write it back. */
MS_INLINE bool ms_coherence_release_unit(uint32_t *entry, uint32_t words, uint32_t agent)
{
	uint32_t state = ms_coherence_get_state(entry);
	bool own = ms_coherence_get_owner(entry) == agent;

	if (!ms_coherence_has_other_holders(entry, words, agent))
		ms_coherence_set_state(entry, MS_COHERENCE_UNIT_NONE, 0);
	else if (own && state == MS_COHERENCE_UNIT_OWNED)
		ms_coherence_set_state(entry, MS_COHERENCE_UNIT_SHARED, 0);
	ms_coherence_remove_holder(entry, agent);
	return own && (state == MS_COHERENCE_UNIT_MODIFIED || state == MS_COHERENCE_UNIT_OWNED);
}

#endif
