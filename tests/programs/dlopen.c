/* build: -O1 -g -ldl
   Loads the library given, uses it, unloads it; twice. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	for (int i = 0; i < 2; i++) {
		void *plugin = dlopen(argv[argc - 1], RTLD_NOW);

		if (plugin == NULL) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		void (*fill)(void) = (void (*)(void))dlsym(plugin, "plugin_fill");
		fill();
		dlclose(plugin);
	}
	return 0;
}
