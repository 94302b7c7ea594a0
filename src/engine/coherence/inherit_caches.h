/*
 * engine/coherence/inherit_caches.h - the first of several processors takes over the caches of the
 * only one that was simulated until now: lines in their order of use, and what is known of each
 * line (line_records.h). Lines are clean; see add_processors.h.
 */
#ifndef MS_ENGINE_COHERENCE_INHERIT_CACHES_H
#define MS_ENGINE_COHERENCE_INHERIT_CACHES_H

struct ms_engine_shard;

/* The shard's LRU caches are copied; they can be closed afterwards. */
void ms_coherence_inherit_caches(struct ms_engine_shard *shard);

#endif
