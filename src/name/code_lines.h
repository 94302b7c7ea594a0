/*
 * name/code_lines.h - finds the function and line of the run that an instruction belongs to.
 *
 * Every executed instruction is looked up, most of them more than once, and neighbours mostly one
 * after the other. So results are cached in pages, indexed by the instruction's offset in its
 * module.
 */
#ifndef MS_NAME_CODE_LINES_H
#define MS_NAME_CODE_LINES_H

#include "base/map.h"
#include "base/vec.h"
#include "bins/binder.h"
#include "run/run.h"

struct ms_name_pc_page;

struct ms_name_pc_pages {
	MS_VEC(struct ms_name_pc_page *) at; /* NULL: no instruction was looked up there */
};

/* Where inlined code was inlined: some of chain_lines. */
struct ms_name_chain {
	size_t first, n;
};

struct ms_name_codes {
	struct ms_bins *binder;
	struct ms_run *run;     /* receives the codes and lines */
	struct ms_names *names; /* owns the run's strings */
	struct ms_map codes;    /* (function name and module) to codes */
	struct ms_map lines;    /* (code, file and line) to lines */
	struct ms_map far;      /* (module, offset) to results that no page holds */
	MS_VEC(struct ms_name_pc_pages) modules;
	struct ms_map chain_of; /* (module, offset) of inlined code to chains */
	MS_VEC(struct ms_name_chain) chains;
	MS_VEC(uint32_t) chain_lines;
	struct ms_arena arena; /* owns the pages */
	/* The last result: the next one is often the same. */
	struct ms_symbols_frame last;
	uint32_t last_module;
	uint32_t last_line;
};

void ms_name_codes_open(struct ms_name_codes *codes, struct ms_bins *binder, struct ms_run *run,
			struct ms_names *names);
void ms_name_codes_close(struct ms_name_codes *codes);
uint32_t ms_name_codes_line(struct ms_name_codes *codes, struct ms_bins_bound_pc pc);
/*
 * The lines at which the function of ms_name_codes_line() was inlined, outermost first; *lines is
 * valid until the next call. Functions of system headers are left out, as there. Returns their
 * number.
 */
size_t ms_name_codes_inliners(struct ms_name_codes *codes, struct ms_bins_bound_pc pc,
			      const uint32_t **lines);
/* "a (f.c:3) < b (f.c:9)", innermost first; NULL when nothing was inlined here. */
const char *ms_name_codes_inlined(struct ms_name_codes *codes, struct ms_bins_bound_pc pc);

#endif
