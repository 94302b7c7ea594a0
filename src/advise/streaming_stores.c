/*
 * advise/streaming_stores.c - data that is written line after line, and not read again before its
 * lines have left all caches. An ordinary store fetches the line that it overwrites; a streaming
 * (non-temporal) store does not, which is half of the transfers.
 *
 * Evidence: stores that wait for transfers; observed lines whose bytes are all written; nearly all
 * first-level misses go to memory; no code reads the lines from caches; and the code transfers
 * little else. Processors recognise copies and then own a line without fetching it: streaming
 * stores beside streams of loads gained nothing, or lost, on the machine of
 * docs/accuracy/advice.md.
 */
#include "advise/advise_priv.h"
#include "analysis/line_use/line_use.h"

/* Of the references of a bin. */
#define LEAST_WRITES 0.95
/* Of each line that it writes. */
#define LEAST_WRITTEN 0.9
/* Misses of the last level for each of the first one: the lines were in no cache. */
#define LEAST_FROM_MEMORY 0.9
/* Of its stall. */
#define LEAST_BANDWIDTH 0.5
/* Of the lines that the code transfers from memory. */
#define LEAST_OF_CODE 0.8
/* Bytes that other code reads, in relation to those of the lines that it fetches for that. */
#define MOST_FROM_CACHES 1.5

static bool writes_whole_lines(const struct ms_advise_search *search,
			       const struct ms_evidence_bin *bin)
{
	struct ms_line_use use = ms_line_use_of_line(search->run, 0, bin->line, bin->data);

	return use.written_lines > 0 &&
	       use.written >= LEAST_WRITTEN * search->run->levels.at[0].line;
}

/* Streaming stores would make other code wait that finds the lines in a cache now. */
static bool is_read_from_caches(const struct ms_advise_search *search, uint32_t data)
{
	double line = search->run->levels.at[0].line;

	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *bin = &search->bins.at.at[i];
		double fetched = bin->last_misses * line;

		if (bin->data == data && bin->writes < LEAST_WRITES * bin->references &&
		    bin->bytes > MOST_FROM_CACHES * fetched + line)
			return true;
	}
	return false;
}

static bool is_most_of_code(const struct ms_advise_search *search, const struct ms_evidence_bin *of)
{
	double all = 0;

	for (size_t i = 0; i < search->bins.at.n; i++)
		if (search->bins.at.at[i].code == of->code)
			all += search->bins.at.at[i].last_misses;
	return of->last_misses >= LEAST_OF_CODE * all;
}

static bool streams_stores(const struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	return bin->writes >= LEAST_WRITES * bin->references && bin->first_misses > 0 &&
	       bin->last_misses >= LEAST_FROM_MEMORY * bin->first_misses &&
	       bin->bandwidth > LEAST_BANDWIDTH * bin->stall &&
	       ms_advise_is_users(search->run, bin->data) && is_most_of_code(search, bin) &&
	       !is_read_from_caches(search, bin->data) && writes_whole_lines(search, bin);
}

/* Half of the time of the transfers, of which the code computes in a part. Pages that were never
 * used are cleared by the kernel, through the caches, and come from there. */
static double saved_cycles(const struct ms_evidence_bin *bin)
{
	double again = 1 - bin->first_uses / bin->last_misses;
	double half = (bin->stall + bin->compute) / 2;

	return again * (half < bin->stall ? half : bin->stall);
}

/* Fortran has no such store; its compilers have directives. */
static const char *streaming_loop(struct ms_advise_search *search,
				  const struct ms_evidence_bin *bin, const char *variable)
{
	switch (ms_advise_find_language(search->run, bin->line)) {
	case MS_ADVISE_FORTRAN:
		return ms_arena_printf(
			search->arena,
			"!$omp simd nontemporal(%s)   ! OpenMP 5, as far as the compiler does it\n"
			"!dir$ vector nontemporal(%s) ! ifort, ifx; gfortran: a loop in C\n",
			variable, variable);
	case MS_ADVISE_RUST:
		return "core::arch: _mm_stream_si128(to, v); // unsafe; Intel, AMD; then: "
		       "_mm_sfence()\n";
	case MS_ADVISE_C:
	case MS_ADVISE_CXX:
		break;
	}
	return ms_arena_printf(
		search->arena,
		"__builtin_nontemporal_store(v, &%s[i]);    /* clang */\n"
		"_mm_stream_si128((__m128i *)&%s[i], v);    /* Intel, AMD; then: _mm_sfence() */\n"
		"stnp q0, q1, [x0]                          /* Arm, in assembler: whole lines */\n",
		variable, variable);
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *bin)
{
	const char *name = ms_advise_data_name(search, bin->data);
	const char *variable = ms_advise_variable(search, bin->data);

	ms_advise_show(search, f, "%s of the time is waiting for the transfer of %s",
		       ms_advise_percent(search->arena, bin->bandwidth / search->time), name);
	ms_advise_show(search, f,
		       "%s of its lines come from memory (%s lines), and all of their bytes are "
		       "overwritten",
		       ms_advise_percent(search->arena, bin->last_misses / bin->first_misses),
		       ms_advise_count(search->arena, bin->last_misses));
	f->remedy = ms_arena_printf(
		search->arena,
		"Write %s in %s with streaming stores: they do not fetch the %s that are "
		"overwritten, and nothing reads the lines before they leave the caches.",
		name, ms_advise_place_name(search, bin->code, bin->line),
		ms_advise_size(search->arena, bin->last_misses * search->run->levels.at[0].line));
	f->snippet = streaming_loop(search, bin, variable);
	f->falsifier = "the time does not change: the processor writes whole lines without "
		       "fetching them already";
}

void ms_advise_find_streaming_stores(struct ms_advise_search *search)
{
	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *bin = &search->bins.at.at[i];

		if (!streams_stores(search, bin))
			continue;
		struct ms_advise_finding *f = ms_advise_add(
			search, &(struct ms_advise_place){ MS_ADVISE_STREAMING_STORES, bin->data,
							   bin->code, bin->line, saved_cycles(bin),
							   MS_ADVISE_ERROR, false });
		if (f != NULL)
			describe(search, f, bin);
	}
}
