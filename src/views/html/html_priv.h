/* views/html/html_priv.h - what the files that make the HTML report share. */
#ifndef MS_VIEWS_HTML_HTML_PRIV_H
#define MS_VIEWS_HTML_HTML_PRIV_H

#include "analysis/source_lines/lines.h"
#include "analysis/summary/summary.h"
#include "views/html/html.h"
#include "views/html/packed.h"

/* How much of a large run the page holds; what is left out is counted. */
enum {
	MS_HTML_REPLACERS = 8,       /* of a bin, a level: data that evicted it */
	MS_HTML_DATA_REPLACERS = 12, /* likewise of a data */
	MS_HTML_DETAILED = 3000,     /* bins that have any of these, or an interval */
	MS_HTML_BIN_LINES = 20,      /* of a bin: lines of source */
	MS_HTML_ALL_LINES = 6000,    /* of all bins */
	MS_HTML_HOT_LINES = 250,     /* of annotated source */
	MS_HTML_LINE_PARTS = 6,      /* code and data of each */
	MS_HTML_CONTEXT = 3,         /* around each of them */
	MS_HTML_EVICTIONS = 250,     /* pairs and places of a level */
	MS_HTML_SHARED_LINES = 50,   /* each has dozens of accesses */
	MS_HTML_THREADS = 300,
	MS_HTML_PATHS = 6000,       /* functions in the tree of call paths, ... */
	MS_HTML_NARROWEST = 10000,  /* each with this part of all stall at least, ... */
	MS_HTML_PATH_COSTS = 20000, /* and data in them */
	MS_HTML_MEMBERS = 5000,     /* of all data */
	MS_HTML_MEMBER_THREADS = 20000,
	MS_HTML_ASSEMBLED = 12,         /* functions with their instructions, in a file */
	MS_HTML_ASSEMBLY_BYTES = 16384, /* of a function */
	MS_HTML_INSTRUCTIONS = 2500,    /* likewise */
	MS_HTML_ALLOCATED =
		8000, /* data with its allocation call paths, where a file would be too large */
	MS_HTML_RANGED = 500,         /* data with ranges of addresses, 64 each */
	MS_HTML_INTRINSIC = 5000,     /* data with intrinsic misses */
	MS_HTML_LINE_USES = 5000,     /* data with used bytes and access kinds ... */
	MS_HTML_REUSED = 500,         /* ... and with miss curves and reuses, 16 each */
	MS_HTML_RANK_DATA = 16,       /* data of which the stall of each rank is shown */
	MS_HTML_RANK_BINS = 250,      /* code and data whose stall differs between ranks */
	MS_HTML_INTERVALS = 5000,     /* of sampled runs: code and data, of each */
	MS_HTML_BIN_INTERVALS = 2000, /* likewise bins, and lines of bins */
	/* Of a served page; it asks for the others. */
	MS_HTML_FIRST_BINS = 3000, /* a run that has not more is sent as a whole */
	MS_HTML_FIRST_ROWS = 2000, /* code and data, of each */
	MS_HTML_MAPPED = 64,       /* code and data whose bins the overview may show */
	MS_HTML_LIVE_BINS = 20000, /* of a running program, sent every second */
	/* Of a file. */
	MS_HTML_FILE_BYTES = 2900000, /* a larger one leaves more out ... */
	MS_HTML_SHRUNK_BINS = 100000, /* ... and has a half, a fourth ... of these */
	MS_HTML_MOST_SHRUNK = 6,
};

/* Tables that pages ask for together. */
enum {
	MS_HTML_LISTS = 1,    /* code and data */
	MS_HTML_BINS = 2,     /* bins */
	MS_HTML_REPLACED = 4, /* which data evicted data */
	MS_HTML_FRAMES = 8,   /* where data was allocated */
	MS_HTML_DETAILS = 16, /* both, and what else the details of an entry show */
	MS_HTML_TIME = 32,    /* slices, and misses by set */
	MS_HTML_TREE = 64,    /* call paths */
	MS_HTML_RANKS = 128,  /* ranks of a merged run */
	MS_HTML_ALL = 255,
};

struct ms_html_wanted {
	unsigned groups;
	/* At most; SIZE_MAX: all. */
	size_t code_rows;
	size_t data_rows;
	size_t bins;
	uint32_t code; /* only the details and bins of this row, from 0; MS_NONE: all; likewise */
	uint32_t data;
	unsigned shrink; /* how often to halve what else is limited */
};

/* Of code and data of the run: their rows in the tables. */
struct ms_html_rows {
	uint32_t *code;
	uint32_t *data;
};

/* paths.c: the tables of call paths; empty if the run has none. */
void ms_html_put_paths(struct ms_html_packed *packed, const struct ms_summary *summary,
		       const struct ms_html_rows *rows);
/* slices.c: the tables of misses over time; empty if the run has none. */
void ms_html_put_slices(struct ms_html_packed *packed, const struct ms_run *run,
			const struct ms_html_rows *rows);
/* ranks.c: the tables of the ranks of a merged run; empty in others. */
void ms_html_put_ranks(struct ms_html_packed *packed, const struct ms_run *run,
		       const struct ms_html_rows *rows);
/* tables.c: the object of tables. */
void ms_html_put_tables(const struct ms_summary *summary, const struct ms_html_wanted *wanted,
			FILE *out);
/* page.c: the summary that the caller has; own is made if it has none. */
int ms_html_open_summary(const struct ms_run *run, const struct ms_html_options *options,
			 struct ms_summary *own, struct ms_summary **summary, struct ms_err *err);
void ms_html_close_summary(struct ms_summary *summary, struct ms_summary *own);
/* assembly.c: the array of functions with their instructions; empty without sources. */
void ms_html_put_assembly(const struct ms_summary *summary, const struct ms_html_options *options,
			  FILE *out);
/* source.c: the array of lines around those that `lines` shows. */
void ms_html_context(const struct ms_lines *lines, const struct ms_html_options *options,
		     FILE *out);

/* compress.c: the element with the JSON of a page; a large one that may be mailed is compressed.
 */
int ms_html_put_data(const char *json, size_t size, bool mailed, FILE *out, struct ms_err *err);

/* Made by tools/embed-web of web/: the page up to where its data stands, and from there on. */
extern const char ms_html_page_start[];
extern const char ms_html_page_end[];
extern const char ms_html_page_policy[];

#endif
