/* run/code_and_data.h - functions, source lines, instructions, and data structures of a run; part
 * of run/run.h. */
#ifndef MS_RUN_CODE_AND_DATA_H
#define MS_RUN_CODE_AND_DATA_H

#include <stdbool.h>
#include <stdint.h>

/* A function, or its module and an offset if it is not known. */
struct ms_run_code {
	const char *name;   /* demangled */
	const char *module; /* path of the program or library */
	const char *file;   /* NULL when unknown */
	uint32_t line;      /* where it begins; 0 when unknown */
	uint64_t offset;    /* of its entry in the module */
};

/* A source line inside a function; instructions is the number of instructions executed there. */
struct ms_run_line {
	uint32_t code;
	const char *file; /* NULL when unknown */
	uint32_t line;    /* 0 when unknown */
	uint64_t instructions;
	uint64_t cycles; /* of compute time, estimated; in-order cores: 0, one an instruction */
};

enum ms_run_site_kind {
	MS_SITE_READ,
	MS_SITE_WRITE,
	MS_SITE_MODIFY,
	MS_SITE_ACCESS, /* the hardware does not record which */
};

/* One instruction that makes references. A modify counts as a read, as in cachegrind. */
struct ms_run_site {
	uint32_t line;   /* index into lines */
	uint32_t kind;   /* enum ms_run_site_kind */
	uint32_t size;   /* bytes a reference */
	uint64_t offset; /* of the instruction in its module, or its address if there is none */
	const char
		*inlined; /* "a (f.c:3) < b (f.c:9)": the inline chain, outermost last; or NULL */
};

enum ms_run_data_kind {
	MS_DATA_HEAP,
	MS_DATA_STATIC,
	MS_DATA_TLS,
	MS_DATA_STACK,
	MS_DATA_FILE,    /* a mapped file */
	MS_DATA_MAPPED,  /* anonymous memory mapped by the program */
	MS_DATA_SECTION, /* a module's memory that belongs to no variable */
	MS_DATA_UNKNOWN, /* could not be attributed; reason says why */
	MS_DATA_NAMED,   /* the program has named it */
	MS_DATA_GROUP,   /* rules have merged several kinds */
	MS_DATA_ANY,     /* references whose data was not looked up: see misses_only */
};

/* A data bin. */
struct ms_run_data {
	const char *name;      /* short, as shown: "Matrix.Y"; unique within a run */
	const char *full_name; /* with the call path or the module and file */
	const char *type;      /* NULL when unknown */
	const char *reason;    /* only for MS_DATA_UNKNOWN: why; else NULL */
	uint32_t kind;         /* enum ms_run_data_kind */
	uint64_t objects;      /* number of all objects */
	uint64_t bytes;        /* of all objects */
	uint64_t peak_bytes;   /* most allocated at one time */
	uint64_t largest;      /* bytes of the largest */
	uint64_t paths;        /* call paths that share it, if they were merged; else 0 */
	const char *key;  /* once rules have been applied: what it was known by (run/key.h), or the
			     name of what they made of several; else NULL. Not stored. */
	bool ruled;       /* a rule has given its name. Not stored. */
	uint32_t grouped; /* heap data that a report shows together here; else 0. Not stored. */
};

/* One frame of a heap bin's allocation call path; depth 0 called the allocator. */
struct ms_run_frame {
	uint32_t data;
	uint32_t depth;
	const char *function;
	const char *file; /* NULL when unknown */
	uint32_t line;
	const char *module;
	uint64_t offset;
};

#endif
