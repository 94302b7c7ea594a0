#include "collect/pipeline.h"

#include "stream/futex.h"

/* A sleeping thread is woken when there are this many chunks, or this many free entries. */
enum { MUCH = MS_PIPELINE_CHUNKS / 2 };

static uint32_t load(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static void store(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

/* Sleeps until the other thread has done more than `seen` chunks and wakes this one. */
static void wait_for(const struct pipeline *p, struct half *half, uint32_t seen,
		     struct still *still)
{
	ms_still_rest(still);
	store(&half->awaited, 1);
	while (load(&half->number) == seen && load(&half->awaited) && !load(&p->ended))
		ms_stream_futex_wait(&half->awaited, 1);
	store(&half->awaited, 0);
	ms_still_go(still);
}

static void wake(struct half *half)
{
	if (!load(&half->awaited))
		return;
	store(&half->awaited, 0);
	ms_stream_futex_wake(&half->awaited);
}

void ms_pipeline_make_room(struct pipeline *p, struct still *still, uint32_t k)
{
	uint32_t settled;

	while (k - (settled = load(&p->settled.number)) >= MS_PIPELINE_CHUNKS)
		wait_for(p, &p->settled, settled, still);
}

void ms_pipeline_sifted(struct pipeline *p, uint32_t k)
{
	store(&p->sifted.number, k + 1);
	if (k + 1 - load(&p->settled.number) >= MUCH)
		wake(&p->sifted);
}

void ms_pipeline_end(struct pipeline *p)
{
	store(&p->ended, 1);
	wake(&p->sifted);
}

bool ms_pipeline_wait(struct pipeline *p, struct still *still, uint32_t k)
{
	if (ms_still_is_wanted(still)) {
		ms_still_rest(still);
		ms_still_go(still);
	}
	while (load(&p->sifted.number) == k) {
		if (load(&p->ended)) /* a chunk filtered just before the end must not be lost */
			return load(&p->sifted.number) != k;
		wait_for(p, &p->sifted, k, still);
	}
	return true;
}

void ms_pipeline_settled(struct pipeline *p, uint32_t k)
{
	store(&p->settled.number, k + 1);
	if (load(&p->sifted.number) - (k + 1) <= MS_PIPELINE_CHUNKS - MUCH)
		wake(&p->settled);
}
