#include "engine/refsim.h"

#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "engine/simulated_pmu/interrupt_handler.h"

enum { NONE = UINT32_MAX };

/* --- memory: the last thing that happened to an address says whose it is --- */

struct refsim_change {
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
struct refsim_stream {
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

struct refsim_cache {
	uint32_t level, number;
	struct line *lines;
	uint64_t *draws; /* by set: how often a random way was drawn there */
	struct refsim_stream *streams;
	MS_VEC(struct history) histories;
	MS_VEC(uint64_t) used; /* with one processor: all lines, the last one used most recently */
	/* The same in the first level, without uses of the most recent line of a set. */
	MS_VEC(uint64_t) kept;
};

/* --- several processors --- */

struct refsim_write {
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

struct refsim_rule {
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
	struct refsim_key key;
	double count;
};

struct refsim_monitor;

struct refsim {
	const struct ms_machine *machine;
	uint32_t processors;
	uint32_t unmapped, freed;
	uint32_t hits; /* data that references count for; NONE: their own */
	uint64_t now;
	MS_VEC(struct refsim_cache) caches;
	MS_VEC(struct refsim_change) changes;
	MS_VEC(struct refsim_write) writes;
	MS_VEC(struct owned) owned;
	MS_VEC(struct page) pages;
	MS_VEC(struct refsim_rule) rules;
	MS_VEC(struct counter) counters[SLOW_WHATS];
	uint64_t steps;
	MS_VEC(struct sight) sights;
	uint32_t processor, thread, busy;
	struct refsim_monitor *monitor;   /* NULL: none */
	struct refsim_timing *timing;     /* NULL: of an in-order processor */
	struct refsim_lines *lines;       /* NULL: no lines are observed */
	struct refsim_division *division; /* NULL: replacement misses are not estimated */
};

/* How many processors have a cache of the level together. */
static uint32_t sharers(const struct refsim *refsim, uint32_t level)
{
	uint32_t k = refsim->machine->levels.at[level].processors;

	return k == 0 || k > refsim->processors ? refsim->processors : k;
}

static void add_cache(struct refsim *refsim, uint32_t level, uint32_t number)
{
	const struct ms_machine_level *m = &refsim->machine->levels.at[level];

	*ms_vec_add(&refsim->caches) = (struct refsim_cache){
		.level = level,
		.number = number,
		.lines = ms_alloc(m->size / m->line * sizeof(struct line)),
		.draws = ms_alloc(ms_machine_sets(m) * sizeof(uint64_t)),
		.streams = ms_alloc((m->prefetch + 1) * sizeof(struct refsim_stream)),
	};
}

struct refsim *refsim_open(const struct ms_machine *machine, uint32_t unmapped, uint32_t freed)
{
	struct refsim *refsim = ms_alloc(sizeof(*refsim));

	refsim->machine = machine;
	refsim->processors = machine->processors > 1 ? machine->processors : 1;
	refsim->unmapped = unmapped;
	refsim->hits = NONE;
	refsim->freed = freed;
	refsim->busy = 1;
	for (uint32_t level = 0; level < machine->levels.n; level++)
		for (uint32_t p = 0; p < refsim->processors; p += sharers(refsim, level))
			add_cache(refsim, level, p / sharers(refsim, level));
	return refsim;
}

static void close_monitor(struct refsim_monitor *m);
static void close_timing(struct refsim_timing *t);
static void close_lines(struct refsim_lines *lines);
static void close_division(struct refsim_division *division);

void refsim_close(struct refsim *refsim)
{
	close_monitor(refsim->monitor);
	close_timing(refsim->timing);
	close_lines(refsim->lines);
	close_division(refsim->division);
	for (size_t i = 0; i < refsim->caches.n; i++) {
		ms_free(refsim->caches.at[i].lines);
		ms_free(refsim->caches.at[i].draws);
		ms_free(refsim->caches.at[i].streams);
		ms_vec_free(&refsim->caches.at[i].histories);
		ms_vec_free(&refsim->caches.at[i].used);
		ms_vec_free(&refsim->caches.at[i].kept);
	}
	ms_vec_free(&refsim->caches);
	ms_vec_free(&refsim->changes);
	ms_vec_free(&refsim->writes);
	ms_vec_free(&refsim->owned);
	ms_vec_free(&refsim->pages);
	ms_vec_free(&refsim->rules);
	ms_vec_free(&refsim->sights);
	for (size_t i = 0; i < SLOW_WHATS; i++)
		ms_vec_free(&refsim->counters[i]);
	ms_free(refsim);
}

static struct ms_pmu_handler *handler_of(const struct refsim *refsim);

static void change(struct refsim *refsim, uint64_t start, uint64_t end, uint32_t data, bool heap)
{
	*ms_vec_add(&refsim->changes) = (struct refsim_change){ start, end, data, heap };
}

/* A heap object reaches to the end of its last 8 bytes. */
void refsim_place(struct refsim *refsim, uint64_t start, uint64_t size, uint32_t data)
{
	change(refsim, start, (start + size + 7) & ~UINT64_C(7), data, true);
	if (refsim->monitor != NULL)
		ms_pmu_add_object(handler_of(refsim), start, start + size);
}

void refsim_free(struct refsim *refsim, uint64_t start, uint64_t size)
{
	change(refsim, start, (start + size + 7) & ~UINT64_C(7), refsim->freed, true);
	if (refsim->monitor != NULL)
		ms_pmu_remove_object(handler_of(refsim), start);
}

void refsim_map(struct refsim *refsim, uint64_t start, uint64_t end, uint32_t data)
{
	change(refsim, start, end, data, false);
	if (refsim->monitor != NULL)
		ms_pmu_add_object(handler_of(refsim), start, start + 1);
}

void refsim_unmap(struct refsim *refsim, uint64_t start, uint64_t end)
{
	change(refsim, start, end, NONE, true);
	change(refsim, start, end, NONE, false);
	if (refsim->monitor != NULL)
		ms_pmu_remove_objects(handler_of(refsim), start, end);
	if (start == end)
		return;
	*ms_vec_add(&refsim->rules) =
		(struct refsim_rule){ .start = start, .end = end, .unmapped = true };
	for (size_t i = 0; i < refsim->pages.n; i++)
		if (refsim->pages.at[i].address + 4096 > start && refsim->pages.at[i].address < end)
			refsim->pages.at[i].node = NONE;
}

/* Heap objects lie above regions. */
static uint32_t data_of(const struct refsim *refsim, uint64_t address)
{
	for (int heap = 1; heap >= 0; heap--)
		for (size_t i = refsim->changes.n; i-- > 0;) {
			const struct refsim_change *c = &refsim->changes.at[i];

			if (c->heap != heap || address < c->start || address >= c->end)
				continue;
			if (c->data != NONE)
				return c->data;
			break;
		}
	return refsim->unmapped;
}

void refsim_processor(struct refsim *refsim, uint32_t processor, uint32_t thread)
{
	refsim->processor = processor;
	refsim->thread = thread;
}

void refsim_busy(struct refsim *refsim, uint32_t processors)
{
	refsim->busy = processors;
}

void refsim_policy(struct refsim *refsim, uint64_t start, uint64_t end,
		   enum ms_machine_page_placement placement, uint64_t nodes)
{
	*ms_vec_add(&refsim->rules) = (struct refsim_rule){ start, end, placement, nodes, false };
}

/* --- counters --- */

static struct counter *counter_of(const struct refsim *refsim, enum refsim_what what,
				  const struct refsim_key *key)
{
	for (size_t i = 0; i < refsim->counters[what].n; i++) {
		struct counter *c = &refsim->counters[what].at[i];

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

static bool is_handling(const struct refsim *refsim);

/* A monitor's handler is not the program: only its misses are counted, by level. */
static void count(struct refsim *refsim, enum refsim_what what, struct refsim_key key, double n)
{
	if (is_handling(refsim) && what != SLOW_HANDLER_MISSES)
		return;
	struct counter *c = counter_of(refsim, what, &key);

	if (c == NULL) {
		c = ms_vec_add(&refsim->counters[what]);
		*c = (struct counter){ key, 0 };
	}
	c->count += n;
}

double refsim_count(const struct refsim *refsim, enum refsim_what what, struct refsim_key key)
{
	const struct counter *c = counter_of(refsim, what, &key);

	return c != NULL ? c->count : 0;
}

uint64_t refsim_counted(const struct refsim *refsim, enum refsim_what what)
{
	uint64_t n = 0;

	for (size_t i = 0; i < refsim->counters[what].n; i++)
		n += refsim->counters[what].at[i].count > 0;
	return n;
}

/* --- what is there --- */

static void see(struct refsim *refsim, uint64_t to, uint32_t level, uint32_t data)
{
	size_t i = refsim->sights.n;

	while (i > 0 && refsim->sights.at[i - 1].to == to && refsim->sights.at[i - 1].from < to) {
		i--;
		if (refsim->sights.at[i].level == level && refsim->sights.at[i].data == data) {
			refsim->sights.at[i].lines++;
			return;
		}
	}
	*ms_vec_add(&refsim->sights) = (struct sight){ refsim->steps, to, level, data, 1 };
}

void refsim_pass(struct refsim *refsim, uint64_t steps)
{
	for (size_t i = 0; i < refsim->caches.n; i++) {
		const struct refsim_cache *c = &refsim->caches.at[i];
		const struct ms_machine_level *m = &refsim->machine->levels.at[c->level];

		for (uint64_t k = 0; k < m->size / m->line && steps > 0; k++)
			if (c->lines[k].here)
				see(refsim, refsim->steps + steps, c->level, c->lines[k].owner);
	}
	refsim->steps += steps;
}

struct refsim_stay refsim_stay(const struct refsim *refsim, uint32_t level, uint32_t data,
			       uint64_t from, uint64_t to)
{
	struct refsim_stay stay = { 0, 0, 0 };

	for (size_t i = 0; i < refsim->sights.n; i++) {
		const struct sight *s = &refsim->sights.at[i];
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
static void monitor_sees_eviction(struct refsim *refsim, uint32_t level, const struct line *line);
static void monitor_sees_miss(struct refsim *refsim, uint32_t level);

#include "engine/refsim_caches.c"
#include "engine/refsim_lines.c"

#include "engine/refsim_division.c"
#include "engine/refsim_monitor.c"
#include "engine/refsim_optimal.c"
#include "engine/refsim_processors.c"
#include "engine/refsim_timing.c"

/* --- references --- */

static void count_sharing(struct touch *t, bool remote)
{
	uint64_t unit = unit_of(t->refsim, t->address);
	struct refsim_key key = key_of(t, 0, 0);

	key.writer_site = t->lost->writer.site;
	key.writer_data = t->lost->writer.data;
	key.writer_processor = t->lost->writer.processor;
	key.line = unit;
	key.offset = (uint32_t)(t->address - unit);
	key.writer_offset = (uint32_t)(t->lost->written - unit);
	count(t->refsim, is_truly_shared(t, t->lost) ? SLOW_SHARED_TRULY : SLOW_SHARED_FALSELY, key,
	      1);
	if (t->peer)
		count(t->refsim, SLOW_SHARED_PEER, key, 1);
	if (remote)
		count(t->refsim, SLOW_SHARED_REMOTE, key, 1);
}

static void access_line(struct touch *t, enum refsim_kind kind)
{
	bool several = t->refsim->processors > 1;

	if (several && kind != SLOW_READ)
		write_unit(t);
	else if (several && !private_caches_have(t) &&
		 !agent_holds(t, agent_of(t), unit_of(t->refsim, t->address)))
		read_unit(t);
	if (kind != SLOW_WRITE)
		load_from(t, 0);
	if (kind != SLOW_READ)
		store_to(t, 0);
}

void refsim_skip_hits(struct refsim *refsim, uint32_t hits)
{
	refsim->hits = hits;
}

void refsim_reference(struct refsim *refsim, uint32_t site, uint64_t address, uint32_t size,
		      enum refsim_kind kind)
{
	uint32_t first_line = refsim->machine->levels.at[0].line;
	bool counted[16] = { false }, peer = false, remote = false;
	uint32_t missed = 0;
	struct touch t = { .refsim = refsim,
			   .who = { site, data_of(refsim, address), refsim->processor },
			   .counted = counted };

	monitor_begins(refsim, site, t.who.data);
	struct refsim_key key = key_of(&t, 0, 0);
	key.data = refsim->hits != NONE ? refsim->hits : key.data;
	count(refsim, SLOW_REFERENCES, key, 1);
	count(refsim, SLOW_THREAD_REFERENCES, thread_key(&t, 0), 1);
	for (uint64_t at = address / first_line; at <= (address + size - 1) / first_line; at++) {
		const bool several = counted[0];

		t.address = at * first_line > address ? at * first_line : address;
		t.end = (at + 1) * first_line < address + size ? (at + 1) * first_line
							       : address + size;
		t.waits = true;
		t.peer = false;
		t.missed = 0;
		t.lost = NULL;
		uint32_t before = refsim->monitor != NULL ? refsim->monitor->missed : 0;
		monitor_meets(refsim, t.address);
		access_line(&t, kind);
		monitor_counts_misses(refsim, before);
		watch_line(refsim, site, t.who.data, t.address, t.end, kind != SLOW_READ, t.missed);
		keep_first_access(refsim, &t, several);
		time_miss(refsim->timing, t.address, site, t.who.data, t.missed);
		bool far = !t.peer && t.missed == refsim->machine->levels.n && is_remote(&t);
		if (t.lost != NULL)
			count_sharing(&t, far);
		if (refsim->processors > 1 && kind != SLOW_READ)
			wrote_unit(&t);
		if (refsim->processors > 1)
			end_rights(&t);
		if (t.missed > missed) {
			missed = t.missed;
			peer = t.peer;
			remote = far;
		}
	}
	if (peer) {
		count(refsim, SLOW_PEER, key_of(&t, missed - 1, 0), 1);
		count(refsim, SLOW_THREAD_PEER, thread_key(&t, missed - 1), 1);
	}
	if (remote) {
		count(refsim, SLOW_REMOTE, key_of(&t, missed - 1, 0), 1);
		count(refsim, SLOW_THREAD_REMOTE, thread_key(&t, missed - 1), 1);
	}
	monitor_ends(refsim);
}

/* --- a monitor's handler --- */

static bool is_handling(const struct refsim *refsim)
{
	return refsim->monitor != NULL && refsim->monitor->handling;
}

static struct ms_pmu_handler *handler_of(const struct refsim *refsim)
{
	return &refsim->monitor->handler;
}

static void handler_makes(void *arg, uint64_t address, uint32_t size, uint32_t kind)
{
	struct refsim *refsim = arg;
	uint32_t first_line = refsim->machine->levels.at[0].line;
	bool counted[16] = { false };
	uint32_t missed = 0;
	struct touch t = { .refsim = refsim,
			   .who = { UINT32_MAX, refsim->monitor->pmu.data, 0 },
			   .counted = counted };

	for (uint64_t at = address / first_line; at <= (address + size - 1) / first_line; at++) {
		t.address = at * first_line;
		t.waits = true;
		t.missed = 0;
		access_line(&t, (enum refsim_kind)kind);
		missed = t.missed > missed ? t.missed : missed;
	}
	for (uint32_t level = 0; level < missed; level++)
		count(refsim, SLOW_HANDLER_MISSES, (struct refsim_key){ .level = level }, 1);
	refsim->monitor->handler_waited += (double)waits_for(refsim, missed);
}
