/* build: -O1 -g -shared -fPIC
   As large as plugin.c, so that it is loaded where that was. */
int other_table[700];
static int other_hidden[300];

void plugin_fill(void);

static __attribute__((noinline)) void fill(volatile int *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = 1;
}

void plugin_fill(void)
{
	fill(other_table, 600);
	fill(other_hidden, 200);
}

/* The same in a larger frame. */
void plugin_call(void (*function)(void));
void plugin_call(void (*function)(void))
{
	volatile int space[50] = { 0 };

	function();
	space[1] = 1;
}
