# Code that system headers inline belongs to the calling function; inlined functions of the program are their own.
. "$SRC/tests/cli/run/lib.bash"
cat >headers.cc <<'END'
#include <vector>
static std::vector<long> numbers(1000);
static inline __attribute__((always_inline)) void own(long *at)
{
	*at = 2;
}
static __attribute__((noinline)) long sum(void)
{
	long all = 0;
	for (auto it = numbers.begin(); it != numbers.end(); ++it)
		all += *it;
	return all;
}
static __attribute__((noinline)) void fill(void)
{
	for (unsigned long i = 0; i < numbers.size(); i++)
		own(&numbers.at(i));
}
int main(void)
{
	fill();
	return sum() != 2000;
}
END
g++ -O1 -g -o headers headers.cc || fail "g++"
profile_quiet headers ./headers
expect headers <<'END'
bin('sum*', 'numbers').reads >= 1
bin('sum*', 'std::vector<long int>.numbers').reads == 1000
bin('own*', 'std::vector<long int>.numbers').writes == 1000
bin('fill*', 'numbers').reads >= 1000
[c['name'] for c in report['code'] if 'vector' in c['name'] and c['references']['read'] > 100] == []
END
finish
