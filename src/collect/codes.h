/*
 * collect/codes.h - which function and line of the run an instruction belongs to.
 *
 * Every instruction that was executed is asked for, neighbours mostly together, and most more than
 * once: what was found for one stands in pages by its place in the module.
 */
#ifndef MS_COLLECT_CODES_H
#define MS_COLLECT_CODES_H

#include "base/map.h"
#include "base/vec.h"
#include "bins/binder.h"
#include "run/run.h"

struct pc_page;

struct pc_pages {
	MS_VEC(struct pc_page *) at; /* NULL: nothing was asked for there */
};

struct ms_codes {
	struct ms_binder *binder;
	struct ms_run *run;     /* whose codes and lines are filled */
	struct ms_names *names; /* that own its texts */
	struct ms_map codes;    /* (function name and module) to codes */
	struct ms_map lines;    /* (code, file and line) to lines */
	struct ms_map far;      /* (module, offset) of what no page holds */
	MS_VEC(struct pc_pages) modules;
	struct ms_arena arena; /* of the pages */
	/* What was made last: the next one is often the same. */
	struct ms_frame last;
	uint32_t last_module;
	uint32_t last_line;
};

void ms_codes_open(struct ms_codes *codes, struct ms_binder *binder, struct ms_run *run,
		   struct ms_names *names);
void ms_codes_close(struct ms_codes *codes);
uint32_t ms_codes_line(struct ms_codes *codes, struct ms_bound_pc pc);
/* "a (f.c:3) < b (f.c:9)", innermost first; NULL when nothing was inlined here. */
const char *ms_codes_inlined(struct ms_codes *codes, struct ms_bound_pc pc);

#endif
