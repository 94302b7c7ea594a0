/*
 * bins/naming.h - names for data bins, in the programmer's terms.
 *
 * A heap bin is named Type.variable after the variable that receives the pointer. The search
 * follows the allocation call path outwards through wrappers (xmalloc, NewMatrix, operator new, the
 * C++ library) to the first frame that assigns it. The full name contains the call path.
 */
#ifndef MS_BINS_NAMING_H
#define MS_BINS_NAMING_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "symbols/symbols.h"

/* One return address of a call path, innermost first (frame 0 called the allocator). */
struct ms_bins_path_pc {
	struct ms_symbols_module *module; /* NULL: in no module */
	uint64_t offset; /* of the return address in the module; the address where NULL */
};

/* Where the program calls. */
struct ms_bins_call_position {
	struct ms_text text;
	uint32_t column; /* 0: not known */
};

enum { MS_BINS_MOST_POSITIONS = 3 };

struct ms_bins_data_name {
	struct ms_text
		name;        /* "Matrix.Y"; or, when no variable is known, the function that
				allocated and two of its callers: "NewMatrix (matmul.c:12) < main:40" */
	struct ms_text full; /* "main (matmul.c:40) > NewMatrix (matmul.c:12) > Matrix.Y" */
	const char *type;    /* NULL when unknown; lives as long as the module */
	/*
	 * The calls from the named one outwards: "tree.c:12", "40" in the same file, "main.c:7". Of
	 * a container the first is the function that has the variable: "build".
	 */
	struct ms_bins_call_position positions[MS_BINS_MOST_POSITIONS];
	size_t position_count;
	bool container; /* a container's methods have allocated it */
	/*
	 * Data of equal origins is one data structure: the same calls in the source allocate it, or
	 * methods of the same container. 0: only the instructions that called are known.
	 */
	uint64_t origin;
};

void ms_bins_free_name(struct ms_bins_data_name *name);

/*
 * Whether it is code of an allocator or of a standard library. Data is never named after such code.
 */
bool ms_bins_is_library_name(const struct ms_symbols_frame *frame);
void ms_bins_name_heap(const struct ms_bins_path_pc *path, size_t n, struct ms_bins_data_name *out);

#endif
