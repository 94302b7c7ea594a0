/* calls N EACH: N system calls that do next to nothing, and EACH references before each of them. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned table[64];

static __attribute__((noinline)) void refer(unsigned references)
{
	for (unsigned i = 0; i < references; i += 2)
		table[i % 64] += i;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000;
	unsigned each = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 60;
	int to = open("/dev/null", O_WRONLY);
	char text[16] = "fifteen letters";

	for (unsigned long i = 0; i < n; i++) {
		refer(each);
		if (write(to, text, sizeof(text)) != sizeof(text))
			return 1;
	}
	return 0;
}
