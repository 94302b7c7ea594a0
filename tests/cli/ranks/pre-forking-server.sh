# A server that forks its workers before it has clients: what they do with their data is added up, whoever served whom.
. "$SRC/tests/cli/ranks/lib.bash"
cat >server.c <<'END'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 3, REQUESTS = 12, LINES = 1024 };

char table[LINES * 64];

static __attribute__((noinline)) char answer(void)
{
	char sum = 0;

	for (int i = 0; i < LINES; i++)
		sum += ((volatile char *)table)[i * 64];
	return sum + 1;
}

static void work(int listener)
{
	for (;;) {
		int client = accept(listener, NULL, NULL);
		char word = 0;

		if (client >= 0 && read(client, &word, 1) == 1) {
			word = answer();
			(void)!write(client, &word, 1);
		}
		close(client);
		if (word == 0)
			_exit(0);
	}
}

static int ask(const struct sockaddr_in *address, int last)
{
	int s = socket(AF_INET, SOCK_STREAM, 0);
	char word = 1;

	if (connect(s, (const struct sockaddr *)address, sizeof(*address)) != 0)
		return 0;
	if (!last && (write(s, &word, 1) != 1 || read(s, &word, 1) != 1))
		word = 0;
	close(s);
	return word;
}

int main(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0), answers = 0;

	alarm(300);
	if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 16) != 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) != 0)
		return 1;
	for (int i = 0; i < WORKERS; i++)
		if (fork() == 0)
			work(listener);
	for (int i = 0; i < REQUESTS; i++)
		answers += ask(&address, 0);
	for (int i = 0; i < WORKERS; i++)
		ask(&address, 1);
	while (wait(NULL) > 0)
		;
	printf("%d answers\n", answers);
	return 0;
}
END
gcc -g -O1 -o server server.c
merged ./server
programs server
"$MEMSPY" show --data table --code answer --json | python3 -c '
import json, sys
print("reads of all:", sum(b["references"]["read"] for b in json.load(sys.stdin)["bins"]), "of", 12 * 1024)'
"$MEMSPY" ranks | grep -E '^Processes: |^CLUSTERS|^WHERE|Rank' | sed 's/  */ /g'
