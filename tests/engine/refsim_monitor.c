/*
 * tests/engine/refsim_monitor.c - a part of refsim.c: a performance monitor in the machine.
 *
 * Which references the handler makes is the engine's own interrupt_handler.c, which has tests of
 * its own; when it runs, with which input, and what its references do is computed here.
 */

struct refsim_monitor {
	struct ms_pmu_config pmu;
	struct ms_pmu_handler handler;
	bool handling; /* the handler is running, and what happens now is not the program's */

	uint64_t aim, left, draws;
	bool overflown;
	struct ms_pmu_handler_sample registers; /* of the event that made it overflow */

	struct ms_pmu_handler_sample now; /* of the reference under way */
	uint32_t missed;
	uint64_t miss_address;

	double instructions, waited; /* cycles of the program so far */
	double spent;                /* cycles that the monitor reckons it has cost */
	double events, events_before, cycles_before, interrupts, squares;
	double handler_waited;
};

/* Cycles that a reference waits which has missed so many levels. */
static uint64_t waits_for(const struct refsim *refsim, uint32_t missed)
{
	if (missed == 0)
		return 0;
	return missed == refsim->machine->levels.n ? refsim->machine->memory_latency
						   : refsim->machine->levels.at[missed].latency;
}

/* The period's mean, for a monitor with a wish. */
static void choose_period(struct refsim_monitor *m)
{
	double each = m->spent / m->interrupts;
	double cycles = m->instructions + m->waited;
	double all = m->events / cycles;
	double late = (m->events - m->events_before) / (cycles - m->cycles_before);
	double needed = (m->spent + 2 * each) / m->pmu.wish;
	double part = fmin(fmax(needed / cycles, 0.5), 1);
	double period = fmax(each / m->pmu.wish * all * part, (needed - cycles) * fmax(late, all));

	m->aim = (uint64_t)fmin(fmax(floor(period + 0.5), 1), (double)MS_PMU_MAX_PERIOD);
}

static void draw_period(struct refsim_monitor *m)
{
	uint64_t shortest = m->aim - m->aim / 2, longest = m->aim + m->aim / 2;

	m->left = shortest + split_mix(m->pmu.seed, ++m->draws) % (longest - shortest + 1);
}

static void handler_makes(void *arg, uint64_t address, uint32_t size, uint32_t kind);

void refsim_watch(struct refsim *refsim, const struct ms_pmu_config *pmu)
{
	struct refsim_monitor *m = refsim->monitor = ms_alloc(sizeof(*m));

	m->pmu = *pmu;
	m->aim = pmu->period;
	ms_pmu_open_handler(&m->handler);
	m->handler.refer = handler_makes;
	m->handler.arg = refsim;
	if (pmu->period != 0)
		draw_period(m);
	else
		m->left = UINT64_MAX;
}

static void count_events(struct refsim_monitor *m, uint64_t n)
{
	m->events += (double)n;
	if (m->overflown)
		return;
	/* The first sample of a monitor with a wish is taken when two of its interrupts may be. */
	bool due = m->pmu.period == 0 && m->interrupts == 0 &&
		   m->instructions + m->waited >= 2.0 * (m->pmu.cost + 2000) / m->pmu.wish;
	if (n < m->left && !due) {
		m->left -= n;
		return;
	}
	m->overflown = true;
	m->registers = m->now;
}

/* --- events of the caches --- */

static void monitor_begins(struct refsim *refsim, uint32_t site, uint32_t data)
{
	if (refsim->monitor == NULL)
		return;
	refsim->monitor->missed = 0;
	refsim->monitor->now = (struct ms_pmu_handler_sample){ .site = site, .data = data };
}

/* The register has the line's address. */
static void monitor_meets(struct refsim *refsim, uint64_t address)
{
	uint32_t line = refsim->machine->levels.at[0].line;

	if (refsim->monitor != NULL)
		refsim->monitor->now.address = address / line * line;
}

static void monitor_sees_eviction(struct refsim *refsim, uint32_t level, const struct line *line)
{
	struct refsim_monitor *m = refsim->monitor;

	if (m == NULL || m->handling || level != m->pmu.level)
		return;
	m->now.evicted = true;
	m->now.victim = line->address;
	m->now.victim_data = line->owner;
	if (m->pmu.event == MS_PMU_EVICTIONS)
		count_events(m, 1);
}

/* Called in the middle of an access: what leaves for this miss is not known yet. */
static void monitor_sees_miss(struct refsim *refsim, uint32_t level)
{
	if (refsim->monitor != NULL && level + 1 > refsim->monitor->missed)
		refsim->monitor->missed = level + 1;
}

/* The access of a line has ended; which levels had been missed before it. */
static void monitor_counts_misses(struct refsim *refsim, uint32_t before)
{
	struct refsim_monitor *m = refsim->monitor;

	if (m == NULL || before > m->pmu.level || m->missed <= m->pmu.level)
		return;
	m->miss_address = m->now.address;
	if (m->pmu.event == MS_PMU_MISSES)
		count_events(m, 1);
}

/* --- the interrupt --- */

static void interrupt(struct refsim *refsim, double latency)
{
	struct refsim_monitor *m = refsim->monitor;
	const struct ms_pmu_handler_sample *r = &m->registers;
	uint64_t references = m->handler.references;
	double waited = m->handler_waited, events = m->events - m->events_before;
	struct refsim_key key = { .site = r->site,
				  .data = r->data,
				  .other = r->evicted ? r->victim_data : MS_PMU_NO_DATA };

	count(refsim, SLOW_SAMPLES, key, 1);
	count(refsim, SLOW_SAMPLE_EVENTS, key, events);
	count(refsim, SLOW_SAMPLE_LATENCY, key, latency);
	m->squares += events * events;
	m->interrupts++;
	m->handling = true;
	ms_pmu_run_handler(&m->handler, r);
	m->handling = false;
	m->spent += m->pmu.cost + 3 * (double)(m->handler.references - references) +
		    2 * (m->handler_waited - waited);
	if (m->pmu.period == 0)
		choose_period(m);
	draw_period(m);
	m->events_before = m->events;
	m->cycles_before = m->instructions + m->waited;
	m->overflown = false;
}

static void monitor_ends(struct refsim *refsim)
{
	struct refsim_monitor *m = refsim->monitor;

	if (m == NULL)
		return;
	uint64_t latency = waits_for(refsim, m->missed);
	m->waited += (double)latency;
	if (m->pmu.event == MS_PMU_LATENCY && latency > 0 && m->missed > m->pmu.level) {
		m->now.address = m->miss_address;
		count_events(m, latency);
	}
	if (m->overflown)
		interrupt(refsim, (double)latency);
}

/* --- events of the rest of the program --- */

void refsim_executed(struct refsim *refsim, uint32_t instructions)
{
	if (refsim->monitor != NULL)
		refsim->monitor->instructions += instructions;
}

void refsim_places(struct refsim *refsim, uint32_t places)
{
	if (refsim->monitor != NULL && places > refsim->monitor->handler.sites)
		refsim->monitor->handler.sites = places;
}

static void close_monitor(struct refsim_monitor *m)
{
	if (m != NULL)
		ms_pmu_close_handler(&m->handler);
	ms_free(m);
}
