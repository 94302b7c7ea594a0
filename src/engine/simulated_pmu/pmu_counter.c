#include "engine/simulated_pmu/pmu_state.h"

#include <assert.h>
#include <stdlib.h>

#include "base/num.h"
#include "engine/caches/cache_access.h"
#include "engine/engine_priv.h"

/* One in three instructions of the handler is a reference. */
enum { INSTRUCTIONS_PER_REFERENCE = 3 };

/* If the period follows `wish`: the smallest period, as a share of the one that `wish` allows. */
#define MIN_SHARE 0.5
/* Likewise: the expected cost of the handler, before the first sample. */
enum { HANDLER_CYCLES = 2000 };

/* --- periods --- */

/* SplitMix64. */
static uint64_t random_next(struct ms_pmu_monitor *m)
{
	uint64_t z = m->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Draws the next period uniformly from 0.5 to 1.5 times the mean. */
static void rearm(struct ms_pmu_monitor *m)
{
	uint64_t half = m->mean_period / 2;

	m->remaining = m->mean_period - half + random_next(m) % (2 * half + 1);
}

static uint64_t cycles_of(const struct ms_pmu_monitor *m)
{
	return m->instructions + m->waited;
}

/* If the period follows `wish`, the rate of events is unknown at first. So time triggers the first
 * sample. */
static bool is_due(const struct ms_pmu_monitor *m)
{
	return m->pmu.period == 0 && m->interrupts == 0 &&
	       (double)cycles_of(m) >= 2.0 * (m->pmu.cost + HANDLER_CYCLES) / m->pmu.wish;
}

/*
 * steady: the period that would have used exactly the share `wish` of all cycles until now; if
 * less was spent, down to MIN_SHARE of that period. Samples then represent equal numbers of
 * events, in phases with many events and with few.
 *
 * safe: keeps one interrupt in reserve. At the next interrupt the program must have run long
 * enough to pay for that interrupt and the one after it, even if events are as frequent as
 * recently. So the cost stays below `wish`, however short the random period is.
 */
static void adjust_period(struct ms_pmu_monitor *m)
{
	double each = (double)m->spent / (double)m->interrupts;
	double cycles = (double)cycles_of(m);
	double late = (double)(m->events - m->events_before) / (cycles - (double)m->cycles_before);
	double all = (double)m->events / cycles;
	double needed = ((double)m->spent + 2 * each) / m->pmu.wish; /* cycles */
	double used = needed / cycles;
	double steady = each / m->pmu.wish * all *
			(used < MIN_SHARE ? MIN_SHARE
			 : used < 1       ? used
					  : 1);
	double safe = (needed - cycles) * (late > all ? late : all);

	m->mean_period = ms_round_u64(safe > steady ? safe : steady);
	if (m->mean_period < 1)
		m->mean_period = 1;
	if (m->mean_period > MS_PMU_MAX_PERIOD)
		m->mean_period = MS_PMU_MAX_PERIOD;
}

/* --- the handler --- */

static void access_for_handler(void *arg, uint64_t address, uint32_t size, uint32_t kind)
{
	struct ms_pmu_monitor *m = arg;
	uint32_t shift = m->shard->first_shift;
	unsigned missed = 0;

	for (uint64_t line = address >> shift; line <= (address + size - 1) >> shift; line++) {
		unsigned now = ms_engine_access_monitored_line(m->shard, m->cell[kind], line);

		for (; missed < now; missed++)
			m->handler_misses[missed]++;
	}
	if (missed > 0)
		m->handler_waited += m->answer[missed - 1];
}

static void keep_sample(struct ms_pmu_monitor *m, uint64_t events, uint64_t latency)
{
	const struct ms_pmu_registers *r = &m->registers;
	uint32_t victim = r->evicted ? r->victim_data : MS_PMU_NO_DATA;
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
 * The cost for the program is the interrupt, the handler's instructions and the handler's stalls.
 * Stalls count twice: each line that the handler brings in evicts a line that the program may
 * miss.
 */
static void interrupt(struct ms_pmu_monitor *m, uint64_t latency)
{
	const struct ms_pmu_registers *r = &m->registers;
	uint64_t references = m->handler.references, waited = m->handler_waited;
	struct ms_pmu_handler_sample sample = {
		.address = r->line,
		.data = r->cell->data,
		.site = r->cell->site,
		.evicted = r->evicted,
		.victim = r->victim,
		.victim_data = r->victim_data,
	};

	m->interrupts++;
	keep_sample(m, m->events - m->events_before, latency);
	m->handling = true;
	ms_pmu_run_handler(&m->handler, &sample);
	m->handling = false;
	m->spent += m->pmu.cost +
		    (m->handler.references - references) * INSTRUCTIONS_PER_REFERENCE +
		    (m->handler_waited - waited) * 2;
	if (m->pmu.period == 0)
		adjust_period(m);
	m->events_before = m->events;
	m->cycles_before = cycles_of(m);
	m->overflown = false;
	rearm(m);
}

/* --- the counter --- */

static void count(struct ms_pmu_monitor *m, uint64_t events)
{
	m->events += events;
	if (m->overflown)
		return; /* the handler rearms the counter */
	if (m->remaining > events && !is_due(m)) {
		m->remaining -= events;
		return;
	}
	m->overflown = true;
	m->registers = m->now;
}

/* --- events of the engine --- */

static void begin_batch(struct ms_engine_shard *shard, unsigned batch_index)
{
	shard->engine->monitor->shard = shard;
	ms_pmu_begin_marks(shard->engine->monitor, batch_index);
}

static void end_batch(struct ms_engine_shard *shard, size_t accesses)
{
	ms_pmu_end_marks(shard->engine->monitor, accesses);
}

static void begin_reference(struct ms_engine_shard *shard, size_t index,
			    const struct ms_count_cell *cell)
{
	struct ms_pmu_monitor *m = shard->engine->monitor;

	ms_pmu_apply_marks(m, index);
	m->now = (struct ms_pmu_registers){ .cell = cell };
	m->missed = 0;
}

static void count_eviction(const struct ms_caches_access *a, unsigned level, uint64_t line,
			   uint32_t owner)
{
	struct ms_pmu_monitor *m = a->shard->engine->monitor;

	if (m->handling || level != m->pmu.level)
		return;
	m->now.evicted = true;
	m->now.victim = line;
	m->now.victim_data = owner;
	if (m->pmu.event == MS_PMU_EVICTIONS)
		count(m, 1);
}

static const struct ms_caches_events cache_events = {
	.on_load = ms_caches_ignore_load,
	.on_eviction = count_eviction,
	.on_replacement = ms_caches_ignore_replacement,
	.on_inclusive_eviction = ms_caches_ignore_inclusive_eviction,
};

static void begin_line(struct ms_engine_shard *shard, uint64_t address)
{
	shard->engine->monitor->now.line = address;
}

static void count_miss(struct ms_engine_shard *shard, unsigned level)
{
	struct ms_pmu_monitor *m = shard->engine->monitor;

	m->missed = level + 1;
	if (level != m->pmu.level)
		return;
	m->missed_line = m->now.line;
	if (m->pmu.event == MS_PMU_MISSES)
		count(m, 1);
}

static void end_reference(struct ms_engine_shard *shard)
{
	struct ms_pmu_monitor *m = shard->engine->monitor;
	uint64_t latency = m->missed > 0 ? m->answer[m->missed - 1] : 0;

	m->waited += latency;
	if (m->pmu.event == MS_PMU_LATENCY && m->missed > m->pmu.level && latency > 0) {
		m->now.line = m->missed_line;
		count(m, latency);
	}
	if (MS_UNLIKELY(m->overflown))
		interrupt(m, latency);
}

static const struct ms_engine_consumer consumer = {
	.on_block = ms_pmu_record_block,
	.on_map_change = ms_pmu_record_map_change,
	.on_execution = ms_pmu_record_execution,
	.on_batch_filtered = ms_pmu_hand_over_marks,
	.on_batch = begin_batch,
	.on_reference = begin_reference,
	.on_line = begin_line,
	.on_miss = count_miss,
	.on_reference_end = end_reference,
	.on_batch_end = end_batch,
	.cache_events = &cache_events,
};

/* --- opening, closing, totals --- */

struct ms_engine *ms_pmu_open_engine(const struct ms_machine *machine, unsigned shards,
				     unsigned batch_count,
				     const struct ms_engine_fallback_data *data,
				     const struct ms_pmu_config *pmu)
{
	assert(machine->processors <= 1);
	return ms_engine_open_variant(&(struct ms_engine_setup){
		.machine = machine,
		.shards = shards,
		.batch_count = batch_count,
		.data = data,
		.pmu = pmu,
	});
}

void ms_pmu_open(struct ms_engine *engine, const struct ms_engine_setup *setup)
{
	struct ms_pmu_monitor *m = ms_alloc(sizeof(*m));
	const struct ms_machine *machine = setup->machine;
	const struct ms_pmu_config *pmu = setup->pmu;

	m->pmu = *pmu;
	m->levels = (unsigned)machine->levels.n;
	m->answer = ms_alloc(m->levels * sizeof(*m->answer));
	for (unsigned i = 0; i < m->levels; i++)
		m->answer[i] = i + 1 < m->levels ? machine->levels.at[i + 1].latency
						 : machine->memory_latency;
	m->handler_misses = ms_alloc(m->levels * sizeof(*m->handler_misses));
	for (uint32_t kind = 0; kind < MS_COUNT(m->cell); kind++) {
		m->cell[kind] = ms_alloc(sizeof(*m->cell[kind]) +
					 engine->shards * sizeof(m->cell[kind]->counters[0]));
		m->cell[kind]->site = UINT32_MAX;
		m->cell[kind]->data = pmu->data;
		m->cell[kind]->kind = kind;
	}
	m->marks = ms_alloc(engine->batch_count * sizeof(*m->marks));
	ms_pmu_open_handler(&m->handler);
	m->handler.refer = access_for_handler;
	m->handler.arg = m;
	m->random = pmu->seed;
	m->mean_period = pmu->period;
	if (pmu->period != 0)
		rearm(m);
	else
		m->remaining = UINT64_MAX;
	engine->monitor = m;
	/* Only a period that follows `wish` depends on time. */
	engine->monitoring = (struct ms_engine_monitoring){
		.consumer = &consumer,
		.reports_executions = pmu->period == 0,
	};
}

void ms_pmu_close(struct ms_engine *engine)
{
	struct ms_pmu_monitor *m = engine->monitor;

	ms_pmu_close_handler(&m->handler);
	for (size_t kind = 0; kind < MS_COUNT(m->cell); kind++)
		ms_free(m->cell[kind]);
	for (unsigned i = 0; i < engine->batch_count; i++)
		ms_pmu_free_marks(&m->marks[i]);
	for (unsigned i = 0; i < engine->shards; i++) {
		ms_vec_free(&engine->shard[i].pmu.exit_times);
		ms_pmu_free_marks(&engine->shard[i].pmu.marks);
	}
	ms_free(m->marks);
	ms_free(m->answer);
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

/* If the program ended before the first sample: returns the period that `wish` would have led
 * to. */
static uint64_t expected_period(const struct ms_pmu_monitor *m)
{
	double cycles = (double)cycles_of(m);
	uint64_t period =
		cycles > 0 ? ms_round_u64((double)m->events * (m->pmu.cost + HANDLER_CYCLES) /
					  m->pmu.wish / cycles)
			   : 0;

	return period > 0 ? period : 1;
}

void ms_pmu_get_totals(const struct ms_engine *engine, struct ms_pmu_totals *totals)
{
	const struct ms_pmu_monitor *m = engine->monitor;
	double counted = (double)m->events_before;

	*totals = (struct ms_pmu_totals){
		.period = m->mean_period > 0 ? m->mean_period : expected_period(m),
		.events = m->events,
		.interrupts = m->interrupts,
		.effective = m->interrupts > 0 ? counted * counted / m->weights : 0,
		.handler_instructions = m->handler.references * INSTRUCTIONS_PER_REFERENCE,
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

void ms_pmu_free_totals(struct ms_pmu_totals *totals)
{
	ms_vec_free(&totals->handler_misses);
	ms_vec_free(&totals->samples);
}
