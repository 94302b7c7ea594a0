/*
 * symbols/variables.c - variables with a fixed address: globals, statics, thread-locals.
 *
 * DWARF comes first, because it has types and function statics. The symbol tables provide the rest
 * (assembly, libraries without debug information, thread-locals for which the compiler emits no
 * location).
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "symbols/dies_priv.h"
#include "symbols/module_priv.h"
#include "symbols/symtab_priv.h"
#include "symbols/types_priv.h"
#include "symbols/units_priv.h"

struct variable_candidate {
	struct ms_symbols_variable var;
	bool symtab;
};

struct gather {
	struct ms_symbols_module *module;
	MS_VEC(struct variable_candidate) found;
	MS_VEC(struct ms_symbols_var_die) placeless; /* named, but without a location in DWARF */
};

/* The constant or address operand of one operation; DW_OP_addrx needs the unit's address table. */
static bool operand(Dwarf_Attribute *attr, const Dwarf_Op *op, uint64_t *value)
{
	Dwarf_Attribute indirect;
	Dwarf_Addr addr;

	switch (op->atom) {
	case DW_OP_addr:
	case DW_OP_const4u:
	case DW_OP_const8u:
	case DW_OP_const4s:
	case DW_OP_const8s:
	case DW_OP_constu:
		*value = op->number;
		return true;
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		if (dwarf_getlocation_attr(attr, op, &indirect) != 0)
			return false;
		if (dwarf_formaddr(&indirect, &addr) == 0) {
			*value = addr;
			return true;
		}
		return dwarf_formudata(&indirect, value) == 0;
	default:
		return false;
	}
}

bool ms_symbols_die_place(Dwarf_Die *die, uint64_t *offset, bool *tls)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_attr(die, DW_AT_location, &attr) == NULL ||
	    dwarf_getlocation(&attr, &ops, &n) != 0 || n == 0 || !operand(&attr, &ops[0], offset))
		return false;
	*tls = n == 2 &&
	       (ops[1].atom == DW_OP_form_tls_address || ops[1].atom == DW_OP_GNU_push_tls_address);
	if (*tls)
		return true;
	if (ops[0].atom != DW_OP_addr && ops[0].atom != DW_OP_addrx &&
	    ops[0].atom != DW_OP_GNU_addr_index)
		return false;
	if (n == 2 && ops[1].atom == DW_OP_plus_uconst)
		*offset += ops[1].number;
	else if (n != 1)
		return false;
	return true;
}

/*
 * The location should be an offset into the module's thread-local storage. In split units, gcc on
 * x86-64 makes the linker write the address of the initial value instead.
 */
static void mend_tls(const struct ms_symbols_module *m, struct ms_symbols_variable *v)
{
	if (v->tls && v->offset >= m->tls_size && v->offset - m->tls_start < m->tls_size)
		v->offset -= m->tls_start;
}

/* Whether the variable is in a loaded section. Sections that the linker discarded are not. */
static bool is_loaded(struct ms_symbols_module *m, const struct ms_symbols_variable *v)
{
	size_t n;
	const struct ms_symbols_section *s = ms_symbols_module_sections(m, &n);

	if (v->tls)
		return v->offset < m->tls_size;
	for (size_t i = 0; i < n; i++)
		if (v->offset >= s[i].offset && v->offset - s[i].offset < s[i].size)
			return true;
	return false;
}

/*
 * "Class::count", "ns::table": from the linkage name, else from the scopes around the declaration.
 */
static const char *global_name(struct ms_symbols_module *m, Dwarf_Die *die, const char *name)
{
	Dwarf_Attribute attr;
	const char *linkage = NULL;
	char *plain = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) != NULL ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr) != NULL)
		linkage = dwarf_formstring(&attr);
	if (linkage != NULL)
		plain = ms_symbols_demangle(linkage);
	if (plain != NULL) {
		name = ms_intern(&m->names, plain);
		ms_free(plain);
		return name;
	}
	if (name == NULL)
		return linkage;

	struct ms_text text = MS_TEXT_INIT;
	Dwarf_Die declared = *die;
	ms_symbols_die_ref(die, DW_AT_specification, &declared);
	ms_symbols_scope_names(m, &declared, &text);
	ms_text_add(&text, name);
	name = ms_intern(&m->names, text.at);
	ms_text_free(&text);
	return name;
}

static const char *static_name(struct ms_symbols_module *m, const struct ms_symbols_var_die *v,
			       const char *name)
{
	Dwarf_Die function;
	const char *outer;
	struct ms_text text = MS_TEXT_INIT;

	if (!ms_symbols_die_at(m, v->function, &function) ||
	    (outer = ms_symbols_function_name(m, &function)) == NULL)
		return name;
	ms_text_addf(&text, "%s::%s", outer, name);
	name = ms_intern(&m->names, text.at);
	ms_text_free(&text);
	return name;
}

static void describe(struct ms_symbols_module *m, struct ms_symbols_unit *unit,
		     const struct ms_symbols_var_die *v, Dwarf_Die *die,
		     struct ms_symbols_variable *out)
{
	Dwarf_Die type;
	int line;
	const char *name = dwarf_diename(die);

	out->name = v->function != 0 && name != NULL ? static_name(m, v, name)
						     : global_name(m, die, name);
	if (ms_symbols_type_of(die, &type)) {
		out->type = ms_symbols_type_name(m, &type);
		out->size = ms_symbols_type_size(&type);
		out->type_die = ms_symbols_type_offset(m, &type);
	}
	out->file = ms_symbols_unit_path(m, unit, ms_symbols_die_file(die));
	if (dwarf_decl_line(die, &line) == 0 && line > 0)
		out->line = (uint32_t)line;
}

static void gather_unit(struct gather *g, struct ms_symbols_unit *unit)
{
	ms_symbols_unit_walk(g->module, unit);
	for (size_t i = 0; i < unit->vars.n; i++) {
		struct variable_candidate c = { 0 };
		Dwarf_Die die;

		if (!ms_symbols_die_at(g->module, unit->vars.at[i].off, &die))
			continue;
		if (!dwarf_hasattr(&die, DW_AT_location) && dwarf_diename(&die) != NULL &&
		    unit->vars.at[i].function == 0) {
			*ms_vec_add(&g->placeless) = unit->vars.at[i];
			continue;
		}
		if (!ms_symbols_die_place(&die, &c.var.offset, &c.var.tls))
			continue;
		mend_tls(g->module, &c.var);
		if (!is_loaded(g->module, &c.var))
			continue;
		describe(g->module, unit, &unit->vars.at[i], &die, &c.var);
		if (c.var.name != NULL)
			*ms_vec_add(&g->found) = c;
	}
}

static void gather_symbols(struct gather *g)
{
	struct ms_symbols_module *m = g->module;

	ms_symbols_symtab_read(m);
	ms_vec_reserve(&g->found, m->objects.at.n);
	for (size_t i = 0; i < m->objects.at.n; i++) {
		const struct ms_symbols_entry *s = &m->objects.at.at[i];
		struct variable_candidate c = { .symtab = true };
		char *plain = ms_symbols_demangle(s->name);

		c.var.name = ms_intern(&m->names, plain != NULL ? plain : s->name);
		ms_free(plain);
		c.var.offset = s->offset;
		c.var.size = s->size;
		c.var.tls = s->type == STT_TLS;
		if (is_loaded(m, &c.var))
			*ms_vec_add(&g->found) = c;
	}
}

static int compare_candidates(const void *a, const void *b)
{
	const struct variable_candidate *x = a, *y = b;
	int order = (x->var.tls > y->var.tls) - (x->var.tls < y->var.tls);

	if (order == 0)
		order = ms_cmp_u64(x->var.offset, y->var.offset);
	if (order == 0)
		order = (x->symtab > y->symtab) - (x->symtab < y->symtab);
	if (order == 0)
		order = ms_cmp_u64(y->var.size, x->var.size);
	if (order == 0)
		order = (x->var.name[0] == '_') - (y->var.name[0] == '_');
	return order != 0 ? order : strcmp(x->var.name, y->var.name);
}

/*
 * Of overlapping variables, the first stays. A variable from DWARF always stays: a symbol that
 * begins before it (a Fortran common block) ends where it begins.
 */
static void keep_apart(struct gather *g)
{
	struct ms_symbols_module *m = g->module;
	bool last_is_symtab = false;
	uint64_t linked = 0; /* the linker's size of the last one, right even for "int[]" */

	if (g->found.n == 0)
		return;
	qsort(g->found.at, g->found.n, sizeof(*g->found.at), compare_candidates);
	for (size_t i = 0; i < g->found.n; i++) {
		struct variable_candidate *c = &g->found.at[i];
		struct ms_symbols_variable *last =
			m->variables.n > 0 ? &m->variables.at[m->variables.n - 1] : NULL;

		if (last != NULL && last->tls == c->var.tls) {
			uint64_t room = c->var.offset - last->offset;

			if (room == 0) {
				linked = c->symtab && c->var.size > linked ? c->var.size : linked;
				continue;
			}
			/* A symbol inside the range of another symbol adds nothing. */
			if (c->symtab && linked > room)
				continue;
			if (last->size > room) {
				if (!last_is_symtab || c->symtab)
					continue;
				last->size = room;
			}
			linked = linked < room ? linked : room;
		}
		if (last != NULL && last->size < linked)
			last->size = linked;
		*ms_vec_add(&m->variables) = c->var;
		last_is_symtab = c->symtab;
		linked = 0;
	}
	struct ms_symbols_variable *end = &m->variables.at[m->variables.n - 1];
	if (end->size < linked)
		end->size = linked;
}

static void drop_sizeless(struct ms_symbols_module *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->variables.n; i++)
		if (m->variables.at[i].size > 0)
			m->variables.at[kept++] = m->variables.at[i];
	m->variables.n = kept;
}

/* Thread-locals are last in the list, and few. */
static struct ms_symbols_variable *typeless_tls(struct ms_symbols_module *m, const char *name)
{
	for (size_t i = m->variables.n; i-- > 0 && m->variables.at[i].tls;)
		if (m->variables.at[i].type == NULL &&
		    (name == NULL || strcmp(m->variables.at[i].name, name) == 0))
			return &m->variables.at[i];
	return NULL;
}

/* Some compilers emit a symbol but no location for thread-locals: the name joins the two. */
static void join_placeless(struct gather *g)
{
	struct ms_symbols_module *m = g->module;

	if (typeless_tls(m, NULL) == NULL)
		return;
	for (size_t i = 0; i < g->placeless.n; i++) {
		struct ms_symbols_variable more = { 0 }, *found;
		Dwarf_Die die;

		if (!ms_symbols_die_at(m, g->placeless.at[i].off, &die))
			continue;
		const char *name = global_name(m, &die, dwarf_diename(&die));
		found = name != NULL ? typeless_tls(m, name) : NULL;
		struct ms_symbols_unit *unit = found != NULL ? ms_symbols_unit_of(m, &die) : NULL;
		if (unit == NULL)
			continue;
		describe(m, unit, &g->placeless.at[i], &die, &more);
		found->type = more.type;
		found->type_die = more.type_die;
		found->file = more.file;
		found->line = more.line;
	}
}

const struct ms_symbols_variable *ms_symbols_module_variables(struct ms_symbols_module *m,
							      size_t *n)
{
	if (!m->variables_read) {
		struct gather g = { .module = m };

		m->variables_read = true;
		ms_symbols_units_read(m);
		for (size_t i = 0; i < m->units.n; i++)
			if (m->units.at[i].code)
				gather_unit(&g, &m->units.at[i]);
		gather_symbols(&g);
		keep_apart(&g);
		drop_sizeless(m);
		join_placeless(&g);
		ms_vec_free(&g.found);
		ms_vec_free(&g.placeless);
	}
	*n = m->variables.n;
	return m->variables.at;
}
