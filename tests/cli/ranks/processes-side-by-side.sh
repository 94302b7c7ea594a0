# Processes of xargs -P and of a pipeline run side by side under memspy, as many as without it, and are merged by program.
. "$SRC/tests/cli/ranks/lib.bash"
# A process waits until the other one of its pair is there: one after the other they would wait for ever.
cat >meet.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char table[1 << 16];

int main(int argc, char **argv)
{
	int number = argc > 1 ? atoi(argv[1]) : 0;
	char own[32], other[32];

	snprintf(own, sizeof(own), "here.%d", number);
	snprintf(other, sizeof(other), "here.%d", number ^ 1);
	close(open(own, O_CREAT | O_WRONLY, 0600));
	alarm(300);
	while (access(other, F_OK) != 0)
		usleep(1000);
	for (int i = 0; i < (int)sizeof(table); i += 64)
		((volatile char *)table)[i] = 1;
	return 0;
}
END
gcc -g -O1 -o meet meet.c
merged sh -c 'printf "%s\n" 2 3 4 5 6 7 | xargs -P2 -n1 ./meet'
programs 'xargs|meet'
"$MEMSPY" show --data table --code main --json | python3 -c '
import json, sys
print("writes of all:", sum(b["references"]["write"] for b in json.load(sys.stdin)["bins"] if b["data"] == "table"))'

# More than fits into a pipe: the reader reads while the writer writes.
merged sh -c 'head -c 300000 /dev/zero | tr "\000" x | wc -c'
programs 'head|tr|wc'
