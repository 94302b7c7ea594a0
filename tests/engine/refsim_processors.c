/* tests/engine/refsim_processors.c - a part of refsim.c: coherence, and memory of several nodes. */

/* --- who holds what --- */

static bool is_private(const struct refsim *refsim, uint32_t level)
{
	return sharers(refsim, level) == sharers(refsim, 0);
}

static uint32_t agent_of(const struct touch *t)
{
	return t->who.processor / sharers(t->refsim, 0);
}

/* Bytes that are kept coherent together: the largest line of an agent, or that not all share. */
static uint64_t unit_bytes(const struct refsim *refsim)
{
	uint64_t bytes = refsim->machine->levels.at[0].line;

	for (uint32_t level = 0; level < refsim->machine->levels.n; level++)
		if (is_private(refsim, level) || sharers(refsim, level) < refsim->processors)
			bytes = refsim->machine->levels.at[level].line;
	return bytes;
}

static uint64_t unit_of(const struct refsim *refsim, uint64_t address)
{
	return address / unit_bytes(refsim) * unit_bytes(refsim);
}

/* Whether a cache of the agent alone has anything of the unit. */
static bool agent_holds(const struct touch *t, uint32_t agent, uint64_t unit)
{
	for (size_t i = 0; i < t->refsim->caches.n; i++) {
		const struct refsim_cache *c = &t->refsim->caches.at[i];

		if (!is_private(t->refsim, c->level) || c->number != agent)
			continue;
		for (uint64_t at = unit; at < unit + unit_bytes(t->refsim);
		     at += level_of(t, c->level)->line)
			if (line_in(t, c, at) != NULL)
				return true;
	}
	return false;
}

static bool others_hold(const struct touch *t, uint64_t unit)
{
	for (uint32_t a = 0; a * sharers(t->refsim, 0) < t->refsim->processors; a++)
		if (a != agent_of(t) && agent_holds(t, a, unit))
			return true;
	return false;
}

/* What was written stays in an agent's own caches. */
static bool stays_dirty(const struct refsim *refsim)
{
	for (uint32_t level = 0; level < refsim->machine->levels.n; level++)
		if (is_private(refsim, level) &&
		    refsim->machine->levels.at[level].write == MS_WRITE_BACK)
			return true;
	return false;
}

static void write_back(const struct touch *t)
{
	uint32_t last = 0;

	while (last + 1 < level_count(t) && is_private(t->refsim, last + 1))
		last++;
	if (stays_dirty(t->refsim))
		count(t->refsim, SLOW_WRITE_BACKS, key_of(t, last, 0), 1);
}

static struct owned *owned_of(struct refsim *refsim, uint64_t unit)
{
	for (size_t i = 0; i < refsim->owned.n; i++)
		if (refsim->owned.at[i].unit == unit)
			return &refsim->owned.at[i];
	return NULL;
}

static void disown(struct refsim *refsim, struct owned *o)
{
	*o = refsim->owned.at[--refsim->owned.n];
}

static void own(struct refsim *refsim, uint64_t unit, uint32_t agent, bool dirty)
{
	if (owned_of(refsim, unit) == NULL)
		*ms_vec_add(&refsim->owned) = (struct owned){ .unit = unit };
	*owned_of(refsim, unit) = (struct owned){ unit, agent, dirty ? DIRTY : CLEAN };
}

/* Rights to what an agent's caches hold no more end. */
static void end_rights(struct touch *t)
{
	for (size_t i = t->refsim->owned.n; i-- > 0;) {
		struct owned *o = &t->refsim->owned.at[i];

		if (agent_holds(t, o->agent, o->unit))
			continue;
		if (o->state != CLEAN)
			write_back(t);
		disown(t->refsim, o);
	}
}

/* A line comes to an agent that holds nothing of its unit. */
static void read_unit(struct touch *t)
{
	uint64_t unit = unit_of(t->refsim, t->address);
	struct owned *o = owned_of(t->refsim, unit);
	bool dirty = stays_dirty(t->refsim);

	if (o == NULL) {
		if (!others_hold(t, unit) && t->refsim->machine->protocol != MS_PROTOCOL_MSI)
			own(t->refsim, unit, agent_of(t), false);
		return;
	}
	t->peer = o->state != CLEAN && dirty;
	if (o->state == DIRTY && t->refsim->machine->protocol == MS_PROTOCOL_MOESI && dirty)
		o->state = DIRTY_AND_READ;
	if (o->state == DIRTY)
		write_back(t);
	if (o->state != DIRTY_AND_READ)
		disown(t->refsim, o);
}

/* Takes the unit away from caches that the writer does not have. */
static void take_away(struct touch *t)
{
	uint64_t unit = unit_of(t->refsim, t->address);

	for (size_t i = 0; i < t->refsim->caches.n; i++) {
		const struct refsim_cache *c = &t->refsim->caches.at[i];

		if (c == cache_of(t, c->level))
			continue;
		for (uint64_t at = unit; at < unit + unit_bytes(t->refsim);
		     at += level_of(t, c->level)->line) {
			struct line *line = line_in(t, c, at);
			struct history *history = history_of(t, c, at);

			if (line != NULL)
				line->here = false;
			if (history == NULL || history->evictor != NONE || history->lost)
				continue;
			history->lost = true;
			history->lost_at = t->refsim->writes.n;
			history->writer = t->who;
			history->written = t->address;
		}
	}
}

static void write_unit(struct touch *t)
{
	uint64_t unit = unit_of(t->refsim, t->address);
	const struct owned *o = owned_of(t->refsim, unit);
	bool mine = o != NULL && o->agent == agent_of(t);

	if (mine && o->state == DIRTY)
		return;
	if (!(mine && o->state == CLEAN)) {
		if (agent_holds(t, agent_of(t), unit))
			count(t->refsim, SLOW_UPGRADES, key_of(t, 0, 0), 1);
		else
			t->peer = o != NULL && o->state != CLEAN && stays_dirty(t->refsim);
	}
	take_away(t);
	own(t->refsim, unit, agent_of(t), true);
}

static void wrote_unit(struct touch *t)
{
	uint64_t unit = unit_of(t->refsim, t->address);

	*ms_vec_add(&t->refsim->writes) = (struct refsim_write){ t->address, t->end };
	/* It went around all of them: there is nothing to write back. */
	if (!agent_holds(t, agent_of(t), unit))
		disown(t->refsim, owned_of(t->refsim, unit));
}

static bool private_caches_have(const struct touch *t)
{
	for (uint32_t level = 0; level < level_count(t); level++)
		if (is_private(t->refsim, level) && line_in(t, cache_of(t, level), t->address))
			return true;
	return false;
}

/* --- memory of nodes --- */

static uint32_t nth_of(uint64_t nodes, uint64_t n)
{
	for (uint32_t node = 0;; node = (node + 1) % 64)
		if (nodes >> node & 1 && n-- == 0)
			return node;
}

static uint32_t place_page(const struct refsim *refsim, uint64_t address, uint32_t own_node)
{
	uint64_t all = 0, nodes = 0, n = 0;
	uint32_t placement = refsim->machine->placement;

	for (uint32_t i = 0; i < refsim->machine->nodes; i++)
		all |= UINT64_C(1) << i;
	if (placement == MS_PLACEMENT_NODE)
		nodes = UINT64_C(1) << refsim->machine->placement_node;
	for (int exact = 0; exact < 2; exact++)
		for (size_t i = 0; i < refsim->rules.n; i++) {
			const struct refsim_rule *r = &refsim->rules.at[i];

			if (exact ? address < r->start || address >= r->end : r->start != r->end)
				continue;
			placement = r->placement;
			nodes = r->nodes;
			if (r->unmapped) { /* as if nothing had been said */
				placement = refsim->machine->placement;
				nodes = placement == MS_PLACEMENT_NODE
						? UINT64_C(1) << refsim->machine->placement_node
						: 0;
				for (size_t k = 0; k < refsim->rules.n; k++)
					if (refsim->rules.at[k].start == refsim->rules.at[k].end) {
						placement = refsim->rules.at[k].placement;
						nodes = refsim->rules.at[k].nodes;
					}
			}
		}
	nodes = (nodes & all) != 0 ? nodes & all : all;
	for (uint32_t i = 0; i < 64; i++)
		n += nodes >> i & 1;
	if (placement == MS_PLACEMENT_INTERLEAVED)
		return nth_of(nodes, address / 4096 % n);
	if (placement == MS_PLACEMENT_NODE && !(nodes >> own_node & 1))
		return nth_of(nodes, 0);
	return own_node;
}

/* Whether the memory that answers is another node's. */
static bool is_remote(const struct touch *t)
{
	struct refsim *refsim = t->refsim;
	uint64_t line = t->address / level_of(t, 0)->line * level_of(t, 0)->line;
	uint64_t start = line / 4096 * 4096;
	uint32_t own_node = ms_machine_node(refsim->machine, t->who.processor);
	struct page *page = NULL;

	if (refsim->machine->nodes < 2)
		return false;
	for (size_t i = 0; i < refsim->pages.n; i++)
		if (refsim->pages.at[i].address == start)
			page = &refsim->pages.at[i];
	if (page == NULL) {
		page = ms_vec_add(&refsim->pages);
		*page = (struct page){ start, NONE };
	}
	if (page->node == NONE)
		page->node = place_page(refsim, line, own_node);
	return page->node != own_node;
}
