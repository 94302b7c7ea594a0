/* build: -O1 -g -ldl
   Loads the libraries given, one after the other, uses and unloads each; all of it twice. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	for (int i = 0; i < 2 * (argc - 1); i++) {
		void *plugin = dlopen(argv[1 + i % (argc - 1)], RTLD_NOW);

		if (plugin == NULL) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		void (*fill)(void) = (void (*)(void))dlsym(plugin, "plugin_fill");
		fill();
		fprintf(stdout, "%p\n", (void *)fill);
		dlclose(plugin);
	}
	return 0;
}
