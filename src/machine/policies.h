/*
 * machine/policies.h - the policies of cache levels and of coherence, with one word for each.
 *
 * Machine files, JSON and the run database use these words. A new policy is one enum constant and
 * one word in policies.c; docs/formats/machine.md defines its meaning.
 */
#ifndef MS_MACHINE_POLICIES_H
#define MS_MACHINE_POLICIES_H

/* Which line of a full set is evicted. */
enum ms_machine_replacement_policy {
	MS_REPLACEMENT_LRU,
	MS_REPLACEMENT_TREE_PLRU,
	MS_REPLACEMENT_RANDOM,
	MS_REPLACEMENT_FIFO,
	MS_REPLACEMENTS,
};

/* Whether a store to a line that is present is forwarded to the next level. */
enum ms_machine_write_policy { MS_WRITE_BACK, MS_WRITE_THROUGH };
/* Whether a store to an absent line fetches it, or bypasses the level. */
enum ms_machine_write_miss_policy { MS_WRITE_MISS_ALLOCATE, MS_WRITE_MISS_AROUND };

/* What a level holds in relation to the levels before it. */
enum ms_machine_contents_policy {
	MS_CONTENTS_NEITHER,
	MS_CONTENTS_INCLUSIVE, /* all of their lines: an eviction here evicts them there */
	MS_CONTENTS_EXCLUSIVE, /* none of their lines: evictions of the previous one come here */
};

/* How caches are kept coherent. */
enum ms_machine_coherence_protocol { MS_PROTOCOL_MESI, MS_PROTOCOL_MSI, MS_PROTOCOL_MOESI };

/* By the value of the enum; each list ends with NULL. The first word is the default. */
extern const char *const ms_machine_replacements[];
extern const char *const ms_machine_writes[];
extern const char *const ms_machine_write_misses[];
extern const char *const ms_machine_contents[];
extern const char *const ms_machine_protocols[];

#endif
