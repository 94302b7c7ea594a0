/*
 * engine/caches/cache_array_update.h - uses, fills and empties the ways of a cache, and keeps their
 * order of use.
 */
#ifndef MS_ENGINE_CACHES_CACHE_ARRAY_UPDATE_H
#define MS_ENGINE_CACHES_CACHE_ARRAY_UPDATE_H

#include "engine/caches/cache_array.h"

/*
 * Whether the way is the most recent one of its set, so that touching it changes no state. Always
 * false with a policy.
 */
MS_INLINE bool ms_caches_is_most_recent(const struct ms_caches_array *array,
					struct ms_caches_position position)
{
	uint64_t order = ms_caches_get_set(array, position.set)->order ^ MS_CACHES_INITIAL_ORDER;

	return array->ordered_ways > 0 && (order & 15) == position.way;
}

/*
 * Whether the line is the second most recent one of its set, as most lines are that are not the
 * most recent. Then no search is needed. Always false with a policy.
 */
MS_INLINE bool ms_caches_is_second_most_recent(const struct ms_caches_array *array,
					       const struct ms_caches_array_set *at, uint64_t line,
					       uint32_t *way)
{
	*way = (uint32_t)((at->order ^ MS_CACHES_INITIAL_ORDER) >> 4 & 15);
	return array->ordered_ways > 1 && at->at[array->hash_words + *way] == line + 1;
}

MS_INLINE void ms_caches_touch_second(struct ms_caches_array_set *at)
{
	uint64_t order = at->order ^ MS_CACHES_INITIAL_ORDER;

	at->order = ((order & ~UINT64_C(255)) | (order & 15) << 4 | (order >> 4 & 15)) ^
		    MS_CACHES_INITIAL_ORDER;
}

/* For caches without a policy. */
MS_INLINE void ms_caches_make_most_recent(const struct ms_caches_array *array,
					  struct ms_caches_position position)
{
	struct ms_caches_array_set *at = ms_caches_get_set(array, position.set);

	at->order = ms_caches_move_to_front(at->order ^ MS_CACHES_INITIAL_ORDER, position.way) ^
		    MS_CACHES_INITIAL_ORDER;
}

/* The line in the way was referenced. */
MS_INLINE void ms_caches_touch_way(const struct ms_caches_array *array,
				   struct ms_caches_position position)
{
	if (MS_LIKELY(array->ordered_ways > 0))
		ms_caches_make_most_recent(array, position);
	else
		ms_caches_touch_by_policy(array, position);
}

/* Selects the way for a new line: an empty one, or the victim's. */
MS_INLINE struct ms_caches_position ms_caches_choose_way(const struct ms_caches_array *array,
							 uint64_t set)
{
	uint64_t order = ms_caches_get_set(array, set)->order ^ MS_CACHES_INITIAL_ORDER;

	if (MS_LIKELY(array->ordered_ways > 0))
		return (struct ms_caches_position){ set,
						    order >> (array->ordered_ways - 1) * 4 & 15 };
	return (struct ms_caches_position){ set, ms_caches_choose_way_by_policy(array, set) };
}

/*
 * Returns an empty way of the set, or MS_CACHES_NO_WAY. Does not ask a policy for a victim, because
 * its next answer may differ.
 */
MS_INLINE struct ms_caches_position ms_caches_find_empty_way(const struct ms_caches_array *array,
							     uint64_t set)
{
	const struct ms_caches_array_set *at = ms_caches_get_set(array, set);
	struct ms_caches_position position = { set, MS_CACHES_NO_WAY };

	if (MS_UNLIKELY(array->ordered_ways == 0)) {
		position.way = ms_caches_find_way(array, at, MS_CACHES_NO_LINE);
		return position;
	}
	/* The least recent way is empty if any is. */
	position = ms_caches_choose_way(array, set);
	if (ms_caches_get_line(array, position) != MS_CACHES_NO_LINE)
		position.way = MS_CACHES_NO_WAY;
	return position;
}

/* MS_CACHES_NO_LINE: the way becomes empty. */
MS_INLINE void ms_caches_set_line(const struct ms_caches_array *array,
				  struct ms_caches_position position, uint64_t line)
{
	struct ms_caches_array_set *at = ms_caches_get_set(array, position.set);
	uint64_t others = position.way < 64 ? ~(UINT64_C(1) << position.way) : UINT64_MAX;

	((uint8_t *)at->at)[position.way] = (uint8_t)ms_caches_hash_line(line);
	at->at[array->hash_words + position.way] = line + 1;
	at->writable &= others;
	at->owned_in_pass &= others;
}

MS_INLINE void ms_caches_empty_way(const struct ms_caches_array *array,
				   struct ms_caches_position position)
{
	struct ms_caches_array_set *at = ms_caches_get_set(array, position.set);

	ms_caches_set_line(array, position, MS_CACHES_NO_LINE);
	if (MS_LIKELY(array->ordered_ways > 0))
		at->order = ms_caches_move_to_back(at->order ^ MS_CACHES_INITIAL_ORDER,
						   position.way, array->ordered_ways) ^
			    MS_CACHES_INITIAL_ORDER;
}

MS_INLINE void ms_caches_fill_way(const struct ms_caches_array *array,
				  struct ms_caches_position position, uint64_t line)
{
	ms_caches_set_line(array, position, line);
	if (MS_LIKELY(array->ordered_ways > 0))
		ms_caches_make_most_recent(array, position);
	else
		ms_caches_fill_by_policy(array, position);
}

#endif
