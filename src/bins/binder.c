/* bins/binder.c - the registry of special data, sites and blocks. */
#include "bins/binder.h"

#include <string.h>

#include "bins/binder_priv.h"
#include "wire/operands.h"

static const struct ms_bins_bound_data specials[MS_BOUND_SPECIALS] = {
	[MS_BOUND_UNMAPPED] = { .kind = MS_BOUND_UNKNOWN,
				.text = "<unknown>",
				.reason = "address is in no mapped region" },
	[MS_BOUND_FREED] = { .kind = MS_BOUND_UNKNOWN,
			     .text = "<freed>",
			     .reason = "heap block was already freed" },
	[MS_BOUND_STACK] = { .kind = MS_BOUND_STACKS, .text = "<stack>" },
	[MS_BOUND_ALLOCATOR] = { .kind = MS_BOUND_MAPPING, .text = "<allocator>" },
	[MS_BOUND_TLS] = { .kind = MS_BOUND_TLS_VARIABLE, .text = "<thread-local>" },
	[MS_BOUND_START] = { .kind = MS_BOUND_MAPPING, .text = "<start-up>" },
	[MS_BOUND_MONITOR] = { .kind = MS_BOUND_MAPPING, .text = "<monitor>" },
	[MS_BOUND_NOT_SEEN] = { .kind = MS_BOUND_UNKNOWN,
				.text = "<not seen>",
				.reason = "it was not seen, as it was between windows or in other "
					  "sets" },
	[MS_BOUND_NOT_RECORDED] = { .kind = MS_BOUND_UNKNOWN,
				    .text = "<not recorded>",
				    .reason =
					    "recording its heap block would have taken too long" },
	[MS_BOUND_HITS] = { .kind = MS_BOUND_ANY, .text = "<not looked up>" },
	[MS_BOUND_BEFORE_ATTACH] = { .kind = MS_BOUND_MAPPING,
				     .text = "<heap, allocated before attach>" },
	[MS_BOUND_OTHERS] = { .kind = MS_BOUND_ANY, .text = "<other data>" },
	[MS_BOUND_OPENMP] = { .kind = MS_BOUND_HEAP, .text = "<OpenMP runtime>" },
	[MS_BOUND_MPI] = { .kind = MS_BOUND_HEAP, .text = "<MPI runtime>" },
};

struct ms_bins *ms_bins_open(void)
{
	struct ms_bins *binder = ms_alloc(sizeof(*binder));

	binder->path_limit = MS_BOUND_PATHS;
	for (int i = 0; i < MS_BOUND_SPECIALS; i++) {
		struct ms_bins_bound_data data = specials[i];

		data.module = MS_BOUND_NO_MODULE;
		ms_bins_add_data(binder, &data);
	}
	*ms_vec_add(&binder->nodes) = (struct ms_bins_path_node){
		0, { MS_BOUND_NO_MODULE, 0 }, 0, MS_MAP_NONE, MS_MAP_NONE
	};
	return binder;
}

void ms_bins_close(struct ms_bins *binder)
{
	if (binder == NULL)
		return;
	ms_bins_free_frames(&binder->frames);
	for (size_t i = 0; i < binder->modules.n; i++)
		if (!binder->modules.at[i].borrowed)
			ms_symbols_module_close(binder->modules.at[i].symbols);
	ms_vec_free(&binder->modules);
	ms_vec_free(&binder->sites);
	ms_vec_free(&binder->blocks);
	ms_vec_free(&binder->call_sites);
	ms_map_free(&binder->call_site_of);
	ms_vec_free(&binder->data);
	ms_vec_free(&binder->nodes);
	ms_vec_free(&binder->paths);
	ms_free(binder->site_table);
	ms_map_free(&binder->text_data);
	ms_map_free(&binder->part_data);
	ms_map_free(&binder->node_of);
	ms_map_free(&binder->shared_bin_of);
	ms_map_free(&binder->function_of);
	ms_vec_free(&binder->functions);
	ms_names_free(&binder->names);
	ms_arena_free(&binder->arena);
	ms_free(binder);
}

uint32_t ms_bins_add_data(struct ms_bins *binder, const struct ms_bins_bound_data *data)
{
	*ms_vec_add(&binder->data) = *data;
	return (uint32_t)binder->data.n - 1;
}

uint32_t ms_bins_unknown(struct ms_bins *binder, const char *reason)
{
	const char *kept = ms_intern(&binder->names, reason);

	for (uint32_t i = 0; i < binder->data.n; i++)
		if (binder->data.at[i].reason == kept)
			return i;
	return ms_bins_add_data(binder,
				&(struct ms_bins_bound_data){ .kind = MS_BOUND_UNKNOWN,
							      .text = "<address not known>",
							      .reason = kept,
							      .module = MS_BOUND_NO_MODULE });
}

uint64_t ms_bins_pc_key(struct ms_bins_bound_pc pc)
{
	return (uint64_t)(pc.module + 1) << 48 ^ pc.offset;
}

struct ms_bins_bound_pc ms_bins_locate(const struct ms_bins *binder, uint64_t pc)
{
	/* The newest first: another module may use the addresses of one that was unloaded. */
	for (size_t i = binder->modules.n; i-- > 0;) {
		const struct ms_bins_bound_module *m = &binder->modules.at[i];

		if (!m->gone && pc - m->text < m->text_size)
			return (struct ms_bins_bound_pc){ (uint32_t)i, pc - m->bias };
	}
	return (struct ms_bins_bound_pc){ MS_BOUND_NO_MODULE, pc };
}

static uint64_t hash_of_site(const struct ms_bins_bound_site *s)
{
	return ms_hash(ms_bins_pc_key(s->pc),
		       (uint64_t)s->ordinal << 32 | (uint64_t)s->kind << 16 | s->size);
}

static bool is_same_site(const struct ms_bins_bound_site *a, const struct ms_bins_bound_site *b)
{
	return a->pc.offset == b->pc.offset && a->pc.module == b->pc.module && a->size == b->size &&
	       a->kind == b->kind && a->ordinal == b->ordinal;
}

/* The entry with the number of the site, or the empty entry for it. */
static uint32_t *find_site(const struct ms_bins *binder, const struct ms_bins_bound_site *site)
{
	size_t mask = binder->site_table_size - 1, i = hash_of_site(site) & mask;

	while (binder->site_table[i] != 0 &&
	       !is_same_site(&binder->sites.at[binder->site_table[i] - 1], site))
		i = (i + 1) & mask;
	return &binder->site_table[i];
}

static void grow_site_table(struct ms_bins *binder)
{
	enum { SMALLEST_TABLE = 64 };

	ms_free(binder->site_table);
	binder->site_table_size =
		binder->site_table_size > 0 ? binder->site_table_size * 2 : SMALLEST_TABLE;
	binder->site_table = ms_alloc(binder->site_table_size * sizeof(*binder->site_table));
	for (uint32_t i = 0; i < binder->sites.n; i++)
		*find_site(binder, &binder->sites.at[i]) = i + 1;
}

/* The same instruction in another block, or translated again, is the same site. */
static uint32_t site_at(struct ms_bins *binder, struct ms_bins_bound_pc pc, unsigned ordinal,
			const struct ms_wire_ref *ref)
{
	struct ms_bins_bound_site site = { pc, ref->size, ref->kind,
					   ref->times > 0 ? ref->times : 1, (uint16_t)ordinal };

	if (binder->sites.n * 2 >= binder->site_table_size)
		grow_site_table(binder);
	uint32_t *number = find_site(binder, &site);
	if (*number == 0) {
		*ms_vec_add(&binder->sites) = site;
		*number = (uint32_t)binder->sites.n;
	}
	return *number - 1;
}

static void bind_refs(struct ms_bins *binder, const struct ms_bins_bound_pc *pcs,
		      const struct ms_wire_ref *wire, size_t n, struct ms_bins_bound_ref *refs)
{
	unsigned ordinal = 0; /* among the references of one instruction */

	for (size_t i = 0; i < n; i++) {
		ordinal = i > 0 && wire[i].instruction == wire[i - 1].instruction ? ordinal + 1 : 0;
		refs[i] = (struct ms_bins_bound_ref){
			site_at(binder, pcs[wire[i].instruction], ordinal, &wire[i]), wire[i].size,
			wire[i].kind, wire[i].instruction
		};
	}
}

static int check_block(const struct ms_bins *binder, uint32_t number, const uint64_t *words,
		       size_t n, struct ms_err *err)
{
	struct ms_wire_block head;

	if (number != binder->blocks.n)
		return ms_fail(err, MS_EFORMAT, "stream: block %u described, expected block %zu",
			       number, binder->blocks.n);
	if (n < 1)
		return ms_fail(err, MS_EFORMAT, "stream: block %u: no description", number);
	memcpy(&head, words, sizeof(head));
	if (n != ms_wire_count_block_words(&head))
		return ms_fail(err, MS_EFORMAT, "stream: block %u: %zu words, expected %u", number,
			       n, ms_wire_count_block_words(&head));

	/*
	 * No writer emits larger blocks. Processing one would only cost time: its instructions
	 * times its exits.
	 */
	if (n + 1 > MS_WIRE_RESERVE_WORDS)
		return ms_fail(err, MS_EFORMAT, "stream: block %u: %zu words, expected at most %d",
			       number, n, MS_WIRE_RESERVE_WORDS - 1);

	const struct ms_wire_ref *refs = (const void *)(words + 1 + head.instructions);
	const struct ms_wire_exit *exits = (const void *)(refs + head.refs);
	for (unsigned i = 0; i < head.refs; i++)
		if (refs[i].instruction >= head.instructions || refs[i].kind > MS_WIRE_MODIFY)
			return ms_fail(err, MS_EFORMAT,
				       "stream: block %u: reference %u is malformed", number, i);
	for (unsigned i = 0; i < head.exits; i++)
		if (exits[i].refs > head.refs || exits[i].instructions > head.instructions)
			return ms_fail(err, MS_EFORMAT, "stream: block %u: exit %u is malformed",
				       number, i);
	const uint64_t *operands = (const void *)(exits + head.exits);
	if (head.operands > 1)
		return ms_fail(err, MS_EFORMAT,
			       "stream: block %u: operands of kind %u, expected 0 or 1", number,
			       head.operands);
	for (unsigned i = 0; i < head.instructions && head.operands != 0; i++)
		if (!ms_wire_are_operands(operands[i]))
			return ms_fail(err, MS_EFORMAT,
				       "stream: block %u: operands of instruction %u are malformed",
				       number, i);
	return MS_OK;
}

static bool are_near(const struct ms_bins_bound_pc *pcs, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		int64_t distance = (int64_t)(pcs[i].offset - pcs[0].offset);

		if (pcs[i].module != pcs[0].module || distance != (int32_t)distance)
			return false;
	}
	return true;
}

static void keep_pcs(struct ms_bins *binder, struct ms_bins_bound_block *block,
		     const struct ms_bins_bound_pc *pcs)
{
	size_t n = block->instructions;

	if (!are_near(pcs, n)) {
		struct ms_bins_bound_pc *each = ms_arena_take(&binder->arena, n * sizeof(*each));

		memcpy(each, pcs, n * sizeof(*each));
		block->each = each;
		return;
	}
	int32_t *distance = ms_arena_take(&binder->arena, n * sizeof(*distance));

	for (size_t i = 0; i < n; i++)
		distance[i] = (int32_t)(pcs[i].offset - pcs[0].offset);
	if (n > 0)
		block->first = pcs[0];
	block->distance = distance;
}

void ms_bins_omit_operands(struct ms_bins *binder)
{
	binder->omits_operands = true;
}

static const uint64_t *keep_operands(struct ms_bins *binder, const uint64_t *words, size_t n)
{
	uint64_t *operands = ms_arena_take(&binder->arena, n * sizeof(*operands));

	memcpy(operands, words, n * sizeof(*operands));
	return operands;
}

int ms_bins_block(struct ms_bins *binder, uint32_t number, const uint64_t *words, size_t n,
		  const struct ms_bins_bound_block **result, struct ms_err *err)
{
	struct ms_wire_block head;

	MS_TRY(check_block(binder, number, words, n, err));
	memcpy(&head, words, sizeof(head));

	struct ms_bins_bound_block *block = ms_arena_take(&binder->arena, sizeof(*block));
	struct ms_bins_bound_pc pcs[MS_WIRE_RESERVE_WORDS];
	struct ms_bins_bound_ref *refs = ms_arena_take(&binder->arena, head.refs * sizeof(*refs));
	uint16_t *exits = ms_arena_take(&binder->arena, 3 * head.exits * sizeof(*exits));
	const struct ms_wire_ref *wire_refs = (const void *)(words + 1 + head.instructions);
	const struct ms_wire_exit *wire_exits = (const void *)(wire_refs + head.refs);

	for (unsigned i = 0; i < head.instructions; i++)
		pcs[i] = ms_bins_locate(binder, words[1 + i]);
	bind_refs(binder, pcs, wire_refs, head.refs, refs);
	for (unsigned i = 0; i < head.exits; i++) {
		exits[i] = wire_exits[i].refs;
		exits[head.exits + i] = wire_exits[i].instructions;
		exits[2 * head.exits + i] = (uint16_t)wire_exits[i].made;
	}
	*block = (struct ms_bins_bound_block){
		head.instructions,
		head.refs,
		head.exits,
		.ref = refs,
		.exit_refs = exits,
		.exit_instructions = exits + head.exits,
		.exit_made = exits + 2 * (size_t)head.exits,
	};
	if (head.operands != 0 && head.instructions > 0 && !binder->omits_operands)
		block->operands =
			keep_operands(binder, words + n - head.instructions, head.instructions);
	keep_pcs(binder, block, pcs);
	*ms_vec_add(&binder->blocks) = block;
	*result = block;
	return MS_OK;
}

uint32_t ms_bins_call_site(struct ms_bins *binder, uint64_t pc)
{
	struct ms_bins_bound_pc at = ms_bins_locate(binder, pc);
	uint32_t *number = ms_map_at(&binder->call_site_of, at.module, at.offset);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)binder->call_sites.n;
		*ms_vec_add(&binder->call_sites) = at;
	}
	return *number;
}

uint64_t ms_bins_count_module_changes(const struct ms_bins *binder)
{
	return binder->modules.n + binder->modules_gone;
}

uint64_t ms_bins_function(const struct ms_bins *binder, uint64_t pc)
{
	struct ms_bins_bound_pc at = ms_bins_locate(binder, pc);
	struct ms_symbols_module *symbols = ms_bins_symbols(binder, at.module);
	uint64_t start =
		symbols != NULL ? ms_symbols_module_function(symbols, at.offset) : UINT64_MAX;

	return start == UINT64_MAX ? 0 : pc - at.offset + start;
}

struct ms_bins_bound_pc ms_bins_call_site_at(const struct ms_bins *binder, uint32_t call_site)
{
	return binder->call_sites.at[call_site];
}

size_t ms_bins_sites(const struct ms_bins *binder)
{
	return binder->sites.n;
}

const struct ms_bins_bound_site *ms_bins_site(const struct ms_bins *binder, uint32_t site)
{
	return &binder->sites.at[site];
}

size_t ms_bins_blocks(const struct ms_bins *binder)
{
	return binder->blocks.n;
}

const struct ms_bins_bound_block *ms_bins_block_at(const struct ms_bins *binder, uint32_t number)
{
	return binder->blocks.at[number];
}

size_t ms_bins_data_count(const struct ms_bins *binder)
{
	return binder->data.n;
}

const struct ms_bins_bound_data *ms_bins_get_data(const struct ms_bins *binder, uint32_t data)
{
	return &binder->data.at[data];
}

uint32_t ms_bins_part(struct ms_bins *binder, uint32_t data, const char *part)
{
	const char *name = ms_intern(&binder->names, part);
	uint32_t *slot = ms_map_at(&binder->part_data, data, (uintptr_t)name);

	if (*slot == MS_MAP_NONE) {
		struct ms_bins_bound_data of = binder->data.at[data];

		of.part = name;
		of.bytes = 0; /* objects are counted when they are allocated */
		*slot = ms_bins_add_data(binder, &of);
	}
	return *slot;
}
