/*
 * By which key the reference simulator counts what a row of an engine's totals has. A part of tests
 * that compare the two.
 */
static struct refsim_key cell_key(const struct ms_engine_totals *t, uint32_t cell, uint32_t level,
				  uint32_t other)
{
	const struct ms_engine_total_cell *c = &t->cells.at[cell];

	return (struct refsim_key){ .site = c->site,
				    .data = c->data,
				    .processor = c->processor,
				    .level = level,
				    .other = other };
}

static struct refsim_key sharing_key(const struct ms_engine_totals *t,
				     const struct ms_engine_total_sharing *s)
{
	const struct ms_engine_total_cell *writer = &t->cells.at[s->writer];
	struct refsim_key key = cell_key(t, s->cell, 0, 0);

	key.writer_site = writer->site;
	key.writer_data = writer->data;
	key.writer_processor = writer->processor;
	key.line = s->line;
	key.offset = s->offset;
	key.writer_offset = s->writer_offset;
	return key;
}
