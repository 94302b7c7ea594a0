/*
 * Short functions with an array on the stack that are called too often to be noticed each time. One
 * is called in a loop that does nothing else; its memory is used by other code after that. Between
 * the calls of the other, another function uses the same memory. No instruction shows what it
 * accesses: all addresses come from a global variable. build: -O1 -g
 */
enum { CALLS = 1000000, LATER = 1000000 };

static volatile char *volatile address;

static int __attribute__((noinline)) alone(int i)
{
	volatile char array[4096];

	array[i & 4095] = (char)i;
	return array[i & 4095];
}

static int __attribute__((noinline)) shared(int i)
{
	volatile char array[4096];

	address = array;
	volatile char *at = address;
	at[i & 4095] = (char)i;
	return at[i & 4095];
}

/* Its frame lies where the arrays were. */
static int __attribute__((noinline)) between(int i)
{
	volatile char bytes[1024];

	address = bytes;
	volatile char *at = address;
	at[i & 1023] = (char)i;
	return at[i & 1023];
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < CALLS; i++)
		sum += alone(i);
	for (int i = 0; i < LATER; i++)
		sum += between(i);
	for (int i = 0; i < CALLS; i++)
		sum += shared(i) + between(i);
	return sum == 3;
}
