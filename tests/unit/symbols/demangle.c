/* symbols/demangle.c: names as people write them. */
#include "symbols/types_priv.h"
#include "unit/symbols/build.h"

static void test_demangle(void **state)
{
	static const struct {
		const char *mangled, *plain;
	} cases[] = {
		{ "_ZN3geo4GridIdE4fillEi", "geo::Grid<double>::fill" },
		{ "_Znwm", "operator new" },
		{ "_Znam", "operator new[]" },
		{ "_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector<int>::push_back" },
		{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
		  "core::fmt::Write::write_fmt" },
		{ "_RNvCs1234_7mycrate3foo", "mycrate::foo" },
		{ "__solver_MOD_step", "solver::step" },
		{ "_ZN3sim7advanceERSt6vectorIdSaIdEE._omp_fn.0", "sim::advance._omp_fn.0" },
		{ "_ZN3sim7advanceERSt6vectorIdSaIdEE.omp_outlined", "sim::advance.omp_outlined" },
		{ "_ZN3sim7advanceERSt6vectorIdSaIdEE.omp_outlined_debug__.3",
		  "sim::advance.omp_outlined.3" },
		{ "_Zgarbage._omp_fn.0", NULL },
		{ "malloc", NULL },
		{ "_Zgarbage", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		char *plain = ms_symbols_demangle(cases[i].mangled);

		if (cases[i].plain == NULL)
			assert_null(plain);
		else if (plain == NULL)
			fail_msg("%s: not demangled", cases[i].mangled);
		else
			assert_string_equal(plain, cases[i].plain);
		free(plain);
	}
	assert_null(ms_symbols_demangle(NULL));
}

static void test_shorten(void **state)
{
	static const char *const cases[][2] = {
		{ "std::vector<int, std::allocator<int> >", "std::vector<int>" },
		{ "std::map<int, std::vector<double, std::allocator<double> >, std::less<int>, "
		  "std::allocator<std::pair<int const, std::vector<double> > > >",
		  "std::map<int, std::vector<double>>" },
		{ "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
		  "std::string" },
		{ "std::unique_ptr<Foo, std::default_delete<Foo> >::get",
		  "std::unique_ptr<Foo>::get" },
		{ "std::allocator<int>", "std::allocator<int>" },
		{ "geo::operator<", "geo::operator<" },
		{ "a<b", "a<b" },
		{ "f<(a > b)>", "f<(a > b)>" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < MS_COUNT(cases); i++) {
		struct ms_text out = MS_TEXT_INIT;

		ms_symbols_shorten_name(cases[i][0], &out);
		assert_string_equal(ms_text_get(&out), cases[i][1]);
		ms_text_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_demangle),
					    cmocka_unit_test(test_shorten) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
