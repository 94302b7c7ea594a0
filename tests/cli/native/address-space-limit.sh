# A program with an address space limit of 200,000 KB can use all of it when it is traced, if the limit can be raised for
# memspy's memory, and most of it otherwise; it sees its own limit.
cat >take.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	for (int i = 0, most = atoi(argv[argc - 1]); i < most; i++) {
		char *block = malloc(1 << 20);

		if (block == NULL)
			return printf("no memory after %d MiB\n", i), 1;
		block[i] = 1;
	}
	return puts("enough memory") < 0;
}
END
gcc -O1 -o take take.c || exit 1
run() { "$MEMSPY" run -q --db runs.db --frontend native "$@" 2>/dev/null || echo "status $?"; }
(ulimit -S -v 200000 && run ./take 150)
(ulimit -v 200000 && run ./take 100)
(ulimit -v 200000 && run --sample 1/10 ./take 80)
(ulimit -v 200000 && run bash -c 'ulimit -S -v; ulimit -H -v; ulimit -S -v 190000; ulimit -S -v; ulimit -S -v 200000; ulimit -S -v')
