/*
 * Whether an engine has counted the use of selected lines as the reference simulator has
 * (refsim_lines.c). A part of tests/unit/engine/reference_simulator.c and observed_lines.c.
 */

/* Rows that were compared, of all seeds. */
static struct {
	uint64_t uses, written, curves, reuses, last_level, threads;
} compared_lines;

static uint64_t sum_of_groups(const uint64_t groups[MS_ENGINE_LINE_GROUPS])
{
	uint64_t sum = 0;

	for (unsigned g = 0; g < MS_ENGINE_LINE_GROUPS; g++)
		sum += groups[g];
	return sum;
}

static void compare_line_uses(struct refsim *refsim, const struct ms_engine_totals *totals)
{
	uint64_t lines[2] = { 0, 0 };
	uint32_t last = (uint32_t)refsim->machine->levels.n - 1;

	for (size_t i = 0; i < totals->line_uses.n; i++) {
		const struct ms_engine_total_line_use *u = &totals->line_uses.at[i];
		const struct ms_engine_total_cell *cell = &totals->cells.at[u->cell];
		struct ms_engine_line_use use =
			refsim_line_use(refsim, cell->site, cell->data, cell->processor, u->level);

		assert_memory_equal(&u->use, &use, sizeof(use));
		lines[u->level == last] += sum_of_groups(use.lines);
		compared_lines.uses += sum_of_groups(use.lines) > 0;
		compared_lines.written += sum_of_groups(use.written) > 0;
		compared_lines.last_level += u->level > 0;
	}
	struct ms_engine_line_use all =
		refsim_line_use(refsim, REFSIM_ANY, REFSIM_ANY, REFSIM_ANY, last);

	assert_int_equal(lines[1], sum_of_groups(all.lines)); /* the engine has omitted none */
}

static void compare_line_reuse(const struct refsim *refsim, const struct ms_engine_totals *totals)
{
	for (size_t i = 0; i < totals->curves.n; i++) {
		struct ms_engine_total_curve curve = { .data = totals->curves.at[i].data };

		refsim_curve(refsim, &curve);
		assert_memory_equal(totals->curves.at[i].accesses, curve.accesses,
				    sizeof(curve.accesses));
		assert_memory_equal(totals->curves.at[i].shortest, curve.shortest,
				    sizeof(curve.shortest));
		assert_memory_equal(totals->curves.at[i].longest, curve.longest,
				    sizeof(curve.longest));
		compared_lines.curves++;
	}
	for (size_t i = 0; i < totals->reuses.n; i++) {
		const struct ms_engine_total_reuse *r = &totals->reuses.at[i];
		struct ms_engine_total_reuse reuse =
			refsim_reuse(refsim, r->data, r->from_site, r->to_site);

		assert_int_equal(r->count, reuse.count);
		assert_int_equal(r->log2_bytes, reuse.log2_bytes);
		compared_lines.reuses++;
	}
}

/* Accesses by thread; not where they are in their objects, which are chosen at random. */
static void compare_line_threads(const struct refsim *refsim, const struct ms_engine_totals *totals)
{
	for (size_t i = 0; i < totals->offsets.n; i++) {
		const struct ms_engine_total_offsets *o = &totals->offsets.at[i];
		const struct ms_engine_total_cell *cell = &totals->cells.at[o->cell];
		uint64_t weight =
			refsim_line_accesses(refsim, cell->site, cell->data, cell->processor,
					     refsim->processors > 1 ? o->thread : refsim->thread);

		assert_true(o->weight > 0);
		assert_int_equal(o->weight, weight);
		compared_lines.threads += o->thread > 0;
	}
}

static void compare_lines(struct refsim *refsim, const struct ms_engine_totals *totals)
{
	compare_line_uses(refsim, totals);
	compare_line_reuse(refsim, totals);
	compare_line_threads(refsim, totals);
}
