#include "engine/slow.h"

#include <string.h>

#include "base/mem.h"
#include "base/vec.h"

enum { NONE = UINT32_MAX };

/* --- memory: the last thing that happened to an address says whose it is --- */

struct change {
	uint64_t start, end;
	uint32_t data; /* NONE: unmapped */
	bool heap;
};

/* --- caches: a set holds its lines with the time of their last use --- */

struct line {
	uint64_t address; /* of its first byte */
	uint64_t used;    /* 0: empty */
	uint32_t owner;
};

/* Who pushed a line out of a level; NONE while it is there. */
struct history {
	uint64_t address;
	uint32_t level;
	uint32_t evictor;
};

/* --- counters: what, and its coordinates --- */

struct counter {
	const char *what;
	uint32_t site, data, level, other;
	uint64_t count;
};

struct slow {
	const struct ms_machine *machine;
	uint32_t unmapped, freed;
	uint64_t now;
	struct line **levels;
	MS_VEC(struct change) changes;
	MS_VEC(struct history) histories;
	MS_VEC(struct counter) counters;
};

struct slow *slow_open(const struct ms_machine *machine, uint32_t unmapped, uint32_t freed)
{
	struct slow *slow = ms_alloc(sizeof(*slow));

	slow->machine = machine;
	slow->unmapped = unmapped;
	slow->freed = freed;
	slow->levels = ms_alloc(machine->levels.n * sizeof(*slow->levels));
	for (size_t i = 0; i < machine->levels.n; i++)
		slow->levels[i] = ms_alloc(machine->levels.at[i].size / machine->levels.at[i].line *
					   sizeof(struct line));
	return slow;
}

void slow_close(struct slow *slow)
{
	for (size_t i = 0; i < slow->machine->levels.n; i++)
		ms_free(slow->levels[i]);
	ms_free(slow->levels);
	ms_vec_free(&slow->changes);
	ms_vec_free(&slow->histories);
	ms_vec_free(&slow->counters);
	ms_free(slow);
}

static void change(struct slow *slow, uint64_t start, uint64_t end, uint32_t data, bool heap)
{
	*ms_vec_add(&slow->changes) = (struct change){ start, end, data, heap };
}

/* A heap object reaches to the end of its last 8 bytes. */
void slow_place(struct slow *slow, uint64_t start, uint64_t size, uint32_t data)
{
	change(slow, start, (start + size + 7) & ~UINT64_C(7), data, true);
}

void slow_free(struct slow *slow, uint64_t start, uint64_t size)
{
	change(slow, start, (start + size + 7) & ~UINT64_C(7), slow->freed, true);
}

void slow_map(struct slow *slow, uint64_t start, uint64_t end, uint32_t data)
{
	change(slow, start, end, data, false);
}

void slow_unmap(struct slow *slow, uint64_t start, uint64_t end)
{
	change(slow, start, end, NONE, true);
	change(slow, start, end, NONE, false);
}

/* Heap objects lie above regions. */
static uint32_t data_of(const struct slow *slow, uint64_t address)
{
	for (int heap = 1; heap >= 0; heap--)
		for (size_t i = slow->changes.n; i-- > 0;) {
			const struct change *c = &slow->changes.at[i];

			if (c->heap != heap || address < c->start || address >= c->end)
				continue;
			if (c->data != NONE)
				return c->data;
			break;
		}
	return slow->unmapped;
}

static struct counter *counter_of(struct slow *slow, const char *what, uint32_t site, uint32_t data,
				  uint32_t level, uint32_t other)
{
	for (size_t i = 0; i < slow->counters.n; i++) {
		struct counter *c = &slow->counters.at[i];

		if (strcmp(c->what, what) == 0 && c->site == site && c->data == data &&
		    c->level == level && c->other == other)
			return c;
	}
	struct counter *c = ms_vec_add(&slow->counters);
	*c = (struct counter){ what, site, data, level, other, 0 };
	return c;
}

static struct history *history_of(struct slow *slow, uint64_t address, uint32_t level)
{
	for (size_t i = 0; i < slow->histories.n; i++)
		if (slow->histories.at[i].address == address &&
		    slow->histories.at[i].level == level)
			return &slow->histories.at[i];
	return NULL;
}

/* A line comes into a level; tells whether it was ever there, and who pushed it out since. */
static bool fill(struct slow *slow, uint32_t site, uint32_t data, uint32_t level, uint64_t address,
		 struct line *set, uint32_t *evictor)
{
	struct line *oldest = &set[0];
	struct history *history = history_of(slow, address, level);
	bool ever = history != NULL;

	*evictor = ever ? history->evictor : NONE;
	if (!ever)
		history = ms_vec_add(&slow->histories);
	*history = (struct history){ address, level, NONE };
	for (uint32_t way = 1; way < slow->machine->levels.at[level].ways; way++)
		if (set[way].used < oldest->used)
			oldest = &set[way];
	if (oldest->used != 0) {
		counter_of(slow, "eviction", site, data, level, oldest->owner)->count++;
		history_of(slow, oldest->address, level)->evictor = data;
	}
	*oldest = (struct line){ address, slow->now, data };
	return ever;
}

void slow_reference(struct slow *slow, uint32_t site, uint64_t address, uint32_t size)
{
	uint32_t first_line = slow->machine->levels.at[0].line;
	uint32_t data = data_of(slow, address);
	bool counted[16] = { false };

	counter_of(slow, "reference", site, data, 0, 0)->count++;
	for (uint64_t at = address / first_line; at <= (address + size - 1) / first_line; at++) {
		slow->now++;
		for (uint32_t level = 0; level < slow->machine->levels.n; level++) {
			const struct ms_machine_level *m = &slow->machine->levels.at[level];
			uint64_t line = at * first_line / m->line;
			struct line *set =
				slow->levels[level] + line % ms_machine_sets(m) * m->ways;
			struct line *hit = NULL;
			uint32_t evictor;

			for (uint32_t way = 0; way < m->ways; way++)
				if (set[way].used != 0 && set[way].address == line * m->line)
					hit = &set[way];
			if (hit != NULL) {
				hit->used = slow->now;
				break;
			}
			bool ever = fill(slow, site, data, level, line * m->line, set, &evictor);
			if (counted[level])
				continue;
			counted[level] = true;
			counter_of(slow, ever ? "replacement" : "first", site, data, level, 0)
				->count++;
			if (ever)
				counter_of(slow, "replaced", site, data, level, evictor)->count++;
		}
	}
}

static uint64_t count_of(const struct slow *slow, const char *what, uint32_t site, uint32_t data,
			 uint32_t level, uint32_t other)
{
	return counter_of((struct slow *)slow, what, site, data, level, other)->count;
}

uint64_t slow_references(const struct slow *slow, uint32_t site, uint32_t data)
{
	return count_of(slow, "reference", site, data, 0, 0);
}

uint64_t slow_misses(const struct slow *slow, uint32_t site, uint32_t data, uint32_t level,
		     int cause)
{
	return count_of(slow, cause == 0 ? "first" : "replacement", site, data, level, 0);
}

uint64_t slow_replaced(const struct slow *slow, uint32_t site, uint32_t data, uint32_t level,
		       uint32_t other)
{
	return count_of(slow, "replaced", site, data, level, other);
}

uint64_t slow_evictions(const struct slow *slow, uint32_t site, uint32_t data, uint32_t level,
			uint32_t other)
{
	return count_of(slow, "eviction", site, data, level, other);
}

uint64_t slow_counted(const struct slow *slow, const char *what)
{
	uint64_t n = 0;

	for (size_t i = 0; i < slow->counters.n; i++)
		n += strcmp(slow->counters.at[i].what, what) == 0 && slow->counters.at[i].count > 0;
	return n;
}
