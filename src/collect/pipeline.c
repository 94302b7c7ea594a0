#include "collect/pipeline.h"

#include "stream/futex.h"

/* A sleeping thread is woken when there are this many chunks, or this many free entries. */
enum { MUCH = MS_COLLECT_PIPELINE_CHUNKS / 2 };

static uint32_t load(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static void store(uint32_t *word, uint32_t value)
{
	__atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

/* Sleeps until the other thread has done more than `seen` chunks and wakes this one. */
static void wait_for(const struct ms_collect_pipeline *p, struct ms_collect_pipeline_half *half,
		     uint32_t seen, struct ms_collect_quiesce *quiesce)
{
	ms_collect_quiesce_rest(quiesce);
	store(&half->awaited, 1);
	while (load(&half->number) == seen && load(&half->awaited) && !load(&p->ended))
		ms_stream_futex_wait(&half->awaited, 1);
	store(&half->awaited, 0);
	ms_collect_quiesce_resume(quiesce);
}

static void wake(struct ms_collect_pipeline_half *half)
{
	if (!load(&half->awaited))
		return;
	store(&half->awaited, 0);
	ms_stream_futex_wake(&half->awaited);
}

void ms_collect_pipeline_wait_for_room(struct ms_collect_pipeline *p,
				       struct ms_collect_quiesce *quiesce, uint32_t k)
{
	uint32_t simulated;

	while (k - (simulated = load(&p->simulated.number)) >= MS_COLLECT_PIPELINE_CHUNKS)
		wait_for(p, &p->simulated, simulated, quiesce);
}

void ms_collect_pipeline_drain(struct ms_collect_pipeline *p, struct ms_collect_quiesce *quiesce,
			       uint32_t k)
{
	uint32_t simulated;

	wake(&p->filtered);
	while ((simulated = load(&p->simulated.number)) != k)
		wait_for(p, &p->simulated, simulated, quiesce);
}

void ms_collect_pipeline_filtered(struct ms_collect_pipeline *p, uint32_t k)
{
	store(&p->filtered.number, k + 1);
	if (k + 1 - load(&p->simulated.number) >= MUCH)
		wake(&p->filtered);
}

void ms_collect_pipeline_end(struct ms_collect_pipeline *p)
{
	store(&p->ended, 1);
	wake(&p->filtered);
}

bool ms_collect_pipeline_wait(struct ms_collect_pipeline *p, struct ms_collect_quiesce *quiesce,
			      uint32_t k)
{
	if (ms_collect_quiesce_is_wanted(quiesce)) {
		ms_collect_quiesce_rest(quiesce);
		ms_collect_quiesce_resume(quiesce);
	}
	while (load(&p->filtered.number) == k) {
		if (load(&p->ended)) /* a chunk filtered just before the end must not be lost */
			return load(&p->filtered.number) != k;
		wait_for(p, &p->filtered, k, quiesce);
	}
	return true;
}

void ms_collect_pipeline_simulated(struct ms_collect_pipeline *p, uint32_t k)
{
	store(&p->simulated.number, k + 1);
	if (load(&p->filtered.number) - (k + 1) <= MS_COLLECT_PIPELINE_CHUNKS - MUCH)
		wake(&p->simulated);
}
