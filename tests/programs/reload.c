/* build: -O1 -g -pthread -ldl
   reload HOW ROUNDS A B: other code where other code was, with another answer, again and again.
   library: A and B are loaded and unloaded by turns. renamed: by one name, ./reloaded. file: a part
   of their files is mapped. threads: as library, by three threads at a time.
   In between it does other things, so that windows come to either, or to neither. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LIBRARIES = 2, STEPS = 20000, PAGE = 4096 };
static const long adds[LIBRARIES] = { 1, 3 };
static volatile long own_table[1024];
static void *place;
static long moved, wrong;

static void check(void *at, long got, long expected)
{
	moved += place != NULL && at != place;
	place = at;
	wrong += got != expected;
}

static void *find(void *library, const char *name)
{
	void *found = library == NULL ? NULL : dlsym(library, name);

	if (found == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	return found;
}

static void use_library(const char *path, long add, long steps)
{
	void *library = dlopen(path, RTLD_NOW);
	long (*work)(long) = (long (*)(long))find(library, "reload_work");

	check((void *)work, work(steps), steps * add);
	dlclose(library);
}

static void use_renamed(const char *path, long add, long steps)
{
	static const char name[] = "./reloaded";

	unlink(name);
	if (symlink(path, name) != 0)
		exit(2);
	use_library(name, add, steps);
}

/* How far from the file's start the function is: code is loaded as it stands in the file. */
static uint64_t offset_of(const char *path)
{
	void *library = dlopen(path, RTLD_NOW), *add = find(library, "reload_add");
	Dl_info info;

	if (dladdr(add, &info) == 0)
		exit(2);
	uint64_t offset = (uint64_t)((char *)add - (char *)info.dli_fbase);
	dlclose(library);
	return offset;
}

static void use_file(const char *path, long add, long steps)
{
	static uint64_t offset;
	static long table[1024];
	int fd = open(path, O_RDONLY);

	if (offset == 0)
		offset = offset_of(path);
	char *code = mmap(place == NULL ? NULL : (char *)place - offset % PAGE, 2 * PAGE,
			  PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, (long)(offset / PAGE * PAGE));
	long (*work)(long *, long) = (long (*)(long *, long))(code + offset % PAGE);

	close(fd);
	memset(table, 0, sizeof(table));
	check((void *)work, work(table, steps), (steps + 1023) / 1024 * add);
	munmap(code, 2 * PAGE);
}

struct by_turns {
	char **paths;
	long rounds, first;
};

/* Its libraries may be the others' too, and these variables theirs. */
static void *use_by_turns(void *arg)
{
	const struct by_turns *turns = arg;

	for (long i = 0; i < turns->rounds; i++) {
		int which = (int)((i + turns->first) % LIBRARIES);
		void *library = dlopen(turns->paths[which], RTLD_NOW);
		long (*add)(volatile long *, long) =
			(long (*)(volatile long *, long))find(library, "reload_add");
		volatile long table[1024] = { 0 };

		if (add(table, STEPS) != (STEPS + 1023) / 1024 * adds[which])
			__atomic_add_fetch(&wrong, 1, __ATOMIC_SEQ_CST);
		dlclose(library);
	}
	return NULL;
}

static int use_threads(char **paths, long rounds)
{
	enum { THREADS = 3 };
	struct by_turns turns[THREADS];
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++) {
		turns[i] = (struct by_turns){ paths, rounds, i };
		pthread_create(&threads[i], NULL, use_by_turns, &turns[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%d threads, wrong %ld times\n", THREADS, wrong);
	return wrong != 0;
}

int main(int argc, char **argv)
{
	long sum = 0;

	if (argc != 5)
		return 2;
	if (strcmp(argv[1], "threads") == 0)
		return use_threads(argv + 3, atol(argv[2]));
	void (*use)(const char *, long, long) = strcmp(argv[1], "library") == 0   ? use_library
						: strcmp(argv[1], "renamed") == 0 ? use_renamed
										  : use_file;
	for (long i = 0; i < atol(argv[2]); i++) {
		long steps = STEPS + i * 37 % STEPS;
		int which = (int)(i % LIBRARIES);

		use(argv[3 + which], adds[which], steps);
		for (long n = 0; n < steps; n++)
			own_table[n & 1023]++;
		sum += steps;
	}
	printf("%ld steps, moved %ld times, wrong %ld times\n", sum, moved, wrong);
	return wrong != 0;
}
