# With memspy sample and with --frontend valgrind, which does not follow executed programs, memspy starts itself by the wrapper: the run is of
# the program that was meant, with its arguments, its exit status and what the wrapper does to it.
cat >meant.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int n, char **args)
{
	const char *word = getenv("WORD");
	printf("%s %s\n", word != NULL ? word : "-", n > 1 ? args[1] : "-");
	return 7;
}
END
gcc -g -O1 meant.c -o meant || exit
profile() {
	local mode=$1
	shift
	rm -f run.db
	# shellcheck disable=SC2086 # several words
	"$MEMSPY" $mode -q --db run.db "$@" >out 2>log
	echo "$mode $*: status $?, $(cat out), run of $("$MEMSPY" runs --csv --db run.db | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["command"])')"
}
for mode in sample "run --frontend valgrind"; do
	profile "$mode" env WORD=given ./meant
	profile "$mode" nice -n 3 ./meant first
	profile "$mode" /usr/bin/env -u WORD timeout -k 5 100 nice -3 ./meant -n
	profile "$mode" -- env -- ./meant --
done
# Not known what it executes: the wrapper is profiled, and memspy says so.
"$MEMSPY" run --frontend valgrind -q --db run.db env -S ./meant 2>&1 | grep -o 'has replaced itself by another program'
