#include "engine/address_map/numa_placement.h"

#include <string.h>

#include "base/mem.h"

enum { PAGE_BITS = 12, REGION_BITS = 21, REGION_PAGES = 1 << (REGION_BITS - PAGE_BITS) };

/* --- changes --- */

void ms_address_map_add_numa_change(struct ms_address_map_numa_changes *changes,
				    const struct ms_address_map_numa_change *change)
{
	struct ms_address_map_numa_change *new = ms_arena_take(&changes->arena, sizeof(*new));

	*new = *change;
	new->next = NULL;
	if (changes->last != NULL)
		changes->last->next = new;
	else
		changes->first = new;
	changes->last = new;
	changes->n++;
}

/* --- opening and closing --- */

void ms_address_map_open_numa(struct ms_address_map_numa *p, const struct ms_machine *machine)
{
	*p = (struct ms_address_map_numa){
		.nodes = machine->nodes > 1 ? machine->nodes : 1,
		.node_processors = machine->node_processors,
		.default_rule = { .placement = machine->placement },
	};
	if (machine->placement == MS_PLACEMENT_NODE)
		p->default_rule.nodes = UINT64_C(1) << machine->placement_node;
}

void ms_address_map_close_numa(struct ms_address_map_numa *p)
{
	ms_vec_free(&p->rules);
	ms_vec_free(&p->nodes_of);
	ms_vec_free(&p->starts);
	ms_map_free(&p->regions);
	ms_arena_free(&p->arena);
}

uint64_t ms_address_map_measure_numa(const struct ms_address_map_numa *p)
{
	return p->arena.taken + ms_map_bytes(&p->regions) + p->rules.cap * sizeof(*p->rules.at) +
	       p->nodes_of.cap * sizeof(*p->nodes_of.at) + p->starts.cap * sizeof(*p->starts.at);
}

uint32_t ms_address_map_get_processor_node(const struct ms_address_map_numa *p, uint32_t processor)
{
	return p->node_processors != 0 ? processor / p->node_processors : 0;
}

/* --- rules --- */

/* Unplaces pages of the region that overlap [start, end). */
static void unplace_pages(struct ms_address_map_numa *p, size_t region, uint64_t start,
			  uint64_t end)
{
	uint64_t first = p->starts.at[region], last = first + (UINT64_C(1) << REGION_BITS);

	first = start > first ? start : first;
	last = end < last ? end : last;
	if (first >= last)
		return;
	uint64_t from = first - p->starts.at[region], to = last - p->starts.at[region] - 1;
	memset(p->nodes_of.at[region] + (from >> PAGE_BITS), 0,
	       ((to >> PAGE_BITS) - (from >> PAGE_BITS) + 1) * sizeof(uint16_t));
}

static void unplace_range(struct ms_address_map_numa *p, uint64_t start, uint64_t end)
{
	uint64_t regions = (end - start) >> REGION_BITS;

	if (regions > p->starts.n) {
		for (size_t i = 0; i < p->starts.n; i++)
			unplace_pages(p, i, start, end);
		return;
	}
	for (uint64_t r = start >> REGION_BITS; start < end && r <= (end - 1) >> REGION_BITS; r++) {
		uint32_t region = ms_map_get(&p->regions, r, 0);

		if (region != MS_MAP_NONE)
			unplace_pages(p, region, start, end);
	}
}

/* Removes the range from all rules. */
static void cut_rules(struct ms_address_map_numa *p, uint64_t start, uint64_t end)
{
	size_t n = p->rules.n;

	for (size_t i = 0; i < n; i++) {
		struct ms_address_map_numa_change rule = p->rules.at[i];

		if (rule.start >= end || rule.end <= start)
			continue;
		p->rules.at[i].end = start > rule.start ? start : rule.start;
		if (rule.end > end) {
			rule.start = end;
			*ms_vec_add(&p->rules) = rule;
		}
	}
	size_t kept = 0;
	for (size_t i = 0; i < p->rules.n; i++)
		if (p->rules.at[i].start < p->rules.at[i].end)
			p->rules.at[kept++] = p->rules.at[i];
	p->rules.n = kept;
}

/* Does not copy `next`: another thread may be writing it. */
static struct ms_address_map_numa_change rule_by(const struct ms_address_map_numa_change *change)
{
	return (struct ms_address_map_numa_change){ .start = change->start,
						    .end = change->end,
						    .nodes = change->nodes,
						    .placement = change->placement };
}

static void apply_change(struct ms_address_map_numa *p,
			 const struct ms_address_map_numa_change *change)
{
	if (change->start == change->end) {
		p->default_rule = rule_by(change);
		return;
	}
	cut_rules(p, change->start, change->end);
	if (change->unplaces)
		unplace_range(p, change->start, change->end);
	else
		*ms_vec_add(&p->rules) = rule_by(change);
}

void ms_address_map_apply_numa_changes(struct ms_address_map_numa *p,
				       const struct ms_address_map_numa_changes *changes,
				       uint32_t n)
{
	for (; p->changes < n; p->changes++) {
		p->last_applied = p->last_applied == NULL ? changes->first : p->last_applied->next;
		apply_change(p, p->last_applied);
	}
}

/* --- pages --- */

static const struct ms_address_map_numa_change *rule_of(const struct ms_address_map_numa *p,
							uint64_t address)
{
	for (size_t i = p->rules.n; i-- > 0;)
		if (address >= p->rules.at[i].start && address < p->rules.at[i].end)
			return &p->rules.at[i];
	return &p->default_rule;
}

/* The n-th node of the set, modulo its size. */
static uint32_t nth_node(uint64_t nodes, uint64_t n)
{
	for (n %= (uint64_t)__builtin_popcountll(nodes); n > 0; n--)
		nodes &= nodes - 1;
	return (uint32_t)__builtin_ctzll(nodes);
}

static uint32_t choose_node(const struct ms_address_map_numa *p, uint64_t address, uint32_t toucher)
{
	const struct ms_address_map_numa_change *rule = rule_of(p, address);
	uint64_t all = UINT64_MAX >> (64 - p->nodes);
	uint64_t nodes = (rule->nodes & all) != 0 ? rule->nodes & all : all;

	if (rule->placement == MS_PLACEMENT_INTERLEAVED)
		return nth_node(nodes, address >> PAGE_BITS);
	if (rule->placement == MS_PLACEMENT_NODE && !(nodes >> toucher & 1))
		return nth_node(nodes, 0);
	return toucher;
}

uint32_t ms_address_map_get_page_node(struct ms_address_map_numa *p, uint64_t address,
				      uint32_t toucher)
{
	uint32_t *region = ms_map_at(&p->regions, address >> REGION_BITS, 0);

	if (*region == MS_MAP_NONE) {
		*region = (uint32_t)p->nodes_of.n;
		*ms_vec_add(&p->starts) = address >> REGION_BITS << REGION_BITS;
		*ms_vec_add(&p->nodes_of) =
			ms_arena_take(&p->arena, REGION_PAGES * sizeof(uint16_t));
	}
	uint16_t *node = &p->nodes_of.at[*region][address >> PAGE_BITS & (REGION_PAGES - 1)];
	if (*node == 0)
		*node = (uint16_t)(choose_node(p, address, toucher) + 1);
	return *node - 1u;
}
