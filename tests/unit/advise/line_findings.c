/* Findings that follow from observed lines, strides and members: each from its own figures, and
 * none if one of them is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "unit/advise/advise_run.h"

#define MIB(n) ((uint64_t)(n) << 20)

#define NONE(percent)                                                                           \
	"No finding. The program waits for memory in " percent "% of its time; no remedy that " \
	"memspy knows is predicted to gain 3% or more.\n"

/* Lines are overwritten, eight times; the transfers take as long as the code computes. */
#define FILL                                                                                \
	.name = "double.frame", .type = "double", .dependence = MS_RUN_DEPENDENCE_AFFINE,   \
	.size = 8, .references = 64, .prefetched = 1, .kind = MS_SITE_WRITE, .waited = 600, \
	.used = 64

static const struct advise_data filled = { FILL, .misses = { 8, 8, 8 }, .written = 64,
					   .bytes = MIB(64) };
static const struct advise_data partly_written = { FILL, .misses = { 8, 8, 8 }, .written = 24,
						   .bytes = MIB(64) };
static const struct advise_data from_cache = { FILL, .misses = { 8, 8, 2 }, .written = 64,
					       .bytes = MIB(64) };
static const struct advise_data fresh = { FILL, .misses = { 8, 8, 8 }, .written = 64,
					  .bytes = MIB(512) };

/* The source of a copy. */
static const struct advise_data source = {
	.name = "double.source",
	.type = "double",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 8,
	.references = 64,
	.misses = { 8, 8, 8 },
	.prefetched = 1,
	.bytes = MIB(64),
	.used = 64,
};

/* One of eight interleaved parts. */
#define CHANNEL                                                                          \
	.name = "float.sample", .type = "float", .dependence = MS_RUN_DEPENDENCE_AFFINE, \
	.size = 4, .misses = { 8, 8, 8 }, .exposed = 0.1, .prefetched = 0.9, .bytes = MIB(256)

static const struct advise_data channel = { CHANNEL, .references = 16, .stride = 32, .used = 8 };
static const struct advise_data all_channels = { CHANNEL, .references = 128, .stride = 4,
						 .used = 64 };
static const struct advise_data across_rows = { CHANNEL, .references = 16, .stride = 8192,
						.used = 8 };
static const struct advise_data not_observed = { CHANNEL, .references = 16 };

/* Columns whose rows are a power of two apart: every level misses for each element. */
#define COLUMNS \
	.name = "double.matrix", .dependence = MS_RUN_DEPENDENCE_AFFINE, .size = 8, .references = 16

static const struct advise_data aligned_columns = {
	COLUMNS,        .type = "double", .misses = { 16, 16, 16 },
	.exposed = 0.1, .bytes = MIB(64), .stride = 8192,
};
static const struct advise_data random_elements = {
	COLUMNS, .type = "double", .misses = { 16, 16, 16 }, .exposed = 0.1, .bytes = MIB(64),
};
/* All of them are in the second level. */
static const struct advise_data near_columns = {
	COLUMNS,        .type = "double",    .misses = { 16, 0, 0 },
	.exposed = 0.5, .bytes = MIB(1) / 2, .stride = 512,
};
/* Without a known type: each element misses the first level, each line the others. */
static const struct advise_data nameless_columns = {
	COLUMNS,
	.misses = { 16, 2, 2 },
	.exposed = 0.3,
	.bytes = MIB(64),
};

/* A list that lies in memory in the order of its links. */
static const struct advise_data ordered_list = {
	.name = "node.list",
	.type = "node",
	.dependence = MS_RUN_DEPENDENCE_CHAINED,
	.size = 8,
	.references = 2,
	.misses = { 1, 1, 1 },
	.exposed = 0.3,
	.prefetched = 0.6,
	.bytes = MIB(16),
};

static const struct {
	const char *what;
	struct advise_data data[2];
	size_t n;
	const char *findings;
} cases[] = {
	{ "overwritten lines need not be fetched",
	  { filled },
	  1,
	  "streaming-stores double.frame 0.43\n" },
	{ "lines that are written in part are fetched", { partly_written }, 1, NONE("50") },
	{ "lines that are in a cache stay there", { from_cache }, 1, NONE("50") },
	{ "pages that were never used come from the caches", { fresh }, 1, NONE("50") },
	{ "processors recognise copies", { filled, source }, 2, NONE("50") },
	{ "interleaved parts become arrays", { channel }, 1, "line-use float.sample 0.84\n" },
	{ "all parts are used", { all_channels }, 1, NONE("84") },
	{ "elements of rows are no interleaved parts", { across_rows }, 1, NONE("84") },
	{ "without observed lines nothing is known", { not_observed }, 1, NONE("84") },
	{ "columns that no level keeps",
	  { aligned_columns },
	  1,
	  "loop-order double.matrix 0.92\n" },
	{ "random elements have no order", { random_elements }, 1, NONE("92") },
	{ "columns that the second level keeps",
	  { near_columns },
	  1,
	  "loop-order double.matrix 0.62\n" },
	{ "columns of data without a type",
	  { nameless_columns },
	  1,
	  "loop-order double.matrix 0.83\n" },
	{ "a list in the order of memory stays", { ordered_list }, 1, NONE("67") },
};

static void each_kind_follows_from_its_figures(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_run run;

		advise_run(&run, 50, cases[i].data, cases[i].n);
		const char *found = advise_findings(&run);

		if (strcmp(found, cases[i].findings) != 0) {
			print_message("%s: %s", cases[i].what, found);
			failed++;
		}
		ms_run_free(&run);
	}
	assert_int_equal(failed, 0);
}

/* Records of three lines; `offsets` are those of three members of 8 bytes that cost the same. */
static void add_members(struct ms_run *run, const uint32_t offsets[3])
{
	for (uint32_t i = 0; i < 3; i++) {
		SAMPLE_ADD(&run->members,
			   (struct ms_run_member){ .data = 0,
						   .offset = offsets[i],
						   .size = 8,
						   .element = 192,
						   .name = ms_arena_printf(&run->arena, "m%u", i),
						   .type = "double" });
		SAMPLE_ADD(&run->member_accesses,
			   (struct ms_run_member_access){
				   .cell = 0, .offset = offsets[i], .size = 8, .references = 8e6 });
	}
}

static void hot_members_share_a_line(void **state)
{
	static const struct {
		const char *what;
		uint32_t offsets[3];
		enum ms_run_dependence dependence;
		const char *findings;
	} members[] = {
		{ "in three lines",
		  { 0, 72, 184 },
		  MS_RUN_DEPENDENCE_AFFINE,
		  "member-order account.a 0.62\n" },
		{ "in one line", { 0, 8, 16 }, MS_RUN_DEPENDENCE_AFFINE, NONE("92") },
		{ "a chain waits for one of them only",
		  { 0, 72, 184 },
		  MS_RUN_DEPENDENCE_CHAINED,
		  "pointer-chasing account.a 0.92\n" },
	};
	struct advise_data accounts = {
		.name = "account.a",
		.type = "account",
		.size = 8,
		.references = 24,
		.misses = { 12, 12, 12 },
		.exposed = 0.15,
		.bytes = MIB(64),
		.used = 40,
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(members); i++) {
		struct ms_run run;

		accounts.dependence = members[i].dependence;
		advise_run(&run, 50, &accounts, 1);
		add_members(&run, members[i].offsets);
		print_message("%s\n", members[i].what);
		assert_string_equal(advise_findings(&run), members[i].findings);
		ms_run_free(&run);
	}
}

/* Stays of lines in the first level: of each of the members m0 to m2, and of the two in one line.
 */
static void add_stays(struct ms_run *run, const uint32_t offsets[3], const double stays[3],
		      double common)
{
	for (uint32_t i = 0; i < 3; i++)
		SAMPLE_ADD(&run->member_pairs,
			   (struct ms_run_member_pair){ 0, offsets[i], offsets[i], stays[i] });
	SAMPLE_ADD(&run->member_pairs,
		   (struct ms_run_member_pair){ 0, offsets[1], offsets[2], common });
}

/* m0 has a line of its own; m1 and m2 share one. */
static void members_of_other_visits_stay_where_they_are(void **state)
{
	static const struct {
		const char *what;
		double stays[3], common;
		const char *members;
	} visits[] = {
		{ "m1 and m2 are used together",
		  { 90, 80, 60 },
		  50,
		  "m0 (offset 0), m1 (offset 72), m2 (offset 80) of" },
		{ "m2 is used in some visits of m1",
		  { 90, 80, 20 },
		  20,
		  "m0 (offset 0), m1 (offset 72), m2 (offset 80) of" },
		{ "m2 is used in other visits",
		  { 90, 80, 60 },
		  10,
		  "m0 (offset 0), m1 (offset 72) of" },
		{ "m1 is used in other visits",
		  { 90, 60, 80 },
		  10,
		  "m0 (offset 0), m2 (offset 80) of" },
	};
	static const uint32_t offsets[3] = { 0, 72, 80 };
	const struct advise_data accounts = {
		.name = "account.a",
		.type = "account",
		.dependence = MS_RUN_DEPENDENCE_AFFINE,
		.size = 8,
		.references = 24,
		.misses = { 12, 12, 12 },
		.exposed = 0.15,
		.bytes = MIB(64),
		.used = 40,
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(visits); i++) {
		struct ms_advise advise;
		struct ms_summary s;
		struct ms_run run;

		advise_run(&run, 50, &accounts, 1);
		add_members(&run, offsets);
		add_stays(&run, offsets, visits[i].stays, visits[i].common);
		assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
		ms_advise_make(&advise, &s);
		assert_int_equal(advise.at.n, 1);
		assert_int_equal(advise.at.at[0].kind, MS_ADVISE_MEMBER_ORDER);
		if (strstr(advise.at.at[0].remedy, visits[i].members) == NULL)
			fail_msg("%s: %s", visits[i].what, advise.at.at[0].remedy);
		ms_advise_free(&advise);
		ms_summary_free(&s);
		ms_run_free(&run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_follows_from_its_figures),
		cmocka_unit_test(hot_members_share_a_line),
		cmocka_unit_test(members_of_other_visits_stay_where_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
