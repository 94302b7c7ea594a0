/*
 * symbols/receiver.c - finds the variable that receives the result of a call, and its type.
 *
 * The line table gives the source position of the call. The statement at this position names the
 * receiving expression (statement.c, fortran.c). DWARF has the types of its root and of the members
 * that follow. The source is the file that is on the disk now: if it was edited since the build,
 * names may be wrong; if it is missing, there is what debug_info_receiver.c finds.
 */
#include <ctype.h>
#include <dwarf.h>
#include <string.h>

#include "symbols/dies_priv.h"
#include "symbols/lookup_priv.h"
#include "symbols/module_priv.h"
#include "symbols/receiver_priv.h"
#include "symbols/statement_priv.h"
#include "symbols/stripped_source_priv.h"
#include "symbols/types_priv.h"
#include "symbols/units_priv.h"

static bool is_function_pointer(Dwarf_Die *var)
{
	Dwarf_Die type, target;

	if (!ms_symbols_type_of(var, &type))
		return false;
	ms_symbols_type_strip(&type, true);
	if (dwarf_tag(&type) != DW_TAG_pointer_type || !ms_symbols_type_of(&type, &target))
		return false;
	ms_symbols_type_strip(&target, true);
	return dwarf_tag(&target) == DW_TAG_subroutine_type;
}

static bool is_variable(void *self, const char *name)
{
	struct ms_symbols_receiving *r = self;
	enum ms_symbols_var_kind kind;
	Dwarf_Die var;

	return ms_symbols_lookup(r->module, &r->place, name, &var, &kind) &&
	       !is_function_pointer(&var);
}

/* --- whether the function returns its variable --- */

/* The text of the function, from its declaration to its closing brace; false if it is not found. */
static bool function_text(const struct ms_symbols_receiving *r, Dwarf_Die *function,
			  const char **from, const char **to)
{
	const struct ms_symbols_source *s = r->source;
	const char *end = s->text + s->size, *p;
	int line, depth = 0;

	if (dwarf_decl_line(function, &line) != 0 || line < 1 || (size_t)line > s->lines.n ||
	    (uint32_t)line > r->place.line)
		return false;
	*from = s->text + s->lines.at[line - 1];
	for (p = *from; p < end && *p != '{' && *p != ';'; p++)
		continue;
	for (; p < end; p++) {
		depth += (*p == '{') - (*p == '}');
		if (depth == 0)
			break;
	}
	*to = p;
	return p < end && p >= s->text + s->lines.at[r->place.line - 1];
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p;
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether `p`, after "return", is the variable itself: "x;", "(x)", "(T *)x", "std::move(x)". */
static bool is_returned_name(const char *p, const char *end, const char *name)
{
	size_t n = strlen(name);

	p = skip_blanks(p, end);
	while (p < end && *p == '(') {
		const char *close = memchr(p, ')', (size_t)(end - p));

		/* A cast has a '*' before its ')'; a parenthesis does not. */
		if (close != NULL && close[-1] == '*')
			p = close;
		p = skip_blanks(p + 1, end);
	}
	if ((size_t)(end - p) > 10 && strncmp(p, "std::move(", 10) == 0)
		p += 10;
	if ((size_t)(end - p) <= n || strncmp(p, name, n) != 0 || is_word_char(p[n]))
		return false;
	p = skip_blanks(p + n, end);
	return p < end && strchr(";)?+,}", *p) != NULL;
}

static bool text_returns(const char *from, const char *to, const char *name,
			 enum ms_symbols_lang lang)
{
	for (const char *p = from; p < to;) {
		const char *found = memmem(p, (size_t)(to - p), "return", 6);

		if (found == NULL)
			break;
		p = found + 6;
		if ((found == from || !is_word_char(found[-1])) && p < to && !is_word_char(*p) &&
		    is_returned_name(p, to + 1, name))
			return true;
	}
	if (lang != MS_LANG_RUST)
		return false;
	/* Rust: the last word of the function is its value. */
	const char *p = to;
	while (p > from && isspace((unsigned char)p[-1]))
		p--;
	const char *word_end = p;
	while (p > from && is_word_char(p[-1]))
		p--;
	return (size_t)(word_end - p) == strlen(name) && strncmp(p, name, strlen(name)) == 0 &&
	       p > from && p[-1] != '.' && p[-1] != ':';
}

static bool types_agree(struct ms_symbols_module *m, Dwarf_Die *a, Dwarf_Die *b)
{
	Dwarf_Die x, y;

	if (!ms_symbols_type_of(a, &x) || !ms_symbols_type_of(b, &y))
		return false;
	ms_symbols_type_strip(&x, true);
	ms_symbols_type_strip(&y, true);
	const char *left = ms_symbols_type_name(m, &x), *right = ms_symbols_type_name(m, &y);
	return left != NULL && left == right;
}

static bool is_returned(struct ms_symbols_receiving *r, Dwarf_Die *var, const char *name)
{
	const char *from, *to;
	Dwarf_Die function;

	if (!ms_symbols_place_function(r->module, &r->place, &function))
		return false;
	if (function_text(r, &function, &from, &to))
		return text_returns(from, to, name, r->place.unit->lang);
	return types_agree(r->module, &function, var);
}

/*
 * Whether this is a constructor, and of which class. What it fills belongs to the object that its
 * caller names.
 */
static bool in_constructor(struct ms_symbols_receiving *r, Dwarf_Die *class)
{
	Dwarf_Die function, this, pointer;
	enum ms_symbols_var_kind kind;

	if (!ms_symbols_place_function(r->module, &r->place, &function) ||
	    !ms_symbols_lookup(r->module, &r->place, "this", &this, &kind) ||
	    !ms_symbols_type_of(&this, &pointer))
		return false;
	ms_symbols_type_strip(&pointer, true);
	if (!ms_symbols_type_of(&pointer, class))
		return false;
	ms_symbols_type_strip(class, true);
	const char *name = dwarf_diename(&function), *type = dwarf_diename(class);
	if (name == NULL || type == NULL)
		return false;
	size_t n = strcspn(type, "<");
	return strncmp(name, type, n) == 0 && (name[n] == '\0' || name[n] == '<');
}

/* --- combining the results --- */

static const char *hint_text(struct ms_symbols_receiving *r,
			     const struct ms_symbols_receipt *receipt)
{
	struct ms_text text = MS_TEXT_INIT;
	const char *name;

	if (receipt->hint_n == 0)
		return NULL;
	for (size_t i = 0; i < receipt->hint_n; i++)
		if (!isspace((unsigned char)receipt->hint[i]) ||
		    (i > 0 && !isspace((unsigned char)receipt->hint[i - 1])))
			ms_text_add_n(&text, &receipt->hint[i], 1);
	name = ms_intern(&r->module->names, text.at);
	ms_text_free(&text);
	return name;
}

static bool finish_return(struct ms_symbols_receiving *r, const struct ms_symbols_receipt *receipt,
			  const struct ms_symbols_statement *s, struct ms_symbols_receiver *out)
{
	struct ms_symbols_expression e = { 0 };
	Dwarf_Die function;

	e.typed = ms_symbols_place_function(r->module, &r->place, &function) &&
		  ms_symbols_type_of(&function, &e.type);
	ms_symbols_expression_add_members(r, s, receipt, &e);
	out->expression = ms_intern(&r->module->names, ms_text_get(&e.suffix));
	out->root = "";
	out->returned = true;
	if (e.typed)
		out->type = ms_symbols_pointee_name(r->module, &e.type, &out->object);
	if (out->type == NULL)
		out->type = hint_text(r, receipt);
	ms_text_free(&e.suffix);
	return true;
}

static bool is_number(const Dwarf_Die *given)
{
	Dwarf_Die type = *given;

	ms_symbols_type_strip(&type, true);
	return dwarf_tag(&type) == DW_TAG_base_type || dwarf_tag(&type) == DW_TAG_enumeration_type;
}

static bool is_array(const Dwarf_Die *given)
{
	Dwarf_Die type = *given;

	ms_symbols_type_strip(&type, true);
	return dwarf_tag(&type) == DW_TAG_array_type;
}

/* A member of the object that is constructed. */
static void finish_member(struct ms_symbols_receiving *r, const struct ms_symbols_statement *s,
			  Dwarf_Die *class, struct ms_symbols_expression *e,
			  struct ms_symbols_receiver *out)
{
	struct ms_text member = MS_TEXT_INIT;
	Dwarf_Die other, type;

	if (e->typed && ms_symbols_initialized_member(r, class, s, &e->type, &other)) {
		ms_text_addf(&member, "->%s", dwarf_diename(&other));
		out->type = ms_symbols_type_of(&other, &type)
				    ? ms_symbols_pointee_name(r->module, &type, &out->object)
				    : NULL;
	} else {
		ms_text_addf(&member, "->%s%s", ms_text_get(&e->root), ms_text_get(&e->suffix));
	}
	out->returned = true;
	out->root = "";
	out->expression = ms_intern(&r->module->names, member.at);
	ms_text_free(&member);
}

/*
 * `vec.push_back(new W())` names the type in the source only. What the container holds is that type
 * in the debug information, if the names are equal: naming it makes it known.
 */
static void know_element_type(struct ms_symbols_module *m, const Dwarf_Die *container)
{
	Dwarf_Die type = *container, argument;
	uint64_t held;
	bool object;

	ms_symbols_type_strip(&type, true);
	held = ms_symbols_module_type_argument(m, ms_symbols_type_offset(m, &type));
	if (held != 0 && ms_symbols_die_at(m, held, &argument))
		ms_symbols_pointee_name(m, &argument, &object);
}

static bool finish_expression(struct ms_symbols_receiving *r,
			      const struct ms_symbols_receipt *receipt,
			      const struct ms_symbols_statement *s, struct ms_symbols_receiver *out)
{
	struct ms_symbols_expression e;
	struct ms_names *names = &r->module->names;
	Dwarf_Die class;
	bool ok = ms_symbols_expression_read(r, s, receipt, &e);

	if (ok && e.typed)
		out->type = ms_symbols_pointee_name(r->module, &e.type, &out->object);
	/* An integer does not receive memory, unless a cast shows that it holds an address. */
	ok = ok && !(e.typed && is_number(&e.type) && receipt->hint_n == 0);
	ok = ok && !(receipt->array && !(e.typed && is_array(&e.type)));
	out->element = receipt->element && receipt->member_count == 0;
	if (ok && out->element && receipt->hint_n > 0) {
		out->element = false;
		out->type = hint_text(r, receipt);
		out->object = false;
		if (e.typed)
			know_element_type(r->module, &e.type);
		ms_text_add(&e.suffix, "[]");
	}
	if (out->type == NULL)
		out->type = hint_text(r, receipt);
	if (ok && e.kind == MS_VAR_LOCAL && e.rooted && !receipt->deref &&
	    is_returned(r, &e.var, ms_text_get(&e.root))) {
		out->returned = true;
		out->root = ms_intern(names, ms_text_get(&e.root));
		out->expression = ms_intern(names, ms_text_get(&e.suffix));
	} else if (ok && e.kind == MS_VAR_MEMBER && e.rooted && in_constructor(r, &class)) {
		finish_member(r, s, &class, &e, out);
	} else if (ok) {
		struct ms_text whole = MS_TEXT_INIT;

		ms_text_addf(&whole, "%s%s%s", receipt->deref ? "*" : "", ms_text_get(&e.root),
			     ms_text_get(&e.suffix));
		out->expression = ms_intern(names, whole.at);
		ms_text_free(&whole);
	}
	ms_text_free(&e.root);
	ms_text_free(&e.suffix);
	return ok;
}

/* The first argument of a macro that can hold memory. */
static bool receive_in_macro(struct ms_symbols_receiving *r, const struct ms_symbols_statement *s,
			     struct ms_symbols_receiver *out)
{
	struct ms_symbols_receipt receipt;

	for (unsigned i = 0; ms_symbols_macro_argument(s, i, &receipt); i++) {
		*out = (struct ms_symbols_receiver){ 0 };
		if (finish_expression(r, &receipt, s, out))
			return true;
	}
	return false;
}

static bool find_in_fortran(struct ms_symbols_receiving *r, unsigned level,
			    struct ms_symbols_statement *s, struct ms_symbols_receipt *receipt)
{
	unsigned rank, count;

	/* An indirect call: right if only one object is allocated here. */
	if (!ms_symbols_call_order(r->module, &r->place, level, NULL, &rank, &count)) {
		rank = 0;
		count = 1;
	}
	return ms_symbols_fortran_find(s, r->source, r->place.line, rank, count, receipt);
}

bool ms_symbols_module_receiver_at(struct ms_symbols_module *m, uint64_t offset, unsigned level,
				   const char *callee, struct ms_symbols_receiver *out)
{
	struct ms_symbols_receiving r = { .module = m, .level = level, .callee = callee };
	struct ms_symbols_statement s = { .is_variable = is_variable, .self = &r };
	struct ms_symbols_receipt receipt;
	bool ok = false, has_call = false;

	*out = (struct ms_symbols_receiver){ 0 };
	if (offset == 0 || !ms_symbols_place_at(m, offset - 1, level, &r.place))
		return false;
	r.source = ms_symbols_source_get(m, r.place.file, r.place.unit->lang);
	if (r.source == NULL || r.place.line > r.source->lines.n)
		return ms_symbols_debug_info_receiver(&r, level, out);
	if (r.place.unit->lang == MS_LANG_FORTRAN)
		ok = find_in_fortran(&r, level, &s, &receipt);
	else if ((has_call = ms_symbols_statement_find(&s, r.source, r.place.unit->lang,
						       r.place.line, r.place.column, callee))) {
		ms_symbols_statement_receipt(&s, &receipt);
		ok = receipt.kind != MS_RECEIPT_NONE;
	}
	if (ok && receipt.kind == MS_RECEIPT_RETURN)
		ok = finish_return(&r, &receipt, &s, out);
	else if (ok)
		ok = finish_expression(&r, &receipt, &s, out);
	else if (has_call)
		ok = receive_in_macro(&r, &s, out);
	else if (r.place.unit->lang == MS_LANG_FORTRAN)
		ok = ms_symbols_debug_info_receiver(&r, level, out);
	ms_symbols_statement_free(&s);
	return ok;
}

bool ms_symbols_module_receiver(struct ms_symbols_module *m, uint64_t offset,
				struct ms_symbols_receiver *out)
{
	return ms_symbols_module_receiver_at(m, offset, 0, NULL, out);
}
