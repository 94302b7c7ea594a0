/* Findings name the members that the loop of their line uses: whether they miss does not matter. */
#include "analysis/members/members.h"
#include "unit/advise/advise_run.h"

/* Members of 4 bytes of a record of 32. */
enum { WORK_READS_X, WORK_READS_Y, OTHER_READS_ID, CELLS };

static const struct advise_data particles = {
	.name = "particle.all",
	.type = "particle",
	.dependence = MS_RUN_DEPENDENCE_AFFINE,
	.size = 4,
	.references = 8,
	.misses = { 4, 4, 4 },
	.exposed = 0.2,
	.prefetched = 0.7,
	.bytes = 64 << 20,
};

struct used_case {
	const char *what;
	const char *members[4]; /* at 0, 4, 8, 12 */
	double references[CELLS];
	const char *named;
};

static const struct used_case cases[] = {
	{ "a member that never misses",
	  { "x", "y", "id", "cold" },
	  { 8, 8, 0 },
	  "work (p.c:10) uses the members x, y" },
	{ "a member that only other code uses",
	  { "x", "y", "id", "cold" },
	  { 8, 8, 4 },
	  "work (p.c:10) uses the members x, y" },
	{ "a member that is hardly used",
	  { "x", "y", "id", "cold" },
	  { 8, 0.1, 4 },
	  "work (p.c:10) uses the member x" },
	{ "a pointer of the compiler",
	  { "Base::_vptr.Base", "y", "id", "cold" },
	  { 8, 8, 0 },
	  "work (p.c:10) uses the member y" },
};

/* The second cell has references of the same function without misses; the third one, misses of
 * another function. */
static void add_cells(struct ms_run *run, const struct used_case *c)
{
	SAMPLE_ADD(&run->codes,
		   (struct ms_run_code){ "other", "/home/u/p", "/home/u/p.c", 20, 0x800 });
	SAMPLE_ADD(&run->lines,
		   (struct ms_run_line){ .code = 1, .file = "/home/u/p.c", .line = 25 });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 0, MS_SITE_READ, 4, 0x200, NULL });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 1, MS_SITE_READ, 4, 0x800, NULL });
	for (uint32_t i = WORK_READS_Y; i < CELLS; i++)
		SAMPLE_ADD(&run->cells, (struct ms_run_cell){ .site = i,
							      .data = 0,
							      .references = (uint64_t)(1e6 * 8) });
	SAMPLE_ADD(&run->misses, (struct ms_run_miss){ .cell = OTHER_READS_ID,
						       .level = 0,
						       .causes = { 0, 2000000, 0 },
						       .exposed = 4000000ull * MS_RUN_MISS_UNIT });
	for (uint32_t i = 0; i < CELLS; i++)
		if (c->references[i] > 0)
			SAMPLE_ADD(&run->member_accesses,
				   (struct ms_run_member_access){ .cell = i,
								  .offset = 4 * i,
								  .size = 4,
								  .references =
									  1e6 * c->references[i] });
	for (uint32_t i = 0; i < MS_COUNT(c->members); i++)
		SAMPLE_ADD(&run->members,
			   (struct ms_run_member){ 0, 4 * i, 4, 32, c->members[i], "float" });
}

static void check(const struct used_case *c)
{
	const struct ms_advise_finding *f;
	const char *figure = "none";
	struct ms_advise advise;
	struct ms_summary s;
	struct ms_run run;

	advise_run(&run, 50, &particles, 1);
	add_cells(&run, c);
	assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
	ms_advise_make(&advise, &s);
	assert_true(advise.at.n > 0);
	f = &advise.at.at[0];
	assert_int_equal(f->kind, MS_ADVISE_SOA);
	for (size_t i = 0; i < f->n_evidence; i++)
		if (strstr(f->evidence[i].figure, " uses the member") != NULL)
			figure = f->evidence[i].figure;
	if (strcmp(figure, c->named) != 0)
		fail_msg("%s: %s", c->what, figure);
	assert_null(strstr(f->remedy, "_vptr"));
	assert_null(strstr(f->snippet, "_vptr"));
	ms_advise_free(&advise);
	ms_summary_free(&s);
	ms_run_free(&run);
}

static void members_are_those_that_the_function_uses(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++)
		check(&cases[i]);
}

/* Which stays of lines in the first level the two members of the function share. */
enum stays { NOT_OBSERVED, TOGETHER, APART };

static void add_stays(struct ms_run *run, enum stays stays, uint32_t size)
{
	if (stays == NOT_OBSERVED)
		return;
	for (uint32_t i = 0; i < 2; i++)
		SAMPLE_ADD(&run->member_pairs,
			   (struct ms_run_member_pair){ 0, size * i, size * i, 100 });
	SAMPLE_ADD(&run->member_pairs,
		   (struct ms_run_member_pair){ 0, 0, size, stays == APART ? 10 : 90 });
}

/* Members of `size` bytes; the function uses the first `used` of them. */
static const struct {
	const char *what;
	uint32_t members, used, size, element;
	enum stays stays;
	const char *finding;
} records[] = {
	{ "one of two members", 2, 1, 16, 32, NOT_OBSERVED, "soa particle.all" },
	{ "both members", 2, 2, 16, 32, NOT_OBSERVED, "No finding." },
	{ "both members, in the same visits", 2, 2, 16, 32, TOGETHER, "No finding." },
	{ "both members, in different loops", 2, 2, 16, 32, APART, "soa particle.all" },
	{ "the only member, and padding", 1, 1, 16, 32, NOT_OBSERVED, "soa particle.all" },
	{ "both members, in different lines", 2, 2, 64, 128, APART, "No finding." },
	{ "both members of a line with padding", 2, 2, 16, 64, TOGETHER, "soa particle.all" },
};

static void arrays_gain_nothing_if_all_members_are_used(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(records); i++) {
		uint32_t size = records[i].size;
		struct ms_run run;

		advise_run(&run, 50, &particles, 1);
		for (uint32_t k = 0; k < records[i].members; k++)
			SAMPLE_ADD(&run.members,
				   (struct ms_run_member){ 0, size * k, size, records[i].element,
							   k == 0 ? "x" : "y", "float" });
		for (uint32_t k = 0; k < records[i].used; k++)
			SAMPLE_ADD(&run.member_accesses,
				   (struct ms_run_member_access){ 0, size * k, 4, 4e6 });
		add_stays(&run, records[i].stays, size);
		const char *found = advise_findings(&run);

		if (strncmp(found, records[i].finding, strlen(records[i].finding)) != 0) {
			print_message("%s: %s", records[i].what, found);
			failed++;
		}
		ms_run_free(&run);
	}
	assert_int_equal(failed, 0);
}

/* Records of two lines, of which the function uses both members of 8 bytes, or one of them. */
static void a_split_needs_a_member_that_is_not_used(void **state)
{
	static const char *const findings[] = { "split particle.all", "No finding." };
	struct advise_data tasks = particles;

	(void)state;
	tasks.references = tasks.misses[0];
	for (uint32_t more = 0; more < MS_COUNT(findings); more++) {
		struct ms_run run;

		advise_run(&run, 50, &tasks, 1);
		for (uint32_t k = 0; k < 2; k++)
			SAMPLE_ADD(&run.members,
				   (struct ms_run_member){ 0, 8 * k, 8, 128, k == 0 ? "x" : "y",
							   "double" });
		for (uint32_t k = 0; k <= more; k++)
			SAMPLE_ADD(&run.member_accesses,
				   (struct ms_run_member_access){ 0, 8 * k, 8, 2e6 });
		const char *found = advise_findings(&run);

		if (strncmp(found, findings[more], strlen(findings[more])) != 0)
			fail_msg("%u more: %s", more, found);
		ms_run_free(&run);
	}
}

/* --- loops of one function --- */

/*
 * Another reference of the function, beside that of 4 bytes at offset 0 which waits; on the same
 * line or another one, in millions. Its line of code, or the first line, fetches stays in which its
 * member is used.
 */
struct loop_case {
	const char *what;
	double references, misses;
	uint32_t size, offset, element;
	bool same_line;
	bool stays_known, in_stays;
	const char *named;
};

static const struct loop_case loops[] = {
	{ "stays are not known", 8, 0, 4, 4, 32, false, false, false, "members x, y" },
	{ "another loop of the function", 8, 4, 4, 4, 32, false, true, false, "member x" },
	{ "another line of the loop", 8, 0, 4, 4, 32, false, true, true, "members x, y" },
	{ "another loop on the line", 8, 2, 16, 0, 32, true, true, false, "member x" },
	{ "as much of the loop on the line", 4, 4, 4, 4, 32, true, true, false, "members x, y" },
	{ "large elements: as often used", 8, 4, 4, 100, 128, false, true, false, "members x, y" },
	{ "large elements: once", 1, 1, 4, 100, 128, false, true, false, "member x" },
};

static void add_loop(struct ms_run *run, const struct loop_case *c)
{
	uint32_t y = c->size > 4 ? 4 : c->offset;

	SAMPLE_ADD(&run->lines,
		   (struct ms_run_line){ .code = 0, .file = "/home/u/p.c", .line = 12 });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ c->same_line ? 0 : 1, MS_SITE_READ, c->size,
						      0x200, NULL });
	SAMPLE_ADD(&run->cells,
		   (struct ms_run_cell){
			   .site = 1, .data = 0, .references = (uint64_t)(1e6 * c->references) });
	for (uint32_t l = 0; l < 3; l++)
		SAMPLE_ADD(&run->misses,
			   (struct ms_run_miss){ .cell = 1,
						 .level = l,
						 .causes = { 0, (uint64_t)(1e6 * c->misses), 0 },
						 .exposed = l < 2 ? 0
								  : (uint64_t)(2e5 * c->misses) *
									    MS_RUN_MISS_UNIT });
	SAMPLE_ADD(&run->members, (struct ms_run_member){ 0, 0, 4, c->element, "x", "float" });
	SAMPLE_ADD(&run->members, (struct ms_run_member){ 0, y, 4, c->element, "y", "float" });
	SAMPLE_ADD(&run->member_accesses, (struct ms_run_member_access){ 0, 0, 4, 8e6 });
	SAMPLE_ADD(&run->member_accesses,
		   (struct ms_run_member_access){ 1, c->offset, c->size, 1e6 * c->references });
	if (c->stays_known)
		SAMPLE_ADD(&run->member_pairs, (struct ms_run_member_pair){ 0, 0, 0, 100 });
	if (c->in_stays)
		SAMPLE_ADD(&run->member_pairs, (struct ms_run_member_pair){ 0, y, y, 90 });
}

static void members_of_other_loops_are_not_named(void **state)
{
	int failed = 0;

	(void)state;
	for (size_t i = 0; i < MS_COUNT(loops); i++) {
		struct ms_members members;
		struct ms_summary s;
		struct ms_run run;
		bool used[4] = { false };

		advise_run(&run, 50, &particles, 1);
		add_loop(&run, &loops[i]);
		assert_int_equal(ms_summary_make(&s, &run, NULL, NULL, NULL), MS_OK);
		ms_members_make(&members, &s, 0);
		ms_members_find_used(&members, &s, 0, used);
		const char *named = used[0] ? "member x" : "none";

		for (size_t k = 1; k < members.rows.n; k++)
			if (used[k])
				named = used[0] ? "members x, y" : "member y";
		if (strcmp(named, loops[i].named) != 0) {
			print_message("%s: %s\n", loops[i].what, named);
			failed++;
		}
		ms_members_free(&members);
		ms_summary_free(&s);
		ms_run_free(&run);
	}
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_those_that_the_function_uses),
		cmocka_unit_test(arrays_gain_nothing_if_all_members_are_used),
		cmocka_unit_test(a_split_needs_a_member_that_is_not_used),
		cmocka_unit_test(members_of_other_loops_are_not_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
