/*
 * advise/huge_pages.c - page walks: huge pages need 512 times fewer entries of the TLB. What
 * remains are the latencies of the misses themselves, which overlap. The kernel also has 512 times
 * fewer page faults to handle; memory is still to be cleared.
 */
#include "advise/advise_priv.h"

enum { HUGE_PAGE = 2 << 20 };
/* Of the time of page faults: 4 KiB are cleared in 0.25 us, of 0.6 us (in the virtual machine of
 * docs/accuracy/advice.md in 0.65 us of 1.65 us). */
#define FAULTS_SAVED 0.6
/* Of the time. */
#define LEAST_WALKS 0.03

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *data)
{
	const struct ms_run_data *of = &search->run->data.at[data->data];
	const char *variable = ms_advise_variable(search, data->data);

	ms_advise_show(search, f, "%s of the time is waiting for page walks of %s",
		       ms_advise_percent(search->arena, data->walks / search->time), of->name);
	ms_advise_show(search, f, "its largest object has %s",
		       ms_advise_size(search->arena, (double)of->largest));
	f->remedy = ms_arena_printf(
		search->arena,
		"Put %s into huge pages: align it to 2 MiB and call madvise(MADV_HUGEPAGE) before "
		"its first use (for all of the C library's memory: "
		"GLIBC_TUNABLES=glibc.malloc.hugetlb=1 in the environment).",
		of->name);
	f->snippet =
		ms_arena_printf(search->arena,
				"%s = aligned_alloc(2 << 20, bytes); /* a multiple of 2 MiB */\n"
				"madvise(%s, bytes, MADV_HUGEPAGE);\n",
				variable, variable);
	f->falsifier = "the kernel does not give huge pages (thp_fault_alloc in /proc/vmstat does "
		       "not grow)";
}

void ms_advise_find_huge_pages(struct ms_advise_search *search)
{
	const struct ms_run *run = search->run;

	for (uint32_t i = 0; i < run->data.n; i++) {
		if (run->data.at[i].largest < HUGE_PAGE || !ms_advise_is_users(run, i))
			continue;
		struct ms_evidence_bin data = ms_evidence_of_data(&search->bins, i);

		if (data.walks <= 0)
			continue;
		double remains = ms_evidence_overlapped(&search->bins, &data) - data.latency;
		double saved = data.walks - (remains > 0 ? remains : 0);

		/* Faults alone are no reason: each program has them once. */
		if (saved < LEAST_WALKS * search->time)
			continue;
		saved += FAULTS_SAVED * ms_evidence_page_faults(&search->bins, i);
		struct ms_advise_finding *f = ms_advise_add(
			search,
			&(struct ms_advise_place){ MS_ADVISE_HUGE_PAGES, i, data.code, data.line,
						   saved, MS_ADVISE_ERROR, false });
		if (f != NULL)
			describe(search, f, &data);
	}
}
