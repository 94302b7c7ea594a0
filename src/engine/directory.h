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

#endif
