/*
 * engine/causes/observed_batches.c - chooses the batches whose misses are classified, and simulates
 * fully associative caches in observed ones.
 *
 * An observed batch is filtered one access after the other: loops and stride runs reorder accesses
 * to different sets, and drop some that are not the most recent of their set, depending on what the
 * filter has seen before. Which of the accesses to the most recent line of a set are dropped
 * depends on that, too; so all of them are left out here. Then the result is the same for any
 * number of shards.
 */
#include "base/map.h"
#include "engine/causes/causes_state.h"
#include "engine/engine_priv.h"

/*
 * In the first level, all of the first batches are observed; after that `span` consecutive ones of
 * each group, at a position that a hash chooses. Groups are longer later, so that short runs are
 * observed as well. The first accesses of a span fill the cache: until it is full, a line that it
 * does not have is ambiguous. Short spans begin with batches that do nothing else: their misses are
 * not counted.
 */
struct observed_plan {
	uint32_t all;
	uint32_t span;
	uint32_t warmup;
	struct {
		uint64_t before; /* this batch; a multiple of the span */
		uint32_t group;  /* a multiple of the span, and of the rest of a span */
	} shares[3];
};

static const struct observed_plan plans[] = {
	[MS_ENGINE_DIVIDED_BY_ESTIMATES] = { .all = 4,
					     .span = 8,
					     .warmup = 2,
					     .shares = { { 96, 96 },
							 { 1056, 480 },
							 { UINT64_MAX, 3072 } } },
	[MS_ENGINE_DIVIDED_BY_BOUNDS] = { .all = 128,
					  .span = 128,
					  .shares = { { 1024, 1024 }, { UINT64_MAX, 2048 } } },
};

/* In the other levels, all misses of the first batches are classified, then of one in so many. */
enum { ALL_CLASSIFIED = 128, CLASSIFIED_GROUP = 8 };

/* Observations are in groups by turns: spans, and the first batches. */
static unsigned find_first_group(const struct observed_plan *plan, uint64_t number)
{
	return plan->all + (number >= plan->shares[0].before ? 2 : 0) +
	       (number >= plan->shares[1].before ? 2 : 0);
}

static uint32_t group_at(const struct observed_plan *plan, uint64_t number)
{
	unsigned i = 0;

	while (number >= plan->shares[i].before)
		i++;
	return plan->shares[i].group;
}

/* The position of the span's first batch in its group. */
static uint64_t find_span(const struct observed_plan *plan, uint64_t number)
{
	uint32_t group = group_at(plan, number);

	return ms_hash(number / group, 1) % (group / plan->span) * plan->span;
}

static struct ms_causes_weights weigh_first_level(const struct observed_plan *plan, uint64_t number)
{
	uint32_t group = group_at(plan, number);
	uint64_t at = number % group - find_span(plan, number); /* wraps if before the span */
	struct ms_causes_weights weights = { .first = 1, .group = number % MS_ENGINE_LINE_GROUPS };

	if (number < plan->all)
		return weights;
	weights.is_warmup = at < plan->warmup;
	weights.first =
		at >= plan->warmup && at < plan->span ? group / (plan->span - plan->warmup) : 0;
	weights.group = (uint8_t)((number / group + find_first_group(plan, number)) %
				  MS_ENGINE_LINE_GROUPS);
	return weights;
}

static uint32_t weigh_others(uint64_t number)
{
	if (number < ALL_CLASSIFIED)
		return 1;
	return ms_hash(number, 2) % CLASSIFIED_GROUP == 0 ? CLASSIFIED_GROUP : 0;
}

/* Where a span begins, the filter must not know more than ms_causes_finish_observed() does. */
static bool begins_span(const struct observed_plan *plan, uint64_t number)
{
	struct ms_causes_weights now = weigh_first_level(plan, number), before;

	if (number == 0 || !ms_causes_is_observed(&now))
		return number == 0;
	before = weigh_first_level(plan, number - 1);
	return !ms_causes_is_observed(&before);
}

void ms_causes_begin_batch(struct ms_engine_shard *shard, uint64_t number)
{
	const struct ms_causes *causes = shard->engine->causes;

	if (causes == NULL || causes->division == MS_ENGINE_DIVIDED_EXACTLY)
		return;
	const struct observed_plan *plan = &plans[causes->division];
	struct ms_causes_weights weights = weigh_first_level(plan, number);

	weights.others = weigh_others(number);
	shard->causes_filter.weights = weights;
	shard->filter.observes = ms_causes_is_observed(&weights);
	if (begins_span(plan, number))
		ms_filter_reset(shard);
}

void ms_causes_hand_over(struct ms_engine_shard *shard, unsigned batch_index)
{
	const struct ms_filter_pending_list *pending = &shard->filter.pending;

	if (shard->engine->causes == NULL)
		return;
	struct ms_causes_batch *batch = &shard->engine->causes->batch[batch_index];

	batch->weights = shard->causes_filter.weights;
	batch->accesses.n = 0;
	if (!ms_causes_is_observed(&batch->weights))
		return;
	ms_vec_reserve(&batch->accesses, pending->n);
	for (size_t i = 0; i < pending->n; i++)
		batch->accesses.at[i] = pending->at[i];
	batch->accesses.n = pending->n;
}

void ms_causes_forget_recent_lines(struct ms_causes *causes)
{
	for (uint64_t set = 0; set < causes->set_count; set++)
		causes->recent_lines[set] = MS_CAUSES_NO_LINE;
}

/* Whether the line is the most recent one of its set; it is afterwards. */
static bool use_recent_line(struct ms_engine *engine, uint64_t line)
{
	uint64_t set = ms_caches_index_lru_set(&engine->shard[0].caches.first, line);
	uint64_t *recent = &engine->causes->recent_lines[set];
	bool is_recent = *recent == line;

	*recent = line;
	return is_recent;
}

/* An access that is being followed through the levels. */
struct access_walk {
	struct ms_engine *engine;
	struct ms_causes_batch *batch;
	const struct ms_filter_pending *access;
	uint64_t line;
	unsigned owner;   /* shard */
	bool is_single;   /* its reference touches one line only */
	uint32_t outcome; /* see MS_CAUSES_MISSED() */
	struct ms_map
		first_misses; /* lines that missed a level for the first time, in this batch */
	uint32_t replaced;    /* levels in which it is a replacement miss, a bit each */
	uint32_t counted;     /* levels that an earlier line of the reference missed, a bit each */
};

/* A line that had never been in the level when the batch began may miss it twice. */
static bool is_replaced(struct access_walk *w, unsigned level)
{
	uint32_t *first;

	if ((w->outcome & MS_CAUSES_REPLACED(level)) != 0)
		return true;
	first = ms_map_at(&w->first_misses, w->line >> w->engine->causes->line_shifts[level],
			  level);
	if (*first != MS_MAP_NONE)
		return true;
	*first = 0;
	return false;
}

static void count_verdict(struct access_walk *w, unsigned level, enum ms_causes_verdict verdict)
{
	const struct ms_count_cell *cell = w->access->cell;

	ms_causes_count_verdict(w->is_single
					? ms_causes_find_counters(w->engine, cell, w->owner, level)
					: ms_causes_find_finished(w->engine, cell, level),
				verdict, w->batch->weights.first);
}

static void add_estimate(struct access_walk *w, unsigned level, bool missed,
			 enum ms_causes_verdict verdict)
{
	const struct ms_causes_observation o = {
		.cell = w->access->cell,
		.level = level,
		.group = w->batch->weights.group,
		.weight = w->batch->weights.first,
		.missed = missed,
		.verdict = verdict,
	};

	ms_causes_add_observation(&w->engine->causes->estimates, &o);
}

static void count_miss(struct access_walk *w, unsigned level, enum ms_causes_verdict verdict)
{
	if ((w->counted & MS_CAUSES_MISSED(level)) != 0)
		return;
	w->counted |= MS_CAUSES_MISSED(level);
	if ((w->replaced & MS_CAUSES_MISSED(level)) == 0)
		return;
	if (ms_causes_is_estimated(w->engine))
		add_estimate(w, level, true, verdict);
	else
		count_verdict(w, level, verdict);
}

static void count_hit(struct access_walk *w, unsigned level, enum ms_causes_verdict verdict)
{
	if (ms_causes_is_estimated(w->engine))
		add_estimate(w, level, false, verdict);
	else if (verdict == MS_CAUSES_MISSES)
		ms_causes_find_finished(w->engine, w->access->cell, level)->saved +=
			w->batch->weights.first;
}

/* For each level that the line has missed: its cause, and its set. */
static void count_sets(struct access_walk *w)
{
	struct ms_causes *causes = w->engine->causes;

	w->replaced = 0;
	for (unsigned level = 0;
	     level < causes->levels && (w->outcome & MS_CAUSES_MISSED(level)) != 0; level++) {
		bool replaced = is_replaced(w, level);

		w->replaced |= replaced ? MS_CAUSES_MISSED(level) : 0;
		if (w->batch->weights.is_warmup)
			continue;
		ms_causes_count_set(&causes->histogram, w->access->cell->data, level,
				    w->line >> causes->line_shifts[level], w->batch->weights.first,
				    replaced);
	}
}

/* Which sizes of the cache with optimal replacement hit; all are the same if it is known. */
static unsigned use_optimal(struct ms_causes_optimal_cache *cache, uint64_t line, bool missed,
			    bool is_first)
{
	switch (ms_causes_access_optimal(cache, line, is_first)) {
	case MS_CAUSES_OPTIMAL_HITS:
		return MS_CAUSES_OPTIMAL_HITS_ALL;
	case MS_CAUSES_OPTIMAL_AMBIGUOUS:
		return 1u << MS_ENGINE_OPTIMAL_FEWEST |
		       (missed ? 0 : 1u << MS_ENGINE_OPTIMAL_LIKELY);
	case MS_CAUSES_OPTIMAL_MISSES:
		break;
	}
	return 0;
}

/* First references miss with any replacement: they are not counted here. */
static void replace_optimally(struct access_walk *w, unsigned level, bool missed)
{
	struct ms_causes *causes = w->engine->causes;
	bool is_first = missed && (w->replaced & MS_CAUSES_MISSED(level)) == 0;

	if (causes->division == MS_ENGINE_DIVIDED_BY_BOUNDS)
		return;
	struct ms_causes_optimal_access access = {
		.data = w->access->cell->data,
		.level = level,
		.group = w->batch->weights.group,
		.weight = w->batch->weights.first,
		.missed = missed,
		.hits = use_optimal(&causes->optimal[level], w->line >> causes->line_shifts[level],
				    missed, is_first),
	};

	if (!w->batch->weights.is_warmup && !is_first)
		ms_causes_add_optimal(&causes->optimal_sums, &access);
}

static void follow_access(struct access_walk *w)
{
	struct ms_causes *causes = w->engine->causes;
	unsigned levels = causes->division == MS_ENGINE_DIVIDED_EXACTLY ? causes->levels : 1;

	for (unsigned level = 0; level < levels; level++) {
		enum ms_causes_verdict verdict = ms_causes_access_lru_list(
			&causes->lists[level], w->line >> causes->line_shifts[level]);
		bool missed = (w->outcome & MS_CAUSES_MISSED(level)) != 0;

		replace_optimally(w, level, missed);
		if (missed && !w->batch->weights.is_warmup)
			count_miss(w, level, verdict);
		else if (!missed && !w->batch->weights.is_warmup)
			count_hit(w, level, verdict);
		if (!missed)
			return;
	}
}

static bool continues(const struct ms_causes_batch *batch, size_t i)
{
	return i < batch->accesses.n &&
	       (batch->accesses.at[i].line & MS_FILTER_SAME_REFERENCE) != 0;
}

void ms_causes_finish_observed(struct ms_engine *engine, struct ms_causes_batch *batch)
{
	size_t next[UINT8_MAX + 1] = { 0 }; /* by shard: its next access */
	struct access_walk w = { .engine = engine, .batch = batch };

	for (size_t i = 0; i < batch->accesses.n; i++) {
		const struct ms_filter_pending *access = &batch->accesses.at[i];

		w.access = access;
		w.line = access->line & ~MS_FILTER_SAME_REFERENCE;
		w.owner = ms_engine_find_owner(engine, w.line << engine->shard[0].first_shift);
		w.outcome = batch->shares[w.owner].outcomes.at[next[w.owner]++];
		w.is_single = !continues(batch, i) && !continues(batch, i + 1);
		if (!continues(batch, i))
			w.counted = 0;
		if (engine->causes->division == MS_ENGINE_DIVIDED_EXACTLY ||
		    !use_recent_line(engine, w.line)) {
			count_sets(&w);
			follow_access(&w);
		}
	}
	ms_map_free(&w.first_misses);
}
