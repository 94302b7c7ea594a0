/*
 * A performance monitor in the machine, by hand: what is sampled, what it does to the program, and
 * how periods vary.
 *
 * In a trace a small letter is a read of the line of that name (a is line 0, b line 1, ...), which
 * is also its data. A machine is a cache "WAYSxSETS", and memory that takes 20 cycles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "engine/simulated_pmu/pmu.h"
#include "wire/wire.h"

enum { LINE = 64, BASE = 0x100000, UNMAPPED = 100, FREED = 101, MONITOR = 102, LATENCY = 20 };

#define AT .line = __LINE__

static void make_machine(struct ms_machine *machine, uint32_t ways, uint32_t sets)
{
	memset(machine, 0, sizeof(*machine));
	machine->name = "case";
	machine->processors = 1;
	machine->memory_latency = LATENCY;
	*ms_vec_add(&machine->levels) = (struct ms_machine_level){
		.name = "L1", .ways = ways, .line = LINE, .size = (uint64_t)ways * sets * LINE
	};
}

/* --- an engine that is fed reads, one an execution of one block --- */

struct fed {
	struct ms_engine *engine;
	MS_VEC(uint64_t) words;
	uint16_t exit_refs, exit_instructions;
	struct ms_engine_block_ref ref;
	struct ms_engine_block block;
};

static void open_fed(struct fed *fed, const struct ms_machine *machine,
		     const struct ms_pmu_config *pmu)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };

	memset(fed, 0, sizeof(*fed));
	fed->engine = pmu != NULL ? ms_pmu_open_engine(machine, 1, 1, &special, pmu)
				  : ms_engine_open(machine, 1, 1, &special);
	fed->exit_refs = 1;
	fed->exit_instructions = 10;
	fed->ref = (struct ms_engine_block_ref){ 7, 8, MS_WIRE_READ, 0 };
	fed->block = (struct ms_engine_block){
		1, 1, &fed->ref, NULL, &fed->exit_refs, &fed->exit_instructions, 1, NULL, 0, 0, NULL
	};
	ms_engine_add_block(ms_engine_get_shard(fed->engine, 0), &fed->block);
}

static void place(struct fed *fed, uint64_t start, uint64_t size, uint32_t data)
{
	ms_engine_add_object(ms_engine_get_shard(fed->engine, 0), start, size, data);
}

static void read_at(struct fed *fed, uint64_t address)
{
	*ms_vec_add(&fed->words) = ms_wire_head(MS_WIRE_EXEC, 2, 0);
	*ms_vec_add(&fed->words) = address;
}

static void simulate_batches(struct fed *fed)
{
	struct ms_engine_shard *shard = ms_engine_get_shard(fed->engine, 0);

	assert_int_equal(ms_engine_filter_executions(shard, fed->words.at, fed->words.n),
			 fed->words.n);
	ms_engine_distribute_batch(shard, 0);
	ms_engine_simulate_batch(shard, 0);
	ms_engine_finish_batch(fed->engine, 0);
	fed->words.n = 0;
}

static void close_fed(struct fed *fed)
{
	ms_engine_close(fed->engine);
	ms_vec_free(&fed->words);
}

static void feed_letters(struct fed *fed, const char *trace)
{
	for (uint32_t i = 0; i < 26; i++)
		place(fed, BASE + i * LINE, LINE, i);
	for (; *trace != '\0'; trace++)
		read_at(fed, BASE + (uint64_t)(*trace - 'a') * LINE);
	simulate_batches(fed);
}

static uint64_t program_misses(struct ms_engine *engine)
{
	struct ms_engine_totals t;
	uint64_t misses = 0;

	ms_engine_compute_totals(engine, &t);
	for (size_t i = 0; i < t.misses.n; i++)
		for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++)
			misses += t.misses.at[i].causes[c];
	ms_engine_free_totals(&t);
	return misses;
}

/* --- what is sampled --- */

struct pmu_case {
	int line;
	uint32_t ways, sets;
	enum ms_pmu_event event;
	uint64_t period;
	const char *trace;
	uint64_t misses; /* the program's */
	uint64_t events;
	/* "ab2": two samples of a, for which b had to leave; -: nothing had, *: the handler's */
	const char *samples;
};

static const struct pmu_case cases[] = {
	/* There is room for all: nothing is disturbed. */
	{ AT, 16, 1024, MS_PMU_MISSES, 1, "abab", 2, 2, "a-1 b-1" },
	{ AT, 16, 1024, MS_PMU_EVICTIONS, 1, "abab", 2, 0, "" },
	/* One line: the handler takes it away each time, and its own line leaves the next. */
	{ AT, 1, 1, MS_PMU_MISSES, 1, "a", 1, 1, "a-1" },
	{ AT, 1, 1, MS_PMU_MISSES, 1, "aaaa", 4, 4, "a*3 a-1" },
	{ AT, 1, 1, MS_PMU_MISSES, 1, "abab", 4, 4, "a*1 a-1 b*2" },
	{ AT, 1, 1, MS_PMU_EVICTIONS, 1, "aaaa", 1, 0, "" },
	{ AT, 1, 1, MS_PMU_EVICTIONS, 1, "ab", 2, 1, "ba1" },
	{ AT, 1, 1, MS_PMU_EVICTIONS, 1, "abba", 4, 3, "a*1 b*1 ba1" },
	/* The period is never reached: as if there were none. */
	{ AT, 1, 1, MS_PMU_MISSES, 100, "ababab", 6, 6, "" },
	{ AT, 1, 1, MS_PMU_EVICTIONS, 100, "ababab", 6, 5, "" },
	{ AT, 1, 1, MS_PMU_LATENCY, 1000, "ababab", 6, 120, "" },
	/* A miss is 20 cycles: whatever the period below that, each is sampled. */
	{ AT, 16, 1024, MS_PMU_LATENCY, 1, "abab", 2, 40, "a-1 b-1" },
	{ AT, 1, 1, MS_PMU_LATENCY, 10, "aaaa", 4, 80, "a*3 a-1" },
};

static int compare_words(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void list_samples(const struct ms_pmu_totals *t, struct ms_text *out)
{
	char words[64][16];
	size_t n = 0;

	for (; n < t->samples.n; n++) {
		const struct ms_pmu_sample *s = &t->samples.at[n];
		char victim = s->victim == MS_PMU_NO_DATA ? '-'
			      : s->victim == MONITOR      ? '*'
							  : (char)('a' + s->victim);

		assert_int_equal(s->site, 7);
		assert_int_equal(s->latency, s->count * LATENCY);
		snprintf(words[n], sizeof(words[n]), "%c%c%d", 'a' + (char)s->data, victim,
			 (int)s->count);
	}
	qsort(words, n, sizeof(words[0]), compare_words);
	for (size_t i = 0; i < n; i++)
		ms_text_addf(out, "%s%s", i > 0 ? " " : "", words[i]);
}

static void by_hand(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		const struct pmu_case *c = &cases[i];
		struct ms_pmu_config pmu = { .event = c->event,
					     .period = c->period,
					     .data = MONITOR };
		struct ms_text samples = MS_TEXT_INIT;
		struct ms_machine machine;
		struct ms_pmu_totals t;
		struct fed fed;

		make_machine(&machine, c->ways, c->sets);
		open_fed(&fed, &machine, &pmu);
		feed_letters(&fed, c->trace);
		ms_pmu_get_totals(fed.engine, &t);
		list_samples(&t, &samples);
		if (program_misses(fed.engine) != c->misses || t.events != c->events ||
		    strcmp(ms_text_get(&samples), c->samples) != 0)
			fail_msg("line %d: %d misses, %d events, samples %s", c->line,
				 (int)program_misses(fed.engine), (int)t.events,
				 ms_text_get(&samples));
		ms_pmu_free_totals(&t);
		ms_text_free(&samples);
		close_fed(&fed);
		ms_vec_free(&machine.levels);
	}
}

/* --- periods --- */

/* A walk over memory, each line once: every reference misses. */
static void walk(struct fed *fed, uint64_t lines)
{
	place(fed, BASE, lines * LINE, 0);
	for (uint64_t i = 0; i < lines; i++) {
		read_at(fed, BASE + i * LINE);
		if (i % 10000 == 9999)
			simulate_batches(fed);
	}
	simulate_batches(fed);
}

static void sample_walk(uint64_t period, uint64_t seed, uint64_t lines, struct ms_pmu_totals *t)
{
	struct ms_pmu_config pmu = { MS_PMU_MISSES,           0,      period, 0, seed,
				     MS_PMU_INTERRUPT_CYCLES, MONITOR };
	struct ms_machine machine;
	struct fed fed;

	make_machine(&machine, 4, 512);
	open_fed(&fed, &machine, &pmu);
	walk(&fed, lines);
	ms_pmu_get_totals(fed.engine, t);
	close_fed(&fed);
	ms_vec_free(&machine.levels);
}

static void periods_vary_around_their_mean(void **state)
{
	struct ms_pmu_totals t, again, other;

	(void)state;
	sample_walk(100, 0, 100000, &t);
	assert_int_equal(t.events, 100000);
	assert_true(t.interrupts >= 970 && t.interrupts <= 1030);
	/* Uniform from 50 to 150, so the mean square is 1 + 1/12 of the square of the mean. */
	assert_true(t.effective > t.interrupts / (1 + 1 / 12.0) * 0.97);
	assert_true(t.effective < t.interrupts / (1 + 1 / 12.0) * 1.03);
	sample_walk(100, 0, 100000, &again);
	assert_int_equal(again.interrupts, t.interrupts);
	assert_int_equal(again.samples.at[0].events, t.samples.at[0].events);
	sample_walk(100, 1, 100000, &other);
	assert_true(other.interrupts >= 970 && other.interrupts <= 1030);
	assert_int_not_equal(other.samples.at[0].events, t.samples.at[0].events);
	ms_pmu_free_totals(&t);
	ms_pmu_free_totals(&again);
	ms_pmu_free_totals(&other);
}

/* Three arrays take turns in a fixed order, which no period may beat with. */
static void shares_are_right(void **state)
{
	static const uint64_t of[] = { 0, 0, 0, 1, 0, 1, 0, 2, 0, 1 }; /* 60, 30, 10 % */
	struct ms_pmu_config pmu = {
		MS_PMU_MISSES, 0, 100, 0, 5, MS_PMU_INTERRUPT_CYCLES, MONITOR
	};
	uint64_t next[3] = { 0 }, count[3] = { 0 };
	struct ms_machine machine;
	struct ms_pmu_totals t;
	struct fed fed;

	(void)state;
	make_machine(&machine, 4, 512);
	open_fed(&fed, &machine, &pmu);
	for (uint64_t d = 0; d < 3; d++)
		place(&fed, BASE + (d << 32), UINT64_C(1) << 31, (uint32_t)d);
	for (uint64_t i = 0; i < 2000000; i++) {
		uint64_t d = of[i % MS_COUNT(of)];

		read_at(&fed, BASE + (d << 32) + next[d]++ * LINE);
		if (i % 10000 == 9999)
			simulate_batches(&fed);
	}
	simulate_batches(&fed);
	ms_pmu_get_totals(fed.engine, &t);
	for (size_t i = 0; i < t.samples.n; i++)
		count[t.samples.at[i].data] += t.samples.at[i].count;
	assert_true(t.interrupts > 19000);
	for (int d = 0; d < 3; d++) {
		static const double wanted[] = { 60, 30, 10 };
		double share = 100.0 * (double)count[d] / (double)t.interrupts;

		assert_true(share > wanted[d] - 1.5 && share < wanted[d] + 1.5);
	}
	ms_pmu_free_totals(&t);
	close_fed(&fed);
	ms_vec_free(&machine.levels);
}

/* A worker that has failed does not update its shard; it continues to simulate, as the others do.
 */
static void failed_worker_sends_no_changes(void **state)
{
	const struct ms_engine_fallback_data special = { UNMAPPED, FREED, 0 };
	struct ms_pmu_config pmu = { MS_PMU_MISSES, 0, 1, 0, 0, MS_PMU_INTERRUPT_CYCLES, MONITOR };
	struct ms_machine machine;
	struct ms_pmu_totals t;
	struct fed fed;

	(void)state;
	make_machine(&machine, 4, 512);
	open_fed(&fed, &machine, NULL);
	struct ms_engine *engine = ms_pmu_open_engine(&machine, 2, 1, &special, &pmu);
	struct ms_engine_shard *updated = ms_engine_get_shard(engine, 1);
	ms_engine_add_block(updated, &fed.block);
	for (uint64_t i = 0; i < 100; i++)
		ms_engine_add_object(updated, BASE + i * LINE, LINE, 0);
	read_at(&fed, BASE);
	assert_int_equal(ms_engine_filter_executions(updated, fed.words.at, fed.words.n),
			 fed.words.n);
	ms_engine_distribute_batch(updated, 0);
	for (unsigned i = 0; i < 2; i++)
		ms_engine_simulate_batch(ms_engine_get_shard(engine, i), 0);
	ms_engine_finish_batch(engine, 0);
	ms_pmu_get_totals(engine, &t);
	assert_int_equal(t.interrupts, 1);
	ms_pmu_free_totals(&t);
	ms_engine_close(engine);
	close_fed(&fed);
	ms_vec_free(&machine.levels);
}

/* --- a wish --- */

static const double wishes[] = { 0.002, 0.01, 0.05, 0.5 };

/* Half of the time all is there, then nothing: the rate of misses jumps. */
static void phases_of_misses(struct fed *fed)
{
	uint64_t next = 0;

	place(fed, BASE, UINT64_C(1) << 32, 0);
	for (int phase = 0; phase < 20; phase++) {
		for (uint64_t i = 0; i < 200000; i++) {
			read_at(fed, BASE + (phase % 2 == 0 ? i % 64 : next++) * LINE);
			if (i % 10000 == 9999)
				simulate_batches(fed);
		}
	}
	simulate_batches(fed);
}

static void requested_overhead_is_kept(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(wishes); i++) {
		struct ms_pmu_config pmu = { MS_PMU_MISSES,           0,      0, wishes[i], 0,
					     MS_PMU_INTERRUPT_CYCLES, MONITOR };
		struct ms_machine machine;
		struct ms_pmu_totals t;
		struct fed clean, fed;

		make_machine(&machine, 4, 512);
		open_fed(&clean, &machine, NULL);
		open_fed(&fed, &machine, &pmu);
		phases_of_misses(&clean);
		phases_of_misses(&fed);
		ms_pmu_get_totals(fed.engine, &t);

		double more = (double)(program_misses(fed.engine) - program_misses(clean.engine));
		double cost = (double)(t.interrupts * MS_PMU_INTERRUPT_CYCLES +
				       t.handler_instructions + t.handler_waited) +
			      more * LATENCY;
		double cycles = 20 * 200000 * 10.0 + (double)program_misses(clean.engine) * LATENCY;
		if (cost > wishes[i] * cycles || cost < wishes[i] * cycles / 2)
			fail_msg("a wish of %g %%: %d interrupts cost %g %%", 100 * wishes[i],
				 (int)t.interrupts, 100 * cost / cycles);
		assert_true(t.effective <= (double)t.interrupts);
		ms_pmu_free_totals(&t);
		close_fed(&clean);
		close_fed(&fed);
		ms_vec_free(&machine.levels);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(periods_vary_around_their_mean),
		cmocka_unit_test(shares_are_right),
		cmocka_unit_test(failed_worker_sends_no_changes),
		cmocka_unit_test(requested_overhead_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
