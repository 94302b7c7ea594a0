/* advise/advise_priv.h - what the kinds of findings share. A kind is a function that reads evidence
 * of a run and adds its findings. */
#ifndef MS_ADVISE_ADVISE_PRIV_H
#define MS_ADVISE_ADVISE_PRIV_H

#include "advise/advise.h"
#include "analysis/confidence_intervals/intervals.h"
#include "analysis/evidence/bins.h"
#include "analysis/members/members.h"
#include "base/compiler.h"

struct ms_advise_search {
	struct ms_advise *advise;
	const struct ms_summary *summary;
	const struct ms_run *run;
	struct ms_arena *arena;
	struct ms_evidence_bins bins;
	struct ms_intervals intervals; /* of data, in sampled runs; else empty */
	double time;                   /* compute and stall cycles of the run; above 0 */
	double faults;                 /* cycles of page faults, which reports do not have */
};

typedef void ms_advise_finder(struct ms_advise_search *search);

/* One for each kind, in files of their names. */
ms_advise_finder ms_advise_find_loop_order, ms_advise_find_blocking, ms_advise_find_fusion,
	ms_advise_find_working_set, ms_advise_find_thread_working_set, ms_advise_find_padding,
	ms_advise_find_split, ms_advise_find_soa, ms_advise_find_member_order,
	ms_advise_find_line_use, ms_advise_find_pointer_chasing, ms_advise_find_gather,
	ms_advise_find_streaming_stores, ms_advise_find_huge_pages, ms_advise_find_false_sharing,
	ms_advise_find_true_sharing, ms_advise_find_remote_memory, ms_advise_find_allocation;

/* Where a finding is, and what its remedy saves. */
struct ms_advise_place {
	enum ms_advise_kind kind;
	uint32_t data, code, line;
	double saved; /* cycles */
	double error; /* factor: the saved cycles may be this much more, or less */
	/* Its misses depend on nothing, so that they overlap; with several processors, it is not
	 * known how far. */
	bool overlaps;
};

/*
 * Adds a finding; NULL: it would gain too little, or cannot be distinguished from nothing. The
 * pointer is valid until the next one is added.
 */
struct ms_advise_finding *ms_advise_add(struct ms_advise_search *search,
					const struct ms_advise_place *place);
/* Adds a figure, and the command that shows it: all about the data in the code. */
void ms_advise_show(struct ms_advise_search *search, struct ms_advise_finding *finding,
		    const char *fmt, ...) MS_PRINTF(3, 4);
/* Likewise, with another command ("sharing --data x"). */
void ms_advise_show_by(struct ms_advise_search *search, struct ms_advise_finding *finding,
		       const char *command, const char *fmt, ...) MS_PRINTF(4, 5);
/* "memspy fields NAME @3". */
const char *ms_advise_fields_command(struct ms_advise_search *search, uint32_t data);
/* "memspy evictions --of NAME @3". */
const char *ms_advise_evictions_command(struct ms_advise_search *search, uint32_t data);
/* "memspy COMMAND --data NAME @3". */
const char *ms_advise_data_command(struct ms_advise_search *search, const char *command,
				   uint32_t data);

const char *ms_advise_percent(struct ms_arena *arena, double share);
const char *ms_advise_count(struct ms_arena *arena, double value);
const char *ms_advise_size(struct ms_arena *arena, double bytes);
/* "12000": an exact figure, as source has it. */
const char *ms_advise_number(struct ms_arena *arena, double value);
/* "sum (list.c:36)", as far as it is known. */
const char *ms_advise_place_name(struct ms_advise_search *search, uint32_t code, uint32_t line);
/* What texts call it: its name; "this data" for a long path of allocations. */
const char *ms_advise_data_name(struct ms_advise_search *search, uint32_t data);
/* The variable of "Matrix.Y" or "node.node": what the source calls it; "a" if it is not known. */
const char *ms_advise_variable(struct ms_advise_search *search, uint32_t data);
/* "sum" of "stats::sum(int)", as a call has it. */
const char *ms_advise_function(struct ms_advise_search *search, uint32_t code);
/* The type of an element: "particle"; "record" if it is not known. */
const char *ms_advise_record_name(struct ms_advise_search *search, uint32_t data);
/* "int>" of "std::vector<int>": an array of what it holds. Qualifiers are skipped, too. */
const char *ms_advise_skip_containers(const char *type);
/* The type of an element as a declaration in the language of the line's file has it: "double",
 * "struct particle"; "T" if it is not known. Without qualifiers: a local copy needs none. */
const char *ms_advise_element_type(struct ms_advise_search *search, uint32_t data, uint32_t line);
/* With those that declare data that several threads use: "volatile uint64_t". */
const char *ms_advise_shared_type(struct ms_advise_search *search, uint32_t data, uint32_t line);
/* Bytes of an element: by its type, else those of a reference. */
double ms_advise_element_bytes(struct ms_advise_search *search, const struct ms_evidence_bin *bin);
/* Bytes of an element with members; 0: it has none, or its size is not known. */
uint32_t ms_advise_record_bytes(const struct ms_run *run, uint32_t data);
/* Whether a declaration of the source can have the record's name: not if it has none, or is a
 * class of the C++ library. */
bool ms_advise_can_declare(struct ms_advise_search *search, uint32_t data);

/* Of the source that a line of the run is in: snippets are in its language. */
enum ms_advise_language { MS_ADVISE_C, MS_ADVISE_CXX, MS_ADVISE_FORTRAN, MS_ADVISE_RUST };
enum ms_advise_language ms_advise_find_language(const struct ms_run *run, uint32_t line);

/* Members of a record, and which of them code uses: a flag for each; none may be known. */
struct ms_advise_layout {
	const struct ms_members *members;
	const bool *hot;
	enum ms_advise_language language;
};
/* Whether a declaration of the source can place the member of this name: the compiler places its
 * own ("_vptr.Base") and what is before elements ("(header)"), and padding (NULL) has none. */
bool ms_advise_is_movable(const char *member);
/* NULL: the declaration cannot be written. An array for each hot member; two records; the hot
 * members first, at a line. */
const char *ms_advise_soa_snippet(struct ms_advise_search *search,
				  const struct ms_advise_layout *layout);
const char *ms_advise_split_snippet(struct ms_advise_search *search,
				    const struct ms_advise_layout *layout);
const char *ms_advise_order_snippet(struct ms_advise_search *search,
				    const struct ms_advise_layout *layout, unsigned line);
/* The record of a finding's data, with one member at a line of its own. */
const char *ms_advise_aligned_snippet(struct ms_advise_search *search,
				      const struct ms_advise_finding *f, const char *field,
				      unsigned line);
/* Whether the data is one that the user can change: not the stack, not memory without a name. */
bool ms_advise_is_users(const struct ms_run *run, uint32_t data);

/* Whether data is accessed in the order of memory: prefetching hides half of the latency; with
 * several processors, where that is not known, most strides are short. */
bool ms_advise_is_in_order(const struct ms_advise_search *search,
			   const struct ms_evidence_bin *bin);
/* Whether each reference goes to another row of an array that is used as a whole. */
bool ms_advise_is_column_walk(const struct ms_advise_search *search,
			      const struct ms_evidence_bin *bin);
/* walks.c: a walk over rows of an array. */
struct ms_advise_walk {
	double stride; /* bytes: the most frequent one of an instruction ... */
	double share;  /* ... and of references; 0: they are not strided, or were not observed */
	double pitch;  /* from one row to the next: less than the stride in unrolled loops */
	double rows;   /* of the largest object */
};
struct ms_advise_walk ms_advise_find_walk(const struct ms_advise_search *search,
					  const struct ms_evidence_bin *bin);
/* How a walk fills the first level, on processors where that was measured. */
struct ms_advise_fills {
	uint32_t sets; /* to which its lines go */
	double cycles; /* of each line, though all misses overlap */
	double longer; /* cycles of all lines, beyond the walk's compute and stall time */
};
struct ms_advise_fills ms_advise_find_fills(const struct ms_advise_search *search,
					    const struct ms_evidence_bin *part);
/* Of each line that a bin fetches: at most this part is used. */
double ms_advise_used_share(const struct ms_advise_search *search,
			    const struct ms_evidence_bin *bin);
/* Whether many misses of a bin are conflicts. */
bool ms_advise_has_conflicts(const struct ms_evidence_bin *bin);

/* A scalar or an array of scalars; type may be NULL. */
bool ms_advise_is_scalar(const char *type);

/* Saved time in relation to the time that remains: predictions were off by less in 69 to 75 % of
 * the pairs of docs/accuracy/advice.md, by machine. */
#define MS_ADVISE_ERROR 3.0

#endif
