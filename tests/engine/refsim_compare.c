/*
 * Whether an engine has counted what the reference simulator has: every count of the one is looked
 * up in the other, and there are as many. A part of tests/unit/engine/reference_simulator.c.
 */
#include "engine/refsim_keys.c"

/* How many rows there are of each kind; a row whose count is 0 is none. */
struct rows {
	uint64_t n[SLOW_WHATS];
};

static void compare_count(const struct refsim *refsim, struct rows *rows, enum refsim_what what,
			  struct refsim_key key, double count)
{
	if (fabs(count - refsim_count(refsim, what, key)) > 1e-6)
		fail_msg("count %d of site %u, data %u, processor %u, level %u, other %u: %f, "
			 "expected %f",
			 what, key.site, key.data, key.processor, key.level, key.other, count,
			 refsim_count(refsim, what, key));
	rows->n[what] += count > 0;
	compared[what] += count > 0;
}

static void compare_cells(const struct ms_engine_totals *t, const struct refsim *refsim,
			  struct rows *rows)
{
	for (uint32_t i = 0; i < t->cells.n; i++) {
		struct refsim_key key = cell_key(t, i, 0, 0);

		compare_count(refsim, rows, SLOW_REFERENCES, key,
			      (double)t->cells.at[i].references);
		compare_count(refsim, rows, SLOW_UPGRADES, key, (double)t->cells.at[i].upgrades);
	}
}

static void compare_misses(const struct ms_engine_totals *t, const struct refsim *refsim,
			   struct rows *rows)
{
	for (size_t i = 0; i < t->misses.n; i++) {
		const struct ms_engine_total_miss *m = &t->misses.at[i];
		struct refsim_key key = cell_key(t, m->cell, m->level, 0);

		for (unsigned cause = 0; cause < MS_ENGINE_MISS_CAUSES; cause++)
			compare_count(refsim, rows, SLOW_FIRST + cause, key,
				      (double)m->causes[cause]);
		compare_count(refsim, rows, SLOW_COVERED, key, (double)m->covered);
		compare_count(refsim, rows, SLOW_FALSELY, key, (double)m->falsely);
		compare_count(refsim, rows, SLOW_PEER, key, (double)m->peer);
		compare_count(refsim, rows, SLOW_REMOTE, key, (double)m->remote);
		compare_count(refsim, rows, SLOW_WRITE_BACKS, key, (double)m->write_backs);
		compare_count(refsim, rows, SLOW_WEIGHTED, key, m->weighted);
	}
}

/* All misses are in one slice, with their causes; the pairs that a slice has apart are some of
 * them. */
static void compare_slices(const struct ms_engine_totals *t)
{
	enum { L = MS_ENGINE_SLICE_LEVELS, C = MS_ENGINE_MISS_CAUSES };
	uint64_t all[L][C] = { 0 }, sums[L][C] = { 0 }, apart[L][C] = { 0 }, steps = 0;

	for (size_t i = 0; i < t->misses.n; i++)
		for (unsigned c = 0; c < C && t->misses.at[i].level < L; c++)
			all[t->misses.at[i].level][c] += t->misses.at[i].causes[c];
	for (size_t i = 0; i < t->slice_sums.n; i++)
		for (unsigned c = 0; c < C; c++)
			sums[t->slice_sums.at[i].level][c] += t->slice_sums.at[i].causes[c];
	for (size_t i = 0; i < t->slice_cells.n; i++)
		for (unsigned k = 0; k < L * C; k++)
			apart[k / C][k % C] += t->slice_cells.at[i].causes[k / C][k % C];
	for (size_t i = 0; i < t->slices.n; i++)
		steps += t->slices.at[i].steps;
	assert_int_equal(steps, t->steps);
	for (unsigned k = 0; k < L * C; k++) {
		assert_int_equal(sums[k / C][k % C], all[k / C][k % C]);
		assert_true(apart[k / C][k % C] <= all[k / C][k % C]);
	}
}

/*
 * Exact counts are equal. So are those of the first level, if its accesses are those that the
 * filter keeps. Others are bounds: what is certain is at most what is true, and the ambiguous rest
 * makes up for it.
 */
static void compare_causes(const struct ms_engine_totals *t, struct program *p, int e,
			   struct rows *rows)
{
	uint64_t sum = 1;

	for (size_t i = 0; i < t->misses.n; i++) {
		const struct ms_engine_total_miss *m = &t->misses.at[i];
		struct refsim_key key = cell_key(t, m->cell, m->level, 0);
		double conflict = refsim_count(p->refsim, SLOW_CONFLICT, key);
		double capacity = refsim_count(p->refsim, SLOW_CAPACITY, key);

		if (is_exact[e]) {
			compare_count(p->refsim, rows, SLOW_CONFLICT, key, (double)m->conflict);
			compare_count(p->refsim, rows, SLOW_CAPACITY, key, (double)m->capacity);
			compare_count(p->refsim, rows, SLOW_SAVED, key, (double)m->saved);
			continue;
		}
		sum = sum * 31 + m->conflict * 7 + m->capacity * 3 + m->saved;
		if (!p->observes_all)
			continue;
		if (m->level == 0) {
			compare_count(p->refsim, rows, SLOW_KEPT_CONFLICT, key,
				      (double)m->conflict);
			compare_count(p->refsim, rows, SLOW_KEPT_CAPACITY, key,
				      (double)m->capacity);
			compare_count(p->refsim, rows, SLOW_KEPT_SAVED, key, (double)m->saved);
			continue;
		}
		assert_true((double)m->conflict <= conflict);
		if ((double)m->capacity > capacity)
			fail_msg("engine %d, level %u: capacity %d, expected at most %d; conflict "
				 "%d of %d",
				 e, m->level, (int)m->capacity, (int)capacity, (int)m->conflict,
				 (int)conflict);
		assert_true((double)m->saved <= refsim_count(p->refsim, SLOW_SAVED, key));
		certain += m->conflict + m->capacity;
		replaced += m->causes[MS_ENGINE_MISS_REPLACED];
	}
	if (!is_exact[e] && p->causes_sum != 0)
		assert_int_equal(sum, p->causes_sum);
	if (!is_exact[e])
		p->causes_sum = sum;
	for (int what = SLOW_CONFLICT; what <= SLOW_KEPT_SAVED; what++)
		if (is_exact[e] == (what <= SLOW_SAVED) && (is_exact[e] || p->observes_all))
			assert_int_equal(rows->n[what],
					 refsim_counted(p->refsim, (enum refsim_what)what));
}

/* Replacement misses are divided in LRU write-back levels of one processor. */
static bool divides_replacements(const struct program *p)
{
	bool simple = p->machine.processors == 1 && !p->monitored;

	for (size_t i = 0; i < p->machine.levels.n; i++) {
		const struct ms_machine_level *level = &p->machine.levels.at[i];

		simple = simple && level->replacement == MS_REPLACEMENT_LRU && level->write == 0 &&
			 level->write_miss == 0 && level->contents == 0 && level->prefetch == 0;
	}
	return simple;
}

static void compare_pairs(const struct ms_engine_totals *t, const struct refsim *refsim,
			  struct rows *rows)
{
	for (size_t i = 0; i < t->replaced.n; i++) {
		const struct ms_engine_total_pair *p = &t->replaced.at[i];

		compare_count(refsim, rows, SLOW_REPLACED, cell_key(t, p->cell, p->level, p->other),
			      (double)p->count);
	}
	for (size_t i = 0; i < t->evictions.n; i++) {
		const struct ms_engine_total_pair *p = &t->evictions.at[i];

		compare_count(refsim, rows, SLOW_EVICTIONS,
			      cell_key(t, p->cell, p->level, p->other), (double)p->count);
	}
}

static void compare_sharing(const struct ms_engine_totals *t, const struct refsim *refsim,
			    struct rows *rows)
{
	for (size_t i = 0; i < t->sharing.n; i++) {
		const struct ms_engine_total_sharing *s = &t->sharing.at[i];
		struct refsim_key key = sharing_key(t, s);

		compare_count(refsim, rows, SLOW_SHARED_TRULY, key, (double)s->truly);
		compare_count(refsim, rows, SLOW_SHARED_FALSELY, key, (double)s->falsely);
		compare_count(refsim, rows, SLOW_SHARED_PEER, key, (double)s->peer);
		compare_count(refsim, rows, SLOW_SHARED_REMOTE, key, (double)s->remote);
	}
}

static void compare_threads(const struct ms_engine_totals *t, const struct program *p,
			    struct rows *rows)
{
	uint64_t instructions[MS_COUNT(p->instructions_of)] = { 0 };

	for (size_t i = 0; i < t->threads.n; i++) {
		const struct ms_engine_total_thread *thread = &t->threads.at[i];

		instructions[thread->thread] += thread->instructions;
		compare_count(p->refsim, rows, SLOW_THREAD_REFERENCES,
			      (struct refsim_key){ .processor = thread->processor,
						   .other = thread->thread },
			      (double)thread->references);
	}
	for (size_t i = 0; i < t->thread_misses.n; i++) {
		const struct ms_engine_total_thread_miss *m = &t->thread_misses.at[i];
		struct refsim_key key = { .processor = t->threads.at[m->thread].processor,
					  .level = m->level,
					  .other = t->threads.at[m->thread].thread };

		compare_count(p->refsim, rows, SLOW_THREAD_MISSES, key, (double)m->misses);
		compare_count(p->refsim, rows, SLOW_THREAD_PEER, key, (double)m->peer);
		compare_count(p->refsim, rows, SLOW_THREAD_REMOTE, key, (double)m->remote);
	}
	assert_memory_equal(instructions, p->instructions_of, sizeof(instructions));
}

static void compare_exits(struct ms_engine *engine, const struct program *p)
{
	double weighted, all = 0;

	for (uint32_t processor = 0; processor < p->machine.processors; processor++)
		for (uint32_t b = 0; b < BLOCKS; b++)
			for (uint32_t e = 0; e < p->block[b].exits; e++) {
				ms_engine_count_exits(engine, processor, b, e, &weighted);
				all += weighted;
			}
	assert_true(fabs(all - p->weighted_exits) < 1e-6);
}

/* Of a level and a data: all of the run, and slice by slice. */
static void compare_stays(const struct ms_engine_totals *t, const struct refsim *refsim,
			  uint32_t level, uint32_t data, struct refsim_stay found)
{
	struct refsim_stay all = refsim_stay(refsim, level, data, 0, refsim->steps);
	uint64_t slices[64] = { 0 };

	if (found.lines != all.lines || found.peak != all.peak || found.sum != all.sum)
		fail_msg("data %u in level %u: %d lines, peak %d, sum %d; expected %d, %d, %d",
			 data, level, (int)found.lines, (int)found.peak, (int)found.sum,
			 (int)all.lines, (int)all.peak, (int)all.sum);
	for (size_t i = 0; i < t->stays.n; i++)
		if (t->stays.at[i].level == level && t->stays.at[i].data == data)
			slices[t->stays.at[i].slice] += t->stays.at[i].sum;
	for (uint64_t i = 0; i < MS_COUNT(slices); i++)
		assert_int_equal(
			slices[i],
			refsim_stay(refsim, level, data, i * t->slice, (i + 1) * t->slice).sum);
}

/* Where lines leave a level only for the program's others: what came is there, or was evicted. */
static void compare_came(const struct ms_engine_totals *t, const struct program *p,
			 const struct ms_engine_total_occupancy *o)
{
	const struct ms_machine_level *level = &p->machine.levels.at[o->level];
	uint64_t came = 0, left = 0;

	for (uint32_t i = 0; i < p->machine.levels.n; i++)
		if (p->machine.processors > 1 || p->monitored ||
		    p->machine.levels.at[i].contents != 0 || level->prefetch > 0)
			return;
	for (size_t i = 0; i < t->stays.n; i++)
		if (t->stays.at[i].level == o->level && t->stays.at[i].data == o->data)
			came += t->stays.at[i].came;
	for (size_t i = 0; i < t->evictions.n; i++)
		if (t->evictions.at[i].level == o->level && t->evictions.at[i].other == o->data)
			left += t->evictions.at[i].count;
	assert_int_equal(came, o->lines + left);
	arrived += came;
}

static void compare_occupancy(const struct ms_engine_totals *t, const struct program *p)
{
	size_t n = 0;

	assert_int_equal(t->steps, p->refsim->steps);
	assert_true(t->slice * 64 >= t->steps && t->slice * 32 <= t->steps + 16 * 64);
	for (uint32_t level = 0; level < p->machine.levels.n; level++) {
		for (uint32_t data = 0; data <= MONITOR; data++) {
			const struct ms_engine_total_occupancy *o = &t->occupancy.at[n];
			struct refsim_stay found = { 0, 0, 0 };

			if (n < t->occupancy.n && o->level == level && o->data == data) {
				found = (struct refsim_stay){ o->sum, o->peak, o->lines };
				compare_came(t, p, o);
				n++;
			}
			compare_stays(t, p->refsim, level, data, found);
		}
	}
	assert_int_equal(n, t->occupancy.n);
	occupied += n;
}

static void compare_samples(const struct ms_pmu_totals *t, const struct refsim *refsim,
			    struct rows *rows)
{
	for (size_t i = 0; i < t->samples.n; i++) {
		const struct ms_pmu_sample *s = &t->samples.at[i];
		struct refsim_key key = { .site = s->site, .data = s->data, .other = s->victim };

		compare_count(refsim, rows, SLOW_SAMPLES, key, (double)s->count);
		compare_count(refsim, rows, SLOW_SAMPLE_EVENTS, key, (double)s->events);
		compare_count(refsim, rows, SLOW_SAMPLE_LATENCY, key, (double)s->latency);
	}
	for (uint32_t level = 0; level < t->handler_misses.n; level++)
		compare_count(refsim, rows, SLOW_HANDLER_MISSES,
			      (struct refsim_key){ .level = level },
			      (double)t->handler_misses.at[level]);
}

static void compare_monitor(const struct ms_engine *engine, const struct program *p,
			    struct rows *rows)
{
	const struct refsim_monitor *m = p->refsim->monitor;
	struct ms_pmu_totals t;

	ms_pmu_get_totals(engine, &t);
	compare_samples(&t, p->refsim, rows);
	if (m->aim > 0)
		assert_int_equal(t.period, m->aim);
	assert_int_equal(t.events, (uint64_t)m->events);
	assert_int_equal(t.interrupts, (uint64_t)m->interrupts);
	assert_int_equal(t.handler_references, m->handler.references);
	assert_int_equal(t.handler_waited, (uint64_t)m->handler_waited);
	if (m->interrupts > 0)
		assert_true(fabs(t.effective * m->squares - m->events_before * m->events_before) <
			    1e-6 * m->squares);
	ms_pmu_free_totals(&t);
	for (int what = SLOW_SAMPLES; what <= SLOW_HANDLER_MISSES; what++)
		assert_int_equal(rows->n[what], refsim_counted(p->refsim, (enum refsim_what)what));
}

static void compare(struct ms_engine *engine, struct program *p, int e)
{
	bool several = p->machine.processors > 1;
	struct rows rows = { { 0 } };
	struct ms_engine_totals t;

	ms_engine_compute_totals(engine, &t);
	compare_cells(&t, p->refsim, &rows);
	compare_misses(&t, p->refsim, &rows);
	compare_slices(&t);
	if (divides_replacements(p))
		compare_causes(&t, p, e, &rows);
	compare_pairs(&t, p->refsim, &rows);
	compare_sharing(&t, p->refsim, &rows);
	if (several)
		compare_threads(&t, p, &rows);
	compare_exits(engine, p);
	compare_occupancy(&t, p);
	if (p->refsim->lines != NULL)
		compare_lines(p->refsim, &t);
	if (p->monitored)
		compare_monitor(engine, p, &rows);
	for (int what = 0; what <= (several ? SLOW_THREAD_REMOTE : SLOW_SHARED_REMOTE); what++)
		if (rows.n[what] != refsim_counted(p->refsim, (enum refsim_what)what))
			fail_msg("%d: %d counts, expected %d", what, (int)rows.n[what],
				 (int)refsim_counted(p->refsim, (enum refsim_what)what));
	ms_engine_free_totals(&t);
}
