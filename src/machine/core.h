/*
 * machine/core.h - figures of the processor core that determine how much of a miss it waits for:
 * out-of-order execution, store buffer, prefetcher, TLB, bandwidth. Descriptions only;
 * engine/timing applies them. docs/formats/machine.md has their keys, units and bounds.
 */
#ifndef MS_MACHINE_CORE_H
#define MS_MACHINE_CORE_H

#include <stddef.h>
#include <stdint.h>

enum ms_machine_core_type {
	MS_CORE_IN_ORDER, /* each miss costs its whole latency; nothing below applies */
	MS_CORE_OUT_OF_ORDER,
};

/* Which mappings the system backs with huge pages. */
enum ms_machine_huge_pages {
	MS_HUGE_PAGES_ALWAYS,
	MS_HUGE_PAGES_MADVISE, /* those for which the program asks: madvise(MADV_HUGEPAGE) */
	MS_HUGE_PAGES_NEVER,
};

/* All 0 for an in-order core whose description states nothing else. */
struct ms_machine_core {
	uint32_t out_of_order; /* enum ms_machine_core_type */
	uint32_t ipc_milli;    /* 1/1000 instruction per cycle, sustained, when no data misses */
	uint32_t window;       /* instructions in flight */
	uint32_t store_buffer; /* entries */
	uint32_t clock_mhz;    /* 0: not known */
	/* Cycles from operands to result; a load: one that hits the first level. */
	uint32_t load_latency, float_add_latency, float_multiply_latency;
	uint32_t prefetch_distance; /* lines ahead; 0: there is no prefetcher */
	uint32_t prefetch_stride;   /* bytes: the largest stride that is covered */
	uint32_t prefetch_streams;
	uint32_t prefetch_crosses_pages;
	uint32_t tlb_entries, tlb_second_entries, tlb_second_latency, walk_latency, walks;
	uint32_t page;       /* bytes */
	uint32_t huge_page;  /* bytes; 0: there are none */
	uint32_t huge_pages; /* enum ms_machine_huge_pages */
	/* 1/1000 byte per cycle; 0: unlimited. total: of all processors together. */
	uint32_t bandwidth_milli, write_bandwidth_milli, total_bandwidth_milli;
	uint32_t outstanding; /* misses of the first level in flight; 0: not stated */
};

/* The figures that have a key of their own outside [level], in the order of machine files. */
enum ms_machine_figure {
	MS_FIGURE_CORE,
	MS_FIGURE_IPC,
	MS_FIGURE_WINDOW,
	MS_FIGURE_STORE_BUFFER,
	MS_FIGURE_CLOCK,
	MS_FIGURE_LOAD_LATENCY,
	MS_FIGURE_FLOAT_ADD_LATENCY,
	MS_FIGURE_FLOAT_MULTIPLY_LATENCY,
	MS_FIGURE_BANDWIDTH,
	MS_FIGURE_WRITE_BANDWIDTH,
	MS_FIGURE_TOTAL_BANDWIDTH,
	MS_FIGURE_PREFETCH_DISTANCE,
	MS_FIGURE_PREFETCH_STRIDE,
	MS_FIGURE_PREFETCH_STREAMS,
	MS_FIGURE_PREFETCH_PAGES,
	MS_FIGURE_TLB_ENTRIES,
	MS_FIGURE_TLB_SECOND_ENTRIES,
	MS_FIGURE_TLB_SECOND_LATENCY,
	MS_FIGURE_WALK_LATENCY,
	MS_FIGURE_WALKS,
	MS_FIGURE_PAGE,
	MS_FIGURE_HUGE_PAGE,
	MS_FIGURE_HUGE_PAGES,
	MS_FIGURES
};

/* How the value of a figure is written. */
enum ms_machine_figure_form {
	MS_FORM_COUNT, /* 128 */
	MS_FORM_MILLI, /* 4.25; stored times 1000 */
	MS_FORM_SIZE,  /* 4K */
	MS_FORM_PAGE,  /* 4K; 0 or a power of two */
	MS_FORM_WORD,
};

struct ms_machine_figure_row {
	const char *section; /* "machine", "memory", "prefetch", "tlb" */
	const char *key;
	const char *unit; /* for display; "" if it has none */
	enum ms_machine_figure_form form;
	size_t offset;            /* of the uint32_t in struct ms_machine_core */
	uint32_t least, most;     /* as stored */
	uint32_t assumed;         /* for an out-of-order core whose description omits it */
	const char *const *words; /* by value; ends with NULL */
};

extern const struct ms_machine_figure_row ms_machine_figures[MS_FIGURES];

enum { MS_OPERATION_LATENCY_MOST = 100 };

/* Misses of a level in flight, for an out-of-order core whose description omits them. */
enum { MS_ASSUMED_OUTSTANDING = 16, MS_OUTSTANDING_MOST = 1024 };

static inline uint32_t *ms_machine_figure_at(struct ms_machine_core *core,
					     enum ms_machine_figure figure)
{
	return (uint32_t *)((char *)core + ms_machine_figures[figure].offset);
}

static inline uint32_t ms_machine_figure_of(const struct ms_machine_core *core,
					    enum ms_machine_figure figure)
{
	return *(const uint32_t *)((const char *)core + ms_machine_figures[figure].offset);
}

enum { MS_FIGURE_TEXT = 32 };

/* The value as in machine files: "out-of-order", "4.25", "2M". */
char *ms_machine_figure_text(const struct ms_machine_core *core, enum ms_machine_figure figure,
			     char out[MS_FIGURE_TEXT]);

#endif
