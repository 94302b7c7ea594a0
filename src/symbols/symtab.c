/*
 * symbols/symtab.c - reads the ELF symbol tables, for code and data that DWARF does not contain.
 *
 * .symtab may be in the separate debug file; .dynsym is always in the module itself.
 */
#include <gelf.h>
#include <string.h>

#include "base/num.h"
#include "symbols/module_priv.h"
#include "symbols/symtab_priv.h"

enum { PLT_ENTRY = 16 };

/* "stdout@GLIBC_2.2.5" -> "stdout": copied variables have their version in .symtab. */
static const char *plain_name(struct ms_symbols_module *m, const char *name)
{
	const char *at = strchr(name, '@');

	return at != NULL && at != name ? ms_intern_n(&m->names, name, (size_t)(at - name)) : name;
}

/* The section of the last symbol: neighbours are mostly in the same one. */
struct symbol_section {
	Elf *elf;
	unsigned index; /* SHN_UNDEF: none yet */
	bool is_loaded;
	GElf_Shdr head;
};

static bool find_section(struct symbol_section *s, const GElf_Sym *sym)
{
	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE)
		return false;
	if (sym->st_shndx != s->index) {
		Elf_Scn *section = elf_getscn(s->elf, sym->st_shndx);

		s->index = sym->st_shndx;
		s->is_loaded = section != NULL && gelf_getshdr(section, &s->head) != NULL &&
			       s->head.sh_flags & SHF_ALLOC;
	}
	return s->is_loaded;
}

static void add_symbol(struct ms_symbols_module *m, struct symbol_section *section,
		       const GElf_Sym *sym, const char *name)
{
	unsigned char type = GELF_ST_TYPE(sym->st_info);
	const GElf_Shdr *head = &section->head;
	bool code, object;

	/*
	 * '$' begins mapping symbols, which mark the alternation of code and data and are not
	 * names.
	 */
	if (name == NULL || name[0] == '\0' || name[0] == '$' || !find_section(section, sym))
		return;
	code = (head->sh_flags & SHF_EXECINSTR) &&
	       (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE);
	object = sym->st_size > 0 && (type == STT_OBJECT || type == STT_COMMON || type == STT_TLS ||
				      (type == STT_NOTYPE && !code));
	if (!code && !object)
		return;

	struct ms_symbols_entry *s = ms_vec_add(code ? &m->functions.at : &m->objects.at);
	s->offset = sym->st_value;
	s->size = sym->st_size;
	s->name = plain_name(m, name);
	s->type = type;
	s->bind = GELF_ST_BIND(sym->st_info);
	s->sized = s->size > 0 && type != STT_NOTYPE;
	/* A function without a size extends to the end of its section, or to the next function. */
	if (code && s->size == 0 && head->sh_addr + head->sh_size > s->offset)
		s->size = head->sh_addr + head->sh_size - s->offset;
}

/* The text at an offset of a string table; elf_strptr() would look the table up each time. */
static const char *text_at(const Elf_Data *texts, uint64_t offset)
{
	const char *at = texts->d_buf;

	return offset < texts->d_size && at[texts->d_size - 1] == '\0' ? at + offset : NULL;
}

static void read_table(struct ms_symbols_module *m, Elf *elf, const char *which)
{
	Elf_Scn *section = ms_symbols_elf_section(elf, which);
	struct symbol_section last = { .elf = elf, .index = SHN_UNDEF };
	GElf_Shdr head;
	Elf_Data *data, *texts;

	if (section == NULL || gelf_getshdr(section, &head) == NULL || head.sh_entsize == 0 ||
	    (data = elf_getdata(section, NULL)) == NULL ||
	    (texts = elf_getdata(elf_getscn(elf, head.sh_link), NULL)) == NULL)
		return;
	size_t n = data->d_size / head.sh_entsize;
	if (m->functions.at.n == 0)
		ms_vec_reserve(&m->functions.at, n);
	for (size_t i = 1; i < n; i++) {
		GElf_Sym sym;

		if (gelf_getsym(data, (int)i, &sym) != NULL)
			add_symbol(m, &last, &sym, text_at(texts, sym.st_name));
	}
}

/* The symbol name of the i-th relocation of .rela.plt. */
static const char *plt_target(Elf *elf, Elf_Data *relocations, size_t i, Elf_Data *symbols,
			      size_t strings)
{
	GElf_Rela rela;
	GElf_Sym sym;

	if (gelf_getrela(relocations, (int)i, &rela) == NULL || GELF_R_SYM(rela.r_info) == 0 ||
	    gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &sym) == NULL)
		return NULL;
	return elf_strptr(elf, strings, sym.st_name);
}

/*
 * The stubs of section `which` are in the order of .rela.plt, 16 bytes each, after a header that
 * takes the remaining bytes. So no machine code needs to be decoded.
 */
static void read_plt(struct ms_symbols_module *m, const char *which)
{
	Elf_Scn *plt = ms_symbols_elf_section(m->elf, which),
		*rela = ms_symbols_elf_section(m->elf, ".rela.plt");
	GElf_Shdr plt_head, rela_head, sym_head;

	if (plt == NULL || rela == NULL || gelf_getshdr(plt, &plt_head) == NULL ||
	    gelf_getshdr(rela, &rela_head) == NULL || rela_head.sh_entsize == 0)
		return;
	Elf_Scn *symtab = elf_getscn(m->elf, rela_head.sh_link);
	if (symtab == NULL || gelf_getshdr(symtab, &sym_head) == NULL)
		return;
	Elf_Data *relocations = elf_getdata(rela, NULL), *symbols = elf_getdata(symtab, NULL);
	if (relocations == NULL || symbols == NULL)
		return;

	size_t n = relocations->d_size / rela_head.sh_entsize;
	if (plt_head.sh_size / PLT_ENTRY < n || plt_head.sh_size - n * PLT_ENTRY > 2 * PLT_ENTRY)
		return;
	uint64_t first = plt_head.sh_addr + plt_head.sh_size - n * PLT_ENTRY;
	for (size_t i = 0; i < n; i++) {
		const char *name = plt_target(m->elf, relocations, i, symbols, sym_head.sh_link);

		if (name == NULL || name[0] == '\0')
			continue;
		*ms_vec_add(&m->functions.at) = (struct ms_symbols_entry){
			.offset = first + i * PLT_ENTRY,
			.size = PLT_ENTRY,
			.name = plain_name(m, name),
			.type = STT_FUNC,
			.plt = true,
		};
	}
}

/*
 * Of several names for one address, prefers the one in common use: typed, public, without
 * underscores.
 */
static int better(const struct ms_symbols_entry *x, const struct ms_symbols_entry *y)
{
	int order = (y->type != STT_NOTYPE) - (x->type != STT_NOTYPE);

	if (order == 0)
		order = (x->name[0] == '_') - (y->name[0] == '_');
	if (order == 0)
		order = (y->bind != STB_LOCAL) - (x->bind != STB_LOCAL);
	if (order == 0)
		order = ms_cmp_u64(strlen(x->name), strlen(y->name));
	return order != 0 ? order : strcmp(x->name, y->name);
}

/* Entries by offset; those of equal offset stay in their order. */
static void sort_functions(struct ms_symbols_list *s)
{
	enum { DIGIT = 11, DIGITS = 1 << DIGIT };
	struct ms_symbols_entry *from = s->at.at, *to = ms_alloc(s->at.n * sizeof(*to));
	uint64_t all = 0;

	for (size_t i = 0; i < s->at.n; i++)
		all |= from[i].offset;
	for (unsigned shift = 0; shift < 64 && all >> shift != 0; shift += DIGIT) {
		size_t start[DIGITS + 1] = { 0 };

		for (size_t i = 0; i < s->at.n; i++)
			start[(from[i].offset >> shift & (DIGITS - 1)) + 1]++;
		for (size_t digit = 1; digit < DIGITS; digit++)
			start[digit] += start[digit - 1];
		for (size_t i = 0; i < s->at.n; i++)
			to[start[from[i].offset >> shift & (DIGITS - 1)]++] = from[i];
		struct ms_symbols_entry *sorted = to;
		to = from;
		from = sorted;
	}
	if (from != s->at.at)
		memcpy(s->at.at, from, s->at.n * sizeof(*from));
	ms_free(from != s->at.at ? from : to);
}

/* Of the symbols of each address, keeps the best. */
static void drop_equal(struct ms_symbols_list *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->at.n; i++) {
		struct ms_symbols_entry *last = kept > 0 ? &s->at.at[kept - 1] : NULL;

		if (last == NULL || last->offset != s->at.at[i].offset)
			s->at.at[kept++] = s->at.at[i];
		else if (better(&s->at.at[i], last) < 0)
			*last = s->at.at[i];
	}
	s->at.n = kept;
}

/* Sorts, keeps one symbol per address, and ends each where the next one begins. */
static void tidy_functions(struct ms_symbols_list *s)
{
	size_t kept = 0;

	if (s->at.n == 0)
		return;
	sort_functions(s);
	drop_equal(s);
	for (size_t i = 0; i < s->at.n; i++) {
		struct ms_symbols_entry *last = kept > 0 ? &s->at.at[kept - 1] : NULL;

		/* A label inside a function is not a function. */
		if (last != NULL && last->sized && s->at.at[i].type == STT_NOTYPE &&
		    s->at.at[i].offset - last->offset < last->size)
			continue;
		if (last != NULL && last->size > s->at.at[i].offset - last->offset)
			last->size = s->at.at[i].offset - last->offset;
		s->at.at[kept++] = s->at.at[i];
	}
	s->at.n = kept;
}

void ms_symbols_symtab_read(struct ms_symbols_module *m)
{
	if (m->symtab_read)
		return;
	m->symtab_read = true;
	read_table(m, m->elf, ".symtab");
	read_table(m, m->debug_elf, ".symtab");
	read_table(m, m->elf, ".dynsym");
	read_plt(m, ".plt");
	read_plt(m, ".plt.sec");
	tidy_functions(&m->functions);
}

struct ms_symbols_entry *ms_symbols_symtab_function(struct ms_symbols_module *m, uint64_t offset)
{
	size_t low = 0, high;

	ms_symbols_symtab_read(m);
	/* Consecutive lookups are often of neighbouring instructions. */
	if (m->last_function < m->functions.at.n) {
		struct ms_symbols_entry *last = &m->functions.at.at[m->last_function];

		if (offset - last->offset < last->size)
			return last;
	}
	high = m->functions.at.n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (m->functions.at.at[mid].offset <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == 0)
		return NULL;
	m->last_function = low - 1;
	struct ms_symbols_entry *s = &m->functions.at.at[low - 1];
	return offset - s->offset < s->size ? s : NULL;
}
