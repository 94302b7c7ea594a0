#include "engine/monitor.h"

#include <stdlib.h>

#include "base/num.h"
#include "engine/engine_priv.h"

/* Of three instructions of the handler one is a reference. */
enum { INSTRUCTIONS_A_REFERENCE = 3 };

/* Where the period follows a wish: it is never less than this part of what the wish allows. */
#define LEAST 0.5
/* ... and before the first sample, this is what its handler is expected to cost. */
enum { HANDLER_CYCLES = 2000 };

/* --- periods --- */

/* SplitMix64. */
static uint64_t random_next(struct monitor *m)
{
	uint64_t z = m->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* From half of the mean to one and a half of it; all are as likely. */
static void rearm(struct monitor *m)
{
	uint64_t half = m->aim / 2;

	m->left = m->aim - half + random_next(m) % (2 * half + 1);
}

static uint64_t cycles_of(const struct monitor *m)
{
	return m->instructions + m->waited;
}

/* Where the period follows a wish, nothing is known of events at first: then time decides. */
static bool is_due(const struct monitor *m)
{
	return m->pmu.period == 0 && m->interrupts == 0 &&
	       (double)cycles_of(m) >= 2.0 * (m->pmu.cost + HANDLER_CYCLES) / m->pmu.wish;
}

/*
 * Steady: the period with which the wish would have been met until now; if less was spent, up to
 * LEAST of that. So samples stand for equally many events, in phases with many of them and with
 * few.
 *
 * Safe: one interrupt is kept in reserve. At the next one the program shall have run as long as
 * that and the one behind it may take, even if events come as fast as of late; so the wish is kept
 * however short the period turns out.
 */
static void follow_wish(struct monitor *m)
{
	double each = (double)m->spent / (double)m->interrupts;
	double cycles = (double)cycles_of(m);
	double late = (double)(m->events - m->events_before) / (cycles - (double)m->cycles_before);
	double all = (double)m->events / cycles;
	double needed = ((double)m->spent + 2 * each) / m->pmu.wish; /* cycles */
	double used = needed / cycles;
	double steady = each / m->pmu.wish * all * (used < LEAST ? LEAST : used < 1 ? used : 1);
	double safe = (needed - cycles) * (late > all ? late : all);

	m->aim = ms_round_u64(safe > steady ? safe : steady);
	if (m->aim < 1)
		m->aim = 1;
	if (m->aim > MS_PMU_LONGEST)
		m->aim = MS_PMU_LONGEST;
}

/* --- lines --- */

bool ms_monitor_is_recent(const struct monitor *m, uint64_t line)
{
	return m->recent != NULL && m->recent[ms_cache_set(&m->shard->first, line)] == line;
}

unsigned ms_monitor_access(struct monitor *m, struct cell *cell, uint64_t line)
{
	if (ms_monitor_is_recent(m, line))
		return 0;
	if (m->recent != NULL)
		m->recent[ms_cache_set(&m->shard->first, line)] = line;
	return ms_general_access(m->shard, cell, line);
}

/* --- the handler --- */

static void handler_refers(void *arg, uint64_t address, uint32_t size, uint32_t kind)
{
	struct monitor *m = arg;
	uint32_t shift = m->shard->first_shift;
	unsigned missed = 0;

	for (uint64_t line = address >> shift; line <= (address + size - 1) >> shift; line++) {
		unsigned now = ms_monitor_access(m, m->cell[kind], line);

		for (; missed < now; missed++)
			m->handler_misses[missed]++;
	}
	if (missed > 0)
		m->handler_waited += m->answer[missed - 1];
}

static void keep_sample(struct monitor *m, uint64_t events, uint64_t latency)
{
	const struct registers *r = &m->registers;
	uint32_t victim = r->evicted ? r->victim_data : MS_PMU_NONE;
	uint32_t *number =
		ms_map_at(&m->sample_of, (uint64_t)r->cell->site << 32 | r->cell->data, victim);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)m->samples.n;
		*ms_vec_add(&m->samples) = (struct ms_pmu_sample){ .site = r->cell->site,
								   .data = r->cell->data,
								   .victim = victim };
	}
	struct ms_pmu_sample *sample = &m->samples.at[*number];
	sample->count++;
	sample->events += events;
	sample->latency += latency;
	m->weights += (double)events * (double)events;
}

/*
 * What it costs the program: the interrupt, the handler's instructions, and what it waits for; and
 * each line that came for it has pushed out one that the program may miss, so that counts twice.
 */
static void interrupt(struct monitor *m, uint64_t latency)
{
	const struct registers *r = &m->registers;
	uint64_t references = m->handler.references, waited = m->handler_waited;
	struct handler_sample sample = {
		.address = r->line,
		.data = r->cell->data,
		.place = r->cell->site,
		.evicted = r->evicted,
		.victim = r->victim,
		.victim_data = r->victim_data,
	};

	m->interrupts++;
	keep_sample(m, m->events - m->events_before, latency);
	m->handling = true;
	ms_handler_run(&m->handler, &sample);
	m->handling = false;
	m->spent += m->pmu.cost + (m->handler.references - references) * INSTRUCTIONS_A_REFERENCE +
		    (m->handler_waited - waited) * 2;
	if (m->pmu.period == 0)
		follow_wish(m);
	m->events_before = m->events;
	m->cycles_before = cycles_of(m);
	m->overflown = false;
	rearm(m);
}

/* --- the counter --- */

static void count(struct monitor *m, uint64_t events)
{
	m->events += events;
	if (m->overflown)
		return; /* until the handler sets it again */
	if (m->left > events && !is_due(m)) {
		m->left -= events;
		return;
	}
	m->overflown = true;
	m->registers = m->now;
}

void ms_monitor_begin(struct monitor *m, const struct cell *cell)
{
	m->now = (struct registers){ .cell = cell };
	m->missed = 0;
}

void ms_monitor_evicted(struct monitor *m, unsigned level, uint64_t line, uint32_t owner)
{
	if (m->handling || level != m->pmu.level)
		return;
	m->now.evicted = true;
	m->now.victim = line;
	m->now.victim_data = owner;
	if (m->pmu.event == MS_PMU_EVICTIONS)
		count(m, 1);
}

void ms_monitor_missed(struct monitor *m, unsigned level)
{
	m->missed = level + 1;
	if (level != m->pmu.level)
		return;
	m->missed_line = m->now.line;
	if (m->pmu.event == MS_PMU_MISSES)
		count(m, 1);
}

void ms_monitor_end(struct monitor *m)
{
	uint64_t latency = m->missed > 0 ? m->answer[m->missed - 1] : 0;

	m->waited += latency;
	if (m->pmu.event == MS_PMU_LATENCY && m->missed > m->pmu.level && latency > 0) {
		m->now.line = m->missed_line;
		count(m, latency);
	}
	if (MS_UNLIKELY(m->overflown))
		interrupt(m, latency);
}

/* --- opening, closing, totals --- */

struct monitor *ms_monitor_open(const struct ms_machine *machine, const struct ms_pmu *pmu,
				unsigned shards)
{
	struct monitor *m = ms_alloc(sizeof(*m));

	m->pmu = *pmu;
	m->levels = (unsigned)machine->levels.n;
	m->answer = ms_alloc(m->levels * sizeof(*m->answer));
	for (unsigned i = 0; i < m->levels; i++)
		m->answer[i] = i + 1 < m->levels ? machine->levels.at[i + 1].latency
						 : machine->memory_latency;
	m->handler_misses = ms_alloc(m->levels * sizeof(*m->handler_misses));
	for (uint32_t kind = 0; kind < MS_COUNT(m->cell); kind++) {
		m->cell[kind] =
			ms_alloc(sizeof(*m->cell[kind]) + shards * sizeof(m->cell[kind]->tally[0]));
		m->cell[kind]->site = UINT32_MAX;
		m->cell[kind]->data = pmu->data;
		m->cell[kind]->kind = kind;
	}
	ms_handler_open(&m->handler);
	m->handler.refer = handler_refers;
	m->handler.arg = m;
	m->random = pmu->seed;
	m->aim = pmu->period;
	if (pmu->period != 0)
		rearm(m);
	else
		m->left = UINT64_MAX;
	return m;
}

/* As the sieve does it, but between the handler's references. */
void ms_monitor_watch(struct monitor *m, struct ms_shard *shard)
{
	m->shard = shard;
	if (!shard->general->repeats_are_hits)
		return;
	m->recent = ms_alloc(shard->first.set_count * sizeof(*m->recent));
	for (uint64_t set = 0; set < shard->first.set_count; set++)
		m->recent[set] = MS_LINE_NONE;
}

void ms_monitor_close(struct monitor *m)
{
	if (m == NULL)
		return;
	ms_handler_close(&m->handler);
	for (size_t kind = 0; kind < MS_COUNT(m->cell); kind++)
		ms_free(m->cell[kind]);
	ms_free(m->answer);
	ms_free(m->recent);
	ms_free(m->handler_misses);
	ms_map_free(&m->sample_of);
	ms_vec_free(&m->samples);
	ms_vec_free(&m->changes);
	ms_free(m);
}

static int by_site_data_victim(const void *a, const void *b)
{
	const struct ms_pmu_sample *x = a, *y = b;
	int c = ms_cmp_u64(x->site, y->site);

	if (c == 0)
		c = ms_cmp_u64(x->data, y->data);
	return c != 0 ? c : ms_cmp_u64(x->victim, y->victim);
}

/* Where the program was over before the first sample was due: what the wish would have come to. */
static uint64_t expected_period(const struct monitor *m)
{
	double cycles = (double)cycles_of(m);
	uint64_t period =
		cycles > 0 ? ms_round_u64((double)m->events * (m->pmu.cost + HANDLER_CYCLES) /
					  m->pmu.wish / cycles)
			   : 0;

	return period > 0 ? period : 1;
}

void ms_engine_pmu(const struct ms_engine *engine, struct ms_pmu_totals *totals)
{
	const struct monitor *m = engine->monitor;
	double counted = (double)m->events_before;

	*totals = (struct ms_pmu_totals){
		.period = m->aim > 0 ? m->aim : expected_period(m),
		.events = m->events,
		.interrupts = m->interrupts,
		.effective = m->interrupts > 0 ? counted * counted / m->weights : 0,
		.handler_instructions = m->handler.references * INSTRUCTIONS_A_REFERENCE,
		.handler_references = m->handler.references,
		.handler_waited = m->handler_waited,
	};
	for (unsigned i = 0; i < m->levels; i++)
		*ms_vec_add(&totals->handler_misses) = m->handler_misses[i];
	for (size_t i = 0; i < m->samples.n; i++)
		*ms_vec_add(&totals->samples) = m->samples.at[i];
	if (totals->samples.n > 1)
		qsort(totals->samples.at, totals->samples.n, sizeof(*totals->samples.at),
		      by_site_data_victim);
}

void ms_pmu_totals_free(struct ms_pmu_totals *totals)
{
	ms_vec_free(&totals->handler_misses);
	ms_vec_free(&totals->samples);
}
