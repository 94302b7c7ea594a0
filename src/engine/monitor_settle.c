/*
 * engine/monitor_settle.c - a monitored engine's batches: its own way through sieve and levels.
 *
 * The handler's maps follow the program's memory, and time its executions. Both happen while a
 * batch is sifted, but matter while it is settled: so the sieve's list has marks between its lines.
 * Every shard meets all changes, and counts them; the one that settles keeps them, and a mark says
 * how many had been made. A shard that has met changes of others' batches has a mark in front of
 * its own one that is old news.
 */
#include "engine/engine_priv.h"

/* --- changes --- */

void ms_monitor_change(struct ms_shard *shard, enum change_kind kind, uint64_t start, uint64_t end)
{
	struct doubts *doubts = &shard->doubts;
	size_t n = doubts->change_marks.n;

	shard->changes++;
	if (shard->number == 0)
		*ms_vec_add(&shard->engine->monitor->changes) =
			(struct map_change){ kind, start, end };
	if (n == 0 || doubts->change_marks.at[n - 1].doubt != doubts->n)
		*ms_vec_add(&doubts->change_marks) = (struct change_mark){ doubts->n, 0 };
	doubts->change_marks.at[doubts->change_marks.n - 1].changes = shard->changes;
}

/* The map of instructions knows all that have been described. */
void ms_monitor_block(struct ms_shard *shard, const struct ms_block *block)
{
	uint64_t places = 0;

	for (uint32_t i = 0; i < block->refs; i++)
		if (block->ref[i].site >= places)
			places = block->ref[i].site + UINT64_C(1);
	if (places > 0)
		ms_monitor_change(shard, CHANGE_PLACES, places, places);
}

static void apply(struct handler *h, const struct map_change *c)
{
	switch (c->kind) {
	case CHANGE_ADD:
		ms_handler_add(h, c->start, c->end);
		break;
	case CHANGE_LAY:
		ms_handler_add(h, c->start, c->start + 1);
		break;
	case CHANGE_REMOVE:
		ms_handler_remove(h, c->start);
		break;
	case CHANGE_CLEAR:
		ms_handler_remove_range(h, c->start, c->end);
		break;
	case CHANGE_PLACES:
		if (c->start > h->places)
			h->places = (uint32_t)c->start;
		break;
	}
}

/* Those that this shard was told of: it may not have been told of all. */
static void apply_until(struct monitor *m, uint64_t changes)
{
	while (m->applied < changes && m->next < m->changes.n) {
		apply(&m->handler, &m->changes.at[m->next++]);
		m->applied++;
	}
	if (m->next == m->changes.n)
		m->next = m->changes.n = 0;
}

/* --- time --- */

/* The instructions of blocks that are new since the last time. */
static void learn_exits(struct ms_shard *shard)
{
	while (shard->timed_blocks < shard->blocks.n) {
		const struct ms_block *b = shard->blocks.at[shard->timed_blocks++].about;

		for (uint32_t i = 0; i < b->exits; i++)
			*ms_vec_add(&shard->exit_times) = b->exit_instructions != NULL
								  ? b->exit_instructions[i]
								  : b->exit_refs[i];
	}
}

static void pass_time(struct doubts *doubts, uint32_t instructions)
{
	size_t n = doubts->time_marks.n;

	if (n > 0 && doubts->time_marks.at[n - 1].doubt == doubts->n)
		doubts->time_marks.at[n - 1].instructions += instructions;
	else
		*ms_vec_add(&doubts->time_marks) =
			(struct time_mark){ (uint32_t)doubts->n, instructions };
}

/* Only where the period depends on time is it worth taking executions one by one. */
size_t ms_monitor_sift(struct ms_shard *shard, const uint64_t *words, size_t n)
{
	size_t at = 0;

	if (shard->engine->monitor->pmu.period != 0)
		return ms_sieve_sift(shard, words, n);
	learn_exits(shard);
	while (at < n && ms_wire_kind_of(words[at]) == MS_WIRE_EXEC &&
	       ms_wire_arg_of(words[at]) < shard->exit_times.n) {
		size_t length = ms_wire_words_of(words[at]);

		if (length == 0 || length > n - at)
			break;
		/* Its instructions have been executed when its references are settled. */
		pass_time(&shard->doubts, shard->exit_times.at[ms_wire_arg_of(words[at])]);
		if (ms_sieve_sift(shard, words + at, length) != length)
			break;
		at += length;
	}
	return at;
}

/* --- settling --- */

/* Where a batch stands. */
struct progress {
	size_t change;
	size_t time;
};

static void catch_up(struct monitor *m, const struct doubts *share, struct progress *p,
		     size_t doubt)
{
	while (p->change < share->change_marks.n &&
	       share->change_marks.at[p->change].doubt <= doubt)
		apply_until(m, share->change_marks.at[p->change++].changes);
	while (p->time < share->time_marks.n && share->time_marks.at[p->time].doubt <= doubt)
		m->instructions += share->time_marks.at[p->time++].instructions;
}

/* The lines of one reference. */
static void settle_reference(struct ms_shard *shard, unsigned slot, const struct doubt *at,
			     const struct doubt *end, uint32_t phase)
{
	struct monitor *m = shard->engine->monitor;
	const struct general *general = shard->general;
	struct falling f = { .phase = phase, .cell = at->cell };

	ms_monitor_begin(m, f.cell);
	for (; at < end; at++) {
		f.line = at->line & ~MS_LINE_GOES_ON;
		m->now.line = f.line << shard->first_shift;
		unsigned now = ms_monitor_access(m, f.cell, f.line);
		while (m->missed < now) {
			unsigned level = m->missed;

			ms_shard_count_miss(shard, slot, &f, level, general->old[level]);
			if (general->covered[level])
				ms_shard_tally(shard, f.cell)->level[level].covered++;
			ms_monitor_missed(m, level);
		}
	}
	ms_monitor_end(m);
}

static void settle_span(struct ms_shard *shard, unsigned slot, const struct doubts *share,
			size_t span, struct progress *p)
{
	struct monitor *m = shard->engine->monitor;
	size_t to = ms_span_end(share, span), next;

	for (size_t i = share->spans.at[span].from; i < to; i = next) {
		next = i + 1;
		while (next < to && (share->at[next].line & MS_LINE_GOES_ON) != 0)
			next++;
		if (next == i + 1 && ms_monitor_is_recent(m, share->at[i].line))
			continue; /* nothing happens */
		catch_up(m, share, p, i);
		settle_reference(shard, slot, share->at + i, share->at + next,
				 share->spans.at[span].phase);
	}
}

void ms_monitor_settle(struct ms_shard *shard, unsigned slot, struct doubts *share)
{
	struct progress p = { 0, 0 };

	if (shard->number != 0)
		return;
	for (size_t i = 0; i < share->spans.n; i++)
		settle_span(shard, slot, share, i, &p);
	catch_up(shard->engine->monitor, share, &p, share->n);
	share->change_marks.n = 0;
	share->time_marks.n = 0;
}
