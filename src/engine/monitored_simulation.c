/*
 * engine/monitored_simulation.c - the variant that reports the events of one processor to a
 * consumer. The consumer's own accesses may evict any line between two references. So no hit is
 * guaranteed while a batch is filtered: the filter keeps every access, and shard 0 simulates all of
 * them in order, one reference at a time. It drops accesses to the most recent line of a set only
 * then.
 */
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"
#include "wire/wire.h"

static const struct ms_engine_consumer *consumer_of(const struct ms_engine_shard *shard)
{
	return shard->engine->monitoring.consumer;
}

/* --- shards --- */

void ms_engine_open_monitored_shard(struct ms_engine_shard *shard,
				    const struct ms_engine_setup *setup)
{
	struct ms_engine_monitoring *m = &shard->engine->monitoring;
	uint64_t sets = shard->caches.first.set_count;

	ms_caches_open_configurable_shard(shard, setup);
	shard->configurable->events = m->consumer->cache_events;
	shard->filter.keeps_all = true;
	if (shard->number != 0)
		return;
	m->drops_repeats = shard->configurable->repeats_are_hits;
	m->recent = ms_alloc(sets * sizeof(*m->recent));
	for (uint64_t set = 0; set < sets; set++)
		m->recent[set] = MS_CACHES_NO_LINE;
}

void ms_engine_close_monitored_shard(struct ms_engine_shard *shard)
{
	ms_caches_close_configurable_shard(shard);
	if (shard->number == 0)
		ms_free(shard->engine->monitoring.recent);
}

/* --- filter --- */

void ms_engine_add_monitored_block(struct ms_engine_shard *shard,
				   const struct ms_engine_block *block)
{
	consumer_of(shard)->on_block(shard, block);
	ms_filter_add_block(shard, block);
}

void ms_engine_change_monitored_map(struct ms_engine_shard *shard, enum ms_engine_map_change change,
				    uint64_t start, uint64_t end)
{
	consumer_of(shard)->on_map_change(shard, change, start, end);
}

size_t ms_engine_filter_monitored(struct ms_engine_shard *shard, const uint64_t *words, size_t n)
{
	size_t at = 0;

	if (!shard->engine->monitoring.reports_executions)
		return ms_filter_process_executions(shard, words, n);
	while (at < n && ms_wire_kind_of(words[at]) == MS_WIRE_EXEC &&
	       ms_wire_arg_of(words[at]) < shard->filter.exits.n) {
		size_t length = ms_wire_words_of(words[at]);

		if (length == 0 || length > n - at)
			break;
		consumer_of(shard)->on_execution(shard, (uint32_t)ms_wire_arg_of(words[at]));
		if (ms_filter_process_executions(shard, words + at, length) != length)
			break;
		at += length;
	}
	return at;
}

void ms_engine_distribute_monitored(struct ms_engine_shard *shard, unsigned batch_index)
{
	consumer_of(shard)->on_batch_filtered(shard, batch_index);
	ms_filter_distribute_batch(shard, batch_index);
}

/* --- simulation --- */

static uint64_t *recent_line(const struct ms_engine_shard *shard, uint64_t line)
{
	return &shard->engine->monitoring
			.recent[ms_caches_index_lru_set(&shard->caches.first, line)];
}

unsigned ms_engine_access_monitored_line(struct ms_engine_shard *shard, struct ms_count_cell *cell,
					 uint64_t line)
{
	if (shard->engine->monitoring.drops_repeats) {
		uint64_t *recent = recent_line(shard, line);

		if (*recent == line)
			return 0;
		*recent = line;
	}
	return ms_caches_access_line(shard, cell, line);
}

/* Simulates all lines of the reference whose pending accesses are from `index` to `end`. */
static void simulate_reference(struct ms_engine_shard *shard, unsigned batch_index,
			       const struct ms_filter_pending_list *share, size_t index, size_t end,
			       uint32_t phase)
{
	const struct ms_engine_consumer *consumer = consumer_of(shard);
	const struct ms_caches_configurable *configurable = shard->configurable;
	struct ms_caches_miss f = { .phase = phase, .cell = share->at[index].cell };
	unsigned missed = 0;

	consumer->on_reference(shard, index, f.cell);
	for (size_t i = index; i < end; i++) {
		f.line = share->at[i].line & ~MS_FILTER_SAME_REFERENCE;
		consumer->on_line(shard, f.line << shard->first_shift);
		unsigned now = ms_engine_access_monitored_line(shard, f.cell, f.line);
		for (; missed < now; missed++) {
			ms_engine_count_miss(shard, batch_index, &f, missed,
					     configurable->old_records[missed]);
			if (configurable->covered[missed])
				ms_engine_get_miss_counters(shard, f.cell)->level[missed].covered++;
			consumer->on_miss(shard, missed);
		}
	}
	consumer->on_reference_end(shard);
}

static void simulate_span(struct ms_engine_shard *shard, unsigned batch_index,
			  const struct ms_filter_pending_list *share, size_t span)
{
	bool drops_repeats = shard->engine->monitoring.drops_repeats;
	size_t to = ms_filter_find_span_end(share, span), next;

	for (size_t i = share->spans.at[span].from; i < to; i = next) {
		next = i + 1;
		while (next < to && (share->at[next].line & MS_FILTER_SAME_REFERENCE) != 0)
			next++;
		if (drops_repeats && next == i + 1 &&
		    *recent_line(shard, share->at[i].line) == share->at[i].line)
			continue; /* the caches do not change */
		simulate_reference(shard, batch_index, share, i, next, share->spans.at[span].phase);
	}
}

void ms_engine_simulate_monitored(struct ms_engine_shard *shard, unsigned batch_index)
{
	const struct ms_filter_pending_list *share = ms_engine_get_share(shard, batch_index);

	if (shard->number != 0)
		return;
	consumer_of(shard)->on_batch(shard, batch_index);
	for (size_t i = 0; i < share->spans.n; i++)
		simulate_span(shard, batch_index, share, i);
	consumer_of(shard)->on_batch_end(shard, share->n);
}
