/*
 * engine/coherence.h - what keeps the caches of several processors coherent.
 *
 * Models:   MSI, MESI and MOESI over any tree of caches. An agent is a cache of the first level,
 *           with whatever else only its processors have. A directory knows of each unit, which is a
 *           line of the largest kind that an agent has or not all share, which agents hold it and
 * in what state. A write takes the unit away from all caches that are not on the writer's way to
 * memory; a read takes nothing away. Does not: time: a transaction is over before the next one
 * begins; caches between an agent's own and those that all share have no state: they lose what
 * others write, and do not answer for processors that are not theirs.
 * docs/design/multiprocessors.md has more.
 */
#ifndef MS_ENGINE_COHERENCE_H
#define MS_ENGINE_COHERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/general.h"
#include "engine/lines.h"
#include "engine/losses.h"

struct coherence {
	struct general *general;
	uint32_t protocol; /* enum ms_protocol */
	uint32_t agents;
	unsigned private_levels; /* those of an agent alone */
	bool dirty;              /* one of them keeps writes to itself */
	bool clusters;           /* there are caches behind them that not all share */
	uint32_t unit_up;        /* bits by which a unit is larger than a line of the first level */
	uint32_t unit_bytes;
	uint32_t holder_words;
	struct lines directory; /* by unit: see coherence.c */
	/* Where units are lines of the first level: the kind of nest that all share, whose records
	 * stand in the directory too, and the first word of them; UINT32_MAX: there is none. */
	uint32_t beside;
	uint32_t beside_word;
	struct losses losses;
};

struct coherence *ms_coherence_open(struct general *general);
void ms_coherence_close(struct coherence *coherence);
/* How many units were ever held, and what the directory takes. */
uint64_t ms_coherence_units(const struct coherence *coherence, uint64_t *bytes);
uint64_t ms_coherence_bytes(const struct coherence *coherence);

/* --- for who makes accesses --- */

/* The agent is about to write the unit: it will be the only one that holds it. */
void ms_coherence_own(struct access *a);
/* It has written: those who lost the line are told, and where it stays is seen. */
void ms_coherence_wrote(const struct access *a);
/* The two parts of that, where it surely stays in the agent's first level, or did. */
void ms_coherence_tell(const struct access *a);
void ms_coherence_quiet(const struct access *a);

/* The entry of a unit in the directory, which stays where it is. */
uint32_t *ms_coherence_entry(struct coherence *c, uint64_t unit);

/* --- for general.c --- */

/* Level k was the first that held the line (levels: none). */
void ms_coherence_read(struct access *a, unsigned k);
/* The level was missed, by a loss. */
void ms_coherence_note(struct access *a, unsigned k);
/* The line of a word that says "lost" comes back. */
void ms_coherence_regain(const struct access *a, uint64_t line, uint32_t word);
/* A bank of the agent's has pushed a line out; entry: its unit's, or NULL. */
void ms_coherence_pushed_out(const struct access *a, const struct bank *bank, uint64_t line,
			     const uint32_t *word, uint32_t *entry);
/* Lines of the first level have left level k, an inclusive one: other nests lose them too. */
void ms_coherence_leave(const struct access *a, unsigned k, uint64_t line, uint64_t lines);

#endif
