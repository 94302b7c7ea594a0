# A data structure has the same name in each run, whatever else the program has allocated before: blocks of one container have
# one name, whichever method allocated them; others that have the name of the same variable are distinguished by their positions.
cat >order.cc <<'CODE'
#include <cstdlib>
#include <memory>
#include <vector>
static std::vector<int> fill(int n)
{
	std::vector<int> values(n);
	values.push_back(1);
	return values;
}
static long count(int n)
{
	std::vector<int> ids(n);
	ids.push_back(1);
	return ids[n];
}
static long count_again(int n)
{
	std::vector<int> ids(n);
	ids.push_back(2);
	return ids[n];
}
int main(int arguments, char **)
{
	long sum = 0;
	std::vector<std::vector<double>> grid;
	if (arguments > 1) {
		grid.resize(1000, std::vector<double>(10));
		sum += count(4000);
	}
	grid.clear();
	for (int i = 0; i < 100; i++)
		grid.emplace_back(500);
	for (int i = 0; i < 100; i++)
		grid.push_back(std::vector<double>(500));
	auto table = std::make_shared<std::vector<int>>(3000);
	for (auto &row : grid)
		sum += (long)row[7];
	for (int &entry : *table)
		sum += entry;
	char *text = (char *)malloc(1000);
	text[0] = 1;
	free(text);
	if (arguments != 2) {
		text = (char *)malloc(5000);
		text[0] = 1;
	}
	sum += count_again(3000) + fill(100)[3];
	return sum == 1;
}
CODE
g++ -g -O1 -fno-inline-functions -fno-builtin order.cc -o order || exit
names() {
	rm -f run.db
	"$MEMSPY" run -q --l1 4K,4,64 --ll 64K,4,64 --db run.db "$@" || echo "run $*: status $?"
	sqlite3 run.db "select name from data where name like 'std::vector%' or name like 'char.%' order by name"
}
echo "without arguments"
names ./order | tee plain
echo "one argument"
names ./order 1
echo "Valgrind"
names --frontend valgrind ./order | cmp - plain && echo the same
echo "sampled sets"
names --sample-sets 1/2 ./order >sets
grep -vxFf plain sets || echo "no other names"
