# Parts of a container have the same names in every kind of run: whole, with windows, with
# sampled sets and under Valgrind.
cat >words.cc <<'END'
#include <string>
#include <vector>
int main()
{
	std::vector<std::string> words;
	std::string text(60, 'x');
	for (int i = 0; i < 500; i++) {
		words.push_back(text);
		words.emplace_back(text);
	}
	words[7] = std::string(5000, 'y');
	long sum = 0;
	for (int round = 0; round < 300; round++)
		for (auto &word : words)
			sum += word[round % 60];
	return sum == 1;
}
END
g++ -g -O1 words.cc -o words || exit
names() {
	local out=$1
	shift
	rm -f run.db
	"$MEMSPY" run -q --l1 4K,4,64 --ll 64K,4,64 --db run.db "$@" ./words || echo "run $*: status $?"
	sqlite3 run.db "select name || ' of ' || largest from data where name like '%.words%' order by name" >"$out"
}
names whole
names workers --workers 2
names valgrind --frontend valgrind
names sets --sample-sets 1/4
names windows --sample 1/5 --window 10K
cut -d' ' -f1-2 whole | sed 's, of$,,'
cmp whole workers && cmp whole valgrind && echo "whole runs have the same"
# What was not used in a window or set is missing.
for kind in sets windows; do
	[ -s $kind ] && ! grep -vxFf whole $kind && echo "$kind: the same names"
done
