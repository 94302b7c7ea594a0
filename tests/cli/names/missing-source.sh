# Names of data whose source is missing, or was generated from a file that is missing (#line), come from debug information
# alone; memspy says so once, and says nothing where no name was looked for in a missing file.
cat >program.c <<'END'
#include <stdlib.h>
#include <string.h>
int main(void)
{
	double *first = malloc(65536), *second = malloc(65536);
	memset(first, 1, 65536);
	memset(second, 2, 65536);
#line 40 "grammar.y"
	int *generated = malloc(65536);
	memset(generated, 3, 65536);
	return (int)first[3] + (int)second[3] + generated[3] == 0;
}
END
check() {
	for name in double.first double.second int.generated; do
		grep -qxF "$name" names || { echo "$1: there is no $name:"; cat names; exit 1; }
	done
}
run() {
	rm -f run.db
	"$MEMSPY" run -q --machine dash --db run.db -- ./program 2>log || { cat log; exit 1; }
	"$MEMSPY" data --csv --db run.db | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["name"])' >names
}
for options in -O0 -O2; do
	# shellcheck disable=SC2086 # a list of options
	gcc -g -fno-builtin $options program.c -o program
	run
	check "$options, with program.c"
	sed "s|$PWD/||g; s/^/$options: /" log
	mv program.c kept.c
	run
	check "$options, without program.c"
	sed "s|$PWD/||g; s/^/$options: /" log
	mv kept.c program.c
done
