/* build: -O1 -g -shared -fPIC
   The library that dlopen.c loads, and unloads, and loads again. */
int plugin_table[700];
static int plugin_hidden[300];

void plugin_fill(void);

static __attribute__((noinline)) void fill(volatile int *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] = 1;
}

void plugin_fill(void)
{
	fill(plugin_table, 700);
	fill(plugin_hidden, 300);
}

/* Calls back, for paths.c. */
void plugin_call(void (*function)(void));
void plugin_call(void (*function)(void))
{
	volatile int space[10] = { 0 };

	function();
	space[1] = 1;
}
