#include "machine/core.h"

#include <inttypes.h>
#include <stdio.h>

#include "machine/machine_priv.h"

static const char *const core_words[] = {
	[MS_CORE_IN_ORDER] = "in-order",
	[MS_CORE_OUT_OF_ORDER] = "out-of-order",
	NULL,
};
static const char *const page_words[] = { "stop", "cross", NULL };
static const char *const huge_words[] = {
	[MS_HUGE_PAGES_ALWAYS] = "always",
	[MS_HUGE_PAGES_MADVISE] = "madvise",
	[MS_HUGE_PAGES_NEVER] = "never",
	NULL,
};

#define AT(field)   offsetof(struct ms_machine_core, field)
#define CPU         "machine"
#define MEMORY      "memory"
#define PREFETCH    "prefetch"
#define TLB         "tlb"
#define BYTES_CYCLE "bytes/cycle"
#define ENTRIES     (1 << 20)
#define GIB         (1 << 30)

/*
 * The assumed figures are round numbers in the middle of the range of the processor families in
 * machines/.
 */
/* clang-format off */
const struct ms_machine_figure_row ms_machine_figures[MS_FIGURES] = {
	[MS_FIGURE_CORE] = { CPU, "core", "", MS_FORM_WORD, AT(out_of_order), 0, 1, 1, core_words },
	[MS_FIGURE_IPC] = { CPU, "ipc", "instructions/cycle", MS_FORM_MILLI, AT(ipc_milli), 100, 16000, 3000, NULL },
	[MS_FIGURE_WINDOW] = { CPU, "window", "instructions", MS_FORM_COUNT, AT(window), 1, 4096, 256, NULL },
	[MS_FIGURE_STORE_BUFFER] = { CPU, "store-buffer", "entries", MS_FORM_COUNT, AT(store_buffer), 1, 1024, 64, NULL },
	[MS_FIGURE_CLOCK] = { CPU, "clock", "MHz", MS_FORM_COUNT, AT(clock_mhz), 0, 100000, 0, NULL },
	[MS_FIGURE_LOAD_LATENCY] = { CPU, "load-latency", "cycles", MS_FORM_COUNT, AT(load_latency), 1, MS_OPERATION_LATENCY_MOST, 4, NULL },
	[MS_FIGURE_FLOAT_ADD_LATENCY] = { CPU, "float-add-latency", "cycles", MS_FORM_COUNT, AT(float_add_latency), 1, MS_OPERATION_LATENCY_MOST, 3, NULL },
	[MS_FIGURE_FLOAT_MULTIPLY_LATENCY] = { CPU, "float-multiply-latency", "cycles", MS_FORM_COUNT, AT(float_multiply_latency), 1, MS_OPERATION_LATENCY_MOST, 4, NULL },
	[MS_FIGURE_BANDWIDTH] = { MEMORY, "bandwidth", BYTES_CYCLE, MS_FORM_MILLI, AT(bandwidth_milli), 0, 4096000, 6000, NULL },
	[MS_FIGURE_WRITE_BANDWIDTH] = { MEMORY, "write-bandwidth", BYTES_CYCLE, MS_FORM_MILLI, AT(write_bandwidth_milli), 0, 4096000, 4000, NULL },
	[MS_FIGURE_TOTAL_BANDWIDTH] = { MEMORY, "total-bandwidth", BYTES_CYCLE, MS_FORM_MILLI, AT(total_bandwidth_milli), 0, 4096000, 0, NULL },
	[MS_FIGURE_PREFETCH_DISTANCE] = { PREFETCH, "distance", "lines", MS_FORM_COUNT, AT(prefetch_distance), 0, 4096, 16, NULL },
	[MS_FIGURE_PREFETCH_STRIDE] = { PREFETCH, "stride", "bytes", MS_FORM_SIZE, AT(prefetch_stride), 0, GIB, 2048, NULL },
	[MS_FIGURE_PREFETCH_STREAMS] = { PREFETCH, "streams", "", MS_FORM_COUNT, AT(prefetch_streams), 1, 1024, 16, NULL },
	[MS_FIGURE_PREFETCH_PAGES] = { PREFETCH, "pages", "", MS_FORM_WORD, AT(prefetch_crosses_pages), 0, 1, 0, page_words },
	[MS_FIGURE_TLB_ENTRIES] = { TLB, "entries", "pages", MS_FORM_COUNT, AT(tlb_entries), 1, ENTRIES, 64, NULL },
	[MS_FIGURE_TLB_SECOND_ENTRIES] = { TLB, "second-entries", "pages", MS_FORM_COUNT, AT(tlb_second_entries), 0, ENTRIES, 1536, NULL },
	[MS_FIGURE_TLB_SECOND_LATENCY] = { TLB, "second-latency", "cycles", MS_FORM_COUNT, AT(tlb_second_latency), 0, MS_LATENCY_MOST, 7, NULL },
	[MS_FIGURE_WALK_LATENCY] = { TLB, "walk-latency", "cycles", MS_FORM_COUNT, AT(walk_latency), 0, MS_LATENCY_MOST, 35, NULL },
	[MS_FIGURE_WALKS] = { TLB, "walks", "", MS_FORM_COUNT, AT(walks), 1, 1024, 4, NULL },
	[MS_FIGURE_PAGE] = { TLB, "page", "bytes", MS_FORM_PAGE, AT(page), 4096, 65536, 4096, NULL },
	[MS_FIGURE_HUGE_PAGE] = { TLB, "huge-page", "bytes", MS_FORM_PAGE, AT(huge_page), 0, GIB, 2 << 20, NULL },
	[MS_FIGURE_HUGE_PAGES] = { TLB, "huge-pages", "", MS_FORM_WORD, AT(huge_pages), 0, 2, MS_HUGE_PAGES_MADVISE, huge_words },
};
/* clang-format on */

/* 4250 -> "4.25" */
static void write_milli(uint32_t value, char out[MS_FIGURE_TEXT])
{
	int n = snprintf(out, MS_FIGURE_TEXT, "%" PRIu32 ".%03" PRIu32, value / 1000, value % 1000);

	while (out[n - 1] == '0')
		out[--n] = '\0';
	if (out[n - 1] == '.')
		out[n - 1] = '\0';
}

char *ms_machine_size_text(uint64_t size, char out[MS_FIGURE_TEXT])
{
	static const char units[] = { 'G', 'M', 'K' };

	for (unsigned i = 0; i < MS_COUNT(units); i++) {
		unsigned shift = 30 - 10 * i;

		if (size >> shift != 0 && size % (UINT64_C(1) << shift) == 0) {
			snprintf(out, MS_FIGURE_TEXT, "%" PRIu64 "%c", size >> shift, units[i]);
			return out;
		}
	}
	snprintf(out, MS_FIGURE_TEXT, "%" PRIu64, size);
	return out;
}

char *ms_machine_figure_text(const struct ms_machine_core *core, enum ms_machine_figure figure,
			     char out[MS_FIGURE_TEXT])
{
	const struct ms_machine_figure_row *row = &ms_machine_figures[figure];
	uint32_t value = ms_machine_figure_of(core, figure);

	switch (row->form) {
	case MS_FORM_MILLI:
		write_milli(value, out);
		break;
	case MS_FORM_SIZE:
	case MS_FORM_PAGE:
		ms_machine_size_text(value, out);
		break;
	case MS_FORM_WORD:
		snprintf(out, MS_FIGURE_TEXT, "%s", row->words[value]);
		break;
	case MS_FORM_COUNT:
		snprintf(out, MS_FIGURE_TEXT, "%" PRIu32, value);
		break;
	}
	return out;
}

void ms_machine_assume_core(struct ms_machine *machine)
{
	struct ms_machine_core *core = &machine->core;

	for (size_t i = 0; core->out_of_order && i < MS_FIGURES; i++) {
		if (machine->figure_origins[i] != NULL)
			continue;
		*ms_machine_figure_at(core, (enum ms_machine_figure)i) =
			ms_machine_figures[i].assumed;
		machine->figure_origins[i] = MS_ORIGIN_ASSUMED;
	}
	for (size_t i = 0; core->out_of_order && i < machine->levels.n; i++) {
		struct ms_machine_level *level = &machine->levels.at[i];

		if (level->outstanding_origin != NULL)
			continue;
		level->outstanding = MS_ASSUMED_OUTSTANDING;
		level->outstanding_origin = MS_ORIGIN_ASSUMED;
	}
	core->outstanding = machine->levels.n > 0 ? machine->levels.at[0].outstanding : 0;
}
