#include "views/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 64 << 20 };

static bool later(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

/* The end of the second in which a run began: runs are dated in whole seconds. */
static bool started_at(const char *text, struct timespec *out)
{
	struct tm tm = { .tm_isdst = 0 };
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm);

	*out = (struct timespec){ .tv_sec = timegm(&tm), .tv_nsec = 999999999 };
	return end != NULL && *end == '\0';
}

/* A program that was built anew since the run says nothing about what the run was built from. */
static enum ms_views_source_age age_of(struct timespec changed,
				       const struct ms_views_source_where *where)
{
	struct timespec started;
	struct stat module;
	bool dated = where->started != NULL && started_at(where->started, &started);

	if (dated && later(changed, started))
		return MS_VIEWS_SOURCE_AFTER_RUN;
	if (where->module == NULL || stat(where->module, &module) != 0 ||
	    (dated && later(module.st_mtim, started)))
		return MS_VIEWS_SOURCE_SAME;
	return later(changed, module.st_mtim) ? MS_VIEWS_SOURCE_AFTER_BUILD : MS_VIEWS_SOURCE_SAME;
}

static bool read_all(int file, char *at, size_t size)
{
	while (size > 0) {
		ssize_t n = read(file, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = EIO; /* it shrank under our eyes */
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static void find_lines(struct ms_views_source *s)
{
	for (size_t at = 0; at < s->size;) {
		const char *end = memchr(s->text + at, '\n', s->size - at);

		*ms_vec_add(&s->starts) = at;
		at = end != NULL ? (size_t)(end - s->text) + 1 : s->size;
	}
}

static const char *read_file(struct ms_views_source *s, int file,
			     const struct ms_views_source_where *where)
{
	struct stat about;

	if (fstat(file, &about) != 0)
		return strerrordesc_np(errno);
	if (!S_ISREG(about.st_mode))
		return "not a plain file";
	if (about.st_size > LARGEST)
		return "larger than 64 MiB";
	s->size = (size_t)about.st_size;
	s->text = ms_alloc(s->size + 1);
	if (!read_all(file, s->text, s->size)) {
		s->size = 0;
		return strerrordesc_np(errno);
	}
	s->age = age_of(about.st_mtim, where);
	find_lines(s);
	return NULL;
}

/* Reads `path` if it is there; false: try elsewhere. */
static bool try_path(struct ms_views_source *s, const char *path,
		     const struct ms_views_source_where *where)
{
	/* A pipe must not be waited for, a terminal not become ours. */
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (file < 0) {
		if (s->trouble == NULL) /* of the path itself */
			s->trouble = strerrordesc_np(errno);
		return false;
	}
	s->trouble = read_file(s, file, where);
	close(file);
	s->path = ms_strdup(path);
	return true;
}

static bool try_folder(struct ms_views_source *s, const char *folder,
		       const struct ms_views_source_where *where)
{
	struct ms_text path = MS_TEXT_INIT;
	bool found = false;

	for (const char *tail = where->path; !found && tail != NULL; tail = strchr(tail, '/')) {
		tail += strspn(tail, "/");
		ms_text_clear(&path);
		ms_text_addf(&path, "%s/%s", folder, tail);
		found = *tail != '\0' && try_path(s, path.at, where);
	}
	ms_text_free(&path);
	return found;
}

void ms_views_source_read(struct ms_views_source *source, const struct ms_views_source_where *where)
{
	*source = (struct ms_views_source){ .path = NULL };
	if (try_path(source, where->path, where))
		return;
	for (size_t i = 0; i < where->n_folders; i++)
		if (try_folder(source, where->folders[i], where))
			return;
}

void ms_views_source_free(struct ms_views_source *source)
{
	ms_free(source->path);
	ms_free(source->text);
	ms_vec_free(&source->starts);
}

size_t ms_views_source_lines(const struct ms_views_source *source)
{
	return source->starts.n;
}

static size_t length_of(const char *line, size_t n)
{
	const char *end = memchr(line, '\n', n);

	n = end != NULL ? (size_t)(end - line) : n;
	return n > 0 && line[n - 1] == '\r' ? n - 1 : n;
}

bool ms_views_source_line(const struct ms_views_source *source, uint32_t number,
			  struct ms_text *out)
{
	ms_text_clear(out);
	if (number == 0 || number > source->starts.n)
		return false;
	const char *line = source->text + source->starts.at[number - 1];
	size_t n = length_of(line, source->size - source->starts.at[number - 1]);

	ms_text_add_n(out, line, n);
	return true;
}
