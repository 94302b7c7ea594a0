/* perf/data_src.c - which part of the memory system answered a load, from perf's data source. */
#include "perf/perf_priv.h"

/* Newer kernels: one number. */
static uint32_t by_number(const union perf_mem_data_src *s)
{
	bool remote = s->mem_remote != 0;

	switch (s->mem_lvl_num) {
	case PERF_MEM_LVLNUM_L1:
		return MS_ANSWER_L1;
	case PERF_MEM_LVLNUM_L2:
		return MS_ANSWER_L2;
	case PERF_MEM_LVLNUM_L3:
	case PERF_MEM_LVLNUM_L4:
	case PERF_MEM_LVLNUM_ANY_CACHE:
		if (remote)
			return MS_ANSWER_REMOTE_PEER;
		/* Another core had the line, modified, or the line came from a neighbour. */
		return (s->mem_snoop & PERF_MEM_SNOOP_HITM) != 0 || s->mem_hops != 0
			       ? MS_ANSWER_PEER
			       : MS_ANSWER_L3;
	case PERF_MEM_LVLNUM_LFB:
		return MS_ANSWER_BUFFER;
	case PERF_MEM_LVLNUM_RAM:
	case PERF_MEM_LVLNUM_PMEM:
		return remote ? MS_ANSWER_REMOTE : MS_ANSWER_LOCAL;
	default:
		return MS_ANSWER_UNKNOWN;
	}
}

/* Older kernels: bits. */
static uint32_t by_bits(const union perf_mem_data_src *s)
{
	static const struct {
		uint32_t bits;
		uint32_t answer;
	} rows[] = {
		{ PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2, MS_ANSWER_REMOTE_PEER },
		{ PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2, MS_ANSWER_REMOTE },
		{ PERF_MEM_LVL_LOC_RAM, MS_ANSWER_LOCAL },
		{ PERF_MEM_LVL_IO | PERF_MEM_LVL_UNC, MS_ANSWER_OTHER },
		{ PERF_MEM_LVL_LFB, MS_ANSWER_BUFFER },
		{ PERF_MEM_LVL_L1, MS_ANSWER_L1 },
		{ PERF_MEM_LVL_L2, MS_ANSWER_L2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if ((s->mem_lvl & rows[i].bits) != 0)
			return rows[i].answer;
	if ((s->mem_lvl & PERF_MEM_LVL_L3) == 0)
		return MS_ANSWER_UNKNOWN;
	/* A miss of the last level without a further source was answered by memory. */
	if ((s->mem_lvl & PERF_MEM_LVL_MISS) != 0)
		return MS_ANSWER_LOCAL;
	return (s->mem_snoop & PERF_MEM_SNOOP_HITM) != 0 ? MS_ANSWER_PEER : MS_ANSWER_L3;
}

uint32_t ms_perf_data_src_answer(uint64_t data_src)
{
	union perf_mem_data_src s = { .val = data_src };
	uint32_t answer = by_number(&s);

	return answer != MS_ANSWER_UNKNOWN ? answer : by_bits(&s);
}

uint32_t ms_perf_data_src_kind(uint64_t data_src)
{
	union perf_mem_data_src s = { .val = data_src };
	bool load = (s.mem_op & PERF_MEM_OP_LOAD) != 0, store = (s.mem_op & PERF_MEM_OP_STORE) != 0;

	if (load && store)
		return MS_SITE_MODIFY;
	return load ? MS_SITE_READ : store ? MS_SITE_WRITE : MS_SITE_ACCESS;
}
