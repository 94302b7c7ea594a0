/*
 * dynamic_loader.c - searches the dynamic loader's list of objects, in lookup order. It does not
 * use dlsym(), which may allocate memory, and whose result depends on its caller.
 */
#include "maps/dynamic_loader.h"

#include <elf.h>

#include "runtime/libc_substitutes.h"

/* Defined by the loader, for debuggers. */
extern struct ms_maps_loader_debug _r_debug __attribute__((weak, visibility("default")));

const struct ms_maps_loaded_object *ms_maps_get_first_object(void)
{
	return &_r_debug != NULL ? _r_debug.first : NULL;
}

struct loader_tables {
	const Elf64_Sym *symbols;
	const char *names;
	const uint32_t *gnu_hash;
	const uint32_t *hash;
	const uint16_t *versions;
};

static bool read_tables(const struct ms_maps_loaded_object *link, struct loader_tables *t)
{
	*t = (struct loader_tables){ 0 };
	for (const Elf64_Dyn *d = link->dynamic; d != NULL && d->d_tag != DT_NULL; d++) {
		/* The C library relocates the addresses in most tables, but not in the vDSO's. */
		uint64_t at =
			d->d_un.d_ptr < link->bias ? d->d_un.d_ptr + link->bias : d->d_un.d_ptr;

		if (d->d_tag == DT_SYMTAB)
			t->symbols = (const Elf64_Sym *)at;
		else if (d->d_tag == DT_STRTAB)
			t->names = (const char *)at;
		else if (d->d_tag == DT_GNU_HASH)
			t->gnu_hash = (const uint32_t *)at;
		else if (d->d_tag == DT_HASH)
			t->hash = (const uint32_t *)at;
		else if (d->d_tag == DT_VERSYM)
			t->versions = (const uint16_t *)at;
	}
	return t->symbols != NULL && t->names != NULL;
}

/* What is looked up; type: STT_FUNC or STT_OBJECT. */
struct wanted {
	const char *name;
	unsigned type;
};

/* Whether this is the symbol's default version, which a lookup without a version finds. */
static bool is_wanted(const struct loader_tables *t, uint32_t i, const struct wanted *wanted)
{
	const Elf64_Sym *s = &t->symbols[i];

	return s->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(s->st_info) == wanted->type &&
	       ELF64_ST_BIND(s->st_info) != STB_LOCAL &&
	       (t->versions == NULL || (t->versions[i] & 0x8000) == 0) &&
	       ms_runtime_are_texts_equal(t->names + s->st_name, wanted->name);
}

static uint32_t find_by_gnu_hash(const struct loader_tables *t, const struct wanted *wanted)
{
	const uint32_t *h = t->gnu_hash;
	const uint32_t *buckets = h + 4 + h[2] * 2, *chains = buckets + h[0];
	uint32_t hash = 5381;

	for (const char *c = wanted->name; *c != '\0'; c++)
		hash = hash * 33 + (uint8_t)*c;
	uint32_t i = h[0] > 0 ? buckets[hash % h[0]] : 0;
	if (i < h[1])
		return 0;
	for (;; i++) {
		if ((chains[i - h[1]] | 1) == (hash | 1) && is_wanted(t, i, wanted))
			return i;
		if (chains[i - h[1]] & 1)
			return 0;
	}
}

static uint32_t find_symbol(const struct loader_tables *t, const struct wanted *wanted)
{
	if (t->gnu_hash != NULL)
		return find_by_gnu_hash(t, wanted);
	for (uint32_t i = 1; t->hash != NULL && i < t->hash[1]; i++)
		if (is_wanted(t, i, wanted))
			return i;
	return 0;
}

void *ms_maps_find_next_function(const char *name, const char **object)
{
	const struct wanted wanted = { name, STT_FUNC };
	bool is_after_memspy = false;

	for (const struct ms_maps_loaded_object *link = ms_maps_get_first_object(); link != NULL;
	     link = link->next) {
		struct loader_tables t;

		if (!is_after_memspy) {
			is_after_memspy = ms_maps_is_memspy_object(link);
			continue;
		}
		uint32_t i = read_tables(link, &t) ? find_symbol(&t, &wanted) : 0;
		if (i != 0) {
			*object = link->name;
			return (void *)(link->bias + t.symbols[i].st_value);
		}
	}
	return NULL;
}

void *ms_maps_find_variable(const char *name)
{
	const struct wanted wanted = { name, STT_OBJECT };

	for (const struct ms_maps_loaded_object *link = ms_maps_get_first_object(); link != NULL;
	     link = link->next) {
		struct loader_tables t;
		uint32_t i = read_tables(link, &t) ? find_symbol(&t, &wanted) : 0;

		if (i != 0)
			return (void *)(link->bias + t.symbols[i].st_value);
	}
	return NULL;
}

bool ms_maps_is_memspy_object(const struct ms_maps_loaded_object *link)
{
	extern const Elf64_Dyn _DYNAMIC[] __attribute__((visibility("hidden")));

	return link->dynamic == _DYNAMIC;
}

/* The first text of this kind (DT_NEEDED, DT_SONAME) after *d; NULL: there is no other. */
static const char *find_text(const struct ms_maps_loaded_object *link, int64_t tag,
			     const Elf64_Dyn **d)
{
	struct loader_tables t;

	if (!read_tables(link, &t))
		return NULL;
	for (*d = *d == NULL ? link->dynamic : *d + 1; (*d)->d_tag != DT_NULL; (*d)++)
		if ((*d)->d_tag == tag)
			return t.names + (*d)->d_un.d_val;
	return NULL;
}

static bool needs(const struct ms_maps_loaded_object *link, const char *library)
{
	const Elf64_Dyn *d = NULL;
	const char *name;

	while ((name = find_text(link, DT_NEEDED, &d)) != NULL)
		if (ms_runtime_are_texts_equal(name, library))
			return true;
	return false;
}

bool ms_maps_is_only_for_memspy(const struct ms_maps_loaded_object *link)
{
	const Elf64_Dyn *d = NULL;
	const char *name = find_text(link, DT_SONAME, &d);
	bool by_memspy = false, by_others = false;

	if (ms_maps_is_memspy_object(link))
		return true;
	for (const struct ms_maps_loaded_object *user = ms_maps_get_first_object();
	     name != NULL && user != NULL; user = user->next)
		if (needs(user, name))
			*(ms_maps_is_memspy_object(user) ? &by_memspy : &by_others) = true;
	return by_memspy && !by_others;
}
