/*
 * hardware/joined_cells.c - see joined_cells.h.
 *
 * A site of the simulation and a site of a sample are the same if they are the same instruction. A
 * large run has one site for all instructions of a line (name/merge_sites.c); a sample of an
 * instruction that is no site of its own belongs to that.
 */
#include "hardware/joined_cells.h"

#include "run/merge_samples.h"

static uint64_t line_key(uint32_t line, uint32_t kind)
{
	return (uint64_t)line << 8 | kind;
}

/* Not an offset of any instruction: any of the line. */
static const uint64_t any_offset = UINT64_MAX;

static void index_site(struct ms_hardware_joined *j, uint32_t site)
{
	const struct ms_run_site *s = &j->run->sites.at[site];
	const uint64_t offsets[] = { s->offset, any_offset };

	for (size_t i = 0; i < MS_COUNT(offsets); i++) {
		uint32_t *known = ms_map_at(&j->site_of, offsets[i], line_key(s->line, s->kind));

		if (*known == MS_MAP_NONE)
			*known = site;
	}
}

static const uint32_t several = MS_MAP_NONE - 1; /* data structures */

/* With several processors a pair of site and data has several cells: the first one. */
static void index_cell(struct ms_hardware_joined *j, uint32_t cell)
{
	const struct ms_run_cell *c = &j->run->cells.at[cell];
	uint32_t *known = ms_map_at(&j->cell_of, c->site, c->data);

	if (*known == MS_MAP_NONE)
		*known = cell;
	uint32_t *only = ms_map_at(&j->only_data_of, c->site, 0);

	if (*only == MS_MAP_NONE)
		*only = cell;
	else if (*only != several && j->run->cells.at[*only].data != c->data)
		*only = several;
}

void ms_hardware_join_open(struct ms_hardware_joined *j, struct ms_name_state *naming)
{
	*j = (struct ms_hardware_joined){ .run = naming->run, .naming = naming };
	for (uint32_t i = 0; i < j->run->sites.n; i++)
		index_site(j, i);
	for (uint32_t i = 0; i < j->run->cells.n; i++)
		index_cell(j, i);
}

static uint32_t site_of(struct ms_hardware_joined *j, const struct ms_hardware_site *site)
{
	struct ms_bins_bound_pc pc = { site->module, site->offset };
	uint32_t line = ms_name_line(j->naming, pc);
	uint32_t known = *ms_map_at(&j->site_of, site->offset, line_key(line, site->kind));

	if (known == MS_MAP_NONE && j->run->merged_sites > 0)
		known = *ms_map_at(&j->site_of, any_offset, line_key(line, site->kind));
	if (known != MS_MAP_NONE)
		return known;
	known = (uint32_t)j->run->sites.n;
	*ms_vec_add(&j->run->sites) =
		(struct ms_run_site){ .line = line,
				      .kind = site->kind,
				      .size = site->size,
				      .offset = site->offset,
				      .inlined = ms_name_inlined(j->naming, pc) };
	index_site(j, known);
	return known;
}

/* The simulation knows the address of every reference, also of a load that overwrites it. */
static bool is_known_by_simulation(const struct ms_hardware_joined *j, uint32_t data,
				   uint32_t only_cell)
{
	return only_cell < several &&
	       ms_bins_get_data(j->naming->from.binder, data)->kind == MS_BOUND_UNKNOWN;
}

uint32_t ms_hardware_join_cell(struct ms_hardware_joined *j, const struct ms_hardware_site *site,
			       uint32_t data, uint32_t *sureness)
{
	uint32_t of = site_of(j, site), only = *ms_map_at(&j->only_data_of, of, 0);

	if (is_known_by_simulation(j, data, only)) {
		*sureness = MS_SURE_LEARNT;
		return only;
	}
	uint32_t to = ms_name_data(j->naming, data);
	uint32_t *known = ms_map_at(&j->cell_of, of, to);

	if (*known == MS_MAP_NONE) {
		*known = (uint32_t)j->run->cells.n;
		*ms_vec_add(&j->run->cells) = (struct ms_run_cell){ .site = of, .data = to };
	}
	return *known;
}

void ms_hardware_join_close(struct ms_hardware_joined *j)
{
	/* Instructions that share a site have rows that differ in nothing. */
	ms_run_merge_samples(j->run);
	ms_map_free(&j->site_of);
	ms_map_free(&j->cell_of);
	ms_map_free(&j->only_data_of);
}
