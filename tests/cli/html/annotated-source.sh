# Annotated source on the page: text beside its line, opened at the hottest line, with the columns that the user chooses.
cat >walk.c <<'END'
#include <stdlib.h>
#include <string.h>

static char *table;

static long walk(void)
{
	long sum = 0;

	for (int from = 0; from < 1000; from++) // rounds
		for (int i = 0; i < 4096; i++)
			sum += table[i * 64];
	return sum;
}

int main(void)
{
	table = malloc(4096 * 64);
	memset(table, 1, 4096 * 64);
	return walk() == 4096000 ? 0 : 1;
}
END
gcc -g -O1 -o walk walk.c
"$MEMSPY" run -q --db walk.db --machine memspy-1992-matmul -- ./walk
"$MEMSPY" html --db walk.db -o page.html
node "$SRC/tests/browser/source.js" "file://$PWD/page.html"
