/*
 * base/vec.h - a growable array of any type.
 *
 *    MS_VEC(uint64_t) pcs = MS_VEC_INIT;
 *    *ms_vec_add(&pcs) = pc;            // the new element is zeroed
 *    for (size_t i = 0; i < pcs.n; i++)
 *            use(pcs.at[i]);
 *    ms_vec_free(&pcs);
 */
#ifndef MS_BASE_VEC_H
#define MS_BASE_VEC_H

#include <stddef.h>

#include "base/mem.h"

#define MS_VEC(type)        \
	struct {            \
		type *at;   \
		size_t n;   \
		size_t cap; \
	}
#define MS_VEC_INIT        \
	{                  \
		NULL, 0, 0 \
	}

/* Reserves space for `more` elements after the n existing ones; they are zeroed. */
void ms_vec_reserve_(void **at, size_t n, size_t *cap, size_t more, size_t size);

#define ms_vec_reserve(v, more)                                                              \
	((v)->cap - (v)->n >= (more) ? (void)0                                               \
				     : ms_vec_reserve_((void **)&(v)->at, (v)->n, &(v)->cap, \
						       (more), sizeof(*(v)->at)))
#define ms_vec_add(v) (ms_vec_reserve((v), 1), &(v)->at[(v)->n++])
/* The second array gets the elements of the first, which is empty then and has the other's memory.
 */
#define ms_vec_hand_over(from, to)        \
	do {                              \
		void *memory_ = (to)->at; \
		size_t cap_ = (to)->cap;  \
		(to)->at = (from)->at;    \
		(to)->n = (from)->n;      \
		(to)->cap = (from)->cap;  \
		(from)->at = memory_;     \
		(from)->n = 0;            \
		(from)->cap = cap_;       \
	} while (0)
#define ms_vec_free(v)                 \
	do {                           \
		ms_free((v)->at);      \
		(v)->at = NULL;        \
		(v)->n = (v)->cap = 0; \
	} while (0)

#endif
