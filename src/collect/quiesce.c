#include "collect/quiesce.h"

void ms_collect_quiesce_open(struct ms_collect_quiesce *s)
{
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	s->moving = 0;
	s->wanted = false;
}

void ms_collect_quiesce_close(struct ms_collect_quiesce *s)
{
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
}

void ms_collect_quiesce_resume(struct ms_collect_quiesce *s)
{
	pthread_mutex_lock(&s->lock);
	while (s->wanted)
		pthread_cond_wait(&s->changed, &s->lock);
	s->moving++;
	pthread_mutex_unlock(&s->lock);
}

void ms_collect_quiesce_rest(struct ms_collect_quiesce *s)
{
	pthread_mutex_lock(&s->lock);
	if (--s->moving == 0 && s->wanted)
		pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}

bool ms_collect_quiesce_is_wanted(const struct ms_collect_quiesce *s)
{
	return __atomic_load_n(&s->wanted, __ATOMIC_RELAXED);
}

void ms_collect_quiesce_begin(struct ms_collect_quiesce *s)
{
	pthread_mutex_lock(&s->lock);
	__atomic_store_n(&s->wanted, true, __ATOMIC_RELAXED);
	while (s->moving > 0)
		pthread_cond_wait(&s->changed, &s->lock);
}

void ms_collect_quiesce_end(struct ms_collect_quiesce *s)
{
	__atomic_store_n(&s->wanted, false, __ATOMIC_RELAXED);
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->lock);
}
