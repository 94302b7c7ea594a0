#include "engine/slow.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "engine/simulated_pmu/interrupt_handler.h"

enum { NONE = UINT32_MAX };

/* --- memory: the last thing that happened to an address says whose it is --- */

struct slow_change {
	uint64_t start, end;
	uint32_t data; /* NONE: unmapped */
	bool heap;
};

/* --- caches: a set is a row of places for lines, each with the time of its last use --- */

struct line {
	bool here;
	uint64_t address; /* of its first byte */
	uint64_t used;    /* the place, also by lines that have left it */
	uint64_t inserted;
	uint32_t owner;
};

/* Prefetchers follow streams of misses. */
struct slow_stream {
	uint64_t used; /* 0: not yet */
	uint64_t address;
	enum { NEW, UP, DOWN } direction;
};

/* A cell: who makes a reference. */
struct who {
	uint32_t site, data, processor;
};

/*
 * A line that was ever in a cache, and its evictor; NONE if it is in the cache or was moved to a
 * nearer one. Or the store that invalidated it.
 */
struct history {
	uint64_t address;
	uint32_t evictor;
	bool lost;
	size_t lost_at; /* how many writes there had been */
	struct who writer;
	uint64_t written; /* address that it wrote */
};

struct slow_cache {
	uint32_t level, number;
	struct line *lines;
	uint64_t *draws; /* by set: how often a random way was drawn there */
	struct slow_stream *streams;
	MS_VEC(struct history) histories;
};

/* --- several processors --- */

struct slow_write {
	uint64_t start, end;
};

/* A unit that one agent has a right to: clean, modified, or modified while others may read. */
struct owned {
	uint64_t unit; /* address */
	uint32_t agent;
	enum { CLEAN, DIRTY, DIRTY_AND_READ } state;
};

struct page {
	uint64_t address;
	uint32_t node;
};

struct slow_rule {
	uint64_t start, end; /* equal: for all */
	enum ms_machine_page_placement placement;
	uint64_t nodes;
	bool unmapped; /* pages there are new, and no rule before it holds */
};

/* What all caches of a level held of a data from one step to another. */
struct sight {
	uint64_t from, to;
	uint32_t level, data;
	uint64_t lines;
};

struct counter {
	struct slow_key key;
	double count;
};

struct slow_monitor;

struct slow {
	const struct ms_machine *machine;
	uint32_t processors;
	uint32_t unmapped, freed;
	uint32_t hits; /* data that references count for; NONE: their own */
	uint64_t now;
	MS_VEC(struct slow_cache) caches;
	MS_VEC(struct slow_change) changes;
	MS_VEC(struct slow_write) writes;
	MS_VEC(struct owned) owned;
	MS_VEC(struct page) pages;
	MS_VEC(struct slow_rule) rules;
	MS_VEC(struct counter) counters[SLOW_WHATS];
	uint64_t steps;
	MS_VEC(struct sight) sights;
	uint32_t processor, thread, busy;
	struct slow_monitor *monitor; /* NULL: none */
};

/* How many processors have a cache of the level together. */
static uint32_t sharers(const struct slow *slow, uint32_t level)
{
	uint32_t k = slow->machine->levels.at[level].processors;

	return k == 0 || k > slow->processors ? slow->processors : k;
}

static void add_cache(struct slow *slow, uint32_t level, uint32_t number)
{
	const struct ms_machine_level *m = &slow->machine->levels.at[level];

	*ms_vec_add(&slow->caches) = (struct slow_cache){
		.level = level,
		.number = number,
		.lines = ms_alloc(m->size / m->line * sizeof(struct line)),
		.draws = ms_alloc(ms_machine_sets(m) * sizeof(uint64_t)),
		.streams = ms_alloc((m->prefetch + 1) * sizeof(struct slow_stream)),
	};
}

struct slow *slow_open(const struct ms_machine *machine, uint32_t unmapped, uint32_t freed)
{
	struct slow *slow = ms_alloc(sizeof(*slow));

	slow->machine = machine;
	slow->processors = machine->processors > 1 ? machine->processors : 1;
	slow->unmapped = unmapped;
	slow->hits = NONE;
	slow->freed = freed;
	slow->busy = 1;
	for (uint32_t level = 0; level < machine->levels.n; level++)
		for (uint32_t p = 0; p < slow->processors; p += sharers(slow, level))
			add_cache(slow, level, p / sharers(slow, level));
	return slow;
}

static void close_monitor(struct slow_monitor *m);

void slow_close(struct slow *slow)
{
	close_monitor(slow->monitor);
	for (size_t i = 0; i < slow->caches.n; i++) {
		ms_free(slow->caches.at[i].lines);
		ms_free(slow->caches.at[i].draws);
		ms_free(slow->caches.at[i].streams);
		ms_vec_free(&slow->caches.at[i].histories);
	}
	ms_vec_free(&slow->caches);
	ms_vec_free(&slow->changes);
	ms_vec_free(&slow->writes);
	ms_vec_free(&slow->owned);
	ms_vec_free(&slow->pages);
	ms_vec_free(&slow->rules);
	ms_vec_free(&slow->sights);
	for (size_t i = 0; i < SLOW_WHATS; i++)
		ms_vec_free(&slow->counters[i]);
	ms_free(slow);
}

static struct ms_pmu_handler *handler_of(const struct slow *slow);

static void change(struct slow *slow, uint64_t start, uint64_t end, uint32_t data, bool heap)
{
	*ms_vec_add(&slow->changes) = (struct slow_change){ start, end, data, heap };
}

/* A heap object reaches to the end of its last 8 bytes. */
void slow_place(struct slow *slow, uint64_t start, uint64_t size, uint32_t data)
{
	change(slow, start, (start + size + 7) & ~UINT64_C(7), data, true);
	if (slow->monitor != NULL)
		ms_pmu_add_object(handler_of(slow), start, start + size);
}

void slow_free(struct slow *slow, uint64_t start, uint64_t size)
{
	change(slow, start, (start + size + 7) & ~UINT64_C(7), slow->freed, true);
	if (slow->monitor != NULL)
		ms_pmu_remove_object(handler_of(slow), start);
}

void slow_map(struct slow *slow, uint64_t start, uint64_t end, uint32_t data)
{
	change(slow, start, end, data, false);
	if (slow->monitor != NULL)
		ms_pmu_add_object(handler_of(slow), start, start + 1);
}

void slow_unmap(struct slow *slow, uint64_t start, uint64_t end)
{
	change(slow, start, end, NONE, true);
	change(slow, start, end, NONE, false);
	if (slow->monitor != NULL)
		ms_pmu_remove_objects(handler_of(slow), start, end);
	if (start == end)
		return;
	*ms_vec_add(&slow->rules) =
		(struct slow_rule){ .start = start, .end = end, .unmapped = true };
	for (size_t i = 0; i < slow->pages.n; i++)
		if (slow->pages.at[i].address + 4096 > start && slow->pages.at[i].address < end)
			slow->pages.at[i].node = NONE;
}

/* Heap objects lie above regions. */
static uint32_t data_of(const struct slow *slow, uint64_t address)
{
	for (int heap = 1; heap >= 0; heap--)
		for (size_t i = slow->changes.n; i-- > 0;) {
			const struct slow_change *c = &slow->changes.at[i];

			if (c->heap != heap || address < c->start || address >= c->end)
				continue;
			if (c->data != NONE)
				return c->data;
			break;
		}
	return slow->unmapped;
}

void slow_processor(struct slow *slow, uint32_t processor, uint32_t thread)
{
	slow->processor = processor;
	slow->thread = thread;
}

void slow_busy(struct slow *slow, uint32_t processors)
{
	slow->busy = processors;
}

void slow_policy(struct slow *slow, uint64_t start, uint64_t end,
		 enum ms_machine_page_placement placement, uint64_t nodes)
{
	*ms_vec_add(&slow->rules) = (struct slow_rule){ start, end, placement, nodes, false };
}

/* --- counters --- */

static struct counter *counter_of(const struct slow *slow, enum slow_what what,
				  const struct slow_key *key)
{
	for (size_t i = 0; i < slow->counters[what].n; i++) {
		struct counter *c = &slow->counters[what].at[i];

		if (c->key.site == key->site && c->key.data == key->data &&
		    c->key.processor == key->processor && c->key.level == key->level &&
		    c->key.other == key->other && c->key.line == key->line &&
		    c->key.writer_site == key->writer_site &&
		    c->key.writer_data == key->writer_data &&
		    c->key.writer_processor == key->writer_processor &&
		    c->key.offset == key->offset && c->key.writer_offset == key->writer_offset)
			return c;
	}
	return NULL;
}

static bool is_handling(const struct slow *slow);

/* A monitor's handler is not the program: only its misses are counted, by level. */
static void count(struct slow *slow, enum slow_what what, struct slow_key key, double n)
{
	if (is_handling(slow) && what != SLOW_HANDLER_MISSES)
		return;
	struct counter *c = counter_of(slow, what, &key);

	if (c == NULL) {
		c = ms_vec_add(&slow->counters[what]);
		*c = (struct counter){ key, 0 };
	}
	c->count += n;
}

double slow_count(const struct slow *slow, enum slow_what what, struct slow_key key)
{
	const struct counter *c = counter_of(slow, what, &key);

	return c != NULL ? c->count : 0;
}

uint64_t slow_counted(const struct slow *slow, enum slow_what what)
{
	uint64_t n = 0;

	for (size_t i = 0; i < slow->counters[what].n; i++)
		n += slow->counters[what].at[i].count > 0;
	return n;
}

/* --- what is there --- */

static void see(struct slow *slow, uint64_t to, uint32_t level, uint32_t data)
{
	size_t i = slow->sights.n;

	while (i > 0 && slow->sights.at[i - 1].to == to && slow->sights.at[i - 1].from < to) {
		i--;
		if (slow->sights.at[i].level == level && slow->sights.at[i].data == data) {
			slow->sights.at[i].lines++;
			return;
		}
	}
	*ms_vec_add(&slow->sights) = (struct sight){ slow->steps, to, level, data, 1 };
}

void slow_pass(struct slow *slow, uint64_t steps)
{
	for (size_t i = 0; i < slow->caches.n; i++) {
		const struct slow_cache *c = &slow->caches.at[i];
		const struct ms_machine_level *m = &slow->machine->levels.at[c->level];

		for (uint64_t k = 0; k < m->size / m->line && steps > 0; k++)
			if (c->lines[k].here)
				see(slow, slow->steps + steps, c->level, c->lines[k].owner);
	}
	slow->steps += steps;
}

struct slow_stay slow_stay(const struct slow *slow, uint32_t level, uint32_t data, uint64_t from,
			   uint64_t to)
{
	struct slow_stay stay = { 0, 0, 0 };

	for (size_t i = 0; i < slow->sights.n; i++) {
		const struct sight *s = &slow->sights.at[i];
		uint64_t begin = s->from > from ? s->from : from, end = s->to < to ? s->to : to;

		if (s->level != level || s->data != data || begin >= end)
			continue;
		stay.sum += s->lines * (end - begin);
		stay.peak = s->lines > stay.peak ? s->lines : stay.peak;
		if (end == to)
			stay.lines = s->lines;
	}
	return stay;
}
static void monitor_sees_eviction(struct slow *slow, uint32_t level, const struct line *line);
static void monitor_sees_miss(struct slow *slow, uint32_t level);

#include "engine/slow_caches.c"
#include "engine/slow_monitor.c"
#include "engine/slow_processors.c"

/* --- references --- */

static void count_sharing(struct touch *t, bool remote)
{
	uint64_t unit = unit_of(t->slow, t->address);
	struct slow_key key = key_of(t, 0, 0);

	key.writer_site = t->lost->writer.site;
	key.writer_data = t->lost->writer.data;
	key.writer_processor = t->lost->writer.processor;
	key.line = unit;
	key.offset = (uint32_t)(t->address - unit);
	key.writer_offset = (uint32_t)(t->lost->written - unit);
	count(t->slow, is_truly_shared(t, t->lost) ? SLOW_SHARED_TRULY : SLOW_SHARED_FALSELY, key,
	      1);
	if (t->peer)
		count(t->slow, SLOW_SHARED_PEER, key, 1);
	if (remote)
		count(t->slow, SLOW_SHARED_REMOTE, key, 1);
}

static void access_line(struct touch *t, enum slow_kind kind)
{
	bool several = t->slow->processors > 1;

	if (several && kind != SLOW_READ)
		write_unit(t);
	else if (several && !private_caches_have(t) &&
		 !agent_holds(t, agent_of(t), unit_of(t->slow, t->address)))
		read_unit(t);
	if (kind != SLOW_WRITE)
		load_from(t, 0);
	if (kind != SLOW_READ)
		store_to(t, 0);
}

void slow_skip_hits(struct slow *slow, uint32_t hits)
{
	slow->hits = hits;
}

void slow_reference(struct slow *slow, uint32_t site, uint64_t address, uint32_t size,
		    enum slow_kind kind)
{
	uint32_t first_line = slow->machine->levels.at[0].line;
	bool counted[16] = { false }, peer = false, remote = false;
	uint32_t missed = 0;
	struct touch t = { .slow = slow,
			   .who = { site, data_of(slow, address), slow->processor },
			   .counted = counted };

	monitor_begins(slow, site, t.who.data);
	struct slow_key key = key_of(&t, 0, 0);
	key.data = slow->hits != NONE ? slow->hits : key.data;
	count(slow, SLOW_REFERENCES, key, 1);
	count(slow, SLOW_THREAD_REFERENCES, thread_key(&t, 0), 1);
	for (uint64_t at = address / first_line; at <= (address + size - 1) / first_line; at++) {
		t.address = at * first_line > address ? at * first_line : address;
		t.end = (at + 1) * first_line < address + size ? (at + 1) * first_line
							       : address + size;
		t.waits = true;
		t.peer = false;
		t.missed = 0;
		t.lost = NULL;
		uint32_t before = slow->monitor != NULL ? slow->monitor->missed : 0;
		monitor_meets(slow, t.address);
		access_line(&t, kind);
		monitor_counts_misses(slow, before);
		bool far = !t.peer && t.missed == slow->machine->levels.n && is_remote(&t);
		if (t.lost != NULL)
			count_sharing(&t, far);
		if (slow->processors > 1 && kind != SLOW_READ)
			wrote_unit(&t);
		if (slow->processors > 1)
			end_rights(&t);
		if (t.missed > missed) {
			missed = t.missed;
			peer = t.peer;
			remote = far;
		}
	}
	if (peer) {
		count(slow, SLOW_PEER, key_of(&t, missed - 1, 0), 1);
		count(slow, SLOW_THREAD_PEER, thread_key(&t, missed - 1), 1);
	}
	if (remote) {
		count(slow, SLOW_REMOTE, key_of(&t, missed - 1, 0), 1);
		count(slow, SLOW_THREAD_REMOTE, thread_key(&t, missed - 1), 1);
	}
	monitor_ends(slow);
}

/* --- a monitor's handler --- */

static bool is_handling(const struct slow *slow)
{
	return slow->monitor != NULL && slow->monitor->handling;
}

static struct ms_pmu_handler *handler_of(const struct slow *slow)
{
	return &slow->monitor->handler;
}

static void handler_makes(void *arg, uint64_t address, uint32_t size, uint32_t kind)
{
	struct slow *slow = arg;
	uint32_t first_line = slow->machine->levels.at[0].line;
	bool counted[16] = { false };
	uint32_t missed = 0;
	struct touch t = { .slow = slow,
			   .who = { UINT32_MAX, slow->monitor->pmu.data, 0 },
			   .counted = counted };

	for (uint64_t at = address / first_line; at <= (address + size - 1) / first_line; at++) {
		t.address = at * first_line;
		t.waits = true;
		t.missed = 0;
		access_line(&t, (enum slow_kind)kind);
		missed = t.missed > missed ? t.missed : missed;
	}
	for (uint32_t level = 0; level < missed; level++)
		count(slow, SLOW_HANDLER_MISSES, (struct slow_key){ .level = level }, 1);
	slow->monitor->handler_waited += (double)waits_for(slow, missed);
}
