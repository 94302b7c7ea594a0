/*
 * symbols/debugfile.c - finds separate debug files by build-id and by .gnu_debuglink.
 *
 * A candidate must have the program's build-id. If one of the two files has no build-id, the
 * checksum of the link must match. memspy never uses the network (debuginfod).
 */
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/module_priv.h"

void ms_symbols_elf_build_id(Elf *elf, struct ms_text *out)
{
	const void *bytes;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &bytes);

	for (ssize_t i = 0; i < n; i++)
		ms_text_addf(out, "%02x", ((const unsigned char *)bytes)[i]);
}

const char *ms_symbols_library(void)
{
	return dwfl_version(NULL);
}

void ms_symbols_build_id_of(const char *path, struct ms_text *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf != NULL && elf_kind(elf) == ELF_K_ELF)
		ms_symbols_elf_build_id(elf, out);
	elf_end(elf);
	close(fd);
}

Elf_Scn *ms_symbols_elf_section(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf == NULL || elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr head;
		const char *found;

		if (gelf_getshdr(section, &head) == NULL)
			continue;
		found = elf_strptr(elf, names, head.sh_name);
		if (found != NULL && strcmp(found, name) == 0)
			return head.sh_type != SHT_NOBITS ? section : NULL;
	}
	return NULL;
}

/* The checksum of .gnu_debuglink: CRC-32 as in zlib. */
static uint32_t crc32_of(const unsigned char *p, size_t n)
{
	uint32_t table[256];
	uint32_t crc = UINT32_MAX;

	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int bit = 0; bit < 8; bit++)
			c = c & 1 ? UINT32_C(0xedb88320) ^ (c >> 1) : c >> 1;
		table[i] = c;
	}
	for (size_t i = 0; i < n; i++)
		crc = table[(crc ^ p[i]) & 0xff] ^ (crc >> 8);
	return ~crc;
}

static bool checksum_is(int fd, uint32_t wanted)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || st.st_size <= 0)
		return false;
	void *bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return false;
	bool same = crc32_of(bytes, (size_t)st.st_size) == wanted;
	munmap(bytes, (size_t)st.st_size);
	return same;
}

static bool same_file(int a, int b)
{
	struct stat x, y;

	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* Whether the file belongs to the module. crc is NULL if the path is derived from the build-id. */
static bool belongs(const struct ms_symbols_module *module, int fd, const uint32_t *crc)
{
	struct ms_text id = MS_TEXT_INIT;
	struct stat st;
	bool plain = fstat(fd, &st) == 0 && S_ISREG(st.st_mode), ok = false;
	Elf *elf = plain ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;

	if (elf != NULL && elf_kind(elf) == ELF_K_ELF && !same_file(fd, module->fd)) {
		ms_symbols_elf_build_id(elf, &id);
		if (id.n > 0 && module->build_id[0] != '\0')
			ok = strcmp(id.at, module->build_id) == 0;
		else
			ok = crc != NULL && checksum_is(fd, *crc);
	}
	elf_end(elf);
	ms_text_free(&id);
	return ok;
}

static int try_open(const struct ms_symbols_module *module, const char *path, const uint32_t *crc)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && !belongs(module, fd, crc)) {
		close(fd);
		return -1;
	}
	return fd;
}

static int find_by_build_id(const struct ms_symbols_module *module, const char *root)
{
	struct ms_text path = MS_TEXT_INIT;

	if (strlen(module->build_id) < 4)
		return -1;
	ms_text_addf(&path, "%s/.build-id/%.2s/%s.debug", root, module->build_id,
		     module->build_id + 2);
	int fd = try_open(module, path.at, NULL);
	ms_text_free(&path);
	return fd;
}

static int find_by_link(const struct ms_symbols_module *module, const char *root)
{
	GElf_Word crc_word;
	const char *name = dwelf_elf_gnu_debuglink(module->elf, &crc_word);
	uint32_t crc = crc_word;
	char folder[PATH_MAX];
	int fd = -1;

	if (name == NULL || name[0] == '\0' || strchr(name, '/') != NULL ||
	    realpath(module->path, folder) == NULL)
		return -1;
	*strrchr(folder, '/') = '\0';

	const char *const shapes[][3] = {
		{ folder, "", "" },
		{ folder, "/.debug", "" },
		{ root, folder, "" },
	};
	for (size_t i = 0; i < MS_COUNT(shapes) && fd < 0; i++) {
		struct ms_text path = MS_TEXT_INIT;

		ms_text_addf(&path, "%s%s/%s", shapes[i][0], shapes[i][1], name);
		fd = try_open(module, path.at, &crc);
		ms_text_free(&path);
	}
	return fd;
}

int ms_symbols_debugfile_find(const struct ms_symbols_module *module, const char *root)
{
	int fd = find_by_build_id(module, root);

	return fd >= 0 ? fd : find_by_link(module, root);
}
