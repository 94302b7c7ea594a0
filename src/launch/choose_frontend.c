/*
 * launch/choose_frontend.c - chooses the front-end for a program: the native tracer where possible,
 * else Valgrind.
 */
#include <elf.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/text.h"
#include "launch/launch.h"
#include "launch/platform.h"

/* The start of a file; as much as a kernel looks at, and the program headers. */
struct head {
	union {
		Elf64_Ehdr elf;
		char text[4096];
	};
	size_t n;
};

static bool read_head(const char *path, struct head *head)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, head->text, sizeof(head->text) - 1) : -1;

	if (fd >= 0)
		close(fd);
	head->n = n > 0 ? (size_t)n : 0;
	head->text[head->n] = '\0';
	return n > 0;
}

static bool is_elf(const struct head *head)
{
	return head->n >= sizeof(head->elf) && memcmp(head->elf.e_ident, ELFMAG, SELFMAG) == 0;
}

/* The dynamic loader of the program; NULL: it is statically linked. */
static const char *loader_of(const struct head *head)
{
	for (unsigned i = 0; i < head->elf.e_phnum; i++) {
		size_t at = head->elf.e_phoff + (size_t)i * head->elf.e_phentsize;
		Elf64_Phdr p;

		if (at + sizeof(p) > head->n)
			break;
		memcpy(&p, head->text + at, sizeof(p));
		if (p.p_type == PT_INTERP && p.p_offset < head->n)
			return head->text + p.p_offset;
	}
	return NULL;
}

/* What the native front-end has against a program's file; NULL: nothing. */
static const char *against_elf(const struct head *head)
{
	const char *loader = loader_of(head);

	if (loader == NULL)
		return "it is statically linked, and loads no libraries";
	if (strstr(loader, "/ld-linux") == NULL)
		return "its C library is not glibc";
	return NULL;
}

static const char *against_program(const char *path)
{
	struct head head;

	if (!read_head(path, &head))
		return "it cannot be read";
	if (!is_elf(&head)) {
		/* A script: what runs it counts. */
		char *interpreter = head.text + 2 + strspn(head.text + 2, " \t");

		interpreter[strcspn(interpreter, " \t\n")] = '\0';
		char *copy = ms_strdup(interpreter);
		bool is_read = read_head(copy, &head) && is_elf(&head);

		ms_free(copy);
		if (!is_read)
			return "its interpreter is a script too";
	}
	return against_elf(&head);
}

static bool is_foreign(const char *path)
{
	struct head head, own;

	return read_head(path, &head) && is_elf(&head) && read_head("/proc/self/exe", &own) &&
	       head.elf.e_machine != own.elf.e_machine;
}

const char *ms_launch_why_not_native(const char *path)
{
	struct stat about;

	if (stat(path, &about) == 0 && (about.st_mode & (S_ISUID | S_ISGID)) != 0)
		return "it runs with another's rights (setuid)";
	if (is_foreign(path))
		return "it is of another architecture";
	return against_program(path);
}

/* Why the native front-end cannot do what the options ask for. */
static const char *against_options(const struct ms_launch_options *options)
{
	if (options->attach != 0 && options->machine->processors > 1)
		return "--attach simulates one processor";
	if (options->attach != 0 && options->follow)
		return "--attach does not follow children";
	if (strpbrk(options->frontend_dir, " :") != NULL)
		return "memspy's folder has a name that LD_PRELOAD cannot hold";
	return NULL;
}

/* Why Valgrind is preferred although the native front-end could be used: NULL if it is not. With
 * windows the program's own speed matters more. */
static const char *reason_for_valgrind(const struct ms_launch_options *options)
{
	if (options->machine->processors > 1 && !ms_stream_sampling_has_windows(options->sampling))
		return "with several processors, only Valgrind repeats a schedule of threads for a "
		       "seed and recognises spin loops; --processors auto and --frontend native "
		       "are "
		       "faster, but two runs may differ where threads race";
	return NULL;
}

/* As its launcher does: libjvm.so lies beside the folder that the program is in; up to version 8 in
 * a folder with the architecture's name. */
static bool is_java(const char *path)
{
	static const char *const places[] = { "lib/server", "lib/*/server", "jre/lib/*/server" };
	struct ms_text library = MS_TEXT_INIT;
	char *real = realpath(path, NULL);
	bool found = false;

	for (size_t i = 0; i < MS_COUNT(places) && real != NULL && !found; i++) {
		glob_t matches = { .gl_pathc = 0 };

		ms_text_clear(&library);
		ms_text_addf(&library, "%.*s/../%s/libjvm.so", (int)(strrchr(real, '/') - real),
			     real, places[i]);
		found = glob(library.at, 0, NULL, &matches) == 0;
		globfree(&matches);
	}
	free(real);
	ms_text_free(&library);
	return found;
}

static bool is_there(const struct ms_launch_options *options)
{
	struct ms_text object = MS_TEXT_INIT;

	ms_text_addf(&object, "%s/memspy-native.so", options->frontend_dir);
	bool found = access(object.at, R_OK) == 0;
	ms_text_free(&object);
	return found;
}

static const char *against(const struct ms_launch_options *options, const char *path)
{
	const char *why = NULL;

	if (!ms_launch_platform_has_native)
		return "there is no native one for this architecture yet";
	if (sysconf(_SC_PAGESIZE) != 4096) /* a lane's first page is mapped twice */
		return "this kernel's pages do not have 4 KiB";
	why = against_options(options);
	if (why == NULL)
		why = against_program(path);
	if (why == NULL && options->frontend == MS_LAUNCH_FRONTEND_AUTO && !is_there(options))
		why = "memspy's native front-end is not installed";
	return why;
}

/* Only the native front-end lets the program run as fast as it does. */
static int choose_sampled(const struct ms_launch_options *options, const char *path,
			  struct ms_launch_choice *choice, struct ms_err *err)
{
	const char *why = against(options, path);

	if (why != NULL)
		return ms_fail(err, MS_ENOEXEC,
			       "%s: cannot be sampled: %s. Simulate it: memspy run", path, why);
	*choice = (struct ms_launch_choice){ .name = "native", .native = true };
	return MS_OK;
}

int ms_launch_choose_frontend(const struct ms_launch_options *options, const char *path,
			      struct ms_launch_choice *choice, struct ms_err *err)
{
	bool is_auto = options->frontend == MS_LAUNCH_FRONTEND_AUTO;
	const char *why = options->frontend == MS_LAUNCH_FRONTEND_VALGRIND ? "it was asked for"
									   : against(options, path);

	if (options->hardware != NULL)
		return choose_sampled(options, path, choice, err);
	if (options->frontend == MS_LAUNCH_FRONTEND_NATIVE && why != NULL)
		return ms_fail(err, MS_ENOEXEC, "%s: the native front-end cannot follow it: %s. %s",
			       path, why,
			       options->attach != 0 ? "Start it with memspy run instead"
						    : "Use --frontend valgrind");
	bool possible = why == NULL;
	if (is_auto && possible)
		why = reason_for_valgrind(options);
	bool usual = why == NULL, is_refused = !usual && possible && is_java(path);
	choice->native = usual || is_refused;
	choice->name = choice->native ? "native" : "valgrind";
	if (is_refused)
		why = "Java aborts under Valgrind where several processors are simulated; the "
		      "schedule of threads may differ between runs";
	if (why == NULL)
		why = is_auto ? "it is linked with glibc's libraries, and is followed faster there"
			      : "it was asked for";
	if (options->chosen != NULL)
		options->chosen(choice->native ? "native" : "Valgrind", why, usual);
	return MS_OK;
}
