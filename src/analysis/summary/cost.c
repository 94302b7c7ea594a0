#include "analysis/summary/cost.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/text.h"

enum { MOST_CYCLES = 1000000 };

/* The level whose misses `name` answers, or n when it is no such level. */
static size_t answered_by(const struct ms_run *run, const char *name, size_t n)
{
	if (run->levels.n > 0 && n == 6 && strncasecmp(name, "memory", n) == 0)
		return run->levels.n - 1;
	for (size_t i = 1; i < run->levels.n; i++)
		if (strlen(run->levels.at[i].name) == n &&
		    strncasecmp(name, run->levels.at[i].name, n) == 0)
			return i - 1;
	return run->levels.n;
}

static int unknown(const struct ms_run *run, const char *item, size_t n, struct ms_err *err)
{
	struct ms_text names = MS_TEXT_INIT;

	for (size_t i = 1; i < run->levels.n; i++)
		ms_text_addf(&names, "%s, ", run->levels.at[i].name);
	ms_text_add(&names, "memory");
	ms_text_add(&names, run->processors > 1 ? ", peer" : "");
	ms_text_add(&names, run->nodes > 1 ? ", remote" : "");
	int code = ms_fail(
		err, MS_EUSAGE,
		"--latency: \"%.*s\" is not NAME=CYCLES with a name of this run's machine (%s) and "
		"at most %d cycles%s",
		(int)n, item, names.at, (int)MOST_CYCLES,
		run->levels.n > 0 ? "; a hit in the first level is part of compute time" : "");
	ms_text_free(&names);
	return code;
}

static bool is_word(const char *word, const char *name, size_t n)
{
	return strlen(word) == n && strncasecmp(word, name, n) == 0;
}

/* Where the latency of this name is kept; NULL: there is no such name. */
static uint64_t *latency_of(struct ms_summary_cost *cost, const struct ms_run *run,
			    const char *name, size_t n)
{
	size_t level = answered_by(run, name, n);

	if (level < run->levels.n)
		return &cost->answer.at[level];
	if (run->processors > 1 && is_word("peer", name, n))
		return &cost->peer;
	return run->nodes > 1 && is_word("remote", name, n) ? &cost->remote : NULL;
}

static int change(struct ms_summary_cost *cost, const struct ms_run *run, const char *item,
		  size_t n, struct ms_err *err)
{
	const char *equals = memchr(item, '=', n);
	size_t name = equals ? (size_t)(equals - item) : n;
	uint64_t *latency = latency_of(cost, run, item, name);
	char digits[16] = "";
	uint64_t cycles;

	if (equals != NULL && n - name - 1 < sizeof(digits))
		memcpy(digits, equals + 1, n - name - 1);
	if (latency == NULL || equals == NULL)
		return unknown(run, item, n, err);
	if (!ms_parse_u64(digits, &cycles) || cycles > MOST_CYCLES)
		return ms_fail(err, MS_EUSAGE,
			       "--latency: found '%.*s', expected a whole number of cycles from 0 "
			       "to %d",
			       (int)n, item, (int)MOST_CYCLES);
	*latency = cycles;
	return MS_OK;
}

int ms_summary_cost_init(struct ms_summary_cost *cost, const struct ms_run *run,
			 const char *changes, struct ms_err *err)
{
	*cost = (struct ms_summary_cost){ .peer = run->peer_latency,
					  .remote = run->remote_latency,
					  .weighs = run->processors > 1,
					  .exposed = ms_run_is_timed(run),
					  .walk = run->walk_latency,
					  .byte = run->bandwidth_milli > 0
							  ? 1000.0 / run->bandwidth_milli
							  : 0,
					  .measured = ms_run_has_measured_time(run),
					  .ns = run->clock_mhz > 0 ? run->clock_mhz / 1000.0 : 1 };
	for (size_t i = 0; i < run->levels.n; i++)
		*ms_vec_add(&cost->answer) =
			i + 1 < run->levels.n ? run->levels.at[i + 1].latency : run->memory_latency;
	while (changes != NULL && *changes != '\0') {
		size_t n = strcspn(changes, ",");
		int code = change(cost, run, changes, n, err);

		if (code != MS_OK) {
			ms_summary_cost_free(cost);
			return code;
		}
		changes += n + (changes[n] == ',');
	}
	return MS_OK;
}

uint64_t ms_summary_miss_count(const struct ms_run_miss *row)
{
	uint64_t count = 0;

	for (int c = 0; c < MS_CAUSES; c++)
		count += row->causes[c];
	return count;
}

static uint64_t without(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

/* What the misses of one level cost that went no further. */
static uint64_t row_stall(const struct ms_summary_cost *cost, const struct ms_run_miss *row,
			  uint64_t beyond)
{
	uint64_t answered = without(without(ms_summary_miss_count(row), beyond), row->peer);

	return without(answered, row->remote) * cost->answer.at[row->level] +
	       row->peer * cost->peer + row->remote * cost->remote;
}

/* Misses that went further take their weight with them. */
static double row_weight(const struct ms_run_miss *row, uint64_t beyond, double beyond_weighted)
{
	uint64_t count = ms_summary_miss_count(row);

	if (count <= beyond)
		return 0;
	double weight = (row->weighted - beyond_weighted) / (double)(count - beyond);
	return weight < 0 ? 0 : weight > 1 ? 1 : weight;
}

struct ms_summary_stall ms_summary_cost_stall(const struct ms_summary_cost *cost,
					      const struct ms_run_miss *rows, size_t n)
{
	struct ms_summary_stall stall = { 0, 0 };

	for (size_t i = 0; i < n; i++) {
		bool further = i + 1 < n && rows[i + 1].level == rows[i].level + 1;
		uint64_t beyond = further ? ms_summary_miss_count(&rows[i + 1]) : 0;
		uint64_t cycles = row_stall(cost, &rows[i], beyond);

		stall.cycles += cycles;
		if (cost->weighs)
			stall.weighted +=
				(double)cycles *
				row_weight(&rows[i], beyond, further ? rows[i + 1].weighted : 0);
	}
	if (!cost->weighs)
		stall.weighted = (double)stall.cycles;
	return stall;
}

static uint64_t beyond_of(const struct ms_run_miss *rows, size_t n, size_t i)
{
	return i + 1 < n && rows[i + 1].level == rows[i].level + 1
		       ? ms_summary_miss_count(&rows[i + 1])
		       : 0;
}

static uint64_t at_most(uint64_t value, uint64_t limit)
{
	return value < limit ? value : limit;
}

/* Peers and remote memory expose the same part of their latencies as the next level does. */
struct ms_summary_level_cycles ms_summary_cost_level(const struct ms_summary_cost *cost,
						     const struct ms_run_miss *rows, size_t n,
						     size_t i)
{
	uint64_t beyond = beyond_of(rows, n, i), all = row_stall(cost, &rows[i], beyond);
	double answered = (double)without(ms_summary_miss_count(&rows[i]), beyond);
	struct ms_summary_level_cycles cycles = { all, all, 0, 0 };

	if (!cost->exposed)
		return cycles;
	double each = answered > 0 ? (double)all / answered / MS_RUN_MISS_UNIT : 0;
	cycles.exposed = at_most(ms_round_u64((double)rows[i].exposed * each), all);
	cycles.estimated = cycles.exposed;
	cycles.prefetched =
		at_most(ms_round_u64((double)rows[i].prefetched * each), all - cycles.exposed);
	cycles.overlapped = all - cycles.exposed - cycles.prefetched;
	return cycles;
}

uint64_t ms_summary_cost_walks(const struct ms_summary_cost *cost, const struct ms_run_cell *cell)
{
	return cost->exposed ? ms_round_u64((double)cell->exposed_walks * (double)cost->walk /
					    MS_RUN_MISS_UNIT)
			     : 0;
}

uint64_t ms_summary_cost_bandwidth(const struct ms_summary_cost *cost,
				   const struct ms_run_cell *cell)
{
	return cost->exposed ? ms_round_u64((double)cell->waited_bytes * cost->byte) : 0;
}

/* Page walks and transfers have the mean weight of the cell's misses. */
static double other_weight(const struct ms_summary_cost *cost, const struct ms_run_miss *rows,
			   size_t n)
{
	uint64_t misses = n > 0 ? ms_summary_miss_count(&rows[0]) : 0;

	return cost->weighs && misses > 0 ? rows[0].weighted / (double)misses : 1;
}

struct ms_summary_stall ms_summary_cost_cell(const struct ms_summary_cost *cost,
					     const struct ms_run_cell *cell,
					     const struct ms_run_miss *rows, size_t n)
{
	struct ms_summary_stall stall = { 0, 0 };

	if (!cost->exposed)
		return ms_summary_cost_stall(cost, rows, n);
	for (size_t i = 0; i < n; i++) {
		uint64_t cycles = ms_summary_cost_level(cost, rows, n, i).exposed;
		bool further = beyond_of(rows, n, i) > 0;

		stall.cycles += cycles;
		stall.weighted += (double)cycles *
				  (cost->weighs ? row_weight(&rows[i], beyond_of(rows, n, i),
							     further ? rows[i + 1].weighted : 0)
						: 1);
	}
	uint64_t others = ms_summary_cost_walks(cost, cell) + ms_summary_cost_bandwidth(cost, cell);

	stall.cycles += others;
	stall.weighted += (double)others * other_weight(cost, rows, n);
	return stall;
}

uint64_t ms_summary_cost_of_miss(const struct ms_summary_cost *cost, size_t level)
{
	uint64_t answer = cost->answer.at[level];
	uint64_t before = level > 0 ? cost->answer.at[level - 1] : 0;

	return answer > before ? answer - before : 0;
}

void ms_summary_cost_free(struct ms_summary_cost *cost)
{
	ms_vec_free(&cost->answer);
}
