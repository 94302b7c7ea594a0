/*
 * views/disassembly.h - the instructions of a part of a program or library, as objdump of binutils
 * writes them.
 */
#ifndef MS_VIEWS_DISASSEMBLY_H
#define MS_VIEWS_DISASSEMBLY_H

#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"

struct ms_views_instruction {
	uint64_t offset; /* in the module, as sites have it */
	const char *text;
};

struct ms_views_disassembly {
	struct ms_arena arena;
	MS_VEC(struct ms_views_instruction) at;
	const char *trouble; /* why there are none; NULL: there are */
};

/* Instructions from `from` up to before `to`, at most `most`. */
void ms_views_disassemble(struct ms_views_disassembly *d, const char *module, uint64_t from,
			  uint64_t to, size_t most);
void ms_views_disassembly_free(struct ms_views_disassembly *d);

#endif
