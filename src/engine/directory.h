/*
 * engine/directory.h - an entry of the directory: of a unit, its state and, where one agent has a
 * right of its own, that agent; the first of its losses (losses.h); a bit for each agent that holds
 * it. For coherence.c, and handoff.c where it does the same at once.
 */
#ifndef MS_ENGINE_DIRECTORY_H
#define MS_ENGINE_DIRECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"

enum { MS_ENTRY_STATE, MS_ENTRY_LOSSES, MS_ENTRY_HOLDERS }; /* words of an entry */

/* Nobody has it; some may read it; one, clean; one, modified; one, modified, and others may read.
 */
enum { MS_UNIT_NONE, MS_UNIT_SHARED, MS_UNIT_EXCLUSIVE, MS_UNIT_MODIFIED, MS_UNIT_OWNED };
enum { MS_STATE_BITS = 3, MS_STATE_EVER = 1 << MS_STATE_BITS, MS_OWNER_SHIFT = MS_STATE_BITS + 1 };

MS_INLINE uint32_t ms_entry_state(const uint32_t *entry)
{
	return entry[MS_ENTRY_STATE] & (MS_STATE_EVER - 1);
}

MS_INLINE uint32_t ms_entry_owner(const uint32_t *entry)
{
	return entry[MS_ENTRY_STATE] >> MS_OWNER_SHIFT;
}

MS_INLINE void ms_entry_set(uint32_t *entry, uint32_t state, uint32_t owner)
{
	entry[MS_ENTRY_STATE] = owner << MS_OWNER_SHIFT | MS_STATE_EVER | state;
}

MS_INLINE bool ms_entry_holds(const uint32_t *entry, uint32_t agent)
{
	return entry[MS_ENTRY_HOLDERS + agent / 32] >> agent % 32 & 1;
}

MS_INLINE void ms_entry_add_holder(uint32_t *entry, uint32_t agent)
{
	entry[MS_ENTRY_HOLDERS + agent / 32] |= UINT32_C(1) << agent % 32;
}

MS_INLINE void ms_entry_remove_holder(uint32_t *entry, uint32_t agent)
{
	entry[MS_ENTRY_HOLDERS + agent / 32] &= ~(UINT32_C(1) << agent % 32);
}

/* Whether any agent but this one holds it; words: those of the holders. */
MS_INLINE bool ms_entry_is_shared(const uint32_t *entry, uint32_t words, uint32_t agent)
{
	uint32_t others = 0;

	for (uint32_t i = 0; i < words; i++)
		others |= entry[MS_ENTRY_HOLDERS + i] &
			  ~(i == agent / 32 ? UINT32_C(1) << agent % 32 : 0);
	return others != 0;
}

/* The agent's caches have nothing of the unit any more; whether it was the one to write it back. */
MS_INLINE bool ms_entry_leave(uint32_t *entry, uint32_t words, uint32_t agent)
{
	uint32_t state = ms_entry_state(entry);
	bool own = ms_entry_owner(entry) == agent;

	if (!ms_entry_is_shared(entry, words, agent))
		ms_entry_set(entry, MS_UNIT_NONE, 0);
	else if (own && state == MS_UNIT_OWNED)
		ms_entry_set(entry, MS_UNIT_SHARED, 0);
	ms_entry_remove_holder(entry, agent);
	return own && (state == MS_UNIT_MODIFIED || state == MS_UNIT_OWNED);
}

#endif
